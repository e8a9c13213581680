// The numbers of all policies side by side. Each policy but the first says how it differs from the first, with a sign
// and in words; where a difference is clearly good or bad, it says that, too.

import { h } from "../dom";
import type { View } from "../engine/types";
import { grouped } from "../format";
import { type SummaryRow, summaryRows } from "./summary_rows";

export function createSummaryTable(view: View): HTMLElement {
  const { results } = view;
  const first = results[0];
  const isCompared = results.length > 1;
  return h(
    "table",
    { class: "summary" },
    h("caption", { class: "unseen" }, first && isCompared ? `Summary, compared with ${first.policy}` : "Summary"),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        h("td"),
        results.map(({ policy }, i) =>
          h("th", { scope: "col" }, policy, i === 0 && isCompared && h("span", { class: "reference" }, "reference")),
        ),
      ),
    ),
    h(
      "tbody",
      null,
      summaryRows(view).map((row) =>
        h(
          "tr",
          { class: row.isPart ? "part-of" : null },
          h("th", { scope: "row" }, row.name),
          results.map(({ summary }, i) => {
            const value = row.value(summary);
            const base = i === 0 || !first ? null : row.value(first.summary);
            return h("td", null, h("span", { class: "value" }, valueWords(row, value)), difference(row, value, base));
          }),
        ),
      ),
    ),
  );
}

function valueWords({ decimals }: SummaryRow, value: number | null): string {
  if (value === null) {
    return "–";
  }
  return decimals === 0 ? grouped(value) : value.toFixed(decimals);
}

function difference(row: SummaryRow, value: number | null, base: number | null): HTMLElement | null {
  if (value === null || base === null || value === base) {
    return null;
  }
  const isMore = value > base;
  const amount = Math.abs(value - base);
  const judgement = row.good === null ? null : (row.good === "more") === isMore ? "better" : "worse";
  return h(
    "span",
    { class: `difference ${judgement ?? ""}` },
    `${isMore ? "+" : "−"}${valueWords(row, amount)} ${isMore ? row.more : row.less}`,
    judgement && h("span", { class: "unseen" }, `, ${judgement}`),
  );
}
