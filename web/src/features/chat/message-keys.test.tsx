import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { adaId } from "@/app/testing/test-app.tsx";
import { setLetterKeysWanted } from "@/domain/letter-keys.ts";
import { message } from "./testing/chat-rows.ts";
import { messageField, openChat, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

const others = message(1, { content: "Raise it." });
const own = message(2, { content: "I raised it.", user_id: adaId });

async function focusOn(text: string) {
  const row = (await screen.findByText(text)).closest("article");
  row?.focus();
  expect(row).toHaveFocus();
}

it("replies, likes and edits by letters on the message that has the focus", async () => {
  const liked: unknown[] = [];
  openChat({
    messages: [others, own],
    reply: (call, body) => {
      if (call !== "POST /rest/v1/message_likes") return undefined;
      liked.push(body);
      return { status: 201 };
    },
  });
  await focusOn("Raise it.");
  await userEvent.keyboard("e");
  expect(screen.queryByRole("textbox", { name: "Edit your message" })).not.toBeInTheDocument();
  await userEvent.keyboard("l");
  await waitFor(() => expect(liked).toMatchObject([{ message_id: others.id }]));
  await userEvent.keyboard("r");
  const field = await messageField();
  expect(field).toHaveFocus();
  // The letter was a key, and no text.
  expect(field).toHaveValue("");
  expect(screen.getByRole("button", { name: "Cancel" })).toBeVisible();
  await focusOn("I raised it.");
  await userEvent.keyboard("e");
  expect(await screen.findByRole("textbox", { name: "Edit your message" })).toHaveValue(
    "I raised it.",
  );
});

it("writes any other letter on a message into the field, and Escape leads there", async () => {
  openChat({ messages: [others, own] });
  const field = await messageField();
  await focusOn("Raise it.");
  await userEvent.keyboard("Yes, e");
  expect(field).toHaveValue("Yes, e");
  expect(field).toHaveFocus();
  await focusOn("I raised it.");
  await userEvent.keyboard("{Escape}");
  expect(field).toHaveFocus();
});

it("does nothing by letters where they are turned off", async () => {
  openChat({ messages: [others] });
  await focusOn("Raise it.");
  setLetterKeysWanted(false);
  try {
    await userEvent.keyboard("r");
  } finally {
    setLetterKeysWanted(true);
  }
  expect(screen.queryByRole("button", { name: "Cancel" })).not.toBeInTheDocument();
});
