import * as z from "zod";
import { invalidRequest, type StripeApiError } from "../api-errors.ts";
import type { FormObject } from "./form.ts";

/** Non-empty text up to Stripe's limit. */
export const nonEmptyString = z.string().min(1).max(5000);
/** Text; an empty value becomes null. */
export const clearableText = z
  .string()
  .max(5000)
  .transform((value) => (value === "" ? null : value));
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, "integer")
  .transform(Number);

/** Metadata: an empty value removes its key; an empty value for all of it removes every key. */
export const metadata = z.union([
  z.literal(""),
  z.record(z.string().max(40), z.string().max(500)).refine((map) => Object.keys(map).length <= 50),
]);

export type MetadataParam = z.infer<typeof metadata>;

export function mergeMetadata(
  existing: Record<string, string>,
  given: MetadataParam | undefined,
): Record<string, string> {
  if (given === undefined) return existing;
  if (given === "") return {};
  return Object.fromEntries(
    Object.entries({ ...existing, ...given }).filter(([, value]) => value !== ""),
  );
}

/** What version 2026-09-30 of the API took from intents, in favour of `allowed_payment_method_types`. */
export const noLongerTypes = z.unknown().optional();

export function refuseOldTypes(given: { payment_method_types?: unknown }): void {
  if (given.payment_method_types === undefined) return;
  throw invalidRequest(
    "The `payment_method_types` parameter is no longer supported. Use `allowed_payment_method_types` instead.",
    "payment_method_types",
    "payment_method_types_no_longer_supported",
  );
}

/** For endpoints without parameters. */
export const noParams = z.strictObject({});

export const timeRange = z.union([
  integer,
  z.strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  }),
]);

export const listParams = {
  limit: integer.optional(),
  starting_after: nonEmptyString.optional(),
  ending_before: nonEmptyString.optional(),
  created: timeRange.optional(),
};

/**
 * Checks parameters against a schema.
 * @throws {StripeApiError} 400 for the first issue.
 */
export function readParams<S extends z.ZodType>(schema: S, raw: FormObject): z.infer<S> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw issue ? issueToError(issue, raw) : invalidRequest("Invalid request.");
}

function nameOf(path: PropertyKey[]): string {
  const [first, ...rest] = path.map(String);
  return (first ?? "") + rest.map((part) => `[${part}]`).join("");
}

function givenAt(raw: FormObject, path: PropertyKey[]): unknown {
  let value: unknown = raw;
  for (const part of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.entries(value).find(([key]) => key === String(part))?.[1];
  }
  return value;
}

function issueToError(issue: z.core.$ZodIssue, raw: FormObject): StripeApiError {
  const param = nameOf(issue.path);
  const given = givenAt(raw, issue.path);
  const shown = typeof given === "string" ? given.slice(0, 100) : "";
  if (issue.code === "unrecognized_keys") {
    const unknown = nameOf([...issue.path, issue.keys[0] ?? ""]);
    return invalidRequest(`Received unknown parameter: ${unknown}`, unknown, "parameter_unknown");
  }
  if (given === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, param, "parameter_missing");
  }
  if (issue.code === "invalid_value") {
    const allowed = issue.values.map(String);
    if (allowed.includes("true") && allowed.length === 2) {
      return invalidRequest(`Invalid boolean: ${shown}`, param);
    }
    return invalidRequest(`Invalid ${param}: must be one of ${allowed.join(", ")}`, param);
  }
  if (issue.message === "integer") {
    return invalidRequest(`Invalid integer: ${shown}`, param, "parameter_invalid_integer");
  }
  if (issue.code === "too_small" && shown === "") {
    return invalidRequest(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      param,
      "parameter_invalid_empty",
    );
  }
  if (issue.code === "too_big") {
    return invalidRequest(`Invalid string: ${shown}…; too long`, param, "parameter_invalid_string");
  }
  if (issue.code === "invalid_type" && issue.expected === "string") {
    return invalidRequest(`Invalid string: ${JSON.stringify(given).slice(0, 100)}`, param);
  }
  if (issue.code === "invalid_type" && issue.expected === "array") {
    return invalidRequest(`Invalid array`, param);
  }
  if (issue.code === "invalid_type") return invalidRequest("Invalid object", param);
  return invalidRequest(`Invalid ${param}`, param);
}
