// Changes one value of a scenario's text: the text is read, changed in one place, and written again.

import { type JsonArray, type JsonObject, type JsonValue, type Path, valueAt } from "./document";
import { parseJson } from "./parse";
import { printJson } from "./print";

/** The same text if it is not JSON. */
export function edited(text: string, change: (root: JsonValue) => void): string {
  const root = parseJson(text);
  if (root === null) {
    return text;
  }
  change(root);
  return printJson(root);
}

/**
 * Puts a value at a path. Objects on the way that are not there are made, and what is no object gives way to one. A new
 * member goes where `order` has it, if that is given, else to the end.
 */
export function put(root: JsonValue, path: Path, value: JsonValue, order: readonly string[] = []): void {
  const [name, parent] = lastStep(root, path);
  if (typeof name === "number") {
    if (parent?.type === "array") {
      parent.items[name] = value;
    }
    return;
  }
  const object = parent?.type === "object" ? parent : makeObject(root, path.slice(0, -1));
  const member = object.members.find((candidate) => candidate.name === name);
  if (member) {
    member.value = value;
  } else {
    object.members.splice(placeOf(object, name, order), 0, { name, at: 0, value });
  }
}

/** Takes a member out of its object, or an item out of its list. */
export function remove(root: JsonValue, path: Path): void {
  const [name, parent] = lastStep(root, path);
  if (parent?.type === "array" && typeof name === "number") {
    parent.items.splice(name, 1);
  } else if (parent?.type === "object") {
    parent.members = parent.members.filter((member) => member.name !== name);
  }
}

/** Puts an item into the list at a path, before the item at `index`. A list that is not there is made. */
export function insert(root: JsonValue, path: Path, index: number, item: JsonValue): void {
  const found = valueAt(root, path);
  const list: JsonArray = found?.type === "array" ? found : { type: "array", at: 0, items: [] };
  list.items.splice(index, 0, item);
  if (list !== found) {
    put(root, path, list);
  }
}

function lastStep(root: JsonValue, path: Path): [string | number, JsonValue | undefined] {
  const name = path.at(-1);
  if (name === undefined) {
    throw new Error("a path to the root has no last step");
  }
  return [name, valueAt(root, path.slice(0, -1))];
}

function makeObject(root: JsonValue, path: Path): JsonObject {
  if (path.length === 0) {
    throw new Error("the root is no object");
  }
  const object: JsonObject = { type: "object", at: 0, members: [] };
  put(root, path, object);
  return object;
}

// Before the first member that comes later in the order.
function placeOf(object: JsonObject, name: string, order: readonly string[]): number {
  const rank = order.indexOf(name);
  const place = rank < 0 ? -1 : object.members.findIndex((member) => order.indexOf(member.name) > rank);
  return place < 0 ? object.members.length : place;
}
