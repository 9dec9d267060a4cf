import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { beginRefund, recordPayment } from "./payment-world.ts";
import { test } from "./world.ts";

const list = "select payment_id, state, refunded_pence from public.admin_payments(search => $1)";

/** Everything about money that the console reads. */
const reads = [
  "select * from public.admin_payments()",
  "select * from public.admin_refunds()",
  "select * from public.admin_unfinished_refunds()",
  "select * from public.admin_disputes()",
  "select * from public.admin_failed_events()",
  "select * from public.admin_money_figures()",
  "select * from public.admin_money_by_month()",
  "select public.admin_money_trend()",
  "select * from public.admin_failed_event('evt_1')",
  "select public.admin_export_payments('2020-01-01', '2020-02-01')",
  "select public.admin_require_verified()",
];

describe("the payments", () => {
  test("and every figure about money are for administrators with a second factor only", async ({
    world,
  }) => {
    const { id } = await recordPayment(world, await world.member());
    const callers = [
      ["anon", "42501"],
      [await world.member(), "FF002"],
      [await world.member("mentor-access"), "FF002"],
      [await world.plainAdmin(), "FF005"],
    ] as const;
    for (const [caller, code] of callers) {
      for (const sql of reads) await world.refused(caller, code, sql);
      await world.refused(caller, code, beginRefund, [randomUUID(), id, 5000, "mine"]);
      await world.refused(caller, code, "select public.admin_clear_failed_event('evt_1', 'why')");
    }
    const admin = await world.admin();
    for (const sql of reads) await world.run(admin, sql);
    // Tables and server functions stay closed to administrators, too.
    for (const sql of [
      "select * from private.payments",
      "select * from private.refund_requests",
      "select public.billing_end_refund(null, null, 'made', null, null)",
      "select public.billing_settle_refund(null, 'x', null, 'made', null)",
      "select * from public.billing_unsettled_refunds()",
      "select public.billing_create_trial_code(null, 'FREE', 14, null, null, null, 'mine')",
      "select public.admin_audit_money(null, 'coupon.created', null, '{}')",
      "select public.billing_clear_failure('evt_1')",
      "select public.billing_note_failure('evt_1', 'x', 'x')",
      "select public.end_complimentary_memberships()",
    ]) {
      await world.refused(admin, "42501", sql);
    }
    await world.run(
      "service_role",
      "select public.admin_audit_money($1, 'coupon.created', $1, '{}')",
      [admin],
    );
    const acts = "select from private.audit_log where actor = $1 and action = 'coupon.created'";
    expect(await world.count("owner", acts, [admin])).toBe(1);
  });

  test("are found by part of a name, an address or an invoice number, as text and not as a pattern", async ({
    world,
  }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const grace = await world.newcomer();
    await world.run("owner", "update public.profiles set last_name = '100%_Byron' where id = $1", [
      ada,
    ]);
    const [first, second] = [
      await recordPayment(world, ada, { invoice_id: `in_${ada}` }),
      await recordPayment(world, grace),
    ];
    const number = `INV-${ada.slice(0, 8)}`;
    await world.run("service_role", "select public.billing_apply_invoice(1, $1)", [
      JSON.stringify({
        invoice_id: `in_${ada}`,
        customer_id: `cus_${ada}`,
        number,
        status: "paid",
        currency: "gbp",
        total: 5000,
        starting_balance: 0,
        amount_due: 5000,
        amount_paid: 5000,
        lines: [],
        attempt_count: 1,
        issued: 1,
      }),
    ]);
    const found = async (search: string) =>
      (await world.run(admin, list, [search])).map((row) => row["payment_id"]);
    expect(await found(grace.slice(0, 13))).toEqual([second.id]);
    expect(await found(number.toLowerCase())).toEqual([first.id]);
    expect(await found("00%_bY")).toEqual([first.id]);
    expect(await found("0%0%_by")).toEqual([]);
    expect(await found(` ${second.id} `)).toEqual([second.id]);
    expect(await found(second.id.slice(0, -1))).toEqual([]);
    expect(await found(`nothing-${randomUUID()}`)).toEqual([]);
  });

  test("are found when more than a thousand have what was searched for", async ({ world }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const name = randomUUID();
    await world.run("owner", "update public.profiles set last_name = $2 where id = $1", [
      ada,
      name,
    ]);
    const first = await recordPayment(world, ada, { at: "2020-01-01T12:00:00Z" });
    await world.run(
      "owner",
      `insert into private.payment_records (kind, provider_id, status, charge_id, customer_id, amount, currency, happened_at)
       select 'payment', $1::text || n, 'succeeded', $1 || n, $2, 5000, 'gbp', timestamptz '2020-02-01' + n * interval '1 minute'
       from generate_series(1, 1000) n`,
      [name, `cus_${ada}`],
    );
    const page = `select payment_id from public.admin_payments(
      search => $1, before_time => $2, page_size => 1)`;
    const latest = await world.run(admin, page, [name, null]);
    expect(latest).toEqual([{ payment_id: `${name}1000` }]);
    const earliest = await world.run(admin, page, [name, "2020-02-01T00:00:00Z"]);
    expect(earliest).toEqual([{ payment_id: first.id }]);
  });

  test("are paged by time, filtered by state, and name what was refunded", async ({ world }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const at = (minute: number) => `2020-05-05T12:0${minute}:00Z`;
    const paid = await recordPayment(world, ada, { at: at(1) });
    const part = await recordPayment(world, ada, { at: at(2), amount_refunded: 100 });
    const whole = await recordPayment(world, ada, {
      at: at(2),
      amount_refunded: 5000,
      is_refunded: true,
    });
    const disputed = await recordPayment(world, ada, { at: at(3), dispute: "open" });
    const page = `select payment_id, paid_at::text as at, state from public.admin_payments(
      search => $1, before_time => $2, before_id => $3, page_size => 1)`;
    const seen: unknown[] = [];
    let cursor: [string | null, string | null] = [null, null];
    for (;;) {
      const [row] = await world.run(admin, page, [ada, ...cursor]);
      if (row === undefined) break;
      seen.push(row["payment_id"]);
      cursor = [String(row["at"]), String(row["payment_id"])];
    }
    expect(seen).toHaveLength(4);
    expect(seen[0]).toBe(disputed.id);
    expect(seen[3]).toBe(paid.id);
    const states = Object.fromEntries(
      (await world.run(admin, list, [ada])).map((row) => [row["payment_id"], row["state"]]),
    );
    expect(states).toEqual({
      [paid.id]: "paid",
      [part.id]: "partly_refunded",
      [whole.id]: "refunded",
      [disputed.id]: "disputed",
    });
    const filtered = `select payment_id from public.admin_payments(search => $1, state => 'refunded')`;
    expect(await world.run(admin, filtered, [ada])).toEqual([{ payment_id: whole.id }]);
  });

  test("are exported by their period, which stands in the audit log", async ({ world }) => {
    const admin = await world.admin();
    const ada = await world.member();
    const inside = await recordPayment(world, ada, { at: "1999-01-31T23:59:59Z" });
    await recordPayment(world, ada, { at: "1999-02-01T00:00:00Z" });
    const sql = "select public.admin_export_payments('1999-01-01Z', '1999-02-01Z') as rows";
    const { rows } = await world.one(admin, sql);
    expect(rows).toMatchObject([{ payment_id: inside.id, amount_pence: 5000, user_id: ada }]);
    const log =
      "select detail from private.audit_log where actor = $1 and action = 'payments.exported'";
    expect(await world.run("owner", log, [admin])).toMatchObject([{ detail: { count: 1 } }]);
    await world.refused(
      admin,
      "FF247",
      "select public.admin_export_payments('1999-02-01', '1999-01-01')",
    );
  });
});

describe("the sums", () => {
  test("count pounds only, and a refund by the latest that is known of it", async ({ world }) => {
    const [admin, ada] = [await world.admin(), await world.member()];
    const figures = async () =>
      (await world.run(admin, "select * from public.admin_money_figures()"))[0] ?? {};
    const before = await figures();
    const at = Math.floor(Date.now() / 1000);
    const record = (kind: string, status: string, amount: number, id: string = randomUUID()) => ({
      kind,
      id,
      status,
      amount,
      created: at,
    });
    const failing = randomUUID();
    await recordPayment(world, ada, {
      records: [
        record("payment", "succeeded", 5000),
        record("refund", "succeeded", 1000),
        record("refund", "succeeded", 700, failing),
        record("refund", "failed", 700, failing),
        // On its way to the card.
        record("refund", "pending", 300),
        record("dispute", "warning_needs_response", 5000),
      ],
    });
    await recordPayment(world, ada, {
      currency: "usd",
      records: [record("payment", "succeeded", 900), record("refund", "succeeded", 900)],
    });
    const after = await figures();
    const grown = (name: string) => Number(after[name]) - Number(before[name]);
    expect([grown("revenue_pence"), grown("refunded_pence"), grown("open_disputes")]).toEqual([
      5000, 1300, 1,
    ]);
    const { billing } = await world.one("owner", "select private.member_billing($1) as billing", [
      ada,
    ]);
    expect(billing).toMatchObject({ paid_pence: 5000, refunded_pence: 1300 });
  });
});

describe("failed events", () => {
  test("are listed until they are applied", async ({ world }) => {
    const admin = await world.admin();
    const event = `evt_${randomUUID()}`;
    const note = "select public.billing_note_failure($1, 'invoice.paid', $2)";
    await world.run("service_role", note, [event, "first"]);
    await world.run("service_role", note, [event, "second"]);
    const sql = "select attempts, last_error from public.admin_failed_events() where event_id = $1";
    expect(await world.run(admin, sql, [event])).toEqual([{ attempts: 2, last_error: "second" }]);
    await world.run("owner", "select private.billing_note_event($1, 'invoice.paid')", [event]);
    expect(await world.run(admin, sql, [event])).toEqual([]);
  });

  test("beyond the oldest 500 are found by their id", async ({ world }) => {
    const admin = await world.admin();
    const event = `evt_${randomUUID()}`;
    await world.run(
      "owner",
      `insert into private.billing_failures (event_id, event_type, first_failed_at, last_failed_at, last_error)
         select $1 || '_' || n, 'invoice.paid', now() - interval '1 day', now(), 'x' from generate_series(1, 500) n`,
      [event],
    );
    await world.run("service_role", "select public.billing_note_failure($1, 'x', 'y')", [event]);
    const list = "select from public.admin_failed_events() where event_id = $1";
    expect(await world.run(admin, list, [event])).toEqual([]);
    const one = "select event_type from public.admin_failed_event($1)";
    expect(await world.run(admin, one, [event])).toEqual([{ event_type: "x" }]);
  });

  test("are cleared with a reason, which stands in the audit log", async ({ world }) => {
    const admin = await world.admin();
    const [event, applied] = [`evt_${randomUUID()}`, `evt_${randomUUID()}`];
    for (const id of [event, applied]) {
      await world.run("service_role", "select public.billing_note_failure($1, 'x', 'y')", [id]);
    }
    await world.run("owner", "select private.billing_note_event($1, 'x')", [applied]);
    const clear = "select public.admin_clear_failed_event($1, $2)";
    await world.refused(admin, "FF240", clear, [event, " "]);
    await world.refused(admin, "FF256", clear, [applied, "why"]);
    await world.run(admin, clear, [event, "Of a customer who left"]);
    const one = "select from public.admin_failed_event($1)";
    expect(await world.run(admin, one, [event])).toEqual([]);
    await world.refused(admin, "FF256", clear, [event, "why"]);
    const log =
      "select detail from private.audit_log where actor = $1 and action = 'billing.event_cleared'";
    expect(await world.run("owner", log, [admin])).toMatchObject([
      {
        detail: { before: { event_id: event, last_error: "y" }, reason: "Of a customer who left" },
      },
    ]);
  });
});
