import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import { libraryPath, shelves } from "@/domain/library-paths.ts";
import { knownItems } from "@/domain/known-items.ts";
import { questionFragment } from "@/domain/paths.ts";

/** The text a question is under: an article or a lesson. */
export type QuestionedText =
  | { readonly articleId: string; readonly moduleId?: never }
  | { readonly moduleId: string; readonly articleId?: never };

/** Limits of the database, which counts again. */
export const maxQuestionLength = 1000;
export const maxAnswerLength = 4000;

export const questionListSchema = z.object({
  may_ask: z.boolean(),
  may_answer: z.boolean(),
  may_remove: z.boolean(),
  items: z.array(
    z.object({
      id: z.string(),
      question: z.string(),
      created_at: z.string(),
      is_own: z.boolean(),
      asker: z.nullable(z.string()),
      answer: z.nullable(z.string()),
      answerer: z.nullable(z.string()),
      // Both are missing in what a host of an earlier release answers.
      is_helpful: z.optional(z.boolean()),
      may_mark: z.optional(z.boolean()),
    }),
  ),
});

/** The questions under a text, as `questions_of` answers, with what the reader may do. */
export type QuestionList = z.infer<typeof questionListSchema>;
export type TextQuestion = QuestionList["items"][number];

export const waitingQuestionsSchema = knownItems(
  z.object({
    id: z.string(),
    question: z.string(),
    created_at: z.string(),
    asker: z.nullable(z.string()),
    place: z.object({
      category: z.enum(categories),
      shelf: z.enum(shelves),
      subcategory: z.string(),
      item_id: z.string(),
      module: z.nullable(z.string()),
      title: z.string(),
    }),
  }),
);

/** A question without an answer, with the text it is under. */
export type WaitingQuestion = z.infer<typeof waitingQuestionsSchema>[number];

/** The address of a question, under its text. */
export function answeredPath(question: Pick<WaitingQuestion, "id" | "place">): string {
  return `${questionPath(question)}${questionFragment(question.id)}`;
}

/** The address of the text a question is under. */
export function questionPath({ place }: Pick<WaitingQuestion, "place">): string {
  const path = libraryPath(place.category, place.shelf, place.subcategory, place.item_id);
  return place.module === null ? path : `${path}?module=${place.module}`;
}
