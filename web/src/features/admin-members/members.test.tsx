import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const graceId = "22222222-2222-4222-8222-222222222222";
const joined_at = "2026-03-01T10:00:00+00:00";
const grace = {
  user_id: graceId,
  email: "grace@example.com",
  name: "Grace Hopper",
  role: "student",
  level: 2,
  membership: "paying",
  is_suspended: false,
  joined_at,
};
const nameless = {
  ...grace,
  user_id: "33333333-3333-4333-8333-333333333333",
  email: "new@example.com",
  name: "",
  level: 0,
  membership: "never_paid",
};

function detailOf(differs: object = {}, subscription: object | null = { status: "active" }) {
  return {
    account: {
      id: graceId,
      email: "grace@example.com",
      name: "Grace Hopper",
      occupation: "Admiral",
      role: "student",
      level: 2,
      joined_at,
      last_sign_in_at: null,
      is_confirmed: true,
      is_onboarded: true,
      has_second_factor: false,
      sessions: 2,
      suspension: null,
      ...differs,
    },
    billing: {
      membership: "paying",
      subscription: subscription && {
        hold: null,
        plan: "Student Access",
        pending_plan: null,
        period_ends_at: "2026-04-01T10:00:00+00:00",
        ends_with_period: false,
        card_brand: "visa",
        card_last4: "4242",
        ...subscription,
      },
      paid_pence: 15000,
      refunded_pence: 5000,
      records: [],
    },
    progress: {
      completions: [{ level: 1, completed_at: joined_at }],
      requirements: [{ level: 1, kind: "rooms", category: null, needed: 5, count: 5 }],
      evidence: [
        {
          id: 1,
          kind: "rooms",
          category: null,
          label: "General",
          path: "/chats/general",
          happened_at: joined_at,
        },
      ],
    },
    conduct: {
      submission_count: 0,
      submissions: [],
      reports_made: 0,
      reports_received: 0,
      reports: [],
    },
    identity: { is_flagged: false, documents: [] },
    notes: [],
    audit: [],
  };
}

/** A session that has shown the code of an authenticator app. */
function verifiedSession() {
  const session = sessionOf();
  const [header, claims = "", signature] = session.access_token.split(".");
  const shown = btoa(JSON.stringify({ ...(JSON.parse(atob(claims)) as object), aal: "aal2" }));
  const factor = {
    id: "66666666-6666-4666-8666-666666666666",
    factor_type: "totp" as const,
    status: "verified" as const,
    friendly_name: "Phone",
    created_at: joined_at,
    updated_at: joined_at,
  };
  return {
    ...session,
    access_token: `${header}.${shown}.${signature}`,
    user: { ...session.user, factors: [factor] },
  };
}

/** An administrator's console whose answers can be replaced, by the name of the function. */
function openConsole(path: string, answers: Record<string, (body: unknown) => Reply> = {}) {
  return renderApp(path, {
    session: verifiedSession(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call, body }) => {
      const exact = answers[call];
      if (exact) return exact(body);
      if (call.endsWith("/challenge")) return { body: { id: "challenge", expires_at: 0 } };
      if (call.endsWith("/verify")) {
        return (body as { code: string }).code === "123456"
          ? { body: verifiedSession() }
          : {
              status: 422,
              body: { error_code: "mfa_verification_failed", msg: "Invalid TOTP code entered" },
            };
      }
      const name = /\/(?:rpc|functions\/v1)\/([\w-]+)$/.exec(call)?.[1] ?? "";
      const own = answers[name];
      if (own) return own(body);
      if (name === "member_page") return { body: [grace, nameless] };
      if (name === "member_detail") return { body: detailOf() };
      return undefined;
    },
  });
}
type View = ReturnType<typeof openConsole>;
const bodyOf = (view: View, name: string) =>
  view.seen.findLast(({ call }) => call.endsWith(`/${name}`))?.body;

describe("the members of the console", () => {
  it("are searched and filtered by the address", async () => {
    const view = openConsole("/admindash/members?membership=past_due&level=2&sort=name");
    expect(await screen.findByRole("button", { name: /^Grace Hopper/ })).toBeVisible();
    expect(screen.getByRole("button", { name: "new@example.com" })).toBeVisible();
    expect(bodyOf(view, "member_page")).toEqual({
      membership: "past_due",
      level: 2,
      sort: "name",
      page_size: 50,
    });
    await userEvent.type(screen.getByLabelText("Search"), "hop");
    expect(window.location.search).toContain("search=hop");
    await vi.waitFor(() => expect(bodyOf(view, "member_page")).toMatchObject({ search: "hop" }));
    await userEvent.click(screen.getByRole("button", { name: "Joined" }));
    await vi.waitFor(() => expect(window.location.search).not.toContain("sort=name"));
  });

  it("say when none match, and clear the filters", async () => {
    openConsole("/admindash/members?search=nobody", {
      member_page: (body) => ({ body: (body as { search?: string }).search ? [] : [grace] }),
    });
    expect(await screen.findByText("No members match")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await screen.findByRole("button", { name: /^Grace Hopper/ })).toBeVisible();
    expect(window.location.search).toBe("");
  });

  it("need a second factor, and say how to set it up", async () => {
    openConsole("/admindash/members", {
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
    openConsole("/admindash/members");
    await userEvent.click(await screen.findByRole("button", { name: /^Grace Hopper/ }));
    const panel = within(await screen.findByRole("dialog", { name: /^Grace Hopper/ }));
    expect(await panel.findByText("Student Access")).toBeVisible();
    expect(panel.getByText("£150")).toBeVisible();
    expect(panel.getByText("5 of 5")).toBeVisible();
    expect(window.location.search).toBe(`?member=${graceId}`);
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    expect(window.location.search).toBe("");
  });

  it("says before a suspension that the subscription runs on, and asks for a reason", async () => {
    const view = openConsole(`/admindash/members?member=${graceId}`, {
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

  it("stops the renewal with a suspension, and suspends only once it is stopped", async () => {
    let isProviderDown = true;
    const view = openConsole(`/admindash/members?member=${graceId}`, {
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
    const view = openConsole(`/admindash/members?member=${graceId}`, {
      member_detail: () => ({ body: detailOf({ suspension: { until: null, reason: "Spam" } }) }),
      "admin-stop-renewal": () => ({ body: { changed: true } }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Stop renewal" }));
    const form = within(screen.getByRole("form", { name: "Stop the renewal for Grace Hopper" }));
    await userEvent.type(form.getByLabelText(/Reason/), "Asked by e-mail");
    await userEvent.click(form.getByRole("button", { name: "Stop renewal" }));
    expect(await screen.findByText("The membership of Grace Hopper doesn't renew.")).toBeVisible();
    expect(bodyOf(view, "admin-stop-renewal")).toEqual({
      member_id: graceId,
      reason: "Asked by e-mail",
    });
  });

  it("says nothing of a subscription where none runs", async () => {
    openConsole(`/admindash/members?member=${graceId}`, {
      member_detail: () => ({ body: detailOf({}, { status: "canceled" }) }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Suspend" }));
    expect(screen.queryByText(/not stopped by this/)).not.toBeInTheDocument();
    expect(screen.queryByRole("checkbox", { name: /Stop the renewal/ })).not.toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Stop renewal" })).not.toBeInTheDocument();
  });

  it("says why an act was refused, and reads the member again", async () => {
    let reads = 0;
    openConsole(`/admindash/members?member=${graceId}`, {
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

  it("removes a picture with a reason, and its object", async () => {
    const name = `${graceId}-1.jpg`;
    const view = openConsole(`/admindash/members?member=${graceId}`, {
      "GET /rest/v1/profiles": () => ({
        body: { role: "admin", onboarding_complete: true, avatar_url: `/x/${name}` },
      }),
      admin_remove_picture: () => ({ body: name }),
      "DELETE /storage/v1/object/profile-pictures": () => ({ body: [{ name }] }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Remove picture" }));
    const form = within(screen.getByRole("form", { name: "Remove the picture of Grace Hopper" }));
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

  it("offers no removal where there is no picture", async () => {
    openConsole(`/admindash/members?member=${graceId}`);
    expect(await screen.findByRole("button", { name: "Suspend" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Remove picture" })).not.toBeInTheDocument();
  });

  it("gives the administrator role after a code only, and tells a wrong one", async () => {
    const view = openConsole(`/admindash/members?member=${graceId}`, {
      set_member_admin: () => ({ status: 204 }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Make administrator" }));
    const form = within(screen.getByRole("form", { name: "Make Grace Hopper an administrator" }));
    expect(form.getByText(/have to set up a second factor before any of it opens/)).toBeVisible();
    await userEvent.type(form.getByLabelText(/Reason/), "Joins the team");
    await userEvent.click(form.getByRole("button", { name: "Make administrator" }));
    expect(form.getByText("Enter all six digits of the code.")).toBeVisible();
    const code = form.getByLabelText(/Code of your second factor/);
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
    openConsole(`/admindash/members?member=${own}`, {
      member_detail: () => ({ body: detailOf({ id: own, role: "admin" }) }),
    });
    expect(await screen.findByText(/This is your own account/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Suspend" })).not.toBeInTheDocument();
  });

  it("adds a note", async () => {
    const view = openConsole(`/admindash/members?member=${graceId}`, {
      add_member_note: () => ({ status: 204 }),
    });
    await userEvent.click(await screen.findByRole("button", { name: "Add note" }));
    expect(screen.getByText("Write the note first.")).toBeVisible();
    await userEvent.type(screen.getByLabelText(/New note/), "Rang about the invoice");
    await userEvent.click(screen.getByRole("button", { name: "Add note" }));
    await vi.waitFor(() => expect(screen.getByLabelText(/New note/)).toHaveValue(""));
    expect(bodyOf(view, "add_member_note")).toEqual({
      member: graceId,
      note: "Rang about the invoice",
    });
  });

  it("says that there is no such account", async () => {
    openConsole("/admindash/members?member=nonsense");
    expect(await screen.findByText("There is no such account.")).toBeVisible();
  });
});
