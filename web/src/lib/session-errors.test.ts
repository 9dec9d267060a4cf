import { describe, expect, it, vi } from "vitest";
import { handleSessionError, onSessionEnded } from "./session-errors.ts";

const bearer = "Bearer present";

function authOf(token: string | null) {
  return {
    getSession: vi.fn(async () =>
      Promise.resolve({ data: { session: token === null ? null : { access_token: token } } }),
    ),
    refreshSession: vi.fn(async () => Promise.resolve()),
    signOut: vi.fn(async () => Promise.resolve({ error: null })),
  };
}

interface World {
  token?: string | null;
  authorization?: string;
}

async function follow(answer: Response, { token = "present", authorization = bearer }: World = {}) {
  const auth = authOf(token);
  const listener = vi.fn();
  const stop = onSessionEnded(listener);
  await handleSessionError(
    auth as unknown as Parameters<typeof handleSessionError>[0],
    authorization,
    answer,
  );
  stop();
  return { auth, listener };
}

const answer = (status: number, code: string) => Response.json({ code }, { status });

describe("an answer that refuses the session", () => {
  it("forgets a session that has ended, and says so", async () => {
    const { auth, listener } = await follow(answer(401, "FF003"));
    expect(auth.signOut).toHaveBeenCalledWith({ scope: "local" });
    expect(listener).toHaveBeenCalledOnce();
  });

  it("reads the session again when the second factor is due", async () => {
    const { auth, listener } = await follow(answer(401, "FF004"));
    expect(auth.refreshSession).toHaveBeenCalledOnce();
    expect(auth.signOut).not.toHaveBeenCalled();
    expect(listener).not.toHaveBeenCalled();
  });

  it("replaces a token that is refused, once", async () => {
    const world = { token: "of a revoked key", authorization: "Bearer of a revoked key" };
    const { auth, listener } = await follow(answer(401, "PGRST301"), world);
    expect(auth.refreshSession).toHaveBeenCalledOnce();
    expect(auth.signOut).not.toHaveBeenCalled();
    expect(listener).not.toHaveBeenCalled();
    const again = await follow(answer(401, "PGRST301"), world);
    expect(again.auth.refreshSession).not.toHaveBeenCalled();
  });

  it.each([
    [
      "a refused token of an earlier session",
      answer(401, "PGRST301"),
      { authorization: "Bearer x" },
    ],
    ["another code", answer(401, "42501"), {}],
    ["another status", answer(400, "FF003"), {}],
    ["no JSON", new Response("no", { status: 401 }), {}],
    ["an earlier session's", answer(401, "FF003"), { authorization: "Bearer earlier" }],
    ["no session any more", answer(401, "FF003"), { token: null }],
  ])("does nothing for %s", async (_, response, world) => {
    const { auth, listener } = await follow(response, world);
    expect(auth.signOut).not.toHaveBeenCalled();
    expect(auth.refreshSession).not.toHaveBeenCalled();
    expect(listener).not.toHaveBeenCalled();
  });
});
