import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const room = (id: string, isActive = true) => ({
  id,
  name: `Room ${id}`,
  description: "Talk",
  min_level_required: 1,
  display_order: 0,
  is_active: isActive,
  participant_count: 2,
});

const article = {
  id: "a-1",
  title: "Close the Book",
  slug: "close-the-book",
  main_category: "general",
  subcategory_id: "s-1",
  subcategory_name: "Learning",
  subcategory_is_active: true,
  author_name: null,
  is_published: true,
  is_featured: false,
  readers: 3,
  created_at: "2026-11-01T10:00:00Z",
};

const supply = [
  { level: 1, kind: "rooms", category: null, needed: 5, available: 5 },
  { level: 2, kind: "articles", category: "general", needed: 25, available: 26 },
];

/** The console's content, with the bodies of the calls that change it. */
function openContent(path: string, refusal?: Reply) {
  const changes: unknown[] = [];
  renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      if (call.endsWith("/rpc/admin_rooms")) return { body: [room("a"), room("b", false)] };
      if (call.endsWith("/rpc/admin_library_items")) return { body: [article] };
      if (call.endsWith("/rpc/admin_subcategories")) return { body: [] };
      if (call.endsWith("/rpc/admin_level_supply")) return { body: supply };
      if (/\/rpc\/(?:create|edit)_/.test(call)) {
        changes.push(body);
        return refusal ?? { status: 204 };
      }
      return undefined;
    },
  });
  return changes;
}

describe("the rooms of the console", () => {
  it("send only the fields that were changed", async () => {
    const changes = openContent("/admindash/content");
    await userEvent.click(await screen.findByRole("button", { name: "Room a" }));
    const panel = await screen.findByRole("dialog", { name: "Room a" });
    const name = within(panel).getByLabelText("Name");
    await userEvent.clear(name);
    await userEvent.type(name, " Renamed ");
    await userEvent.click(within(panel).getByRole("button", { name: "Save room" }));
    await waitFor(() => expect(changes).toEqual([{ room_id: "a", name: "Renamed" }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("warn before one is closed that a level asks for", async () => {
    const changes = openContent("/admindash/content?open=a");
    await userEvent.click(await screen.findByRole("button", { name: "Close room" }));
    const question = await screen.findByRole("alertdialog");
    await within(question).findByText(/Level 1 asks for 5 chat rooms; 4 would be left/);
    expect(changes).toEqual([]);
    await userEvent.click(within(question).getByRole("button", { name: "Close room" }));
    await waitFor(() => expect(changes).toEqual([{ room_id: "a", is_active: false }]));
  });

  it("say where nobody has set an order, and the place elsewhere", async () => {
    const placed = (id: string, order: number, level = 1) => ({
      ...room(id),
      display_order: order,
      min_level_required: level,
    });
    renderApp("/admindash/content", {
      session: sessionOf(),
      rows: memberRows({ role: "admin" }),
      reply: ({ call }) =>
        call.endsWith("/rpc/admin_rooms")
          ? {
              body: [
                placed("a", 0),
                placed("b", 0),
                placed("c", 0, 2),
                placed("d", 2, 2),
                placed("e", 2, 2),
                placed("f", 5, 3),
              ],
            }
          : undefined,
    });
    const table = within(await screen.findByRole("table", { name: "Chat rooms" }));
    await table.findByText("Room a");
    const places = table
      .getAllByRole("row")
      .slice(1)
      .map((row) => within(row).getAllByRole("cell")[2]?.textContent);
    expect(places).toEqual(["By name", "By name", "0", "2", "2", "5"]);
  });

  it("warn before one moves to a level above the one that asks for it", async () => {
    const changes = openContent("/admindash/content?open=a");
    const panel = await screen.findByRole("dialog", { name: "Room a" });
    await userEvent.selectOptions(within(panel).getByLabelText("Opens at level"), "2");
    await userEvent.click(within(panel).getByRole("button", { name: "Save room" }));
    const question = await screen.findByRole("alertdialog");
    await within(question).findByText(/Level 1 asks for 5 chat rooms; 4 would be left/);
    expect(changes).toEqual([]);
    await userEvent.click(within(question).getByRole("button", { name: "Move room" }));
    await waitFor(() => expect(changes).toEqual([{ room_id: "a", min_level_required: 2 }]));
  });

  it("say what is wrong and keep what was typed", async () => {
    openContent("/admindash/content?open=new", { status: 409, body: { code: "23505" } });
    const panel = await screen.findByRole("dialog", { name: "New room" });
    await userEvent.type(within(panel).getByLabelText("Address"), "general");
    await userEvent.type(within(panel).getByLabelText("Name"), "General");
    await userEvent.click(within(panel).getByRole("button", { name: "Create room" }));
    await within(panel).findByText("That address is already taken. Choose another one.");
    expect(within(panel).getByLabelText("Address")).toHaveProperty("value", "general");
  });
});

describe("the articles of the console", () => {
  it("are withdrawn after a question, without a warning while enough are left", async () => {
    const changes = openContent("/admindash/content?part=articles&open=a-1");
    await userEvent.click(await screen.findByRole("button", { name: "Withdraw article" }));
    const question = await screen.findByRole("alertdialog");
    expect(question.textContent).toContain("Nobody loses a read, a completion or a level");
    expect(question.textContent).not.toContain("asks for");
    await userEvent.click(within(question).getByRole("button", { name: "Withdraw article" }));
    await waitFor(() =>
      expect(changes).toEqual([{ shelf: "articles", item_id: "a-1", is_published: false }]),
    );
  });
});

const course = { ...article, id: "c-1", title: "Price It Properly", slug: "price-it-properly" };
const onSale = {
  slug: "price-it",
  is_on_sale: true,
  is_open: true,
  ended_at: null,
  ended_reason: null,
};
const endedSale = {
  ...onSale,
  is_on_sale: false,
  is_open: false,
  ended_at: "2026-11-26T10:00:00Z",
  ended_reason: "Copied from a book.",
};

/** The panel of a course with this sale, and the bodies of the acts on the sale, which change it when they are done. */
function openCourse(first: object | null, refusal?: Reply) {
  const acts: unknown[] = [];
  let sale = first;
  renderApp("/admindash/content?part=courses&open=c-1", {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      if (call.endsWith("/rpc/admin_library_items")) return { body: [course] };
      if (call.endsWith("/rpc/admin_subcategories")) return { body: [] };
      if (call.endsWith("/rpc/admin_level_supply")) return { body: supply };
      if (call.endsWith("/rpc/content_sale")) return { body: sale };
      const act = /\/rpc\/(end|allow)_course_sale$/.exec(call)?.[1];
      if (act === undefined) return undefined;
      acts.push({ act, body });
      if (refusal) return refusal;
      sale = act === "end" ? endedSale : { ...endedSale, ended_at: null, ended_reason: null };
      return { status: 204 };
    },
  });
  return acts;
}

describe("the sale of a course in the console", () => {
  it("is ended after a question, with a reason", async () => {
    const acts = openCourse(onSale);
    await userEvent.click(await screen.findByRole("button", { name: "End sale" }));
    const question = await screen.findByRole("dialog", {
      name: "End the sale of Price It Properly?",
    });
    expect(question.textContent).toContain("Buyers keep it");
    await userEvent.click(within(question).getByRole("button", { name: "End sale" }));
    await within(question).findByText("Say why. It is recorded with your name.");
    expect(acts).toEqual([]);
    await userEvent.type(within(question).getByLabelText(/Reason/), " Copied from a book. ");
    await userEvent.click(within(question).getByRole("button", { name: "End sale" }));
    await waitFor(() =>
      expect(acts).toEqual([
        { act: "end", body: { course: "c-1", reason: "Copied from a book." } },
      ]),
    );
    expect(await screen.findByText("Copied from a book.")).toBeVisible();
    await screen.findByRole("dialog", { name: "Price It Properly" });
    await screen.findByRole("button", { name: "Allow sale" });
    expect(screen.getAllByRole("dialog")).toHaveLength(1);
  });

  it("is allowed again after a question, with a reason", async () => {
    const acts = openCourse(endedSale);
    await userEvent.click(await screen.findByRole("button", { name: "Allow sale" }));
    const question = await screen.findByRole("dialog", {
      name: "Let Price It Properly be sold again?",
    });
    await userEvent.type(within(question).getByLabelText(/Reason/), "A mistake");
    await userEvent.click(within(question).getByRole("button", { name: "Allow sale" }));
    await waitFor(() =>
      expect(acts).toEqual([{ act: "allow", body: { course: "c-1", reason: "A mistake" } }]),
    );
    expect(await screen.findByText("Its mentor has taken it off sale.")).toBeVisible();
  });

  it.each([
    ["FF005", "Enter the code of your second factor first, on your account page."],
    ["FF858", "Another administrator was first. The panel shows the sale as it is now."],
  ])("says why an act was refused: %s", async (code, text) => {
    openCourse(onSale, { status: 400, body: { code, message: "No" } });
    await userEvent.click(await screen.findByRole("button", { name: "End sale" }));
    const question = await screen.findByRole("dialog", { name: /^End the sale/ });
    await userEvent.type(within(question).getByLabelText(/Reason/), "Fraud");
    await userEvent.click(within(question).getByRole("button", { name: "End sale" }));
    expect(await within(question).findByText(text)).toBeVisible();
    expect(within(question).getByLabelText(/Reason/)).toHaveProperty("value", "Fraud");
  });

  it("is not offered for a course that was never on sale", async () => {
    openCourse(null);
    const panel = await screen.findByRole("dialog", { name: "Price It Properly" });
    await within(panel).findByRole("button", { name: "Withdraw course" });
    await waitFor(() => expect(within(panel).queryByText("Sale")).toBeNull());
    expect(within(panel).queryByRole("button", { name: "End sale" })).toBeNull();
  });
});

it("a student who opens the console's content is sent to their own dashboard", async () => {
  renderApp("/admindash/content", { session: sessionOf(), rows: memberRows() });
  await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
});
