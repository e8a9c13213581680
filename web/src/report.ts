// Results that were stored in the page by `retrygarden report`: it starts from these instead of running.

import type { View } from "./engine/types";

export interface Report {
  text: string;
  view: View;
}

/** Null in a page that holds none. */
export function storedReport(): Report | null {
  const content = document.getElementById("retrygarden-report")?.textContent;
  return content ? (JSON.parse(content) as Report) : null;
}
