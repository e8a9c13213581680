// The one way in which elements are made. Text becomes text nodes, so data never turns into markup.

type Listener = (event: never) => void;
type Value = string | number | boolean | null | undefined;
export type Attributes = Record<string, Value | Listener>;
export type Child = Node | string | number | null | undefined | false | readonly Child[];

const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * An HTML element. An attribute that is false, null or undefined is left out, one that is true stands without a value,
 * and a function belongs to the event that its name tells: `onclick`.
 */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes | null,
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return furnish(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function s<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes?: Attributes | null,
  ...children: Child[]
): SVGElementTagNameMap[Tag] {
  return furnish(document.createElementNS(svgNamespace, tag), attributes, children);
}

/** Puts an attribute, or takes it away when it is false, null or undefined. */
export function setAttribute(element: Element, name: string, value: Value): void {
  if (value === false || value === null || value === undefined) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

function furnish<Made extends Element>(
  element: Made,
  attributes: Attributes | null | undefined,
  children: readonly Child[],
): Made {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else {
      setAttribute(element, name, value);
    }
  }
  append(element, children);
  return element;
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (Array.isArray(child)) {
      append(element, child);
    } else if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
}
