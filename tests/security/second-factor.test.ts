import { describe, expect, inject, test } from "vitest";
import { testPassword, signUp, type Account } from "../support/clients.ts";
import { enrollSecondFactor, enterCode, type EnrolledFactor } from "../support/second-factor.ts";
import { signInAgain } from "../support/sessions.ts";
import {
  administrator,
  documentsBucket,
  member,
  openDocument,
  owner,
  uploadVerificationDocument,
} from "./members.ts";
import type { SupabaseClient } from "@supabase/supabase-js";

const host = inject("host");

async function useCode(client: SupabaseClient, code: string): Promise<[number, string]> {
  const { data } = await client.auth.getSession();
  const response = await fetch(`${host.url}/functions/v1/use-recovery-code`, {
    method: "POST",
    headers: {
      apikey: host.anonKey,
      authorization: `Bearer ${data.session?.access_token ?? ""}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ code }),
  });
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code ?? ""];
}

async function recoveryCodes({ client }: Account): Promise<string[]> {
  const { data, error } = await client.rpc("generate_recovery_codes");
  if (error) throw new Error(error.message);
  return data as string[];
}

describe("a stolen password of a member with a second factor", () => {
  test("opens no data, no file, no channel and no function", async () => {
    const ada = await member();
    const name = await uploadVerificationDocument(ada);
    await enrollSecondFactor(ada.client);
    const thief = await signInAgain(ada);
    for (const request of [
      thief.from("profiles").select().eq("id", ada.id),
      thief.from("chat_messages").select(),
      thief.from("profiles").update({ bio: "Stolen" }).eq("id", ada.id),
      thief
        .from("chat_messages")
        .insert({ user_id: ada.id, chat_room_id: "general", content: "x" }),
      thief.rpc("export_my_data"),
      thief.rpc("my_sessions"),
      thief.rpc("generate_recovery_codes"),
    ]) {
      const { error, status, data } = await request;
      expect([status, error?.code, data]).toEqual([401, "FF004", null]);
    }
    expect((await documentsBucket(thief).download(name)).data).toBeNull();
    expect((await documentsBucket(thief).createSignedUrl(name, 60)).data).toBeNull();
    expect((await documentsBucket(thief).list()).data).toEqual([]);
    await expect(uploadVerificationDocument({ ...ada, client: thief }, 4711)).rejects.toThrow(
      /row-level/,
    );
    for (const name of ["create-stripe-customer", "delete-my-account"]) {
      const { error } = await thief.functions.invoke(name, { body: { password: testPassword } });
      expect((error as { context?: Response }).context?.status, name).toBe(401);
    }
    const bio = await owner.query("select bio from public.profiles where id = $1", [ada.id]);
    expect(bio.rows).toEqual([{ bio: "Counts." }]);
  });

  test("can still sign out, and opens everything after the code", async () => {
    const ada = await member();
    const factor = await enrollSecondFactor(ada.client);
    const again = await signInAgain(ada);
    await enterCode(again, factor.id, factor.nextCode());
    const { data } = await again.from("profiles").select("first_name").eq("id", ada.id);
    expect(data).toEqual([{ first_name: "Ada" }]);
    const other = await signInAgain(ada);
    expect((await other.auth.signOut({ scope: "local" })).error).toBeNull();
  });
});

describe("an administrator", () => {
  test("opens documents after entering a code", async () => {
    const [ada, admin] = [await member(), await administrator()];
    // Handed in at onboarding.
    const { rows } = await owner.query<{ id: string; document_url: string }>(
      "select id, document_url from public.user_verifications where user_id = $1",
      [ada.id],
    );
    const { id, document_url: name } = rows[0] ?? { id: "", document_url: "" };
    const before = { ...admin, client: await signInAgain(admin) };
    expect((await before.client.rpc("verification_queue")).error?.code).toBe("FF004");
    expect(await openDocument(before, id)).toMatchObject({ code: "second_factor_due" });
    expect((await admin.client.rpc("verification_queue")).error).toBeNull();
    expect(await openDocument(admin, id)).toMatchObject({ status: 200 });
    // Only the function hands documents out, and records it.
    expect((await documentsBucket(admin.client).createSignedUrl(name, 60)).data).toBeNull();
  });
});

describe("recovery codes", () => {
  async function guarded(): Promise<{ ada: Account; factor: EnrolledFactor; codes: string[] }> {
    const ada = await member();
    const factor = await enrollSecondFactor(ada.client);
    return { ada, factor, codes: await recoveryCodes(ada) };
  }

  test("are ten, shown once and stored hashed; new ones replace them", async () => {
    const { ada, codes } = await guarded();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes)
      expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
    const { rows } = await owner.query<{ stored: string }>(
      "select encode(code_hash, 'escape') as stored from private.recovery_codes where user_id = $1",
      [ada.id],
    );
    expect(rows).toHaveLength(10);
    for (const code of codes) expect(JSON.stringify(rows)).not.toContain(code.replaceAll("-", ""));
    const { data } = await ada.client.rpc("recovery_code_status").single();
    expect(data).toMatchObject({ codes_left: 10 });
    await recoveryCodes(ada);
    const thief = await signInAgain(ada);
    expect(await useCode(thief, codes[0] ?? "")).toEqual([403, "wrong_recovery_code"]);
  });

  test("are generated only with a second factor", async () => {
    const { client } = await signUp();
    expect((await client.rpc("generate_recovery_codes")).error?.code).toBe("FF005");
  });

  test("remove every factor, so that the member can set up a new one", async () => {
    const { ada, codes } = await guarded();
    await owner.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status)
       values (gen_random_uuid(), $1, 'A key', 'webauthn', 'verified')`,
      [ada.id],
    );
    const lost = await signInAgain(ada);
    expect((await lost.from("profiles").select()).error?.code).toBe("FF004");
    const typed = (codes[3] ?? "").toUpperCase().replaceAll("-", " ").replaceAll("0", "O");
    expect(await useCode(lost, typed)).toEqual([200, ""]);
    expect((await lost.from("profiles").select("id").eq("id", ada.id)).data).toHaveLength(1);
    await lost.auth.refreshSession();
    const { data: level } = await lost.auth.mfa.getAuthenticatorAssuranceLevel();
    expect(level).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });
    expect((await lost.auth.mfa.listFactors()).data?.all).toEqual([]);
    await enrollSecondFactor(lost, "New phone");
    // Used codes stay used, also with the new factor.
    expect(await useCode(await signInAgain(ada), codes[3] ?? "")).toEqual([
      403,
      "wrong_recovery_code",
    ]);
    expect((await lost.rpc("recovery_code_status").single()).data).toMatchObject({ codes_left: 9 });
  });

  test("end every other session that waited for a code", async () => {
    const { ada, codes } = await guarded();
    const [thief, lost] = [await signInAgain(ada), await signInAgain(ada)];
    expect(await useCode(lost, codes[0] ?? "")).toEqual([200, ""]);
    expect((await thief.from("profiles").select()).error).toMatchObject({ code: "FF003" });
    expect((await thief.auth.refreshSession()).error).toMatchObject({
      code: "refresh_token_not_found",
    });
    expect((await lost.from("profiles").select("id").eq("id", ada.id)).data).toHaveLength(1);
  });

  test("are not used up when the factor cannot be removed", async () => {
    const { ada, codes } = await guarded();
    const lost = await signInAgain(ada);
    await owner.query(
      `create function public.refuse_change() returns trigger language plpgsql as
         $$ begin raise exception 'refused'; end $$`,
    );
    // The trigger is for this account only, because tests of other files run concurrently.
    await owner.query(
      `create trigger refuse_change before update or delete on auth.mfa_factors for each row
         when (old.user_id = '${ada.id}') execute function public.refuse_change()`,
    );
    try {
      expect((await useCode(lost, codes[0] ?? ""))[0]).toBe(500);
    } finally {
      await owner.query("drop function public.refuse_change() cascade");
    }
    expect((await ada.client.rpc("recovery_code_status").single()).data).toMatchObject({
      codes_left: 10,
    });
    expect(await useCode(lost, codes[0] ?? "")).toEqual([200, ""]);
  });

  test("work for their own account only", async () => {
    const [{ codes }, { ada: eve }] = [await guarded(), await guarded()];
    expect(await useCode(await signInAgain(eve), codes[0] ?? "")).toEqual([
      403,
      "wrong_recovery_code",
    ]);
  });

  test("allow five wrong codes an hour, and a right one always works", async () => {
    const { ada, codes } = await guarded();
    const thief = await signInAgain(ada);
    const guesses = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => useCode(thief, `wrong-${at}`)),
    );
    expect(guesses.filter(([status]) => status === 403)).toHaveLength(5);
    expect(guesses.filter(([status]) => status === 429)).toHaveLength(7);
    expect(await useCode(await signInAgain(ada), codes[0] ?? "")).toEqual([200, ""]);
  });

  test("are not used up without a factor, and redeemed by the server only", async () => {
    const { client, id } = await signUp();
    expect(await useCode(client, "0000-0000-0000-0000")).toEqual([409, "no_second_factor"]);
    const { status } = await client.rpc("redeem_recovery_code", {
      member: id,
      code: "x",
      keep_session: null,
    });
    expect(status).toBe(403);
  });
});
