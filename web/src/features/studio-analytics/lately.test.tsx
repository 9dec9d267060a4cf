import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { readersByDay } from "./model/reading-trend.ts";

const courseId = "55555555-5555-4555-8555-555555555555";
const stop = { course_id: courseId, title: "Clinics that pay", module: 2, members: 4 };
const trend = {
  today: "2026-03-02",
  readers_this_week: 12,
  readers: 31,
  reads: 9,
  enrolments: 4,
  lessons: 17,
  before: { reads: 12, enrolments: 30, lessons: 2 },
  days: [
    { day: "2026-02-28", readers: 19 },
    { day: "2026-03-02", readers: 12 },
  ],
  stop,
};

const text = (title: string, readers: number, differs = {}) => ({
  content_id: crypto.randomUUID(),
  kind: "article",
  title,
  category: "general",
  is_published: true,
  readers,
  reads: 0,
  enrolments: 0,
  completions: 0,
  questions: 0,
  open_questions: 0,
  ...differs,
});

function open(
  address: string,
  { role = "mentor", answer = trend }: { role?: string; answer?: object } = {},
) {
  return renderApp(address, {
    session: sessionOf(),
    rows: memberRows({ role }),
    reply: ({ call, body }) => {
      if (call.endsWith("/rpc/my_content_figures")) {
        return {
          body: [
            text("Few", 2),
            text("None", 0),
            text("Many", 30, { open_questions: 3, questions: 3 }),
          ],
        };
      }
      if (!call.endsWith("/rpc/my_reading_trend")) return undefined;
      const { days } = body as { days: number };
      return { body: { ...answer, enrolments: days } };
    },
  });
}

describe("the analytics of the studio", () => {
  it("begin with a sentence, four figures and a line of 30 days", async () => {
    open("/studio/analytics");
    const lately = within(await screen.findByRole("region", { name: "Lately" }));
    expect(await lately.findByText(/^12 people read your work this week\./)).toHaveTextContent(
      "12 people read your work this week. Most stop at module 2 of Clinics that pay. 3 questions are waiting for your answer.",
    );
    expect(lately.getByRole("link", { name: "Clinics that pay" })).toHaveAttribute(
      "href",
      `/studio/analytics/${courseId}`,
    );
    expect(lately.getAllByRole("term").map((term) => term.textContent)).toEqual([
      "Readers",
      "Articles read to the end",
      "Enrolments",
      "Lessons completed",
    ]);
    // Each beside what it was before, but the readers.
    expect(lately.getAllByRole("definition").map(({ textContent }) => textContent)).toEqual([
      "31",
      "9",
      "3 fewer than in the 30 days before\u00a0(12)",
      "30",
      "as many as in the 30 days before",
      "17",
      "15 more than in the 30 days before\u00a0(2)",
    ]);
    expect(lately.getByRole("img", { name: /^Readers by day: 31 in 30 days/ })).toBeInTheDocument();
    expect(lately.getByRole("button", { name: "30 days", pressed: true })).toBeVisible();
  });

  it("keep the period in the address, and take nonsense there for 30 days", async () => {
    open("/studio/analytics?days=x");
    await userEvent.click(await screen.findByRole("button", { name: "90 days" }));
    expect(
      await screen.findByRole("img", { name: /^Readers by day: 31 in 90 days/ }),
    ).toBeInTheDocument();
    expect(window.location.search).toBe("?days=90");
    expect(await screen.findByText("90", { selector: "dd" })).toBeVisible();
  });

  it("have the most read on top, and fold away what nobody opened", async () => {
    open("/studio/analytics");
    const table = within(await screen.findByRole("table", { name: "Articles" }));
    expect(table.getAllByRole("rowheader").map((cell) => cell.textContent)).toEqual([
      "Many",
      "Few",
    ]);
    expect(screen.getByText("None")).not.toBeVisible();
    await userEvent.click(screen.getByText("1 that nobody has opened yet"));
    expect(screen.getByText("None")).toBeVisible();
  });

  it.each([
    [
      { readers_this_week: 0, stop: null },
      "mentor",
      /^Nobody has read your work this week\. 3 questions/,
    ],
    [
      { readers_this_week: 1, stop: { ...stop, members: 1 } },
      "mentor",
      /^1 person read your work this week\. One member is on module 2 of Clinics that pay\./,
    ],
    [{ stop: null }, "admin", /^12 people read the articles this week\.$/],
  ])("say what happened: %j, to %s", async (differs, role, sentence) => {
    open("/studio/analytics", { role, answer: { ...trend, ...differs } });
    expect(
      await screen.findByText((_, element) =>
        element?.tagName === "P" ? sentence.test(element.textContent.trim()) : false,
      ),
    ).toBeVisible();
  });
});

describe("readers by day", () => {
  it("have each day of the period, also across the end of a month", () => {
    expect(readersByDay(trend, 4)).toEqual([
      { day: "2026-02-27", readers: 0 },
      { day: "2026-02-28", readers: 19 },
      { day: "2026-03-01", readers: 0 },
      { day: "2026-03-02", readers: 12 },
    ]);
  });
});
