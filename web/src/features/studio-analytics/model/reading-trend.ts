import * as z from "zod/mini";

export const readingTrendSchema = z.object({
  today: z.string(),
  readers_this_week: z.number(),
  readers: z.number(),
  reads: z.number(),
  enrolments: z.number(),
  lessons: z.number(),
  /** In as many days before; of readers it is not known. */
  before: z.object({ reads: z.number(), enrolments: z.number(), lessons: z.number() }),
  days: z.array(z.object({ day: z.string(), readers: z.number() })),
  stop: z.nullable(
    z.object({
      course_id: z.string(),
      title: z.string(),
      module: z.number(),
      members: z.number(),
    }),
  ),
});

/** What happened to a mentor's texts in some days, as `my_reading_trend` answers. */
export type ReadingTrend = z.infer<typeof readingTrendSchema>;

/** The periods to choose from, in days. */
export const trendPeriods = [7, 30, 90] as const;
export type TrendPeriod = (typeof trendPeriods)[number];

const dayMs = 86_400_000;

/** Readers on each of the last days, those without any included, the oldest first. */
export function readersByDay(
  { today, days }: Pick<ReadingTrend, "today" | "days">,
  period: number,
): readonly { readonly day: string; readonly readers: number }[] {
  const readers = new Map(days.map((each) => [each.day, each.readers]));
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: period }, (_, index) => {
    const day = new Date(last - (period - 1 - index) * dayMs).toISOString().slice(0, 10);
    return { day, readers: readers.get(day) ?? 0 };
  });
}
