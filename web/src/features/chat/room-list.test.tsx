import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { overview } from "./testing/chat-rows.ts";

it("does not ask to renew when the level could not be read", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { calls } = renderApp("/chats", {
    session: sessionOf(),
    rows: memberRows({ level: 2 }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/chat_room_overview")) return { body: overview };
      return call.endsWith("/rpc/effective_level") ? { status: 500, body: {} } : undefined;
    },
  });
  expect(await screen.findByText("We couldn't load your level")).toBeVisible();
  expect(screen.queryByText(/[Rr]enew/)).not.toBeInTheDocument();
  const reads = () => calls().filter((call) => call.endsWith("/rpc/effective_level")).length;
  const before = reads();
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(reads()).toBeGreaterThan(before));
});

it("says once why a room is closed, not again after a reload or on the way back", async () => {
  const view = renderApp("/chats", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) =>
      call.endsWith("/rpc/chat_room_overview") ? { body: overview } : undefined,
  });
  const closedRoom = { kind: "level", name: "Legacy", minLevel: 4 };
  await act(() => view.router.navigate("/chats", { state: { closedRoom } }));
  await act(() => view.router.navigate("/progress"));
  await act(() => view.router.navigate("/chats", { state: { closedRoom } }));
  expect(await screen.findByText("Legacy is locked")).toBeVisible();
  await waitFor(() => expect(view.router.state.location.state).toBeNull());
  expect(screen.getByText("Legacy is locked")).toBeVisible();
  await act(() => view.router.navigate("/progress"));
  await act(() => view.router.navigate(-1));
  expect(await screen.findByRole("heading", { name: "Chat rooms" })).toBeVisible();
  expect(screen.queryByText("Legacy is locked")).not.toBeInTheDocument();
});

it("offers an account that never paid a plan, not onboarding", async () => {
  const rows = { ...memberRows(), stripe_subscriptions: null };
  const profiles = { id: adaId, role: "student", onboarding_complete: false };
  renderApp("/chats", {
    session: sessionOf(),
    rows: { ...rows, profiles },
    reply: ({ call }) => {
      if (call.endsWith("/rpc/effective_level")) return { body: 0 };
      return call.endsWith("/rpc/chat_room_overview") ? { body: overview } : undefined;
    },
  });
  expect(await screen.findByText("You don't have a membership yet")).toBeVisible();
  expect(screen.getByRole("link", { name: "Choose a plan" })).toHaveAttribute("href", "/paywall");
  expect(screen.queryByText("Finish onboarding")).not.toBeInTheDocument();
});

it("says how many are in a room, and nothing of a room that is empty", async () => {
  const rooms = overview.map((room) =>
    room.id === "success" ? { ...room, participant_count: 0 } : room,
  );
  renderApp("/chats", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => (call.endsWith("/rpc/chat_room_overview") ? { body: rooms } : undefined),
  });
  expect(await screen.findByRole("link", { name: /^General/ })).toHaveTextContent("2 here now");
  const empty = screen.getByRole("link", { name: /^Success/ });
  expect(empty).toHaveTextContent("No messages yet");
  expect(empty).not.toHaveTextContent(/here now|0/);
});

it("folds rooms nobody has used away, with a way to start them, once others are in use", async () => {
  const quiet = { participant_count: 0, last_message_at: null };
  const busy = { last_message_at: "2026-11-20T10:00:00+00:00" };
  const rooms = [
    {
      ...overview[0],
      ...busy,
      faces: [
        { id: "ben", name: "Ben Hur", avatar_url: null },
        { id: "cy", name: "", avatar_url: null },
      ],
    },
    { ...overview[1], ...quiet },
    { ...overview[2], ...quiet },
    { ...overview[3], ...quiet },
  ];
  renderApp("/chats", {
    session: sessionOf(),
    rows: memberRows({ level: 2 }),
    reply: ({ call }) => (call.endsWith("/rpc/chat_room_overview") ? { body: rooms } : undefined),
  });
  expect(await screen.findByRole("link", { name: /^General/ })).toHaveTextContent(/BH.*2 here now/);
  expect(screen.queryByRole("link", { name: /^Success/ })).not.toBeInTheDocument();
  // The only room of its level is not folded, and a locked one neither.
  expect(screen.getByRole("link", { name: /^Reading Circle/ })).toBeVisible();
  expect(screen.getByText("Investing")).toBeVisible();
  const fold = screen.getByRole("button", { name: /^1 quiet room/ });
  expect(fold).toHaveAttribute("aria-expanded", "false");
  await userEvent.click(fold);
  const start = screen.getByRole("link", { name: /^Success.*Start the conversation$/ });
  expect(start).toHaveAttribute("href", "/chats/success");
});

it("shows who wrote last in a room and what, and the faces of the last when nobody is there", async () => {
  const said = {
    participant_count: 0,
    last_message_at: "2026-11-20T10:00:00+00:00",
    last_message: "See you *on Friday*",
    last_author: "Ben",
    last_author_id: "ben",
    faces: [{ id: "ben", name: "Ben Hur", avatar_url: null }],
  };
  const rooms = [
    { ...overview[0], ...said },
    { ...overview[1], ...said, last_author: "Ada", last_author_id: adaId, last_message: "Done" },
    { ...overview[2], ...said, last_message: "" },
  ];
  renderApp("/chats", {
    session: sessionOf(),
    rows: memberRows({ level: 2 }),
    reply: ({ call }) => (call.endsWith("/rpc/chat_room_overview") ? { body: rooms } : undefined),
  });
  const general = await screen.findByRole("link", { name: /^General About General/ });
  expect(general).toHaveTextContent("Ben: See you on Friday");
  expect(general).toHaveTextContent("BH");
  expect(general).not.toHaveTextContent("here now");
  expect(screen.getByRole("link", { name: /^Success/ })).toHaveTextContent("You: Done");
  expect(screen.getByRole("link", { name: /^Reading Circle/ })).toHaveTextContent(
    "This message was deleted.",
  );
});
