import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
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
