import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";

const save = "POST /rest/v1/notification_preferences";
const load = "GET /rest/v1/notification_preferences";

function open(
  answers: Readonly<Record<string, () => Reply | Promise<Reply>>> = {},
  stored: object[] = [],
) {
  return renderApp("/account", {
    session: sessionOf(),
    rows: { ...memberRows(), notification_preferences: stored },
    reply: ({ call }) => answers[call]?.(),
  });
}

const box = async (name: string) => await screen.findByRole("checkbox", { name });

afterEach(() => vi.restoreAllMocks());

describe("notification choices", () => {
  it("are on until they were switched off, and say what cannot be", async () => {
    open({}, [{ kind: "reminders", email: false }]);
    expect(await box("Getting started")).toBeChecked();
    expect(await box("Reminders")).not.toBeChecked();
    expect(screen.getByText(/money, your identity and your security always come/)).toBeVisible();
  });

  it("are saved as soon as they are made", async () => {
    const { seen } = open();
    await userEvent.click(await box("Getting started"));
    expect(await screen.findByText("Saved.")).toBeVisible();
    expect(await box("Getting started")).not.toBeChecked();
    expect(seen.find(({ call }) => call === save)?.body).toEqual({
      user_id: adaId,
      kind: "tips",
      email: false,
    });
  });

  it("go back and say so when they were not saved", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    open({
      [save]: () => ({ status: 403, body: { code: "42501", message: "permission denied" } }),
    });
    await userEvent.click(await box("Reminders"));
    expect(await screen.findByText(/Your choice was not saved/)).toBeVisible();
    expect(await box("Reminders")).toBeChecked();
    expect(await box("Reminders")).toBeInvalid();
  });

  it("can be loaded again after a failure", async () => {
    let broken = true;
    open({
      [load]: () =>
        broken ? { status: 403, body: { code: "42501", message: "x" } } : { body: [] },
    });
    expect(await screen.findByText("We couldn't load your choices")).toBeVisible();
    broken = false;
    const section = screen.getByText("We couldn't load your choices").closest("section");
    await userEvent.click(within(section ?? document.body).getByRole("button", { name: /again/i }));
    expect(await box("Getting started")).toBeChecked();
  });
});
