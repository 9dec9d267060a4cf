import { hasStoredSession } from "@/lib/stored-session.ts";
import { isComposing } from "@/ui/composition.ts";

/**
 * The few lines of script that a static page needs before the app is there: who is about to be led elsewhere does not see
 * it, what is pressed is remembered for the app, which does it, and the app comes once the page is drawn and idle, or with
 * the first thing that is done on it.
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

function press(button: Element, by: "click" | "Enter"): void {
  const before = page?.querySelector("[data-pressed]");
  before?.removeAttribute("data-pressed");
  before?.removeAttribute("aria-busy");
  button.setAttribute("data-pressed", by);
  button.setAttribute("aria-busy", "true");
}

const acts = ["pointermove", "pointerdown", "focusin", "keydown"];

function fetchApp(): void {
  for (const kind of acts) removeEventListener(kind, fetchApp);
  const parts = document.querySelector<HTMLTemplateElement>("template#app");
  if (parts === null) return;
  parts.remove();
  document.head.append(parts.content);
}

/** Safari has no `requestIdleCallback`. */
const whenIdle = () => {
  if ("requestIdleCallback" in window) requestIdleCallback(fetchApp, { timeout: 1000 });
  else fetchApp();
};

if (page !== null && !isAudience()) {
  page.hidden = true;
  fetchApp();
} else {
  for (const kind of acts) addEventListener(kind, fetchApp);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle);
}
// The plan or course that was chosen on the way here is part of the address.
for (const link of page?.querySelectorAll("a") ?? []) {
  if (link.origin === location.origin && link.search === "") link.search = location.search;
}
page?.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button !== null) press(button, "click");
});
page?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || isComposing(event)) return;
  const form = event.target instanceof HTMLInputElement ? event.target.form : null;
  const button = form?.querySelector("[data-submit]");
  if (button) press(button, "Enter");
});
page?.addEventListener("submit", (event) => event.preventDefault());
// The app does not take the page's place in the middle of a press or of a composed character, also of one begun before it came.
for (const [begin, ...ends] of [
  ["pointerdown", "pointerup", "pointercancel"],
  ["compositionstart", "compositionend"],
] as const) {
  page?.addEventListener(begin, () => page.setAttribute("data-busy", ""));
  for (const end of ends) addEventListener(end, () => page?.removeAttribute("data-busy"));
}
