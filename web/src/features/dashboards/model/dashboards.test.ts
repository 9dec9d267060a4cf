import { describe, expect, it } from "vitest";
import { doorsOf } from "./doors.ts";

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
