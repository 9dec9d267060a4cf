import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { adaId } from "@/app/testing/test-app.tsx";
import { message } from "./testing/chat-rows.ts";
import { openChat, rowOf, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

/** A room with Ada's message and another's, and what was asked to be deleted in it. */
function room(role: string) {
  const { seen } = openChat({
    role,
    messages: [message(1, { user_id: adaId, author_first_name: "Ada" }), message(2)],
    reply: (call) => (call.endsWith("/rpc/delete_message") ? { status: 204 } : undefined),
  });
  return () =>
    seen.filter(({ call }) => call.endsWith("/rpc/delete_message")).map(({ body }) => body);
}

/** Asks to delete a message. Returns the question. */
async function askToDelete(text: string) {
  await userEvent.click((await rowOf(text)).getByRole("button", { name: "More" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Delete" }));
  return within(await screen.findByRole("alertdialog", { name: "Delete this message?" }));
}

it("asks an administrator why another's message goes, and tells nobody before there is a reason", async () => {
  const deleted = room("admin");
  const question = await askToDelete("message 2");
  const reasons = question.getByRole("combobox", { name: "Common reasons" });
  await waitFor(() => expect(reasons).toHaveFocus());
  await userEvent.click(question.getByRole("button", { name: "Delete message" }));
  const why = question.getByRole("textbox", { name: "Why" });
  expect(why).toHaveAccessibleDescription(/Tell the author why/);
  expect(why).toHaveAccessibleDescription(/not who deleted it/);
  expect(reasons).toHaveFocus();
  expect(deleted()).toEqual([]);
  await userEvent.type(why, " It names a client. ");
  await userEvent.click(question.getByRole("button", { name: "Delete message" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(deleted()).toEqual([{ message_id: message(2).id, explanation: "It names a client." }]);
  // The next one begins without a reason.
  const next = await askToDelete("message 2");
  expect(next.getByRole("textbox", { name: "Why" })).toHaveValue("");
});

it.each(["student", "admin"])("asks no %s for a reason to delete their own", async (role) => {
  const deleted = room(role);
  const question = await askToDelete("message 1");
  expect(question.queryByRole("textbox")).toBeNull();
  await userEvent.click(question.getByRole("button", { name: "Delete message" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(deleted()).toEqual([{ message_id: message(1).id }]);
});
