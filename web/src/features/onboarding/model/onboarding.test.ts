import { describe, expect, it } from "vitest";
import { mergeDraft, storedAnswers } from "./draft.ts";
import { isMissing, noAnswers, questions, questionsOf, toAnswers } from "./questions.ts";
import { completedBefore, parseStep, stepProgress, stepByNumber } from "./steps.ts";

describe("steps", () => {
  it("are nine, and progress is the step by nine", () => {
    expect(stepProgress(9)).toBe(100);
    expect(stepProgress(3)).toBeCloseTo(33.33, 1);
    expect(stepByNumber(9)?.number).toBe(9);
    expect([0, 10, 12, 1.5, Number.NaN].map(stepByNumber)).toEqual(Array(5).fill(undefined));
  });

  it("count as completed when they lie before the current one", () => {
    expect(completedBefore(1)).toEqual([]);
    expect(completedBefore(4)).toEqual([1, 2, 3]);
  });

  it("are read from the address without guessing", () => {
    expect(parseStep(null)).toBeNull();
    expect(parseStep("6")).toBe(6);
    expect(parseStep("12")).toBe(12);
    expect([parseStep(""), parseStep("six"), parseStep("-1")]).toEqual([NaN, NaN, NaN]);
  });
});

describe("questions", () => {
  it("are those of the specification", () => {
    const keys = (page: number) =>
      questions.filter((each) => each.page === page && each.required).map((each) => each.key);
    expect(keys(6)).toEqual([
      "current_situation",
      "biggest_challenge",
      "goals_6_months",
      "goals_1_year",
      "motivation",
      "commitment_level",
    ]);
    expect(keys(7)).toEqual(["first_name", "last_name", "occupation"]);
    expect(questions.filter((each) => !each.required).map((each) => each.key)).toEqual(["bio"]);
  });

  it("are missing an answer when there is nothing but space", () => {
    const answers = { ...noAnswers, first_name: "Ada", last_name: "   ", occupation: "Analyst" };
    const missing = questionsOf(7).filter((question) => isMissing(question, answers));
    expect(missing.map((question) => question.key)).toEqual(["last_name"]);
  });

  it("take nothing but texts out of what was stored", () => {
    expect(toAnswers({ bio: "hello", first_name: 3, role: "admin" })).toEqual({
      ...noAnswers,
      bio: "hello",
    });
    expect(toAnswers(null)).toEqual(noAnswers);
  });
});

describe("the draft", () => {
  it("comes back as it was typed", () => {
    sessionStorage.clear();
    storedAnswers.keep({ ...noAnswers, motivation: "because" }, "u1");
    expect(mergeDraft(noAnswers, storedAnswers.read("u1")).motivation).toBe("because");
    expect(storedAnswers.read("u2")).toBeNull();
  });

  it("is read for the answers in it, whatever else was stored", () => {
    const odd = { motivation: "because", first_name: 3, role: "admin" };
    expect(mergeDraft(noAnswers, odd)).toEqual({ ...noAnswers, motivation: "because" });
  });

  it("wins over what was saved, field by field", () => {
    const saved = { ...noAnswers, first_name: "Ada", motivation: "old" };
    const draft = { ...noAnswers, motivation: "new" };
    expect(mergeDraft(saved, draft)).toEqual({ ...saved, motivation: "new" });
    expect(mergeDraft(saved, null)).toEqual(saved);
  });
});
