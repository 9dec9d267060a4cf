import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { overviewRow } from "@/lib/testing/overview-row.ts";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

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

const card = (name: string) => screen.findByRole("article", { name });

describe("/studentdash", () => {
  it("shows who one is, with true figures", async () => {
    open("/studentdash", {});
    expect(await screen.findByRole("heading", { name: "Ada Lovelace" })).toBeVisible();
    expect(screen.getByText("Analyst")).toBeVisible();
    const list = screen.getByLabelText("Your figures");
    expect(await within(list).findByText("1,234")).toBeVisible();
    expect(within(list).getByText("£0")).toBeVisible();
  });

  it("shows the progress and the next step", async () => {
    open("/studentdash", {});
    expect(await screen.findByText("Open another chat room")).toBeVisible();
    expect(screen.getByText("2 more towards Level 2")).toBeVisible();
    expect(
      screen.getByRole("link", { name: /Overall completion 3 per cent, 21 of 648/ }),
    ).toBeVisible();
    expect(screen.getByRole("region", { name: "Level Advancements" })).toBeVisible();
  });

  it("locks doors with the level that opens them", async () => {
    open("/studentdash", { level: 2 });
    const knowledge = await card("Knowledge");
    expect(
      await within(knowledge).findByRole("link", { name: "Knowledge: Foundations" }),
    ).toHaveAttribute("href", "/knowledge/foundations");
    const business = await card("Business");
    expect(business).toHaveTextContent("Opens at Level 3");
    expect(within(business).queryByRole("link")).not.toBeInTheDocument();
    expect(await card("Wealth")).toHaveTextContent("Opens at Level 4");
    await userEvent.click(within(business).getByRole("button", { name: "Opens at Level 3" }));
    const door = within(await screen.findByRole("dialog", { name: "Business opens at Level 3" }));
    expect(await door.findByRole("list", { name: "What Level 2 asks for" })).toBeVisible();
  });

  it("says at a locked step of the levels what is left", async () => {
    open("/studentdash", { level: 2 });
    const strip = within(await screen.findByRole("region", { name: "Level Advancements" }));
    await userEvent.click(strip.getByRole("button", { name: "Wealth" }));
    const door = within(await screen.findByRole("dialog", { name: "Wealth opens at Level 4" }));
    expect(await door.findByRole("list", { name: "What Level 2 asks for" })).toBeVisible();
    expect(door.getByText(/with 1 more level to go after it/)).toBeVisible();
    expect(strip.queryByRole("button", { name: "Knowledge" })).not.toBeInTheDocument();
  });

  it("leads to the directory and to Collaborate, and has a service that is still to come", async () => {
    open("/studentdash", {});
    expect(await screen.findByRole("link", { name: "Directory" })).toHaveAttribute(
      "href",
      "/members",
    );
    const services = screen.getByRole("heading", { name: "Services" }).parentElement;
    expect(
      within(services ?? document.body).getByRole("link", { name: "Collaborate" }),
    ).toHaveAttribute("href", "/collaborate");
    expect(screen.getByRole("button", { name: "Join Elites Coming Soon" })).toBeDisabled();
  });

  it("says where to find help", async () => {
    open("/studentdash", {});
    await userEvent.click(await screen.findByRole("button", { name: "Help" }));
    const dialog = await screen.findByRole("dialog", { name: "Help" });
    expect(within(dialog).getByRole("link", { name: /support@/ })).toBeVisible();
  });

  it("can be tried again when the server is down", async () => {
    const replies: Record<string, Reply> = {
      "GET /rest/v1/user_progress": { status: 500, body: { code: "XX000", message: "boom" } },
    };
    const known = { ...replies };
    renderApp("/studentdash", {
      session: sessionOf(),
      rows: { ...memberRows(), user_progress: progress },
      reply: ({ call }) => known[call],
    });
    expect(await screen.findByText("Your progress couldn't be loaded")).toBeVisible();
    delete known["GET /rest/v1/user_progress"];
    const alert = screen.getByText("Your progress couldn't be loaded").closest("[role=alert]");
    await userEvent.click(within(alert as HTMLElement).getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("2 more towards Level 2")).toBeVisible();
  });
});

describe("/mentordash", () => {
  it("leaves business and wealth locked and leads to /learning", async () => {
    open("/mentordash", { role: "mentor", level: 4 });
    const community = await card("Community");
    expect(within(community).getByRole("link", { name: "Community: Learning" })).toHaveAttribute(
      "href",
      "/learning",
    );
    await waitFor(async () =>
      expect(await card("Business")).toHaveTextContent("In the menu, under Library"),
    );
    // The section is open: no lock says otherwise.
    expect((await card("Business")).querySelector("svg")).toBeNull();
  });
});

describe("/admindash", () => {
  it("shows how the community stands", async () => {
    const { calls } = open("/admindash", { role: "admin" });
    const list = await screen.findByLabelText("Community figures");
    expect(await within(list).findByText("£550")).toBeVisible();
    expect(within(list).getByText("7 students, 1 mentor; 2 more on trial")).toBeVisible();
    expect(within(list).getByText("3.2%")).toBeVisible();
    const noteOf = (label: string) => within(list).getByText(label).parentElement?.textContent;
    expect(noteOf("Paying members")).toMatch(/10 with trials: 1 more than 30 days ago\u00a0\(9\)$/);
    expect(noteOf("Churn")).toMatch(/7.5% in the 30 days before$/);
    expect(noteOf("New members")).toMatch(/2 fewer than in the 30 days before\u00a0\(4\)$/);
    expect(noteOf("Lost members")).toMatch(/as many as in the 30 days before$/);
    const rows = (name: string) =>
      within(screen.getByRole("list", { name }))
        .getAllByRole("listitem")
        .map((row) => row.textContent);
    expect(rows("Accounts by membership")).toEqual([
      "Paying8",
      "Complimentary2",
      "Past due1",
      "Never paid1",
    ]);
    expect(rows("Members by level")).toEqual([
      "Not onboarded yet1",
      "1 Community5",
      "2 Knowledge2",
      "3 Business0",
      "4 Wealth0",
    ]);
    const funnel = within(screen.getByRole("table", { name: "From sign-up to onboarding" }));
    expect(funnel.getByRole("row", { name: /^Joined/ })).toHaveTextContent("Joined a plan240%975%");
    expect(calls().filter((call) => call.endsWith("/rpc/admin_overview"))).toHaveLength(1);
  });

  it.each([
    [
      new Date(Date.now() - 10 * 86_400_000),
      /^Churn–Known from \d+ \S+ \d+, 30 days after the first/,
    ],
    [new Date("2026-01-01T10:00:00Z"), /^Churn–No members 30 days ago$/],
    [null, /^Churn–No members 30 days ago$/],
  ])("says why there is no churn when the first member joined at %s", async (first, told) => {
    const nobody = { members: 0, lost: 0 };
    const body = { ...overviewRow, churn: nobody, first_member_at: first?.toISOString() ?? null };
    open("/admindash", { role: "admin" }, { "POST /rest/v1/rpc/admin_overview": { body } });
    const list = await screen.findByLabelText("Community figures");
    await within(list).findByText("£550");
    expect(within(list).getByText("Churn").parentElement).toHaveTextContent(told);
  });

  it("begins with the queues in which something waits, and with what was not delivered", async () => {
    open("/admindash", { role: "admin" });
    const queues = within(await screen.findByRole("list", { name: "Queues" }));
    const links = queues.getAllByRole("link");
    expect(links.map((link) => link.getAttribute("href"))).toEqual(
      ["identity", "reports", "claims"].map((queue) => `/admindash/queues?queue=${queue}`),
    );
    expect(links[0]).toHaveTextContent("4Identity documentsOldest: 3 hours ago");
    expect(links[1]).toHaveTextContent(/^3Reports by membersOldest: /);
    expect(links[2]).toHaveTextContent("1Guarantee claimsOldest: 3 hours ago");
    const figures = screen.getByLabelText("Community figures");
    const first = links[0] as Element;
    expect(first.compareDocumentPosition(figures) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    const delivery = within(screen.getByRole("list", { name: "Delivery" }));
    expect(delivery.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
      expect.stringMatching(/^2 webhooks failed/),
      expect.stringMatching(/^1 email not accepted yet/),
      expect.stringMatching(/^1 data export failed/),
    ]);
  });

  it("says in one line when nothing needs anybody", async () => {
    const done = { failed: 0, oldest_at: null };
    const body = {
      ...overviewRow,
      queues: overviewRow.queues.map((each) => ({ ...each, waiting: 0, oldest_at: null })),
      failures: { webhooks: done, emails: { ...done, retrying: 0 }, exports: done },
    };
    renderApp("/admindash", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => (call.endsWith("/rpc/admin_overview") ? { body } : undefined),
    });
    expect(
      await screen.findByText("Nothing is waiting for a decision, and everything was delivered."),
    ).toBeVisible();
    expect(screen.queryByRole("list", { name: "Queues" })).not.toBeInTheDocument();
    expect(screen.queryByRole("list", { name: "Delivery" })).not.toBeInTheDocument();
  });

  it("shows how the parts of the system are, in one order, with what is wrong", async () => {
    open("/admindash", { role: "admin" });
    const system = within(await screen.findByRole("region", { name: "System" }));
    expect(system.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
      "Database Working",
      "Disk Warningless than a tenth of the disk is free",
      "Email Failingan e-mail has waited for 61 minutes",
    ]);
  });

  it("names each of several servers, and one that tells nothing any more", async () => {
    const [first] = overviewRow.hosts;
    const at = new Date(Date.now() - 3.2 * 3_600_000).toISOString();
    const gone = { ...first, host: "two:3000", is_silent: true, reported_at: at };
    const body = { ...overviewRow, hosts: [first, gone] };
    renderApp("/admindash", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => (call.endsWith("/rpc/admin_overview") ? { body } : undefined),
    });
    const silent = await screen.findByRole("region", { name: "System: two:3000" });
    expect(silent).toHaveTextContent("Last heard from 3 hours ago");
    expect(silent).not.toHaveTextContent("Database");
    expect(screen.getByRole("region", { name: "System: one:3000" })).toHaveTextContent("Database");
  });

  it("says when no server has reported, as on hosted Supabase", async () => {
    const body = { ...overviewRow, hosts: [] };
    renderApp("/admindash", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => (call.endsWith("/rpc/admin_overview") ? { body } : undefined),
    });
    expect(await screen.findByText("No server has reported in the last day.")).toBeVisible();
  });

  it("says when the overview could not be read, and reads it again", async () => {
    let failing = true;
    renderApp("/admindash", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) => {
        if (call.endsWith("/rpc/admin_money_trend")) return { body: month };
        if (call.endsWith("/rpc/member_page")) return { body: newest };
        return call.endsWith("/rpc/admin_overview") && !failing ? { body: overviewRow } : undefined;
      },
    });
    expect(await screen.findByText("We couldn't load the overview")).toBeVisible();
    failing = false;
    await userEvent.click(screen.getAllByRole("button", { name: "Try again" })[0] as Element);
    expect(await screen.findByText("7 students, 1 mentor; 2 more on trial")).toBeVisible();
  });
});
