import { randomUUID } from "node:crypto";
import type { AttackKind } from "../attack-kind.ts";
import { articleOf } from "../attack-content.ts";
import { textsInsideBounds, textsOverBounds } from "../heavy-texts.ts";

const perClient = 4;
const textOf = (texts: readonly string[], turn: number) => texts[turn % texts.length] ?? "";

/** Markdown over the bounds at the doors, and just within them on public pages. */
export const heavyMarkdown: AttackKind = {
  name: "heavy Markdown",
  tries:
    "public pages with the heaviest free lessons that are taken, again and again; drafts over and just within the bounds; questions full of signs",
  attemptsPerSecond: 10 * perClient,
  run: async (client) => {
    const { salePages, drafts, shelf } = client.field;
    const place = client.field.mentors.indexOf(client.mentor);
    const fields = (content: string) => articleOf(shelf, `heavy-${randomUUID()}`, content);
    const attempts: readonly ((turn: number) => Promise<unknown>)[] = [
      async (turn) => await client.request("GET", `/c/${textOf(salePages, turn)}`),
      async (turn) =>
        await client.request("POST", "/rest/v1/rpc/save_draft", {
          person: client.mentor,
          body: {
            draft_id: drafts[place]?.[turn % (drafts[place]?.length ?? 1)],
            expected_version: 1,
            fields: fields(textOf(textsOverBounds, turn)),
          },
        }),
      async (turn) => await client.request("GET", `/c/${textOf(salePages, turn)}?turn=${turn}`),
      async (turn) =>
        await client.request("POST", "/rest/v1/rpc/import_draft", {
          person: client.mentor,
          body: { kind: "article", fields: fields(textOf(textsInsideBounds, turn)), again: true },
        }),
      async (turn) =>
        await client.request("POST", "/rest/v1/rpc/ask_question", {
          person: client.member,
          body: { question: textOf(textsOverBounds, turn), article_id: randomUUID() },
        }),
    ];
    await client.pace(perClient, async (turn) => {
      // The kinds of calls take turns, and each goes through all texts.
      await attempts[turn % attempts.length]?.(Math.floor(turn / attempts.length) + client.index);
    });
  },
};
