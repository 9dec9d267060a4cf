import { describe, expect, it } from "vitest";
import { noProgress } from "@/domain/level-progress.ts";
import { doorsOf } from "./doors.ts";
import { nextDeed, standingsOf } from "./next-deed.ts";
import { toCounters } from "./progress-row.ts";

describe("doors", () => {
  const shut = (role: "student" | "mentor" | "admin", level: number) =>
    doorsOf(role, level).map((door) => door.shut);

  it("open level by level for students", () => {
    expect(shut("student", 1)).toEqual([
      null,
      "Opens at Level 2",
      "Opens at Level 3",
      "Opens at Level 4",
    ]);
    expect(shut("student", 3)).toEqual([null, null, null, "Opens at Level 4"]);
    expect(shut("student", 4)).toEqual([null, null, null, null]);
  });

  it("leave business and wealth out of the mentor's and the administrator's dashboards", () => {
    expect(shut("mentor", 4)).toEqual([
      null,
      null,
      "Not on the mentor dashboard",
      "Not on the mentor dashboard",
    ]);
    expect(shut("admin", 0).map((each) => each === null)).toEqual([true, true, false, false]);
  });

  it("lead students to the feed and the others to /learning", () => {
    const learning = (role: "student" | "mentor") =>
      doorsOf(role, 1)[0]?.links.find((link) => link.label === "Learning")?.to;
    expect(learning("student")).toBe("/learning/submissions");
    expect(learning("mentor")).toBe("/learning");
  });
});

describe("the next deed", () => {
  it("is the first thing the level still asks for", () => {
    expect(nextDeed(1, noProgress)).toMatchObject({ to: "/chats", left: "5 more towards Level 2" });
    const chatty = { ...noProgress, chatRoomsOpened: 5 };
    expect(nextDeed(1, chatty)?.to).toBe("/learning/create");
    const sharing = { ...chatty, learningSubmissions: 3 };
    expect(nextDeed(1, sharing)).toMatchObject({ to: "/chats", label: "Join a conversation" });
    expect(nextDeed(1, { ...sharing, messageEngagements: 50 })).toBeNull();
  });

  it("stays in the level's own category", () => {
    const reader = {
      ...noProgress,
      articlesRead: { general: 25, business: 25, wealth: 0 },
    };
    expect(nextDeed(2, reader)?.to).toBe("/knowledge/courses");
    expect(nextDeed(3, noProgress)).toMatchObject({
      to: "/business/foundations",
      label: "Read a Business article",
    });
    expect(nextDeed(4, noProgress)?.left).toBe("25 more towards the end of the whole way");
  });
});

describe("a progress row", () => {
  it("counts each id once and survives odd content", () => {
    const counters = toCounters({
      chat_rooms_opened: ["a", "b", "a"],
      learning_submissions: 2,
      message_engagements: 7,
      articles_read_by_category: { general: ["x"], business: null },
      courses_completed_by_category: "nonsense",
    });
    expect(counters).toEqual({
      chatRoomsOpened: 2,
      learningSubmissions: 2,
      messageEngagements: 7,
      articlesRead: { general: 1, business: 0, wealth: 0 },
      coursesCompleted: { general: 0, business: 0, wealth: 0 },
    });
    expect(toCounters(null)).toEqual(noProgress);
  });

  it("stands against the level without exceeding it", () => {
    const many = { ...noProgress, messageEngagements: 400 };
    expect(standingsOf(1, many).find((each) => each.kind === "engagements")).toMatchObject({
      done: 50,
      needed: 50,
    });
  });
});
