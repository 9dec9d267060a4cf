import { afterEach, expect, it, vi } from "vitest";
import { systemClock } from "@/lib/clock.ts";
import { warmUp } from "./warm-up.ts";

afterEach(() => vi.restoreAllMocks());

it("makes nothing in the task that asks for it, and each part in one of its own", () => {
  const tasks: (() => void)[] = [];
  vi.spyOn(systemClock, "after").mockImplementation((_, task) => {
    tasks.push(task);
    return () => undefined;
  });
  const dates = vi.spyOn(Intl, "DateTimeFormat");
  warmUp();
  expect(tasks).toHaveLength(3);
  expect(dates).not.toHaveBeenCalled();
  for (const task of tasks) task();
});
