import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { isGuessableSecret } from "./signing-secret.ts";

it.each([
  "a".repeat(40),
  "ab".repeat(20),
  "0123456789abcdef0123456789abcdef",
  "correct-horse-correct-horse-correct-ho",
  "abcdefghijklmnopqrstuvwxyz0123456789",
  "zyxwvutsrqponmlkjihgfedcba9876543210",
  "super-secret-jwt-token-with-at-least-32-characters-long",
  "your-super-secret-jwt-token-with-at-least-32-characters-long",
  "Your_Super_Secret_Key_Of_This_Install_42",
  "changeme-changethis-changeit-1234567",
  "this-is-only-an-example-of-a-long-value",
])("%s can be guessed", (secret) => {
  expect(isGuessableSecret(secret)).toBe(true);
});

it("random characters cannot, however they are written", () => {
  const written = ["hex", "base64", "base64url"] as const;
  const secrets = Array.from({ length: 300 }, (_, at) =>
    randomBytes(32).toString(written[at % written.length]),
  );
  expect(secrets.filter(isGuessableSecret)).toEqual([]);
});
