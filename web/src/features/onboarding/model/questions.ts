/** A question of steps 6 and 7. `key` is what the database knows it by. */
export interface Question {
  readonly key: AnswerKey;
  readonly page: 6 | 7;
  readonly kind: "line" | "long" | "scale";
  readonly required: boolean;
  /** Characters. */
  readonly maximum: number;
  readonly autoComplete?: string;
}

export const answerKeys = [
  "current_situation",
  "biggest_challenge",
  "goals_6_months",
  "goals_1_year",
  "motivation",
  "commitment_level",
  "first_name",
  "last_name",
  "occupation",
  "bio",
] as const;
export type AnswerKey = (typeof answerKeys)[number];
export type Answers = Readonly<Record<AnswerKey, string>>;

export const questions: readonly Question[] = [
  {
    key: "current_situation",
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  {
    key: "biggest_challenge",
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  {
    key: "goals_6_months",
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  {
    key: "goals_1_year",
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  {
    key: "motivation",
    page: 6,
    kind: "long",
    required: true,
    maximum: 5000,
  },
  {
    key: "commitment_level",
    page: 6,
    kind: "scale",
    required: true,
    maximum: 2,
  },
  {
    key: "first_name",
    page: 7,
    kind: "line",
    required: true,
    maximum: 100,
    autoComplete: "given-name",
  },
  {
    key: "last_name",
    page: 7,
    kind: "line",
    required: true,
    maximum: 100,
    autoComplete: "family-name",
  },
  {
    key: "occupation",
    page: 7,
    kind: "line",
    required: true,
    maximum: 150,
    autoComplete: "organization-title",
  },
  {
    key: "bio",
    page: 7,
    kind: "long",
    required: false,
    maximum: 2000,
  },
];

/** The questions asked on a page. */
export function questionsOf(page: 6 | 7): readonly Question[] {
  return questions.filter((question) => question.page === page);
}

/** 1 to 10, as the select offers them. */
export const commitmentLevels: readonly string[] = Array.from({ length: 10 }, (_, index) =>
  String(index + 1),
);

export const noAnswers: Answers = {
  current_situation: "",
  biggest_challenge: "",
  goals_6_months: "",
  goals_1_year: "",
  motivation: "",
  commitment_level: "",
  first_name: "",
  last_name: "",
  occupation: "",
  bio: "",
};

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
