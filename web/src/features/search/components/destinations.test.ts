import { describe, expect, it, test } from "vitest";
import { destinationsOf, isNamed, matchDestinations } from "./destinations.ts";

test("pages are found by words with or without case, accents and apostrophes", () => {
  const pages = [
    { label: "O’Brien’s Café", path: "/cafe", keywords: "Übung  maß" },
    { label: "Caffeine", path: "/caffeine" },
  ];
  const paths = (query: string) => matchDestinations(pages, query).map(({ path }) => path);
  for (const query of [
    "café",
    "CAFE",
    "cafe\u0301 ubung",
    "o'brien",
    "obrien",
    "MASS",
    "übung\u00A0café",
  ]) {
    expect(paths(query), query).toEqual(["/cafe"]);
  }
  expect(paths("caff")).toEqual(["/caffeine"]);
  expect(paths(" ")).toEqual(["/cafe", "/caffeine"]);
});

describe("destinations", () => {
  it("grow with the level, and administrators have all but a membership", () => {
    const labels = (role: "student" | "admin", level: number) =>
      destinationsOf(role, level).map(({ label }) => label);
    expect(labels("student", 1)).not.toContain("Knowledge: Courses");
    expect(labels("student", 4)).toContain("Wealth: Courses");
    expect(labels("admin", 0)).toContain("Wealth: Courses");
    expect(labels("admin", 0)).not.toContain("Membership");
  });

  it("are found by keywords too", () => {
    expect(
      matchDestinations(destinationsOf("student", 1), "cancel plan").map((each) => each.label),
    ).toEqual(["Membership"]);
  });

  it.each([
    ["messages", "student", ["/messages"]],
    ["collaborate", "student", ["/collaborate"]],
    ["learning", "student", ["/learning/submissions"]],
    ["home", "admin", ["/admindash"]],
    ["achievements", "student", ["/achievements"]],
    ["notifications", "student", ["/account#notifications"]],
    ["dark theme", "student", ["/account#appearance"]],
    ["password", "student", ["/account#sign-in"]],
    ["delete account", "student", ["/account#data"]],
    ["guarantee", "student", ["/progress/guarantee"]],
    ["your courses", "student", ["/your-courses"]],
    ["your courses", "admin", []],
    ["studio", "student", []],
    ["studio", "mentor", ["/studio"]],
    ["analytics", "mentor", ["/studio/analytics"]],
    ["selling", "mentor", ["/studio/selling"]],
    ["training", "mentor", ["/studio/training"]],
    ["studio", "admin", ["/studio"]],
    ["audit", "admin", ["/admindash/audit"]],
    ["console", "mentor", []],
    [
      "console",
      "admin",
      ["", "/members", "/queues", "/content", "/money", "/settings", "/audit"].map(
        (part) => `/admindash${part}`,
      ),
    ],
  ] as const)("for “%s” typed as %s are %j", (query, role, expected) => {
    const pages = matchDestinations(destinationsOf(role, 1), query).map(({ path }) => path);
    expect(pages).toEqual(expected);
  });

  it.each([
    ["progress", "student", ["Progress"]],
    ["ACC", "student", ["Account"]],
    ["notification s", "student", ["Notification settings"]],
    ["courses", "student", ["Knowledge: Courses", "Business: Courses", "Wealth: Courses"]],
    ["set", "admin", ["Console: Settings"]],
    // By other words than its name.
    ["password", "student", []],
    ["your", "student", ["Your courses", "Your data"]],
    [" ", "student", []],
  ] as const)("for “%s” typed as %s are named %j", (query, role, expected) => {
    const named = destinationsOf(role, 4).filter((page) => isNamed(page, query));
    expect(named.map(({ label }) => label)).toEqual(expected);
  });
});
