import { describe, expect, it } from "vitest";
import { anonymous, newEmail, signUp } from "../support/clients.ts";

const symbols = `!@#$%^&*(),.?":{}|<>`;

/** The reasons why a password is refused at sign-up; empty when it is accepted. */
async function reasonsFor(password: string, email = newEmail()): Promise<readonly string[]> {
  const { error } = await anonymous().auth.signUp({ email, password });
  if (error === null) return [];
  return (error as { reasons?: string[] }).reasons ?? [error.code ?? ""];
}

describe("a password sent directly to the API", () => {
  it("needs any one of the special characters", async () => {
    for (const symbol of symbols) expect(await reasonsFor(`LanternQuarry7${symbol}`)).toEqual([]);
  });

  it.each(["-", "_", "=", "+", "[", "]", ";", "'", "~", "/", "`", "\\", " ", "é"])(
    "does not count %j as one",
    async (symbol) => {
      expect(await reasonsFor(`LanternQuarry7${symbol}`)).toEqual(["characters"]);
    },
  );

  it.each([
    ["Lantern-Q7!", ["length"]],
    ["lanternquarry7!", ["characters"]],
    ["LANTERNQUARRY7!", ["characters"]],
    ["LanternQuarry!!", ["characters"]],
    ["Password1234!", ["pwned"]],
    ["Fourfold2026!", ["pwned"]],
  ])("is refused: %s", async (password, reasons) => {
    expect(await reasonsFor(password)).toEqual(reasons);
  });

  it("must not contain the account's e-mail address", async () => {
    const email = newEmail();
    expect(await reasonsFor(`${email.slice(0, 36)}!A`, email)).toEqual(["pwned"]);
  });

  it("does not replace the old one without it", async () => {
    const { client } = await signUp();
    const { error } = await client.auth.updateUser({ password: "Harbour-Violet-19?" });
    expect(error?.code).toBe("current_password_required");
  });
});
