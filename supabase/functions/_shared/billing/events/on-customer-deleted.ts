import { eventFamily, identified, parseObject } from "./event-family.ts";

/** The customer and the membership end, once the provider confirms that the customer is gone. */
export const onCustomerDeleted = eventFamily(
  { object: "customer", types: ["customer.deleted"] },
  (object) => ({ kind: "customer", id: parseObject(identified, object).id }),
  async ({ stripe, database }, { id }, event) => {
    const customer = await stripe.customers.retrieve(id);
    return customer.deleted === true && (await database.dropCustomer(id, event));
  },
);
