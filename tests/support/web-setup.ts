import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

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

// A toast fades in, and what it says is found before it shows.
document.head.insertAdjacentHTML(
  "beforeend",
  "<style>[data-sonner-toast] { opacity: 1 !important; }</style>",
);

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
