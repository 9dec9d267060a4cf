import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { message } from "./testing/chat-rows.ts";
import { openChat, rowOf, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

const long = `Where it begins. ${"It goes on and on. ".repeat(60)}[Where it ends](https://example.org/)`;
const more = { name: "Show more", expanded: false };
const less = { name: "Show less", expanded: true };

it("folds a long message until it is asked for, and takes its hidden links out of the keyboard's way", async () => {
  openChat({ messages: [message(1), message(2, { content: long })] });
  expect((await rowOf("message 1")).queryByRole("button", more)).not.toBeInTheDocument();
  const row = screen.getByText(/^Where it begins/).closest("article") as HTMLElement;
  const link = within(row).getByRole("link", { name: /Where it ends/ });
  // The newest message is the one that Tab goes into.
  expect(link).toHaveAttribute("tabindex", "-1");
  await userEvent.click(within(row).getByRole("button", more));
  expect(link).not.toHaveAttribute("tabindex", "-1");
  await userEvent.click(within(row).getByRole("button", less));
  expect(within(row).getByRole("button", more)).toHaveFocus();
});

it("folds many lines, and shows all of a message that was linked to", async () => {
  const lines = Array.from({ length: 15 }, (_, at) => `Line ${at + 1}`).join("\n");
  const rows = [
    message(1, { content: lines }),
    message(2, { content: "Line 1\n".repeat(14).trim() }),
  ];
  openChat({ messages: rows, path: `/chats/general#${message(1).id}` });
  await screen.findByRole("button", less);
  expect(screen.queryByRole("button", more)).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", less));
  expect(screen.getByRole("button", more)).toBeVisible();
});
