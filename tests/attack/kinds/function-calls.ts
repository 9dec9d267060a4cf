import type { AttackKind } from "../attack-kind.ts";

const perClient = 20;

/** Calls of a function that reaches the card provider. */
export const functionCalls: AttackKind = {
  name: "function calls",
  tries: "create-stripe-customer again and again, by accounts that never paid",
  attemptsPerSecond: 10 * perClient,
  // Every call would reach the card provider.
  mostSuccesses: 30,
  run: async (client) => {
    await client.pace(perClient, async () => {
      await client.request("POST", "/functions/v1/create-stripe-customer", {
        person: client.unpaid,
        body: {},
      });
    });
  },
};
