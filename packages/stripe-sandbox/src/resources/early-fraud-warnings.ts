import * as z from "zod";
import { warningNow } from "../billing/early-fraud-warnings.ts";
import { filterBy, listPage } from "../http/lists.ts";
import { listParams, noParams, nonEmptyString } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";

export const earlyFraudWarningRoutes: Route[] = [
  route(
    "GET",
    "radar/early_fraud_warnings",
    z.strictObject({
      ...listParams,
      charge: nonEmptyString.optional(),
      payment_intent: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      const rows = filterBy(
        state.rows("earlyFraudWarnings"),
        ["charge", "payment_intent"],
        params,
      ).map((row) => warningNow(state, row));
      return listPage(rows, params, url, "earlyFraudWarnings");
    },
  ),
  route("GET", "radar/early_fraud_warnings/:id", noParams, ({ state, id }) =>
    warningNow(state, state.get("earlyFraudWarnings", id)),
  ),
];
