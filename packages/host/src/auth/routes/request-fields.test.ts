import { describe, expect, it } from "vitest";
import { AuthError } from "../auth-error.ts";
import { parseEmail } from "./request-fields.ts";

/** The code and message with which an address is refused. */
function refusalOf(email: string): { code: string; message: string } {
  try {
    return { code: "none", message: parseEmail(email) };
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return { code: error.code, message: error.message };
  }
}

describe("an e-mail address", () => {
  it.each([
    ["Ada@Example.ORG", "ada@example.org"],
    ["o'brien+news@example.org", "o'brien+news@example.org"],
    // The domain of an address travels in ASCII, so every mail server takes it.
    ["ada@müller.example", "ada@xn--mller-kva.example"],
    ["ada@MÜLLER.example", "ada@xn--mller-kva.example"],
    ["ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"],
    ["ada@straße.example", "ada@xn--strae-oqa.example"],
  ])("%s is kept as %s", (email, kept) => {
    expect(parseEmail(email)).toBe(kept);
  });

  it.each([
    "jürgen@example.org",
    "özlem@müller.example",
    "почта@example.org",
    "用户@例え.テスト",
    "a\u0301da@example.org",
    "ada\u200b@example.org",
  ])("that needs SMTPUTF8 is refused with the reason: %s", (email) => {
    expect(refusalOf(email)).toEqual({
      code: "email_address_invalid",
      message:
        "Email addresses with letters other than a to z before the @ can't be used here, because many mail servers don't deliver to them.",
    });
  });

  it.each([
    "ada",
    "@example.org",
    "ü",
    "ada@",
    "ada@ü@example.org",
    "ada@exa mple.org",
    "ada@müller example",
    "ada@ü/x.example",
    "ada@-ü-.example:80",
    `ada@${"ü".repeat(64)}.example`,
  ])("that is none is refused as before: %s", (email) => {
    expect(refusalOf(email).code).toBe("validation_failed");
  });
});
