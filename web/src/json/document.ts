// A JSON text as a tree that keeps what JSON.parse loses: numbers as they were written, members that stand twice, and
// where each value begins. So a field can show what was typed, and a fault can be shown at its line.

interface Placed {
  /** Where the value begins in the text. */
  at: number;
}

export interface JsonObject extends Placed {
  type: "object";
  members: JsonMember[];
}

export interface JsonMember {
  name: string;
  /** Where the name begins in the text. */
  at: number;
  value: JsonValue;
}

export interface JsonArray extends Placed {
  type: "array";
  items: JsonValue[];
}

export interface JsonNumber extends Placed {
  type: "number";
  /** As it was written. */
  text: string;
}

export interface JsonString extends Placed {
  type: "string";
  value: string;
}

export interface JsonWord extends Placed {
  type: "word";
  value: true | false | null;
}

export type JsonValue = JsonObject | JsonArray | JsonNumber | JsonString | JsonWord;

/** Names of members and numbers of items, from the root to a value. */
export type Path = readonly (string | number)[];

const numberPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$/;

/** Makes a tree of a value that was written here, such as `{kind: "fixed", ticks: 4}`. */
export function fromPlain(value: unknown): JsonValue {
  if (Array.isArray(value)) {
    return { type: "array", at: 0, items: value.map(fromPlain) };
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, inner]) => ({ name, at: 0, value: fromPlain(inner) }));
    return { type: "object", at: 0, members };
  }
  if (typeof value === "number") {
    return { type: "number", at: 0, text: String(value) };
  }
  return typeof value === "string"
    ? { type: "string", at: 0, value }
    : { type: "word", at: 0, value: value as true | false | null };
}

/** A number where the text is one, else a string, for the engine to refuse in its words. */
export function fromTyped(text: string): JsonValue {
  return numberPattern.test(text) ? { type: "number", at: 0, text } : { type: "string", at: 0, value: text };
}

export function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return value?.type === "object" ? value.members.find((candidate) => candidate.name === name)?.value : undefined;
}

export function items(value: JsonValue | undefined): readonly JsonValue[] {
  return value?.type === "array" ? value.items : [];
}

export function valueAt(root: JsonValue, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (value, step) => (typeof step === "number" ? items(value)[step] : member(value, step)),
    root,
  );
}

/** Undefined where the value is no string. */
export function stringOf(value: JsonValue | undefined): string | undefined {
  return value?.type === "string" ? value.value : undefined;
}

/** Undefined where the value is no number. */
export function numberOf(value: JsonValue | undefined): number | undefined {
  return value?.type === "number" ? Number(value.text) : undefined;
}
