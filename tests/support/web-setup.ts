import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { toast } from "sonner";
import { afterEach, vi } from "vitest";
import { takeLeftoversAway } from "../../web/src/app/testing/leftovers.ts";

// The files of a worker share one page and one set of modules. This file is run before each of them, and what a test leaves
// is taken away after it.

// Long enough for a busy machine; a query that succeeds does not wait for it.
configure({ asyncUtilTimeout: 60_000 });

// jsdom cannot decode images: every file becomes a small image that is encoded to fixed bytes.
Object.assign(globalThis, {
  createImageBitmap: () => Promise.resolve({ width: 40, height: 20, close: () => undefined }),
});
Object.assign(HTMLCanvasElement.prototype, {
  getContext: () => ({ drawImage: () => undefined, fillRect: () => undefined }),
  toBlob: (take: BlobCallback, type: string) => take(new Blob(["drawn"], { type })),
});

// jsdom has no layout, and so nothing to scroll.
Object.assign(Element.prototype, { scrollIntoView: () => undefined, scrollTo: () => undefined });
window.scrollTo = () => undefined;

// Once for the page.
if (document.querySelector("#toasts-at-once") === null) {
  // A toast fades in, and what it says is found before it shows.
  document.head.insertAdjacentHTML(
    "beforeend",
    '<style id="toasts-at-once">[data-sonner-toast] { opacity: 1 !important; }</style>',
  );
  // jsdom draws at an interval that it begins when there is something to draw. Begun while a test holds the clock, it would
  // never come again in this page; so it goes on all the time.
  const nextFrame = window.requestAnimationFrame;
  const keepDrawing = () => void nextFrame(keepDrawing);
  keepDrawing();
}

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  // What has been told once is told again to the next page that shows toasts.
  toast.dismiss();
  await takeLeftoversAway();
  for (const element of [document.documentElement, document.body]) {
    for (const name of element.getAttributeNames()) element.removeAttribute(name);
  }
  document.body.replaceChildren();
  document.head.querySelector("title")?.remove();
  window.history.replaceState(null, "", "/");
  localStorage.clear();
  sessionStorage.clear();
  // A clipboard of `userEvent.setup`.
  Reflect.deleteProperty(navigator, "clipboard");
});
