import type { AuthChangeEvent, Session } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BackendClient } from "@/lib/backend-client.ts";
import { authSourceOf } from "./api/auth-source.ts";

type Notify = (event: AuthChangeEvent, session: Session | null) => void;

const token = (id: string) => `${btoa("{}")}.${btoa(JSON.stringify({ sub: id, amr: [] }))}.x`;
const sessionOf = (id: string) =>
  ({
    access_token: token(id),
    user: {
      id,
      email: `${id}@example.test`,
      created_at: "2026-11-01T00:00:00Z",
      app_metadata: {},
      user_metadata: {},
    },
  }) as unknown as Session;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
});

/** The client of a tab that hears of the session of another one before it can read it. */
function open() {
  let readable: Session | null = null;
  let notify: Notify = () => {};
  const client = {
    auth: {
      onAuthStateChange: (callback: Notify) => {
        notify = callback;
        return { data: { subscription: { unsubscribe: () => {} } } };
      },
      getSession: async () => await Promise.resolve({ data: { session: readable } }),
    },
  } as unknown as BackendClient;
  const heard: (string | null)[] = [];
  authSourceOf(client).onChange((user) => void heard.push(user?.id ?? null));
  return {
    heard,
    hear: (event: AuthChangeEvent, session: Session | null) => notify(event, session),
    arrive: (session: Session) => void (readable = session),
    pass: async (milliseconds: number) => await vi.advanceTimersByTimeAsync(milliseconds),
  };
}

it("hears of another tab's sign-in once its session can be read", async () => {
  const { heard, hear, arrive, pass } = open();
  hear("SIGNED_IN", sessionOf("ada"));
  await pass(500);
  expect(heard).toEqual([]);
  arrive(sessionOf("ada"));
  await pass(100);
  expect(heard).toEqual(["ada"]);
});

it("hears of its own sign-in at once", () => {
  const { heard, hear } = open();
  localStorage.setItem("session", JSON.stringify(sessionOf("ada")));
  hear("SIGNED_IN", sessionOf("ada"));
  expect(heard).toEqual(["ada"]);
});

it("forgets a sign-in that ended before it could be read", async () => {
  const { heard, hear, arrive, pass } = open();
  hear("SIGNED_IN", sessionOf("ada"));
  hear("SIGNED_OUT", null);
  arrive(sessionOf("ada"));
  await pass(10_000);
  expect(heard).toEqual([null]);
});

it("goes on without the session when it never arrives", async () => {
  const { heard, hear, pass } = open();
  hear("SIGNED_IN", sessionOf("ada"));
  await pass(6000);
  expect(heard).toEqual(["ada"]);
});
