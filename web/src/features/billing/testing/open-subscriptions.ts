import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import {
  memberRows,
  renderApp,
  sessionOf,
  type Reply,
  type Rows,
  type TestAppOptions,
} from "@/app/testing/test-app.tsx";

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

const planRow = (id: string, name: string, amount: number) => ({
  id: `${id}-access`,
  name,
  role: id,
  amount_pence: amount,
  currency: "GBP",
  interval: "month",
  price_id: `price_${id}_access`,
  is_active: true,
});

const planRows = [
  planRow("student", "Student Access", 5000),
  planRow("mentor", "Mentor Access", 10_000),
];

/** The mentor plan as the app has it. */
export const mentorPrice = "price_mentor_access";

/** Opens /subscriptions; `row.now` is the subscription the server answers from then on. */
export function openSubscriptions(
  differs: object = {},
  reply: TestAppOptions["reply"] | Readonly<Record<string, Reply>> = {},
  world: { readonly rows?: Rows; readonly config?: TestAppOptions["config"] } = {},
) {
  const row = { now: subscriptionRow(differs) };
  const view = renderApp("/subscriptions", {
    session: sessionOf(),
    rows: { ...memberRows(), plans: planRows, ...world.rows },
    ...(world.config === undefined ? {} : { config: world.config }),
    reply: (request) => {
      if (request.call === "GET /rest/v1/stripe_subscriptions") return { body: [row.now] };
      return typeof reply === "function" ? reply(request) : reply[request.call];
    },
  });
  return { ...view, row };
}

export const press = async (name: string | RegExp) =>
  userEvent.click(await screen.findByRole("button", { name }));
