import { startOfDay } from "@/lib/format-time.ts";
import type { BellItem } from "./bell-page.ts";

/** Lines of one day, as they came, and when that day starts for the reader. */
interface DayOfBell {
  readonly start: number;
  readonly of: BellItem[];
}

/** The lines, newest first, by the days on which they happened. */
export function itemsByDay(items: readonly BellItem[]): readonly DayOfBell[] {
  const days: DayOfBell[] = [];
  for (const item of items) {
    const start = startOfDay(Date.parse(item.created_at));
    const last = days.at(-1);
    if (last?.start === start) last.of.push(item);
    else days.push({ start, of: [item] });
  }
  return days;
}
