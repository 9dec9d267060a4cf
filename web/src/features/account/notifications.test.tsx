import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const save = "POST /rest/v1/notification_preferences";
const load = "GET /rest/v1/notification_preferences";
const forbidden = { status: 403, body: { code: "42501", message: "permission denied" } };

function open(
  answers: Readonly<Record<string, () => Reply | Promise<Reply>>> = {},
  stored: object[] = [],
  digest: object | null = null,
) {
  return renderApp("/account#notifications", {
    session: sessionOf(),
    rows: { ...memberRows(), notification_preferences: stored, digest_choices: digest },
    reply: ({ call }) => answers[call]?.(),
  });
}

const row = (kind: string, off: object) => ({ kind, bell: true, email: true, push: true, ...off });
const box = async (name: string) => await screen.findByRole("checkbox", { name });

afterEach(() => vi.restoreAllMocks());

describe("notification choices", () => {
  it("are on until they were switched off, and say what cannot be", async () => {
    open({}, [row("reminders", { email: false }), row("rooms", { push: false })]);
    expect(await box("Getting started")).toBeChecked();
    expect(await box("Reminders")).not.toBeChecked();
    expect(await box("Rooms: Bell")).toBeChecked();
    expect(await box("Rooms: Push")).not.toBeChecked();
    expect(await box("Account: Push")).toBeChecked();
    expect(screen.queryByRole("checkbox", { name: "Account: Bell" })).toBeNull();
    expect(screen.queryByRole("checkbox", { name: "Account: Digest" })).toBeNull();
    expect(screen.getByRole("row", { name: /^Account/ })).toHaveTextContent("Always");
    // Every topic has an example in the bell's own words, and none of a kind the bell doesn't know.
    expect(screen.getAllByText(/^Such as: /)).toHaveLength(7);
    expect(screen.getByText("Such as: Tom mentioned you in General.")).toBeVisible();
    expect(screen.queryByText(/new notification|undefined|null/)).toBeNull();
    expect(screen.getByText(/emails about money, your identity and your security/)).toBeVisible();
  });

  it("are saved as soon as they are made, and nothing else of the topic with them", async () => {
    const { seen } = open();
    await userEvent.click(await box("Getting started"));
    expect(await screen.findAllByText("Saved.")).toHaveLength(1);
    expect(await box("Getting started")).not.toBeChecked();
    await userEvent.click(await box("Pacts: Bell"));
    await userEvent.click(await box("Pacts: Digest"));
    await waitFor(async () => expect(await screen.findAllByText("Saved.")).toHaveLength(3));
    expect(seen.filter(({ call }) => call === save).map(({ body }) => body)).toEqual([
      { user_id: adaId, kind: "tips", email: false },
      { user_id: adaId, kind: "pacts", bell: false },
      { user_id: adaId, kind: "pacts", email: false },
    ]);
  });

  it("about the bell are followed by the bell", async () => {
    const { calls } = open();
    const reads = () => calls().filter((call) => call.endsWith("/rpc/my_notifications")).length;
    const bell = await box("Rooms: Bell");
    await waitFor(() => expect(reads()).toBeGreaterThan(0));
    const before = reads();
    await userEvent.click(bell);
    await waitFor(() => expect(reads()).toBeGreaterThan(before));
  });

  it("go back and say so when they were not saved", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    open({ [save]: () => forbidden });
    await userEvent.click(await box("Reminders"));
    expect(await screen.findByText(/Your choice was not saved/)).toBeVisible();
    expect(await box("Reminders")).toBeChecked();
    expect(await box("Reminders")).toBeInvalid();
    await userEvent.click(await box("Rooms: Bell"));
    await waitFor(() => expect(screen.getAllByText(/Your choice was not saved/)).toHaveLength(2));
    expect(await box("Rooms: Bell")).toBeChecked();
    expect(await box("Rooms: Bell")).toBeInvalid();
  });

  it("can be loaded again after a failure", async () => {
    let broken = true;
    open({ [load]: () => (broken ? forbidden : { body: [] }) });
    expect(await screen.findByText("We couldn't load your choices")).toBeVisible();
    broken = false;
    const section = screen.getByText("We couldn't load your choices").closest("section");
    await userEvent.click(within(section ?? document.body).getByRole("button", { name: /again/i }));
    expect(await box("Getting started")).toBeChecked();
  });
});

describe("the digest", () => {
  const list = async () => await screen.findByRole("combobox", { name: "Email digest" });

  it("comes weekly until another choice is made, which is saved at once", async () => {
    const { seen } = open();
    expect(await list()).toHaveDisplayValue("Every Monday");
    await userEvent.selectOptions(await list(), "Never");
    expect(await screen.findByText("Saved.")).toBeVisible();
    expect(await list()).toHaveDisplayValue("Never");
    expect(seen.find(({ call }) => call === "POST /rest/v1/digest_choices")?.body).toEqual({
      user_id: adaId,
      frequency: "off",
    });
  });

  it("goes back when the choice was not saved", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    open({ "POST /rest/v1/digest_choices": () => forbidden }, [], { frequency: "daily" });
    expect(await list()).toHaveDisplayValue("Every day");
    await userEvent.selectOptions(await list(), "Never");
    expect(await screen.findByText(/Your choice was not saved/)).toBeVisible();
    expect(await list()).toHaveDisplayValue("Every day");
  });
});
