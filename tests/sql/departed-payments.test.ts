import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { recordPayment } from "./payment-world.ts";
import { test } from "./world.ts";

type Reading = [kind: "refund" | "dispute", status: string, amount: number, id?: string];

/** What the provider said of a payment, the state that the list gives it, and what of it was refunded. */
const payments: [readings: Reading[], charge: Record<string, unknown>, state: string, number][] = [
  [[], {}, "paid", 0],
  [[["refund", "succeeded", 1000]], { amount_refunded: 1000 }, "partly_refunded", 1000],
  [
    [
      ["refund", "pending", 2000],
      ["refund", "succeeded", 3000],
    ],
    { amount_refunded: 5000, is_refunded: true },
    "refunded",
    5000,
  ],
  // One that the bank gave back.
  [
    [
      ["refund", "succeeded", 5000, "given-back"],
      ["refund", "failed", 5000, "given-back"],
    ],
    {},
    "paid",
    0,
  ],
  [[["dispute", "under_review", 5000]], { dispute: "open" }, "disputed", 0],
  [
    [
      ["dispute", "needs_response", 5000, "decided"],
      ["dispute", "lost", 5000, "decided"],
    ],
    { dispute: "lost" },
    "dispute_lost",
    0,
  ],
  // An inquiry withdraws nothing.
  [[["dispute", "warning_needs_response", 5000]], {}, "paid", 0],
];

describe("the payments of a deleted account", () => {
  test.for(payments)(
    "stand in the list as before: %j, %j: %s",
    async (payment, { world, owner }) => {
      const [readings, charge, state, refunded] = payment;
      const [admin, ada] = [await world.admin(), await world.newcomer()];
      const charge_id = `ch_${randomUUID()}`;
      const record = (kind: string, status: string, amount: number, id: string) => {
        return { kind, status, amount, id, created: 1_588_680_000 };
      };
      await recordPayment(world, ada, {
        ...charge,
        charge_id,
        records: [
          record("payment", "succeeded", 5000, charge_id),
          ...readings.map(([kind, status, amount, id]) =>
            record(kind, status, amount, id === undefined ? randomUUID() : `${id}-${charge_id}`),
          ),
        ],
      });
      const list = "select state, refunded_pence::integer from public.admin_payments(search => $1)";
      const filtered = async () => {
        const sql = "select from public.admin_payments(search => $1, state => $2)";
        return await world.count(admin, sql, [charge_id, state]);
      };
      const before = await world.run(admin, list, [charge_id]);
      expect([before, await filtered()]).toEqual([[{ state, refunded_pence: refunded }], 1]);
      await owner.query("set local role supabase_auth_admin");
      await owner.query("delete from auth.users where id = $1", [ada]);
      await owner.query("reset role");
      const readingsLeft = "select from private.billing_charges where charge_id = $1";
      expect(await world.count("owner", readingsLeft, [charge_id])).toBe(0);
      expect([await world.run(admin, list, [charge_id]), await filtered()]).toEqual([before, 1]);
    },
  );
});
