import { describe, expect } from "vitest";
import { test } from "./world.ts";

describe("the queue of disputes", () => {
  test("lists open disputes with what is due, and those of deleted accounts", async ({ world }) => {
    const [id, admin] = [await world.member(), await world.admin()];
    const sql = "select * from public.dispute_queue()";
    const record = `insert into private.payment_records
      (kind, provider_id, status, charge_id, customer_id, amount, currency, reason, happened_at, respond_by)
      values ('dispute', $1, $2, 'ch_1', $3, 5000, 'gbp', 'fraudulent', now(), $4)`;
    const [soon, later] = ["2030-01-01", "2030-02-01"];
    const own = `cus_${id}`;
    await world.run("owner", record, ["dp_later", "needs_response", "cus_gone", later]);
    await world.run("owner", record, ["dp_soon", "warning_needs_response", own, soon]);
    await world.run("owner", record, ["dp_soon", "needs_response", own, soon]);
    await world.run("owner", record, ["dp_lost", "needs_response", own, soon]);
    await world.run("owner", record, ["dp_lost", "lost", own, null]);
    const rows = (await world.run(admin, sql)).filter((row) =>
      String(row["dispute_id"]).startsWith("dp_"),
    );
    expect(rows).toMatchObject([
      {
        dispute_id: "dp_soon",
        user_id: id,
        email: `${id}@example.test`,
        first_name: "Ada",
        status: "needs_response",
        amount: "5000",
        respond_by: new Date(soon),
      },
      { dispute_id: "dp_later", user_id: null, respond_by: new Date(later) },
    ]);
  });
});
