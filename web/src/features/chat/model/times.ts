const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const locale = "en-GB";

const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "long", day: "numeric", month: "long" });
const dated = new Intl.DateTimeFormat(locale, {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
});

/** When something was said, as one would say it: `just now`, `5 min ago`, `14:05`. */
export function relativeTime(time: number, now: number): string {
  const passed = now - time;
  if (passed < minuteMs) return "just now";
  if (passed < hourMs) return `${Math.floor(passed / minuteMs)} min ago`;
  return clock.format(time);
}

/** Hours and minutes. */
export function clockTime(time: number): string {
  return clock.format(time);
}

/** Name of a day from its local start: `Today`, `Yesterday`, else the date. */
export function dayName(day: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  if (day === today) return "Today";
  if (day === new Date(today).setDate(new Date(today).getDate() - 1)) return "Yesterday";
  const sameYear = new Date(day).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? weekday : dated).format(day);
}

/** For a list: `12:40` today, `Yesterday`, `3 Nov`, with the year when it is another one. */
export function shortTime(time: number, now: number): string {
  const name = dayName(new Date(time).setHours(0, 0, 0, 0), now);
  if (name === "Today") return clock.format(time);
  if (name === "Yesterday") return name;
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return new Date(time).toLocaleDateString(locale, {
    day: "numeric",
    month: "short",
    ...(sameYear ? {} : { year: "numeric" }),
  });
}
