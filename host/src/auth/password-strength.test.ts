import { describe, expect, test } from "vitest";
import { AuthError } from "./auth-error.ts";
import { assertStrong, findWeakness } from "./password-strength.ts";

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
  ] as const)("under %j, %j is weak for %j", (password_requirements, password, reasons) => {
    const rules = { minimum_password_length: 6, password_requirements };
    expect(findWeakness(password, rules)?.reasons).toEqual(reasons);
  });

  test("says what is missing in words", () => {
    const rules = { minimum_password_length: 8, password_requirements: "letters_digits" } as const;
    expect(findWeakness("a", rules)?.message).toMatch(
      /^Password should be at least 8 characters\. Password should contain at least one character of each: /,
    );
  });

  test("refuses what bcrypt would cut off", () => {
    const rules = { minimum_password_length: 6, password_requirements: "" } as const;
    expect(() => assertStrong("x".repeat(72), rules)).not.toThrow();
    expect(() => assertStrong("x".repeat(73), rules)).toThrow(AuthError);
    expect(() => assertStrong("é".repeat(37), rules)).toThrow(AuthError);
  });
});
