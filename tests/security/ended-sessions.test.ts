import { describe, expect, inject, test } from "vitest";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { onePixelPng } from "../../tools/demo/join.ts";
import { anonymous, testPassword, serviceRole, type Account } from "../support/clients.ts";
import {
  administrator,
  documentsBucket,
  member,
  owner,
  uploadVerificationDocument,
} from "./members.ts";

const host = inject("host");
const png = { contentType: "image/png" };

interface Holder extends Account {
  token: string;
}

/** A member, with a client that keeps its access token after the session has ended. */
async function holder(): Promise<Holder> {
  const account = await member();
  const { data } = await account.client.auth.getSession();
  const token = data.session?.access_token ?? "";
  const client = createClient(host.url, host.anonKey, {
    accessToken: async () => await Promise.resolve(token),
  });
  return { ...account, client, token };
}

const ends: readonly (readonly [string, (account: Holder) => Promise<unknown>])[] = [
  [
    "deletion",
    async ({ id, token }) => {
      // The subscription of this test does not exist at the card provider.
      await owner.query("delete from public.stripe_customers where user_id = $1", [id]);
      const response = await fetch(`${host.url}/functions/v1/delete-my-account`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, apikey: host.anonKey },
        body: JSON.stringify({ password: testPassword }),
      });
      expect(response.status).toBe(200);
    },
  ],
  [
    "a ban",
    async ({ id }) => {
      const { error } = await serviceRole().auth.admin.updateUserById(id, { ban_duration: "1h" });
      expect(error).toBeNull();
    },
  ],
  [
    "a suspension by an administrator",
    async ({ id }) => {
      const { client } = await administrator();
      const { error } = await client.rpc("suspend_member", { member: id, reason: "Spam" });
      expect(error).toBeNull();
    },
  ],
  [
    "sign-out everywhere",
    async ({ email }) => {
      const other = anonymous();
      await other.auth.signInWithPassword({ email, password: testPassword });
      expect((await other.auth.signOut({ scope: "global" })).error).toBeNull();
    },
  ],
  [
    "ending this session from another device",
    async ({ email, token }) => {
      const other = anonymous();
      await other.auth.signInWithPassword({ email, password: testPassword });
      const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
        session_id: string;
      };
      const { data } = await other.rpc("end_session", { session_id: claims.session_id });
      expect(data).toBe(true);
    },
  ],
];

/** Every way a member writes or reads over the API of the database. */
function requestsOf({ client, id }: Holder): Record<string, PromiseLike<unknown>> {
  const message = { user_id: id, chat_room_id: "general", content: "Still here" };
  return {
    insert: client.from("chat_messages").insert(message),
    upsert: client.from("onboarding_progress").upsert({ user_id: id, current_step: 2 }),
    update: client.from("profiles").update({ bio: "Still here" }).eq("id", id),
    delete: client.from("message_likes").delete().eq("user_id", id),
    rpc: client.rpc("increment_participant_count", { room_id: "general" }),
    read: client.from("profiles").select().eq("id", id),
    "read by rpc": client.rpc("export_my_data"),
  };
}

async function leftOf(client: SupabaseClient, name: string): Promise<unknown> {
  return (await documentsBucket(client).download(name)).error;
}

describe.each(ends)("after %s an access token that has not run out", (kind, end) => {
  test("reads and writes nothing, with status 401", async () => {
    const ada = await holder();
    for (const [what, request] of Object.entries(requestsOf(ada))) {
      expect(await request, what).toMatchObject({ error: null });
    }
    await end(ada);
    for (const [what, request] of Object.entries(requestsOf(ada))) {
      const { status, error } = (await request) as { status: number; error: { code: string } };
      expect([status, error.code], what).toEqual([401, "FF003"]);
    }
  });

  test("stores, moves, copies, removes, lists and links no file", async () => {
    const ada = await holder();
    const files = documentsBucket(ada.client);
    const name = await uploadVerificationDocument(ada, 1);
    const link = await files.createSignedUploadUrl(`${ada.id}-verification-2.png`);
    expect(link.error).toBeNull();
    await end(ada);
    const upload = await files.upload(`${ada.id}-verification-3.png`, onePixelPng, png);
    expect(upload.error).toMatchObject({ statusCode: "403" });
    const image = await ada.client.storage
      .from("learning-images")
      .upload(`${ada.id}-1.png`, onePixelPng, png);
    expect(image.error).toMatchObject({ statusCode: "403" });
    expect((await files.copy(name, `${ada.id}-verification-4.png`)).error).toMatchObject({
      statusCode: "404",
    });
    expect((await files.move(name, `${ada.id}-verification-5.png`)).error).toMatchObject({
      statusCode: "404",
    });
    expect((await files.remove([name])).data ?? []).toEqual([]);
    expect((await files.list()).data ?? []).toEqual([]);
    expect(await leftOf(ada.client, name)).toMatchObject({ statusCode: "404" });
    expect((await files.createSignedUrl(name, 60)).error).toMatchObject({ statusCode: "404" });
    const fresh = await files.createSignedUploadUrl(`${ada.id}-verification-6.png`);
    expect(fresh.error).toMatchObject({ statusCode: "403" });
    const { rows } = await owner.query("select name from storage.objects where name like $1", [
      `${ada.id}-%`,
    ]);
    const stored = rows.map((row: { name: string }) => row.name);
    // Only an account deletion deletes the files.
    expect(stored).not.toContain(`${ada.id}-verification-3.png`);
    expect(stored.includes(name)).toBe(kind !== "deletion");
  });

  test("calls no function", async () => {
    const ada = await holder();
    await end(ada);
    for (const name of [
      "create-stripe-customer",
      "stripe-create-subscription-direct",
      "stripe-cancel-subscription",
      "stripe-create-setup-intent",
      "stripe-update-card",
      "stripe-preview-plan-change",
      "stripe-change-plan",
      "stripe-cancel-plan-change",
      "stripe-buy-gift",
      "stripe-pause-membership",
      "stripe-resume-membership",
      "stripe-withdraw",
      "delete-my-account",
      "use-recovery-code",
      "preview-emails",
    ]) {
      const response = await fetch(`${host.url}/functions/v1/${name}`, {
        method: "POST",
        headers: { authorization: `Bearer ${ada.token}`, apikey: host.anonKey },
        body: "{}",
      });
      expect(response.status, name).toBe(401);
    }
  });
});
