/** The member's subscription as the table has it; pass what differs. */
export const subscriptionRow = (differs: object = {}) => ({
  customer_id: "cus_1",
  subscription_id: "sub_1",
  status: "active",
  price_id: "price_student_access",
  current_period_end: 1_798_761_600,
  cancel_at_period_end: false,
  payment_method_brand: "visa",
  payment_method_last4: "4242",
  ...differs,
});

const planRow = (role: string, name: string, amount: number) => ({
  id: `${role}-access`,
  name,
  role,
  amount_pence: amount,
  currency: "GBP",
  interval: "month",
  price_id: `price_${role}_access`,
  is_active: true,
});

/** Price of the mentor plan on sale. */
export const mentorPrice = "price_mentor_access";

/** The plans on sale. */
export const planRows = [
  planRow("student", "Student Access", 5000),
  planRow("mentor", "Mentor Access", 10_000),
];

interface TestRequest {
  readonly call: string;
}

/** Answers with the subscription in `row.now`, and with `reply` what it does not answer. */
export function answerSubscription<T>(
  differs: object,
  reply: (request: TestRequest) => T | undefined,
) {
  const row = { now: subscriptionRow(differs) };
  return {
    row,
    reply: (request: TestRequest) =>
      request.call === "GET /rest/v1/stripe_subscriptions" ? { body: [row.now] } : reply(request),
  };
}
