import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  blueKey,
  keyChallenge,
  removeStandIn,
  sessionWith,
  standInForKeys,
  turnedBack,
} from "@/app/testing/security-key.ts";
import { bodyOf, graceId, openMembers } from "./testing/console-members.tsx";

let keys: ReturnType<typeof standInForKeys>;
beforeEach(() => {
  keys = standInForKeys();
});
afterEach(() => removeStandIn());

it("the administrator role is given after the security key of who has no app, and not without it", async () => {
  keys.ask.mockRejectedValueOnce(turnedBack());
  const factor = `POST /auth/v1/factors/${blueKey.id}`;
  const session = sessionWith([blueKey], true);
  const view = openMembers(
    `/admindash/members?member=${graceId}`,
    {
      set_member_admin: () => ({ status: 204 }),
      [`${factor}/challenge`]: () => keyChallenge("request"),
      [`${factor}/verify`]: () => ({ body: session }),
    },
    session,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Make administrator" }));
  const form = within(screen.getByRole("form", { name: "Make Grace Hopper an administrator" }));
  const confirm = { name: "Make administrator" };
  expect(await form.findByText(/Have “Blue key” ready/)).toBeVisible();
  await userEvent.type(form.getByLabelText(/Reason/), "Joins the team");
  await userEvent.click(form.getByRole("button", confirm));
  expect(await form.findByText(/No security key was used/)).toBeVisible();
  expect(bodyOf(view, "set_member_admin")).toBeUndefined();
  await userEvent.click(form.getByRole("button", confirm));
  expect(await screen.findByText("Grace Hopper is an administrator.")).toBeVisible();
  expect(view.calls()).toContain(`${factor}/verify`);
});
