import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { SeededRandom } from "../support/seeded-random.ts";
import { recordPayment } from "./payment-world.ts";
import { test, type World } from "./world.ts";

const setVat = "select public.set_vat($1, $2)";
const setBusiness = "select public.set_business_details($1, $2, $3, $4)";
const seller = ["Fourfold Ltd", "1 High Street\nLeeds", "01234567", "GB123456789"];
const documents = `select number, kind, corrects, gross_pence::integer as gross, net_pence::integer as net,
  vat_pence::integer as vat, rate_basis_points as rate, description from public.my_vat_documents() order by kind desc, number`;
const paidAt = 1_900_000_000;

/** Begins to charge VAT; from before every payment of these tests, because their transaction has one time. */
async function chargeVat(world: World, mode = "fixed", rate = 2000): Promise<string> {
  const admin = await world.admin();
  await world.run(admin, setBusiness, seller);
  await world.run(admin, setVat, [mode, rate]);
  return admin;
}

type Refund = readonly [amount: number, status?: string, id?: string];

/** A payment and its refunds, as one reading tells of them. */
async function pay(
  world: World,
  member: string,
  amount: number,
  {
    charge = `ch_${randomUUID()}`,
    refunds = [],
    ...more
  }: { charge?: string; refunds?: readonly Refund[]; [field: string]: unknown } = {},
): Promise<string> {
  await recordPayment(world, member, {
    charge_id: charge,
    amount,
    records: [
      { kind: "payment", id: charge, status: "succeeded", amount, created: paidAt },
      ...refunds.map(([refunded, status = "succeeded", id], index) => ({
        kind: "refund",
        id: `re_${id ?? String(index)}_${charge}`,
        status,
        amount: refunded,
        created: paidAt + 60 + index,
      })),
    ],
    ...more,
  });
  return charge;
}

describe("the VAT setting", () => {
  test("is none at first, and a payment then has no VAT invoice", async ({ world }) => {
    const ada = await world.newcomer();
    expect(await world.run("anon", "select mode from public.vat_settings")).toEqual([]);
    await pay(world, ada, 5000);
    expect(await world.run(ada, documents)).toEqual([]);
  });

  test("asks for the seller's name, address and VAT number, and keeps them there", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.refused(admin, "FF275", setVat, ["fixed", 2000]);
    await world.refused(admin, "FF275", setVat, ["stripe_tax", 2000]);
    await world.run(admin, setVat, ["none", 2000]);
    await chargeVat(world);
    for (const lacking of [0, 1, 3]) {
      const given = seller.map((each, index) => (index === lacking ? " " : each));
      await world.refused(admin, "FF275", setBusiness, given);
    }
    expect(await world.one("anon", "select vat_number from public.business_details")).toEqual({
      vat_number: "GB123456789",
    });
  });

  test("takes a mode and a rate that exist, from administrators alone, and is audited", async ({
    world,
  }) => {
    const admin = await chargeVat(world);
    for (const given of [
      ["reverse", 2000],
      [null, 2000],
      ["fixed", 0],
      ["fixed", 5001],
      ["fixed", null],
    ]) {
      await world.refused(admin, "FF274", setVat, given);
    }
    const ada = await world.member("mentor-access");
    await world.refused(ada, "FF002", setVat, ["none", 2000]);
    await world.refused("anon", "42501", setVat, ["none", 2000]);
    await world.refused(ada, "42501", "update public.vat_settings set mode = 'none'");
    const log =
      "select actor, detail -> 'after' as after from private.audit_log where action = 'vat.changed' and actor = $1";
    expect(await world.run("owner", log, [admin])).toEqual([
      { actor: admin, after: { mode: "fixed", rate_basis_points: 2000 } },
    ]);
  });
});

describe("a VAT invoice", () => {
  test("has number, rate, net, VAT and gross, who sold and who bought", async ({ world }) => {
    await chargeVat(world);
    const ada = await world.newcomer();
    await world.run(ada, "select public.set_buyer_details($1, $2, $3)", [
      " Byron Engines ",
      "2 Low Road",
      "GB987654321",
    ]);
    await pay(world, ada, 5000);
    expect(await world.run(ada, documents)).toMatchObject([
      {
        number: "INV-000001",
        kind: "invoice",
        corrects: null,
        gross: 5000,
        net: 4167,
        vat: 833,
        rate: 2000,
      },
    ]);
    const people = await world.one(ada, "select seller, buyer from public.my_vat_documents()");
    expect(people).toMatchObject({
      seller: {
        legal_name: "Fourfold Ltd",
        address: "1 High Street\nLeeds",
        company_number: "01234567",
        vat_number: "GB123456789",
      },
      buyer: {
        business_name: "Byron Engines",
        address: "2 Low Road",
        vat_number: "GB987654321",
        email: expect.stringContaining("@"),
      },
    });
  });

  test("stays as it was issued, whatever is said later; the next one says it", async ({
    world,
  }) => {
    const admin = await chargeVat(world);
    const ada = await world.newcomer();
    const charge = await pay(world, ada, 5000);
    await world.run(admin, setBusiness, ["Fourfold Group", "Moved", "", "GB1"]);
    await world.run(admin, setVat, ["fixed", 500]);
    await world.run(ada, "select public.set_buyer_details('Later Ltd', '', '')");
    await pay(world, ada, 5000, { charge });
    await pay(world, ada, 5000);
    const said = `select rate_basis_points as rate, seller ->> 'legal_name' as seller, buyer ->> 'business_name' as buyer
      from public.my_vat_documents() order by number`;
    expect(await world.run(ada, said)).toEqual([
      { rate: 2000, seller: "Fourfold Ltd", buyer: null },
      { rate: 500, seller: "Fourfold Group", buyer: "Later Ltd" },
    ]);
  });

  test("is numbered without holes, also when a transaction is undone", async ({ world, owner }) => {
    await chargeVat(world);
    const [ada, eve] = [await world.newcomer(), await world.newcomer()];
    await pay(world, ada, 5000);
    await owner.query("savepoint undone");
    await pay(world, eve, 5000);
    await owner.query("rollback to undone");
    await pay(world, eve, 10_000);
    const numbers = "select number::integer from private.vat_documents order by number";
    expect(await world.run("owner", numbers)).toEqual([{ number: 1 }, { number: 2 }]);
    expect(await world.run(eve, documents)).toMatchObject([{ number: "INV-000002", vat: 1667 }]);
  });

  test("takes the card provider's figures where the provider decides the rate", async ({
    world,
  }) => {
    await chargeVat(world, "stripe_tax");
    const ada = await world.newcomer();
    await pay(world, ada, 5000, { tax_pence: 935, tax_basis_points: 2300 });
    await pay(world, ada, 4000, { tax_pence: null, tax_basis_points: null });
    await pay(world, ada, 3000, { tax_pence: 0, tax_basis_points: 0 });
    expect(await world.run(ada, documents)).toMatchObject([
      { gross: 5000, net: 4065, vat: 935, rate: 2300 },
      { gross: 4000, net: 3333, vat: 667, rate: 2000 },
      { gross: 3000, net: 3000, vat: 0, rate: 0 },
    ]);
  });

  test("is read by its member alone, and loses the person with the account, not its number", async ({
    world,
    owner,
  }) => {
    await chargeVat(world);
    const [ada, eve] = [await world.newcomer(), await world.newcomer()];
    const charge = await pay(world, ada, 5000);
    expect(await world.run(eve, documents)).toEqual([]);
    await world.refused("anon", "42501", documents);
    await world.refused(eve, "42501", "select * from private.vat_documents");
    await owner.query("set local role supabase_auth_admin");
    await owner.query("delete from auth.users where id = $1", [ada]);
    await owner.query("reset role");
    const kept =
      "select number::integer, vat_pence::integer as vat, buyer from private.vat_documents";
    expect(await world.run("owner", kept)).toEqual([{ number: 1, vat: 833, buyer: null }]);
    // A refund of the deleted account's payment is credited all the same.
    const snapshot = {
      charge_id: charge,
      customer_id: `cus_${ada}`,
      currency: "gbp",
      records: [
        { kind: "refund", id: "re_late", status: "succeeded", amount: 5000, created: paidAt },
      ],
    };
    await world.run("service_role", "select public.billing_apply_charge(9000000, $1)", [
      JSON.stringify(snapshot),
    ]);
    const note =
      "select vat_pence::integer as vat, corrects::integer from private.vat_documents where kind = 'credit_note'";
    expect(await world.run("owner", note)).toEqual([{ vat: 833, corrects: 1 }]);
  });
});

describe("a credit note", () => {
  test("is issued for each refund once, with a number of its own and the invoice it corrects", async ({
    world,
  }) => {
    await chargeVat(world);
    const ada = await world.newcomer();
    const charge = await pay(world, ada, 5000);
    const refunds: Refund[] = [[1000], [4000, "pending"]];
    await pay(world, ada, 5000, { charge, refunds });
    await pay(world, ada, 5000, { charge, refunds: [[1000], [4000, "succeeded"]] });
    expect(await world.run(ada, documents)).toMatchObject([
      { number: "INV-000001", gross: 5000, vat: 833 },
      { number: "CN-000001", corrects: "INV-000001", gross: 1000, net: 833, vat: 167 },
      { number: "CN-000002", corrects: "INV-000001", gross: 4000, net: 3334, vat: 666 },
    ]);
  });

  test("is taken back by a debit note when the refund fails, and the next one counts from there", async ({
    world,
  }) => {
    await chargeVat(world);
    const ada = await world.newcomer();
    const charge = await pay(world, ada, 4999, { refunds: [[333, "pending", "lost"]] });
    await pay(world, ada, 4999, { charge, refunds: [[333, "failed", "lost"]] });
    await pay(world, ada, 4999, { charge, refunds: [[333, "failed", "lost"], [4999]] });
    expect(await world.run(ada, documents)).toMatchObject([
      { number: "INV-000001", vat: 833 },
      { number: "DN-000001", corrects: "INV-000001", gross: 333, vat: 55 },
      { number: "CN-000001", gross: 333, vat: 55 },
      { number: "CN-000002", gross: 4999, vat: 833 },
    ]);
    // One that failed before anything was credited needs neither.
    const other = await world.newcomer();
    await pay(world, other, 5000, { refunds: [[5000, "failed"]] });
    expect(await world.run(other, documents)).toHaveLength(1);
  });

  test("is not issued for a payment that was made without VAT", async ({ world }) => {
    const ada = await world.newcomer();
    const charge = await pay(world, ada, 5000, {
      records: [
        { kind: "payment", id: "ch_before", status: "succeeded", amount: 5000, created: 1_000 },
      ],
      charge: "ch_before",
    });
    await chargeVat(world);
    await recordPayment(world, ada, {
      charge_id: charge,
      records: [
        { kind: "payment", id: charge, status: "succeeded", amount: 5000, created: 1_000 },
        { kind: "refund", id: "re_before", status: "succeeded", amount: 5000, created: paidAt },
      ],
    });
    expect(await world.run(ada, documents)).toEqual([]);
  });

  test("adds up with its invoice to the penny, for any amount, rate and order of partial refunds", async ({
    world,
  }) => {
    const random = new SeededRandom(Number(process.env["SEED"] ?? 20));
    const admin = await chargeVat(world);
    const ada = await world.newcomer();
    for (let round = 0; round < 40; round += 1) {
      const [amount, rate] = [random.between(1, 20_000), random.between(1, 5000)];
      await world.run(admin, setVat, ["fixed", rate]);
      const charge = await pay(world, ada, amount);
      const refunds: Refund[] = [];
      let left = amount;
      while (left > 0) {
        const part = refunds.length === 5 ? left : random.between(1, left);
        refunds.push([part]);
        left -= part;
        await pay(world, ada, amount, { charge, refunds });
      }
      const sums = `select kind, sum(gross_pence)::integer as gross, sum(net_pence)::integer as net, sum(vat_pence)::integer as vat,
        min(net_pence) >= 0 and min(vat_pence) >= 0 as is_positive from private.vat_documents where charge_id = $1 group by kind order by kind desc`;
      const vat = Math.round((amount * rate) / (10_000 + rate));
      const sum = { gross: amount, net: amount - vat, vat, is_positive: true };
      expect(await world.run("owner", sums, [charge]), `${amount} at ${rate}`).toEqual([
        { kind: "invoice", ...sum },
        { kind: "credit_note", ...sum },
      ]);
    }
  });
});

describe("the business a member buys for", () => {
  test("is their own, within bounds, and forgotten when all is empty", async ({ world }) => {
    const [ada, eve] = [await world.newcomer(), await world.newcomer()];
    const set = "select public.set_buyer_details($1, $2, $3)";
    const own = "select * from public.my_buyer_details()";
    for (const given of [
      ["x".repeat(201), "", ""],
      ["", "x".repeat(501), ""],
      ["", "", "x".repeat(41)],
    ]) {
      await world.refused(ada, "FF273", set, given);
    }
    await world.run(ada, set, ["Byron Engines", "", null]);
    expect(await world.run(ada, own)).toEqual([
      { business_name: "Byron Engines", address: null, vat_number: null },
    ]);
    expect(await world.run(eve, own)).toEqual([]);
    await world.refused("anon", "42501", set, ["", "", ""]);
    await world.run(ada, set, ["", " ", null]);
    expect(await world.run(ada, own)).toEqual([]);
  });
});

test("the month's figures say what of the takings is VAT", async ({ world }) => {
  const admin = await chargeVat(world);
  const ada = await world.newcomer();
  const now = Math.floor(Date.now() / 1000) + 600;
  const charge = `ch_${randomUUID()}`;
  const payment = { kind: "payment", id: charge, status: "succeeded", amount: 5000, created: now };
  const refund = { kind: "refund", id: "re_1", status: "succeeded", amount: 1000, created: now };
  const figure = "select vat_pence::integer as vat from public.admin_money_figures()";
  const before = Number((await world.one(admin, figure))["vat"]);
  await recordPayment(world, ada, { charge_id: charge, records: [payment] });
  expect(await world.one(admin, figure)).toEqual({ vat: before + 833 });
  await recordPayment(world, ada, { charge_id: charge, records: [payment, refund] });
  expect(await world.one(admin, figure)).toEqual({ vat: before + 833 - 167 });
});
