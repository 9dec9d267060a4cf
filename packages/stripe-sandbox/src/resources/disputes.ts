import * as z from "zod";
import { closeDispute, submitEvidence } from "../billing/disputes.ts";
import { listPage } from "../http/lists.ts";
import { flag, listParams, mergeMetadata, metadata, text } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

const nothing = z.strictObject({});
const evidence = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: text.optional() }).optional(),
  metadata: metadata.optional(),
  submit: flag.optional(),
});

export const disputeRoutes: Route[] = [
  route(
    "GET",
    "disputes",
    z.strictObject({
      ...listParams,
      charge: text.optional(),
      payment_intent: text.optional(),
    }),
    ({ world, params, url }) => {
      const rows = world
        .rows("disputes")
        .filter(
          (row) =>
            row.charge === (params.charge ?? row.charge) &&
            row.payment_intent === (params.payment_intent ?? row.payment_intent),
        );
      return listPage(rows, params, url, "disputes");
    },
  ),
  route("GET", "disputes/:id", nothing, ({ world, id }) => world.get("disputes", id)),
  route("POST", "disputes/:id", evidence, ({ world, id, params }) => {
    const held = world.get("disputes", id);
    if (params.metadata !== undefined) {
      world.amend("disputes", id, { metadata: mergeMetadata(held.metadata, params.metadata) });
    }
    if (params.evidence === undefined || params.submit === false) return world.get("disputes", id);
    return submitEvidence(world, id, params.evidence.uncategorized_text ?? null);
  }),
  route("POST", "disputes/:id/close", nothing, ({ world, id }) => closeDispute(world, id, "lost")),
];
