import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { saveFile } from "./save-file.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("keeps a file readable while the browser saves it", () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:file");
  const revoke = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.download} ${this.href}`);
  });
  saveFile("all.zip", new Blob(["x"]));
  expect(saved).toEqual(["all.zip blob:file"]);
  vi.advanceTimersByTime(30_000);
  expect(revoke).not.toHaveBeenCalled();
  vi.advanceTimersByTime(30_000);
  expect(revoke.mock.calls).toEqual([["blob:file"]]);
});
