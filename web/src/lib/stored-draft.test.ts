import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { storedDraft } from "./stored-draft.ts";

const notes = storedDraft("note", z.object({ text: z.string() }));

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

it("belongs to one member and one place", () => {
  notes.keep({ text: "one" }, "ada", "s1");
  notes.keep({ text: "two" }, "ada");
  expect(notes.read("ada", "s1")).toEqual({ text: "one" });
  expect(notes.read("ada")).toEqual({ text: "two" });
  expect([notes.read("ada", "s2"), notes.read("tom", "s1"), notes.read("tom")]).toEqual([
    null,
    null,
    null,
  ]);
});

it("is forgotten with null, and leaves nothing behind", () => {
  notes.keep({ text: "one" }, "ada", "s1");
  notes.keep(null, "ada", "s1");
  expect(notes.read("ada", "s1")).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

it.each(["{", "[]", "7", '{"text":1}'])("is none when the storage holds %s", (odd) => {
  sessionStorage.setItem("note-ada", odd);
  expect(notes.read("ada")).toBeNull();
});

it("stands in nobody's way when the storage is blocked", () => {
  const blocked = () => {
    throw new DOMException("The operation is insecure.", "SecurityError");
  };
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(blocked);
  vi.spyOn(Storage.prototype, "removeItem").mockImplementation(blocked);
  const said = vi.spyOn(console, "error").mockReturnValue();
  expect(notes.read("ada")).toBeNull();
  notes.keep(null, "ada");
  expect(said).toHaveBeenCalledOnce();
});
