import { describe, expect, test } from "vitest";
import { AuthError } from "../auth-error.ts";
import { assertStrongPassword, findWeakness } from "./password-strength.ts";

describe("password strength", () => {
  test.each([
    ["", "aaaaaa", undefined],
    ["", "aaaaa", ["length"]],
    ["letters_digits", "aaaaaa", ["characters"]],
    ["letters_digits", "aaaaa1", undefined],
    ["letters_digits", "AAAAA1", undefined],
    ["lower_upper_letters_digits", "aaaaa1", ["characters"]],
    ["lower_upper_letters_digits", "Aaaaa1", undefined],
    ["lower_upper_letters_digits_symbols", "Aaaaa1", ["characters"]],
    ["lower_upper_letters_digits_symbols", "Aaaa1~", undefined],
    ["lower_upper_letters_digits_symbols", "a", ["length", "characters"]],
    ["lower_upper_letters_digits_symbols", "Aaaaa1-_", undefined],
  ] as const)("under %j, %j is weak for %j", (password_requirements, password, reasons) => {
    const rules = { minimum_password_length: 6, password_requirements };
    expect(findWeakness(password, rules)?.reasons).toEqual(reasons);
  });

  test("describes what is missing", () => {
    const rules = { minimum_password_length: 8, password_requirements: "letters_digits" } as const;
    expect(findWeakness("a", rules)?.message).toMatch(
      /^Password should be at least 8 characters\. Password should contain at least one character of each: /,
    );
  });

  test("counts only the symbols the project names, where it names them", () => {
    const rules = {
      minimum_password_length: 6,
      password_requirements: "lower_upper_letters_digits_symbols",
      password_symbols: `!@#$%^&*(),.?":{}|<>`,
    } as const;
    for (const symbol of rules.password_symbols) {
      expect(findWeakness(`Aaaaa1${symbol}`, rules)).toBeUndefined();
    }
    for (const symbol of `-_=+[];'~/\\\` `) {
      expect(findWeakness(`Aaaaa1${symbol}`, rules)?.reasons).toEqual(["characters"]);
    }
  });

  const plain = { minimum_password_length: 6, password_requirements: "" } as const;
  const owner = { email: "amara.whitfield@example.test", siteWords: ["Fourfold"] };
  /** The reasons a new password is rejected for; empty when it is accepted. */
  async function reasonsFor(password: string): Promise<readonly string[]> {
    try {
      await assertStrongPassword(password, plain, owner);
      return [];
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return error.weakPassword?.reasons ?? [error.code];
    }
  }

  test("rejects passwords longer than bcrypt's 72 bytes", async () => {
    const long = "Lantern-Quarry-77 over the ".repeat(3);
    expect(await reasonsFor(long.slice(0, 72))).toEqual([]);
    expect(await reasonsFor(long.slice(0, 73))).toEqual(["validation_failed"]);
    expect(await reasonsFor("é".repeat(37))).toEqual(["validation_failed"]);
  });

  test.each([
    "Password1234!",
    "P@ssw0rd1234",
    "Qwertyuiop12!",
    "Welcome12345!",
    "Football2024!",
    "Letmein12345!",
    "Admin123456!",
    "1qaz2wsx3EDC!",
    "Aa1!Aa1!Aa1!",
    "Abcdefghijk1!",
    "Passw0rd!".repeat(8),
    "Amara.Whitfield-7!",
    "amara.whitfield@example.test-7A!",
    "Whitfield2026!",
    "Fourfold123!",
  ])("rejects %j, which is easy to guess", async (password) => {
    expect(await reasonsFor(password)).toEqual(["pwned"]);
  });

  test.each(["Correct-Horse-42!", "LongEnough123!", "Tr0ub4dor&3xyz", "zD4$kq!vT9pW"])(
    "accepts %j",
    async (password) => {
      expect(await reasonsFor(password)).toEqual([]);
    },
  );

  test("checks the longest accepted password in bounded time", async () => {
    await reasonsFor("Lantern-Quarry-77");
    const startedAt = performance.now();
    for (let count = 0; count < 10; count += 1) await reasonsFor(`@4aA5$1!${count}`.repeat(8));
    // About 10 ms each; the limit allows a hundred times that on a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
