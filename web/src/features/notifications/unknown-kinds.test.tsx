import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { memberRows, nothingTold, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const line = (differs: object) => ({
  id: 1,
  kind: "message_like",
  created_at: "2026-11-20T10:00:00+00:00",
  unread: true,
  detail: null,
  actor: "Tom",
  others: 0,
  chat_room_id: "general",
  room: "General",
  ...differs,
});

it("shows a plain line for a kind that a later release added, beside the others", async () => {
  // What the popover needs and this document does not have.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const items = [line({ kind: "kind_of_next_year" }), line({ id: 2 })];
  renderApp("/account", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) =>
      call === "POST /rest/v1/rpc/my_notifications"
        ? { body: { ...nothingTold, unread: 2, items } }
        : undefined,
  });
  await userEvent.click(await screen.findByRole("button", { name: "Notifications, 2 unread" }));
  const bell = await screen.findByRole("dialog", { name: "Notifications" });
  expect(within(bell).getByText(/^You have a new notification/)).toBeVisible();
  expect(within(bell).getByText(/liked your message in General/)).toBeVisible();
});
