import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const shelf = (name: string, differs: object = {}) => ({
  id: `id-${name}`,
  slug: name.toLowerCase().replaceAll(" ", "-"),
  name,
  description: `All about ${name}.`,
  color: "#0f766e",
  icon: "brain",
  item_count: 6,
  done_count: 0,
  free_count: 0,
  enrolled_count: 0,
  progress: 0,
  is_complete: false,
  ...differs,
});

const home = (subcategories: object[], differs: object = {}) => ({
  body: {
    category: "general",
    shelf: "articles",
    required_level: 2,
    level: 4,
    is_open: true,
    subcategories,
    ...differs,
  },
});

function open(path: string, answer: Reply | (() => Reply), level = 4) {
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level }),
    reply: ({ call }) =>
      call === "POST /rest/v1/rpc/category_home"
        ? typeof answer === "function"
          ? answer()
          : answer
        : undefined,
  });
}

const shelvesShown = () => screen.findByRole("region", { name: "Subcategories" });

describe("next for you", () => {
  const subcategories = [
    shelf("Learning", { done_count: 0 }),
    shelf("Habits", { done_count: 1, item_count: 3 }),
  ];
  const item = (slug: string, differs: object) => ({
    id: `id-${slug}`,
    slug,
    title: `About ${slug}`,
    estimated_read_time: 7,
    featured_image_url: null,
    is_read: false,
    ...differs,
  });

  function openWith(items: readonly object[], all: object[] = subcategories) {
    return renderApp("/knowledge/foundations", {
      session: sessionOf(),
      rows: memberRows({ level: 4 }),
      reply: ({ call }) => {
        if (call === "POST /rest/v1/rpc/category_home") return home(all);
        if (call !== "POST /rest/v1/rpc/subcategory_page") return undefined;
        return { body: { is_open: true, items } };
      },
    });
  }

  it("is the first unread article of the subcategory one has begun", async () => {
    const { seen } = openWith([item("one", { is_read: true }), item("two", {}), item("three", {})]);
    const next = await screen.findByRole("link", {
      name: /^Next for you About two Habits · 7 min/,
    });
    expect(next).toHaveAttribute("href", "/knowledge/foundations/habits/id-two");
    const asked = seen.find(({ call }) => call.endsWith("/rpc/subcategory_page"));
    expect(asked?.body).toEqual({ category: "general", shelf: "articles", slug: "habits" });
  });

  it("is nothing when all is read", async () => {
    openWith([], [shelf("Habits", { done_count: 3, item_count: 3 })]);
    expect(await shelvesShown()).toBeVisible();
    expect(screen.queryByText("Next for you")).not.toBeInTheDocument();
  });
});

describe("a home of the library", () => {
  it("shows its subcategories with counts, progress and completion", async () => {
    const { seen } = open(
      "/knowledge/foundations",
      home([
        shelf("Learning", { done_count: 2 }),
        shelf("Habits", { item_count: 1, done_count: 1, icon: "no-such-icon", color: "red;}" }),
      ]),
      2,
    );
    const list = await shelvesShown();
    const learning = within(list).getByRole("link", { name: /Learning/ });
    expect(learning).toHaveAttribute("href", "/knowledge/foundations/learning");
    expect(within(learning).getByRole("heading", { level: 2, name: "Learning" })).toBeVisible();
    expect(within(learning).getByText("6 articles")).toBeVisible();
    expect(within(learning).getByText("2 read")).toBeVisible();
    expect(within(learning).getByRole("progressbar")).toHaveAttribute("aria-valuenow", "33");
    expect(within(learning).queryByText("Complete")).not.toBeInTheDocument();
    const habits = within(list).getByRole("link", { name: /Habits/ });
    expect(within(habits).getByText("1 article")).toBeVisible();
    expect(within(habits).getByText("Complete")).toBeVisible();
    expect(screen.getByText("3 of 7 articles read")).toBeVisible();
    expect(
      await screen.findByText("Reaching Level 3 takes 25: 22 more articles to go."),
    ).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Level Advancements" })).toBeVisible();
    const asked = seen.filter(({ call }) => call === "POST /rest/v1/rpc/category_home");
    expect(asked.map(({ body }) => body)).toEqual([{ category: "general", shelf: "articles" }]);
  });

  const wealthDone = { item_count: 90, done_count: 90 };
  it.each([
    ["/knowledge/foundations", 2, {}, "Reaching Level 3 takes 25 articles."],
    [
      "/business/courses",
      3,
      { done_count: 1 },
      /^Reaching Level 4 takes \d+: \d+ more courses to go\.$/,
    ],
    ["/wealth/courses", 4, {}, /^Completing all four levels takes \d+ courses\.$/],
    [
      "/wealth/foundations",
      4,
      wealthDone,
      /^Completing all four levels takes \d+, and you've done them all\.$/,
    ],
  ] as const)(
    "says at %s what its texts are needed for at level %i",
    async (path, level, differs, text) => {
      open(path, home([shelf("Pricing", differs)]), level);
      expect(await screen.findByText(text)).toBeVisible();
    },
  );

  it("asks for nothing of a level that the member has left behind", async () => {
    const { calls } = open("/knowledge/foundations", home([shelf("Learning")]), 3);
    expect(await screen.findByText("0 of 6 articles read")).toBeVisible();
    await waitFor(() =>
      expect(calls().some((call) => call.endsWith("/level_requirements"))).toBe(true),
    );
    expect(await screen.findByRole("heading", { name: "Level Advancements" })).toBeVisible();
    expect(screen.queryByText(/more articles to go/)).not.toBeInTheDocument();
  });

  it.each([
    ["/business/foundations", "business", "articles", "Business", "Foundations"],
    ["/wealth/courses", "wealth", "courses", "Wealth", "Courses"],
    ["/knowledge/courses", "general", "courses", "Knowledge", "Courses"],
  ])("at %s asks for %s and %s", async (path, category, wanted, section, title) => {
    const { seen } = open(path, home([shelf("Pricing", { free_count: 2 })], { shelf: wanted }));
    expect(await screen.findByRole("heading", { level: 1, name: title })).toBeVisible();
    expect(screen.getAllByText(section)[0]).toBeVisible();
    const card = within(await shelvesShown()).getByRole("link");
    expect(card).toHaveTextContent(wanted === "courses" ? "6 courses · 2 free" : "6 articles");
    expect(seen.find(({ call }) => call.endsWith("category_home"))?.body).toEqual({
      category,
      shelf: wanted,
    });
  });

  it.each([
    ["/knowledge/foundations", "No articles yet"],
    ["/knowledge/courses", "No courses yet"],
  ])("at %s says when there is nothing: %s", async (path, text) => {
    open(path, home([]));
    expect(await screen.findByText(text)).toBeVisible();
  });

  it("reports a failed load, and retries", async () => {
    let broken = true;
    open("/knowledge/foundations", () =>
      broken ? { status: 500, body: { code: "XX000", message: "boom" } } : home([shelf("Focus")]),
    );
    expect(await screen.findByText("We couldn't load this page")).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    expect(within(await shelvesShown()).getByText("Focus")).toBeVisible();
  });

  it("is locked without an active membership, with a link to renew", async () => {
    open("/knowledge/foundations", home([], { is_open: false, level: 0 }));
    expect(await screen.findByText("The library is locked")).toBeVisible();
    expect(screen.getByRole("link", { name: "See your membership" })).toHaveAttribute(
      "href",
      "/subscriptions",
    );
    expect(screen.queryByText("No articles yet")).not.toBeInTheDocument();
  });

  it.each([
    ["/knowledge/foundations", 1],
    ["/business/courses", 2],
    ["/wealth/foundations/funds", 3],
    ["/wealth/courses/funds/c0000000-0000-4000-8000-000000000001", 3],
  ])("at %s redirects a member of level %d to the dashboard", async (path, level) => {
    const { calls } = open(path, home([]), level);
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
    expect(calls()).not.toContain("POST /rest/v1/rpc/category_home");
  });
});
