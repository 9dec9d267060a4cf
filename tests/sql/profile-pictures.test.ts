import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const bucketName = "profile-pictures";
const uploadSql = `insert into storage.objects (bucket_id, name, owner_id) values ('${bucketName}', $1, $2)`;
const setSql = "select public.set_my_picture($1) as former";
const removeSql = "select public.admin_remove_picture($1, $2) as former";
const why = "Not a picture of a person";
const root = `/storage/v1/object/public/${bucketName}`;

async function told(world: World, member: string): Promise<readonly unknown[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: readonly unknown[] }).items;
}

async function pictureOf(world: World, user: string): Promise<unknown> {
  const sql = "select avatar_url from public.profiles where id = $1";
  return (await world.one("owner", sql, [user]))["avatar_url"];
}

/** Uploads a picture and shows it. @returns its name. */
async function show(world: World, user: string, stamp = 1): Promise<string> {
  const name = `${user}-${stamp}.jpg`;
  await world.run(user, uploadSql, [name, user]);
  await world.run(user, setSql, [name]);
  return name;
}

describe("the bucket for profile pictures", () => {
  test("is public and takes pictures under 5 MB", async ({ world }) => {
    expect(
      await world.one("owner", "select * from storage.buckets where id = $1", [bucketName]),
    ).toMatchObject({
      public: true,
      file_size_limit: "5242879",
      allowed_mime_types: ["image/jpeg", "image/png"],
    });
  });

  test("takes a member's own names, and refuses others and accounts that are not members", async ({
    world,
  }) => {
    const [user, victim, newcomer] = [
      await world.member(),
      await world.member(),
      await world.newcomer(),
    ];
    for (const ext of ["jpg", "jpeg", "png"]) {
      expect(await world.count(user, uploadSql, [`${user}-1.${ext}`, user])).toBe(1);
    }
    for (const name of [
      `${victim}-1.png`,
      `${user}-.png`,
      `${user}-1.svg`,
      `${user}-1.webp`,
      `${user}-1.png/x`,
      `x/${user}-1.png`,
      `${user}-${"1".repeat(21)}.png`,
      `${user}-1.png\n`,
      "picture.png",
    ]) {
      await world.refused(user, "42501", uploadSql, [name, user]);
    }
    await world.refused(newcomer, "42501", uploadSql, [`${newcomer}-1.png`, newcomer]);
    await world.refused("anon", "42501", uploadSql, [`${user}-2.png`, user]);
    await world.setSubscriptionStatus(user, "past_due");
    await world.refused(user, "42501", uploadSql, [`${user}-2.png`, user]);
  });

  test("is listed and emptied by the owner and by administrators with a second factor only", async ({
    world,
  }) => {
    const [user, other] = [await world.member(), await world.member()];
    const name = await show(world, user);
    const list = `select name from storage.objects where bucket_id = '${bucketName}' and name = $1`;
    const remove = `delete from storage.objects where bucket_id = '${bucketName}' and name = $1`;
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    for (const actor of [other, "anon", await world.plainAdmin()]) {
      expect(await world.run(actor, list, [name])).toEqual([]);
      expect(await world.count(actor, remove, [name])).toBe(0);
    }
    for (const actor of [user, await world.admin()]) {
      const rename = `update storage.objects set name = 'x' where name = $1`;
      expect(await world.count(actor, rename, [name])).toBe(0);
    }
    expect(await world.run(user, list, [name])).toHaveLength(1);
    expect(await world.count(user, remove, [name])).toBe(1);
    const second = await show(world, user, 2);
    expect(await world.count(await world.admin(), remove, [second])).toBe(1);
  });

  test("keeps a stored picture as it is, for the server too", async ({ world }) => {
    const name = await show(world, await world.member());
    for (const change of ["version = 'x'", "bucket_id = 'elsewhere'", "name = 'x'"]) {
      const sql = `update storage.objects set ${change} where name = $1`;
      await world.refused("owner", "42501", sql, [name]);
    }
  });

  test("takes 20 uploads of an account in an hour, also when they were deleted", async ({
    world,
  }) => {
    const [user, other] = [await world.member(), await world.member()];
    await world.run("owner", "select set_config('storage.allow_delete_query', 'true', true)");
    for (let n = 1; n <= 20; n += 1) {
      await world.run(user, uploadSql, [`${user}-${n}.png`, user]);
      await world.run(user, "delete from storage.objects where name = $1", [`${user}-${n}.png`]);
    }
    await world.refused(user, "42501", uploadSql, [`${user}-21.png`, user]);
    // The storage service of a hosted project writes with the server's role.
    await world.refused("service_role", "42501", uploadSql, [`${user}-21.png`, user]);
    await world.run("service_role", uploadSql, [`${other}-2.png`, other]);
    await world.run(other, uploadSql, [`${other}-1.png`, other]);
    await world.refused(other, "42501", uploadSql, [`${user}-22.png`, other]);
  });
});

describe("a profile picture", () => {
  test("is set with its public URL on this server, seen by members, replaced and removed", async ({
    world,
  }) => {
    const [user, other] = [await world.member(), await world.member()];
    world.issuer = { iss: "https://fourfold.test/auth/v1" };
    const first = `${user}-1.jpg`;
    const second = `${user}-2.jpg`;
    for (const name of [first, second]) await world.run(user, uploadSql, [name, user]);
    expect(await world.one(user, setSql, [first])).toEqual({ former: null });
    const seen = "select avatar_url from public.profiles where id = $1";
    expect(await world.one(other, seen, [user])).toEqual({
      avatar_url: `https://fourfold.test${root}/${first}`,
    });
    expect(await world.one(user, setSql, [first])).toEqual({ former: null });
    expect(await world.one(user, setSql, [second])).toEqual({ former: first });
    expect(await pictureOf(world, other)).toBeNull();
    expect(await world.one(user, setSql, [null])).toEqual({ former: second });
    expect(await world.one(user, setSql, [null])).toEqual({ former: null });
    expect(await pictureOf(world, user)).toBeNull();
  });

  test("is a recent upload of the caller", async ({ world }) => {
    const [user, victim] = [await world.member(), await world.member()];
    const old = `${user}-7.jpg`;
    await world.store(old, bucketName);
    const older =
      "update storage.objects set created_at = now() - interval '31 minutes' where name = $1";
    await world.run("owner", older, [old]);
    await world.store(`${user}-8.jpg`, "learning-images");
    const theirs = await show(world, victim);
    for (const name of [
      old,
      theirs,
      `${user}-8.jpg`,
      `${user}-9.jpg`,
      "",
      `https://evil.test${root}/${user}-9.jpg`,
    ]) {
      await world.refused(user, "FF340", setSql, [name]);
    }
    expect(await pictureOf(world, user)).toBeNull();
    for (const wrong of [`https://evil.test/${user}-1.jpg`, `${root}/../x.jpg`, "x".repeat(601)]) {
      const write = "update public.profiles set avatar_url = $2 where id = $1";
      await world.refused("owner", "23514", write, [user, wrong]);
    }
  });

  test("is not written past the function", async ({ world }) => {
    const user = await world.member();
    const name = await show(world, user);
    const url = `${root}/${name}`;
    const update = "update public.profiles set avatar_url = $2 where id = $1";
    await world.refused(user, "42501", update, [user, url]);
    const insert = "insert into public.profiles (id, avatar_url) values ($1, $2)";
    await world.refused(user, "42501", insert, [user, url]);
    await world.refused("anon", "42501", setSql, [name]);
    await world.refused("anon", "42501", "select avatar_url from public.profiles");
  });

  test("is set by members only; a former member still removes it", async ({ world }) => {
    const [user, newcomer] = [await world.member(), await world.newcomer()];
    const first = await show(world, user);
    await world.run(user, uploadSql, [`${user}-2.jpg`, user]);
    await world.setSubscriptionStatus(user, "canceled");
    await world.refused(user, "FF341", setSql, [`${user}-2.jpg`]);
    expect(await world.one(user, setSql, [null])).toEqual({ former: first });
    await world.store(`${newcomer}-1.jpg`, bucketName);
    await world.refused(newcomer, "FF341", setSql, [`${newcomer}-1.jpg`]);
  });

  test("moves to a new address with the others", async ({ world }) => {
    const user = await world.member();
    world.issuer = { iss: "https://fourfold.test/auth/v1" };
    const name = await show(world, user);
    const move = "select private.move_image_urls($1) as moved";
    const other = "http://127.0.0.1:3000";
    expect((await world.one("owner", move, [other]))["moved"]).toBeGreaterThan(0);
    expect((await world.one("owner", move, [other]))["moved"]).toBe(0);
    expect(await pictureOf(world, user)).toBe(`${other}${root}/${name}`);
  });
});

describe("a picture an administrator removes", () => {
  test("goes from the profile, with a reason in the audit log", async ({ world }) => {
    const [admin, user] = [await world.admin(), await world.member()];
    await world.refused(admin, "FF342", removeSql, [user, why]);
    const name = await show(world, user);
    expect(await world.one(admin, removeSql, [user, ` ${why} `])).toEqual({ former: name });
    expect(await pictureOf(world, user)).toBeNull();
    const entry =
      "select actor, action, detail from private.audit_log where subject = $1 order by id desc limit 1";
    expect(await world.one("owner", entry, [user])).toEqual({
      actor: admin,
      action: "account.picture_removed",
      detail: { reason: why, before: { picture: name }, after: { picture: null } },
    });
    expect(await told(world, user)).toMatchObject([
      { kind: "moderated", what: "picture", is_kept: false, excerpt: why, actor: null },
    ]);
    expect(JSON.stringify(await told(world, user))).not.toContain(admin);
    await world.refused(admin, "FF342", removeSql, [user, why]);
  });

  test("stays for members, mentors, visitors and administrators without a second factor", async ({
    world,
  }) => {
    const user = await world.member();
    await show(world, user);
    for (const schema of ["public", "private"]) {
      const sql = `select ${schema}.admin_remove_picture($1, $2)`;
      await world.refused("anon", "42501", sql, [user, why]);
      for (const actor of [user, await world.member("mentor-access")]) {
        await world.refused(actor, "FF002", sql, [user, why]);
      }
      await world.refused(await world.plainAdmin(), "FF005", sql, [user, why]);
    }
    const admin = await world.admin();
    for (const reason of [null, "  ", "x".repeat(501)]) {
      await world.refused(admin, "FF344", removeSql, [user, reason]);
    }
    await world.refused(admin, "FF510", removeSql, ["00000000-0000-4000-8000-000000000000", why]);
    await world.refused(admin, "FF513", removeSql, [admin, why]);
    expect(await pictureOf(world, user)).not.toBeNull();
    expect(await told(world, user)).toEqual([]);
  });
});

describe("pictures no profile shows", () => {
  const due = "select array(select public.profile_pictures_to_purge($1, $2)) as names";

  test("are due an hour after their upload, by name and in batches", async ({ world }) => {
    const user = await world.member();
    const names = [1, 2, 3, 4].map((n) => `${user}-${n}.jpg`);
    for (const name of names) await world.run(user, uploadSql, [name, user]);
    await world.run(user, setSql, [names[1]]);
    const older =
      "update storage.objects set created_at = now() - interval '61 minutes' where name = any ($1)";
    await world.run("owner", older, [names.slice(0, 3)]);
    const found = async (after: string, batch: number) =>
      (await world.one("service_role", due, [after, batch]))["names"] as string[];
    const ours = (await found("", 1000)).filter((name) => name.startsWith(user));
    expect(ours).toEqual([names[0], names[2]]);
    expect((await found(names[0] ?? "", 1))[0]).toBe(names[2]);
    await world.run(user, setSql, [null]);
    expect((await found(names[0] ?? "", 1))[0]).toBe(names[1]);
  });

  test("are listed for the server role only", async ({ world }) => {
    for (const actor of [await world.member(), await world.admin(), "anon"]) {
      await world.refused(actor, "42501", due, ["", 1]);
    }
  });
});
