import { describe, expect, it } from "vitest";
import { decideAccess } from "./decide-access.ts";
import { requirements } from "./requirements.ts";
import type { Viewer } from "./viewer.ts";

const student = {
  kind: "member",
  role: "student",
  onboardingComplete: true,
  subscribed: true,
  level: 1,
} as const satisfies Viewer;

const viewers = {
  anonymous: { kind: "anonymous" },
  unpaid: { ...student, onboardingComplete: false, subscribed: false, level: 0 },
  notOnboarded: { ...student, onboardingComplete: false, level: 0 },
  level1: student,
  level2: { ...student, level: 2 },
  level3: { ...student, level: 3 },
  level4: { ...student, level: 4 },
  mentor: { ...student, role: "mentor", level: 2 },
  lapsed: { ...student, subscribed: false, level: 4 },
  admin: {
    kind: "member",
    role: "admin",
    onboardingComplete: false,
    subscribed: false,
    level: 0,
  },
} as const satisfies Record<string, Viewer>;

type Name = keyof typeof viewers;
const names = Object.keys(viewers) as Name[];

/** `.` lets in; anything else is where one is sent. In the order of the viewers above. */
const ok = ".";
const auth = "/auth";
const pay = "/paywall";
const onb = "/onboarding";
const stu = "/studentdash";
const men = "/mentordash";
const adm = "/admindash";

const everybody = [ok, ok, ok, ok, ok, ok, ok, ok, ok, ok];
const members = [auth, ok, ok, ok, ok, ok, ok, ok, ok, ok];
const authPage = [ok, pay, onb, stu, stu, stu, stu, men, pay, adm];
const level2 = [auth, stu, stu, stu, ok, ok, ok, ok, ok, ok];
const level3 = [auth, stu, stu, stu, stu, ok, ok, stu, ok, ok];
const level4 = [auth, stu, stu, stu, stu, stu, ok, stu, ok, ok];
const moved = names.map(() => stu);

const table: Record<string, readonly string[]> = {
  "/": everybody,
  "/auth": authPage,
  "/signup": authPage,
  "/signin": authPage,
  "/adminlogin": authPage,
  "/reset-password": everybody,
  "/update-password": everybody,
  "/confirm": everybody,
  "/unsubscribe": everybody,
  "/account": members,
  "/paywall": members,
  "/success": members,
  "/onboarding": [auth, pay, ok, stu, stu, stu, stu, men, pay, ok],
  "/studentdash": [auth, pay, onb, ok, ok, ok, ok, men, pay, adm],
  "/mentordash": [auth, pay, onb, stu, stu, stu, stu, ok, pay, adm],
  "/admindash": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/admindash/members": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/admindash/queues": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/admindash/content": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/admindash/money": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/admindash/settings": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/admindash/audit": [auth, pay, onb, stu, stu, stu, stu, men, pay, ok],
  "/studio": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/import": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/analytics": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/analytics/7b7c": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/analytics/articles/7b7c": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/selling": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/training": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/training/7b7c": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/7b7c": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/studio/7b7c/preview": [auth, pay, onb, stu, stu, stu, stu, ok, pay, ok],
  "/dashboard": moved,
  "/chats": members,
  "/chats/7b7c": members,
  "/messages": members,
  "/messages/7b7c": members,
  "/collaborate": members,
  "/members": members,
  "/members/7b7c": members,
  "/affiliates": members,
  "/join/ada1": everybody,
  "/guarantee": everybody,
  "/terms": everybody,
  "/privacy": everybody,
  "/refunds": everybody,
  "/c/a-course": everybody,
  "/c/a-course/buy": everybody,
  "/your-courses": members,
  "/gifts": members,
  "/your-courses/7b7c": members,
  "/your-courses/receipts/4711": members,
  "/achievements": members,
  "/certificates/7b7c": members,
  "/verify": everybody,
  "/verify/ada1": everybody,
  "/shared/ada1": everybody,
  "/learning": names.map(() => "/learning/submissions"),
  "/learning/submissions": members,
  "/learning/create": members,
  "/learning/pacts": members,
  "/learning/pacts/new": members,
  "/knowledge/foundations": level2,
  "/knowledge/foundations/habits": level2,
  "/knowledge/foundations/habits/12": level2,
  "/knowledge/courses": level2,
  "/knowledge/courses/habits": level2,
  "/knowledge/courses/habits/12": level2,
  "/business/foundations": level3,
  "/business/foundations/offers": level3,
  "/business/foundations/offers/12": level3,
  "/business/courses": level3,
  "/business/courses/offers": level3,
  "/business/courses/offers/12": level3,
  "/wealth/foundations": level4,
  "/wealth/foundations/saving": level4,
  "/wealth/foundations/saving/12": level4,
  "/wealth/courses": level4,
  "/wealth/courses/saving": level4,
  "/wealth/courses/saving/12": level4,
  "/subscriptions": members,
  "/subscriptions/invoices/in_1": members,
  "/subscriptions/documents/INV-000001": members,
  "/progress": members,
  "/progress/guarantee": members,
  "/verification": members,
  "/nowhere": moved,
  "/knowledge": moved,
  "/knowledge/foundations/a/b/c": moved,
  "/chats/a/b": moved,
  "/studentdash/settings": moved,
};

const cases = Object.entries(table).flatMap(([path, row]) =>
  names.map((name, index) => [path, name, row[index] ?? "missing"] as const),
);

describe("access", () => {
  it.each(cases)("%s for %s: %s", (path, name, expected) => {
    const decision = decideAccess(path, viewers[name]);
    expect(decision.kind === "redirect" ? decision.to : decision.kind).toBe(
      expected === ok ? "allow" : expected,
    );
  });

  it("is decided for every address there is", () => {
    const known = requirements.map(([pattern]) =>
      pattern
        .replace(/:roomId|:draftId|:memberId|:courseId|:articleId|:certificateId|:id$/, "7b7c")
        .replace(":code", "ada1")
        .replace(":slug", "a-course")
        .replace(":purchaseId", "4711")
        .replace(":invoiceId", "in_1")
        .replace(":number", "INV-000001")
        .replace(/:subcategory(\/:itemId)?/, (_match, item: string | undefined) =>
          item === undefined ? "x" : "x/12",
        ),
    );
    const shapes = Object.keys(table).map((path) => path.replace(/habits|offers|saving/, "x"));
    expect(known.filter((path) => !shapes.includes(path))).toEqual([]);
  });

  it("never sends anybody in a circle", () => {
    for (const path of Object.keys(table)) {
      for (const name of names) {
        const visited = [path];
        for (;;) {
          const decision = decideAccess(visited.at(-1) ?? "", viewers[name]);
          if (decision.kind !== "redirect") break;
          expect(visited).not.toContain(decision.to);
          visited.push(decision.to);
        }
        expect(visited.length).toBeLessThanOrEqual(4);
      }
    }
  });

  it("treats an address with a slash at its end as the same", () => {
    expect(decideAccess("/admindash/", viewers.level1)).toEqual({ kind: "redirect", to: stu });
  });
});

describe("access while something is not known", () => {
  it.each([
    ["/auth", { kind: "loading" }, "wait"],
    ["/studentdash", { kind: "loading" }, "wait"],
    ["/", { kind: "loading" }, "allow"],
    ["/update-password", { kind: "loading" }, "allow"],
    ["/nowhere", { kind: "loading" }, "redirect"],
    ["/studentdash", { kind: "failed" }, "unavailable"],
    ["/chats", { ...student, subscribed: "loading", level: "loading" }, "allow"],
    ["/studentdash", { ...student, subscribed: "loading" }, "wait"],
    ["/studentdash", { ...student, subscribed: "failed" }, "unavailable"],
    ["/auth", { ...student, subscribed: "loading" }, "wait"],
    ["/onboarding", { ...student, subscribed: "loading" }, "wait"],
    ["/wealth/courses", { ...student, level: "loading" }, "wait"],
    ["/wealth/courses", { ...student, level: "failed" }, "unavailable"],
    ["/wealth/courses", { ...student, subscribed: "loading", level: 4 }, "allow"],
    ["/admindash", { ...viewers.admin, subscribed: "loading", level: "loading" }, "allow"],
    ["/wealth/courses", { ...viewers.admin, level: "loading" }, "allow"],
  ] as const satisfies readonly (readonly [string, Viewer, string])[])(
    "%s for %o: %s",
    (path, viewer, kind) => {
      expect(decideAccess(path, viewer).kind).toBe(kind);
    },
  );
});
