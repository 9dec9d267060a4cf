import { TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { derivedKeys } from "../../data-keys.ts";
import { newTotpSecret, decryptSecret, encryptSecret, matchTimeStep } from "./totp.ts";

const keysOf = (current: string, previous?: string) => derivedKeys({ current, previous });

describe("a stored secret", () => {
  it("is decrypted only with the same install secret and in the same row", () => {
    const [keys, secret] = [keysOf("one"), newTotpSecret()];
    const encrypted = encryptSecret(keys, "factor-1", secret);
    expect(encrypted).not.toContain(secret);
    expect(decryptSecret(keys, "factor-1", encrypted)).toBe(secret);
    expect(() => decryptSecret(keys, "factor-2", encrypted)).toThrow();
    expect(() => decryptSecret(keysOf("two"), "factor-1", encrypted)).toThrow();
  });

  it("is read with the previous data key for as long as that is known", () => {
    const encrypted = encryptSecret(keysOf("one"), "f", "SECRET");
    expect(decryptSecret(keysOf("two", "one"), "f", encrypted)).toBe("SECRET");
    const renewed = encryptSecret(keysOf("two", "one"), "f", "SECRET");
    expect(decryptSecret(keysOf("two"), "f", renewed)).toBe("SECRET");
    expect(() => decryptSecret(keysOf("three", "one"), "f", renewed)).toThrow();
  });

  it("is rejected when it was modified", () => {
    const encrypted = encryptSecret(keysOf("one"), "f", newTotpSecret());
    const changed = `${encrypted.slice(0, 8)}${encrypted[8] === "A" ? "B" : "A"}${encrypted.slice(9)}`;
    expect(() => decryptSecret(keysOf("one"), "f", changed)).toThrow();
    expect(() => decryptSecret(keysOf("one"), "f", "plain")).toThrow(/unknown format/);
  });
});

describe("a code", () => {
  const secret = newTotpSecret();
  const nowMs = 1_800_000_015_000;
  const codeAt = (steps: number) =>
    new TOTP({ secret }).generate({ timestamp: nowMs + steps * 30_000 });

  it.each([-1, 0, 1])("%i steps away is matched to its step", (steps) => {
    expect(matchTimeStep(secret, ` ${codeAt(steps)} `, nowMs)).toBe(60_000_000 + steps);
  });

  it.each([-2, 2])("%i steps away is wrong", (steps) => {
    expect(matchTimeStep(secret, codeAt(steps), nowMs)).toBeUndefined();
  });

  it.each(["", "abcdef", "12345", "1234567"])("%j is wrong", (code) => {
    expect(matchTimeStep(secret, code, nowMs)).toBeUndefined();
  });
});
