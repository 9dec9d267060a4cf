import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { message } from "./testing/chat-rows.ts";
import { messageField, openChat, rowOf, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

const focusedRow = () => within(document.activeElement as HTMLElement);

it("leads from the empty field to the newest message, again and again", async () => {
  openChat({ messages: [message(1), message(2)] });
  await rowOf("message 2");
  const field = await messageField();
  for (const keys of ["{ArrowUp}", "{ArrowUp}{ArrowUp}"]) {
    await userEvent.click(field);
    await userEvent.keyboard(keys);
    await waitFor(() => expect(document.activeElement?.tagName).toBe("ARTICLE"));
    await waitFor(() =>
      expect(
        focusedRow().getByText(keys === "{ArrowUp}" ? "message 2" : "message 1"),
      ).toBeVisible(),
    );
  }
  await userEvent.click(field);
  await userEvent.keyboard("{ArrowUp}");
  await waitFor(() => expect(focusedRow().getByText("message 2")).toBeVisible());
});

it("stays in a field with text, and in a room without messages", async () => {
  openChat({ messages: [] });
  const field = await messageField();
  await screen.findByText("No messages in General yet.");
  await userEvent.click(field);
  await userEvent.keyboard("{ArrowUp}");
  expect(field).toHaveFocus();
  await userEvent.keyboard("Half a thought{ArrowUp}");
  expect(field).toHaveFocus();
});
