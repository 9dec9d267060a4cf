import { describe, expect, it } from "vitest";
import { greeting } from "../components/greeting.ts";
import { sectionCards } from "../components/sections-of.ts";

describe("section cards", () => {
  const lockedReason = (role: "student" | "mentor" | "admin", level: number) =>
    sectionCards(role, level).map((card) => card.lockedReason);

  it("open level by level for students", () => {
    expect(lockedReason("student", 1)).toEqual([
      null,
      "Opens at Level 2",
      "Opens at Level 3",
      "Opens at Level 4",
    ]);
    expect(lockedReason("student", 3)).toEqual([null, null, null, "Opens at Level 4"]);
    expect(lockedReason("student", 4)).toEqual([null, null, null, null]);
  });

  it("leave business and wealth out of the mentor's and the administrator's dashboards", () => {
    expect(lockedReason("mentor", 4)).toEqual([
      null,
      null,
      "In the menu, under Library",
      "In the menu, under Library",
    ]);
    expect(lockedReason("admin", 0).map((each) => each === null)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("lead students to the feed and the others to /learning", () => {
    const learning = (role: "student" | "mentor") =>
      sectionCards(role, 1)[0]?.links.find((link) => link.label === "Learning")?.to;
    expect(learning("student")).toBe("/learning/submissions");
    expect(learning("mentor")).toBe("/learning");
  });
});

describe("the greeting", () => {
  const at = (time: string) => Date.parse(`2026-03-${time}:00Z`);
  const first = { joinedAt: at("01T10:00"), signedInAt: at("01T10:00") };

  it("welcomes a new member, and welcomes back who was here before", () => {
    expect(greeting("Amara", first, at("01T10:20"))).toBe("Welcome, Amara");
    expect(greeting(null, first, at("01T10:20"))).toBe("Welcome");
    expect(greeting("Amara", first, at("02T10:00"))).toBe("Welcome back, Amara");
    const again = { ...first, signedInAt: at("01T10:10") };
    expect(greeting("Amara", again, at("01T10:20"))).toBe("Welcome back, Amara");
    expect(greeting("Amara", null, at("01T10:20"))).toBe("Welcome back, Amara");
    expect(greeting("Amara", again, at("02T10:00"), true)).toBe("Welcome, Amara");
  });
});
