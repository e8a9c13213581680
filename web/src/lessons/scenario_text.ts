// The texts of the lessons' scenarios.

import { fromPlain, items, member, type Path, stringOf } from "../json/document";
import { edited, put, remove } from "../json/edit";

/** A scenario without its description, and with only the policies that are named, if any are. */
export function lessonText(text: string, policies: readonly string[] = []): string {
  return edited(text, (root) => {
    remove(root, ["description"]);
    const all = member(root, "policies");
    if (policies.length > 0 && all?.type === "array") {
      all.items = items(all).filter((policy) => policies.includes(stringOf(member(policy, "name")) ?? ""));
    }
  });
}

export function withValue(text: string, path: Path, value: unknown): string {
  return edited(text, (root) => put(root, path, fromPlain(value)));
}

/** Whether two texts say the same, however they are laid out. */
export function isSameScenario(one: string, other: string): boolean {
  return one === other || laidOut(one) === laidOut(other);
}

function laidOut(text: string): string {
  return edited(text, () => undefined);
}
