import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { foundRow } from "./testing/found-row.ts";
import { openPalette, stubResizeObserver } from "./testing/palette.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  stubResizeObserver();
});

const search = "POST /rest/v1/rpc/search_library";

describe("a room chosen in the palette", () => {
  const found = foundRow("room", "General", { category: null, path: "/chats/general" });
  const room = {
    id: "general",
    name: "General",
    description: "About General",
    min_level_required: 1,
    participant_count: 2,
    unread_count: 0,
    last_message_at: null,
  };

  function openRoom() {
    return renderApp("/account", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => {
        if (call === search) return { body: [found] };
        if (call === "GET /rest/v1/chat_rooms") return { body: [room] };
        if (/rpc\/(?:room_page|room_changes_since|room_pins)$/.test(call)) return { body: [] };
        return call.includes("participant_count") ? { status: 204 } : undefined;
      },
    });
  }

  async function choose() {
    const palette = await openPalette();
    await userEvent.type(within(palette).getByRole("combobox"), "gener");
    await within(palette).findByRole("option", { name: /General/ });
    await userEvent.keyboard("{Enter}");
    return await screen.findByRole("textbox", { name: "Message in General" });
  }

  it("opens with the focus in its message field, where there is a keyboard", async () => {
    openRoom();
    const field = await choose();
    await waitFor(() => expect(field).toHaveFocus());
  });

  it("opens as any page when one comes back to it", async () => {
    openRoom();
    await choose();
    await userEvent.click(screen.getAllByRole("link", { name: "Home" })[0]!);
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
    window.history.back();
    const field = await screen.findByRole("textbox", { name: "Message in General" });
    await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
    expect(field).not.toHaveFocus();
  });

  it("brings up no keyboard on a touch screen", async () => {
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: !query.includes("hover"),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    openRoom();
    const field = await choose();
    await waitFor(() => expect(screen.getByRole("main")).toHaveFocus());
    expect(field).not.toHaveFocus();
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
    const areas = within(within(sheet).getByRole("region", { name: "Go to an area" }));
    expect(areas.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
      "G then H",
      "G then C",
      "G then L",
      "G then P",
      "G then R",
      "G then A",
    ]);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(sheet).not.toBeInTheDocument());
  });
});
