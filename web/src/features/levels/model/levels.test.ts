import { describe, expect, it } from "vitest";
import { noProgress } from "@/domain/level-progress.ts";
import { specifiedRequirements as levels } from "@/domain/testing/specified-requirements.ts";
import { milestoneBetween } from "../components/milestone.ts";
import { nextStep, requirementProgress, stepTowards } from "../components/next-step.ts";
import { newerOf, nothingDone, toProgress } from "./progress-row.ts";

describe("the next step", () => {
  it("is the first thing the level still asks for", () => {
    expect(nextStep(1, levels[1], noProgress)).toMatchObject({
      to: "/chats",
      remaining: "5 more towards Level 2",
    });
    expect(nextStep(1, levels[1], noProgress, "wins")?.to).toBe("/chats/wins");
    const chatty = { ...noProgress, chatRoomsOpened: 5 };
    expect(nextStep(1, levels[1], chatty, "wins")?.to).toBe("/learning/create");
    const sharing = { ...chatty, learningSubmissions: 3 };
    expect(nextStep(1, levels[1], sharing)).toMatchObject({
      to: "/chats",
      label: "Join a conversation",
    });
    expect(nextStep(1, levels[1], { ...sharing, messageEngagements: 50 })).toBeNull();
  });

  it("stays in the level's own category", () => {
    const reader = {
      ...noProgress,
      articlesRead: { general: 25, business: 25, wealth: 0 },
    };
    expect(nextStep(2, levels[2], reader)?.to).toBe("/knowledge/courses");
    expect(nextStep(3, levels[3], noProgress)).toMatchObject({
      to: "/business/foundations",
      label: "Read a Business article",
    });
    expect(nextStep(4, levels[4], noProgress)?.remaining).toBe(
      "25 more towards completing all four levels",
    );
  });
});

describe("the sentence of a step", () => {
  it("names the task, how much of it is left and the goal", () => {
    const sentences = levels[2].map((each) => stepTowards(2, each, each.needed - 1).sentence);
    expect(sentences).toEqual([
      "Read 1 more Knowledge article on your way to Level 3.",
      "Complete 1 more Knowledge course on your way to Level 3.",
      "Write or like 1 more message on your way to Level 3.",
    ]);
    expect(levels[1].map((each) => stepTowards(1, each, 0).sentence)).toEqual([
      "Open 5 more chat rooms on your way to Level 2.",
      "Post 3 more learning submissions on your way to Level 2.",
      "Write or like 50 more messages on your way to Level 2.",
    ]);
    expect(nextStep(4, levels[4], noProgress)?.sentence).toBe(
      "Read 25 more Wealth articles on your way to completing all four levels.",
    );
  });
});

describe("a progress row", () => {
  it("counts each id once and survives odd content", () => {
    const progress = toProgress({
      chat_rooms_opened: ["a", "b", "a"],
      learning_submissions: 2,
      message_engagements: 7,
      articles_read_by_category: { general: ["x"], business: null },
      courses_completed_by_category: "nonsense",
    });
    expect(progress?.counters).toEqual({
      chatRoomsOpened: 2,
      learningSubmissions: 2,
      messageEngagements: 7,
      articlesRead: { general: 1, business: 0, wealth: 0 },
      coursesCompleted: { general: 0, business: 0, wealth: 0 },
    });
    expect(toProgress(null)).toBeNull();
  });

  it("stands against the level without exceeding it", () => {
    const many = { ...noProgress, messageEngagements: 400 };
    expect(
      requirementProgress(levels[1], many).find((each) => each.kind === "engagements"),
    ).toMatchObject({
      done: 50,
      needed: 50,
    });
  });
});

describe("two readings of a row", () => {
  const at = (updatedAt: string) => ({ ...nothingDone, updatedAt });
  it("keep the newer, whichever arrives last", () => {
    const [old, young] = [at("2026-01-01T10:00:00+00:00"), at("2026-01-01T10:00:01+00:00")];
    expect(newerOf(old, young)).toBe(young);
    expect(newerOf(young, old)).toBe(young);
    expect(newerOf(old, undefined)).toBe(old);
    expect(newerOf(young, nothingDone)).toBe(young);
  });
});

describe("a milestone", () => {
  const at = (level: number, complete = false, userId = "ada") => ({ userId, level, complete });

  it("is the next level, once", () => {
    expect(milestoneBetween(at(1), at(2))).toMatchObject({
      title: "Level 2: Knowledge",
      action: { label: "Open Knowledge", to: "/knowledge/foundations" },
    });
    expect(milestoneBetween(at(2), at(2))).toBeNull();
    expect(milestoneBetween(at(2), at(1))).toBeNull();
  });

  it("is not what was reached before, becoming a member, or another account", () => {
    expect(milestoneBetween(null, at(3))).toBeNull();
    expect(milestoneBetween(at(0), at(1))).toBeNull();
    expect(milestoneBetween(at(1), at(2, false, "grace"))).toBeNull();
  });

  it("is completing all four levels, at the last level only", () => {
    expect(milestoneBetween(at(4), at(4, true))?.title).toBe("All four levels, complete");
    expect(milestoneBetween(at(4, true), at(4, true))).toBeNull();
    expect(milestoneBetween(at(2), at(2, true))).toBeNull();
  });
});
