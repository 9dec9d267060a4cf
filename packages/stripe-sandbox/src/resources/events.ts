import * as z from "zod";
import { invalidRequest, resourceMissing } from "../api-errors.ts";
import { listPage } from "../http/lists.ts";
import { flag, listParams, nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

/** As long as Stripe lists an event, in seconds. */
const keptS = 30 * 24 * 3600;

/** `a.*` matches every type that starts with `a.`. */
function matchesType(type: string, pattern: string): boolean {
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

export const eventRoutes: Route[] = [
  route(
    "GET",
    "events",
    z.strictObject({
      ...listParams,
      type: nonEmptyString.optional(),
      types: z.array(nonEmptyString).max(20).optional(),
      delivery_success: flag.optional(),
    }),
    ({ state, params, url }) => {
      if (params.type !== undefined && params.types !== undefined) {
        throw invalidRequest("You may only specify one of these parameters: type, types.", "type");
      }
      const wanted = params.types ?? (params.type === undefined ? undefined : [params.type]);
      const delivered = params.delivery_success;
      const rows = state
        .rows("events")
        .filter(
          (row) =>
            (wanted?.some((pattern) => matchesType(row.type, pattern)) ?? true) &&
            row.created > state.now() - keptS &&
            (delivered === undefined || (row.pending_webhooks === 0) === delivered),
        );
      return listPage(rows, params, url, "events");
    },
  ),
  route("GET", "events/:id", z.strictObject({}), ({ state, id }) => {
    const event = state.get("events", id);
    if (event.created <= state.now() - keptS) throw resourceMissing("event", id);
    return event;
  }),
];
