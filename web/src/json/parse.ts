// Reads JSON (RFC 8259) into a tree. It finds out that a text is no JSON, but not why: that is told by the engine.

import type { JsonMember, JsonValue } from "./document";

// A scenario needs 6. The engine stops at 32, and recursion has to stop somewhere.
const mostDepth = 64;

/** Null if the text is not JSON. */
export function parseJson(text: string): JsonValue | null {
  try {
    return new Parser(text).document();
  } catch (error) {
    if (error instanceof NotJson) {
      return null;
    }
    throw error;
  }
}

class NotJson extends Error {}

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const word = /true|false|null/y;

class Parser {
  readonly #text: string;
  #at: number;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#at = text.startsWith("\ufeff") ? 1 : 0;
  }

  document(): JsonValue {
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) {
      throw new NotJson();
    }
    return value;
  }

  #value(): JsonValue {
    this.#skipSpace();
    const at = this.#at;
    switch (this.#text[at]) {
      case "{":
        return { type: "object", at, members: this.#list("}", () => this.#member()) };
      case "[":
        return { type: "array", at, items: this.#list("]", () => this.#value()) };
      case '"':
        return { type: "string", at, value: this.#string() };
      case "t":
      case "f":
      case "n":
        return { type: "word", at, value: JSON.parse(this.#take(word)) as true | false | null };
      default:
        return { type: "number", at, text: this.#take(number) };
    }
  }

  #member(): JsonMember {
    this.#skipSpace();
    const at = this.#at;
    const name = this.#string();
    if (!this.#isNext(":")) {
      throw new NotJson();
    }
    return { name, at, value: this.#value() };
  }

  #list<Item>(end: string, item: () => Item): Item[] {
    this.#depth += 1;
    if (this.#depth > mostDepth) {
      throw new NotJson();
    }
    this.#at += 1;
    const found: Item[] = [];
    if (!this.#isNext(end)) {
      do {
        found.push(item());
      } while (this.#isNext(","));
      if (!this.#isNext(end)) {
        throw new NotJson();
      }
    }
    this.#depth -= 1;
    return found;
  }

  #string(): string {
    return JSON.parse(this.#take(string)) as string;
  }

  /** Takes the character if it comes next. */
  #isNext(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.#at] !== character) {
      return false;
    }
    this.#at += 1;
    return true;
  }

  #skipSpace(): void {
    this.#take(space);
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) {
      throw new NotJson();
    }
    this.#at = pattern.lastIndex;
    return match[0];
  }
}
