import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  memberRows,
  renderApp,
  sessionOf,
  type Reply,
  type Rows,
} from "@/app/testing/test-app.tsx";
import { destinationsOf, matchDestinations } from "./components/destinations.ts";
import { groupResults, toSearchResults } from "./model/search-results.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  // What the palette's list needs and this document does not have.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

const row = (kind: string, title: string, differs: object = {}) => ({
  kind,
  id: title,
  title,
  excerpt: `Something about **${title}**.`,
  category: "general",
  path: `/knowledge/foundations/learning/${title.toLowerCase().replaceAll(" ", "-")}`,
  rank: 0.5,
  ...differs,
});

/** What its page needs: without the article the page leads on to the list. */
const pricing = {
  id: "a0000000-0000-4000-8000-000000000001",
  slug: "pricing",
  title: "Pricing",
  excerpt: "What to ask for.",
  content: "Ask for more.",
  featured_image_url: null,
  estimated_read_time: 4,
  tags: [],
  read_count: 0,
  rating_count: 0,
  rating_sum: 0,
  created_at: "2026-11-01T00:00:00Z",
  subcategory: { slug: "learning", name: "Learning" },
  author: null,
  reads: [],
};

const search = "POST /rest/v1/rpc/search_library";

function open(answer: () => Reply, rows: Rows = {}) {
  return renderApp("/account", {
    session: sessionOf(),
    rows: { ...memberRows({ level: 2 }), ...rows },
    reply: ({ call }) => (call === search ? answer() : undefined),
  });
}

async function openPalette(key = "{Control>}k{/Control}") {
  await screen.findByRole("button", { name: "Search" });
  await userEvent.keyboard(key);
  return screen.findByRole("dialog", { name: "Search" });
}

describe("the palette", () => {
  it("opens by key and by button, and lists and opens the pages the member may see", async () => {
    open(() => ({ body: [] }));
    const palette = await openPalette();
    const names = within(palette)
      .getAllByRole("option")
      .map((each) => each.textContent);
    expect(names).toContain("Knowledge: Foundations");
    expect(names).not.toContain("Business: Foundations");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(palette).not.toBeInTheDocument());
    expect(screen.getByRole("button", { name: "Search" })).toBeEnabled();
    await userEvent.click(screen.getByRole("button", { name: "Search" }));
    await userEvent.type(await screen.findByRole("combobox"), "identity");
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/verification"));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("finds members beside what they wrote, and goes on without them", async () => {
    const tom = {
      user_id: "22222222-2222-4222-8222-222222222222",
      name: "Tom Ashworth",
      role_name: "student",
      occupation_name: "Bookkeeper",
      avatar_url: null,
      member_level: 2,
      topics: [],
    };
    let members: Reply = { body: [tom] };
    renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) =>
        call === search
          ? { body: [row("room", "General", { category: null, path: "/chats/general" })] }
          : call === "POST /rest/v1/rpc/people_page"
            ? members
            : undefined,
    });
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "tom");
    expect(await within(palette).findByText("2 results")).toBeVisible();
    members = { status: 400, body: { code: "FF700", message: "Only members" } };
    await userEvent.type(within(palette).getByRole("combobox"), " a");
    expect(await within(palette).findByText("1 result")).toBeVisible();
    members = { body: [tom] };
    await userEvent.type(within(palette).getByRole("combobox"), "sh");
    await userEvent.click(await within(palette).findByRole("option", { name: /^Tom Ashworth/ }));
    await waitFor(() => expect(window.location.pathname).toBe(`/members/${tom.user_id}`));
  });

  it("shows what a higher level opens with its lock, and leads to what is left to do", async () => {
    renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => {
        if (call === search) return { body: [] };
        if (call !== "POST /rest/v1/rpc/search_locked") return undefined;
        const locked = {
          kind: "article",
          title: "Price it well",
          category: "business",
          min_level: 3,
        };
        return { body: [locked, { ...locked, kind: "of another version" }] };
      },
    });
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "price");
    const group = await within(palette).findByRole("group", { name: "Opens at a higher level" });
    expect(within(group).getAllByRole("option")).toHaveLength(1);
    const option = within(group).getByRole("option", {
      name: /^Price it well.*Level 3 · Business/,
    });
    await userEvent.click(option);
    await waitFor(() => expect(window.location.pathname).toBe("/progress"));
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  });

  it("searches for as many emoji as letters, and cuts none in two", async () => {
    const { seen } = open(() => ({ body: [] }));
    const palette = await openPalette();
    await userEvent.click(within(palette).getByRole("combobox"));
    await userEvent.paste(`x${"😀".repeat(150)}`);
    const asked = () => seen.filter(({ call }) => call === search).map(({ body }) => body);
    await waitFor(() =>
      expect(asked()).toEqual([{ query: `x${"😀".repeat(99)}`, max_results: 20 }]),
    );
  });

  it("searches after typing pauses, and groups results by kind", async () => {
    const { seen } = open(() => ({
      body: [
        row("article", "Spaced practice"),
        row("course", "A study system"),
        row("article", "Sleep"),
        row("room", "General", { category: null, path: "/chats/general" }),
      ],
    }));
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "practise");
    expect(await within(palette).findByText("4 results")).toBeVisible();
    const asked = seen.filter(({ call }) => call === search).map(({ body }) => body);
    expect(asked.at(-1)).toEqual({ query: "practise", max_results: 20 });
    expect(asked.length).toBeLessThan(8);
    const groups = within(palette).getAllByRole("group");
    expect(groups.map((each) => within(each).getAllByRole("option").length)).toEqual([2, 1, 1]);
    expect(within(palette).getByText("Something about Sleep.")).toBeVisible();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{Enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/chats/general"));
  });

  it("counts the pages it leads to among the results", async () => {
    open(() => ({ body: [] }));
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "messages");
    expect(await within(palette).findByText("1 result")).toBeVisible();
    expect(within(palette).queryByText(/^No results/)).not.toBeInTheDocument();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/messages"));
  });

  it("reports when nothing was found, and clears the query when closed", async () => {
    open(() => ({ body: [] }));
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "zzzz");
    expect(await within(palette).findByText(/^No results for “zzzz”/)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await userEvent.keyboard("{Meta>}k{/Meta}");
    expect(await screen.findByRole("combobox")).toHaveValue("");
    expect(screen.getByText("Type at least two letters")).toBeVisible();
  });

  it("reports a failed search, and retries", async () => {
    let broken = true;
    open(() =>
      broken
        ? { status: 500, body: { code: "XX000", message: "boom" } }
        : { body: [row("article", "Sleep")] },
    );
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "sleep");
    expect(await within(palette).findByText("We couldn't search")).toBeVisible();
    broken = false;
    await userEvent.click(within(palette).getByRole("button", { name: "Try again" }));
    expect(await within(palette).findByRole("option", { name: /Sleep/ })).toBeVisible();
  });
});

describe("what was found", () => {
  it("ignores unknown kinds and addresses", () => {
    const found = toSearchResults([
      row("article", "Good"),
      row("person", "Nobody"),
      row("article", "Bad", { path: "https://evil.example" }),
      row("article", "Worse", { path: "//evil.example" }),
    ]);
    expect(found.map(({ title }) => title)).toEqual(["Good"]);
  });

  it("keeps the order within a kind and lists the best kind first", () => {
    const found = toSearchResults([
      row("course", "One"),
      row("article", "Two"),
      row("course", "Three"),
    ]);
    expect(groupResults(found).map(({ kind, found: all }) => [kind, all.length])).toEqual([
      ["course", 2],
      ["article", 1],
    ]);
  });
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
});

describe("what was opened from the search", () => {
  it("stands first the next time, for this member alone", async () => {
    const path = `/knowledge/foundations/learning/${pricing.id}`;
    open(() => ({ body: [row("article", "Pricing", { path })] }), { articles: pricing });
    let palette = await openPalette();
    expect(within(palette).queryByText("Opened before")).not.toBeInTheDocument();
    await userEvent.type(within(palette).getByRole("combobox"), "pric");
    const hit = await within(palette).findByRole("option", { name: /Pricing/ });
    expect(within(hit).getAllByText("Pric", { exact: false, selector: "mark" })).not.toEqual([]);
    await userEvent.click(hit);
    palette = await openPalette();
    const [first] = within(
      within(palette).getByRole("group", { name: "Opened before" }),
    ).getAllByRole("option");
    expect(first).toHaveTextContent("Pricing");
    await userEvent.click(first ?? document.body);
    expect(await screen.findByRole("heading", { level: 1, name: "Pricing" })).toBeVisible();
    expect(window.location.pathname).toBe(path);
    palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "identity");
    await userEvent.click(within(palette).getByRole("option", { name: "Identity" }));
    palette = await openPalette();
    const names = within(within(palette).getByRole("group", { name: "Opened before" }))
      .getAllByRole("option")
      .map((each) => each.textContent);
    expect(names).toEqual(["Identity", "Pricing"]);
    expect(Object.keys(sessionStorage).filter((key) => key.startsWith("search-recent"))).toEqual([
      `search-recent-${sessionOf().user.id}`,
    ]);
  });
});

describe("the sheet of keys", () => {
  it("opens by a question mark, but not while one is written", async () => {
    renderApp("/account#sign-in", { session: sessionOf(), rows: memberRows() });
    await userEvent.type(await screen.findByLabelText("New email"), "why?");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("heading", { level: 1, name: "Account" }));
    await userEvent.keyboard("?");
    const sheet = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    expect(within(sheet).getByText("Search, and go to any page")).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(sheet).not.toBeInTheDocument());
  });
});
