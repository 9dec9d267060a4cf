import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bodyOf, detailOf, graceId, openMembers } from "./testing/console-members.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

describe("a member's panel", () => {
  it("says before a suspension that the subscription runs on, and asks for a reason", async () => {
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      suspend_member: () => ({ status: 204 }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Suspend" }));
    const form = within(screen.getByRole("form", { name: "Suspend Grace Hopper" }));
    expect(form.getByText(/renews on 1 April 2026 and is paid/)).toBeVisible();
    await userEvent.click(form.getByRole("button", { name: "Suspend member" }));
    expect(form.getByText("Say why. It is recorded with your name.")).toBeVisible();
    expect(bodyOf(view, "suspend_member")).toBeUndefined();
    await userEvent.selectOptions(form.getByLabelText("How long"), "7");
    await userEvent.type(form.getByLabelText(/Reason/), " Spam ");
    await userEvent.click(form.getByRole("button", { name: "Suspend member" }));
    expect(await screen.findByText("Grace Hopper is suspended.")).toBeVisible();
    expect(bodyOf(view, "suspend_member")).toEqual({ member: graceId, reason: "Spam", days: 7 });
  });

  it("says before a mentor's suspension that their courses can't be bought meanwhile", async () => {
    const effect = /courses can't be bought/;
    const open = async (role: string) => {
      const view = openMembers(`/admindash/members?member=${graceId}`, {
        member_detail: () => ({ body: detailOf({ role }) }),
      });
      await userEvent.click(await screen.findByRole("button", { name: "Suspend" }));
      return view;
    };
    const view = await open("mentor");
    expect(screen.getByText(effect)).toBeVisible();
    view.unmount();
    await open("student");
    expect(screen.queryByText(effect)).not.toBeInTheDocument();
  });

  it("stops the renewal with a suspension, and suspends only once it is stopped", async () => {
    let isProviderDown = true;
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      suspend_member: () => ({ status: 204 }),
      "admin-stop-renewal": () =>
        isProviderDown
          ? { status: 502, body: { code: "provider_unavailable", error: "No answer" } }
          : { body: { changed: true } },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Suspend" }));
    const form = within(screen.getByRole("form", { name: "Suspend Grace Hopper" }));
    const choice = form.getByRole("checkbox", { name: /Stop the renewal/ });
    expect(choice).not.toBeChecked();
    await userEvent.click(choice);
    await userEvent.type(form.getByLabelText(/Reason/), "Spam");
    await userEvent.click(form.getByRole("button", { name: "Suspend member" }));
    expect(await form.findByText(/The card provider did not answer/)).toBeVisible();
    expect(bodyOf(view, "suspend_member")).toBeUndefined();
    isProviderDown = false;
    await userEvent.click(form.getByRole("button", { name: "Suspend member" }));
    expect(await screen.findByText("Grace Hopper is suspended.")).toBeVisible();
    expect(bodyOf(view, "admin-stop-renewal")).toEqual({ member_id: graceId, reason: "Spam" });
    expect(bodyOf(view, "suspend_member")).toEqual({ member: graceId, reason: "Spam" });
  });

  it("stops the renewal of a member who is suspended already", async () => {
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      member_detail: () => ({ body: detailOf({ suspension: { until: null, reason: "Spam" } }) }),
      "admin-stop-renewal": () => ({ body: { changed: true } }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Stop renewal" }));
    const form = within(screen.getByRole("form", { name: "Stop the renewal for Grace Hopper" }));
    await userEvent.type(form.getByLabelText(/Reason/), "Asked by email");
    await userEvent.click(form.getByRole("button", { name: "Stop renewal" }));
    expect(await screen.findByText("The membership of Grace Hopper doesn't renew.")).toBeVisible();
    expect(bodyOf(view, "admin-stop-renewal")).toEqual({
      member_id: graceId,
      reason: "Asked by email",
    });
  });

  it("says nothing of a subscription where none runs", async () => {
    openMembers(`/admindash/members?member=${graceId}`, {
      member_detail: () => ({ body: detailOf({}, { status: "canceled" }) }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Suspend" }));
    expect(screen.queryByText(/not stopped by this/)).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox", { name: /Stop the renewal/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Stop renewal" })).not.toBeInTheDocument();
  });

  it("removes a picture with a reason, and its object", async () => {
    const name = `${graceId}-1.jpg`;
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      "GET /rest/v1/profiles": () => ({
        body: { role: "admin", onboarding_complete: true, avatar_url: `/x/${name}` },
      }),
      admin_remove_picture: () => ({ body: name }),
      "DELETE /storage/v1/object/profile-pictures": () => ({ body: [{ name }] }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Remove picture" }));
    const form = within(screen.getByRole("form", { name: "Remove the picture of Grace Hopper" }));
    expect(form.getByLabelText(/Reason/)).toHaveAccessibleDescription(/The member will see this/);
    await userEvent.type(form.getByLabelText(/Reason/), "Not a person");
    await userEvent.click(form.getByRole("button", { name: "Remove picture" }));
    expect(await screen.findByText("The picture of Grace Hopper is removed.")).toBeVisible();
    expect(bodyOf(view, "admin_remove_picture")).toEqual({
      member: graceId,
      reason: "Not a person",
    });
    const deletion = view.seen.find(({ call }) => call.startsWith("DELETE /storage/"));
    expect(deletion?.body).toEqual({ prefixes: [name] });
  });

  it("lets a mentor publish without a review, and takes it back, each with a reason", async () => {
    let is_trusted = false;
    const view = openMembers(`/admindash/members?member=${graceId}`, {
      member_detail: () => ({ body: detailOf({ role: "mentor", is_trusted }) }),
      set_trusted_mentor: () => {
        is_trusted = !is_trusted;
        return { status: 204 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Trust as a mentor" }));
    const form = within(
      screen.getByRole("form", { name: "Let Grace Hopper publish without a review" }),
    );
    await userEvent.click(form.getByRole("button", { name: "Trust this mentor" }));
    expect(form.getByText("Say why. It is recorded with your name.")).toBeVisible();
    expect(bodyOf(view, "set_trusted_mentor")).toBeUndefined();
    await userEvent.type(form.getByLabelText(/Reason/), "Ten good courses");
    await userEvent.click(form.getByRole("button", { name: "Trust this mentor" }));
    expect(await screen.findByText("Without a review")).toBeVisible();
    expect(bodyOf(view, "set_trusted_mentor")).toEqual({
      member: graceId,
      trusted: true,
      reason: "Ten good courses",
    });
    await userEvent.click(screen.getByRole("button", { name: "Require a review" }));
    await userEvent.type(screen.getByLabelText(/Reason/), "Copied texts");
    await userEvent.click(screen.getByRole("button", { name: "Require a review" }));
    expect(await screen.findByText("After a review")).toBeVisible();
    expect(bodyOf(view, "set_trusted_mentor")).toMatchObject({ trusted: false });
  });

  it("offers trust to mentors only", async () => {
    openMembers(`/admindash/members?member=${graceId}`);
    expect(await screen.findByRole("button", { name: "Suspend" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Trust as a mentor" })).not.toBeInTheDocument();
  });

  it("offers no removal where there is no picture", async () => {
    openMembers(`/admindash/members?member=${graceId}`);
    expect(await screen.findByRole("button", { name: "Suspend" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Remove picture" })).not.toBeInTheDocument();
  });
});
