import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

/** The e-mails of an account without its welcome, oldest first. */
async function emails(world: World, member: string): Promise<Row[]> {
  const sql = `select template, data from private.email_outbox
    where user_id = $1 and template <> 'welcome' order by created_at`;
  return await world.run("owner", sql, [member]);
}

describe("a decision about an identity document", () => {
  test("is told with its reason, once for each document", async ({ world }) => {
    const [ada, admin] = [await world.newcomer(), await world.admin()];
    await world.reject(ada, 2, admin);
    const row = await world.handIn(ada, "99");
    await world.approve(admin, row["id"]);
    const rejected = {
      template: "identity_rejected",
      data: { document_type: "passport", reason: "Not readable" },
    };
    expect(await emails(world, ada)).toEqual([
      rejected,
      rejected,
      { template: "identity_approved", data: { document_type: "passport" } },
    ]);
  });
});

describe("a reset after five rejections", () => {
  test("is told once, also when the account is reset again later", async ({ world }) => {
    const [ada, admin] = [await world.newcomer(), await world.admin()];
    const decide = "select public.decide_flagged_verification($1, $2, 'Sent a good scan')";
    const reset = { template: "identity_attempts_reset", data: {} };
    const resets = async () =>
      (await emails(world, ada)).filter(({ template }) => template === reset.template);
    await world.reject(ada, 5, admin);
    await world.run(admin, decide, [ada, "keep_closed"]);
    expect(await resets()).toEqual([]);
    await world.run(admin, decide, [ada, "reset"]);
    await world.refused(admin, "FF121", decide, [ada, "reset"]);
    expect(await resets()).toEqual([reset]);
  });
});
