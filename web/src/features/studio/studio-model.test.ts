import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import { Autosave, type SaveState } from "./model/autosave.ts";
import { toLines } from "./components/version-lines.ts";
import { differenceOf, shortened } from "./model/difference.ts";
import { moveItem, slugOf, tagsIn } from "./model/draft.ts";

/** The server's part: one newest version, and a conflict for saves made from another. */
function makeDraft() {
  const server = { version: 1, text: "", isDown: false, attempts: 0 };
  const states: SaveState["kind"][] = [];
  const open = () =>
    new Autosave<string>({
      version: server.version,
      idleMs: 5000,
      longestMs: 30_000,
      newestIn: (error) => (error instanceof RangeError ? server.version : null),
      onState: ({ kind }) => states.push(kind),
      save: async (text, version) => {
        await Promise.resolve();
        server.attempts += 1;
        if (server.isDown) throw new Error("down");
        if (version !== server.version) throw new RangeError("newer");
        server.text = text;
        server.version += 1;
        return server.version;
      },
    });
  return { server, states, open };
}

describe("autosave", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("saves once nothing was typed for a while, as one version", async () => {
    const { server, open } = makeDraft();
    const tab = open();
    tab.change("a");
    await vi.advanceTimersByTimeAsync(4000);
    tab.change("ab");
    await vi.advanceTimersByTimeAsync(4000);
    expect(server.text).toBe("");
    await vi.advanceTimersByTimeAsync(1000);
    expect(server).toMatchObject({ text: "ab", version: 2 });
    expect(tab.isDirty).toBe(false);
  });

  it("saves every half a minute of a person who types on, and no more often", async () => {
    const { server, open } = makeDraft();
    const tab = open();
    for (let second = 0; second < 60; second += 1) {
      tab.change(`text of second ${second}`);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(server).toMatchObject({ text: "text of second 59", version: 3 });
  });

  it("saves what was typed while it was saving, after that", async () => {
    const { server, open } = makeDraft();
    const tab = open();
    tab.change("a");
    const first = tab.flush();
    tab.change("ab");
    expect(await first).toBe(true);
    expect(server).toMatchObject({ text: "ab", version: 3 });
  });

  it("overwrites nothing of another tab, until the person keeps their own", async () => {
    const { server, states, open } = makeDraft();
    const [here, there] = [open(), open()];
    there.change("there");
    await there.flush();
    here.change("here");
    expect(await here.flush()).toBe(false);
    expect(states.at(-1)).toBe("conflict");
    here.change("here too");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await here.flush()).toBe(false);
    expect(server).toMatchObject({ text: "there", attempts: 2 });
    expect(await here.keepMine()).toBe(true);
    expect(server).toMatchObject({ text: "here too", version: 3 });
  });

  it("keeps what could not be saved, and saves it again", async () => {
    const { server, states, open } = makeDraft();
    const tab = open();
    server.isDown = true;
    tab.change("a");
    expect(await tab.flush()).toBe(false);
    expect(states.at(-1)).toBe("failed");
    expect(tab.isDirty).toBe(true);
    server.isDown = false;
    expect(await tab.flush()).toBe(true);
    expect(server.text).toBe("a");
  });
});

describe("the difference of two versions", () => {
  it("names the lines that were added and removed, in their places", () => {
    const lines = differenceOf(["a", "b", "c", "d"], ["a", "c", "x", "d"]);
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same a",
      "removed b",
      "same c",
      "added x",
      "same d",
    ]);
  });

  it("names the cover of each", () => {
    const drawn = { title: "", excerpt: "", slug: "", tags: [], modules: [], content: "" };
    const rest = { subcategoryId: null, difficulty: "beginner", price: 0 } as const;
    const name = "a0000000-0000-4000-8000-000000000001-7.jpg";
    const older = toLines({ ...drawn, ...rest, cover: null });
    const newer = toLines({ ...drawn, ...rest, cover: contentPictureAddress(name) });
    expect(differenceOf(older, newer).filter(({ kind }) => kind !== "same")).toEqual([
      { kind: "removed", text: "Cover: drawn" },
      { kind: "added", text: `Cover: ${name}` },
    ]);
  });

  it("leaves out what is far from a change", () => {
    const older = ["1", "2", "3", "4", "5", "6"];
    const lines = shortened(differenceOf(older, [...older, "7"]), 1);
    expect(lines.map((line) => line?.text ?? null)).toEqual([null, "6", "7"]);
  });
});

describe("a draft's fields", () => {
  it("makes an address of a title that the library takes", () => {
    expect(slugOf("  Überlegung: What’s next? ")).toBe("uberlegung-whats-next");
    expect(slugOf(`${"a".repeat(79)} b`)).toBe("a".repeat(79));
  });

  it("reads tags between commas", () => {
    expect(tagsIn(" planning, long weeks ,,")).toEqual(["planning", "long weeks"]);
  });

  it("moves a module to its new place and nowhere else", () => {
    expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moveItem(["a", "b"], 0, 2)).toEqual(["a", "b"]);
  });
});
