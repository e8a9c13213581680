// Writes a tree as text, the way the scenarios of the project are written: two spaces a level, and a small object or
// list that holds no further object on one line.

import type { JsonValue } from "./document";

const mostLineLength = 80;

export function printJson(value: JsonValue): string {
  return print(value, 0) + "\n";
}

function print(value: JsonValue, depth: number): string {
  if (value.type !== "object" && value.type !== "array") {
    return scalar(value);
  }
  if (depth > 0 && isFlat(value)) {
    const line = onOneLine(value);
    if (line.length <= mostLineLength) {
      return line;
    }
  }
  const [begin, end] = brackets(value);
  const parts = inner(value, (item) => print(item, depth + 1));
  if (parts.length === 0) {
    return begin + end;
  }
  const indent = "  ".repeat(depth);
  return `${begin}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${end}`;
}

function onOneLine(value: JsonValue): string {
  if (value.type !== "object" && value.type !== "array") {
    return scalar(value);
  }
  const [begin, end] = brackets(value);
  return begin + inner(value, onOneLine).join(", ") + end;
}

function inner(value: JsonValue, write: (item: JsonValue) => string): string[] {
  if (value.type === "object") {
    return value.members.map((member) => `${JSON.stringify(member.name)}: ${write(member.value)}`);
  }
  return value.type === "array" ? value.items.map(write) : [];
}

function brackets(value: JsonValue): [string, string] {
  return value.type === "object" ? ["{", "}"] : ["[", "]"];
}

function isFlat(value: JsonValue): boolean {
  if (value.type === "object") {
    return value.members.every((member) => member.value.type !== "object" && isFlat(member.value));
  }
  return value.type !== "array" || value.items.every((item) => item.type !== "object" && isFlat(item));
}

function scalar(value: JsonValue): string {
  switch (value.type) {
    case "number":
      return value.text;
    case "string":
      return JSON.stringify(value.value);
    case "word":
      return String(value.value);
    default:
      return "";
  }
}
