import { describe, expect, test } from "vitest";
import { testPassword } from "../../support/clients.ts";
import { codesOf } from "../../support/second-factor.ts";
import { call } from "./requests.ts";
import { cookiesOf, newClientAddress } from "./client-addresses.ts";
import { startHostWith } from "./start-host-with.ts";

describe("wrong second-factor codes after the correct password", () => {
  test("lock out unknown devices, not a device that entered a correct code before", async () => {
    const config = "[auth.mfa.totp]\nenroll_enabled = true\nverify_enabled = true";
    const { running, stop } = await startHostWith(config, { env: { TRUSTED_PROXY: "127.0.0.1" } });
    try {
      const email = "ada@example.test";
      const signIn = async (client: Record<string, string>) => {
        const body = { email, password: testPassword };
        const answer = await call(running, "/token?grant_type=password", { body, headers: client });
        return { ...client, authorization: `Bearer ${String(answer.body["access_token"])}` };
      };
      const enter = async (headers: Record<string, string>, factor: string, code: string) => {
        const opened = await call(running, `/factors/${factor}/challenge`, { body: {}, headers });
        const body = { challenge_id: opened.body["id"], code };
        return await call(running, `/factors/${factor}/verify`, { body, headers });
      };
      const home = newClientAddress();
      await call(running, "/signup", { body: { email, password: testPassword }, headers: home });
      const first = await signIn(home);
      const made = await call(running, "/factors", {
        body: { factor_type: "totp" },
        headers: first,
      });
      const factor = String(made.body["id"]);
      const nextCode = codesOf((made.body["totp"] as { secret: string }).secret);
      const enrolled = await enter(first, factor, nextCode());
      expect(enrolled.status).toBe(200);
      const cookie = cookiesOf(enrolled.headers);
      for (let thief = 0; thief < 4; thief += 1) {
        const session = await signIn(newClientAddress());
        for (let guess = 0; guess < 5; guess += 1) {
          const { body } = await enter(session, factor, "000000");
          expect(body["code"]).toBe("mfa_verification_failed");
        }
      }
      // Signing in with the password does not make a device known for second-factor codes.
      const code = nextCode();
      const late = await enter(await signIn(newClientAddress()), factor, code);
      expect([late.status, late.body["code"]]).toEqual([429, "over_request_rate_limit"]);
      const owner = await signIn({ ...newClientAddress(), ...cookie });
      expect((await enter(owner, factor, code)).status).toBe(200);
    } finally {
      await stop();
    }
  });
});
