import { createHmac } from "node:crypto";
import { TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { newTotpSecret, openSecret, sealSecret, stepOfCode } from "./totp.ts";

const keysOf = (secret: string) => ({
  derive: (purpose: string, text: string) =>
    createHmac("sha256", secret).update(`${purpose}:${text}`).digest("base64url"),
});

describe("a stored secret", () => {
  it("is read back with the same install secret and in the same row only", () => {
    const [keys, secret] = [keysOf("one"), newTotpSecret()];
    const sealed = sealSecret(keys, "factor-1", secret);
    expect(sealed).not.toContain(secret);
    expect(openSecret(keys, "factor-1", sealed)).toBe(secret);
    expect(() => openSecret(keys, "factor-2", sealed)).toThrow();
    expect(() => openSecret(keysOf("two"), "factor-1", sealed)).toThrow();
  });

  it("is refused when it was changed", () => {
    const sealed = sealSecret(keysOf("one"), "f", newTotpSecret());
    const changed = `${sealed.slice(0, 8)}${sealed[8] === "A" ? "B" : "A"}${sealed.slice(9)}`;
    expect(() => openSecret(keysOf("one"), "f", changed)).toThrow();
    expect(() => openSecret(keysOf("one"), "f", "plain")).toThrow(/unknown format/);
  });
});

describe("a code", () => {
  const secret = newTotpSecret();
  const nowMs = 1_800_000_015_000;
  const codeAt = (steps: number) =>
    new TOTP({ secret }).generate({ timestamp: nowMs + steps * 30_000 });

  it.each([-1, 0, 1])("%i steps away names its step", (steps) => {
    expect(stepOfCode(secret, ` ${codeAt(steps)} `, nowMs)).toBe(60_000_000 + steps);
  });

  it.each([-2, 2])("%i steps away is wrong", (steps) => {
    expect(stepOfCode(secret, codeAt(steps), nowMs)).toBeUndefined();
  });

  it.each(["", "abcdef", "12345", "1234567"])("%j is wrong", (code) => {
    expect(stepOfCode(secret, code, nowMs)).toBeUndefined();
  });
});
