import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { adaId } from "@/app/testing/test-app.tsx";
import { message } from "./testing/chat-rows.ts";
import { setLetterKeysWanted } from "@/domain/letter-keys.ts";
import { messageField, openChat, rowOf, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

it.each([
  ["Escape", () => userEvent.keyboard("{Escape}")],
  ["Enter", () => userEvent.keyboard("{Enter}")],
  [
    "Cancel",
    async () => await userEvent.click(await screen.findByRole("button", { name: "Cancel" })),
  ],
])("goes back to the message when an edit ends with %s", async (_, end) => {
  openChat({ messages: [message(1, { user_id: adaId, author_first_name: "Ada" }), message(2)] });
  const row = await rowOf("message 1");
  await userEvent.click(row.getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const field = await screen.findByRole("textbox", { name: "Edit your message" });
  await waitFor(() => expect(field).toHaveFocus());
  await end();
  await waitFor(() => expect(field).not.toBeInTheDocument());
  await waitFor(() => expect(document.activeElement?.tagName).toBe("ARTICLE"));
  expect(within(document.activeElement as HTMLElement).getByText("message 1")).toBeVisible();
});

it("keeps what is edited, and whom it answers, when Escape takes back a word that is composed", async () => {
  openChat({ messages: [message(1, { user_id: adaId, author_first_name: "Ada" }), message(2)] });
  const composed = { key: "Escape", keyCode: 229 };
  await userEvent.click((await rowOf("message 1")).getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Edit" }));
  const field = await screen.findByRole("textbox", { name: "Edit your message" });
  fireEvent.keyDown(field, composed);
  expect(field).toBeInTheDocument();
  fireEvent.keyDown(field, { key: "Escape", keyCode: 27 });
  await waitFor(() => expect(field).not.toBeInTheDocument());
  await userEvent.click((await rowOf("message 2")).getByRole("button", { name: "Reply" }));
  const answer = await screen.findByText("Replying to");
  const box = await messageField();
  fireEvent.keyDown(box, composed);
  expect(answer).toBeInTheDocument();
  fireEvent.keyDown(box, { key: "Escape", keyCode: 27 });
  await waitFor(() => expect(answer).not.toBeInTheDocument());
});

it("moves by arrows from the empty field to the messages and back", async () => {
  openChat({ messages: [message(1, { user_id: adaId, author_first_name: "Ada" }), message(2)] });
  await rowOf("message 2");
  const box = await messageField();
  const focused = () => within(document.activeElement as HTMLElement);
  await userEvent.type(box, "a{ArrowUp}");
  expect(box).toHaveFocus();
  await userEvent.keyboard("{Backspace}{ArrowUp}");
  expect(focused().getByText("message 2")).toBeVisible();
  await userEvent.keyboard("{ArrowUp}");
  await waitFor(() => expect(focused().getByText("message 1")).toBeVisible());
  await userEvent.keyboard("{ArrowDown}");
  await waitFor(() => expect(focused().getByText("message 2")).toBeVisible());
  await userEvent.keyboard("{ArrowDown}");
  expect(box).toHaveFocus();
  // Back from an older message the newest comes first again.
  await userEvent.keyboard("{ArrowUp}{ArrowUp}");
  await waitFor(() => expect(focused().getByText("message 1")).toBeVisible());
  box.focus();
  await userEvent.keyboard("{ArrowUp}");
  expect(focused().getByText("message 2")).toBeVisible();
  await userEvent.keyboard("{ArrowUp}");
  await waitFor(() => expect(focused().getByText("message 1")).toBeVisible());
});

it("takes what is typed while nothing has the focus into the field, but no key of the page and nothing below a window", async () => {
  openChat({ messages: [message(1)] });
  const box = await messageField();
  await rowOf("message 1");
  const main = document.querySelector<HTMLElement>("main");
  main?.focus();
  await userEvent.keyboard("{Control>}b{/Control} ");
  expect(box).not.toHaveFocus();
  await userEvent.keyboard("Ünder way");
  expect(box).toHaveValue("Ünder way");
  main?.focus();
  await userEvent.keyboard("/");
  await screen.findByRole("dialog", { name: "Search messages" });
  fireEvent.keyDown(document.body, { key: "a" });
  expect(box).not.toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  main?.focus();
  setLetterKeysWanted(false);
  try {
    await userEvent.keyboard("a");
    expect(box).not.toHaveFocus();
  } finally {
    setLetterKeysWanted(true);
  }
  expect(box).toHaveValue("Ünder way");
});
