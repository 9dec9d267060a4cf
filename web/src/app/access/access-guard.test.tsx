import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useDeferredValue } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "@/lib/clock.ts";
import { createManualClock } from "@/lib/testing/manual-clock.ts";
import {
  memberRows,
  renderApp,
  sessionOf,
  type Reply,
  type Rows,
} from "@/app/testing/test-app.tsx";
import { AccessGuard } from "./access-guard.tsx";

const boom: Reply = { status: 500, body: { code: "XX000", message: "boom" } };
const heading = (name: string | RegExp) => screen.findByRole("heading", { level: 1, name });

/** The page itself says it, in place of a message that goes. Its frame is replaced when its data has come. */
const expectNote = async (text: string) =>
  await waitFor(() => expect(within(screen.getByRole("main")).getByText(text)).toBeVisible());

/** However slow the machine is, a second redirect then comes within two seconds of the first. */
const holdClock = () => vi.spyOn(systemClock, "now").mockReturnValue(systemClock.now());

describe("the guard", () => {
  afterEach(() => vi.restoreAllMocks());

  it("sends a visitor without a session to /auth, also without a backend", async () => {
    renderApp("/studentdash", { config: { backend: null } });
    expect(await heading("Welcome")).toBeVisible();
    expect(window.location.pathname).toBe("/auth");
  });

  it("draws the page it opens in parts, not in one task with what it learned", async () => {
    const ways: string[] = [];
    function Home() {
      // React begins with the first of the two only where it may pause.
      ways.push(useDeferredValue("in parts", "in one task"));
      return <h1>Home</h1>;
    }
    const page = { path: "/studentdash", element: <Home /> };
    const routes = [{ element: <AccessGuard />, children: [page] }];
    renderApp("/studentdash", { session: sessionOf(), rows: memberRows(), routes });
    expect(await heading("Home")).toBeVisible();
    expect(ways[0]).toBe("in parts");
  });

  it.each([["/dashboard"], ["/no/such/page"]])("leads %s to the dashboard", async (path) => {
    renderApp(path, { session: sessionOf(), rows: memberRows() });
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
  });

  it("suppresses the same redirect within two seconds, and leaves a way on", async () => {
    holdClock();
    const rows = { ...memberRows(), stripe_subscriptions: null };
    const view = renderApp("/studentdash", { session: sessionOf(), rows });
    await waitFor(() => expect(window.location.pathname).toBe("/paywall"));
    await act(() => view.router.navigate("/mentordash"));
    expect(await heading("You can't open this page")).toBeVisible();
    expect(window.location.pathname).toBe("/mentordash");
    await userEvent.click(screen.getByRole("link", { name: "Choose a plan" }));
    expect(await heading("Choose Your Plan")).toBeVisible();
    expect(window.location.pathname).toBe("/paywall");
  });

  it.each([
    ["/learning", "/learning/submissions", "This page has moved"],
    ["/auth", "/studentdash", "You're already signed in"],
  ])("does not call %s closed when its redirect is suppressed", async (path, target, title) => {
    holdClock();
    const view = renderApp(path, { session: sessionOf(), rows: memberRows() });
    await waitFor(() => expect(window.location.pathname).toBe(target));
    await act(() => view.router.navigate(path));
    expect(await heading(title)).toBeVisible();
    expect(screen.queryByText(/can't open this page/)).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("link", { name: "Continue" }));
    await waitFor(() => expect(window.location.pathname).toBe(target));
  });

  it("does not go on loading for who comes back before the redirect's page was drawn", async () => {
    holdClock();
    const view = renderApp("/learning", { session: sessionOf(), rows: memberRows() });
    const target = "/learning/submissions";
    const returned = new Promise<void>((resolve) => {
      const stop = view.router.subscribe(({ location }) => {
        if (location.pathname !== target) return;
        stop();
        resolve(view.router.navigate("/learning"));
      });
    });
    await act(async () => await returned);
    expect(await heading("This page has moved")).toBeVisible();
  });

  it("opens a page whose level was reached and closes the next", async () => {
    const world = { session: sessionOf(), rows: memberRows({ level: 2 }) };
    const { unmount } = renderApp("/knowledge/courses", world);
    expect(await heading("Courses")).toBeVisible();
    expect(window.location.pathname).toBe("/knowledge/courses");
    expect(screen.getAllByText("Level 3")[0]).toBeVisible();
    const library = within(screen.getByRole("navigation", { name: "Library" }));
    await userEvent.click(library.getByRole("button", { name: /^Business/ }));
    const door = within(await screen.findByRole("dialog", { name: "Business opens at Level 3" }));
    expect(await door.findByRole("list", { name: "What Level 2 asks for" })).toBeVisible();
    await userEvent.click(door.getByRole("link", { name: "See your progress" }));
    expect(await heading("Your progress")).toBeVisible();
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    unmount();
    renderApp("/business/courses", world);
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
    await expectNote("Business opens at Level 3.");
  });

  it("shows nothing of any page until it knows who is looking", async () => {
    let letIn = () => {};
    const known = new Promise<undefined>((resolve) => {
      letIn = () => resolve(undefined);
    });
    const { calls } = renderApp("/studentdash", {
      session: sessionOf(),
      rows: { ...memberRows(), stripe_subscriptions: null },
      reply: ({ call }) => (call.endsWith("/stripe_subscriptions") ? known : undefined),
    });
    await waitFor(() => expect(calls()).toContain("GET /rest/v1/stripe_subscriptions"));
    expect(screen.getByText(/is loading/)).toBeInTheDocument();
    expect(screen.queryByRole("heading")).not.toBeInTheDocument();
    // The members' area in outline, because a session is known.
    expect(await screen.findByText("Fourfold")).toBeInTheDocument();
    letIn();
    await waitFor(() => expect(window.location.pathname).toBe("/paywall"));
  });

  it("asks for subscription and level together with the profile, and no more for an administrator's", async () => {
    let tell = () => {};
    const known = new Promise<undefined>((resolve) => {
      tell = () => resolve(undefined);
    });
    const clock = createManualClock();
    vi.spyOn(systemClock, "after").mockImplementation(clock.after);
    const { calls, client } = renderApp("/admindash", {
      session: sessionOf(),
      rows: { ...memberRows({ role: "admin" }), stripe_subscriptions: null },
      reply: ({ call }) => (call.endsWith("/profiles") ? known : undefined),
    });
    const asked = () =>
      calls().filter((call) => call === "GET /rest/v1/stripe_subscriptions").length;
    await waitFor(() => expect(asked()).toBe(1));
    expect(calls()).toContain("GET /rest/v1/user_levels");
    tell();
    await screen.findByRole("heading", { level: 1 });
    await act(() => clock.advance(60_000));
    // Answered after whatever was asked until now.
    await client.from("profiles").select();
    expect(asked()).toBe(1);
  });

  it("asks for what Home shows while it is not known yet whether it opens, and no second time", async () => {
    let tell = () => {};
    const known = new Promise<undefined>((resolve) => {
      tell = () => resolve(undefined);
    });
    const { calls } = renderApp("/studentdash", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => (call.endsWith("/profiles") ? known : undefined),
    });
    const asked = () => calls().filter((call) => call === "POST /rest/v1/rpc/my_today").length;
    await waitFor(() => expect(asked()).toBe(1));
    expect(screen.queryByRole("heading")).not.toBeInTheDocument();
    tell();
    expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
    expect(asked()).toBe(1);
  });

  it("does not send a paying member to pay because the server is down", async () => {
    let down = true;
    renderApp("/studentdash", {
      session: sessionOf(),
      rows: memberRows(),
      reply: ({ call }) => (down && call.endsWith("/profiles") ? boom : undefined),
    });
    expect(await heading("We can't reach the server")).toBeVisible();
    down = false;
    await userEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() =>
      expect(screen.queryByText("We can't reach the server")).not.toBeInTheDocument(),
    );
    expect(window.location.pathname).toBe("/studentdash");
  });

  it.each([["/auth"], ["/auth/"]])("leads on from %s after a sign-in elsewhere", async (path) => {
    const { client } = renderApp(path, { rows: memberRows() });
    expect(await heading("Welcome")).toBeVisible();
    await act(() => client.auth.signInWithPassword({ email: "ada@example.com", password: "x" }));
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
  });

  it.each([
    ["/signin", "Welcome Back"],
    ["/adminlogin", "Admin Login"],
  ])("leaves leading on from %s to its form", async (path, title) => {
    const { client, seen } = renderApp(path, { rows: memberRows() });
    expect(await heading(title)).toBeVisible();
    await act(() => client.auth.signInWithPassword({ email: "ada@example.com", password: "x" }));
    // By then the guard knows whose page it is.
    const calls = () => seen.map(({ call }) => call);
    await waitFor(() => expect(calls()).toContain("GET /rest/v1/stripe_subscriptions"));
    expect(screen.getByRole("heading", { level: 1, name: title })).toBeVisible();
    expect(window.location.pathname).toBe(path);
  });

  it("follows a sign-out from anywhere", async () => {
    renderApp("/account#sign-in", { session: sessionOf(), rows: memberRows() });
    const [signOut] = await screen.findAllByRole("button", { name: "Sign out" });
    await userEvent.click(signOut as Element);
    expect(await heading("Welcome")).toBeVisible();
  });
});

describe("a closed address", () => {
  const unpaid = { stripe_subscriptions: null };
  const newcomer = {
    profiles: { ...(memberRows()["profiles"] as object), onboarding_complete: false },
    user_levels: { current_level: 0, unlocked_levels: [] },
  };

  it.each<[string, string, Rows, string, string]>([
    ["a student", "/business/courses", memberRows(), "/studentdash", "Business opens at Level 3."],
    [
      "a student",
      "/wealth/foundations/x",
      memberRows(),
      "/studentdash",
      "Wealth opens at Level 4.",
    ],
    [
      "a mentor",
      "/knowledge/courses",
      memberRows({ role: "mentor" }),
      "/mentordash",
      "Knowledge opens at Level 2.",
    ],
    [
      "a student",
      "/mentordash",
      memberRows(),
      "/studentdash",
      "That page is for mentors. This is your own Home.",
    ],
    ["a student", "/studio", memberRows(), "/studentdash", "The studio is for mentors."],
    ["a student", "/studio/import", memberRows(), "/studentdash", "The studio is for mentors."],
    ["a student", "/admindash", memberRows(), "/studentdash", "That page is for administrators."],
    [
      "a mentor",
      "/admindash/money",
      memberRows({ role: "mentor" }),
      "/mentordash",
      "That page is for administrators.",
    ],
    [
      "a visitor who hasn't paid",
      "/business/courses",
      { ...memberRows({ level: 0 }), ...unpaid },
      "/paywall",
      "That page needs an active membership.",
    ],
    [
      "a newcomer",
      "/knowledge/foundations",
      { ...memberRows(), ...newcomer },
      "/onboarding",
      "Finish these steps first, and that page opens.",
    ],
  ])("tells %s at %s why, on the page that is shown instead", async (_who, path, rows, to, why) => {
    const view = renderApp(path, { session: sessionOf(), rows });
    await expectNote(why);
    expect(window.location.pathname).toBe(to);
    // Neither a reload nor the way back says it again.
    await waitFor(() => expect(view.router.state.location.state).toBeNull());
    await expectNote(why);
    view.unmount();
    renderApp(to, { session: sessionOf(), rows });
    await waitFor(() => expect(screen.getByRole("heading", { level: 1 })).toBeVisible());
    expect(screen.queryByText(why)).not.toBeInTheDocument();
  });

  it.each([["/chats"], ["/progress"], ["/business/courses"], ["/studio"], ["/admindash"]])(
    "tells a visitor at %s to sign in",
    async (path) => {
      renderApp(path);
      await expectNote("That page is for members. Sign in first.");
      expect(window.location.pathname).toBe("/auth");
    },
  );

  it.each([
    ["/studentdash", memberRows({ role: "mentor" }), "/mentordash"],
    ["/no/such/page", memberRows(), "/studentdash"],
    ["/auth", memberRows(), "/studentdash"],
    ["/studentdash", { ...memberRows(), ...unpaid }, "/paywall"],
  ])("is none where %s leads everybody on", async (path, rows, to) => {
    renderApp(path, { session: sessionOf(), rows });
    await waitFor(() => expect(window.location.pathname).toBe(to));
    expect(await screen.findByRole("heading", { level: 1 })).toBeVisible();
    expect(screen.queryByText(/^(That page|The studio|Finish these|\w+ opens at)/)).toBeNull();
  });

  it("is not told to a member who signs out on an open page", async () => {
    const { client } = renderApp("/account#sign-in", { session: sessionOf(), rows: memberRows() });
    await screen.findAllByRole("button", { name: "Sign out" });
    await act(() => client.auth.signOut({ scope: "local" }));
    expect(await heading("Welcome")).toBeVisible();
    expect(screen.queryByText(/Sign in first/)).not.toBeInTheDocument();
  });
});
