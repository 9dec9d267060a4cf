/** The state of one part of an install. `detail` names no member, address or secret. */
export interface HealthCheck {
  readonly state: "ok" | "warning" | "failing";
  readonly detail?: string;
}

/** By the name of the part, such as `disk`. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>;

/** The worse of two checks of one part, with the details of both. */
export function worse(one: HealthCheck | undefined, other: HealthCheck): HealthCheck {
  if (one === undefined) return other;
  const states = ["failing", "warning", "ok"] as const;
  const state = states.find((each) => one.state === each || other.state === each) ?? "ok";
  const details = [one.detail, other.detail].filter((detail) => detail !== undefined);
  return details.length === 0 ? { state } : { state, detail: details.join("; ") };
}

/** What failed so many times in a row: a warning the first times, failing from `failingFrom` on. */
export function checkFailures(failures: number, what: string, failingFrom: number): HealthCheck {
  if (failures === 0) return { state: "ok" };
  return {
    state: failures >= failingFrom ? "failing" : "warning",
    detail: `${what} failed ${failures === 1 ? "last time" : `${failures} times in a row`}`,
  };
}
