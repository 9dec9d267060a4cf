import { randomUUID } from "node:crypto";
import type { AttackKind } from "../attack-kind.ts";
import { hostileRun } from "../heavy-texts.ts";

const perClient = 5;

/** Texts and searches that would take a careless pattern the square of their length. */
export const hostileTexts: AttackKind = {
  name: "hostile texts",
  tries:
    "runs of signs, addresses and unfinished Markdown as long as they may be, in messages, submissions, posts and every search, by members",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const { room } = client.field;
    const person = client.member;
    const call = async (name: string, body: unknown) =>
      await client.request("POST", `/rest/v1/rpc/${name}`, { person, body });
    const attempts: readonly ((turn: number) => Promise<unknown>)[] = [
      async (turn) =>
        await client.request("POST", "/rest/v1/chat_messages", {
          person,
          body: {
            id: randomUUID(),
            user_id: person.id,
            chat_room_id: room,
            content: hostileRun(turn, 4000),
            message_type: "message",
            parent_message_id: null,
          },
        }),
      async (turn) => await call("search_library", { query: hostileRun(turn, 2000) }),
      async (turn) => await call("search_messages", { query: hostileRun(turn, 2000) }),
      async (turn) => await call("people_page", { search: hostileRun(turn, 2000) }),
      async (turn) => await call("mentionable_members", { room, typed: hostileRun(turn, 2000) }),
      async (turn) =>
        await client.request("POST", "/rest/v1/learning_submissions", {
          person,
          body: {
            user_id: person.id,
            submission_type: "success",
            title: hostileRun(turn, 100),
            content: hostileRun(turn, 4000),
          },
        }),
      async (turn) =>
        await client.request("PATCH", `/rest/v1/profiles?id=eq.${person.id}`, {
          person,
          body: { bio: hostileRun(turn, 2000), occupation: hostileRun(turn, 80) },
        }),
    ];
    await client.pace(perClient, async (turn) => {
      await attempts[turn % attempts.length]?.(Math.floor(turn / attempts.length) + client.index);
    });
  },
};
