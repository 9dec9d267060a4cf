import type { AttackKind } from "../attack-kind.ts";
import { articleOf } from "../attack-content.ts";
import { textsInsideBounds } from "../heavy-texts.ts";

const perClient = 4;

/** Drafts that take long to publish, all due at the same time. */
export const heavyDrafts: AttackKind = {
  name: "heavy drafts",
  tries:
    "the heaviest drafts that are taken, of several mentors, due at once, an honest one among them; meanwhile saved, read and published from outside",
  attemptsPerSecond: 10 * perClient,
  meanwhile: async (operator, { drafts, honestDraft }, over) => {
    const due = { status: "scheduled", publish_at: new Date(Date.now() - 60_000).toISOString() };
    do {
      const heavy = await operator.from("drafts").update(due).in("id", drafts.flat());
      const honest = await operator.from("drafts").update(due).eq("id", honestDraft);
      if (heavy.error ?? honest.error) throw new Error("no draft could be made due");
      // As the schedule does. The product's own schedule may take some of them, too.
      for (let result: unknown = "published"; result !== null;) {
        const { data, error } = await operator.rpc("publish_due_draft");
        if (error) throw new Error(`a draft that was due stopped the others: ${error.message}`);
        result = data;
      }
      const { data } = await operator.from("drafts").select("status").eq("id", honestDraft);
      const status = data?.[0]?.status;
      if (status !== "published") throw new Error(`an honest draft stayed ${status}`);
    } while (!over.aborted);
  },
  run: async (client) => {
    const { drafts, shelf, mentors } = client.field;
    const place = mentors.indexOf(client.mentor);
    const own = drafts[place] ?? [];
    await client.pace(perClient, async (turn) => {
      const index = turn % own.length;
      if (turn % 3 === 0) {
        const content = textsInsideBounds[turn % textsInsideBounds.length] ?? "";
        await client.request("POST", "/rest/v1/rpc/save_draft", {
          person: client.mentor,
          body: {
            draft_id: own[index],
            expected_version: 1,
            fields: articleOf(shelf, `heavy-${place}-${index}`, content),
          },
        });
      } else if (turn % 3 === 1) {
        await client.request("POST", "/rest/v1/rpc/publish_due_draft", {
          person: client.mentor,
          body: {},
        });
      } else {
        await client.request("GET", "/rest/v1/articles?select=title,content&slug=like.heavy-*", {
          person: client.member,
        });
      }
    });
  },
};
