import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

async function lines(world: World, member: string): Promise<readonly Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: readonly Row[] }).items;
}

const hold = `update public.stripe_subscriptions s set hold = $2, status = 'canceled'
  from public.stripe_customers c where c.customer_id = s.customer_id and c.user_id = $1`;

/** One state of a refund, as a reading of the provider writes it. */
async function refund(world: World, member: string, id: string, status = "succeeded") {
  await world.run(
    "owner",
    `insert into private.payment_records (kind, provider_id, status, charge_id, customer_id, amount, currency, happened_at)
     select 'refund', $2, $3, 'ch_' || $2, c.customer_id, 1250, 'gbp', now()
     from public.stripe_customers c where c.user_id = $1`,
    [member, id, status],
  );
}

describe("the bell", () => {
  test("tells of an ended membership until the next one begins", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await lines(world, ada)).toMatchObject([
      { kind: "membership_ended", unread: true, why: null, detail: null },
    ]);
    expect(await lines(world, bob)).toEqual([]);
    await world.setSubscriptionStatus(ada, "active");
    expect(await lines(world, ada)).toEqual([]);
  });

  test("says that a refund or the bank ended it", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await world.run("owner", hold, [ada, "refunded"]);
    await world.run("owner", hold, [bob, "dispute_lost"]);
    expect(await lines(world, ada)).toMatchObject([{ kind: "membership_ended", why: "refunded" }]);
    expect(await lines(world, bob)).toMatchObject([
      { kind: "membership_ended", why: "dispute_lost" },
    ]);
  });

  test("tells of each refund once, with its amount, and nobody else", async ({ world }) => {
    const [ada, bob] = [await world.member(), await world.member()];
    await refund(world, ada, `re_1_${ada}`, "pending");
    expect(await lines(world, ada)).toEqual([]);
    await refund(world, ada, `re_1_${ada}`);
    await refund(world, ada, `re_2_${ada}`);
    const told = { kind: "payment_refunded", amount_pence: 1250, currency: "GBP", detail: null };
    expect(await lines(world, ada)).toMatchObject([told, told]);
    expect(await lines(world, bob)).toEqual([]);
  });
});

test("who writes in a room after the membership ended is told that, and not of levels", async ({
  world,
}) => {
  const [ada, bob] = [await world.member(), await world.member()];
  const room = { id: `wealth-${ada}`, name: "Wealth", min_level_required: 4 };
  await world.insert("owner", "chat_rooms", room);
  const join = "select public.room_participants($1)";
  const refusal = async (member: string, id: string) =>
    await world.run(member, join, [id]).catch((error: unknown) => error);
  expect(await refusal(bob, room.id)).toMatchObject({
    code: "FF311",
    message: "This room is not open to you.",
  });
  await world.setSubscriptionStatus(ada, "canceled");
  expect(await refusal(ada, "general")).toMatchObject({
    code: "FF311",
    message: "Your membership is not active now, so the rooms are closed to you.",
  });
});
