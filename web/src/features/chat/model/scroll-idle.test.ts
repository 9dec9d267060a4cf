import { expect, it, vi } from "vitest";
import { createScrollIdle } from "./scroll-idle.ts";

it("calls back at once when idle, else once after scrolling ends", () => {
  const scrollIdle = createScrollIdle();
  const [before, during] = [vi.fn<() => void>(), vi.fn<() => void>()];
  scrollIdle.onIdle(before);
  scrollIdle.scrollStarted();
  scrollIdle.onIdle(during);
  expect([scrollIdle.isIdle(), before.mock.calls.length, during.mock.calls.length]).toEqual([
    false,
    1,
    0,
  ]);
  scrollIdle.scrollEnded();
  scrollIdle.scrollStarted();
  scrollIdle.scrollEnded();
  expect([scrollIdle.isIdle(), before.mock.calls.length, during.mock.calls.length]).toEqual([
    true,
    1,
    1,
  ]);
});

it("does not call removed listeners", () => {
  const scrollIdle = createScrollIdle();
  const gone = vi.fn<() => void>();
  scrollIdle.scrollStarted();
  scrollIdle.onIdle(gone)();
  scrollIdle.scrollEnded();
  expect(gone).not.toHaveBeenCalled();
});
