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
import { foundRow } from "./testing/found-row.ts";
import { openPalette, stubResizeObserver } from "./testing/palette.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  stubResizeObserver();
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
          ? { body: [foundRow("room", "General", { category: null, path: "/chats/general" })] }
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

  it("puts members whose name or work has the words before what they wrote, and others after it", async () => {
    const person = (id: string, name: string, work: string) => ({
      user_id: `${id.repeat(8)}-2222-4222-8222-222222222222`,
      name,
      role_name: "mentor",
      occupation_name: work,
      avatar_url: null,
      member_level: 2,
      topics: [],
    });
    const found = [
      {
        ...person("1", "Helen Marsh", "Bookkeeper"),
        bio: "I keep books for small shops. After years I raised my prices twice, and lost nobody by it that I would miss.",
      },
      { ...person("4", "Omar Aziz", "Joiner"), topics: ["Price lists", "Tools"] },
      person("2", "Zoë Pricé", "Tutor"),
      person("3", "Gareth Pugh", "Pricing consultant"),
    ];
    renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) =>
        call === search
          ? {
              body: [
                foundRow("room", "Offers and Pricing", { category: null, path: "/chats/pricing" }),
              ],
            }
          : call === "POST /rest/v1/rpc/people_page"
            ? { body: found }
            : undefined,
    });
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "price");
    expect(await within(palette).findByText("5 results")).toBeVisible();
    // Why they were found, with the words that were.
    const helen = within(palette).getByRole("option", { name: /^Helen Marsh/ });
    expect(helen).toHaveTextContent(
      "…years I raised my prices twice, and lost nobody by it that I would… · Bookkeeper",
    );
    expect(helen.querySelector("mark")).toHaveTextContent("prices");
    expect(within(palette).getByRole("option", { name: /^Omar Aziz/ })).toHaveTextContent(
      "Price lists · Joiner",
    );
    const names = () =>
      within(palette)
        .getAllByRole("option")
        .map(({ textContent }) => textContent);
    expect(names().map((name) => /^(Zoë|Offers|Helen|Omar|Gareth)/.exec(name)?.[0])).toEqual([
      "Zoë",
      "Offers",
      "Helen",
      "Omar",
      "Gareth",
    ]);
    await userEvent.clear(within(palette).getByRole("combobox"));
    await userEvent.type(within(palette).getByRole("combobox"), "pricing");
    await waitFor(() => expect(names()[0]).toMatch(/^Gareth/));
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
        foundRow("article", "Spaced practice"),
        foundRow("course", "A study system"),
        foundRow("article", "Sleep"),
        foundRow("room", "General", { category: null, path: "/chats/general" }),
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

  it("puts a page by its name before texts that have the word, and other pages after them", async () => {
    open(() => ({ body: [foundRow("article", "One bottleneck")] }));
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "member");
    expect(await within(palette).findByText("4 results")).toBeVisible();
    const names = within(palette)
      .getAllByRole("option")
      .map((each) => each.textContent);
    expect(names.map((name) => name.slice(0, 10))).toEqual([
      "Membership",
      "One bottle",
      "Directory",
      "Privacy",
    ]);
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(window.location.pathname).toBe("/subscriptions"));
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
        : { body: [foundRow("article", "Sleep")] },
    );
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "sleep");
    expect(await within(palette).findByText("We couldn't search")).toBeVisible();
    broken = false;
    await userEvent.click(within(palette).getByRole("button", { name: "Try again" }));
    expect(await within(palette).findByRole("option", { name: /Sleep/ })).toBeVisible();
  });
});

describe("what was opened from the search", () => {
  it("stands first the next time, for this member alone", async () => {
    const path = `/knowledge/foundations/learning/${pricing.id}`;
    open(() => ({ body: [foundRow("article", "Pricing", { path })] }), { articles: pricing });
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
