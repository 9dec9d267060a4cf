import { useQueryClient } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { toDraftFields } from "./model/draft.ts";
import { useDraft } from "./queries.ts";
import { draftId, draftRow, openStudio, writtenContent } from "./testing/studio-screen.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const row = () => screen.findByRole("link", { name: /^A Plan for Monday/ });
const notRead = () => screen.findByText("We couldn't load this draft");
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

describe("a draft that was read before", () => {
  it("is not shown as the newest version when it can't be read again", async () => {
    const { router, server } = openStudio("/studio");
    await userEvent.click(await row());
    expect(await screen.findByLabelText("Title")).toHaveValue("A Plan for Monday");
    server.readsFail = true;
    await press("Preview");
    expect(await notRead()).toBeVisible();
    expect(screen.queryByText(/^Preview of version/)).not.toBeInTheDocument();
    await act(async () => router.navigate(-1));
    await waitFor(() => expect(window.location.pathname).toBe(`/studio/${draftId}`));
    expect(await notRead()).toBeVisible();
    expect(screen.queryByLabelText("Title")).not.toBeInTheDocument();

    server.readsFail = false;
    server.version = 4;
    server.fields = { ...server.fields, title: "From the other tab" };
    await press("Try again");
    expect(await screen.findByLabelText("Title")).toHaveValue("From the other tab");
  });

  it("is not opened again when a newer version can't be loaded", async () => {
    const { server } = openStudio(`/studio/${draftId}`);
    await userEvent.type(await screen.findByLabelText("Title"), "!");
    server.version = 4;
    await userEvent.keyboard("{Control>}s{/Control}");
    server.readsFail = true;
    await press("Load the newer version");
    expect(await notRead()).toBeVisible();
    expect(screen.queryByLabelText("Title")).not.toBeInTheDocument();
    server.readsFail = false;
    await press("Try again");
    expect(await screen.findByLabelText("Title")).toHaveValue("A Plan for Monday");
    expect(screen.getByText("All changes saved")).toBeVisible();
  });

  it("stays while reading it again in the background fails", async () => {
    function Draft() {
      const queries = useQueryClient();
      const { data, isError } = useDraft(draftId);
      return (
        <>
          <p>{data?.title ?? "Nothing"}</p>
          <p>{isError ? "Failed" : "Fine"}</p>
          <button type="button" onClick={() => void queries.invalidateQueries()}>
            Again
          </button>
        </>
      );
    }
    const server = { readsFail: false };
    renderPage(<Draft />, {
      session: sessionOf(),
      rows: {
        drafts: [draftRow],
        draft_versions: toDraftFields(writtenContent),
        draft_comments: [],
      },
      reply: ({ call }) =>
        server.readsFail && call.endsWith("/drafts") ? { status: 500, body: {} } : undefined,
    });
    expect(await screen.findByText("A Plan for Monday")).toBeVisible();
    server.readsFail = true;
    await press("Again");
    expect(await screen.findByText("Failed")).toBeVisible();
    expect(screen.getByText("A Plan for Monday")).toBeVisible();
  });
});

describe("a draft that moves on while it is open", () => {
  it("takes the focus to its heading when any read replaced the editor, and gives it to nothing else", async () => {
    const content = { content: "Plan the week." };
    const { server, queries } = openStudio(`/studio/${draftId}`, { content });
    const heading = () => screen.getByRole("heading", { level: 1 });
    const refetchAll = async () => act(async () => queries.invalidateQueries());
    (await screen.findByRole("button", { name: "Submit for review" })).focus();
    // Nothing the page did itself: a live update, or another tab.
    server.status = "submitted";
    await refetchAll();
    expect(await screen.findByText(/^An administrator is reviewing this/)).toBeVisible();
    const text = within(screen.getByRole("region", { name: "The text" }));
    expect(await text.findByText("Plan the week.")).toBeVisible();
    await waitFor(() => expect(heading()).toHaveFocus());

    const elsewhere = screen.getByRole("link", { name: "Skip to content" });
    elsewhere.focus();
    server.status = "returned";
    await refetchAll();
    expect(await screen.findByLabelText("Title")).toBeVisible();
    expect(elsewhere).toHaveFocus();
  });
});
