import { describe, expect, it, vi } from "vitest";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import type { ProfileAnswer } from "../api/fetch-profile.ts";
import { createSessionStore, type SessionUser } from "./session-store.ts";

const ada: SessionUser = { id: "ada", email: "ada@example.com" };
const bob: SessionUser = { id: "bob", email: "bob@example.com" };

function profileOf(id: string) {
  return {
    id,
    role: "student",
    onboardingComplete: true,
    firstName: id,
    lastName: null,
    occupation: null,
    avatarUrl: null,
    bio: null,
  } as const;
}

function world(first: SessionUser | null = null) {
  const clock = createManualClock();
  let tell: (user: SessionUser | null) => void = () => {};
  const select = vi.fn((id: string): Promise<ProfileAnswer> =>
    Promise.resolve({ kind: "found", profile: profileOf(id) }),
  );
  const signOut = vi.fn((_scope: string): Promise<unknown> => Promise.resolve(null));
  const broadcastSignOut = vi.fn();
  const onUserLeft = vi.fn();
  const store = createSessionStore(
    {
      currentUser: () => Promise.resolve(first),
      onChange: (listener) => {
        tell = listener;
        return () => {
          tell = () => {};
        };
      },
      signOut,
      broadcastSignOut,
    },
    { select, create: () => Promise.resolve(null) },
    clock,
    onUserLeft,
  );
  return {
    broadcastSignOut,
    clock,
    onUserLeft,
    select,
    signOut,
    store,
    change: (user: SessionUser | null) => tell(user),
  };
}

describe("an administrator without a second factor", () => {
  const refused = (code: string): ProfileAnswer => ({
    kind: "failed",
    error: { code, message: "Set up first", status: 401 },
  });

  it("asks again after another way of signing in, but not while one is set up", async () => {
    const { change, clock, select, store } = world(ada);
    select.mockResolvedValueOnce(refused("FF009"));
    store.start();
    await clock.advance(0);
    expect(store.getState()).toMatchObject({ firstFactor: "open-link", profile: null });
    select.mockResolvedValueOnce(refused("FF008"));
    change({ ...ada, isRecovering: true });
    await clock.advance(0);
    expect(store.getState().firstFactor).toBe("set-up");
    // The code was entered; its recovery codes are still shown.
    change({ ...ada, isRecovering: false });
    await clock.advance(0);
    expect(store.getState().firstFactor).toBe("set-up");
    expect(select).toHaveBeenCalledTimes(2);
    await store.refreshProfile();
    expect(store.getState()).toMatchObject({ firstFactor: null, profile: { id: ada.id } });
  });
});

describe("session state", () => {
  it("starts loading and ends empty when there is no session", async () => {
    const { clock, store } = world();
    expect(store.getState()).toMatchObject({ loading: true, user: null, profile: null });
    store.start();
    await clock.advance(0);
    expect(store.getState()).toMatchObject({ loading: false, user: null, profile: null });
  });

  it("ends with user and profile when there is one", async () => {
    const { clock, store } = world(ada);
    store.start();
    await clock.advance(0);
    expect(store.getState()).toMatchObject({
      loading: false,
      user: ada,
      profile: profileOf("ada"),
      profileSettled: true,
    });
  });

  it("stays loading until the profile of a new user is there", async () => {
    const { clock, store, select, change } = world();
    store.start();
    await clock.advance(0);
    select.mockResolvedValueOnce({ kind: "missing" });
    change(ada);
    await clock.advance(499);
    expect(store.getState()).toMatchObject({ loading: true, user: ada, profile: null });
    await clock.advance(1);
    expect(store.getState()).toMatchObject({ loading: false, profile: profileOf("ada") });
  });

  it("reuses the profile of the same id and fetches that of another", async () => {
    const { clock, store, select, change } = world(ada);
    store.start();
    await clock.advance(0);
    change({ ...ada, email: "ada@new.example" });
    await clock.advance(0);
    expect(select).toHaveBeenCalledTimes(1);
    expect(store.getState().user?.email).toBe("ada@new.example");
    change(bob);
    await clock.advance(0);
    expect(select.mock.calls).toEqual([["ada"], ["bob"]]);
    expect(store.getState().profile?.id).toBe("bob");
  });

  it("shares one request among concurrent fetches", async () => {
    const { clock, store, select } = world(ada);
    store.start();
    await clock.advance(0);
    const both = Promise.all([store.refreshProfile(), store.refreshProfile()]);
    await clock.advance(0);
    expect((await both).map((profile) => profile?.id)).toEqual(["ada", "ada"]);
    expect(select).toHaveBeenCalledTimes(2);
  });

  it("clears user, profile and cached id when the session is lost", async () => {
    const { clock, store, select, change } = world(ada);
    store.start();
    await clock.advance(0);
    change(null);
    expect(store.getState()).toMatchObject({ user: null, profile: null, loading: false });
    change(ada);
    await clock.advance(0);
    expect(select).toHaveBeenCalledTimes(2);
  });

  it("drops the profile of a user who signed out meanwhile", async () => {
    const { clock, store, select, change } = world();
    store.start();
    await clock.advance(0);
    select.mockResolvedValueOnce({ kind: "missing" });
    change(ada);
    await clock.advance(0);
    change(null);
    await clock.advance(1000);
    expect(store.getState()).toMatchObject({ user: null, profile: null, loading: false });
  });

  it("tells a profile that could not be read from one that is not there", async () => {
    const { clock, store, select } = world(ada);
    select.mockResolvedValueOnce({
      kind: "failed",
      error: { code: "XX000", message: "boom", status: 500 },
    });
    store.start();
    await clock.advance(0);
    expect(store.getState()).toMatchObject({ profile: null, profileFailed: true, loading: false });
    void store.refreshProfile();
    await clock.advance(0);
    expect(store.getState()).toMatchObject({ profileFailed: false, profile: profileOf("ada") });
  });

  it("keeps the profile it knows when a refresh fails", async () => {
    const { clock, store, select } = world(ada);
    store.start();
    await clock.advance(0);
    select.mockResolvedValueOnce({
      kind: "failed",
      error: { code: "XX000", message: "boom", status: 500 },
    });
    void store.refreshProfile();
    await clock.advance(0);
    expect(store.getState()).toMatchObject({ profile: profileOf("ada"), profileFailed: false });
  });

  it("says nothing after it was stopped", async () => {
    const { clock, store, change } = world();
    const stop = store.start();
    await clock.advance(0);
    stop();
    change(ada);
    await clock.advance(0);
    expect(store.getState().user).toBeNull();
  });
});

describe("signing out", () => {
  it("loads while the call runs and ends empty", async () => {
    const { clock, store, signOut } = world(ada);
    store.start();
    await clock.advance(0);
    const leaving = store.signOut("global");
    expect(store.getState()).toMatchObject({ loading: true, user: ada });
    expect(await leaving).toBeNull();
    expect(signOut).toHaveBeenCalledWith("global");
    expect(store.getState()).toMatchObject({ loading: false, user: null });
  });

  it("stops loading and keeps the session on an error", async () => {
    const { clock, store, signOut } = world(ada);
    store.start();
    await clock.advance(0);
    signOut.mockResolvedValueOnce({ code: "unexpected_failure", message: "down", status: 500 });
    expect(await store.signOut()).toMatchObject({ code: "unexpected_failure" });
    expect(store.getState()).toMatchObject({ loading: false, user: ada });
    signOut.mockRejectedValueOnce(new Error("network"));
    expect(await store.signOut()).toMatchObject({ message: "network" });
    expect(store.getState()).toMatchObject({ loading: false, user: ada });
  });
});

describe("what other tabs are told", () => {
  const pending = { ...ada, secondFactorRequired: true };
  it.each<[string, SessionUser, unknown, number]>([
    ["a sign-out", ada, null, 1],
    ["no sign-out that failed", ada, { code: "unexpected_failure" }, 0],
    ["no sign-out before the second factor", pending, null, 0],
  ])("is %s", async (_, user, error, times) => {
    const { broadcastSignOut, clock, store, signOut } = world(user);
    store.start();
    await clock.advance(0);
    signOut.mockResolvedValueOnce(error);
    await store.signOut();
    expect(broadcastSignOut).toHaveBeenCalledTimes(times);
  });

  it("is nothing when the session ends by itself or a check keeps the member", async () => {
    const { broadcastSignOut, change, clock, store } = world(ada);
    store.start();
    await clock.advance(0);
    store.beforeSignOut(() => Promise.resolve(false));
    await store.signOut();
    change(null);
    expect(broadcastSignOut).not.toHaveBeenCalled();
  });
});

describe("a user who leaves", () => {
  it.each([
    ["signs out", null],
    ["is replaced by another account", bob],
  ])("is announced once, before any listener, when the user %s", async (_how, next) => {
    const { change, clock, onUserLeft, store } = world(ada);
    store.start();
    await clock.advance(0);
    const calls: string[] = [];
    onUserLeft.mockImplementation(() => calls.push("left"));
    store.subscribe(() => calls.push("listener"));
    change(next);
    await clock.advance(0);
    expect(calls[0]).toBe("left");
    expect(onUserLeft).toHaveBeenCalledTimes(1);
  });

  it("is not announced on sign-in or when a token is renewed", async () => {
    const { change, clock, onUserLeft, store } = world();
    store.start();
    await clock.advance(0);
    change(ada);
    change({ ...ada, email: "new@example.com" });
    await clock.advance(0);
    expect(onUserLeft).not.toHaveBeenCalled();
  });
});
