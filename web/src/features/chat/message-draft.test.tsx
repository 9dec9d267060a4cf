import { act, cleanup, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import {
  messageField as field,
  openChat as open,
  setUpChatScreen,
  type Situation,
} from "./testing/chat-screen.tsx";

setUpChatScreen();

const tomId = "22222222-2222-4222-8222-222222222222";

/** The page as it comes back after a reload. */
async function reload(situation: Situation = {}) {
  cleanup();
  const view = open(situation);
  await field();
  return view;
}

it("a half-written message is there after a reload, in its room", async () => {
  open({});
  await userEvent.type(await field(), "Half a thought,{Shift>}{Enter}{/Shift}in two lines");
  await reload();
  expect(await field()).toHaveValue("Half a thought,\nin two lines");
  expect(Object.keys(sessionStorage).filter((key) => key.includes("draft"))).toHaveLength(1);
});

it("is gone once it was sent, or taken out again", async () => {
  open({});
  await userEvent.type(await field(), "A whole thought{Enter}");
  await waitFor(async () => expect(await field()).toHaveValue(""));
  await reload();
  expect(await field()).toHaveValue("");
  await userEvent.type(await field(), "A word");
  await userEvent.clear(await field());
  expect(Object.keys(sessionStorage).filter((key) => key.includes("draft"))).toEqual([]);
});

it("comes back with the message that could not be sent", async () => {
  open({ insert: () => ({ status: 403, body: { code: "42501", message: "no" } }) });
  await userEvent.type(await field(), "Not for this room{Enter}");
  await waitFor(async () => expect(await field()).toHaveValue("Not for this room"));
  await reload();
  expect(await field()).toHaveValue("Not for this room");
});

it("still tells the members who were picked in it", async () => {
  const situation: Situation = {
    reply: (call) =>
      call.endsWith("/rpc/mentionable_members")
        ? { body: [{ user_id: tomId, name: "Tom Ashworth", avatar_url: null }] }
        : undefined,
  };
  open(situation);
  await userEvent.type(await field(), "@to");
  await screen.findByRole("option", { name: /Tom Ashworth/ });
  await userEvent.keyboard("{Enter}");
  const { seen } = await reload(situation);
  expect(await field()).toHaveValue("@Tom Ashworth ");
  await userEvent.type(await field(), "look{Enter}");
  const told = () => seen.filter(({ body }) => JSON.stringify(body).includes(tomId));
  await waitFor(() => expect(told()).toHaveLength(1));
});

it("is forgotten when its author signs out", async () => {
  const { client } = open({});
  await userEvent.type(await field(), "Between us");
  await act(() => client.auth.signOut({ scope: "local" }));
  await screen.findByRole("heading", { level: 1, name: "Welcome" });
  expect(Object.values<string>(sessionStorage).join()).not.toContain("Between us");
  await reload();
  expect(await field()).toHaveValue("");
});

it("is kept while one looks at another room where the browser stores nothing", async () => {
  const { router } = open({});
  await field();
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
  await userEvent.type(await field(), "Half a thought");
  await act(() => router.navigate("/chats"));
  await screen.findByRole("region", { name: /^Level 1/ });
  await act(() => router.navigate("/chats/general"));
  expect(await field()).toHaveValue("Half a thought");
  await userEvent.clear(await field());
});
