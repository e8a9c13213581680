// Covers the results of the page while a prediction is pending, and shows them. What is covered can be neither seen nor
// focused nor heard. The element itself stays, since it is the page's main landmark: lessons.css puts a message into it.

export function coverResults(isPending: boolean): void {
  if (isPending) {
    document.documentElement.dataset.prediction = "pending";
  } else {
    delete document.documentElement.dataset.prediction;
  }
  for (const part of document.querySelectorAll<HTMLElement>(".results > *")) {
    part.inert = isPending;
  }
}

/** Whether what a run yielded must not be told yet. */
export function areResultsCovered(): boolean {
  return document.documentElement.dataset.prediction === "pending";
}

/** Scrolls to them: on a small screen they are below the panel. */
export function showResults(): void {
  document.querySelector(".results")?.scrollIntoView();
}
