// Leads to the first fault of the scenario: the field that has it, or, where no field has one, the text.

export function showFault(): void {
  const field = document.querySelector<HTMLElement>('.form [aria-invalid="true"]:enabled');
  const target = field ?? document.querySelector<HTMLElement>(".code");
  for (let around = target?.parentElement; around; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement) {
      around.open = true;
    } else if (around.getAttribute("role") === "tabpanel" && around.hidden) {
      document.querySelector<HTMLElement>(`[role="tab"][aria-controls="${around.id}"]`)?.click();
    }
  }
  target?.focus();
}
