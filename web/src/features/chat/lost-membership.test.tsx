import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { adaId, nothingTold } from "@/app/testing/test-app.tsx";
import { messageField, openChat, setUpChatScreen } from "./testing/chat-screen.tsx";

setUpChatScreen();

/** A member in a room, whose membership the bell tells the end of once `end` is called. */
function inARoom(line: object, subscription: object) {
  let isOver = false;
  const view = openChat({
    reply: (call) => {
      if (!isOver) return undefined;
      if (call === "GET /rest/v1/stripe_subscriptions") {
        return { body: [{ customer_id: "cus_1", subscription_id: "sub_1", ...subscription }] };
      }
      if (call.endsWith("/rpc/effective_level")) return { body: 0 };
      if (call.endsWith("/rpc/my_notifications")) {
        const told = { id: 9, created_at: "2026-11-20T10:00:00+00:00", unread: true, others: 0 };
        const item = { ...told, detail: null, actor: null, ...line };
        return { body: { ...nothingTold, unread: 1, items: [item] } };
      }
      return undefined;
    },
  });
  const end = () => {
    isOver = true;
    view.live.change("INSERT", "notifications", { id: 9, user_id: adaId });
  };
  return { view, end };
}

it.each([
  [
    { kind: "membership_ended", why: "refunded" },
    { status: "canceled", hold: "refunded" },
    /^Your last payment was refunded, so your membership has ended/,
  ],
  [{ kind: "membership_ended" }, { status: "canceled" }, /^Your membership has ended/],
  [{ kind: "payment_failed" }, { status: "past_due" }, /^Your last payment failed/],
])("an open room says what became of the membership: %o", async (line, row, text) => {
  const { view, end } = inARoom(line, row);
  expect(await messageField()).toBeVisible();
  await waitFor(() => expect(view.live.watchers("notifications")).toBe(1));
  end();
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByRole("link", { name: "See your membership" })).toHaveAttribute(
    "href",
    "/subscriptions",
  );
  // Once: not that the room is locked as well.
  expect(screen.getAllByRole("alert")).toHaveLength(1);
  expect(screen.queryByText("General is locked")).not.toBeInTheDocument();
  expect(screen.queryByRole("textbox", { name: "Message in General" })).not.toBeInTheDocument();
});
