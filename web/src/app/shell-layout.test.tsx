import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { readRememberedRole } from "@/lib/remembered-role.ts";
import { memberRows, renderApp, sessionOf } from "./testing/test-app.tsx";

interface Viewer {
  readonly role?: string;
  readonly level?: number;
  readonly rooms?: number;
  readonly conversations?: number;
}

async function open(path: string, { rooms = 0, conversations = 0, ...who }: Viewer = {}) {
  const view = renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level: 1, ...who }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/unread_rooms")) return { body: rooms };
      return call.endsWith("/rpc/unread_conversations") ? { body: conversations } : undefined;
    },
  });
  const [rail, bar] = await screen.findAllByRole("navigation", { name: "Main" });
  // A page that takes the whole window has no bar.
  return { ...view, rail: within(rail as HTMLElement), bar: within(bar ?? (rail as HTMLElement)) };
}

const names = (entries: readonly HTMLElement[]) => entries.map(({ textContent }) => textContent);

describe("the rail", () => {
  it.each([
    ["student", "/account", ["Home", "Chats", "Learn", "Library", "People", "Progress"]],
    ["mentor", "/account", ["Home", "Chats", "Learn", "Library", "People", "Progress", "Studio"]],
    ["admin", "/account", ["Console", "Chats", "Learn", "Library", "People", "Progress", "Studio"]],
  ])("of a %s", async (role, path, expected) => {
    const { rail, bar } = await open(path, { role, level: 2 });
    expect(names(await rail.findAllByRole("listitem")).map((name) => name?.trim())).toEqual(
      expected,
    );
    // A phone has room for four of them, and the rest is behind More.
    expect(names(bar.getAllByRole("listitem")).map((name) => name?.trim())).toEqual([
      ...expected.slice(0, 4),
      "More",
    ]);
    await userEvent.click(bar.getByRole("button", { name: "More" }));
    const more = within(await screen.findByRole("dialog", { name: "More" }));
    expect(names(more.getAllByRole("link")).map((name) => name?.trim())).toEqual(expected.slice(4));
  });

  it("says what opens the library while no part of it is open", async () => {
    const { rail, bar } = await open("/account", { level: 1 });
    const name = /^Library.*opens at\s*Level 2/;
    const door = await rail.findByRole("button", { name });
    expect(rail.queryByRole("link", { name: "Library" })).not.toBeInTheDocument();
    expect(bar.getByRole("button", { name })).toBeVisible();
    await userEvent.click(door);
    expect(await screen.findByRole("dialog", { name: "Library opens at Level 2" })).toBeVisible();
  });

  it.each([
    [2, "/knowledge/foundations"],
    [3, "/business/foundations"],
    [4, "/wealth/foundations"],
  ])("opens the library at the part of level %i", async (level, expected) => {
    const { rail } = await open("/account", { level });
    await waitFor(() =>
      expect(rail.getByRole("link", { name: "Library" })).toHaveAttribute("href", expected),
    );
  });

  it("has all of the library for administrators", async () => {
    await open("/knowledge/foundations", { role: "admin" });
    const tabs = within(await screen.findByRole("navigation", { name: "Library" }));
    expect(names(tabs.getAllByRole("link")).map((name) => name?.trim())).toEqual([
      "Knowledge",
      "Business",
      "Wealth",
    ]);
  });
});

describe("the tabs", () => {
  it.each([
    ["/chats", "Chats", "Rooms", "/chats"],
    ["/messages", "Chats", "Messages", "/messages"],
    ["/learning/submissions", "Learn", "Submissions", "/learning/submissions"],
    ["/learning/pacts", "Learn", "Pacts", "/learning/pacts"],
    ["/learning", "Learn", "Submissions", "/learning/submissions"],
    ["/business/courses", "Library", "Business", "/business/foundations"],
    ["/members", "People", "Directory", "/members"],
    ["/collaborate", "People", "Collaborate", "/collaborate"],
    ["/progress", "Progress", "Levels", "/progress"],
    ["/achievements", "Progress", "Achievements", "/achievements"],
    ["/progress#guarantee", "Progress", "Guarantee", "/progress/guarantee"],
  ])("mark where %s is", async (path, area, page, to) => {
    const { rail } = await open(path, { level: 3 });
    const tabs = within(await screen.findByRole("navigation", { name: area }));
    const current = await tabs.findByRole("link", { current: "page", name: page });
    expect(tabs.getAllByRole("link", { current: "page" })).toEqual([current]);
    expect(current).toHaveAttribute("href", to);
    expect(rail.getByRole("link", { current: "page" })).toHaveAccessibleName(area);
  });

  it("keep what a level has not opened behind a lock", async () => {
    await open("/knowledge/foundations", { level: 2 });
    const tabs = within(await screen.findByRole("navigation", { name: "Library" }));
    const door = await tabs.findByRole("button", { name: /^Wealth.*opens at\s*Level 4/ });
    expect(names(tabs.getAllByRole("link")).map((name) => name?.trim())).toEqual(["Knowledge"]);
    await userEvent.click(door);
    expect(await screen.findByRole("dialog", { name: "Wealth opens at Level 4" })).toBeVisible();
  });

  it("are not there for an area of one page", async () => {
    await open("/studentdash");
    expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
    expect(screen.queryByRole("navigation", { name: "Home" })).not.toBeInTheDocument();
  });
});

describe("what is unread", () => {
  it("is summed up at Chats while one is elsewhere, and nowhere else in the rail", async () => {
    const { rail, bar } = await open("/account", { level: 2, rooms: 2, conversations: 1 });
    for (const frame of [rail, bar]) {
      expect(await frame.findByRole("link", { name: /3\s?unread/ })).toHaveAttribute(
        "href",
        "/chats",
      );
      expect(frame.getAllByText(/\d/)).toHaveLength(1);
    }
  });

  it.each([
    [
      "/messages/22222222-2222-4222-8222-222222222222",
      /^Rooms 2\s?unread rooms$/,
      /^Messages 1\s?unread$/,
    ],
    ["/messages", /^Rooms 2\s?unread rooms$/, "Messages"],
    ["/chats", "Rooms", /^Messages 1\s?unread$/],
  ])(
    "stands at the tabs where they are, and at %s not over its own list",
    async (path, first, second) => {
      await open(path, { rooms: 2, conversations: 1 });
      const tabs = within(await screen.findByRole("navigation", { name: "Chats" }));
      expect(await tabs.findByRole("link", { name: first })).toBeVisible();
      expect(await tabs.findByRole("link", { name: second })).toBeVisible();
      const numbered = [first, second].filter((name) => name instanceof RegExp);
      expect(tabs.getAllByText(/unread/)).toHaveLength(numbered.length);
      for (const entry of screen.getAllByRole("link", { name: /^Chats/ })) {
        expect(entry).toHaveAccessibleName("Chats");
      }
    },
  );
});

it("has a member's own pages under their face, with the one that is open marked", async () => {
  const { rail } = await open("/affiliates");
  expect(await screen.findByRole("heading", { name: "Affiliates", level: 1 })).toBeVisible();
  expect(rail.queryByRole("link", { current: "page" })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: /^Account of/ }));
  const menu = within(await screen.findByRole("menu"));
  expect(names(menu.getAllByRole("menuitem")).map((name) => name?.trim())).toEqual([
    "Account",
    "Membership",
    "Your courses",
    "Gifts",
    "Affiliates",
    "Identity",
    "Sign out",
  ]);
  expect(menu.getByRole("menuitem", { current: "page" })).toHaveTextContent("Affiliates");
});

it("remembers whose rail it is for the next document, and forgets it with the session", async () => {
  const { client } = await open("/account", { role: "admin" });
  expect(readRememberedRole()).toBe("admin");
  await client.auth.signOut({ scope: "local" });
  await waitFor(() => expect(window.location.pathname).toBe("/auth"));
  expect(readRememberedRole()).toBeNull();
});

describe("the keys of the areas", () => {
  const open = (path: string, who: Viewer = {}) =>
    renderApp(path, { session: sessionOf(), rows: memberRows({ level: 1, ...who }) });

  it("lead there by G and a letter, but not while one writes", async () => {
    open("/account#sign-in");
    await userEvent.type(await screen.findByLabelText("New email"), "gr");
    expect(window.location.pathname).toBe("/account");
    await userEvent.click(screen.getByRole("heading", { level: 1, name: "Account" }));
    await userEvent.keyboard("gr");
    await waitFor(() => expect(window.location.pathname).toBe("/progress"));
  });

  it.each([
    ["mentor", "/mentordash"],
    ["admin", "/admindash"],
  ] as const)("lead a %s Home and to the studio", async (role, home) => {
    open("/account", { role });
    await screen.findByRole("heading", { level: 1, name: "Account" });
    await userEvent.keyboard("gh");
    await waitFor(() => expect(window.location.pathname).toBe(home));
    await userEvent.keyboard("gs");
    await waitFor(() => expect(window.location.pathname).toBe("/studio"));
  });
});
