// A time for publication, as `<input type="datetime-local">` holds it: in the person's own time zone, without naming it.

/** The person's time zone, such as `Europe/London`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");
}

/** The time in a field in epoch milliseconds; null when there is none. */
export function publishTimeIn(field: string): number | null {
  const time = Date.parse(field);
  return Number.isNaN(time) ? null : time;
}

export type PublishTimeIssue = "missing" | "past" | "tooLate";

/** What is wrong with the time in a field; null when it can be kept. The database has the last word. */
export function publishTimeIssue(field: string, now: number): PublishTimeIssue | null {
  const time = publishTimeIn(field);
  if (time === null) return "missing";
  if (time <= now) return "past";
  const inAYear = new Date(now).setFullYear(new Date(now).getFullYear() + 1);
  return time > inAYear ? "tooLate" : null;
}

/** What a field for the time holds, to the minute. */
export function toTimeField(time: number): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
