import { randomBytes } from "node:crypto";
import type { AttackKind } from "../attack-kind.ts";

const perClient = 20;
const columns = ["id", "content", "user_id", "created_at", "message_type"];

/** The most that the REST API accepts: the same column at most five times. */
const aliases = columns.length * 5;

/** Requests that each need another statement, so that statement caches fill up. */
export const distinctStatements: AttackKind = {
  name: "distinct statements",
  tries: "reads with 25 aliases that never come back, by members",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    await client.pace(perClient, async () => {
      const seed = randomBytes(6).toString("hex");
      const select = Array.from(
        { length: aliases },
        (_, index) => `a${seed}${index}:${columns[index % columns.length]}`,
      );
      const path = `/rest/v1/chat_messages?select=${select.join(",")}&limit=20`;
      await client.request("GET", path, { person: client.member });
    });
  },
};
