import { expect, it } from "vitest";
import { signInProblems } from "./sign-in-anywhere.ts";

const fine = { byProvider: 12, byPasskey: 6, byKnownPasskey: 3, problems: [] };

it("tells of each sign-in that did not succeed", () => {
  expect(signInProblems(fine)).toEqual([]);
  const problems = ["apple at host 1: bad_oauth_state", "google at host 2: another account"];
  expect(signInProblems({ ...fine, problems })).toEqual(problems);
});

it("shows nothing when nobody signed in", () => {
  const nothing = { byProvider: 0, byPasskey: 0, byKnownPasskey: 0 };
  expect(signInProblems({ ...fine, ...nothing })).toEqual([
    "nobody signed in by a provider",
    "nobody signed in with a passkey",
    "no passkey was used later",
  ]);
});
