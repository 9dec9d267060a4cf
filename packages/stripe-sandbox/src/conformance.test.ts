import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventTypes } from "./event-types.ts";
import { apiRoutes, type Sandbox } from "./main.ts";
import { liveThroughEverything } from "./testing/provider-year.ts";
import { RecordedAnswers } from "./testing/recorded-answers.ts";
import {
  openFixture,
  openReceiver,
  testPublishableKey,
  type Receiver,
} from "./testing/sandbox-fixture.ts";
import { typeErrors } from "./testing/type-errors.ts";

let sandbox: Sandbox;
let receiver: Receiver;
const recorded = new RecordedAnswers();

beforeAll(async () => {
  receiver = await openReceiver();
  sandbox = await openFixture({ webhookUrl: receiver.url });
  const [stripe, browser] = [
    recorded.client(sandbox),
    recorded.client(sandbox, testPublishableKey),
  ];
  await liveThroughEverything({ sandbox, stripe, browser });
  await sandbox.control.settled();
  await recorded.keepEvents(receiver);
});
afterAll(async () => {
  await sandbox.stop();
  await receiver.close();
});

describe("what the sandbox answers and sends", () => {
  it("has the types of the official library", async () => {
    expect(await recorded.typeErrors()).toEqual([]);
  });

  it("was recorded from every endpoint", () => {
    const paths = apiRoutes.map(({ method, path }) => {
      const pattern = new RegExp(`^${method} /v1/${path.replaceAll(/:\w+/g, "[^/]+")}$`);
      return {
        path: `${method} ${path}`,
        isCalled: [...recorded.requests].some((one) => pattern.test(one)),
      };
    });
    expect(paths.filter(({ isCalled }) => !isCalled)).toEqual([]);
  });

  it("was recorded for every type of event", () => {
    expect([...recorded.eventTypes].toSorted()).toEqual([...eventTypes].toSorted());
  });
});

describe("the check of types", () => {
  it("names what is missing, unknown, of no value the field has, or of another event", async () => {
    const coupon = { id: "c", object: "coupon" };
    const gone = { id: "c", object: "customer", deleted: true };
    const errors = await typeErrors([
      { name: "right", type: "Stripe.DeletedCustomer", value: gone },
      { name: "missing", type: "Stripe.Coupon", value: coupon },
      { name: "unknown", type: "Stripe.DeletedCustomer", value: { ...gone, since: 1 } },
      { name: "no value", type: "Stripe.Subscription['status']", value: "running" },
      {
        name: "other event",
        type: "Stripe.Event",
        value: { id: "evt", type: "coupon.created", data: { object: gone } },
      },
    ]);
    const names = errors.map((message) => message.split(":")[0]);
    expect(names).toEqual(["missing", "unknown", "no value", "other event"]);
  });
});
