import { createClient } from "@supabase/supabase-js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "./clock.ts";
import { retryLaterMessage } from "./errors.ts";
import { createRetryingFetch } from "./retrying-fetch.ts";

type Answer = () => Response;

const overBudget = (retryAfter = "3"): Response =>
  Response.json(
    { code: "over_request_rate_limit", message: "Too many requests.", details: null, hint: null },
    { status: 429, headers: { "retry-after": retryAfter } },
  );
const rows = (): Response => Response.json([{ id: 1 }]);

/** Sends a request now; the client sends one only when it is waited for. */
async function begun<T>(request: PromiseLike<T>): Promise<T> {
  return await request;
}

let clients = 0;

/** The official client over answers given in turn; the last one is given again and again. */
function clientOver(...answers: Answer[]) {
  const calls: string[] = [];
  const send: typeof fetch = (input, init) => {
    calls.push(`${init?.method ?? "GET"} ${new URL(input as string).pathname}`);
    const answer = answers[Math.min(calls.length, answers.length) - 1];
    return init?.signal?.aborted === true
      ? Promise.reject(new DOMException("aborted", "AbortError"))
      : Promise.resolve((answer ?? rows)());
  };
  clients += 1;
  const client = createClient("http://backend.test", "sb_publishable_test", {
    auth: {
      storageKey: `retrying-${clients}`,
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    },
    db: { retry: false },
    global: { fetch: createRetryingFetch(send, systemClock) },
  });
  return { client, calls };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("a read that comes too fast", () => {
  it("waits as long as the server asks and is answered, without a message", async () => {
    const { client, calls } = clientOver(overBudget, overBudget, rows);
    const reading = begun(client.from("rooms").select("id"));
    await vi.advanceTimersByTimeAsync(2999);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await vi.advanceTimersByTimeAsync(3000);
    expect(await reading).toMatchObject({ error: null, data: [{ id: 1 }] });
    expect(calls).toHaveLength(3);
  });

  it("is a procedure, too", async () => {
    const { client, calls } = clientOver(overBudget, rows);
    const asking = begun(client.rpc("chat_rooms", { limit: 5 }));
    await vi.advanceTimersByTimeAsync(3000);
    expect((await asking).error).toBeNull();
    expect(calls).toEqual(["POST /rest/v1/rpc/chat_rooms", "POST /rest/v1/rpc/chat_rooms"]);
  });

  it("gives up after a while, and says when to try again", async () => {
    const { client, calls } = clientOver(() => overBudget("6"));
    const reading = begun(client.from("rooms").select("id"));
    await vi.advanceTimersByTimeAsync(60_000);
    const { error, status } = await reading;
    expect(status).toBe(429);
    expect(retryLaterMessage(error)).toBe("You’re going a little fast. Try again in 6 seconds.");
    expect(calls).toHaveLength(3);
  });

  it("is not asked again by a page that was left", async () => {
    const { client, calls } = clientOver(overBudget, rows);
    const left = new AbortController();
    const reading = begun(client.from("rooms").select("id").abortSignal(left.signal));
    await vi.advanceTimersByTimeAsync(1000);
    left.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect((await reading).error).not.toBeNull();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls.length).toBeLessThanOrEqual(2);
  });
});

describe("what a member did", () => {
  it("is not repeated unasked, and the error says when to try again", async () => {
    const { client, calls } = clientOver(overBudget);
    const { error } = await client.from("messages").insert({ content: "hello" });
    expect(retryLaterMessage(error)).toBe("You’re going a little fast. Try again in 3 seconds.");
    expect(calls).toHaveLength(1);
  });

  it("is told in every service's own shape", async () => {
    const storage = clientOver(() =>
      Response.json(
        { statusCode: "429", error: "SlowDown", code: "SlowDown", message: "Too many requests." },
        { status: 429, headers: { "retry-after": "1" } },
      ),
    );
    const upload = await storage.client.storage.from("pictures").upload("a", new Blob(["x"]));
    expect(retryLaterMessage(upload.error)).toBe(
      "You’re going a little fast. Try again in 1 second.",
    );

    const functions = clientOver(overBudget);
    const { error } = (await functions.client.functions.invoke("pay")) as {
      error: { context: Response };
    };
    expect(await error.context.json()).toMatchObject({
      error: "You’re going a little fast. Try again in 3 seconds.",
    });

    const auth = clientOver(() =>
      Response.json(
        { code: "over_request_rate_limit", message: "Request rate limit reached" },
        { status: 429, headers: { "retry-after": "240", "x-supabase-api-version": "2024-01-01" } },
      ),
    );
    const signIn = await auth.client.auth.signInWithPassword({ email: "a@b.co", password: "x" });
    expect(retryLaterMessage(signIn.error)).toBe("Too many attempts. Try again in 4 minutes.");
    expect(auth.calls).toHaveLength(1);
  });

  it("hears of a busy server as what it is", async () => {
    const { client } = clientOver(() =>
      Response.json(
        { code: "PGRST003", message: "Timed out acquiring connection from connection pool." },
        { status: 504, headers: { "retry-after": "2" } },
      ),
    );
    const { error } = await client.from("messages").insert({ content: "hello" });
    expect(retryLaterMessage(error)).toBe("The server is busy right now. Try again in 2 seconds.");
  });
});

it.each([
  [429, { code: "too_many_attempts", error: "Twenty attempts within an hour." }, "60"],
  [503, { message: "no" }, "1"],
  [429, { code: "over_request_rate_limit", message: "Slowly." }, undefined],
])("an answer %i %o is passed on as it is", async (status, body, retryAfter) => {
  const headers = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  const send = () => Promise.resolve(Response.json(body, { status, headers }));
  const retryingFetch = createRetryingFetch(send, systemClock);
  const answer = await retryingFetch("http://backend.test/rest/v1/rooms");
  expect([answer.status, await answer.json()]).toEqual([status, body]);
});
