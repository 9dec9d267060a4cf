import { describe, expect, test } from "vitest";
import { AuthError } from "../auth-error.ts";
import { isUsableHash, PasswordHasher } from "./passwords.ts";

describe("passwords", () => {
  test("are checked against argon2id hashes of the current cost", async () => {
    const passwords = new PasswordHasher();
    const hash = await passwords.hash("secret");
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwords.check("secret", hash)).toEqual({ valid: true, needsRehash: false });
    expect(await passwords.check("Secret", hash)).toEqual({ valid: false, needsRehash: false });
  });

  test("never match without a usable hash", async () => {
    const passwords = new PasswordHasher();
    for (const stored of [null, undefined, "", "plain", "$argon2id$", "$2b$31$x"]) {
      expect((await passwords.check("", stored)).valid).toBe(false);
    }
  });

  test("wait in a bounded queue", async () => {
    const passwords = new PasswordHasher();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 300 }, async () => await passwords.check("x", "not a hash")),
    );
    const rejected = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(rejected.length).toBeGreaterThan(20);
    expect(rejected.length).toBeLessThan(60);
    for (const { reason } of rejected) {
      expect(reason).toBeInstanceOf(AuthError);
      expect(reason).toMatchObject({ status: 429, retryAfter: 1 });
    }
    expect((await passwords.check("x", null)).valid).toBe(false);
  });

  test.each([
    [`$2a$10$${"a".repeat(53)}`, true],
    [`$2b$04$${"a".repeat(53)}`, true],
    [`$2b$20$${"a".repeat(53)}`, false],
    ["$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g", true],
    ["$argon2id$v=19$m=4194304,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2g", false],
    ["$fbscrypt$v=1", false],
    ["", false],
  ])("with hash %s can be imported: %j", (hash, usable) => {
    expect(isUsableHash(hash)).toBe(usable);
  });
});
