import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { handlePost, errorForLog, jsonResponse, FunctionError } from "./responses.ts";
import { parseBody } from "./request-body.ts";

const options = {
  name: "a-function",
  failureMessage: "It failed",
  errorFields: { success: false },
};
const post = (body?: string) =>
  new Request("http://localhost/a-function", {
    method: "POST",
    ...(body === undefined ? {} : { body }),
  });

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function bodyOf(response: Response): Promise<unknown> {
  return await response.json();
}

describe("a response", () => {
  it("allows requests from pages of any origin", async () => {
    const request = new Request("http://localhost/", { method: "OPTIONS" });
    const response = await handlePost(
      request,
      options,
      async () => await Promise.reject(new Error()),
    );
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-headers")).toContain("authorization");
  });

  it.each(["GET", "PUT", "DELETE"])("refuses %s", async (method) => {
    const request = new Request("http://localhost/", { method });
    const response = await handlePost(
      request,
      options,
      async () => await Promise.resolve(jsonResponse(200, {})),
    );
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await bodyOf(response)).toMatchObject({ success: false, code: "method_not_allowed" });
  });

  it("of an expected error has its status, code and message", async () => {
    const error = new FunctionError(429, "too_many_attempts", "Later, please.", {
      retryAfterS: 3600,
    });
    const response = await handlePost(post(), options, async () => await Promise.reject(error));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3600");
    expect(await bodyOf(response)).toEqual({
      success: false,
      error: "Later, please.",
      code: "too_many_attempts",
    });
    expect(console.error).not.toHaveBeenCalled();
  });

  it("of an unexpected error hides its message, which is logged", async () => {
    const failure = new Error("password is hunter2", { cause: { message: "relation is missing" } });
    const response = await handlePost(post(), options, async () => await Promise.reject(failure));
    expect(response.status).toBe(500);
    expect(await bodyOf(response)).toEqual({
      success: false,
      error: "It failed",
      code: "internal_error",
    });
    expect(console.error).toHaveBeenCalledWith(
      "a-function: Error: password is hunter2 (relation is missing)",
    );
  });
});

it("a log line contains messages only", () => {
  const error = Object.assign(new Error("declined"), { raw: { client_secret: "pi_secret" } });
  expect(errorForLog(error)).toBe("Error: declined");
  expect(errorForLog("text")).toBe("text");
  expect(errorForLog(null)).toBe("null");
});

describe("a request body", () => {
  const shape = z.object({ price_id: z.string().min(1) });

  async function errorOf(body: string): Promise<unknown> {
    return await parseBody(post(body), shape).then(
      () => "accepted",
      (error: unknown) => {
        expect(error).toBeInstanceOf(FunctionError);
        const { status, code, message } = error as FunctionError;
        return [status, code, message];
      },
    );
  }

  it("is valid JSON, and unknown fields are dropped", async () => {
    expect(await parseBody(post('{"price_id":"p","role":"admin"}'), shape)).toEqual({
      price_id: "p",
    });
  });

  it.each([
    ["", "The request is not valid JSON."],
    ["{", "The request is not valid JSON."],
    ["null", "The request is missing or not valid."],
    ["[]", "The request is missing or not valid."],
    ["{}", "The field price_id is missing or not valid."],
    ['{"price_id":""}', "The field price_id is missing or not valid."],
    ['{"price_id":{"$gt":""}}', "The field price_id is missing or not valid."],
    ['{"price_id":"a\\u0000b"}', "The request contains a character that can't be stored."],
    ['{"price_id":"a\\ud800b"}', "The request contains a character that can't be stored."],
  ])("%j is refused", async (body, message) => {
    expect(await errorOf(body)).toEqual([400, "invalid_request", message]);
  });

  it("is limited in length", async () => {
    const long = JSON.stringify({ price_id: "p".repeat(10_001) });
    expect(await errorOf(long)).toEqual([413, "request_too_large", "The request is too large."]);
  });
});
