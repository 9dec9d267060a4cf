const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const locale = "en-GB";

const inYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "long" });
const withYear = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "long",
  year: "numeric",
});
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" });

/** `just now`, `5 minutes ago`, `yesterday`, `3 March`. Epoch milliseconds. */
export function timeAgo(time: number, now: number): string {
  const passed = now - time;
  if (passed < minuteMs) return "just now";
  if (passed < hourMs) return ago(Math.floor(passed / minuteMs), "minute");
  if (passed < dayMs) return ago(Math.floor(passed / hourMs), "hour");
  if (passed < 2 * dayMs) return "yesterday";
  if (passed < 7 * dayMs) return ago(Math.floor(passed / dayMs), "day");
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? inYear : withYear).format(time);
}

function ago(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** The whole date and time, for whoever wants to know exactly. */
export function exactTime(time: number): string {
  return exact.format(time);
}
