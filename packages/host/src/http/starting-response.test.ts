import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { startingResponse } from "./starting-response.ts";

const opened = (headers: Record<string, string> = {}, method = "GET") =>
  startingResponse(new Request("http://site.test/signin", { method, headers }));

it("shows a browser that opens a page one that tries again by itself, and is kept by no cache", async () => {
  const answer = opened({ "sec-fetch-dest": "document" });
  expect(answer.status).toBe(503);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "retry-after": "1",
  });
  const html = await answer.text();
  expect(html).toContain('<meta http-equiv="refresh" content="3">');
  expect(html).not.toContain("<script");
  const style = /<style>([^]*)<\/style>/.exec(html)?.[1] ?? "";
  expect(answer.headers.get("content-security-policy")).toContain(
    `'sha256-${hash("sha256", style, "base64")}'`,
  );
});

it.each([
  ["a request of a script", opened({ "sec-fetch-dest": "empty" })],
  ["a health check", opened()],
  ["a form that is sent", opened({ "sec-fetch-dest": "document" }, "POST")],
])("answers %s with a code", async (_what, answer) => {
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ code: "starting", message: "The host is starting." });
});
