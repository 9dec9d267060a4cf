import { expect, it, vi } from "vitest";
import { createRest } from "./rest.ts";

it("calls back at once while nothing moves, else once it has come to rest, and once only", () => {
  const rest = createRest();
  const [before, during] = [vi.fn<() => void>(), vi.fn<() => void>()];
  rest.onceResting(before);
  rest.moved();
  rest.onceResting(during);
  expect([rest.isResting(), before.mock.calls.length, during.mock.calls.length]).toEqual([
    false,
    1,
    0,
  ]);
  rest.rested();
  rest.moved();
  rest.rested();
  expect([rest.isResting(), before.mock.calls.length, during.mock.calls.length]).toEqual([
    true,
    1,
    1,
  ]);
});

it("does not call whoever has left", () => {
  const rest = createRest();
  const gone = vi.fn<() => void>();
  rest.moved();
  rest.onceResting(gone)();
  rest.rested();
  expect(gone).not.toHaveBeenCalled();
});
