import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import {
  achievementsOf,
  certificateOf,
  finishCourse,
  graduate,
  sharedCard,
  someVisitor,
  verified,
} from "./achievement-world.ts";
import { atLevel, courseOf, enrol, shelf } from "./library-world.ts";
import { namedMember } from "./people-world.ts";
import { recordProgressEvent } from "./progress-events.ts";
import { test, type Row, type World } from "./world.ts";

const readSql = "select public.my_certificate($1) as certificate";
const shareSql = "select public.share_card($1, $2) as code";
const revokeSql = "select public.revoke_certificate($1, $2)";

async function read(world: World, member: string, id: unknown): Promise<Row | null> {
  return (await world.one(member, readSql, [id]))["certificate"] as Row | null;
}

async function share(
  world: World,
  member: string,
  achievement: string | null,
  id: string | null = null,
) {
  return String((await world.one(member, shareSql, [achievement, id]))["code"]);
}

describe("a certificate", () => {
  test("is issued by the last lesson, once, with the names of that day", async ({ world }) => {
    const mentor = await namedMember(world, "Grace", "Hopper", "Admiral");
    const ada = await atLevel(world, 2);
    const { id: course, modules } = await courseOf(world, await shelf(world, "general"), 2);
    await world.run(
      "owner",
      "update public.courses set mentor_id = $2, title = 'Compilers' where id = $1",
      [course, mentor],
    );
    await enrol(world, ada, course);
    const complete =
      "insert into public.module_completions (user_id, module_id) values ($1, $2) on conflict do nothing";
    await world.run(ada, complete, [ada, modules[0]]);
    expect((await achievementsOf(world, ada)).certificates).toEqual([]);
    await world.run(ada, complete, [ada, modules[1]]);
    await world.run(ada, complete, [ada, modules[1]]);
    const { certificates } = await achievementsOf(world, ada);
    expect(certificates).toMatchObject([
      { course: "Compilers", course_id: course, is_revoked: false },
    ]);
    await world.run("owner", "update public.profiles set first_name = 'Augusta' where id = $1", [
      ada,
    ]);
    await world.run("owner", "update public.profiles set first_name = 'G.' where id = $1", [
      mentor,
    ]);
    await world.run("owner", "update public.courses set title = 'Renamed' where id = $1", [course]);
    const certificate = await read(world, ada, certificates[0]?.["id"]);
    expect(certificate).toMatchObject({
      name: "Ada Byron",
      course: "Compilers",
      mentor: "Grace Hopper",
    });
    expect(certificate?.["code"]).toMatch(/^[0-9a-hjkmnp-tv-z]{20}$/);
  });

  test("is read by its member alone, also after a lapse", async ({ world }) => {
    const { member } = await graduate(world);
    const { id } = await certificateOf(world, member);
    await world.setSubscriptionStatus(member, "canceled");
    expect(await read(world, member, id)).toMatchObject({ course: "Pricing your work" });
    for (const other of [await world.member(), await world.admin()]) {
      expect(await read(world, other, id)).toBeNull();
    }
    expect(await read(world, member, randomUUID())).toBeNull();
    await world.refused("anon", "42501", readSql, [id]);
    await world.refused(member, "42501", "select code from private.certificates");
  });

  test("is not made by what a client claims", async ({ world }) => {
    const ada = await atLevel(world, 2);
    const { id: course } = await courseOf(world, await shelf(world, "general"), 2);
    await enrol(world, ada, course);
    await world
      .run(
        ada,
        "update public.course_enrollments set completed_at = now(), progress_percentage = 100 where course_id = $1",
        [course],
      )
      .catch(() => []);
    await world.refused(ada, "42501", "select private.issue_certificate($1, $2, now())", [
      ada,
      course,
    ]);
    await world.refused(
      ada,
      "42501",
      "insert into private.certificates (user_id, course_id) values ($1, $2)",
      [ada, course],
    );
    expect((await achievementsOf(world, ada)).certificates).toEqual([]);
  });

  test("goes with its account, and a deleted mentor's name goes from it", async ({ world }) => {
    const mentor = await namedMember(world, "Grace", "Hopper", "Admiral");
    const { member, course } = await graduate(world);
    await world.run(
      "owner",
      "update private.certificates set mentor_id = $2, mentor_name = 'Grace Hopper' where course_id = $1",
      [course, mentor],
    );
    const { code } = await certificateOf(world, member);
    expect(await verified(world, code)).toMatchObject({ mentor: "Grace Hopper" });
    await world.run("owner", "delete from auth.users where id = $1", [mentor]);
    expect(await verified(world, code)).toMatchObject({ name: "Ada Byron", mentor: null });
    await world.run("owner", "delete from auth.users where id = $1", [member]);
    expect(await verified(world, code)).toBeNull();
  });
});

describe("verifying", () => {
  test("says name, course, mentor, day and whether it is valid, and nothing else", async ({
    world,
  }) => {
    const { member } = await graduate(world);
    const { code } = await certificateOf(world, member);
    const { today } = await world.one(
      "owner",
      "select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as today",
    );
    const answer = {
      name: "Ada Byron",
      course: "Pricing your work",
      mentor: null,
      completed_on: today,
      is_revoked: false,
    };
    expect(await verified(world, code)).toEqual(answer);
    const typed = ` ${code.slice(0, 5)}-${code.slice(5, 10)} ${code.slice(10).toUpperCase()} `
      .replaceAll("0", "O")
      .replaceAll("1", "l");
    expect(await verified(world, typed)).toEqual(answer);
  });

  test("does not know a wrong code", async ({ world }) => {
    const { member } = await graduate(world);
    const { id, code } = await certificateOf(world, member);
    for (const wrong of ["", "%", code.slice(0, 19), `${code}0`, id, "x".repeat(5000)]) {
      expect(await verified(world, wrong)).toBeNull();
    }
  });

  test("is for the server, on behalf of a visitor, thirty times a minute", async ({ world }) => {
    const { member } = await graduate(world);
    const { code } = await certificateOf(world, member);
    const sql = "select public.verify_certificate($1, $2)";
    for (const actor of ["anon", member, await world.admin()]) {
      await world.refused(actor, "42501", sql, [code, someVisitor]);
    }
    await world.refused("service_role", "23514", sql, [code, "203.0.113.9"]);
    await world.refused("service_role", "23502", sql, [code, null]);
    for (let use = 1; use <= 29; use += 1) await verified(world, "wrong");
    expect(await verified(world, code)).not.toBeNull();
    await world.refused("service_role", "FF300", sql, [code, someVisitor]);
    await world.refused("service_role", "FF300", "select public.shared_card($1, $2)", [
      code,
      someVisitor,
    ]);
    expect(await verified(world, code, "b".repeat(64))).not.toBeNull();
    await world.run(
      "owner",
      "update private.visitor_usage set recent = array[now() - interval '61 seconds']",
    );
    expect(await verified(world, code)).not.toBeNull();
  });

  test("forgets visitors after an hour", async ({ world }) => {
    await verified(world, "wrong");
    await world.run(
      "owner",
      "update private.visitor_usage set last_at = now() - interval '61 minutes'",
    );
    await verified(world, "wrong", "b".repeat(64));
    expect(await world.run("owner", "select visitor from private.visitor_usage")).toEqual([
      { visitor: "b".repeat(64) },
    ]);
  });
});

describe("revoking", () => {
  test("is for administrators with a second factor, with a reason, once, and audited", async ({
    world,
  }) => {
    const { member } = await graduate(world);
    const { code, id } = await certificateOf(world, member);
    const card = await share(world, member, null, id);
    const admin = await world.admin();
    await world.refused(member, "FF002", revokeSql, [code, "Copied"]);
    await world.refused("anon", "42501", revokeSql, [code, "Copied"]);
    await world.refused(await world.plainAdmin(), "FF005", revokeSql, [code, "Copied"]);
    for (const reason of [null, " ", "x".repeat(501)]) {
      await world.refused(admin, "FF861", revokeSql, [code, reason]);
    }
    await world.refused(admin, "FF862", revokeSql, ["nothing", "Copied"]);
    expect(await verified(world, code)).toMatchObject({ is_revoked: false });
    await world.run(admin, revokeSql, [code, "Copied work"]);
    await world.refused(admin, "FF862", revokeSql, [code, "Again"]);
    expect(await verified(world, code)).toMatchObject({ is_revoked: true });
    expect(JSON.stringify(await verified(world, code))).not.toContain("Copied");
    expect(await read(world, member, id)).toMatchObject({ is_revoked: true });
    expect(await sharedCard(world, card)).toBeNull();
    await world.refused(member, "FF860", shareSql, [null, id]);
    const log =
      "select actor, detail from private.audit_log where action = 'certificate.revoked' and subject = $1";
    expect(await world.one("owner", log, [member])).toEqual({
      actor: admin,
      detail: {
        certificate: id,
        reason: "Copied work",
        before: { revoked_at: null },
        after: { revoked_at: expect.any(String) as string },
      },
    });
  });
});

describe("a shared card", () => {
  test("is public by the member's own act alone, and says its words and nothing else", async ({
    world,
  }) => {
    const ada = await world.member();
    await recordProgressEvent(world, ada, "room_opened", "one");
    const code = await share(world, ada, "first_room");
    expect(await share(world, ada, "first_room")).toBe(code);
    const card = await sharedCard(world, code);
    expect(Object.keys(card ?? {}).toSorted()).toEqual(["day", "line", "name", "title"]);
    expect(card).toMatchObject({
      name: "Ada Byron",
      title: "First room",
      line: "Opened a first room.",
    });
    expect((await achievementsOf(world, ada)).shared).toEqual([
      { code, achievement: "first_room", certificate_id: null },
    ]);
    const other = await world.member();
    await world.run(other, "select public.stop_sharing($1)", [code]);
    expect(await sharedCard(world, code)).not.toBeNull();
    await world.run(ada, "select public.stop_sharing($1)", [code]);
    expect(await sharedCard(world, code)).toBeNull();
    expect(await share(world, ada, "first_room")).not.toBe(code);
  });

  test("is of what the caller has: not of others', not yet earned, not both, not nothing", async ({
    world,
  }) => {
    const { member } = await graduate(world);
    const { id } = await certificateOf(world, member);
    const mallory = await world.member();
    for (const [achievement, certificate] of [
      [null, id],
      ["first_course", null],
      ["weeks_52", null],
      ["no_such", null],
      [null, null],
    ]) {
      await world.refused(mallory, "FF860", shareSql, [achievement, certificate]);
    }
    await world.refused(member, "FF860", shareSql, ["first_course", id]);
    for (const actor of ["anon", "service_role"])
      await world.refused(actor, "42501", shareSql, [null, id]);
    for (const actor of ["anon", mallory]) {
      await world.refused(actor, "42501", "select public.shared_card('x', $1)", [someVisitor]);
    }
    await world.refused(
      mallory,
      "42501",
      "insert into private.shared_cards (user_id, achievement, member_name) values ($1, 'weeks_52', 'M')",
      [mallory],
    );
    expect((await achievementsOf(world, mallory)).shared).toEqual([]);
  });

  test("of a certificate names the course; none is shown of a suspended member, thirty are made an hour", async ({
    world,
  }) => {
    const { member } = await graduate(world, "<script>alert(1)</script>");
    await finishCourse(world, member, "Another");
    const { id } = await certificateOf(world, member);
    const code = await share(world, member, null, id);
    const { certificates } = await achievementsOf(world, member);
    const course = certificates.find((each) => each["id"] === id)?.["course"];
    expect(await sharedCard(world, code)).toMatchObject({
      title: course,
      line: "Finished the course.",
    });
    for (let use = 2; use <= 30; use += 1) await share(world, member, null, id);
    await world.refused(member, "FF300", shareSql, [null, id]);
    await world.run(
      "owner",
      "update auth.users set banned_until = now() + interval '1 day' where id = $1",
      [member],
    );
    expect(await sharedCard(world, code)).toBeNull();
  });
});
