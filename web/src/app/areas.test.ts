import { expect, it } from "vitest";
import { dashboardOf } from "@/domain/paths.ts";
import { accountAreaOf, areasOf, areaPlaceOf } from "./areas.ts";
import { requirements } from "./access/requirements.ts";

it.each([
  ["/studentdash", "student", "Home", "Home"],
  ["/mentordash", "mentor", "Home", "Home"],
  ["/admindash", "admin", "Console", "Overview"],
  ["/admindash/queues", "admin", "Console", "Queues"],
  ["/chats", "student", "Chats", "Rooms"],
  ["/chats/general", "student", "Chats", "Rooms"],
  ["/messages", "student", "Chats", "Messages"],
  ["/messages/1", "mentor", "Chats", "Messages"],
  ["/learning/submissions", "student", "Learn", "Submissions"],
  ["/learning/create", "student", "Learn", "Submissions"],
  ["/learning/pacts", "student", "Learn", "Pacts"],
  ["/learning/pacts/new", "student", "Learn", "Pacts"],
  ["/knowledge/foundations", "student", "Library", "Knowledge"],
  ["/knowledge/courses/habits/12", "student", "Library", "Knowledge"],
  ["/business/courses", "student", "Library", "Business"],
  ["/wealth/foundations/saving", "mentor", "Library", "Wealth"],
  ["/members", "student", "People", "Directory"],
  ["/members/1", "student", "People", "Directory"],
  ["/collaborate", "student", "People", "Collaborate"],
  ["/progress", "student", "Progress", "Levels"],
  ["/progress/", "student", "Progress", "Levels"],
  ["/achievements", "student", "Progress", "Achievements"],
  ["/progress/guarantee", "student", "Progress", "Guarantee"],
  ["/studio", "mentor", "Studio", "Writing"],
  ["/studio/import", "mentor", "Studio", "Writing"],
  ["/studio/12", "mentor", "Studio", "Writing"],
  ["/studio/analytics/articles/1", "admin", "Studio", "Analytics"],
  ["/studio/selling", "mentor", "Studio", "Selling"],
  ["/studio/training/1", "mentor", "Studio", "Training"],
  ["/account", "admin", "Account", "Account"],
  ["/subscriptions", "student", "Account", "Membership"],
  ["/your-courses", "student", "Account", "Your courses"],
  ["/gifts", "student", "Account", "Gifts"],
  ["/affiliates", "mentor", "Account", "Affiliates"],
  ["/verification", "student", "Account", "Identity"],
] as const)("%s is for a %s in %s, under %s", (path, role, area, page) => {
  const all = [...areasOf(role), accountAreaOf(role)];
  // The longest address decides, in whatever order the pages stand.
  const reversed = all.map((each) => ({ ...each, pages: each.pages.toReversed() }));
  for (const areas of [all, reversed]) {
    const place = areaPlaceOf(areas, path);
    expect([place?.area.label, place?.page.label]).toEqual([area, page]);
  }
});

it("leaves an address without a place that only looks like one of its own", () => {
  expect(areaPlaceOf(areasOf("student"), "/chatsandmore")).toBeNull();
  expect(areaPlaceOf(areasOf("student"), "/studio")).toBeNull();
  expect(areaPlaceOf(areasOf("student"), "/")).toBeNull();
});

it("leads to pages that there are, each from one place", () => {
  const known = requirements.map(([pattern]) => pattern);
  for (const role of ["student", "mentor", "admin"] as const) {
    const all = [...areasOf(role), accountAreaOf(role)];
    const leading = all.flatMap(({ pages }) => pages.map(({ to }) => to));
    expect(known).toEqual(expect.arrayContaining(leading));
    expect(new Set(leading).size).toBe(leading.length);
    expect(leading[0]).toBe(dashboardOf[role]);
  }
});
