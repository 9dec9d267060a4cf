import * as z from "zod/mini";
import { requiredText } from "@/lib/required-text.ts";
import { dueDays, maxPactContentLength, maxPactTitleLength } from "../model/pact-draft.ts";
import { pactFormStrings } from "../strings.ts";

/** What a pact must say to be made. */
export function pactDraftSchema(now: number) {
  const { first, last } = dueDays(now);
  return z.object({
    title: requiredText(maxPactTitleLength, pactFormStrings.titleMissing),
    dueOn: z
      .string()
      .check(z.refine((day) => day >= first && day <= last, pactFormStrings.dueOnWrong)),
    content: requiredText(maxPactContentLength, pactFormStrings.contentMissing),
  });
}
