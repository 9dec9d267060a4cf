import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const unchanged = {
  version: 0,
  headline: null,
  lead: null,
  host_id: null,
  host_about: null,
  published_at: null,
  outcomes: [] as { name: string; title: string }[],
  unanswered: 0,
  hosts: [{ id: "h1", name: "Marcus Bell", picture: null }],
};

function open(settings = unchanged, answer: { status?: number; body: unknown } = { body: 1 }) {
  return renderApp("/admindash/settings?part=landing", {
    session: sessionOf(),
    rows: memberRows({ role: "admin" }),
    reply: ({ call }) => {
      if (call.endsWith("/rpc/landing_settings")) return { body: settings };
      return call.endsWith("/rpc/publish_landing_text") ? answer : undefined;
    },
  });
}

describe("the front page in the settings", () => {
  it("shows the words before they are published, and asks once more", async () => {
    const view = open();
    const preview = within(await screen.findByRole("region", { name: "Preview" }));
    expect(preview.getByText("Earn ten times more in six months. Or stay for free.")).toBeVisible();
    const publish = screen.getByRole("button", { name: "Publish" });
    expect(publish).toBeDisabled();
    await userEvent.type(screen.getByLabelText("Headline"), "Earn more");
    expect(await preview.findByText("Earn more")).toBeVisible();
    await userEvent.selectOptions(screen.getByLabelText("Host"), "Marcus Bell");
    await userEvent.type(screen.getByLabelText("About the host"), "One.{Enter}{Enter}Two.");
    expect(await preview.findByText("Marcus Bell")).toBeVisible();
    expect(preview.getByText("Two.")).toBeVisible();
    await userEvent.click(publish);
    const question = within(await screen.findByRole("alertdialog"));
    await userEvent.click(question.getByRole("button", { name: "Publish" }));
    expect(await screen.findByText("Published. Visitors read it from now on.")).toBeVisible();
    const sent = view.seen.find(({ call }) => call.endsWith("/rpc/publish_landing_text"));
    expect(sent?.body).toEqual({
      headline: "Earn more",
      lead: "",
      host: "h1",
      host_about: "One.\n\nTwo.",
    });
  });

  it("keeps what was typed when it is refused, and says why", async () => {
    const refusal = { code: "FF281", message: "The host has to be an administrator." };
    open(unchanged, { status: 400, body: refusal });
    await userEvent.type(await screen.findByLabelText("Headline"), "Earn more");
    await userEvent.click(screen.getByRole("button", { name: "Publish" }));
    const question = within(await screen.findByRole("alertdialog"));
    await userEvent.click(question.getByRole("button", { name: "Publish" }));
    expect(await screen.findByText(/The host has to be an administrator/)).toBeVisible();
    expect(screen.getByLabelText("Headline")).toHaveValue("Earn more");
  });

  it("says which members stand there, and whose word is missing", async () => {
    open({
      ...unchanged,
      version: 3,
      outcomes: [{ name: "Priya", title: "Four places sold" }],
      unanswered: 2,
    });
    expect(await screen.findByText("“Four places sold”, Priya")).toBeVisible();
    expect(screen.getByText(/^2 featured submissions aren't shown/)).toBeVisible();
  });

  it("says that the section is left out while nobody agreed", async () => {
    open();
    expect(await screen.findByText(/No outcomes are shown/)).toBeVisible();
    expect(screen.queryByText(/featured submission.* shown, because/)).toBeNull();
  });
});
