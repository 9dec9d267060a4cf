import { expect, test } from "vitest";
import { isEqualConstantTime } from "./constant-time.ts";

test("secrets are equal only with the same bytes; another length is not an error", () => {
  expect(isEqualConstantTime("secret", Buffer.from("secret"))).toBe(true);
  for (const other of ["Secret", "secre", "secrets", "", "sécret"]) {
    expect(isEqualConstantTime("secret", other)).toBe(false);
  }
});
