import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

it("leads on to the next member after one was unblocked, and to the text after the last", async () => {
  let rows = ["Tom", "Eve", "Ben"].map((name, at) => ({
    member_id: `2222222${at}-2222-4222-8222-222222222222`,
    name,
    avatar_url: null,
    created_at: "2026",
  }));
  renderApp("/account#blocked", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call, body }) => {
      if (call.endsWith("/rpc/my_blocks")) return { body: rows };
      if (!call.endsWith("/rpc/unblock_member")) return undefined;
      const gone = JSON.stringify(body);
      rows = rows.filter(({ member_id: id }) => !gone.includes(id));
      return { status: 204 };
    },
  });
  for (const [name, next] of [
    ["Eve", "Ben"],
    ["Ben", "Tom"],
  ]) {
    await userEvent.click(await screen.findByRole("button", { name: `Unblock ${name}` }));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: `Unblock ${next}` })).toHaveFocus(),
    );
  }
  await userEvent.click(await screen.findByRole("button", { name: "Unblock Tom" }));
  await waitFor(() => expect(screen.getByText(/^You haven't blocked anyone/)).toHaveFocus());
});
