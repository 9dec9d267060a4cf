import * as z from "zod/mini";
import { requiredText } from "@/lib/required-text.ts";
import { pactFormStrings } from "../strings.ts";

/** Characters; the database refuses more. */
const maxTitleLength = 150;
const maxContentLength = 10_000;
/** Days; the database refuses more. */
const maxDaysAhead = 366;

const dayMs = 86_400_000;

/** The day of a moment in UTC, as the database counts, as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first and last day a pact may be due, and the one offered: a week from now. */
export function dueDays(now: number) {
  return {
    first: dayOf(now),
    offered: dayOf(now + 7 * dayMs),
    last: dayOf(now + maxDaysAhead * dayMs),
  };
}

/** What a pact must say to be made. */
export function pactDraftSchema(now: number) {
  const { first, last } = dueDays(now);
  return z.object({
    title: requiredText(maxTitleLength, pactFormStrings.titleMissing),
    dueOn: z
      .string()
      .check(z.refine((day) => day >= first && day <= last, pactFormStrings.dueOnWrong)),
    content: requiredText(maxContentLength, pactFormStrings.contentMissing),
  });
}

export type PactDraft = z.infer<ReturnType<typeof pactDraftSchema>>;
