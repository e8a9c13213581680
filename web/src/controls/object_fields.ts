// The fields of an object's plain members, each of the type that the schema has for it.

import type { Control, Place } from "./control";
import { createChoiceField } from "./choice_field";
import { hintOf } from "./hints";
import { createNumberField } from "./number_field";
import { isRequired, memberNames, memberSchema, type Schema } from "./schema";
import { createSwitchField } from "./switch_field";
import { createTextField } from "./text_field";
import { absentWords, choiceWords, labelOf, unitOf } from "./wording";

/** `object` is what the object is called in wording.ts. */
export function createFields(place: Place, object: string, schema: Schema, names: readonly string[]): Control[] {
  return names.map((name) => createField(place, object, schema, name));
}

function createField(object: Place, objectName: string, objectSchema: Schema, name: string): Control {
  const schema = memberSchema(objectSchema, name);
  const common = {
    place: object.to(name),
    label: labelOf(objectName, name),
    hint: hintOf(schema),
    order: memberNames(objectSchema),
  };
  if (schema.enum) {
    const choices = schema.enum.map((value) => ({ value, words: choiceWords(name, value) }));
    return createChoiceField({ ...common, choices, otherwise: String(schema.default), isWide: objectName !== "outage" });
  }
  switch (schema.type) {
    case "boolean":
      return createSwitchField(common);
    case "string":
      return createTextField({ ...common, isLong: name === "description", isOptional: !isRequired(objectSchema, name) });
    default:
      return createNumberField({
        ...common,
        schema,
        unit: unitOf(objectName, name),
        absent: absentWords(objectName, name),
      });
  }
}
