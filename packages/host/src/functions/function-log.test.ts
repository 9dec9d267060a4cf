import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { Hono } from "hono";
import { pino } from "pino";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { HostContext } from "../context.ts";
import { requestLog } from "../request-log.ts";
import { createFunctionsApp } from "./app.ts";
import { captureConsole } from "./function-console.ts";

const folder = mkdtempSync(join(tmpdir(), "function-log-"));
afterAll(() => rmSync(folder, { recursive: true }));

const lines: Record<string, unknown>[] = [];
beforeEach(() => (lines.length = 0));
const stream = new Writable({
  write: (text: Buffer, _, done) => {
    lines.push(JSON.parse(text.toString()) as Record<string, unknown>);
    done();
  },
});

/** A host's functions with one that runs `code`. */
function hostWith(name: string, code: string): Hono {
  mkdirSync(join(folder, "functions", name), { recursive: true });
  const handler = `export default async (request) => { ${code}; return new Response("ok"); }`;
  writeFileSync(join(folder, "functions", name, "handler.ts"), handler);
  const log = pino({ level: "info" }, stream);
  const context = {
    project: { folder, settings: { functions: { [name]: { verify_jwt: false } } } },
    publicUrl: "http://host.test",
    config: {},
    log,
  } as unknown as HostContext;
  captureConsole();
  const app = new Hono();
  app.use(requestLog(log));
  app.route("/functions/v1", createFunctionsApp(context, {}));
  return app;
}

async function ask(app: Hono, name: string, id?: string): Promise<string | null> {
  const answer = await app.request(
    `/functions/v1/${name}`,
    { method: "POST", ...(id !== undefined && { headers: { "x-request-id": id } }) },
    { incoming: { socket: { remoteAddress: "127.0.0.1" } } },
  );
  return answer.headers.get("x-request-id");
}

it("what a function writes is JSON with its level, its name and the id of the answer", async () => {
  const app = hostWith("writes", `console.warn("two of %d", 3); console.error("it failed")`);
  const id = await ask(app, "writes");
  expect(lines).toMatchObject([
    { level: 40, function: "writes", id, msg: "two of 3" },
    { level: 50, function: "writes", id, msg: "it failed" },
  ]);
  expect(lines[0]?.["time"]).toBeTypeOf("number");
});

it("so is what it writes after a wait, while another call runs", async () => {
  const code = `await new Promise(setImmediate); console.error(new Error("late"))`;
  const app = hostWith("waits", code);
  await Promise.all([ask(app, "waits", "first-call"), ask(app, "waits", "second-call")]);
  expect(new Set(lines.map(({ id }) => id))).toEqual(new Set(["first-call", "second-call"]));
  expect(lines[0]).toMatchObject({ level: 50, err: { message: "late" } });
});

it("a function's error carries the id of the answer", async () => {
  const id = await ask(hostWith("throws", `throw new Error("gone")`), "throws");
  expect(lines).toMatchObject([
    { level: 50, function: "throws", id, msg: "function failed", err: { message: "gone" } },
  ]);
});

it("a broken line of the function's own making stays one line of the log", async () => {
  await ask(hostWith("breaks", String.raw`console.error("one\n{\"level\":10}")`), "breaks");
  expect(lines).toMatchObject([{ level: 50, msg: 'one\n{"level":10}' }]);
});
