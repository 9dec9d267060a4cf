import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import { contentPictureAddress } from "../../web/src/domain/content-pictures.ts";
import handlePurge from "../../supabase/functions/purge-documents/handler.ts";
import { messagePictures, postPicture } from "../security/message-picture.ts";
import {
  administrator,
  documentsBucket,
  member,
  newcomer,
  owner,
  reviewVerification,
  stored,
  uploadVerificationDocument,
} from "../security/members.ts";
import { serviceRole, type Account } from "../support/clients.ts";

interface Handed {
  member: Account;
  /** Name of the stored document. */
  name: string;
}

let admin: Account;
beforeAll(async () => {
  admin = await administrator();
  // Other files leave pictures of deleted messages.
  await purge();
});
afterEach(() => vi.restoreAllMocks());

/** A document an administrator approved so many days ago. */
async function approved(days: number): Promise<Handed> {
  const member = await newcomer();
  const name = await uploadVerificationDocument(member);
  const row = { user_id: member.id, document_type: "passport", document_url: name };
  const sent = await member.client.from("user_verifications").insert(row).select("id").single();
  if (sent.error) throw new Error(sent.error.message);
  const refusal = await reviewVerification(admin, sent.data.id);
  if (refusal) throw new Error(refusal.message);
  await owner.query(
    `update public.user_verifications set reviewed_at = now() - make_interval(days => $2) where user_id = $1`,
    [member.id, days],
  );
  return { member, name };
}

async function isStored({ member, name }: Handed): Promise<boolean> {
  const { rowCount } = await owner.query("select from storage.objects where name = $1", [name]);
  const { error } = await documentsBucket(member.client).download(name);
  expect(error === null).toBe(rowCount === 1);
  return error === null;
}

async function purge(): Promise<unknown> {
  const { data, error } = await serviceRole().functions.invoke<unknown>("purge-documents");
  if (error) throw error;
  return data;
}

describe("thirty days after the decision", () => {
  it("the document is deleted, the deletion is recorded, and the decision stays", async () => {
    const [old, fresh] = [await approved(31), await approved(29)];
    const before = await stored("user_verifications", "user_id", old.member.id);
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
    expect(await isStored(old)).toBe(false);
    expect(await isStored(fresh)).toBe(true);
    expect(await stored("user_verifications", "user_id", old.member.id)).toEqual(before);
    const { data } = await old.member.client.from("user_verifications").select("*").single();
    expect(data).toMatchObject({ status: "approved", document_url: old.name });
    const entries = await owner.query(
      "select action from private.audit_log where subject = $1 order by id",
      [old.member.id],
    );
    expect(entries.rows).toEqual([
      { action: "verification.document_opened" },
      { action: "verification.approved" },
      { action: "verification.document_deleted" },
    ]);
    expect(await purge()).toEqual({ deleted: 0, failed: 0 });
  });

  it("a batch that fails is logged, counted and repeated, and the others are deleted", async () => {
    const both = [await approved(31), await approved(31)];
    const log = vi.spyOn(console, "error").mockReturnValue();
    const real = globalThis.fetch;
    let broken = false;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      if (init?.method !== "DELETE" || broken) return await real(input, init);
      broken = true;
      throw new TypeError("the line is cut");
    });
    const { url, serviceRoleKey } = inject("host");
    const request = new Request(`${url}/functions/v1/purge-documents`, {
      method: "POST",
      headers: { authorization: `Bearer ${serviceRoleKey}` },
      body: JSON.stringify({ batch: 1 }),
    });
    const env = { SUPABASE_URL: url, SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey };
    const answer = await handlePurge(request, { env });
    vi.mocked(globalThis.fetch).mockRestore();
    expect(await answer.json()).toEqual({ deleted: 1, failed: 1 });
    expect(log).toHaveBeenCalledOnce();
    const left = [];
    for (const each of both) if (await isStored(each)) left.push(each);
    expect(left).toHaveLength(1);
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
  });
});

describe("the document of a baseline", () => {
  it("is deleted when no claim was made in its time, which is recorded", async () => {
    const ada = await member();
    const bucket = ada.client.storage.from("guarantee-documents");
    const name = `${ada.id}-baseline-1.png`;
    const uploaded = await bucket.upload(name, onePixelPng, { contentType: "image/png" });
    expect(uploaded.error).toBeNull();
    const baseline = { monthly_pence: 150_000, source: "Salary", document_name: name };
    expect((await ada.client.rpc("record_guarantee_baseline", baseline)).error).toBeNull();
    expect(await purge()).toEqual({ deleted: 0, failed: 0 });
    await owner.query(
      "update private.guarantee_baselines set started_at = now() - interval '7 months 2 days' where user_id = $1",
      [ada.id],
    );
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
    expect((await bucket.download(name)).data).toBeNull();
    const { data } = await ada.client.rpc("my_guarantee");
    expect(data).toMatchObject({ baseline: { source: "Salary", document_name: null } });
    const entries = await owner.query("select action from private.audit_log where subject = $1", [
      ada.id,
    ]);
    expect(entries.rows).toContainEqual({ action: "guarantee.document_deleted" });
  });
});

describe("a profile picture", () => {
  it("is deleted an hour after its upload unless a profile shows it", async () => {
    const ada = await member();
    const bucket = ada.client.storage.from("profile-pictures");
    const names = [1, 2, 3].map((n) => `${ada.id}-${n}.png`);
    for (const name of names) {
      const { error } = await bucket.upload(name, onePixelPng, { contentType: "image/png" });
      expect(error).toBeNull();
    }
    expect((await ada.client.rpc("set_my_picture", { name: names[1] })).error).toBeNull();
    await owner.query(
      "update storage.objects set created_at = now() - interval '2 hours' where name = any($1)",
      [names.slice(0, 2)],
    );
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
    const { data } = await bucket.list("", { search: ada.id });
    expect(data?.map(({ name }) => name)).toEqual(names.slice(1));
  });
});

describe("a picture of an article or a course", () => {
  it("is deleted a day after its upload unless a version of a draft shows it", async () => {
    const mentor = await member("mentor-access");
    const bucket = mentor.client.storage.from("content-pictures");
    const names = [1, 2, 3].map((n) => `${mentor.id}-${n}.png`);
    for (const name of names) {
      const { error } = await bucket.upload(name, onePixelPng, { contentType: "image/png" });
      expect(error).toBeNull();
    }
    const fields = { cover: contentPictureAddress(names[1] ?? "") };
    const { error } = await mentor.client.rpc("create_draft", { kind: "article", fields });
    expect(error).toBeNull();
    await owner.query(
      "update storage.objects set created_at = now() - interval '25 hours' where name = any($1)",
      [names.slice(0, 2)],
    );
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
    const { data } = await bucket.list("", { search: mentor.id });
    expect(data?.map(({ name }) => name)).toEqual(names.slice(1));
  });
});

describe("the picture of a message", () => {
  it("is deleted with its message, and otherwise stays", async () => {
    const ada = await member();
    const [gone, kept] = [await postPicture(ada), await postPicture(ada)];
    const { error } = await ada.client.rpc("delete_message", { message_id: gone.message });
    expect(error).toBeNull();
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
    const { data } = await messagePictures(ada).list("", { search: ada.id });
    expect(data?.map(({ name }) => name)).toEqual([kept.name]);
  });
});

describe("the deletion of documents", () => {
  it("is refused to members and administrators, and deletes nothing for them", async () => {
    const old = await approved(31);
    for (const { client } of [old.member, admin]) {
      const { error } = await client.functions.invoke("purge-documents");
      expect(error).toBeInstanceOf(FunctionsHttpError);
      const refusal = (error as FunctionsHttpError).context as Response;
      expect(refusal.status).toBe(403);
      expect(await refusal.json()).toMatchObject({ code: "forbidden" });
    }
    expect(await isStored(old)).toBe(true);
    expect(await purge()).toEqual({ deleted: 1, failed: 0 });
  });
});
