import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { overviewRow } from "@/lib/testing/overview-row.ts";
import {
  memberRows,
  nothingToday,
  renderApp,
  sessionOf,
  type Reply,
} from "@/app/testing/test-app.tsx";

const figures = {
  likes_received: 1234,
  lessons_completed: 0,
  affiliate_links: 0,
  profits_pence: 0,
  member_since: null,
};
const progress = {
  chat_rooms_opened: ["a", "b", "c"],
  learning_submissions: 1,
  message_engagements: 17,
  articles_read_by_category: {},
  courses_completed_by_category: {},
};
const month = {
  months: [
    { month: "2026-10-01", net_pence: 40_000 },
    { month: "2026-11-01", net_pence: 55_050 },
  ],
};
const newest = [
  {
    user_id: "u1",
    email: "zoe@example.org",
    name: "Zoe Hartley",
    membership: "paying",
    joined_at: "2026-11-20T10:00:00+00:00",
  },
  {
    user_id: "u2",
    email: "ben@example.org",
    name: "",
    membership: "never_paid",
    joined_at: "2026-11-19T10:00:00+00:00",
  },
];
const home = {
  "POST /rest/v1/rpc/my_reading_trend": {
    body: {
      readers_this_week: 12,
      stop: { course_id: "c1", title: "Price It Properly", module: 2, members: 4 },
    },
  },
};

function open(
  path: string,
  member: Parameters<typeof memberRows>[0],
  replies: Record<string, Reply> = {},
) {
  const known: Record<string, Reply> = {
    "POST /rest/v1/rpc/dashboard_figures": { body: [figures] },
    "POST /rest/v1/rpc/admin_overview": { body: overviewRow },
    "POST /rest/v1/rpc/admin_money_trend": { body: month },
    "POST /rest/v1/rpc/member_page": { body: newest },
    ...replies,
  };
  return renderApp(path, {
    session: sessionOf(),
    rows: { ...memberRows(member), user_progress: progress },
    reply: ({ call }) => known[call],
  });
}

describe("the Home of a mentor", () => {
  it("begins with questions, drafts and readers, and counts a question once", async () => {
    const drafts = [
      {
        id: "d1",
        title: "The Month That Pays",
        status: "returned",
        updated_at: "2026-11-20T10:00:00+00:00",
      },
      { id: "d2", title: "", status: "draft", updated_at: "2026-11-19T10:00:00+00:00" },
    ];
    const today = { ...nothingToday, waiting: { count: 0, items: [], questions: 2 } };
    open(
      "/mentordash",
      { role: "mentor", level: 4 },
      {
        ...home,
        "GET /rest/v1/drafts": { body: drafts },
        "POST /rest/v1/rpc/my_today": { body: today },
      },
    );
    const own = within(await screen.findByRole("region", { name: "Your readers and writing" }));
    expect(
      own.getAllByRole("link").map((link) => [link.getAttribute("href"), link.textContent]),
    ).toEqual([
      ["/studio/analytics", "12 people read you this week"],
      ["/studio/analytics/c1", "Price It Properly"],
      ["/studio", "2 questions are waiting for you Answer them in your studio"],
      ["/studio/d1", expect.stringMatching(/^The Month That Pays Sent back with comments/)],
      ["/studio/d2", expect.stringMatching(/^Untitled Draft, changed/)],
    ]);
    expect(own.getByText(/Most stop/, { selector: "p" })).toHaveTextContent(
      "12 people read you this week. Most stop at module 2 of Price It Properly.",
    );
    expect(screen.getAllByText("2 questions are waiting for you")).toHaveLength(1);
    expect(screen.getByRole("heading", { name: "For mentors" })).toBeVisible();
  });

  it.each([
    [{ readers_this_week: 1, stop: null }, "1 person read you this week."],
    [{ readers_this_week: 0, stop: null }, undefined],
  ])("says first who read, and no sentence of nobody: %o", async (body, sentence) => {
    const reply = { "POST /rest/v1/rpc/my_reading_trend": { body } };
    open("/mentordash", { role: "mentor", level: 4 }, reply);
    const own = await screen.findByRole("region", { name: "Your readers and writing" });
    const [first] = own.querySelectorAll("p");
    expect(first?.textContent.trim()).toBe(sentence);
    const nobody = within(own).queryByRole("link", { name: /^Nobody has read you this week yet/ });
    expect(nobody === null).toBe(sentence !== undefined);
  });

  it("asks nothing of a mentor's texts for a student", async () => {
    const { calls } = open("/studentdash", {}, home);
    expect(await screen.findByRole("region", { name: "Today" })).toBeVisible();
    expect(calls()).not.toContain("POST /rest/v1/rpc/my_reading_trend");
    expect(screen.queryByText(/read you this week/)).not.toBeInTheDocument();
  });
});

describe("the Home of an owner", () => {
  it("says what the month brought, and who joined last, after what needs a decision", async () => {
    const { seen } = open("/admindash", { role: "admin" });
    const members = within(await screen.findByRole("list", { name: "Newest accounts" }));
    expect(members.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
      "/admindash/members?member=u1",
      "/admindash/members?member=u2",
    ]);
    expect(members.getAllByRole("link")[0]).toHaveTextContent(/^Zoe Hartley · Paying/);
    expect(members.getAllByRole("link")[1]).toHaveTextContent(/^ben@example.org · Never paid/);
    expect(screen.getByText("£550.50")).toBeVisible();
    expect(screen.getByText("Net in November 2026 so far. The month before: £400.")).toBeVisible();
    const asked = seen.find(({ call }) => call.endsWith("/rpc/member_page"));
    expect(asked?.body).toEqual({ sort: "newest", page_size: 5 });
    const queues = await screen.findByRole("list", { name: "Queues" });
    const list = screen.getByRole("list", { name: "Newest accounts" });
    expect(queues.compareDocumentPosition(list) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });

  it.each([
    ["a second factor is due, which the console asks for", "FF005", false],
    ["the answer fails", "XX000", true],
  ])("has no month when %s", async (_why, code, isSaid) => {
    open(
      "/admindash",
      { role: "admin" },
      { "POST /rest/v1/rpc/member_page": { status: 400, body: { code, message: code } } },
    );
    expect(await screen.findByRole("list", { name: "Queues" })).toBeVisible();
    if (isSaid) {
      expect(
        await screen.findByText("We couldn't load the month", undefined, { timeout: 10_000 }),
      ).toBeVisible();
    } else {
      await waitFor(() => expect(screen.queryByLabelText("Loading the month")).toBeNull());
      expect(screen.queryByText("We couldn't load the month")).not.toBeInTheDocument();
    }
    expect(screen.queryByRole("list", { name: "Newest accounts" })).not.toBeInTheDocument();
  });
});
