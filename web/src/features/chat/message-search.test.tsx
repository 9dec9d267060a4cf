import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { message, timestamp } from "./testing/chat-rows.ts";
import { messageField, openChat, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

function hit(second: number, differs: object = {}) {
  return {
    message_id: message(second).id,
    chat_room_id: "general",
    room_name: "General",
    user_id: "ben",
    author_first_name: "Ben",
    author_last_name: "Hur",
    author_avatar_url: null,
    excerpt: `a **\u0002late\u0003** <b>invoice</b> ${second}`,
    created_at: timestamp(second),
    ...differs,
  };
}

/** A server that finds `pages`, and what it was asked. */
function searching(pages: readonly (readonly object[])[]) {
  const asked: Record<string, unknown>[] = [];
  const reply = (call: string, body: unknown) => {
    if (!call.endsWith("/rpc/search_messages")) return undefined;
    asked.push(body as Record<string, unknown>);
    return { body: pages[asked.length - 1] ?? [] };
  };
  return { asked, reply };
}

it("opens with / and shows who, when and the words found, and leads to the message", async () => {
  const server = searching([[hit(1)]]);
  openChat({ messages: [message(1), message(2)], reply: server.reply });
  await screen.findByText("message 2");
  // In the message field it is a character like any other.
  await userEvent.type(await messageField(), "/");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard("/");
  const sheet = within(await screen.findByRole("dialog", { name: "Search messages" }));
  await userEvent.type(sheet.getByRole("searchbox"), "late");
  const result = await sheet.findByRole("link", { name: /Ben Hur/ });
  expect(result).toHaveTextContent("a late <b>invoice</b> 1");
  expect(within(result).getByText("late").tagName).toBe("MARK");
  expect(server.asked).toEqual([{ query: "late", room_id: "general", page_size: 20 }]);
  await userEvent.click(result);
  expect(window.location.hash).toBe(`#${message(1).id}`);
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
});

it("searches all rooms on request, a page at a time", async () => {
  const first = Array.from({ length: 20 }, (_, index) => hit(50 - index));
  const last = hit(9, { chat_room_id: "success", room_name: "Success" });
  const server = searching([[], first, [last]]);
  openChat({ messages: [message(1)], reply: server.reply });
  await userEvent.click(await screen.findByRole("button", { name: "Search messages" }));
  const sheet = within(await screen.findByRole("dialog"));
  await userEvent.type(sheet.getByRole("searchbox"), "late");
  expect(await sheet.findByText(/^No messages found/)).toBeVisible();
  await userEvent.click(sheet.getByRole("radio", { name: "In all your rooms" }));
  await userEvent.click(await sheet.findByRole("button", { name: "Show earlier messages" }));
  const end = await sheet.findByRole("link", { name: /Success/ });
  expect(end).toHaveAttribute("href", `/chats/success#${message(9).id}`);
  expect(sheet.queryByRole("button", { name: "Show earlier messages" })).not.toBeInTheDocument();
  expect(server.asked.slice(1)).toEqual([
    { query: "late", page_size: 20 },
    {
      query: "late",
      before_created_at: timestamp(31),
      before_id: message(31).id,
      page_size: 20,
    },
  ]);
});

it("says what to do when the search fails", async () => {
  openChat({
    path: "/chats",
    reply: (call) =>
      call.endsWith("/rpc/search_messages")
        ? { status: 400, body: { code: "FF300", message: "You are going too fast.", details: "7" } }
        : undefined,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Search messages" }));
  const sheet = within(await screen.findByRole("dialog"));
  expect(sheet.queryByRole("radio")).not.toBeInTheDocument();
  await userEvent.type(sheet.getByRole("searchbox"), "late");
  expect(await sheet.findByText("We couldn't search the messages")).toBeVisible();
  expect(sheet.getByRole("button", { name: "Try again" })).toBeVisible();
});

it("searches for as many emoji as letters, and cuts none in two", async () => {
  const server = searching([[]]);
  openChat({ messages: [message(1)], reply: server.reply });
  await userEvent.click(await screen.findByRole("button", { name: "Search messages" }));
  const field = within(await screen.findByRole("dialog")).getByRole("searchbox");
  expect(field).not.toHaveAttribute("maxlength");
  await userEvent.click(field);
  await userEvent.paste(`x${"😀".repeat(150)}`);
  expect(field).toHaveValue(`x${"😀".repeat(99)}`);
  await waitFor(() =>
    expect(server.asked.at(-1)).toMatchObject({ query: `x${"😀".repeat(99)}`, room_id: "general" }),
  );
});
