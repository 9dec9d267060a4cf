import { describe, expect, it } from "vitest";
import { createBrowserStorage, findStorageProblem } from "./browser-storage.ts";

/** A browser's storage of so many characters, which several tabs open. */
function storageOf(limit: number) {
  const kept = new Map<string, string>();
  const used = () => [...kept].reduce((sum, [key, text]) => sum + key.length + text.length, 0);
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      const before = kept.get(key);
      kept.set(key, text);
      if (used() <= limit) return;
      if (before === undefined) kept.delete(key);
      else kept.set(key, before);
      throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

const denied = (): Storage => {
  throw new DOMException("The operation is insecure.", "SecurityError");
};

describe("a storage that is full", () => {
  it("keeps in this tab what it does not take, and reads what it has", () => {
    const full = storageOf(20);
    full.setItem("old", "is still here");
    const storage = createBrowserStorage(() => full as unknown as Storage);
    storage.setItem("session", "a long session");
    expect(storage.getItem("session")).toBe("a long session");
    expect(storage.getItem("old")).toBe("is still here");
    expect(full.kept.has("session")).toBe(false);
    storage.removeItem("session");
    expect(storage.getItem("session")).toBeNull();
  });

  it("never leaves a replaced session to other tabs", () => {
    const full = storageOf(20);
    const [one, other] = [1, 2].map(() => createBrowserStorage(() => full as unknown as Storage));
    one?.setItem("session", "first token");
    expect(other?.getItem("session")).toBe("first token");
    one?.setItem("session", "a second, much longer one");
    expect(other?.getItem("session")).toBeNull();
    expect(one?.getItem("session")).toBe("a second, much longer one");
  });

  it("gives way to what another tab could store, and to room that came", () => {
    const small = storageOf(20);
    let tell: (key: string | null) => void = () => {};
    const storage = createBrowserStorage(
      () => small as unknown as Storage,
      (heard) => (tell = heard),
    );
    storage.setItem("session", "too long for this storage");
    small.setItem("session", "another tab's");
    tell("session");
    expect(storage.getItem("session")).toBe("another tab's");
    storage.setItem("session", "short");
    expect(small.kept.get("session")).toBe("short");
  });

  it("is told from one that is blocked, and from one that keeps what it is given", () => {
    expect(findStorageProblem(() => storageOf(100) as unknown as Storage)).toBe("full");
    expect(findStorageProblem(denied)).toBe("blocked");
    expect(findStorageProblem(() => storageOf(10_000) as unknown as Storage)).toBeNull();
  });
});

it("a storage that is blocked keeps everything in this tab", () => {
  const storage = createBrowserStorage(denied);
  expect([storage.getItem("session"), storage.keys()]).toEqual([null, []]);
  storage.setItem("session", "token");
  expect([storage.getItem("session"), storage.keys()]).toEqual(["token", ["session"]]);
  storage.removeItem("session");
  expect([storage.getItem("session"), storage.keys()]).toEqual([null, []]);
});
