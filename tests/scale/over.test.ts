import { expect, it } from "vitest";
import { spawnScript } from "../support/spawn-product.ts";
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

it("takes down what was set up also when the process is told to end twice, as npm and the terminal do", async () => {
  const script = `
    import { setTimeout as sleep } from "node:timers/promises";
    import { over } from "./tests/scale/over.ts";
    const close = async () => {
      console.log("closing");
      await sleep(500);
      console.log("closed");
    };
    await over({ close }, async () => {
      console.log("working");
      await sleep(60_000);
    });`;
  const { child, says, output, ended } = spawnScript(["--input-type=module", "-e", script], {});
  await says("working");
  child.kill("SIGINT");
  await says("closing");
  child.kill("SIGINT");
  expect(await ended).toBe(1);
  expect(output()).toBe("working\nclosing\nclosed\n");
});
