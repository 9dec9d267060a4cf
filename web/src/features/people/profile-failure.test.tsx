import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const rpc = (name: string) => `POST /rest/v1/rpc/${name}`;

it("says that a profile couldn't be loaded when the reader's level couldn't, and asks again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let down = true;
  renderApp("/members/22222222-2222-4222-8222-222222222222", {
    session: sessionOf(),
    rows: memberRows(),
    reply: ({ call }) => {
      if (call === rpc("effective_level")) return down ? { status: 500, body: {} } : { body: 1 };
      return call === rpc("member_profile") ? { body: null } : undefined;
    },
  });
  const failure = "We couldn't load this profile";
  expect(await screen.findByText(failure, {}, { timeout: 15_000 })).toBeVisible();
  down = false;
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(
    await screen.findByRole("heading", { level: 1, name: "This profile isn't available" }),
  ).toBeVisible();
});
