import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import { afterThisTest } from "@/app/testing/leftovers.ts";
import { setLetterKeysWanted } from "@/domain/letter-keys.ts";
import { keepTypedAhead } from "@/lib/typed-ahead.ts";
import { overview } from "./testing/chat-rows.ts";
import { messageField, openChat, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();
beforeEach(() => afterThisTest(keepTypedAhead(window)));

/** Opens a room that stays without its data until `arrive` is called. */
async function openLoadingRoom(path = "/chats/general") {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  openChat({
    path,
    reply: (call) =>
      call === "GET /rest/v1/chat_rooms"
        ? arrived.then(() => ({ body: [overview[0]] }))
        : undefined,
  });
  if (path === "/chats/general") await screen.findByText("Loading the room");
  return arrive;
}

it("hands what is typed while a room is loading to its field, which has the focus then", async () => {
  const arrive = await openLoadingRoom();
  await userEvent.keyboard("Thref{Backspace}e calls,{Enter} is it?");
  expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
  arrive();
  const field = await messageField();
  expect(field).toHaveValue("Three calls, is it?");
  expect(field).toHaveFocus();
  await userEvent.keyboard(" Yes");
  expect(field).toHaveValue("Three calls, is it? Yes");
});

it("leaves keys of the page what they are while a room is loading", async () => {
  const arrive = await openLoadingRoom();
  setLetterKeysWanted(false);
  try {
    await userEvent.keyboard("a");
  } finally {
    setLetterKeysWanted(true);
  }
  await userEvent.keyboard(" {Control>}b{/Control}");
  // A key that the page has used, and one of a window above it.
  const used = (event: Event) => event.preventDefault();
  document.addEventListener("keydown", used);
  await userEvent.keyboard("j");
  document.removeEventListener("keydown", used);
  await userEvent.keyboard("?");
  await screen.findByRole("dialog");
  fireEvent.keyDown(document.body, { key: "a" });
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  arrive();
  const field = await messageField();
  expect(field).toHaveValue("");
  expect(field).not.toHaveFocus();
});

it("keeps what is typed from the choice of a room on, and goes on after its draft", async () => {
  const arrive = await openLoadingRoom();
  await userEvent.keyboard("Keep");
  arrive();
  await screen.findByDisplayValue("Keep");
  cleanup();
  const open = await openLoadingRoom("/chats");
  const link = await screen.findByRole("link", { name: /^General/ });
  link.focus();
  await userEvent.keyboard("{Enter}ing on");
  open();
  await waitFor(async () => expect(await messageField()).toHaveValue("Keeping on"));
  expect(await messageField()).toHaveFocus();
});

it("keeps a letter that comes before anything of the choice is drawn", async () => {
  const arrive = await openLoadingRoom("/chats");
  const link = await screen.findByRole("link", { name: /^General/ });
  // Whatever both lead to is drawn at the end.
  act(() => {
    fireEvent.click(link);
    fireEvent.keyDown(link, { key: "h" });
  });
  await userEvent.keyboard("ello");
  arrive();
  await waitFor(async () => expect(await messageField()).toHaveValue("hello"));
});

it("takes nothing from the list, nor from a page that has its field", async () => {
  openChat({ path: "/chats" });
  const link = await screen.findByRole("link", { name: /^General/ });
  await userEvent.keyboard("lost");
  await userEvent.click(link);
  expect(await messageField()).toHaveValue("");
});
