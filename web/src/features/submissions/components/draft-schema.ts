import * as z from "zod/mini";
import { requiredText } from "@/lib/required-text.ts";
import { maxContentLength, maxTitleLength } from "../model/draft.ts";
import { pickableTypes } from "../model/submission-type.ts";
import { newSubmissionStrings } from "../strings.ts";

/** What a draft must be to be shared. */
export const draftSchema = z.object({
  type: z.pipe(
    z.nullable(z.enum(pickableTypes)),
    z.enum(pickableTypes, newSubmissionStrings.typeMissing),
  ),
  title: requiredText(maxTitleLength, newSubmissionStrings.titleMissing),
  content: requiredText(maxContentLength, newSubmissionStrings.contentMissing),
});

/** What a change of a submission must be to be saved. */
export const editSchema = z.object({
  title: draftSchema.shape.title,
  content: draftSchema.shape.content,
});

/** A draft that can be shared. */
export type CompleteDraft = z.infer<typeof draftSchema>;
