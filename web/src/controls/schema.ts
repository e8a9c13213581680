// What the JSON Schema says of a member of the scenario: its range, its default, what it means. The schema is the one
// that the engine hands out, so the form cannot tell anything else than the format allows.

import scenarioSchema from "../../../engine/schema/scenario.schema.json";

export interface Schema {
  $ref?: string;
  description?: string;
  type?: string;
  const?: unknown;
  default?: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
}

const definitions = scenarioSchema.$defs as Record<string, Schema>;

export const scenario = scenarioSchema as unknown as Schema;

/** Of everything that is a number of ticks between two attempts. */
export const delayTicks: Schema = definitions.delayTicks ?? {};

/** The schema of a member of an object, or of the items of a list, with what it refers to filled in. */
export function memberSchema(schema: Schema, name: string): Schema {
  const found = schema.properties?.[name];
  if (!found) {
    throw new Error(`the schema has no member ${name}`);
  }
  return resolved(found);
}

export function itemSchema(schema: Schema): Schema {
  if (!schema.items) {
    throw new Error("the schema is not one of a list");
  }
  return resolved(schema.items);
}

/** The names of an object's members, in the order in which the format lists them. */
export function memberNames(schema: Schema): string[] {
  return Object.keys(schema.properties ?? {});
}

/** An object that comes in several kinds: what each of them looks like, by the name of the kind. */
export function variants(schema: Schema): Map<string, Schema> {
  return new Map((schema.oneOf ?? []).map((variant) => [String(variant.properties?.kind?.const), variant]));
}

export function isRequired(schema: Schema, name: string): boolean {
  return schema.required?.includes(name) ?? false;
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const referred = name === undefined ? undefined : definitions[name];
  return referred ? { ...resolved(referred), ...schema } : schema;
}
