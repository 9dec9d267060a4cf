import { hasStoredSession } from "@/lib/stored-session.ts";
import { isComposing } from "@/ui/composition.ts";

/**
 * The few lines of script that a static page needs before the app is there: who is about to be led elsewhere does not see
 * it, and what is pressed is remembered for the app, which does it.
 */

const page = document.getElementById("static-page");

function isAudience(): boolean {
  try {
    const isMember = hasStoredSession(localStorage);
    return page?.dataset["audience"] !== (isMember ? "visitors" : "members");
  } catch {
    // Storage is blocked, and so there is no session that lasts.
    return page?.dataset["audience"] !== "members";
  }
}

function press(button: Element): void {
  const before = page?.querySelector("[data-pressed]");
  before?.removeAttribute("data-pressed");
  before?.removeAttribute("aria-busy");
  button.setAttribute("data-pressed", "");
  button.setAttribute("aria-busy", "true");
}

if (page !== null && !isAudience()) page.hidden = true;
// The plan or course that was chosen on the way here is part of the address.
for (const link of page?.querySelectorAll("a") ?? []) {
  if (link.origin === location.origin && link.search === "") link.search = location.search;
}
page?.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button !== null) press(button);
});
page?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || isComposing(event)) return;
  const form = event.target instanceof HTMLInputElement ? event.target.form : null;
  const button = form?.querySelector("[data-submit]");
  if (button) press(button);
});
page?.addEventListener("submit", (event) => event.preventDefault());
