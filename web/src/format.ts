// Numbers and counted words, written the same everywhere.

const integers = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const rates = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** 1 000 000, as the program writes it; the blanks do not break. */
export function grouped(value: number): string {
  return withBlanks(integers.format(value));
}

/** With at most two decimals, for a mean. */
export function rate(value: number): string {
  return withBlanks(rates.format(value));
}

function withBlanks(number: string): string {
  return number.replaceAll(",", "\u00a0");
}

/** "1 tick", "2 ticks" */
export function counted(value: number, one: string, many: string): string {
  return `${grouped(value)} ${value === 1 ? one : many}`;
}
