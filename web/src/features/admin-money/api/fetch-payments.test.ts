import { expect, test } from "vitest";
import type { BackendClient } from "@/lib/backend-client.ts";
import { pastedPage, recordCalls } from "@/lib/testing/recorded-calls.ts";
import { exportPayments, fetchPayments, isNarrowed } from "./fetch-payments.ts";

test("a page pasted into the search is asked for as the database can read it", async () => {
  const { client, calls } = recordCalls();
  await fetchPayments(client, { search: pastedPage, state: "", since: "", until: "" }, null);
  const asked = calls.map(({ search }) => String(search));
  expect(asked.length).toBeGreaterThan(0);
  for (const text of asked) {
    expect(text).toMatch(/^Özlem Şahin Özlem/);
    expect(text).not.toContain("\u0000");
    expect(text.length).toBeLessThanOrEqual(200);
  }
});

/** A payment as the database gives it. */
const row = (place: number) => ({
  payment_id: `ch_${place}`,
  paid_at: `2026-11-${String(1 + (place % 28)).padStart(2, "0")}T10:00:00Z`,
  amount_pence: 5000,
  refunded_pence: 0,
  currency: "gbp",
  state: "paid",
  invoice_number: null,
  invoice_reason: null,
  card_brand: null,
  card_last4: null,
  user_id: null,
  email: null,
  first_name: null,
  last_name: null,
});

/** A client whose period has 300 payments, of which the list finds the first so many. */
function clientOf(found: number) {
  const asked: object[] = [];
  const all = Array.from({ length: 300 }, (_, place) => row(place));
  const rpc = async (name: string, args: { before_id?: string; page_size?: number }) => {
    if (name === "admin_export_payments") return { data: all, error: null };
    asked.push(args);
    const from = all.findIndex(({ payment_id }) => payment_id === args.before_id) + 1;
    return { data: all.slice(from, Math.min(found, from + (args.page_size ?? 50))), error: null };
  };
  return { client: { rpc } as unknown as BackendClient, asked };
}

const period = { search: "", state: "", since: "2026-11-01", until: "2026-11-30" };

test("an export of a search holds what the list shows, over all its pages", async () => {
  const { client, asked } = clientOf(250);
  const exported = await exportPayments(client, { ...period, search: "Ada", state: "paid" });
  expect(exported.map(({ payment }) => payment.id)).toEqual(
    Array.from({ length: 250 }, (_, place) => `ch_${place}`),
  );
  expect(asked).toEqual([
    expect.objectContaining({ search: "Ada", state: "paid", since: "2026-11-01" }),
    expect.objectContaining({ search: "Ada", state: "paid", before_id: "ch_199" }),
  ]);
});

test("an export without a search or a state holds the whole period and asks once", async () => {
  const { client, asked } = clientOf(0);
  expect(await exportPayments(client, period)).toHaveLength(300);
  expect(isNarrowed(period)).toBe(false);
  expect(isNarrowed({ ...period, search: " " })).toBe(false);
  expect(isNarrowed({ ...period, state: "refunded" })).toBe(true);
  expect(asked).toEqual([]);
});
