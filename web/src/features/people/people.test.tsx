import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { directoryQuery, noFilters } from "./model/directory.ts";

const tomId = "22222222-2222-4222-8222-222222222222";
const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  // What the hover card needs and this document does not have.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

const profile = (differs: object = {}) => ({
  id: tomId,
  name: "Tom Ashworth",
  role: "student",
  occupation: "Bookkeeper",
  bio: "Two children,\none ledger.",
  avatar_url: null,
  is_blocked: false,
  level: 2,
  topics: ["VAT returns"],
  joined_on: "2026-03-02",
  submissions: {
    count: 7,
    newest: [
      {
        id: "s1",
        type: "progress_report",
        title: "First invoice",
        created_at: "2026-11-20T10:00:00+00:00",
      },
    ],
  },
  kept_pacts: { count: 1, newest: [{ id: "p1", title: "Ten calls", kept_on: "2026-11-19" }] },
  achievements: [
    {
      key: "weeks_4",
      measure: "weeks",
      title: "Four weeks",
      line: "Active.",
      earned_on: "2026-11-02",
    },
  ],
  texts: { count: 0, newest: [] },
  ...differs,
});

const listed = (differs: object = {}) => ({
  user_id: tomId,
  name: "Tom Ashworth",
  role_name: "student",
  occupation_name: "Bookkeeper",
  avatar_url: null,
  member_level: 2,
  topics: ["VAT returns"],
  ...differs,
});

type Answers = Readonly<Record<string, Reply | ((body: unknown) => Reply)>>;

function open(path: string, answers: Answers, rows = memberRows()) {
  return renderApp(path, {
    session: sessionOf(),
    rows,
    reply: ({ call, body }) => {
      if (call === rpc("effective_level")) return { body: 1 };
      const answer = answers[call];
      return typeof answer === "function" ? answer(body) : answer;
    },
  });
}

describe("a member's profile", () => {
  it("shows what the member says, with level, topics and submissions", async () => {
    open(`/members/${tomId}`, { [rpc("member_profile")]: { body: profile() } });
    expect(await screen.findByRole("heading", { level: 1, name: "Tom Ashworth" })).toBeVisible();
    await waitFor(() => expect(document.title).toMatch(/^Tom Ashworth/));
    expect(screen.getByText("Bookkeeper")).toBeVisible();
    expect(screen.getByText("Joined on 2 March 2026")).toBeVisible();
    expect(screen.getByRole("heading", { name: "Level 2 · Knowledge" })).toBeVisible();
    expect(screen.getByText(/Two children/)).toBeVisible();
    expect(screen.getByRole("link", { name: "VAT returns" })).toHaveAttribute(
      "href",
      "/members?topic=VAT+returns",
    );
    expect(screen.getByRole("link", { name: /^First invoice/ })).toHaveAttribute(
      "href",
      "/learning/submissions?submission=s1",
    );
    expect(screen.getByText("The newest 1 of 7 submissions.")).toBeVisible();
    expect(screen.getByRole("heading", { name: "1 pact kept" })).toBeVisible();
    expect(
      screen.getByRole("link", { name: /^Ten calls.*Kept on 19 November 2026$/ }),
    ).toBeVisible();
  });

  it("leads to what the member wrote, also to a course that can be bought", async () => {
    const text = (differs: object) => ({
      id: "t1",
      kind: "article",
      title: "Price by the Day",
      category: "business",
      subcategory: "pricing",
      minutes: 6,
      sale_slug: null,
      is_training: false,
      created_at: "2026-11-05T00:00:00+00:00",
      ...differs,
    });
    const newest = [
      text({}),
      text({ id: "t2", kind: "course", title: "Sell It Twice", minutes: 90 }),
      text({ id: "t3", kind: "course", title: "Your Fund", category: "wealth", sale_slug: "fund" }),
      text({ id: "t4", kind: "course", title: "Earn by Teaching", minutes: 80, is_training: true }),
    ];
    open(`/members/${tomId}`, {
      [rpc("member_profile")]: { body: profile({ texts: { count: 8, newest } }) },
    });
    const written = await screen.findByRole("region", { name: "Articles and courses" });
    const links = within(written).getAllByRole("link");
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Price by the DayArticle · Business · 6 min read", "/business/foundations/pricing/t1"],
      ["Sell It TwiceCourse · Business · 90 min", "/business/courses/pricing/t2"],
      ["Your FundCourse · Wealth · On sale to everyone", "/c/fund"],
      ["Earn by TeachingCourse · Business · 80 min", "/studio/training/t4"],
    ]);
    expect(within(written).getByText("The newest 4 of 8 that are open to you.")).toBeVisible();
  });

  it("has no place for texts where the member wrote none", async () => {
    open(`/members/${tomId}`, { [rpc("member_profile")]: { body: profile() } });
    await screen.findByRole("heading", { level: 1, name: "Tom Ashworth" });
    expect(screen.queryByRole("region", { name: "Articles and courses" })).toBeNull();
  });

  it("says the same whether the member is gone or the address is wrong", async () => {
    const { seen } = open("/members/nobody", {});
    await screen.findByRole("heading", { name: "This profile isn't available" });
    expect(seen.some(({ call }) => call === rpc("member_profile"))).toBe(false);
    open(`/members/${tomId}`, { [rpc("member_profile")]: { body: null } });
    await screen.findByRole("heading", { name: "This profile isn't available" });
  });

  it("leads to one's own choices on one's own", async () => {
    open(`/members/${adaId}`, {
      [rpc("member_profile")]: {
        body: profile({
          id: adaId,
          bio: null,
          submissions: null,
          kept_pacts: null,
          achievements: null,
        }),
      },
    });
    expect(await screen.findByRole("link", { name: "Edit your profile" })).toBeVisible();
    expect(screen.queryByRole("button", { name: /^More about/ })).toBeNull();
    expect(screen.queryByRole("heading", { name: "Submissions" })).toBeNull();
  });

  it("blocks after a question, and takes the block back", async () => {
    let blocked = false;
    open(`/members/${tomId}`, {
      [rpc("member_profile")]: () => ({
        body: blocked
          ? { id: tomId, name: "Tom Ashworth", role: "student", is_blocked: true }
          : profile(),
      }),
      [rpc("block_member")]: () => {
        blocked = true;
        return { status: 204 };
      },
      [rpc("unblock_member")]: () => {
        blocked = false;
        return { status: 204 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "More about Tom Ashworth" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Block" }));
    const question = await screen.findByRole("alertdialog", { name: "Block Tom Ashworth?" });
    await userEvent.click(within(question).getByRole("button", { name: "Block Tom Ashworth" }));
    await screen.findByRole("heading", { name: "You've blocked Tom Ashworth" });
    await userEvent.click(screen.getByRole("button", { name: "Unblock Tom Ashworth" }));
    await screen.findByRole("heading", { level: 1, name: "Tom Ashworth" });
  });

  it("is reported with a reason; a refusal is said beside the field", async () => {
    const answers: Reply[] = [
      { status: 400, body: { code: "FF300", message: "Too fast" } },
      { status: 204 },
    ];
    const { seen } = open(`/members/${tomId}`, {
      [rpc("member_profile")]: { body: profile() },
      [rpc("report")]: () => answers.shift() ?? { status: 500 },
    });
    await userEvent.click(await screen.findByRole("button", { name: "More about Tom Ashworth" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Report" }));
    const dialog = await screen.findByRole("dialog", { name: "Report Tom Ashworth" });
    const send = within(dialog).getByRole("button", { name: "Send report" });
    await userEvent.click(send);
    expect(await within(dialog).findByText(/^Choose what's wrong/)).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText("In your own words"), "Sells coins");
    await userEvent.click(send);
    await within(dialog).findByText(/^We couldn't send your report\. You're going too fast/);
    await userEvent.click(send);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    const sent = { kind: "profile", subject_id: tomId, reason: "Sells coins" };
    expect(seen.findLast(({ call }) => call === rpc("report"))?.body).toEqual(sent);
  });
});

describe("the directory page", () => {
  it("asks for what the address says, and leaves out filters that do not exist", () => {
    expect(directoryQuery({ ...noFilters, search: " tom ", level: "2", role: "mentor" })).toEqual({
      search: "tom",
      level: 2,
      role: "mentor",
      occupation: undefined,
      topic: undefined,
    });
    const forged = directoryQuery({
      search: "x".repeat(300),
      level: "9",
      role: "admin",
      occupation: " ",
      topic: "y".repeat(50),
    });
    expect(forged).toMatchObject({ level: undefined, role: undefined, occupation: undefined });
    expect([forged.search?.length, forged.topic?.length]).toEqual([200, 40]);
  });

  it("lists members, searches as one types, and says when none match", async () => {
    const { seen } = open("/members?level=2", {
      [rpc("people_page")]: (body) => ({
        body: Reflect.get(Object(body), "search") === undefined ? [listed()] : [],
      }),
    });
    const list = await screen.findByRole("list", { name: "Members" });
    expect(screen.getByRole("link", { name: /^choose what it shows/ })).toBeVisible();
    expect(within(list).getByRole("link", { name: "Tom Ashworth" })).toHaveAttribute(
      "href",
      `/members/${tomId}`,
    );
    await userEvent.type(screen.getByRole("searchbox", { name: "Search" }), "zoe");
    expect(await screen.findByText("No members match")).toBeVisible();
    const asked = seen.filter(({ call }) => call === rpc("people_page"));
    expect(asked.map(({ body }) => body)).toEqual([
      { level: 2, page_size: 24 },
      { search: "zoe", level: 2, page_size: 24 },
    ]);
    await userEvent.click(screen.getByRole("button", { name: "Clear search and filters" }));
    expect(await screen.findByRole("link", { name: "Tom Ashworth" })).toBeVisible();
  });

  it("shows more members after the last one", async () => {
    const firstPage = Array.from({ length: 24 }, (_, at) =>
      listed({ user_id: `${tomId.slice(0, -2)}${10 + at}`, name: `Member ${at}` }),
    );
    const { seen } = open("/members", {
      [rpc("people_page")]: (body) => ({
        body:
          Reflect.get(Object(body), "after_id") === undefined
            ? firstPage
            : [listed({ name: "The last" })],
      }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Show more members" }));
    await screen.findByRole("link", { name: "The last" });
    expect(screen.getAllByRole("article")).toHaveLength(25);
    expect(screen.queryByRole("button", { name: "Show more members" })).toBeNull();
    expect(seen.findLast(({ call }) => call === rpc("people_page"))?.body).toEqual({
      after_id: firstPage.at(-1)?.user_id,
      page_size: 24,
    });
  });
});

describe("a name", () => {
  it("opens a card on hover without asking anything before, and closes it with Escape", async () => {
    const { seen } = open("/members", {
      [rpc("people_page")]: { body: [listed()] },
      [rpc("member_profile")]: { body: profile() },
    });
    const name = await screen.findByRole("link", { name: "Tom Ashworth" });
    const isProfile = ({ call }: { call: string }) => call === rpc("member_profile");
    expect(seen.filter(isProfile)).toEqual([]);
    await userEvent.hover(name);
    const card = await screen.findByRole("tooltip");
    await within(card).findByText(/Two children/);
    expect(name).toHaveAttribute("aria-describedby", card.id);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
    await userEvent.unhover(name);
    await userEvent.hover(name);
    await screen.findByRole("tooltip");
    expect(seen.filter(isProfile)).toHaveLength(1);
  });
});
