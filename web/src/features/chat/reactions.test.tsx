import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { message, timestamp } from "./testing/chat-rows.ts";
import { openChat, rowOf, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

const reactors = [
  { reaction: "like", user_id: "cy", first_name: "Cy", last_name: "Lee" },
  { reaction: "thanks", user_id: "ben", first_name: "Ben", last_name: "Hur" },
  { reaction: "thanks", user_id: "di", first_name: "Di", last_name: null },
];
const pinned = [2, 1].map((second) => ({
  message_id: message(second).id,
  user_id: "ben",
  author_first_name: "Ben",
  author_last_name: "Hur",
  content: `**message** ${second}`,
  created_at: timestamp(second),
  pinned_at: timestamp(second + 10),
}));

describe("reactions", () => {
  it("are given and taken back at once, and told to the server in order", async () => {
    const sent: string[] = [];
    openChat({
      messages: [message(1, { reaction_counts: { thanks: 2 }, my_reactions: [] })],
      reply: (call, body) => {
        if (!call.includes("/message_reactions")) return undefined;
        sent.push(`${call.split(" ")[0] ?? ""} ${JSON.stringify(body ?? null)}`);
        return { status: 201 };
      },
    });
    const row = await rowOf("message 1");
    const thanks = row.getByRole("button", { name: "Thank you: 2" });
    expect(thanks).toHaveAttribute("aria-pressed", "false");
    await userEvent.click(thanks);
    expect(row.getByRole("button", { name: "Thank you: 3" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await userEvent.click(row.getByRole("button", { name: "React" }));
    const funny = await screen.findByRole("menuitemcheckbox", { name: "Funny" });
    expect(screen.getByRole("menuitemcheckbox", { name: "Thank you" })).toBeChecked();
    await userEvent.click(funny);
    expect(await row.findByRole("button", { name: "Funny: 1" })).toBeVisible();
    await userEvent.click(row.getByRole("button", { name: "Funny: 1" }));
    await waitFor(() =>
      expect(row.queryByRole("button", { name: /Funny/ })).not.toBeInTheDocument(),
    );
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[0]).toContain('"reaction":"thanks"');
    expect(sent[1]).toContain('"reaction":"laugh"');
    expect(sent[2]).toMatch(/^DELETE/);
  });

  it("that fail to save are undone", async () => {
    openChat({
      messages: [message(1, { reaction_counts: { thanks: 1 }, my_reactions: ["thanks"] })],
      reply: (call) =>
        call.includes("/message_reactions")
          ? { status: 400, body: { code: "FF300", message: "Too fast." } }
          : undefined,
    });
    const row = await rowOf("message 1");
    await userEvent.click(row.getByRole("button", { name: "Thank you: 1" }));
    await waitFor(() =>
      expect(row.getByRole("button", { name: "Thank you: 1" })).toHaveAttribute(
        "aria-pressed",
        "true",
      ),
    );
  });

  it("of others arrive live, and unknown ones are left out", async () => {
    const view = openChat({ messages: [message(1, { my_reactions: [] })] });
    const row = await rowOf("message 1");
    await waitFor(() => expect(view.live.watchers("chat_messages")).toBe(1));
    const live = { ...message(1), reaction_counts: { laugh: 4, hack: 9 } };
    act(() => view.live.change("UPDATE", "chat_messages", { ...live, changed_at: timestamp(9) }));
    expect(await row.findByRole("button", { name: "Funny: 4" })).toHaveAttribute(
      "aria-pressed",
      "false",
    );
    expect(row.queryByText("9")).not.toBeInTheDocument();
  });

  it("say who gave them, on focus and in a window", async () => {
    openChat({
      messages: [message(1, { like_count: 1, reaction_counts: { thanks: 2 }, my_reactions: [] })],
      reply: (call) => (call.endsWith("/rpc/message_reactors") ? { body: reactors } : undefined),
    });
    const row = await rowOf("message 1");
    const thanks = row.getByRole("button", { name: "Thank you: 2" });
    act(() => thanks.focus());
    await waitFor(() => expect(screen.getByRole("tooltip")).toHaveTextContent("Ben Hur and Di"));
    fireEvent.contextMenu(thanks);
    const names = within(await screen.findByRole("dialog", { name: "Who reacted" }));
    expect(names.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
      "LikeCy Lee",
      "Thank youBen Hur",
      "Thank youDi",
    ]);
  });
});

describe("pinned messages", () => {
  it("stand above the conversation, the newest one first, and lead to their message", async () => {
    openChat({
      messages: [message(1), message(2)],
      reply: (call) => (call.endsWith("/rpc/room_pins") ? { body: pinned } : undefined),
    });
    const strip = within(await screen.findByRole("region", { name: "Pinned messages" }));
    expect(strip.getAllByRole("link").map((each) => each.textContent)).toEqual([
      "Ben Hurmessage 2",
    ]);
    await userEvent.click(strip.getByRole("button", { name: "Show all 2" }));
    await userEvent.click(strip.getByRole("link", { name: /message 1/ }));
    expect(window.location.hash).toBe(`#${message(1).id}`);
    const row = screen.getByText("message 1", { selector: "article *" }).closest("article");
    expect(row).toHaveAttribute("aria-current", "location");
    expect(row).toHaveTextContent("Pinned");
  });

  it("are set by administrators only, who learn that five are enough", async () => {
    const view = openChat({
      role: "admin",
      messages: [message(1)],
      reply: (call) =>
        call.endsWith("/rpc/pin_message")
          ? {
              status: 400,
              body: {
                code: "FF322",
                message: "A room has at most 5 pinned messages. Unpin one first.",
              },
            }
          : undefined,
    });
    const row = await rowOf("message 1");
    await userEvent.click(row.getByRole("button", { name: "More" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: /^Pin/ }));
    expect(await screen.findByText(/at most 5 pinned/)).toBeVisible();
    expect(view.calls().filter((call) => call.endsWith("/rpc/pin_message"))).toHaveLength(1);
  });

  it("are not offered to members", async () => {
    openChat({ messages: [message(1)] });
    const row = await rowOf("message 1");
    await userEvent.click(row.getByRole("button", { name: "More" }));
    expect(await screen.findByRole("menuitem", { name: "Copy link" })).toBeVisible();
    expect(screen.queryByRole("menuitem", { name: /^Pin/ })).not.toBeInTheDocument();
  });
});
