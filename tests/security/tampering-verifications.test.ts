import { beforeAll, describe, expect, test } from "vitest";
import { onePixelPng } from "../../tools/demo/join.ts";
import { anonymous, type Account } from "../support/clients.ts";
import {
  administrator,
  documentsBucket,
  member,
  newcomer,
  openDocument,
  owner,
  plainAdministrator,
  reviewVerification,
  stored,
  uploadVerificationDocument,
} from "./members.ts";

const png = { contentType: "image/png" };
let admin: Account;
beforeAll(async () => {
  admin = await administrator();
});

function submission(account: Account, document_url: string) {
  return { user_id: account.id, document_type: "passport", document_url, status: "pending" };
}

async function handIn(account: Account, stamp: number): Promise<string> {
  const name = await uploadVerificationDocument(account, stamp);
  const { data, error } = await account.client
    .from("user_verifications")
    .insert(submission(account, name))
    .select("id")
    .single();
  if (error) throw new Error(error.message);
  return String(data.id);
}

describe("a verification", () => {
  test("sent as approved is stored as pending", async () => {
    const mallory = await newcomer();
    const verifications = mallory.client.from("user_verifications");
    const document_url = await uploadVerificationDocument(mallory);
    const forged = { ...submission(mallory, document_url), status: "approved" };
    const { data } = await verifications.insert(forged).select().single();
    expect(data).toMatchObject({ status: "pending", verified_at: null });
    const update = await verifications.update({ status: "approved" }).eq("user_id", mallory.id);
    expect(update.error).toMatchObject({ code: "42501" });
    const remove = await verifications.delete().eq("user_id", mallory.id);
    expect(remove.error).toMatchObject({ code: "42501" });
    const review = await mallory.client.rpc("review_verification", {
      verification_id: (data as { id: string }).id,
      decision: "approved",
    });
    expect(review.error).toMatchObject({ code: "FF002" });
    expect(await stored("user_verifications", "user_id", mallory.id)).toMatchObject([
      { status: "pending" },
    ]);
  });

  test("cannot set the columns of the outcome or belong to another account", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const name = await uploadVerificationDocument(mallory);
    const verifications = mallory.client.from("user_verifications");
    const dated = { ...submission(mallory, name), verified_at: new Date().toISOString() };
    expect((await verifications.insert(dated)).error).toMatchObject({ code: "42501" });
    const theirs = await verifications.insert(submission(victim, name));
    expect(theirs.error).toMatchObject({ code: "42501" });
    expect(await stored("user_verifications", "user_id", victim.id)).toEqual([]);
  });

  test("needs the caller's own uploaded document", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const theirs = await uploadVerificationDocument(victim);
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

  test("is stored once when sent several times at once", async () => {
    const mallory = await newcomer();
    const names = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((stamp) => uploadVerificationDocument(mallory, stamp)),
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

  test("is refused after five rejections", async () => {
    const mallory = await newcomer();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const verification_id = await handIn(mallory, attempt);
      const decision = { verification_id, decision: "rejected", reason: "Not readable" };
      expect((await admin.client.rpc("review_verification", decision)).error).toBeNull();
    }
    const name = await uploadVerificationDocument(mallory, 6);
    const sixth = await mallory.client.from("user_verifications").insert(submission(mallory, name));
    expect(sixth.error).toMatchObject({ code: "FF112" });
  });

  test("is decided once by an administrator, and can be read by its owner", async () => {
    const member = await newcomer();
    const verification_id = await handIn(member, 1);
    const queue = await admin.client.rpc("verification_queue");
    expect(queue.data).toContainEqual(
      expect.objectContaining({ id: verification_id, user_id: member.id, email: member.email }),
    );
    expect(await reviewVerification(admin, verification_id)).toBeNull();
    expect(await reviewVerification(admin, verification_id)).toMatchObject({ code: "FF121" });
    const { data } = await member.client.from("user_verifications").select("*").single();
    expect(data).toMatchObject({ status: "approved" });
  });
});

describe("a document", () => {
  test("is stored only under its owner's name and with an allowed type", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const upload = async (name: string, contentType = "image/png") =>
      (await documentsBucket(mallory.client).upload(name, onePixelPng, { contentType })).error;
    expect(await upload(`${victim.id}-verification-1.png`)).toMatchObject({ statusCode: "403" });
    expect(await upload(`${mallory.id}-verification-1.svg`, "image/svg+xml")).toMatchObject({
      statusCode: "415",
    });
    expect(await upload(`${mallory.id}-verification-1.png`, "text/html")).toMatchObject({
      statusCode: "415",
    });
    expect(await upload(`../${mallory.id}-verification-1.png`)).toMatchObject({
      statusCode: "404",
    });
    expect(await upload(`${mallory.id}/passport.png`)).toMatchObject({ statusCode: "403" });
    expect(await upload(`${mallory.id}-verification-1.png`)).toBeNull();
    const visitorUpload = await documentsBucket(anonymous()).upload(
      `${mallory.id}-verification-2.png`,
      onePixelPng,
      png,
    );
    expect(visitorUpload.error).toMatchObject({ statusCode: "403" });
  });

  test("is handed to administrators by a function, each time recorded", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const id = await handIn(victim, 1);
    const openings = async () =>
      (
        await owner.query(
          "select actor from private.audit_log where subject = $1 and action = 'verification.document_opened'",
          [victim.id],
        )
      ).rows;
    for (const account of [mallory, victim, await member("mentor-access")]) {
      expect(await openDocument(account, id)).toMatchObject({ status: 403, code: "forbidden" });
    }
    expect(await openDocument(await plainAdministrator(), id)).toMatchObject({
      status: 403,
      code: "admin_second_factor_due",
    });
    expect(await openDocument({ client: anonymous() }, id)).toMatchObject({ status: 401 });
    expect(await openDocument(admin, crypto.randomUUID())).toMatchObject({
      status: 404,
      code: "no_document",
    });
    expect(await openDocument(admin, "../x")).toMatchObject({ status: 400 });
    expect(await openings()).toEqual([]);
    for (const _ of [1, 2]) {
      const opened = await openDocument(admin, id);
      expect(opened).toMatchObject({ status: 200, type: "application/octet-stream" });
      expect(opened.bytes).toEqual(Buffer.from(onePixelPng));
    }
    expect(await openings()).toEqual([{ actor: admin.id }, { actor: admin.id }]);
  });

  test("can be read from the storage by its owner only, in every way", async () => {
    const [victim, mallory] = [await newcomer(), await newcomer()];
    const id = await handIn(victim, 1);
    const name = `${victim.id}-verification-1.png`;
    // Having opened it gives an administrator no link and no copy that would outlive the record.
    expect(await openDocument(admin, id)).toMatchObject({ status: 200 });
    const { data } = await documentsBucket(victim.client).download(name);
    expect(await data?.arrayBuffer()).toHaveProperty("byteLength", onePixelPng.byteLength);
    expect((await documentsBucket(victim.client).createSignedUrl(name, 60)).error).toBeNull();
    for (const client of [admin.client, mallory.client, anonymous()]) {
      expect((await documentsBucket(client).download(name)).error).toMatchObject({
        statusCode: "404",
      });
      for (const seconds of [60, 86_400])
        expect((await documentsBucket(client).createSignedUrl(name, seconds)).error).toMatchObject({
          statusCode: "404",
        });
      const copied = await documentsBucket(client).copy(name, `${admin.id}-verification-7.png`);
      expect(copied.error).toMatchObject({ statusCode: "404" });
      expect((await documentsBucket(client).list()).data ?? []).toEqual([]);
      const { publicUrl } = documentsBucket(client).getPublicUrl(name).data;
      expect((await fetch(publicUrl)).ok).toBe(false);
    }
  });

  test("cannot be overwritten, moved or removed, not even by its owner", async () => {
    const victim = await newcomer();
    const name = await uploadVerificationDocument(victim);
    const other = `${victim.id}-verification-99.png`;
    for (const client of [victim.client, admin.client, anonymous()]) {
      const bucket = documentsBucket(client);
      const again = await bucket.upload(name, onePixelPng, png);
      expect(again.error).toMatchObject({ statusCode: client === victim.client ? "409" : "403" });
      const upsert = await bucket.upload(name, onePixelPng, { ...png, upsert: true });
      expect(upsert.error).toMatchObject({ statusCode: "403" });
      expect((await bucket.update(name, onePixelPng, png)).error).toMatchObject({
        statusCode: "403",
      });
      expect((await bucket.move(name, other)).error).toMatchObject({ statusCode: "404" });
      const removed = await bucket.remove([name]);
      expect(removed.data ?? []).toEqual([]);
    }
    expect((await documentsBucket(victim.client).download(name)).error).toBeNull();
  });

  test("cannot be replaced through a signed upload URL, before or after its approval", async () => {
    const member = await newcomer();
    const name = `${member.id}-verification-1.png`;
    const links = [];
    for (let n = 0; n < 3; n += 1) {
      const signed = await documentsBucket(member.client).createSignedUploadUrl(name, {
        upsert: true,
      });
      links.push(signed.data?.token ?? "");
    }
    const put = async (token: string | undefined, bytes = onePixelPng) =>
      (await documentsBucket(anonymous()).uploadToSignedUrl(name, token ?? "", bytes, png)).error;
    expect(await put(links[0])).toBeNull();
    const other = Buffer.concat([onePixelPng, Buffer.from("other")]);
    expect(await put(links[1], other)).toMatchObject({ statusCode: "403" });
    const verification_id = await member.client
      .from("user_verifications")
      .insert(submission(member, name))
      .select("id")
      .single();
    expect(await reviewVerification(admin, verification_id.data?.id)).toBeNull();
    for (const link of links) {
      expect(await put(link, other)).toMatchObject({ statusCode: "403" });
    }
    const opened = await openDocument(admin, verification_id.data?.id);
    expect(opened.bytes.byteLength).toBe(onePixelPng.byteLength);
    // As the storage service of a hosted project writes: with the server role, past the policies.
    for (const sql of [
      "update storage.objects set version = gen_random_uuid()::text where name = $1",
      `insert into storage.objects (bucket_id, name, version) values ('verification-documents', $1, 'x')
         on conflict (bucket_id, name) do update set version = excluded.version`,
    ]) {
      const client = await owner.connect();
      await client.query("begin; set local role service_role");
      await expect(client.query(sql, [name])).rejects.toMatchObject({ code: "42501" });
      await client.query("rollback");
      client.release();
    }
  });

  test("cannot be stored under a name that was submitted before", async () => {
    const member = await newcomer();
    await handIn(member, 1);
    const name = `${member.id}-verification-1.png`;
    const link = (await documentsBucket(member.client).createSignedUploadUrl(name)).data?.token;
    expect(link).toBeUndefined();
    const client = await owner.connect();
    await client.query(
      "begin; select set_config('storage.allow_delete_query', 'true', true); set local role service_role",
    );
    await client.query("delete from storage.objects where name = $1", [name]);
    await client.query("commit");
    client.release();
    const again = await documentsBucket(member.client).upload(name, onePixelPng, png);
    expect(again.error).toMatchObject({ statusCode: "403" });
    const queue = await admin.client.rpc("verification_queue");
    const waiting = (queue.data as { user_id: string; id: string; document_state: string }[]).find(
      ({ user_id }) => user_id === member.id,
    );
    expect(waiting).toMatchObject({ document_state: "missing" });
    expect(await reviewVerification(admin, waiting?.id)).toMatchObject({ code: "FF125" });
    const rejection = { decision: "rejected", reason: "The file is gone." } as const;
    expect(await reviewVerification(admin, waiting?.id, rejection)).toBeNull();
  });

  test("is limited to 20 per account, with 60 concurrent uploads and with 30 signed URLs", async () => {
    const [mallory, eve] = [await newcomer(), await newcomer()];
    const uploads = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        documentsBucket(mallory.client).upload(
          `${mallory.id}-verification-${n}.png`,
          onePixelPng,
          png,
        ),
      ),
    );
    expect(uploads.filter(({ error }) => error === null)).toHaveLength(20);
    const links = await Promise.all(
      Array.from({ length: 30 }, async (_, n) => {
        const name = `${eve.id}-verification-${n}.png`;
        const { data } = await documentsBucket(eve.client).createSignedUploadUrl(name);
        return { name, token: data?.token ?? "" };
      }),
    );
    const used = await Promise.all(
      links.map(({ name, token }) =>
        documentsBucket(anonymous()).uploadToSignedUrl(name, token, onePixelPng, png),
      ),
    );
    expect(used.filter(({ error }) => error === null)).toHaveLength(20);
    const kept = await owner.query(
      `select left(name, 36) as who, count(*)::int from storage.objects
        where name like $1 || '-%' or name like $2 || '-%' group by 1`,
      [mallory.id, eve.id],
    );
    expect(kept.rows.map(({ count }) => count as number)).toEqual([20, 20]);
  });

  test("over 10 MB is refused", async () => {
    const mallory = await newcomer();
    const large = Buffer.concat([onePixelPng, Buffer.alloc(10 * 1024 * 1024)]);
    const { error } = await documentsBucket(mallory.client).upload(
      `${mallory.id}-verification-1.png`,
      large,
      png,
    );
    expect(error).toMatchObject({ statusCode: "413" });
  });
});
