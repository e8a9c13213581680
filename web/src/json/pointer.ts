// JSON Pointers (RFC 6901), in which the engine says where a fault is, and where they lead in a text.

import { items, type JsonValue, type Path } from "./document";

export function pointerOf(path: Path): string {
  return path.map((step) => "/" + String(step).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
}

/** Where a value begins, or else the nearest object or list around it: for a member, where its name begins. */
export function placeOf(root: JsonValue, pointer: string): number {
  let value = root;
  let place = root.at;
  for (const step of pointer.split("/").slice(1)) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (value.type === "object") {
      const member = value.members.find((candidate) => candidate.name === name);
      if (!member) {
        break;
      }
      value = member.value;
      place = member.at;
    } else {
      const item = items(value)[Number(name)];
      if (!item) {
        break;
      }
      value = item;
      place = item.at;
    }
  }
  return place;
}

/** The line, counted from 1, in which a place of a text is. */
export function lineOf(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < place; at = text.indexOf("\n", at + 1)) {
    line += 1;
  }
  return line;
}
