import { expect, it } from "vitest";
import { keyTurnProblems } from "./key-turn.ts";

const fine = {
  requests: 10_000,
  refused: {},
  failed: 100,
  refreshed: 200,
  lostSessions: 0,
  restarts: 18,
  wrongSigners: [],
  revokedTried: 6,
  revokedAccepted: 0,
  unusableTokens: [],
  rejoins: 60,
  silentSockets: 0,
  backMs: 900,
};

it("lets no member be refused or signed out, and one request of a hundred fail", () => {
  expect(keyTurnProblems(fine)).toEqual([]);
  expect(
    keyTurnProblems({
      ...fine,
      refused: { "401 rest/v1/diaries": 2, "no rows": 1 },
      failed: 101,
      lostSessions: 3,
      silentSockets: 4,
    }),
  ).toEqual([
    "members were refused: 2 × 401 rest/v1/diaries, 1 × no rows",
    "101 of 10000 requests failed",
    "3 sessions were lost",
    "4 sockets did not come back",
  ]);
});

it("lets no host sign by another key, or accept what is revoked", () => {
  const wrongSigners = ["the next key signs: host 1 signs by first key"];
  const unusableTokens = ["there was no token of the first secret"];
  const figures = { ...fine, wrongSigners, unusableTokens, revokedAccepted: 1 };
  expect(keyTurnProblems(figures)).toEqual([
    "1 revoked tokens were accepted",
    ...unusableTokens,
    ...wrongSigners,
  ]);
});

it("shows nothing when nothing happened", () => {
  const nothing = { requests: 0, failed: 0, restarts: 0, refreshed: 0, rejoins: 0 };
  expect(keyTurnProblems({ ...fine, ...nothing, revokedTried: 0 })).toEqual([
    "no request was made",
    "no host was restarted",
    "no token was refreshed",
    "no socket was closed",
    "no revoked token was tried",
  ]);
});
