import { expect } from "vitest";
import { offerCourse, type OfferedCourse } from "../support/course-offers.ts";
import { inHours } from "./affiliate-world.ts";
import { recordPayment } from "./payment-world.ts";
import type { World } from "./world.ts";

/** Opens an attempt at buying a course. @returns its id */
export async function beginCoursePurchase(world: World, buyer: string, course: OfferedCourse) {
  const sql = `select public.billing_begin_course_purchase($1, $2,
    (select (c.price * 100)::integer from public.courses c where c.id = $3)) as begun`;
  const { begun } = await world.one("service_role", sql, [buyer, course.slug, course.id]);
  expect(begun).toMatchObject({ state: "begun" });
  return (begun as { purchase_id: string }).purchase_id;
}

/** Records the payment of an attempt, and that the attempt ended. */
export async function recordIntent(world: World, purchase: string, intent: string) {
  const record = "select public.billing_record_course_payment($1, $2) as counts";
  expect(await world.one("service_role", record, [purchase, intent])).toEqual({ counts: true });
  await world.run("service_role", "select public.billing_end_course_purchase($1, 'paid')", [
    purchase,
  ]);
}

/** A reading of the payment of a purchase, the first one when it has no charge yet. */
export async function payCourse(
  world: World,
  buyer: string,
  course: OfferedCourse,
  charge: Record<string, unknown> = {},
) {
  const purchase = await beginCoursePurchase(world, buyer, course);
  const intent = `pi_${purchase}`;
  await recordIntent(world, purchase, intent);
  const paid = {
    at: inHours(1),
    subscription_id: null,
    payment_intent_id: intent,
    amount: 4000,
    card_fingerprint: buyer,
    ...charge,
  };
  const { id } = await recordPayment(world, buyer, paid);
  return {
    id,
    /** Another reading of the same payment. */
    again: async (changes: Record<string, unknown>) => {
      await recordPayment(world, buyer, { ...paid, charge_id: id, records: [], ...changes });
    },
  };
}

/** A mentor with a course on sale at £40. */
export async function sellingMentor(world: World) {
  const mentor = await world.member("mentor-access");
  const course = await offerCourse(
    async (text, values) => await world.run("owner", text, values),
    mentor,
  );
  return { mentor, course };
}
