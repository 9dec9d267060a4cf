import * as z from "zod";
import { closeDispute, submitEvidence } from "../billing/disputes.ts";
import { listPage } from "../http/lists.ts";
import { flag, listParams, mergeMetadata, metadata, text } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

const noParams = z.strictObject({});
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
    ({ state, params, url }) => {
      const rows = state
        .rows("disputes")
        .filter(
          (row) =>
            row.charge === (params.charge ?? row.charge) &&
            row.payment_intent === (params.payment_intent ?? row.payment_intent),
        );
      return listPage(rows, params, url, "disputes");
    },
  ),
  route("GET", "disputes/:id", noParams, ({ state, id }) => state.get("disputes", id)),
  route("POST", "disputes/:id", evidence, ({ state, id, params }) => {
    const existing = state.get("disputes", id);
    if (params.metadata !== undefined) {
      state.update("disputes", id, { metadata: mergeMetadata(existing.metadata, params.metadata) });
    }
    if (params.evidence === undefined || params.submit === false) return state.get("disputes", id);
    return submitEvidence(state, id, params.evidence.uncategorized_text ?? null);
  }),
  route("POST", "disputes/:id/close", noParams, ({ state, id }) => closeDispute(state, id, "lost")),
];
