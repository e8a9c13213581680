// The hint of a field in words: what the member means, its range and its default, all from the schema.

import { grouped } from "../format";
import type { Schema } from "./schema";

export function hintOf(schema: Schema): string {
  return [schema.description, rangeWords(schema), defaultWords(schema)].filter(Boolean).join(" ");
}

function rangeWords({ minimum, maximum, description = "" }: Schema): string {
  if (minimum === undefined || maximum === undefined || description.startsWith(`${minimum} to`)) {
    return "";
  }
  return `${grouped(minimum)} to ${grouped(maximum)}.`;
}

function defaultWords({ default: value }: Schema): string {
  switch (typeof value) {
    case "number":
      return `Default: ${grouped(value)}.`;
    case "string":
      return `Default: ${value}.`;
    case "boolean":
      return `Default: ${value ? "on" : "off"}.`;
    default:
      return "";
  }
}
