import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import { signUp } from "../../support/clients.ts";
import { call } from "./requests.ts";

const host = inject("host");

const routes = [
  ["POST", "/signup"],
  ["POST", "/token?grant_type=password"],
  ["POST", "/token?grant_type=refresh_token"],
  ["POST", "/token?grant_type=pkce"],
  ["POST", "/recover"],
  ["POST", "/resend"],
  ["POST", "/otp"],
  ["POST", "/verify"],
  ["PUT", "/user"],
  ["POST", "/admin/users"],
  ["POST", "/admin/generate_link"],
] as const;

const fields = [
  "email",
  "password",
  "phone",
  "data",
  "type",
  "token",
  "token_hash",
  "refresh_token",
  "auth_code",
  "code_verifier",
  "code_challenge",
  "code_challenge_method",
  "nonce",
  "app_metadata",
  "user_metadata",
  "ban_duration",
  "password_hash",
  "id",
  "role",
  "__proto__",
];

const unusualValues = fc.constantFrom<unknown>(
  "a@example.test",
  "signup",
  "recovery",
  "email_change",
  "s256",
  "Correct-Horse-42!",
  "\0",
  "\ud800",
  "1h",
  "-5h",
  "9".repeat(400),
  "'; drop table auth.users; --",
  null,
  true,
  1e308,
  -1,
  [],
  {},
  { constructor: { prototype: 1 } },
);
const bodies = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields), fc.oneof(unusualValues, fc.jsonValue(), fc.string()), {
    maxKeys: 8,
  }),
  fc.jsonValue(),
);

describe("malformed bodies", () => {
  test("get 2xx or 4xx with a code, never 5xx", async () => {
    const { client } = await signUp();
    const token = (await client.auth.getSession()).data.session?.access_token;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...routes), bodies, async ([method, path], body) => {
        const bearer = path.startsWith("/admin") ? host.serviceRoleKey : token;
        const answer = await call(host, path, {
          method,
          body: JSON.stringify(body) ?? "",
          headers: { authorization: `Bearer ${bearer}` },
        });
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400) expect(answer.body["code"]).toEqual(expect.any(String));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["nothing", ""],
    ["half a body", '{"email":'],
    ["a list", "[]"],
    ["a number", "7"],
    ["a body nested a thousand deep", `{"data":${"[".repeat(1000)}${"]".repeat(1000)}}`],
  ])("%s is 400 bad_json", async (_name, body) => {
    for (const path of ["/signup", "/token?grant_type=password", "/recover", "/verify"]) {
      const answer = await call(host, path, { method: "POST", body });
      expect([answer.status, answer.body["code"]]).toEqual([400, "bad_json"]);
    }
  });

  test("broken UTF-8 is 400 bad_json", async () => {
    const response = await fetch(`${host.url}/auth/v1/signup`, {
      method: "POST",
      headers: { apikey: host.anonKey },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error_code: "bad_json" });
  });
});
