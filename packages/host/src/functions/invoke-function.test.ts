import { pino } from "pino";
import { expect, test } from "vitest";
import { invokeFunction } from "./invoke-function.ts";
import type { Handler } from "./function-registry.ts";

const log = pino({ level: "silent" });

async function call(handler: Handler, maxRunMs = 1000): Promise<Response> {
  const load = async () => await Promise.resolve(handler);
  return await invokeFunction(
    { name: "example", verifyJwt: false, load },
    (signal) => new Request("http://host.test/example", { signal }),
    { env: {}, log, requestId: "a-request-1", maxRunMs },
  );
}

test("a function that times out is aborted and answered with 504", async () => {
  let stopped = false;
  const answer = await call(async (request) => {
    await new Promise<void>((resolve) => {
      request.signal.addEventListener("abort", () => resolve());
    });
    stopped = true;
    throw new Error("stopped");
  }, 20);
  expect(answer.status).toBe(504);
  expect(await answer.json()).toMatchObject({ code: "IDLE_TIMEOUT" });
  expect(stopped).toBe(true);
});

test("a function's error message is logged and not sent", async () => {
  const answer = await call(() => {
    throw new Error("password is hunter2");
  });
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("hunter2");
});

test("a function's response is returned unchanged", async () => {
  const given = new Response("made", { status: 201 });
  expect(await call(() => given)).toBe(given);
});
