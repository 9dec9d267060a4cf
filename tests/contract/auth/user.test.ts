import { afterAll, describe, expect, inject, test } from "vitest";
import { anonymous, newEmail, ownerPool, testPassword, signUp } from "../../support/clients.ts";
import { call, inboxOf, linkIn, openLink } from "./requests.ts";

const host = inject("host");
const owner = ownerPool();
afterAll(async () => await owner.end());

async function bearerOf(client: Awaited<ReturnType<typeof signUp>>["client"]): Promise<string> {
  return `Bearer ${(await client.auth.getSession()).data.session?.access_token}`;
}

describe("the caller's own account", () => {
  test("is returned, and its metadata is merged, with null removing a key", async () => {
    const { client } = await signUp({ name: "Ada", town: "London" });
    const { data, error } = await client.auth.updateUser({ data: { town: null, year: 1815 } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ name: "Ada", year: 1815 });
    expect(data.user?.user_metadata).not.toHaveProperty("town");
    expect((await client.auth.getUser()).data.user?.user_metadata).toEqual(
      data.user?.user_metadata,
    );
  });

  test("cannot give itself app_metadata or a role", async () => {
    const { client, id } = await signUp();
    const authorization = await bearerOf(client);
    const app = await call(host, "/user", {
      method: "PUT",
      headers: { authorization },
      body: { app_metadata: { admin: true } },
    });
    expect([app.status, app.body["code"]]).toEqual([403, "not_admin"]);
    await call(host, "/user", {
      method: "PUT",
      headers: { authorization },
      body: { role: "service_role", id: "x", email_confirmed_at: null, data: {} },
    });
    const { rows } = await owner.query("select role from auth.users where id = $1", [id]);
    expect(rows).toEqual([{ role: "authenticated" }]);
  });

  test("changes its password, which ends other sessions and invalidates links", async () => {
    const { client, email, id } = await signUp();
    const elsewhere = anonymous();
    await elsewhere.auth.signInWithPassword({ email, password: testPassword });
    await anonymous().auth.resetPasswordForEmail(email);
    const { error } = await client.auth.updateUser({ password: "Another-Horse-43!" });
    expect(error).toBeNull();
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await elsewhere.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    const { rows } = await owner.query("select 1 from auth.one_time_tokens where user_id = $1", [
      id,
    ]);
    expect(rows).toEqual([]);
  });

  test("gets an error when the new password is the current one", async () => {
    const { client } = await signUp();
    const { error } = await client.auth.updateUser({ password: testPassword });
    expect(error).toMatchObject({
      status: 422,
      code: "same_password",
      message: "New password should be different from the old password.",
    });
  });

  test("changes its address after the link is opened", async () => {
    const { client, email, id } = await signUp();
    const wanted = newEmail();
    const { data, error } = await client.auth.updateUser({ email: wanted.toUpperCase() });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, new_email: wanted });
    const mail = (await inboxOf(host, wanted))[0];
    expect(mail?.text).toContain(email);
    expect(await inboxOf(host, email)).toHaveLength(1);
    await openLink(linkIn(mail));
    const { data: after } = await client.auth.getUser();
    expect(after.user).toMatchObject({ id, email: wanted });
    expect(after.user).not.toHaveProperty("new_email");
    expect(after.user?.identities?.[0]?.identity_data).toMatchObject({ email: wanted });
    const old = await anonymous().auth.signInWithPassword({ email, password: testPassword });
    expect(old.error?.code).toBe("invalid_credentials");
  });

  test("cannot take an address in use, even in a race with its owner", async () => {
    const { client } = await signUp();
    const other = await signUp();
    const taken = await client.auth.updateUser({ email: other.email });
    expect(taken.error).toMatchObject({ status: 422, code: "email_exists" });
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    await anonymous().auth.signUp({ email: wanted, password: testPassword });
    const target = await openLink(linkIn((await inboxOf(host, wanted))[0]));
    expect(target.hash).toContain("error_code=email_exists");
  });

  test("rejects missing, foreign and API-key tokens", async () => {
    const ask = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      const { status, body } = await call(host, "/user", { headers });
      return [status, body["code"]];
    };
    expect(await ask()).toEqual([401, "no_authorization"]);
    expect(await ask("Bearer nonsense")).toEqual([403, "bad_jwt"]);
    expect(await ask(`Bearer ${host.anonKey}`)).toEqual([403, "bad_jwt"]);
    const { client, id } = await signUp();
    const token = await bearerOf(client);
    const [head, payload] = token.slice(7).split(".");
    expect(await ask(`Bearer ${head}.${payload}.${"A".repeat(43)}`)).toEqual([403, "bad_jwt"]);
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
    expect(await ask(`Bearer ${none}.${payload}.`)).toEqual([403, "bad_jwt"]);
    await owner.query("delete from auth.users where id = $1", [id]);
    expect(await ask(token)).toEqual([403, "user_not_found"]);
  });
});
