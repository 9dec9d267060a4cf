import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { adaId, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { message, overview, timestamp } from "./testing/chat-rows.ts";
import {
  messageField as field,
  openChat as open,
  rowOf,
  setUpChatScreen,
  type Situation,
} from "./testing/chat-screen.tsx";

setUpChatScreen();

describe("/chats", () => {
  it("lists the rooms by level, and locked rooms with the level that opens them", async () => {
    open({ path: "/chats" });
    const entry = await screen.findByRole("link", { name: /^General/ });
    expect(entry).toHaveAttribute("href", "/chats/general");
    expect(entry).toHaveTextContent("3 unread");
    expect(entry).toHaveTextContent("2 here now");
    expect(screen.getByRole("region", { name: /^Level 1/ })).toHaveTextContent("2 rooms");
    expect(screen.getByRole("region", { name: /^Level 2/ })).toHaveTextContent(/1 room(?!s)/);
    expect(screen.getByText("Unlock at Level 2")).toBeVisible();
    expect(screen.getByText("Unlock at Level 4")).toBeVisible();
    expect(screen.queryByRole("link", { name: /^Reading Circle/ })).not.toBeInTheDocument();
    expect(screen.getByText(/to unlock more rooms/)).toHaveTextContent("Level 2, Knowledge");
  });

  it("says what is left to do for a locked room", async () => {
    open({ path: "/chats" });
    await userEvent.click(await screen.findByRole("button", { name: /^Reading Circle/ }));
    const door = await screen.findByRole("dialog", { name: "Reading Circle opens at Level 2" });
    expect(within(door).getByText(/You're on Level 1\. Here's what it asks for/)).toBeVisible();
    expect(within(door).getByRole("link", { name: "See your progress" })).toHaveAttribute(
      "href",
      "/progress",
    );
  });

  it("shows no locked rooms and no hint at level 4", async () => {
    open({ path: "/chats", level: 4 });
    expect(await screen.findByRole("link", { name: /^Investing/ })).toBeVisible();
    expect(screen.queryByText(/Unlock at Level/)).not.toBeInTheDocument();
    expect(screen.queryByText(/to unlock more rooms/)).not.toBeInTheDocument();
  });

  it("shows a member at level 0 every section, all locked, and the way on", async () => {
    open({ path: "/chats", level: 0 });
    expect(await screen.findAllByText("Unlock at Level 1")).toHaveLength(2);
    expect(screen.getByText("Unlock at Level 4")).toBeVisible();
    expect(screen.getByText("Your level: 0")).toBeVisible();
    expect(screen.getByRole("heading", { name: /^Level 1.*Community$/ })).toBeVisible();
    expect(screen.queryByRole("link", { name: /^General/ })).not.toBeInTheDocument();
    expect(screen.getByRole("link", { name: "See your membership" })).toHaveAttribute(
      "href",
      "/subscriptions",
    );
    expect(screen.getByText(/unlock more rooms/)).toHaveTextContent("Level 1, Community");
  });

  it("locks the rooms of a lapsed member and says that renewing opens them", async () => {
    open({ path: "/chats", level: 2, usable: 0 });
    expect(await screen.findByText("Your membership is not active")).toBeVisible();
    expect(screen.getAllByText("Opens again when you renew")).toHaveLength(3);
    expect(screen.getByText("Unlock at Level 4")).toBeVisible();
    expect(screen.getByText(/Renew your membership to unlock your rooms/)).toBeVisible();
    expect(screen.queryByRole("link", { name: /^General/ })).not.toBeInTheDocument();
  });

  it("opens every room to administrators", async () => {
    open({ path: "/chats", level: 1, role: "admin" });
    expect(await screen.findByRole("link", { name: /^Investing/ })).toBeVisible();
  });
});

describe("the way into a room", () => {
  it("shows a message for an unknown room", async () => {
    open({ room: { body: [] } });
    expect(await screen.findByRole("heading", { name: "Room not found" })).toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "Back to Chat Rooms" }));
    expect(await screen.findByRole("heading", { name: "Chat rooms" })).toBeVisible();
  });

  it.each<[string, Situation, string | RegExp]>([
    [
      "is above one's level",
      { room: { body: [{ ...overview[0], min_level_required: 2 }] } },
      "It opens at Level 2.",
    ],
    ["needs a membership that has ended", { usable: 0 }, /^Chat rooms are for active members\./],
    ["is asked for before onboarding", { level: 0 }, /^Chat rooms are for active members\./],
    [
      "cannot be loaded",
      { room: { status: 500, body: { code: "XX000", message: "broken" } } },
      "Check your connection and open it again from the list.",
    ],
  ])("leads to the list, and says why, when the room %s", async (_why, situation, reason) => {
    open(situation);
    expect(await screen.findByRole("heading", { name: "Chat rooms" })).toBeVisible();
    expect(window.location.pathname).toBe("/chats");
    expect(await screen.findByText(reason)).toBeVisible();
    expect(screen.queryByText("Room not found")).not.toBeInTheDocument();
  });

  it("works without a configured backend", async () => {
    open({ room: { status: 400, body: { code: "MOCK_CLIENT", message: "not configured" } } });
    expect(await screen.findByRole("heading", { name: "Room not found" })).toBeVisible();
    expect(window.location.pathname).toBe("/chats/general");
  });

  it("shows name, description and members, and joins once", async () => {
    const view = open({});
    expect(await screen.findByRole("heading", { name: "General" })).toBeVisible();
    expect(document.title).toBe("General · Fourfold");
    expect(screen.getByText("About General")).toBeVisible();
    expect(screen.getByRole("button", { name: "2 here now" })).toBeVisible();
    await waitFor(() =>
      expect(
        view.calls().filter((call) => call.endsWith("/rpc/increment_participant_count")),
      ).toHaveLength(1),
    );
    await userEvent.click(screen.getByRole("link", { name: "All chat rooms" }));
    await waitFor(() =>
      expect(
        view.calls().filter((call) => call.endsWith("/rpc/decrement_participant_count")),
      ).toHaveLength(1),
    );
  });
});

it("names those who spoke last in a room where nobody else is", async () => {
  open({
    messages: [
      message(1, { user_id: "cy", author_first_name: "Cy", author_last_name: "Twombly" }),
      message(2),
      message(3, { user_id: "dee", author_first_name: "Dee", deleted_at: timestamp(3) }),
    ],
  });
  await screen.findByRole("article", { name: /^Ben Hur/ });
  await userEvent.click(screen.getByRole("button", { name: "2 here now" }));
  const sheet = await screen.findByRole("dialog", { name: "Who's here" });
  expect(within(sheet).getByRole("heading", { name: "Spoke last" })).toBeVisible();
  expect(
    within(sheet)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([expect.stringMatching(/Ben Hur/), expect.stringMatching(/Cy Twombly/)]);
});

describe("messages", () => {
  it("show name, role and quote, and no text when deleted", async () => {
    open({
      messages: [
        message(1, { author_role: "mentor" }),
        message(2, {
          user_id: "cy",
          author_first_name: "Cy",
          author_role: "admin",
          parent_message_id: message(1).id,
          message_type: "reply",
          parent_content: "message 1",
          parent_author: "Ben",
        }),
        message(3, { user_id: "di", content: "", deleted_at: timestamp(4) }),
      ],
    });
    expect((await rowOf("message 2")).getByText("Admin")).toHaveAttribute("data-role", "admin");
    expect((await rowOf("message 2")).getByRole("button", { name: /^In reply to/ })).toBeVisible();
    expect(screen.getByText("Mentor")).toHaveAttribute("data-role", "mentor");
    expect(screen.getByText("This message was deleted.")).toBeVisible();
  });

  it("show the picture of their author, from the product's own bucket", async () => {
    open({ messages: [message(1, { author_avatar_url: "https://elsewhere.test/ben-1.jpg" })] });
    const row = (await screen.findByText("message 1")).closest("article");
    expect(row?.querySelector("img")?.src).toMatch(/backend\.test\/.*-pictures\/ben-1\.jpg$/);
  });

  it("arrive live, once", async () => {
    const view = open({ messages: [message(1)] });
    await screen.findByText("message 1");
    await waitFor(() => expect(view.live.watchers("chat_messages")).toBe(1));
    const { id, user_id, chat_room_id, parent_message_id, like_count, created_at } = message(2);
    const row = {
      id,
      user_id,
      chat_room_id,
      content: "fresh",
      parent_message_id,
      like_count,
      created_at,
      changed_at: created_at,
      edited_at: null,
      deleted_at: null,
    };
    act(() => view.live.change("INSERT", "chat_messages", row));
    act(() => view.live.change("INSERT", "chat_messages", row));
    expect(await screen.findByText("fresh")).toBeVisible();
    expect(screen.getAllByText("fresh")).toHaveLength(1);
    expect(screen.getByText("Ben Hur: fresh")).toHaveAttribute("aria-live", "polite");
    act(() =>
      view.live.change("UPDATE", "chat_messages", {
        ...row,
        like_count: 4,
        changed_at: timestamp(9),
      }),
    );
    expect(await (await rowOf("fresh")).findByRole("button", { name: "4 likes" })).toBeVisible();
  });

  it("are liked at once", async () => {
    const view = open({ messages: [message(1)] });
    const row = await rowOf("message 1");
    await userEvent.click(row.getByRole("button", { name: "Like" }));
    expect(await row.findByRole("button", { name: "1 like" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await waitFor(() => expect(view.calls()).toContain("POST /rest/v1/message_likes"));
  });
});

describe("sending", () => {
  it("waits while Enter ends a word of an input method, as Safari sends it", async () => {
    open({});
    await userEvent.type(await field(), "にほん");
    fireEvent.keyDown(await field(), { key: "Enter", keyCode: 229 });
    expect(await field()).toHaveValue("にほん");
    fireEvent.keyDown(await field(), { key: "Enter", keyCode: 13 });
    expect(await field()).toHaveValue("");
  });

  it("shows the message at once as a student's, blocks a second one, and saves it", async () => {
    let answer = (_reply: Reply): void => {};
    const seen: Record<string, unknown>[] = [];
    open({
      insert: (body) => {
        seen.push(body);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
    });
    await userEvent.type(await field(), "  Hello there  {Enter}");
    const row = await rowOf("Hello there");
    expect(row.getByText("Sending…")).toBeVisible();
    expect(row.getByText("Student")).toHaveAttribute("data-role", "student");
    expect(await field()).toHaveValue("");
    await userEvent.type(await field(), "Second{Enter}");
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled();
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      user_id: adaId,
      chat_room_id: "general",
      content: "Hello there",
      message_type: "message",
      parent_message_id: null,
    });
    act(() => answer({ status: 201, body: message(9, seen[0]) }));
    await waitFor(() => expect(screen.queryByText("Sending…")).not.toBeInTheDocument());
    expect(screen.getAllByText("Hello there")).toHaveLength(1);
    expect(screen.getByRole("button", { name: "Send" })).toBeEnabled();
  });

  it("removes a rejected message, shows the reason, and restores text and reply", async () => {
    open({
      messages: [message(1)],
      insert: () => ({
        status: 400,
        body: {
          code: "FF300",
          message: "You are going too fast. Wait a moment and try again.",
          details: "5",
          hint: null,
        },
      }),
    });
    const row = await rowOf("message 1");
    await userEvent.click(row.getByRole("button", { name: "Reply" }));
    expect(screen.getByText("Replying to")).toBeVisible();
    await userEvent.type(await field(), "Too soon{Enter}");
    expect(await screen.findByText(/You are going too fast/)).toBeVisible();
    expect(await field()).toHaveValue("Too soon");
    expect(screen.getByText("Replying to")).toBeVisible();
    expect(screen.queryByText("Sending…")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
    expect(screen.queryByText("Replying to")).not.toBeInTheDocument();
  });

  it("restores the text and shows when to retry after a rate limit", async () => {
    const body = { code: "over_request_rate_limit", message: "Too many requests." };
    open({ insert: () => ({ status: 429, body, headers: { "retry-after": "4" } }) });
    await userEvent.type(await field(), "Hello again{Enter}");
    expect(await screen.findByText(/sent\..* Try again in 4 seconds\.$/)).toBeVisible();
    expect(await field()).toHaveValue("Hello again");
  });

  it("keeps the id of a rejected message, and uses a new id for a repeated text", async () => {
    const ids: unknown[] = [];
    open({
      insert: (body) => {
        ids.push(body["id"]);
        return ids.length === 1
          ? { status: 503, body: { message: "no" } }
          : { status: 201, body: message(8 + ids.length, body) };
      },
    });
    await userEvent.type(await field(), "ok{Enter}");
    expect(await screen.findByText(/^Your message wasn't sent/)).toBeVisible();
    for (const sent of [2, 3]) {
      if (sent === 3) await userEvent.type(await field(), "ok");
      await userEvent.type(await field(), "{Enter}");
      await waitFor(() => expect(ids).toHaveLength(sent));
      await waitFor(() => expect(screen.queryByText("Sending…")).not.toBeInTheDocument());
    }
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  it("sends nothing that the member before queued", async () => {
    const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    const sent: unknown[] = [];
    const view = open({
      insert: (body) => {
        sent.push(body["content"]);
        return { status: 201, body: message(8 + sent.length, body) };
      },
      reply: (call) =>
        call === "POST /auth/v1/token"
          ? { body: sessionOf("ben@example.com", "22222222-2222-4222-8222-222222222222") }
          : undefined,
    });
    await userEvent.type(await field(), "From Ada{Enter}");
    expect(await screen.findByText("Waiting for a connection")).toBeVisible();
    await act(async () => view.router.navigate("/chats"));
    await screen.findByRole("link", { name: /^General/ });
    await act(async () => view.client.auth.signOut({ scope: "local" }));
    await act(async () =>
      view.client.auth.signInWithPassword({ email: "ben@example.com", password: "secret" }),
    );
    online.mockReturnValue(true);
    fireEvent(window, new Event("online"));
    await act(async () => view.router.navigate("/chats/general"));
    await userEvent.type(await field(), "From Ben{Enter}");
    await waitFor(() => expect(sent).toContain("From Ben"));
    expect(sent).toEqual(["From Ben"]);
  });
});
