import type * as z from "zod";
import { invalidRequest, resourceMissing } from "../api-errors.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { resourceNames, type ResourceTable } from "../tables.ts";
import type { timeRange } from "./params.ts";

export interface PageParams {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
  created?: z.infer<typeof timeRange> | undefined;
}

export interface ListObject<T> {
  object: "list";
  data: T[];
  has_more: boolean;
  url: string;
}

/**
 * One page of `rows`, newest first.
 * @param rows in order of creation.
 * @throws {StripeApiError} 400 for a cursor that is not in `rows`.
 */
export function listPage<T extends { id: string; created: number }>(
  rows: T[],
  params: PageParams,
  url: string,
  table: ResourceTable,
): ListObject<T> {
  const limit = params.limit ?? 10;
  if (limit < 1 || limit > 100) {
    const bound = limit < 1 ? "greater than or equal to 1" : "less than or equal to 100";
    throw invalidRequest(`This value must be ${bound}.`, "limit", "parameter_invalid_integer");
  }
  const found = rows.filter((row) => isWithin(row.created, params.created)).toReversed();
  const indexOfCursor = (id: string, param: string): number => {
    const place = found.findIndex((row) => row.id === id);
    if (place < 0) throw resourceMissing(resourceNames[table], id, param);
    return place;
  };
  if (params.ending_before !== undefined) {
    const end = indexOfCursor(params.ending_before, "ending_before");
    const start = Math.max(0, end - limit);
    return { object: "list", data: found.slice(start, end), has_more: start > 0, url };
  }
  const start =
    params.starting_after === undefined
      ? 0
      : indexOfCursor(params.starting_after, "starting_after") + 1;
  const data = found.slice(start, start + limit);
  return { object: "list", data, has_more: start + limit < found.length, url };
}

/**
 * The customer that a list is of; undefined for a list of everybody's.
 * @throws {StripeApiError} 400 `resource_missing` for one that never existed here. A deleted one has lists.
 */
export function listedCustomer(
  state: SandboxState,
  { customer }: { customer?: string | undefined },
): string | undefined {
  if (customer === undefined || state.tables.deletedCustomers.has(customer)) return customer;
  return state.get("customers", customer, "customer").id;
}

/** The rows whose `fields` equal those of the parameters that were given. */
export function filterBy<T extends object, F extends keyof T>(
  rows: T[],
  fields: readonly F[],
  params: { readonly [K in F]?: unknown },
): T[] {
  return rows.filter((row) =>
    fields.every((field) => params[field] === undefined || row[field] === params[field]),
  );
}

function isWithin(moment: number, range: PageParams["created"]): boolean {
  if (range === undefined) return true;
  if (typeof range === "number") return moment === range;
  return (
    (range.gt === undefined || moment > range.gt) &&
    (range.gte === undefined || moment >= range.gte) &&
    (range.lt === undefined || moment < range.lt) &&
    (range.lte === undefined || moment <= range.lte)
  );
}
