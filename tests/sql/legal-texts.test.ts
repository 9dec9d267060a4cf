import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const publish = "select public.publish_legal_text($1, $2, $3) as version";
const inForce =
  "select version, body, summary from public.legal_texts where kind = $1 order by version desc limit 1";
const setBusiness = "select public.set_business_details($1, $2, $3, $4)";

/** What the bell of an account holds of one kind. */
async function bellOf(world: World, member: string): Promise<unknown[]> {
  return await world.run(
    "owner",
    "select place from private.notification_part_legal($1) order by id",
    [member],
  );
}

describe("a legal text", () => {
  test("is read by everybody, with or without an account", async ({ world }) => {
    for (const reader of ["anon", await world.newcomer(), await world.admin()] as const) {
      for (const kind of ["terms", "privacy", "refunds"]) {
        expect(await world.one(reader, inForce, [kind])).toMatchObject({
          version: 1,
          summary: null,
        });
      }
    }
  });

  test("gets a new version from an administrator; every account is told once, the earlier one stays", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const row = await world.one(admin, publish, ["terms", " ## Anew ", " Shorter words "]);
    expect(row["version"]).toBe(2);
    expect(await world.one("anon", inForce, ["terms"])).toEqual({
      version: 2,
      body: "## Anew",
      summary: "Shorter words",
    });
    expect(await world.one("anon", inForce, ["privacy"])).toMatchObject({ version: 1 });
    expect(await bellOf(world, ada)).toEqual([{ place: { what: "terms" } }]);
    expect(await bellOf(world, admin)).toEqual([]);
    await world.run(admin, publish, ["terms", "## Once more", "A comma"]);
    expect(await bellOf(world, ada)).toHaveLength(1);
    const all = "select version from public.legal_texts where kind = 'terms' order by version";
    expect((await world.run("anon", all)).map((each) => each["version"])).toEqual([1, 2, 3]);
    const log =
      "select actor, detail ->> 'summary' as summary from private.audit_log where action = 'legal_text.published' order by id";
    expect(await world.run("owner", log)).toEqual([
      { actor: admin, summary: "Shorter words" },
      { actor: admin, summary: "A comma" },
    ]);
  });

  test("is changed by nobody else, and by no other way", async ({ world }) => {
    const ada = await world.member("mentor-access");
    const given = ["terms", "Free for all", "Mine now"];
    await world.refused(ada, "FF002", publish, given);
    await world.refused("anon", "42501", publish, given);
    for (const actor of [ada, "anon", await world.admin()] as const) {
      await world.refused(actor, "42501", "update public.legal_texts set body = 'Free'");
      await world.refused(actor, "42501", "delete from public.legal_texts");
    }
  });

  test("needs a kind, a text within the bounds of Markdown, and what changed", async ({
    world,
  }) => {
    const admin = await world.admin();
    for (const [code, kind, body, summary] of [
      ["FF270", "cookies", "Text", "New"],
      ["FF271", "terms", " ", "New"],
      ["FF271", "terms", "x".repeat(50_001), "New"],
      ["FF272", "terms", "Text", "\u200b"],
      ["FF272", "terms", "Text", "x".repeat(301)],
      ["FF660", "terms", ">".repeat(400), "New"],
    ] as const) {
      await world.refused(admin, code, publish, [kind, body, summary]);
    }
    expect(await world.one("anon", inForce, ["terms"])).toMatchObject({ version: 1 });
  });
});

describe("who sells here", () => {
  const read =
    "select legal_name, address, company_number, vat_number from public.business_details";

  test("is said by administrators and read by everybody; empty fields are not said", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.run(admin, setBusiness, [" Fourfold Ltd ", "1 Road\nLondon", "12345678", " "]);
    const said = {
      legal_name: "Fourfold Ltd",
      address: "1 Road\nLondon",
      company_number: "12345678",
      vat_number: null,
    };
    expect(await world.one("anon", read)).toEqual(said);
    expect(await world.one(await world.newcomer(), read)).toEqual(said);
  });

  test("is refused to others, and when something is too long", async ({ world }) => {
    const given = ["Mallory Ltd", null, null, null];
    await world.refused(await world.member(), "FF002", setBusiness, given);
    await world.refused("anon", "42501", setBusiness, given);
    await world.refused(await world.admin(), "FF273", setBusiness, ["x".repeat(201), "", "", ""]);
    expect(await world.one("anon", read)).toMatchObject({ legal_name: null });
  });
});

describe("accepting the terms", () => {
  const accept = "select public.billing_accept_terms($1, $2) as accepted";

  test("counts for the version in force, once, at its first time", async ({ world }) => {
    const [ada, admin] = [await world.newcomer(), await world.admin()];
    const accepted = async (version: number | null) =>
      (await world.one("service_role", accept, [ada, version]))["accepted"];
    expect(await accepted(null)).toBe(false);
    expect(await accepted(2)).toBe(false);
    expect(await accepted(1)).toBe(true);
    expect(await accepted(1)).toBe(true);
    await world.run(admin, publish, ["terms", "New", "New"]);
    expect(await accepted(1)).toBe(false);
    expect(await accepted(2)).toBe(true);
    const kept = "select version from private.terms_acceptances where user_id = $1 order by 1";
    expect(await world.run("owner", kept, [ada])).toEqual([{ version: 1 }, { version: 2 }]);
    await world.refused(ada, "42501", accept, [ada, 2]);
  });
});
