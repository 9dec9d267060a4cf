import { systemClock } from "@/lib/clock.ts";

type Typed = HTMLInputElement | HTMLTextAreaElement;

const fieldsOf = (within: Element) => [...within.querySelectorAll<Typed>("input, textarea")];
const buttonsOf = (within: Element) => [...within.querySelectorAll("button")];

/** Sets a field as typing does, so that React hears of it. */
function type(field: Typed, text: string): void {
  const proto = field instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(proto.prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Hands over what was done on the static page: what was typed, where one was, and what was pressed. */
function handOver(from: Element, to: Element): void {
  const fields = fieldsOf(to);
  for (const [place, before] of fieldsOf(from).entries()) {
    const field = fields[place];
    if (field === undefined || field.name !== before.name || field.type !== before.type) continue;
    if (before.value !== "" && field.value === "") type(field, before.value);
    if (document.activeElement !== before) continue;
    const { selectionStart, selectionEnd } = before;
    // At once: what is typed while no field has the focus is lost.
    field.focus({ preventScroll: true });
    // Not every type of field says where the cursor is.
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd);
  }
  const place = buttonsOf(from).findIndex((button) => button.hasAttribute("data-pressed"));
  const by = buttonsOf(from)[place]?.getAttribute("data-pressed");
  const button = buttonsOf(to)[place];
  if (button === undefined) return;
  systemClock.after(0, () => {
    // A form whose button is still barred says at Enter what it misses.
    if (by === "Enter") {
      const key = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
      if (!(document.activeElement ?? button).dispatchEvent(key)) return;
    }
    button.click();
  });
}

/**
 * Where the app is to be drawn. On a static page that is apart from the document until the app has a page to show; then
 * it takes the place of the static one, between two acts of the visitor, with all that was typed.
 *
 * @param root the element of the document that holds the app
 * @param loading matches what the app shows while it has no page
 */
export function takeOver(root: HTMLElement, loading: string): HTMLElement {
  const page = root.querySelector<HTMLElement>("#static-page");
  if (page === null) return root;
  if (page.hidden) {
    page.remove();
    return root;
  }
  const app = document.createElement("div");
  let busy = page.hasAttribute("data-busy");
  const follow = (event: Event) => {
    busy = event.type === "pointerdown" || event.type === "compositionstart";
    if (!busy) systemClock.after(0, show);
  };
  const acts = ["pointerdown", "pointerup", "pointercancel", "compositionstart", "compositionend"];
  const show = () => {
    if (busy || app.firstChild === null || app.querySelector(loading) !== null) return;
    if (!root.contains(page)) return;
    changes.disconnect();
    for (const act of acts) document.removeEventListener(act, follow, true);
    root.append(app);
    handOver(page, app);
    page.remove();
  };
  const changes = new MutationObserver(show);
  changes.observe(app, { childList: true, subtree: true });
  for (const act of acts) document.addEventListener(act, follow, true);
  return app;
}
