import { afterEach, beforeEach, expect, it, vi } from "vitest";

const hasAppCome = () => document.head.querySelector("[data-app]") !== null;

/** A static page whose document is still being read, for visitors or for members. */
async function open(audience: "visitors" | "members"): Promise<void> {
  vi.spyOn(document, "readyState", "get").mockReturnValue("interactive");
  document.body.innerHTML = `<div id="static-page" data-audience="${audience}"><input /></div>
    <template id="app"><meta data-app /></template>`;
  await import("./static-page.ts");
}

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.head.querySelector("[data-app]")?.remove();
  document.body.innerHTML = "";
});

it("asks for the app once the page is loaded and the browser idle", async () => {
  const idle: (() => void)[] = [];
  vi.stubGlobal("requestIdleCallback", (run: () => void) => idle.push(run));
  await open("visitors");
  expect([hasAppCome(), idle]).toEqual([false, []]);
  dispatchEvent(new Event("load"));
  expect([hasAppCome(), idle.length]).toEqual([false, 1]);
  idle[0]?.();
  expect(hasAppCome()).toBe(true);
});

it.each(["pointermove", "pointerdown", "keydown", "focusin"])(
  "asks for the app at the first %s",
  async (act) => {
    await open("visitors");
    expect(hasAppCome()).toBe(false);
    document.querySelector("input")?.dispatchEvent(new Event(act, { bubbles: true }));
    expect(hasAppCome()).toBe(true);
    dispatchEvent(new Event("load"));
    expect(document.head.querySelectorAll("[data-app]")).toHaveLength(1);
  },
);

it("asks for the app at once where it will lead elsewhere", async () => {
  await open("members");
  expect([hasAppCome(), document.querySelector<HTMLElement>("#static-page")?.hidden]).toEqual([
    true,
    true,
  ]);
});

it("says that a finger is down or a word is being composed", async () => {
  await open("visitors");
  const page = document.querySelector("#static-page");
  const input = document.querySelector("input");
  const isBusyAfter = (act: string) => {
    input?.dispatchEvent(new Event(act, { bubbles: true }));
    return page?.hasAttribute("data-busy");
  };
  expect(isBusyAfter("pointerdown")).toBe(true);
  expect(isBusyAfter("pointerup")).toBe(false);
  expect(isBusyAfter("compositionstart")).toBe(true);
  expect(isBusyAfter("compositionend")).toBe(false);
});
