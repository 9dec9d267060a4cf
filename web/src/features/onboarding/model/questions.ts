/** What is asked for a field, and how. */
interface QuestionRules {
  readonly page: 6 | 7;
  readonly kind: "line" | "long" | "scale";
  readonly required: boolean;
  /** Characters. */
  readonly maximum: number;
  readonly autoComplete?: string;
}

/** The questions in their order, by the key that the database knows them by. All else about the fields follows from it. */
const questionsByKey = {
  current_situation: {
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  biggest_challenge: {
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  goals_6_months: {
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  goals_1_year: {
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  motivation: {
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  commitment_level: {
    page: 6,
    kind: "scale",
    required: true,
    maximum: 2,
  },
  first_name: {
    page: 7,
    kind: "line",
    required: true,
    maximum: 100,
    autoComplete: "given-name",
  },
  last_name: {
    page: 7,
    kind: "line",
    required: true,
    maximum: 100,
    autoComplete: "family-name",
  },
  occupation: {
    page: 7,
    kind: "line",
    required: true,
    maximum: 150,
    autoComplete: "organization-title",
  },
  bio: {
    page: 7,
    kind: "long",
    required: false,
    maximum: 2000,
  },
} as const satisfies Readonly<Record<string, QuestionRules>>;

export type AnswerKey = keyof typeof questionsByKey;
/** The answers that stand on the profile. */
export type ProfileKey = {
  [Key in AnswerKey]: (typeof questionsByKey)[Key]["page"] extends 7 ? Key : never;
}[AnswerKey];
export type Answers = Readonly<Record<AnswerKey, string>>;

/** A question of steps 6 and 7. */
export interface Question extends QuestionRules {
  readonly key: AnswerKey;
}

const answerKeys = Object.keys(questionsByKey) as AnswerKey[];

export const questions: readonly Question[] = answerKeys.map((key) => ({
  key,
  ...questionsByKey[key],
}));

/** The same value for every answer. */
export function forEveryAnswer<Value>(value: Value): Record<AnswerKey, Value> {
  return Object.fromEntries(answerKeys.map((key) => [key, value])) as Record<AnswerKey, Value>;
}

/** The questions asked on a page. */
export function questionsOf(page: 6 | 7): readonly Question[] {
  return questions.filter((question) => question.page === page);
}

/** 1 to 10, as the select offers them. */
export const commitmentLevels: readonly string[] = Array.from({ length: 10 }, (_, index) =>
  String(index + 1),
);

export const noAnswers: Answers = forEveryAnswer("");

/** Takes the answers out of anything stored; what is not a text is left empty. */
export function toAnswers(stored: unknown): Answers {
  if (typeof stored !== "object" || stored === null) return noAnswers;
  const found = stored as Readonly<Record<string, unknown>>;
  const answers = { ...noAnswers };
  for (const key of answerKeys) {
    const value = found[key];
    if (typeof value === "string") answers[key] = value;
  }
  return answers;
}

/** True for a required question without an answer; space alone is none. */
export function isMissing({ key, required }: Question, answers: Answers): boolean {
  return required && answers[key].trim() === "";
}
