import * as z from "zod";
import { closeDispute, submitEvidence } from "../billing/disputes.ts";
import { filterBy, listPage } from "../http/lists.ts";
import {
  flag,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

const evidence = z.strictObject({
  evidence: z.strictObject({ uncategorized_text: nonEmptyString.optional() }).optional(),
  metadata: metadata.optional(),
  submit: flag.optional(),
});

export const disputeRoutes: Route[] = [
  route(
    "GET",
    "disputes",
    z.strictObject({
      ...listParams,
      charge: nonEmptyString.optional(),
      payment_intent: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      const rows = filterBy(state.rows("disputes"), ["charge", "payment_intent"], params);
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
