import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { sessionOf } from "@/app/testing/test-app.tsx";
import { bodyOf, detailOf, grace, graceId, openMembers } from "./testing/console-members.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("the members of the console", () => {
  it("are searched and filtered by the address", async () => {
    const view = openMembers("/admindash/members?membership=past_due&level=2&sort=name");
    expect(await screen.findByRole("button", { name: /^Grace Hopper/ })).toBeVisible();
    expect(screen.getByRole("button", { name: "new@example.com" })).toBeVisible();
    expect(bodyOf(view, "member_page")).toEqual({
      membership: "past_due",
      level: 2,
      sort: "name",
      page_size: 50,
    });
    await userEvent.type(screen.getByLabelText("Search"), "hop");
    await waitFor(() => expect(bodyOf(view, "member_page")).toMatchObject({ search: "hop" }));
    expect(window.location.search).toContain("search=hop");
    await userEvent.click(screen.getByRole("button", { name: "Joined" }));
    await waitFor(() => expect(window.location.search).not.toContain("sort=name"));
  });

  it("say when none match, and clear the filters", async () => {
    openMembers("/admindash/members?search=nobody", {
      member_page: (body) => ({ body: (body as { search?: string }).search ? [] : [grace] }),
    });
    expect(await screen.findByText("No members match")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByRole("button", { name: /^Grace Hopper/ })).toBeVisible();
    expect(window.location.search).toBe("");
  });

  it("need a second factor, and say how to set it up", async () => {
    openMembers("/admindash/members", {
      member_page: () => ({ status: 400, body: { code: "FF005", message: "second factor" } }),
    });
    expect(await screen.findByText("This page needs a second factor")).toBeVisible();
    expect(screen.getByRole("link", { name: "Set up second factor" })).toHaveAttribute(
      "href",
      "/account?then=%2Fadmindash%2Fmembers#second-factor",
    );
  });
});

describe("a member's panel", () => {
  it("opens from the list and shows everything about the member", async () => {
    openMembers("/admindash/members");
    await userEvent.click(await screen.findByRole("button", { name: /^Grace Hopper/ }));
    const panel = within(await screen.findByRole("dialog", { name: /^Grace Hopper/ }));
    expect(await panel.findByText("Student Access")).toBeVisible();
    expect(panel.getByText("£150")).toBeVisible();
    expect(panel.getByText("5 of 5")).toBeVisible();
    expect(panel.getByText("Driving licence")).toBeVisible();
    // What one comes for is at the top: to write, the money, and a refund; what one rarely does stands last.
    expect(panel.getByRole("link", { name: "Message" })).toHaveAttribute(
      "href",
      `/messages/${graceId}`,
    );
    expect(panel.getByRole("link", { name: "Refund a payment" })).toHaveAttribute(
      "href",
      `/admindash/money?search=grace%40example.com&refund=${graceId}`,
    );
    const headings = panel.getAllByRole("heading", { level: 3 }).map((each) => each.textContent);
    expect([headings[0], headings.at(-1)]).toEqual(["Membership", "Act on this account"]);
    const acts = within(panel.getByRole("region", { name: "Act on this account" }));
    expect(acts.getByRole("button", { name: "Suspend" })).toBeVisible();
    expect(window.location.search).toBe(`?member=${graceId}`);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(window.location.search).toBe("");
  });

  it("says why an act was refused, and reads the member again", async () => {
    let reads = 0;
    openMembers(`/admindash/members?member=${graceId}`, {
      member_detail: () => {
        reads += 1;
        return {
          body: detailOf(reads === 1 ? {} : { suspension: { until: null, reason: "Spam" } }),
        };
      },
      suspend_member: () => ({
        status: 400,
        body: { code: "FF512", message: "suspended already" },
      }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Suspend" }));
    await userEvent.type(screen.getByLabelText(/Reason/), "Spam");
    await userEvent.click(screen.getByRole("button", { name: "Suspend member" }));
    expect(await screen.findByText(/Another administrator was first/)).toBeVisible();
    expect(await screen.findByText("Suspended until it is lifted")).toBeVisible();
  });

  it("gives the administrator role after a code only, and tells a wrong one", async () => {
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      set_member_admin: () => ({ status: 204 }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Make administrator" }));
    const form = within(screen.getByRole("form", { name: "Make Grace Hopper an administrator" }));
    expect(form.getByText(/have to set up a second factor before any of it opens/)).toBeVisible();
    await userEvent.type(form.getByLabelText(/Reason/), "Joins the team");
    await userEvent.click(form.getByRole("button", { name: "Make administrator" }));
    expect(form.getByText("Enter all six digits of the code.")).toBeVisible();
    const code = form.getByLabelText(/Code from your authenticator app/);
    await userEvent.type(code, "000000");
    await userEvent.click(form.getByRole("button", { name: "Make administrator" }));
    expect(await form.findByText(/That code isn't right/)).toBeVisible();
    expect(bodyOf(view, "set_member_admin")).toBeUndefined();
    await userEvent.type(code, "123456");
    await userEvent.click(form.getByRole("button", { name: "Make administrator" }));
    expect(await screen.findByText("Grace Hopper is an administrator.")).toBeVisible();
    expect(bodyOf(view, "set_member_admin")).toEqual({
      member: graceId,
      is_admin: true,
      reason: "Joins the team",
    });
  });

  it("offers no act on one's own account, and no suspension of an administrator", async () => {
    const own = sessionOf().user.id;
    openMembers(`/admindash/members?member=${own}`, {
      member_detail: () => ({ body: detailOf({ id: own, role: "admin" }) }),
    });
    expect(await screen.findByText(/This is your own account/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Suspend" })).not.toBeInTheDocument();
  });

  it("adds a note", async () => {
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      add_member_note: () => ({ status: 204 }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Add note" }));
    expect(screen.getByText("Write the note first.")).toBeVisible();
    await userEvent.type(screen.getByLabelText(/New note/), "Rang about the invoice");
    await userEvent.click(screen.getByRole("button", { name: "Add note" }));
    await waitFor(() => expect(screen.getByLabelText(/New note/)).toHaveValue(""));
    expect(bodyOf(view, "add_member_note")).toEqual({
      member: graceId,
      note: "Rang about the invoice",
    });
  });

  it("says that there is no such account", async () => {
    openMembers("/admindash/members?member=nonsense");
    expect(await screen.findByText("This account doesn't exist.")).toBeVisible();
  });
});
