import { expect, it } from "vitest";
import { tokenBeforeRevoking, tryRevoked, type RevokedTokens } from "./revoked-tokens.ts";

const nothing = (): RevokedTokens => ({ revokedTried: 0, revokedAccepted: 0, unusableTokens: [] });
const answers =
  (...statuses: number[]) =>
  async () =>
    await Promise.resolve(statuses);

it("takes a token that each host accepts before what signed it is revoked", async () => {
  const figures = nothing();
  expect(await tokenBeforeRevoking(figures, "first key", "token", answers(200, 200))).toBe("token");
  expect(figures).toEqual(nothing());
});

it("takes none that is missing or refused already, and says so", async () => {
  const figures = nothing();
  const taken = [
    await tokenBeforeRevoking(figures, "first secret", undefined, answers(401, 401)),
    await tokenBeforeRevoking(figures, "first key", "token", answers(200, 401)),
  ];
  expect(taken).toEqual([undefined, undefined]);
  expect(figures.unusableTokens).toEqual([
    "there was no token of the first secret",
    "a token of the first key was answered with 401 before",
  ]);
});

it("counts the hosts that accept a revoked token", async () => {
  const figures = nothing();
  await tryRevoked(figures, "token", answers(401, 200, 500));
  expect(figures).toEqual({ ...nothing(), revokedTried: 3, revokedAccepted: 2 });
});
