import { expect, it } from "vitest";
import { over } from "./over.ts";

const listeners = () => process.listenerCount("SIGTERM");

it("takes down what was set up once, also when the work fails", async () => {
  let closed = 0;
  const close = async () => {
    closed++;
    await Promise.resolve();
  };
  expect(await over({ close }, async () => await Promise.resolve("done"))).toBe("done");
  const failing = over({ close }, async () => await Promise.reject(new Error("lost")));
  await expect(failing).rejects.toThrow("lost");
  expect(closed).toBe(2);
});

it("leaves no listener behind that would end the process before what is set up next is closed", async () => {
  const before = listeners();
  const close = async () => await Promise.resolve();
  const during = await over({ close }, async () => await Promise.resolve(listeners()));
  expect([during, listeners()]).toEqual([before + 1, before]);
});
