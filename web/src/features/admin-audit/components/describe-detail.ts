import { auditStrings } from "../strings.ts";

/** One value that an act has changed, as text. */
export interface AuditChange {
  readonly field: string;
  /** Null when there was none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** What an entry says, ready to be shown. */
export interface DescribedDetail {
  readonly reason: string | null;
  readonly changes: readonly AuditChange[];
  /** Everything else the entry holds. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/** `cancel_at_period_end` → `Cancel at period end`. */
function label(key: string): string {
  const words = key.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? auditStrings.yes : auditStrings.no;
  return typeof value === "string" || typeof value === "number"
    ? String(value)
    : JSON.stringify(value);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return value === null || value === undefined ? {} : { value };
  }
  return { ...value };
}

/** Takes an entry's detail apart: the reason, each field that differs between before and after, and the rest. */
export function describeDetail(detail: Readonly<Record<string, unknown>>): DescribedDetail {
  const { reason, before, after, ...rest } = detail;
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const changes = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((key) => ({ field: label(key), before: asText(was[key]), after: asText(is[key]) }))
    .filter((change) => change.before !== change.after);
  const facts = Object.entries(rest).flatMap(([key, value]) => {
    const shown = asText(value);
    return shown === null ? [] : [{ label: label(key), value: shown }];
  });
  return { reason: asText(reason), changes, facts };
}
