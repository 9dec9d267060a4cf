import { expect } from "vitest";
import { test } from "./world.ts";

const choose = "select public.set_payment_element($1)";
const chosen = "select payment_element from public.billing_rules";

test("wallets are off until an administrator with a second factor turns them on; everybody reads it, nobody else writes it", async ({
  world,
}) => {
  const [ada, admin] = [await world.newcomer(), await world.admin()];
  await world.refused(admin, "FF276", choose, [null]);
  await world.refused(ada, "FF002", choose, [true]);
  await world.refused(await world.plainAdmin(), "FF005", choose, [true]);
  await world.refused("anon", "42501", choose, [true]);
  await world.refused(ada, "42501", "update public.billing_rules set payment_element = true");
  const give = "insert into public.billing_rules (payment_element) values (true)";
  for (const who of ["anon", ada]) await world.refused(who, "42501", give);
  expect(await world.run("anon", `${chosen} where payment_element`)).toEqual([]);

  await world.run(admin, choose, [true]);
  await world.run(admin, choose, [true]);
  for (const who of ["anon", ada]) {
    expect(await world.one(who, chosen)).toEqual({ payment_element: true });
  }
  const log =
    "select actor, detail from private.audit_log where action = 'billing_rules.edited' order by id";
  expect(await world.run("owner", log)).toEqual([
    {
      actor: admin,
      detail: { before: { payment_element: false }, after: { payment_element: true } },
    },
  ]);
  // The other rules stay, and a change of theirs leaves this one.
  await world.run(admin, "select public.set_billing_rules('proportion', 7)");
  await world.run(admin, "select public.set_payment_grace(3)");
  const all =
    "select withdrawal_refund, renewal_reminder_days, payment_grace_days, payment_element from public.billing_rules";
  expect(await world.one("owner", all)).toEqual({
    withdrawal_refund: "proportion",
    renewal_reminder_days: 7,
    payment_grace_days: 3,
    payment_element: true,
  });
});
