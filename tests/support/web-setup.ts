import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

/* Patience costs nothing when all is well, and a busy machine is no reason to fail. */
configure({ asyncUtilTimeout: 60_000 });

/* jsdom has no pictures: every file is a small one that is drawn and written without looking at it. */
Object.assign(globalThis, {
  createImageBitmap: () => Promise.resolve({ width: 40, height: 20, close: () => undefined }),
});
Object.assign(HTMLCanvasElement.prototype, {
  getContext: () => ({ drawImage: () => undefined }),
  toBlob: (take: BlobCallback, type: string) => take(new Blob(["drawn"], { type })),
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
});
