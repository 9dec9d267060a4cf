import type { BackendClient } from "@/lib/backend-client.ts";
import {
  questionListSchema,
  waitingQuestionsSchema,
  type QuestionedText,
  type QuestionList,
  type WaitingQuestion,
} from "../model/question.ts";

/** Reads the questions under a text. Throws the database's error. */
export async function fetchQuestions(
  client: BackendClient,
  { articleId, moduleId }: QuestionedText,
): Promise<QuestionList> {
  const text = articleId === undefined ? { module_id: moduleId } : { article_id: articleId };
  const { data, error } = await client.rpc("questions_of", text);
  if (error) throw error;
  return questionListSchema.parse(data);
}

/** Reads the questions that wait for the caller, oldest first. Throws the database's error. */
export async function fetchWaitingQuestions(
  client: BackendClient,
): Promise<readonly WaitingQuestion[]> {
  const { data, error } = await client.rpc("waiting_questions");
  if (error) throw error;
  return waitingQuestionsSchema.parse(data);
}

/** Asks under a text. Throws the database's error. */
export async function askQuestion(
  client: BackendClient,
  { articleId, moduleId }: QuestionedText,
  question: string,
): Promise<void> {
  const text = articleId === undefined ? { module_id: moduleId } : { article_id: articleId };
  const { error } = await client.rpc("ask_question", { ...text, question });
  if (error) throw error;
}

/** Answers a question; an earlier answer is replaced. Throws the database's error. */
export async function answerQuestion(
  client: BackendClient,
  questionId: string,
  answer: string,
): Promise<void> {
  const { error } = await client.rpc("answer_question", { question_id: questionId, answer });
  if (error) throw error;
}

/** Marks the answer to one's own question as helpful, or takes the mark back. Throws the database's error. */
export async function markAnswerHelpful(
  client: BackendClient,
  questionId: string,
  isHelpful: boolean,
): Promise<void> {
  const marked = { question_id: questionId, is_helpful: isHelpful };
  const { error } = await client.rpc("mark_answer_helpful", marked);
  if (error) throw error;
}

/** Deletes one's own question, or removes another's as an administrator. Throws the database's error. */
export async function deleteQuestion(
  client: BackendClient,
  questionId: string,
  /** Why an administrator takes it away, for who asked; null for one's own. */
  explanation: string | null,
): Promise<void> {
  const asked = { question_id: questionId };
  const { error } = await (explanation === null
    ? client.rpc("delete_question", asked)
    : client.rpc("remove_question", { ...asked, explanation }));
  if (error) throw error;
}
