import { systemClock } from "@/lib/clock.ts";
import { formatCount } from "@/lib/format-count.ts";
import { exactTime } from "@/lib/format-time.ts";
import { classNames } from "@/ui/class-names.ts";

/**
 * Makes, each in a task of its own, what takes long the first time: the browser reads its tables of languages with the first
 * format of a page (20 to 40 ms, four times as long on a slow phone), then those of dates, and the first classes that are
 * merged make a table of all there are. While a page waits for its settings nobody waits for them; in the page's first
 * drawing they made one long task.
 */
export function warmUp(): void {
  const parts = [() => formatCount(1000), () => exactTime(0), () => classNames("p-1", "p-2")];
  for (const part of parts) systemClock.after(0, part);
}
