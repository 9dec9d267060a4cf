import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Link } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage } from "@/app/testing/test-app.tsx";
import { LeaveGuard } from "./components/leave-guard.tsx";
import { draftId, openStudio } from "./testing/studio-screen.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const title = async () => screen.findByLabelText("Title");
const toStudio = async () =>
  userEvent.click(within(screen.getByRole("main")).getByRole("link", { name: "Studio" }));
const row = (name: string) => screen.findByRole("link", { name: new RegExp(`^${name}`) });
const question = () => screen.findByRole("alertdialog", { name: "Leave without saving?" });
async function signOut() {
  await userEvent.click(screen.getByRole("button", { name: /^Account of/ }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Sign out" }));
}

/** Whether the browser would ask before it closes the tab. */
function asksBeforeClosing(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

async function write(text: string) {
  await userEvent.clear(await title());
  await userEvent.type(await title(), text);
}

describe("leaving the editor", () => {
  it("saves what is written first, and the list has it", async () => {
    const { server } = openStudio("/studio");
    await userEvent.click(await row("A Plan for Monday"));
    await write("A Plan for Tuesday");
    expect(asksBeforeClosing()).toBe(true);
    await toStudio();
    expect(await row("A Plan for Tuesday")).toBeVisible();
    expect(server.saves.map(({ fields }) => fields.title)).toEqual(["A Plan for Tuesday"]);
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("asks when it can't be saved, and stays with the text or leaves", async () => {
    const { router, server } = openStudio("/studio");
    await userEvent.click(await row("A Plan for Monday"));
    await write("Mine");
    // Another tab saves.
    server.version += 1;
    await toStudio();
    const dialog = within(await question());
    expect(dialog.getByText(/your last changes couldn't be saved/i)).toBeVisible();
    await userEvent.click(dialog.getByRole("button", { name: "Stay" }));
    expect(await title()).toHaveValue("Mine");
    expect(screen.getByRole("button", { name: "Keep what I have here" })).toBeVisible();
    expect(asksBeforeClosing()).toBe(true);
    expect(window.location.pathname).toBe(`/studio/${draftId}`);

    await act(async () => router.navigate(-1));
    await userEvent.click(within(await question()).getByRole("button", { name: "Leave" }));
    expect(await row("A Plan for Monday")).toBeVisible();
    expect(server.saves).toEqual([]);
  });

  it("asks nothing once it could be saved after all", async () => {
    const { server } = openStudio(`/studio/${draftId}`);
    await write("Mine");
    server.savesFail = true;
    await toStudio();
    await userEvent.click(within(await question()).getByRole("button", { name: "Stay" }));
    expect(screen.getByText("Your last changes aren't saved")).toBeVisible();
    server.savesFail = false;
    await toStudio();
    expect(await row("Mine")).toBeVisible();
  });

  it("saves before a sign-out, and asks when it can't be saved", async () => {
    const { client, server } = openStudio(`/studio/${draftId}`);
    await write("Mine");
    server.savesFail = true;
    await signOut();
    await userEvent.click(within(await question()).getByRole("button", { name: "Stay" }));
    expect(await title()).toHaveValue("Mine");
    expect((await client.auth.getSession()).data.session).not.toBeNull();

    await signOut();
    await userEvent.click(within(await question()).getByRole("button", { name: "Sign out" }));
    expect(await screen.findByRole("heading", { level: 1, name: "Welcome" })).toBeVisible();
    expect(server.saves).toEqual([]);
  });

  it("signs out without a question once everything is saved", async () => {
    const { client, server } = openStudio(`/studio/${draftId}`);
    await write("Mine");
    await signOut();
    expect(await screen.findByRole("heading", { level: 1, name: "Welcome" })).toBeVisible();
    expect(server.saves.map(({ fields }) => fields.title)).toEqual(["Mine"]);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  it("is not held back for a preview of what was saved, nor by a sign-out in another tab", async () => {
    const { client, router, server } = openStudio(`/studio/${draftId}`);
    await write("Mine");
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    expect(await screen.findByText("Preview of version 4")).toBeVisible();
    const back = within(screen.getByRole("main")).getByRole("link", { name: "Back to the draft" });
    expect(back).toHaveAttribute("href", `/studio/${draftId}`);
    await act(async () => router.navigate(-1));
    await write("Mine again");
    server.savesFail = true;
    await client.auth.signOut({ scope: "local" });
    expect(await screen.findByRole("heading", { level: 1, name: "Welcome" })).toBeVisible();
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
  });

  it("keeps the page with its words while the membership ends, and asks before it is left", async () => {
    const { live, server } = openStudio(`/studio/${draftId}`);
    await write("Mine");
    await waitFor(() => expect(live.watchers("notifications")).toBe(1));
    server.isOver = true;
    live.change("INSERT", "notifications", { id: 9, user_id: adaId });
    expect(await screen.findByRole("button", { name: "Notifications, 1 unread" })).toBeVisible();
    await userEvent.keyboard("{Control>}s{/Control}");
    expect(
      await screen.findByText(/^Only mentors with an active membership can write/),
    ).toBeVisible();
    expect(await title()).toHaveValue("Mine");
    await toStudio();
    await userEvent.click(within(await question()).getByRole("button", { name: "Leave" }));
    expect(
      await screen.findByRole("heading", { level: 1, name: "Choose Your Plan" }),
    ).toBeVisible();
  });

  it("asks when a save hangs, and leaves once it is done after all", async () => {
    vi.useFakeTimers();
    const saving = Promise.withResolvers<boolean>();
    renderPage(
      <>
        <LeaveGuard isDirty={() => true} isUploading={false} save={() => saving.promise} />
        <Link to="/studio">Studio</Link>
      </>,
    );
    const pass = async (milliseconds: number) =>
      act(async () => vi.advanceTimersByTimeAsync(milliseconds));
    await pass(0);
    fireEvent.click(screen.getByRole("link", { name: "Studio" }));
    await pass(3999);
    expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument();
    await pass(1);
    expect(screen.getByRole("alertdialog")).toBeVisible();
    saving.resolve(true);
    await pass(0);
    expect(screen.getByText("Now at /studio")).toBeVisible();
  });
});

describe("a new draft", () => {
  it("is in the list one comes back to", async () => {
    const { server } = openStudio("/studio");
    await row("A Plan for Monday");
    server.exists = false;
    server.fields = { ...server.fields, title: "" };
    await userEvent.click(screen.getByRole("button", { name: "New article" }));
    await title();
    await toStudio();
    expect(await row("Untitled")).toBeVisible();
    await waitFor(() =>
      expect(screen.queryByRole("link", { name: /^A Plan/ })).not.toBeInTheDocument(),
    );
  });
});
