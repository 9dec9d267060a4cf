import * as z from "zod";
import { listPage } from "../http/lists.ts";
import { listParams, noParams } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

/** Where events are sent: one endpoint at most, an option of the sandbox that no call changes. */
export const webhookEndpointRoutes: Route[] = [
  route("GET", "webhook_endpoints", z.strictObject(listParams), ({ state, params, url }) =>
    listPage(state.rows("webhookEndpoints"), params, url, "webhookEndpoints"),
  ),
  route("GET", "webhook_endpoints/:id", noParams, ({ state, id }) =>
    state.get("webhookEndpoints", id),
  ),
];
