import { beforeAll, describe, expect, test } from "vitest";
import { ONE_PIXEL_PNG } from "../../tools/demo/join.ts";
import { anonymous, type Account } from "../support/clients.ts";
import { administrator, documents, newcomer, stored, uploadDocument } from "./members.ts";

const PNG = { contentType: "image/png" };
let admin: Account;
beforeAll(async () => {
  admin = await administrator();
});

function submission(account: Account, document_url: string) {
  return { user_id: account.id, document_type: "passport", document_url, status: "pending" };
}

async function handIn(account: Account, stamp: number): Promise<string> {
  const name = await uploadDocument(account, stamp);
  const { data, error } = await account.client
    .from("user_verifications")
    .insert(submission(account, name))
    .select("id")
    .single();
  if (error) throw new Error(error.message);
  return String(data.id);
}

describe("a verification", () => {
  test("sent as approved is pending, and stays so", async () => {
    const mallory = await newcomer();
    const verifications = mallory.client.from("user_verifications");
    const document_url = await uploadDocument(mallory);
    const forged = { ...submission(mallory, document_url), status: "approved" };
    const { data } = await verifications.insert(forged).select().single();
    expect(data).toMatchObject({ status: "pending", verified_at: null });
    const update = await verifications.update({ status: "approved" }).eq("user_id", mallory.id);
    expect(update.error).toMatchObject({ code: "42501" });
    const remove = await verifications.delete().eq("user_id", mallory.id);
    expect(remove.error).toMatchObject({ code: "42501" });
    const review = await mallory.client.rpc("review_verification", {
      verification_id: (data as { id: string }).id,
      verdict: "approved",
    });
    expect(review.error).toMatchObject({ code: "FF002" });
    expect(await stored("user_verifications", "user_id", mallory.id)).toMatchObject([
      { status: "pending" },
    ]);
  });

  test("cannot set its own outcome columns or belong to somebody else", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const name = await uploadDocument(mallory);
    const verifications = mallory.client.from("user_verifications");
    const dated = { ...submission(mallory, name), verified_at: new Date().toISOString() };
    expect((await verifications.insert(dated)).error).toMatchObject({ code: "42501" });
    const theirs = await verifications.insert(submission(victim, name));
    expect(theirs.error).toMatchObject({ code: "42501" });
    expect(await stored("user_verifications", "user_id", victim.id)).toEqual([]);
  });

  test("needs the caller's own uploaded document", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const theirs = await uploadDocument(victim);
    for (const name of [
      theirs,
      `${mallory.id}-verification-1.png`,
      "https://evil.test/passport.png",
    ]) {
      const { error } = await mallory.client
        .from("user_verifications")
        .insert(submission(mallory, name));
      expect(error).toMatchObject({ code: "FF113" });
    }
  });

  test("is one, however many are sent at once", async () => {
    const mallory = await newcomer();
    const names = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((stamp) => uploadDocument(mallory, stamp)),
    );
    const answers = await Promise.all(
      names.map((name) =>
        mallory.client.from("user_verifications").insert(submission(mallory, name)),
      ),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    const refusals = answers.flatMap(({ error }) => (error ? [error.code] : []));
    expect(new Set(refusals)).toEqual(new Set(["FF111"]));
    expect(await stored("user_verifications", "user_id", mallory.id)).toHaveLength(1);
  });

  test("is tried five times and no more", async () => {
    const mallory = await newcomer();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const verification_id = await handIn(mallory, attempt);
      const verdict = { verification_id, verdict: "rejected", reason: "Not readable" };
      expect((await admin.client.rpc("review_verification", verdict)).error).toBeNull();
    }
    const name = await uploadDocument(mallory, 6);
    const sixth = await mallory.client.from("user_verifications").insert(submission(mallory, name));
    expect(sixth.error).toMatchObject({ code: "FF112" });
  });

  test("is decided once, by an administrator, and read by its owner", async () => {
    const member = await newcomer();
    const verification_id = await handIn(member, 1);
    const queue = await admin.client.rpc("verification_queue");
    expect(queue.data).toContainEqual(
      expect.objectContaining({ id: verification_id, user_id: member.id, email: member.email }),
    );
    const approve = () =>
      admin.client.rpc("review_verification", { verification_id, verdict: "approved" });
    expect((await approve()).error).toBeNull();
    expect((await approve()).error).toMatchObject({ code: "FF121" });
    const { data } = await member.client.from("user_verifications").select("*").single();
    expect(data).toMatchObject({ status: "approved" });
  });
});

describe("a document", () => {
  test("goes in under its owner's name only, and only as what it may be", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const upload = async (name: string, contentType = "image/png") =>
      (await documents(mallory.client).upload(name, ONE_PIXEL_PNG, { contentType })).error;
    expect(await upload(`${victim.id}-verification-1.png`)).not.toBeNull();
    expect(await upload(`${mallory.id}-verification-1.svg`, "image/svg+xml")).not.toBeNull();
    expect(await upload(`${mallory.id}-verification-1.png`, "text/html")).not.toBeNull();
    expect(await upload(`../${mallory.id}-verification-1.png`)).not.toBeNull();
    expect(await upload(`${mallory.id}/passport.png`)).not.toBeNull();
    expect(await upload(`${mallory.id}-verification-1.png`)).toBeNull();
    const nobody = await documents(anonymous()).upload(
      `${mallory.id}-verification-2.png`,
      ONE_PIXEL_PNG,
      PNG,
    );
    expect(nobody.error).not.toBeNull();
  });

  test("is read by its owner and administrators, by nobody else in any way", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const name = await uploadDocument(victim);
    for (const client of [victim.client, admin.client]) {
      const { data } = await documents(client).download(name);
      expect(await data?.arrayBuffer()).toHaveProperty("byteLength", ONE_PIXEL_PNG.byteLength);
      expect((await documents(client).createSignedUrl(name, 60)).error).toBeNull();
    }
    for (const client of [mallory.client, anonymous()]) {
      expect((await documents(client).download(name)).error).not.toBeNull();
      expect((await documents(client).createSignedUrl(name, 60)).error).not.toBeNull();
      expect((await documents(client).list()).data ?? []).toEqual([]);
      const { publicUrl } = documents(client).getPublicUrl(name).data;
      expect((await fetch(publicUrl)).ok).toBe(false);
    }
  });

  test("is not overwritten, moved, copied over or removed, even by its owner", async () => {
    const victim = await newcomer();
    const name = await uploadDocument(victim);
    const other = `${victim.id}-verification-99.png`;
    for (const client of [victim.client, admin.client, anonymous()]) {
      const bucket = documents(client);
      expect((await bucket.upload(name, ONE_PIXEL_PNG, PNG)).error).not.toBeNull();
      expect(
        (await bucket.upload(name, ONE_PIXEL_PNG, { ...PNG, upsert: true })).error,
      ).not.toBeNull();
      expect((await bucket.update(name, ONE_PIXEL_PNG, PNG)).error).not.toBeNull();
      expect((await bucket.move(name, other)).error).not.toBeNull();
      const removed = await bucket.remove([name]);
      expect(removed.data ?? []).toEqual([]);
    }
    expect((await documents(victim.client).download(name)).error).toBeNull();
  });

  test("over 10 MB is refused", async () => {
    const mallory = await newcomer();
    const large = Buffer.concat([ONE_PIXEL_PNG, Buffer.alloc(10 * 1024 * 1024)]);
    const { error } = await documents(mallory.client).upload(
      `${mallory.id}-verification-1.png`,
      large,
      PNG,
    );
    expect(error).not.toBeNull();
  });
});
