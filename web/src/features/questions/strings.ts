import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

export const questionStrings = {
  title: "Questions",
  loading: "Loading the questions",
  failed: "We couldn't load the questions",
  empty: "No questions yet. Ask the first one.",
  emptyForAuthor: "No questions yet. They'll appear here, and you'll be notified.",
  ask: "Ask a question",
  askHint: "Everyone who can read this sees your question and its answer.",
  sendQuestion: "Ask",
  wordsMissing: "Please write something first.",
  sendFailed: (advice: string) => `We couldn't send this. ${advice}`,
  answeredBy: "Answered by ",
  newAnswer: "New",
  helpful: "Helpful",
  markHelpful: "This was helpful",
  markFailed: (advice: string) => `That wasn't saved. ${advice}`,
  answer: "Your answer",
  sendAnswer: "Answer",
  changeAnswer: "Change the answer",
  saveAnswer: "Save answer",
  waitingTitle: "Waiting for your answer",
  /** Before the title of the text. */
  askedUnder: (since: string) => `${since}, under `,
  /** Before the title of the text. */
  answered: "Your answer is published. Members see it under ",
  openText: (title: string) => `Read “${title}”`,
  delete: "Delete question",
  deleteTitle: "Delete this question?",
  deleteText: "This deletes the question and its answer for everyone. You can't undo this.",
  removeText:
    "This deletes the question and its answer for everyone, and tells who asked and who answered why. You can't undo this, and it is recorded with your name.",
  deleteCancel: "Keep it",
  deleted: "Question deleted.",
  deleteFailed: (advice: string) => `The question wasn't deleted. ${advice}`,
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a while and try again.",
  FF720: "This is no longer open to you.",
  FF723: "This question is no longer here, or no longer yours to answer.",
  FF725: "This answer is no longer here.",
  FF724: "This question is no longer here.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainQuestionError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}

/** The name of a member, also of one who gave none. */
export function writerName(name: string | null): string {
  return name === null || name === "" ? "A member" : name;
}
