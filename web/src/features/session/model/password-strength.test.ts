import { describe, expect, it } from "vitest";
import { passwordRules, rateStrength } from "./password-strength.ts";

describe("password strength", () => {
  it.each([
    ["", 0, "Weak", "red"],
    ["abc", 1, "Weak", "red"],
    ["Abc", 2, "Weak", "red"],
    ["Abc1", 3, "Fair", "yellow"],
    ["Abc1!", 4, "Good", "orange"],
    ["Abcdefghijk1", 4, "Good", "orange"],
    ["Abcdefghij1!", 5, "Strong", "green"],
  ] as const)("%j meets %i: %s, %s", (password, met, name, colour) => {
    expect(rateStrength(password)).toEqual({
      filled: met,
      name,
      colour,
      acceptable: met === 5,
    });
  });

  it("calls weak what would be refused although it meets every rule", () => {
    expect(rateStrength("Password1234!", true)).toEqual({
      filled: 1,
      name: "Weak",
      colour: "red",
      acceptable: false,
    });
  });

  it.each(Array.from('!@#$%^&*(),.?":{}|<>'))("counts %s as special", (character) => {
    expect(passwordRules.find(({ id }) => id === "special")?.met(character)).toBe(true);
  });

  it.each(["-", "_", "£", " ", ";", "'", "/", "~", "é"])("does not count %s", (character) => {
    expect(passwordRules.find(({ id }) => id === "special")?.met(character)).toBe(false);
  });

  it("wants twelve characters, not eleven", () => {
    const long = passwordRules.find(({ id }) => id === "length");
    expect([long?.met("a".repeat(11)), long?.met("a".repeat(12))]).toEqual([false, true]);
  });
});
