import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";
import { detailOf, graceId } from "./testing/console-members.tsx";

/** What waits, but for its author. */
const report = {
  report_id: 7,
  kind: "post",
  subject_id: "33333333-3333-4333-8333-333333333333",
  snapshot: { content: "Buy coins" },
  place: {},
  is_changed: false,
  reports: 1,
  reasons: ["Spam"],
  first_reported_at: "2026-11-20T11:00:00+00:00",
};

/** Opens the queue with one report about a member of this role. */
function open(role: string, detail: object = {}) {
  let isSuspended = false;
  const author = { id: graceId, name: "Grace Hopper", role, avatar_url: null };
  const { seen } = renderApp("/admindash/queues?queue=reports", {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/report_queue")) {
        return { body: [{ ...report, author: { ...author, is_suspended: isSuspended } }] };
      }
      if (call.endsWith("/rpc/member_detail")) return { body: detailOf(detail) };
      if (call.endsWith("/rpc/suspend_member")) {
        isSuspended = true;
        return { status: 204 };
      }
      if (!call.endsWith("/rpc/admin_queues")) return undefined;
      const oldest_at = "2026-11-20T11:00:00+00:00";
      return { body: [{ queue: "reports", waiting: 1, oldest_at, kinds: { post: 1 } }] };
    },
  });
  return { sent: (name: string) => seen.filter(({ call }) => call.endsWith(`/rpc/${name}`)) };
}

const findButton = async () => await screen.findByRole("button", { name: "Suspend the author" });

it("suspends the author beside the report, with a reason, and leaves the decision open", async () => {
  const { sent } = open("student");
  const button = await findButton();
  // Nothing of the account is read before it is asked for.
  expect(sent("member_detail")).toEqual([]);
  await userEvent.click(button);
  const form = within(await screen.findByRole("form", { name: "Suspend Grace Hopper" }));
  expect(button).toHaveAttribute("aria-expanded", "true");
  expect(form.getByText(/signed out everywhere at once/)).toBeVisible();
  expect(form.getByText(/renews on 1 April 2026 and is paid/)).toBeVisible();
  await userEvent.click(form.getByRole("button", { name: "Suspend member" }));
  expect(form.getByText("Say why. It is recorded with your name.")).toBeVisible();
  expect(sent("suspend_member")).toEqual([]);
  await userEvent.selectOptions(form.getByLabelText("How long"), "1");
  await userEvent.type(form.getByLabelText(/Reason/), "Threatens others");
  // The queue's Escape closes an open report, and may not take what is typed with it.
  await userEvent.tab();
  await userEvent.keyboard("{Escape}");
  expect(form.getByLabelText(/Reason/)).toHaveValue("Threatens others");
  await userEvent.click(form.getByRole("button", { name: "Suspend member" }));
  expect(await screen.findByText("Grace Hopper is suspended.")).toBeVisible();
  expect(sent("suspend_member").map(({ body }) => body)).toEqual([
    { member: graceId, reason: "Threatens others", days: 1 },
  ]);
  await waitFor(() => expect(button).toHaveFocus());
  expect(button).toHaveAttribute("aria-expanded", "false");
  expect(sent("resolve_report")).toEqual([]);
  expect(screen.getByRole("button", { name: "Keep" })).toBeVisible();
  expect(await screen.findByText("Suspended")).toBeVisible();
});

it("says of an author who is suspended already until when", async () => {
  open("mentor", { suspension: { until: "2026-12-24T10:00:00+00:00", reason: "Spam" } });
  await userEvent.click(await findButton());
  expect(await screen.findByText("Suspended until 24 December 2026")).toBeVisible();
  expect(screen.queryByRole("form", { name: /^Suspend/ })).toBeNull();
});

it("is not offered of an administrator", async () => {
  open("admin");
  expect(await screen.findByRole("link", { name: "Open the account" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Suspend the author" })).toBeNull();
});
