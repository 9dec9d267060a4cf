import type { AttackKind } from "../attack-kind.ts";

const perClient = 4;
const aliases = Array.from({ length: 320 }, (_, index) => `a${index}:data`).join(",");
const nesting = "*,profiles(chat_messages(*,profiles(chat_messages(*,profiles(*)))))";

/** Small requests for very large responses. */
export const largeAnswers: AttackKind = {
  name: "large answers",
  tries: "320 aliases of a large own column, and nested embeds, by accounts that never paid",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const person = client.unpaid;
    await client.request("POST", "/rest/v1/onboarding_progress", {
      person,
      body: {
        user_id: person.id,
        current_step: 1,
        completed_steps: [],
        data: { a: "x".repeat(60_000) },
      },
    });
    await client.pace(perClient, async (turn) => {
      const path =
        turn % 2 === 0
          ? `/rest/v1/onboarding_progress?select=${aliases}`
          : `/rest/v1/chat_messages?select=${nesting}`;
      await client.request("GET", path, { person });
    });
  },
};
