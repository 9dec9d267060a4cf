import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { SeededRandom } from "../support/seeded-random.ts";
import { recordPayment } from "./payment-world.ts";
import { test, type Row, type World } from "./world.ts";

const months = "select * from public.admin_money_by_month(120)";
const seller = ["Fourfold Ltd", "1 High Street\nLeeds", "01234567", "GB123456789"];

/** Others pay in pounds meanwhile; each test has currencies of its own. */
const ofTest = (rows: readonly Row[], ...currencies: readonly string[]) =>
  rows.filter((row) => currencies.includes(String(row["currency"])));

/** An administrator of a seller who charges VAT. */
async function owner(world: World, isCharged = true): Promise<string> {
  const admin = await world.admin();
  await world.run(admin, "select public.set_business_details($1, $2, $3, $4)", seller);
  if (!isCharged) return admin;
  await world.run(admin, "select public.set_vat('fixed', 2000)");
  // Since before every payment of these tests.
  await world.run("owner", "update public.vat_settings set since = '2000-01-01'");
  return admin;
}

const seconds = (day: string) => Date.parse(day) / 1000;

interface Happened {
  readonly at: string;
  readonly amount: number;
  readonly currency?: string;
  readonly refunds?: readonly (readonly [at: string, amount: number, status?: string])[];
  readonly dispute?: readonly [at: string, status: string];
}

async function pay(
  world: World,
  member: string,
  { at, amount, currency = "gbp", refunds = [], dispute }: Happened,
) {
  const id = `ch_${randomUUID()}`;
  const refunded = refunds
    .filter(([, , status = "succeeded"]) => status !== "failed")
    .reduce((sum, [, part]) => sum + part, 0);
  await recordPayment(world, member, {
    charge_id: id,
    amount,
    currency,
    amount_refunded: refunded,
    is_refunded: refunded === amount,
    ...(dispute && { dispute: dispute[1] === "lost" ? "lost" : "open" }),
    records: [
      { kind: "payment", id, status: "succeeded", amount, created: seconds(at) },
      ...refunds.map(([when, part, status = "succeeded"], index) => ({
        kind: "refund",
        id: `re_${String(index)}_${id}`,
        status,
        amount: part,
        created: seconds(when),
      })),
      ...(dispute
        ? [
            {
              kind: "dispute",
              id: `dp_${id}`,
              status: dispute[1],
              amount,
              created: seconds(dispute[0]),
            },
          ]
        : []),
    ],
  });
  return id;
}

const monthOf = (row: Row) =>
  new Date(row["month"] as Date).toLocaleDateString("en-CA").slice(0, 7);

describe("the money by month", () => {
  test("puts each thing into the month in which it happened, to the second of UTC", async ({
    world,
  }) => {
    const [admin, ada] = [await owner(world), await world.newcomer()];
    const currency = "nzd";
    await pay(world, ada, {
      at: "2026-01-31T23:59:59Z",
      amount: 5000,
      currency,
      refunds: [
        ["2026-02-01T00:00:00Z", 2000],
        ["2026-02-02T00:00:00Z", 1000, "failed"],
      ],
    });
    await pay(world, ada, {
      at: "2026-02-10T10:00:00Z",
      amount: 10_000,
      currency,
      dispute: ["2026-03-01T00:00:00Z", "lost"],
    });
    await pay(world, ada, {
      at: "2026-02-11T10:00:00Z",
      amount: 5000,
      currency,
      dispute: ["2026-03-02T00:00:00Z", "needs_response"],
    });
    const rows = ofTest(await world.run(admin, months), currency);
    expect(rows).toMatchObject([
      {
        currency,
        charges: 0,
        charged_pence: "0",
        refunds: 0,
        refunded_pence: "0",
        disputes: 1,
        disputed_pence: "10000",
        vat_pence: "0",
        net_pence: "-10000",
        left_pence: "-10000",
      },
      {
        currency,
        charges: 2,
        charged_pence: "15000",
        refunds: 1,
        refunded_pence: "2000",
        disputes: 0,
        disputed_pence: "0",
        // 1667 and 833 for the payments, less 333 for the refund.
        vat_pence: "2167",
        net_pence: "13000",
        left_pence: "10833",
        unread: 3,
      },
      {
        currency,
        charges: 1,
        charged_pence: "5000",
        refunds: 0,
        refunded_pence: "0",
        disputes: 0,
        disputed_pence: "0",
        vat_pence: "833",
        net_pence: "5000",
        left_pence: "4167",
        unread: 1,
      },
    ]);
    const log =
      "select detail from private.audit_log where actor = $1 and action = 'payments.exported'";
    expect(await world.run("owner", log, [admin])).toMatchObject([{ detail: { by: "month" } }]);
  });

  test("keeps currencies apart, and begins with the months asked for", async ({ world }) => {
    const [admin, ada] = [await owner(world, false), await world.newcomer()];
    const now = new Date().toISOString().replace(/\.\d+/, "");
    await pay(world, ada, { at: "2018-05-05T12:00:00Z", amount: 100, currency: "chf" });
    await pay(world, ada, { at: now, amount: 700, currency: "chf" });
    await pay(world, ada, { at: now, amount: 900, currency: "cad" });
    const found = (sql: string) =>
      world
        .run(admin, sql)
        .then((rows) =>
          ofTest(rows, "cad", "chf").map((row) => [row["currency"], row["charged_pence"]]),
        );
    expect(await found("select * from public.admin_money_by_month(1)")).toEqual([
      ["cad", "900"],
      ["chf", "700"],
    ]);
    expect(await found(months)).toHaveLength(3);
    // Whatever is asked for, there is an answer.
    for (const odd of ["0", "-5", "null", "2147483647"]) {
      expect(await found(`select * from public.admin_money_by_month(${odd})`)).not.toEqual([]);
    }
  });

  test("adds up to every payment, refund and VAT document, to the penny", async ({ world }) => {
    const [admin, ada] = [await owner(world), await world.newcomer()];
    const random = new SeededRandom(28);
    const below = (count: number) => random.between(0, count - 1);
    const day = () =>
      new Date(Date.UTC(2025, below(20), 1 + below(28), below(24)))
        .toISOString()
        .replace(/\.\d+/, "");
    const sums = { charged: 0, refunded: 0, disputed: 0 };
    for (let index = 0; index < 60; index += 1) {
      const amount = 1 + below(20_000);
      const parts: number[] = [];
      for (let left = amount; below(3) === 0 && left > 0 && parts.length < 4;) {
        const part = 1 + below(left);
        parts.push(part);
        left -= part;
      }
      const isLost = parts.length === 0 && below(8) === 0;
      await pay(world, ada, {
        at: day(),
        amount,
        currency: "sek",
        refunds: parts.map((part) => [day(), part]),
        ...(isLost && { dispute: [day(), "lost"] as const }),
      });
      sums.charged += amount;
      sums.refunded += parts.reduce((sum, part) => sum + part, 0);
      if (isLost) sums.disputed += amount;
    }
    const rows = ofTest(await world.run(admin, months), "sek");
    const total = (name: string) => rows.reduce((sum, row) => sum + Number(row[name]), 0);
    expect(rows.length).toBeGreaterThan(12);
    expect(new Set(rows.map(monthOf)).size).toBe(rows.length);
    expect({
      charged: total("charged_pence"),
      refunded: total("refunded_pence"),
      disputed: total("disputed_pence"),
    }).toEqual(sums);
    const { vat } = await world.one(
      "owner",
      "select sum(case kind when 'credit_note' then -vat_pence else vat_pence end)::integer as vat from private.vat_documents where currency = 'sek'",
    );
    expect(total("vat_pence")).toBe(vat);
    for (const row of rows) {
      const pence = (name: string) => Number(row[name]);
      expect(pence("net_pence")).toBe(
        pence("charged_pence") - pence("refunded_pence") - pence("disputed_pence"),
      );
      expect(pence("left_pence")).toBe(pence("net_pence") - pence("vat_pence"));
    }
  });
});

test("the payments' file names the VAT invoice of each, its VAT and what of it is left", async ({
  world,
}) => {
  const [admin, ada] = [await owner(world), await world.newcomer()];
  await pay(world, ada, {
    at: "1999-01-05T12:00:00Z",
    amount: 6000,
    refunds: [["1999-01-06T12:00:00Z", 1500]],
  });
  await world.run("owner", "update public.vat_settings set since = '1990-01-01'");
  await pay(world, ada, {
    at: "1999-01-07T12:00:00Z",
    amount: 6000,
    refunds: [["1999-01-08T12:00:00Z", 1500]],
  });
  const { rows } = await world.one(
    admin,
    "select public.admin_export_payments('1999-01-01Z', '1999-02-01Z') as rows",
  );
  const [without, with_] = rows as Row[];
  expect(without).not.toHaveProperty("vat_invoice");
  expect(with_).toMatchObject({
    vat_invoice: expect.stringMatching(/^INV-\d{6}$/),
    vat_rate_basis_points: 2000,
    vat_pence: 1000,
    vat_left_pence: 750,
  });
});
