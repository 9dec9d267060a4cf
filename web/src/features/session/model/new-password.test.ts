import { readFileSync } from "node:fs";
import { assertStrongPassword, AuthError, readAuthSettings } from "basehost/accounts";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { brand } from "@/domain/brand.ts";
import { passwordError } from "./password-error.ts";
import {
  newPasswordFields,
  passwordAcceptedByServer,
  passwordsMatch,
} from "../components/new-password-checks.ts";
import { passwordErrorText } from "../components/password-error-text.ts";

const settings = readAuthSettings(
  {
    folder: "supabase",
    settings: parse(readFileSync("supabase/config.toml", "utf8")),
  },
  {},
);
const siteWords = [settings.email.smtp.sender_name ?? "", window.location.hostname];
const schema = z.object({ email: z.string(), ...newPasswordFields }).check(
  passwordsMatch,
  passwordAcceptedByServer(({ email }) => email),
);

/** What the form says of a password; null when it sends it. */
async function formRefusal(password: string, email: string): Promise<string | null> {
  const result = await schema.safeParseAsync({ email, password, confirmation: password });
  return result.error?.issues[0]?.message ?? null;
}

/** What the member reads when the server, under the product's settings, refuses a password; null when it takes it. */
async function serverRefusal(password: string, email: string): Promise<string | null> {
  try {
    await assertStrongPassword(password, settings, { email: email.toLowerCase(), siteWords });
    return null;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const { weakPassword, message } = error;
    const reasons = weakPassword?.reasons;
    return passwordErrorText(passwordError({ reasons, message }, "passwordUpdateFailed"));
  }
}

const email = "Amara.Whitfield@Example.test";
const guessable =
  "This password is easy to guess because it is common or based on your email address. Please choose another one.";

describe("a form for a new password refuses what the server refuses, in its words", () => {
  it("knows the site by the name that the server counts as guessable", () => {
    expect(settings.email.smtp.sender_name).toBe(brand.name);
  });

  it.each([
    ["a common password", "Password1234!"],
    ["with other letters", "P@ssw0rd1234"],
    ["with capitals", "PASSword1234!"],
    ["with a year", "Football2026!"],
    ["with signs for letters", "$unsh1ne!2026A"],
    ["backwards", "!4321drowssaP"],
    ["twice", "Passw0rd!Passw0rd!"],
    ["keys in a row", "Qwertyuiop12!"],
    ["keys in columns", "1qaz2wsx3EDC!"],
    ["keys back and forth", "Qwertytrewq1!"],
    ["letters in order", "Abcdefghijk1!"],
    ["digits in order", "Aa!1234567890"],
    ["a repetition", "Aa1!Aa1!Aa1!"],
    ["one letter", "Aaaaaaaaaaa1!"],
    ["the address", "amara.whitfield@example.test-7A!"],
    ["the part before the @", "Amara.Whitfield-7!"],
    ["the part before the @ in capitals", "x7!AMARA.WHITFIELDq"],
    ["a name in the address", "Whitfield2026!"],
    ["a name in the address with digits for letters", "Wh1tf13ld2026!"],
    ["the domain", "Example12345!"],
    ["the site", "Fourfold2026!"],
    ["the site with capitals", "fourFOLD!2026"],
    ["the site with digits for letters", "F0urf0ld123!"],
    ["the site's host", "Localhost123!"],
  ])("%s: %s", async (_kind, password) => {
    expect(await serverRefusal(password, email)).toBe(guessable);
    expect(await formRefusal(password, email)).toBe(guessable);
  });

  it.each([
    "Correct-Horse-42!",
    "Tr0ub4dor&3xyz",
    "zD4$kq!vT9pW",
    "Lantern-Quarry-77,over",
    "Lämmer-Ölfass-4!",
  ])("and takes what it takes: %s", async (password) => {
    expect(await serverRefusal(password, email)).toBeNull();
    expect(await formRefusal(password, email)).toBeNull();
  });

  it("says the same of every common word in every disguise", async () => {
    const words = [
      "password",
      "welcome",
      "dragon",
      "liverpool",
      "amara",
      "whitfield",
      "fourfold",
      "qwerty",
      "zxcvbnm",
      "iloveyou",
      "lantern",
    ];
    const disguises: readonly ((word: string) => string)[] = [
      (word) => `${word.toUpperCase()}a12345!`,
      (word) => `${word[0]?.toUpperCase()}${word.slice(1)}!2026abc`,
      (word) => `!1A${word}${word}`,
      (word) =>
        `${word.replaceAll("o", "0").replaceAll("a", "4").replaceAll("e", "3").replaceAll("i", "1")}A!99xxyy`,
      (word) => `Zq7#${word}-vK4!`,
      (word) => `${Array.from(word).toReversed().join("")}A1!${word.length}aaa`,
    ];
    const seen = new Set<string | null>();
    for (const word of words) {
      for (const disguise of disguises) {
        const password = disguise(word);
        const server = await serverRefusal(password, email);
        seen.add(server);
        expect(await formRefusal(password, email), password).toBe(server);
      }
    }
    // The table would show nothing if all were refused, or none.
    expect(seen).toEqual(new Set([null, guessable]));
  });

  it("refuses more than 72 bytes, which the server would not take", async () => {
    const long = "Lantern-Quarry-77, over the ".repeat(3);
    expect(await formRefusal(long.slice(0, 72), email)).toBeNull();
    expect(await serverRefusal(long.slice(0, 72), email)).toBeNull();
    for (const password of [long.slice(0, 73), `Aa1!${"é".repeat(35)}`, `Aa1!${"🦔".repeat(18)}`]) {
      expect(await serverRefusal(password, email)).not.toBeNull();
      expect(await formRefusal(password, email)).toMatch(/^Use at most 72 characters/);
    }
  });

  it("says that it is easy to guess only of what meets every rule", async () => {
    expect(await formRefusal("password", email)).toBe(
      "Please ensure your password meets all requirements",
    );
  });
});
