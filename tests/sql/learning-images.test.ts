import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const bucketName = "learning-images";
const uploadSql = `insert into storage.objects (bucket_id, name, owner_id) values ('${bucketName}', $1, $2)`;
const root = `/storage/v1/object/public/${bucketName}`;

async function shareWith(world: World, user: string, image_url: string | null): Promise<Row> {
  const row = {
    user_id: user,
    submission_type: "before_after",
    title: "Then and now",
    content: "See.",
  };
  return await world.insert(user, "learning_submissions", { ...row, image_url });
}

describe("the bucket for pictures", () => {
  test("is public, takes less than 5 MB and two types", async ({ world }) => {
    expect(
      await world.one("owner", "select * from storage.buckets where id = $1", [bucketName]),
    ).toMatchObject({
      public: true,
      file_size_limit: "5242879",
      allowed_mime_types: ["image/jpeg", "image/png"],
    });
  });

  test.for(["jpg", "jpeg", "png"])("takes a .%s under a member's name", async (ext, { world }) => {
    const user = await world.member();
    expect(await world.count(user, uploadSql, [`${user}-1700000000000.${ext}`, user])).toBe(1);
  });

  test("refuses other names, and uploads of accounts that are not members", async ({ world }) => {
    const [user, victim, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    for (const name of [
      `${victim}-1.png`,
      `${user}-.png`,
      `${user}-1.svg`,
      `${user}-1.html`,
      `${user}-1.PNG`,
      `${user}-1.png.exe`,
      `${user}-1.png/x`,
      `x/${user}-1.png`,
      `${user}-${"1".repeat(21)}.png`,
      `${user}-1.png\n`,
      "picture.png",
    ]) {
      await world.refused(user, "42501", uploadSql, [name, user]);
    }
    await world.refused(newcomer, "42501", uploadSql, [`${newcomer}-1.png`, newcomer]);
    await world.refused("anon", "42501", uploadSql, [`${user}-1.png`, user]);
    await world.setSubscriptionStatus(user, "past_due");
    await world.refused(user, "42501", uploadSql, [`${user}-1.png`, user]);
  });

  test("cannot be listed, changed or emptied by clients", async ({ world }) => {
    const user = await world.member();
    await world.run(user, uploadSql, [`${user}-1.png`, user]);
    for (const actor of [user, await world.admin(), "anon"]) {
      const mine = `from storage.objects where bucket_id = '${bucketName}'`;
      expect(await world.run(actor, `select name ${mine}`)).toEqual([]);
      const rename = `update storage.objects set name = 'x' where bucket_id = '${bucketName}'`;
      expect(await world.count(actor, rename)).toBe(0);
    }
  });

  test("takes 20 pictures of an account in an hour", async ({ world }) => {
    const [user, other] = [await world.member(), await world.member()];
    for (let n = 1; n <= 20; n += 1) await world.run(user, uploadSql, [`${user}-${n}.png`, user]);
    await world.refused(user, "42501", uploadSql, [`${user}-21.png`, user]);
    await world.run(other, uploadSql, [`${other}-1.png`, other]);
    const older = `update storage.objects set created_at = now() - interval '61 minutes' where name = $1`;
    await world.run("owner", older, [`${user}-1.png`]);
    await world.run(user, uploadSql, [`${user}-21.png`, user]);
  });
});

describe("the picture of a submission", () => {
  test("is stored with its public URL on this server, whatever URL the client sends", async ({
    world,
  }) => {
    const user = await world.member();
    const name = `${user}-1700000000000.png`;
    await world.store(name, bucketName);
    world.issuer = { iss: "https://fourfold.test/auth/v1" };
    for (const sent of [
      name,
      `${root}/${name}`,
      `http://127.0.0.1:3000${root}/${name}`,
      `https://elsewhere.test${root}/${name}?track=me#x`,
      `javascript:alert(1)//${name}`,
    ]) {
      expect(await shareWith(world, user, sent)).toMatchObject({
        image_url: `https://fourfold.test${root}/${name}`,
      });
    }
    expect(await shareWith(world, user, null)).toMatchObject({ image_url: null });
  });

  test.for([
    "https://evil.test",
    "https://evil.test/x/auth/v1",
    "https://evil.test/?/auth/v1",
    "javascript:alert(1)/auth/v1",
    "supabase",
  ])("has no origin when the token's issuer is %s", async (iss, { world }) => {
    world.issuer = { iss };
    const user = await world.member();
    const name = `${user}-1.png`;
    await world.store(name, bucketName);
    expect(await shareWith(world, user, `https://evil.test${root}/${name}`)).toMatchObject({
      image_url: `${root}/${name}`,
    });
  });

  test("moves to a new address when the owner says so", async ({ world }) => {
    const user = await world.member();
    const name = `${user}-1.png`;
    await world.store(name, bucketName);
    world.issuer = { iss: "https://fourfold.test/auth/v1" };
    await shareWith(world, user, name);
    const move = "select private.move_image_urls($1) as moved";
    const other = "http://127.0.0.1:3000";
    expect((await world.one("owner", move, [other]))["moved"]).toBeGreaterThan(0);
    expect((await world.one("owner", move, [other]))["moved"]).toBe(0);
    const stored = "select image_url from public.learning_submissions where user_id = $1";
    expect(await world.one("owner", stored, [user])).toEqual({
      image_url: `${other}${root}/${name}`,
    });
    for (const wrong of [null, "", "evil.test", "https://evil.test/x", "https://a b"]) {
      await world.refused("owner", "P0001", move, [wrong]);
    }
    for (const actor of ["service_role", user]) {
      await world.refused(actor, "42501", move, [other]);
    }
  });

  test("must be uploaded by the author", async ({ world }) => {
    const [user, victim] = [await world.member(), await world.member()];
    const [stolen, document] = [`${victim}-1.png`, `${user}-verification-1.png`];
    await world.store(stolen, bucketName);
    await world.store(document);
    const sql = `insert into public.learning_submissions (user_id, submission_type, title, content, image_url)
      values ($1, 'success', 'x', 'x', $2)`;
    for (const image of [
      stolen,
      document,
      `${user}-9.png`,
      "",
      `https://elsewhere.test/x.png`,
      `${user}-1.svg`,
    ]) {
      await world.refused(user, "FF331", sql, [user, image]);
    }
    for (const image of ["x".repeat(601), `https://evil.test/${user}-1.png`, `${root}/../x.png`]) {
      await world.refused("owner", "23514", sql, [user, image]);
    }
  });
});

describe("unused pictures", () => {
  const due = "select array(select public.learning_images_to_purge($1, $2)) as names";

  test("are due a day after their upload, by name and in batches", async ({ world }) => {
    const user = await world.member();
    const names = [1, 2, 3, 4].map((n) => `${user}-${n}.png`);
    for (const name of names) await world.store(name, bucketName);
    const older =
      "update storage.objects set created_at = now() - interval '25 hours' where name = any ($1)";
    await world.run("owner", older, [names.slice(0, 3)]);
    await shareWith(world, user, names[1] ?? "");
    const found = async (after: string, batch: number) =>
      (await world.one("service_role", due, [after, batch]))["names"] as string[];
    const ours = (await found("", 1000)).filter((name) => name.startsWith(user));
    expect(ours).toEqual([names[0], names[2]]);
    expect((await found(names[0] ?? "", 1))[0]).toBe(names[2]);
    const { id } = await world.one(
      "owner",
      "select id from public.learning_submissions where user_id = $1",
      [user],
    );
    await world.run(user, "select public.delete_submission($1)", [id]);
    expect((await found(names[0] ?? "", 1))[0]).toBe(names[1]);
  });

  test("are listed for the server role only", async ({ world }) => {
    for (const actor of [await world.member(), await world.admin(), "anon"]) {
      await world.refused(actor, "42501", due, ["", 1]);
    }
  });
});
