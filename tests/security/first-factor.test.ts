import { describe, expect, inject, test } from "vitest";
import { REALTIME_SUBSCRIBE_STATES, type SupabaseClient } from "@supabase/supabase-js";
import { anonymous, serviceRole, testPassword, type Account } from "../support/clients.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";
import { signInAgain } from "../support/sessions.ts";
import {
  administrator,
  documentsBucket,
  member,
  openDocument,
  owner,
  plainAdministrator,
  uploadVerificationDocument,
} from "./members.ts";

/** Opens a link of this type from the mailbox of an account, in a browser of its own. */
async function openLink(
  { email }: Account,
  type: "magiclink" | "recovery",
): Promise<SupabaseClient> {
  const { data, error } = await serviceRole().auth.admin.generateLink({ type, email });
  if (error) throw error;
  const client = anonymous();
  const { hashed_token: token_hash } = data.properties;
  expect((await client.auth.verifyOtp({ token_hash, type })).error).toBeNull();
  return client;
}

async function factorsOf({ id }: Account): Promise<unknown[]> {
  const sql = "select status from auth.mfa_factors where user_id = $1";
  return (await owner.query<{ status: string }>(sql, [id])).rows.map(({ status }) => status);
}

/** Whether the socket lets a client into a private channel. */
async function joins(client: SupabaseClient, topic: string): Promise<boolean> {
  const { data } = await client.auth.getSession();
  await client.realtime.setAuth(data.session?.access_token ?? null);
  const channel = client.channel(topic, { config: { private: true } });
  const joined = await new Promise<boolean>((resolve) => {
    channel.subscribe((status) => {
      const { SUBSCRIBED, CLOSED } = REALTIME_SUBSCRIBE_STATES;
      if (status === SUBSCRIBED) resolve(true);
      else if (status !== CLOSED) resolve(false);
    });
  });
  await client.removeAllChannels();
  await client.realtime.disconnect();
  return joined;
}

describe("an administrator without a second factor", () => {
  test("opens nothing: no row, no function, no file, no channel", async () => {
    const [ada, plain, admin] = [await member(), await plainAdministrator(), await administrator()];
    for (const request of [
      plain.client.from("profiles").select().eq("id", plain.id),
      plain.client.from("profiles").update({ bio: "Mine" }).eq("id", plain.id),
      plain.client.from("articles").select(),
      plain.client.from("chat_messages").select(),
      plain.client.rpc("admin_overview"),
      plain.client.rpc("member_page"),
      plain.client.rpc("delete_message", { message_id: ada.id }),
      plain.client.rpc("create_draft", { kind: "article" }),
      plain.client.rpc("export_my_data"),
    ]) {
      const { error, status, data } = await request;
      expect([status, error?.code, data]).toEqual([401, "FF009", null]);
    }
    const name = await uploadVerificationDocument(ada, 4713);
    expect((await documentsBucket(plain.client).download(name)).data).toBeNull();
    expect((await documentsBucket(plain.client).list()).data).toEqual([]);
    await expect(uploadVerificationDocument(plain, 4714)).rejects.toThrow(/row-level/);
    expect(await openDocument(plain, ada.id)).toMatchObject({
      status: 403,
      code: "admin_second_factor_due",
    });
    for (const name of ["create-stripe-customer", "delete-my-account", "admin-coupons"]) {
      const body = { password: testPassword };
      const { error } = await plain.client.functions.invoke(name, { body });
      expect((error as { context?: Response }).context?.status, name).toBe(403);
    }
    expect(await joins(plain.client, "room:general")).toBe(false);
    expect(await joins(admin.client, "room:general")).toBe(true);
  });

  test("signs out and changes the password all the same", async () => {
    const { client } = await plainAdministrator();
    const change = { password: "Harbour-Violet-19?", current_password: testPassword };
    expect((await client.auth.updateUser(change)).error).toBeNull();
    expect((await client.auth.signOut({ scope: "global" })).error).toBeNull();
  });
});

describe("a stolen password of an administrator without a second factor", () => {
  test("sets none up, however the code is right", async () => {
    const admin = await plainAdministrator();
    const thief = await signInAgain(admin);
    await expect(enrollSecondFactor(thief)).rejects.toMatchObject({ status: 403, code: "PT403" });
    expect(await factorsOf(admin)).toEqual(["unverified"]);
    expect((await thief.rpc("admin_overview")).error?.code).toBe("FF009");
    // Nor while the owner's link is open elsewhere.
    const own = await openLink(admin, "magiclink");
    await expect(enrollSecondFactor(thief, "Other")).rejects.toMatchObject({ code: "PT403" });
    await enrollSecondFactor(own, "Own phone");
    expect(await factorsOf(admin)).toEqual(["verified"]);
    expect((await own.rpc("admin_overview")).error).toBeNull();
  });

  test("takes over no address for a link", async () => {
    const admin = await plainAdministrator();
    const thief = await signInAgain(admin);
    const email = `thief-${admin.email}`;
    expect((await thief.auth.updateUser({ email })).error).toBeNull();
    expect((await serviceRole().auth.admin.getUserById(admin.id)).data.user?.email).toBe(
      admin.email,
    );
  });
});

test.each(["magiclink", "recovery"] as const)(
  "a link from the mailbox sets up the first second factor: %s",
  async (type) => {
    const admin = await plainAdministrator();
    const client = await openLink(admin, type);
    expect((await client.rpc("admin_overview")).error).toMatchObject({ code: "FF008" });
    await enrollSecondFactor(client);
    expect((await client.rpc("admin_overview")).error).toBeNull();
  },
);

test("a link that was opened long ago does not", async () => {
  const admin = await plainAdministrator();
  const client = await openLink(admin, "magiclink");
  await owner.query(
    `update auth.mfa_amr_claims set created_at = now() - interval '16 minutes'
      where session_id in (select id from auth.sessions where user_id = $1)`,
    [admin.id],
  );
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await client.rpc("admin_overview")).error?.code).toBe("FF009");
  await expect(enrollSecondFactor(client)).rejects.toMatchObject({ code: "PT403" });
});

test("a recovery code opens no way around it", async () => {
  const admin = await administrator();
  const { data } = await admin.client.rpc("generate_recovery_codes");
  const lost = await signInAgain(admin);
  const { data: current } = await lost.auth.getSession();
  const answer = await fetch(`${inject("host").url}/functions/v1/use-recovery-code`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${current.session?.access_token ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ code: (data as string[])[0] }),
  });
  expect(answer.status).toBe(200);
  expect((await lost.rpc("admin_overview")).error?.code).toBe("FF009");
  await expect(enrollSecondFactor(lost)).rejects.toMatchObject({ code: "PT403" });
});
