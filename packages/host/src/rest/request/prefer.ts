// Parses the Prefer header and writes Preference-Applied.

import { RestError } from "../errors.ts";

/** The Prefer header; a preference that was not given is undefined. */
export interface Preferences {
  resolution?: "merge-duplicates" | "ignore-duplicates";
  return?: "representation" | "minimal" | "headers-only";
  count?: "exact" | "planned" | "estimated";
  tx?: "commit" | "rollback";
  missing?: "default" | "null";
  handling?: "strict" | "lenient";
  timezone?: string;
  maxAffected?: number;
  /** Preferences that were given and are not known. */
  unknown: readonly string[];
}

const knownChoices = {
  resolution: ["merge-duplicates", "ignore-duplicates"],
  return: ["representation", "minimal", "headers-only"],
  count: ["exact", "planned", "estimated"],
  tx: ["commit", "rollback"],
  missing: ["default", "null"],
  handling: ["strict", "lenient"],
} as const;

function isChoice(name: string): name is keyof typeof knownChoices {
  return Object.hasOwn(knownChoices, name);
}

/** Most preferences in one request. */
const maxPreferences = 50;

/**
 * Reads the Prefer header. When a preference is given twice, the first one counts.
 * @throws {RestError} PGRST122 when there are too many
 */
export function parsePreferences(header: string | null): Preferences {
  const found: Record<string, string> = {};
  const unknown: string[] = [];
  const parts = (header ?? "").split(",", maxPreferences + 1);
  if (parts.length > maxPreferences) {
    throw new RestError(400, "PGRST122", `More than ${maxPreferences} preferences were given`);
  }
  for (const part of parts) {
    const text = part.trim();
    if (text === "") continue;
    const at = text.indexOf("=");
    const name = at < 0 ? text : text.slice(0, at).trim();
    const value = at < 0 ? "" : text.slice(at + 1).trim();
    const known = isChoice(name)
      ? (knownChoices[name] as readonly string[]).includes(value)
      : (name === "timezone" && value !== "") ||
        (name === "max-affected" && /^\d{1,15}$/.test(value));
    if (!known) unknown.push(text);
    else found[name] ??= value;
  }
  const { "max-affected": maxAffected, ...rest } = found;
  return {
    ...rest,
    ...(maxAffected !== undefined && { maxAffected: Number(maxAffected) }),
    unknown,
  };
}

/**
 * Leaves out a time zone that the server does not know.
 * @throws {RestError} PGRST122 when there is one under `handling=strict`.
 */
export function withKnownTimezone(
  preferences: Preferences,
  timezones: ReadonlySet<string>,
): Preferences {
  const { timezone, ...others } = preferences;
  if (timezone === undefined || timezones.has(timezone)) return preferences;
  assertKnownPreferences({ ...others, unknown: [`timezone=${timezone}`] });
  return others;
}

/** @throws {RestError} PGRST122 when there are unknown preferences under `handling=strict`. */
export function assertKnownPreferences(preferences: Preferences): void {
  if (preferences.handling !== "strict" || preferences.unknown.length === 0) return;
  throw new RestError(400, "PGRST122", "Invalid preferences given with handling=strict", {
    details: `Invalid preferences: ${preferences.unknown.join(", ")}`,
  });
}

/** The Preference-Applied header, or undefined when no preference was applied. */
export function preferenceApplied(applied: Omit<Preferences, "unknown">): string | undefined {
  const { maxAffected, timezone, ...choices } = applied;
  const order = ["resolution", "missing", "return", "count", "tx", "handling"] as const;
  const parts = order.flatMap((name) =>
    choices[name] === undefined ? [] : [`${name}=${choices[name]}`],
  );
  if (timezone !== undefined) parts.push(`timezone=${timezone}`);
  if (maxAffected !== undefined && choices.handling === "strict") {
    parts.push(`max-affected=${maxAffected}`);
  }
  return parts.length === 0 ? undefined : parts.join(", ");
}
