import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
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
import { newObjectId } from "../ids.ts";
import { newTaxRate } from "../objects/tax-rate-objects.ts";

const labels = {
  active: flag.optional(),
  country: nonEmptyString.optional(),
  description: nonEmptyString.optional(),
  jurisdiction: nonEmptyString.optional(),
  metadata: metadata.optional(),
  tax_type: nonEmptyString.optional(),
};
const createParams = z.strictObject({
  ...labels,
  display_name: nonEmptyString,
  inclusive: flag,
  percentage: z.coerce.number().min(0).max(100),
});
const updateParams = z.strictObject({ ...labels, display_name: nonEmptyString.optional() });

/** Rates that are part of the price. Percentage and inclusion never change, as at Stripe. */
export const taxRateRoutes: Route[] = [
  route("POST", "tax_rates", createParams, ({ state, params }) => {
    if (!params.inclusive) {
      throw invalidRequest("The sandbox knows only inclusive tax rates.", "inclusive");
    }
    const rate = newTaxRate(
      {
        id: newObjectId("txr"),
        displayName: params.display_name,
        percentage: params.percentage,
        country: params.country ?? null,
        jurisdiction: params.jurisdiction ?? null,
        description: params.description ?? null,
        taxType: params.tax_type ?? null,
        active: params.active ?? true,
        metadata: mergeMetadata({}, params.metadata),
      },
      state.now(),
    );
    state.put("taxRates", rate);
    state.emit("tax_rate.created", rate);
    return rate;
  }),
  route(
    "GET",
    "tax_rates",
    z.strictObject({ ...listParams, active: flag.optional(), inclusive: flag.optional() }),
    ({ state, params, url }) => {
      const rows = filterBy(state.rows("taxRates"), ["active", "inclusive"], params);
      return listPage(rows, params, url, "taxRates");
    },
  ),
  route("GET", "tax_rates/:id", noParams, ({ state, id }) => state.get("taxRates", id)),
  route("POST", "tax_rates/:id", updateParams, ({ state, id, params }) => {
    const { metadata: given, display_name: displayName, tax_type: taxType, ...rest } = params;
    const changes = {
      ...(rest.active !== undefined && { active: rest.active }),
      ...(rest.country !== undefined && { country: rest.country }),
      ...(rest.description !== undefined && { description: rest.description }),
      ...(rest.jurisdiction !== undefined && { jurisdiction: rest.jurisdiction }),
      ...(displayName !== undefined && { display_name: displayName }),
      ...(taxType !== undefined && { tax_type: taxType }),
      metadata: mergeMetadata(state.get("taxRates", id).metadata ?? {}, given),
    };
    return state.update("taxRates", id, changes, "tax_rate.updated");
  }),
];
