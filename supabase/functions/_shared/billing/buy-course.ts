import type { Member } from "../http/caller.ts";
import { FunctionError } from "../http/responses.ts";
import type { BillingClients } from "./billing-context.ts";
import type { CoursePurchases } from "./course-purchases.ts";
import { payOnce } from "./pay-once.ts";
import type { PurchaseResult } from "./purchase.ts";

interface SellingClients extends BillingClients {
  purchases: CoursePurchases;
}

/** What the buyer chose. The price is the database's. */
interface CourseRequest {
  slug: string;
  /** The price that the buyer saw, in pence; no other one is charged. */
  expectedPence: number;
  paymentMethod: string;
}

const refusals = {
  not_on_sale: [404, "course_not_on_sale", "This course is not on sale."],
  own_course: [409, "own_course", "You wrote this course. You can read it in the library."],
  price_changed: [
    409,
    "price_changed",
    "The price has changed. You have not been charged. Look at the new price and pay again.",
  ],
  owned: [409, "already_bought", "You've bought this course. It's under Your courses."],
  disputed: [
    409,
    "purchase_disputed",
    "Your bank has disputed your payment for this course. The course is closed until that is settled.",
  ],
  included: [
    409,
    "included_in_membership",
    "This course is included in your membership. You don't need to buy it.",
  ],
} as const;

function refusal(state: keyof typeof refusals): FunctionError {
  const [status, code, message] = refusals[state];
  return new FunctionError(status, code, message);
}

/**
 * Buys a course at the price that the buyer saw.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function buyCourse(
  clients: SellingClients,
  caller: Member,
  { slug, expectedPence, paymentMethod }: CourseRequest,
): Promise<PurchaseResult> {
  return await payOnce(clients, caller, {
    begin: async (joining) =>
      await clients.purchases.begin(caller.id, slug, expectedPence, joining),
    refuse: refusal,
    paymentMethod,
  });
}
