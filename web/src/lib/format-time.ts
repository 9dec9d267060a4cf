import { brand } from "@/domain/brand.ts";
import { pluralise } from "./format-count.ts";
import { lazily } from "./lazily.ts";

// Times as a reader wants them. Every time is in epoch milliseconds and shown in the reader's own
// time zone.
//
// One rule for when something happened: a line that stands among other lines of its kind (rooms, conversations,
// search results, posts, reports) has `shortTime`, so that the same message has the same time wherever it
// is listed; under the name of a day, as in the bell and in a room, it has `clockTime`. `timeAgo` is for a sentence or a byline about one thing (`last seen 5 minutes ago`). `exactTime` is the
// title of both.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Made with the first time it shows: a page shows times in two or three ways. */
function format(options: Intl.DateTimeFormatOptions): Pick<Intl.DateTimeFormat, "format"> {
  const made = lazily(() => new Intl.DateTimeFormat(brand.locale, options));
  return { format: (time) => made().format(time) };
}

const clock = format({ hour: "2-digit", minute: "2-digit" });
const day = format({ day: "numeric", month: "long" });
const shortDay = format({ day: "numeric", month: "short" });
const shortDayOfYear = format({ day: "numeric", month: "short", year: "numeric" });
const date = format({ dateStyle: "long" });
const weekday = format({ weekday: "long", day: "numeric", month: "long" });
const weekdayOfYear = format({ dateStyle: "full" });
const month = format({ month: "long", year: "numeric", timeZone: "UTC" });
const monthOnly = format({ month: "short" });
const dateInLondon = format({ dateStyle: "long", timeZone: "Europe/London" });
const exact = format({ dateStyle: "full", timeStyle: "short" });

/** `just now`, `5 minutes ago`, `yesterday`, `3 March`. */
export function timeAgo(time: number, now: number): string {
  const passed = now - time;
  if (passed < minuteMs) return "just now";
  if (passed < hourMs) return ago(Math.floor(passed / minuteMs), "minute");
  if (passed < dayMs) return ago(Math.floor(passed / hourMs), "hour");
  if (passed < 2 * dayMs) return "yesterday";
  if (passed < 7 * dayMs) return ago(Math.floor(passed / dayMs), "day");
  return (inOneYear(time, now) ? day : date).format(time);
}

/** Hours and minutes: `14:05`. */
export function clockTime(time: number): string {
  return clock.format(time);
}

/** Name of a day from its local start: `Today`, `Yesterday`, else the date. */
export function dayName(start: number, now: number): string {
  const today = startOfDay(now);
  if (start === today) return "Today";
  if (start === new Date(today).setDate(new Date(today).getDate() - 1)) return "Yesterday";
  return (inOneYear(start, now) ? weekday : weekdayOfYear).format(start);
}

/** For a list: `12:40` today, `Yesterday`, `3 Nov`, with the year when it is another one. */
export function shortTime(time: number, now: number): string {
  const name = dayName(startOfDay(time), now);
  if (name === "Today") return clock.format(time);
  if (name === "Yesterday") return name;
  return (inOneYear(time, now) ? shortDay : shortDayOfYear).format(time);
}

/** Noon of a day, so that it is the same day wherever it is shown. */
export function noonOf(day: string): number {
  return Date.parse(`${day}T12:00:00`);
}

/** `3 March 2026`. */
export function longDate(time: number): string {
  return date.format(time);
}

/**
 * The last day of what ends with a day of the seller's (docs/subsystems/billing.md), from the midnight after it: `14 December 2026`, and
 * where the reader's day ends at another hour `14 December 2026 (London time)`.
 */
export function lastDayInLondon(endsAt: number): string {
  const day = dateInLondon.format(endsAt - 1);
  return startOfDay(endsAt) === endsAt ? day : `${day} (London time)`;
}

/** `3` and `Mar` of a day as the database writes it: `2026-03-03`. */
export function dayAndMonth(day: string): { readonly day: string; readonly month: string } {
  const [year = 0, monthNumber = 1, dayOfMonth = 1] = day.split("-").map(Number);
  const noon = new Date(year, monthNumber - 1, dayOfMonth, 12);
  return { day: String(noon.getDate()), month: monthOnly.format(noon) };
}

/** `March 2026`, of a day in that month as the database writes it: `2026-03-01`. */
export function monthName(dayInMonth: string): string {
  return month.format(Date.parse(dayInMonth));
}

/** The full date and time, shown on hover. */
export function exactTime(time: number): string {
  return exact.format(time);
}

/** Midnight before, where the reader is. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function inOneYear(one: number, other: number): boolean {
  return new Date(one).getFullYear() === new Date(other).getFullYear();
}

function ago(count: number, unit: string): string {
  return `${pluralise(count, unit)} ago`;
}
