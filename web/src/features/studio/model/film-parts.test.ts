import { expect, it } from "vitest";
import { codeOfStatus, filmFingerprint, mayBeSentAgain } from "./film-parts.ts";

const film = { name: "lesson.mp4", size: 9_000_000, lastModified: 1 };
const captions = { name: "lesson.vtt", size: 100, lastModified: 2 };

it("finds an upload again by its account and both of its files", () => {
  const known = filmFingerprint("ada", [film, captions]);
  expect(filmFingerprint("ada", [{ ...film }, { ...captions }])).toBe(known);
  expect(filmFingerprint("grace", [film, captions])).not.toBe(known);
  expect(filmFingerprint("ada", [{ ...film, lastModified: 3 }, captions])).not.toBe(known);
  expect(filmFingerprint("ada", [film, { ...captions, size: 101 }])).not.toBe(known);
});

it.each([
  ["PATCH", 0, true],
  ["PATCH", 503, true],
  ["PATCH", 409, true],
  ["PATCH", 423, true],
  ["POST", 0, true],
  ["POST", 409, false],
  ["POST", 403, false],
  ["PATCH", 413, false],
  ["PATCH", 415, false],
])("%s with %i is sent again: %s", (method, status, isAgain) => {
  expect(mayBeSentAgain(method, status)).toBe(isAgain);
});

it("names what was refused as the storage's other answers do", () => {
  expect([403, 413, 415, 400, 429, 500].map(codeOfStatus)).toEqual([
    "AccessDenied",
    "EntityTooLarge",
    "InvalidMimeType",
    "InvalidRequest",
    "InvalidRequest",
    "",
  ]);
});
