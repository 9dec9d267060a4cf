import { describe, expect, it } from "vitest";
import { stateOfSource, toReadingSource } from "./reading-source.ts";

describe("from where a reader came", () => {
  it.for([
    ["/knowledge/foundations/habits", "category"],
    ["/wealth", "category"],
    ["/wealthy", "other"],
    ["/chats/general", "room"],
    ["/learning/submissions", "room"],
    ["/messages/a", "room"],
    ["/collaborate", "room"],
    ["/members/a", "profile"],
    ["/studentdash", "today"],
    ["/mentordash", "today"],
    ["/progress", "other"],
    [null, "other"],
  ] as const)("is told from the page before: %s is %s", ([before, source]) => {
    expect(toReadingSource(null, before)).toBe(source);
  });

  it("is what the link says, when it names one of the list", () => {
    expect(toReadingSource(stateOfSource("search"), "/studentdash")).toBe("search");
    for (const state of ["search", { source: "https://elsewhere.example" }, {}, undefined]) {
      expect(toReadingSource(state, "/studentdash")).toBe("today");
    }
  });
});
