import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { Toaster } from "@/ui/toast.tsx";
import { VersionList } from "./components/version-list.tsx";
import type { DraftSummary } from "./model/draft.ts";

const draft: DraftSummary = {
  id: "44444444-4444-4444-8444-444444444444",
  ownerId: adaId,
  ownerName: "Ada Lovelace",
  kind: "article",
  status: "draft",
  title: "A Plan for Monday",
  version: 150,
  publishedVersion: null,
  submittedAt: null,
  publishAt: null,
  updatedAt: Date.now(),
};

const rows = (newest: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    version: newest - index,
    saved_at: "2026-11-20T10:00:00+00:00",
    title: draft.title,
  }));

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

/** Opens the versions; `pages` are answered in turn, `deletion` to keeping one a day. */
async function open(pages: Reply[], deletion: Reply, mayRestore = true) {
  const view = renderPage(
    <>
      <VersionList draft={draft} version={150} onRestored={mayRestore ? async () => {} : null} />
      <Toaster />
    </>,
    {
      session: sessionOf(),
      reply: ({ call }) => {
        if (call === "GET /rest/v1/draft_versions") return pages.shift();
        return call === "POST /rest/v1/rpc/keep_daily_versions" ? deletion : undefined;
      },
    },
  );
  await userEvent.click(await screen.findByRole("button", { name: "Show versions" }));
  return view;
}

const ask = async () => {
  await userEvent.click(await screen.findByRole("button", { name: "Keep one version a day" }));
  return within(await screen.findByRole("alertdialog"));
};

describe("the versions of a draft", () => {
  it("come page by page, also after one that did not arrive", async () => {
    const { seen } = await open(
      [{ body: rows(150, 100) }, { status: 500 }, { status: 500 }, { status: 500 }].concat({
        body: rows(50, 50),
      }),
      {},
    );
    expect(await screen.findByText("Version 150")).toBeVisible();
    expect(screen.queryByText("Version 50")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Show earlier versions" }));
    await userEvent.click(
      await screen.findByRole("button", { name: "Try again" }, { timeout: 15_000 }),
    );
    expect(await screen.findByText("Version 1")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show earlier versions" })).toBeNull();
    expect(seen.filter(({ call }) => call.endsWith("/draft_versions"))).toHaveLength(5);
  });

  it("are kept one a day after a question, and say how many are gone", async () => {
    const { seen } = await open([{ body: rows(150, 3) }, { body: rows(150, 1) }], { body: 2 });
    const deletions = () => seen.filter(({ call }) => call.endsWith("/keep_daily_versions"));
    let dialog = await ask();
    await userEvent.click(dialog.getByRole("button", { name: "Keep things as they are" }));
    expect(deletions()).toEqual([]);
    dialog = await ask();
    await userEvent.click(dialog.getByRole("button", { name: "Delete the others" }));
    expect(await screen.findByText("2 versions were deleted.")).toBeVisible();
    expect(deletions()).toMatchObject([{ body: { draft_id: draft.id } }]);
    await waitFor(() => expect(screen.queryByText("Version 149")).toBeNull());
  });

  it("say in the question why none were deleted", async () => {
    await open([{ body: rows(150, 3) }], { status: 400, body: { code: "FF651", message: "No" } });
    const dialog = await ask();
    await userEvent.click(dialog.getByRole("button", { name: "Delete the others" }));
    expect(await dialog.findByText("This draft no longer exists.")).toBeVisible();
    expect(screen.getByText("Version 149")).toBeVisible();
  });

  it("are deleted by nobody who may not restore them", async () => {
    await open([{ body: rows(150, 3) }], {}, false);
    expect(await screen.findByText("Version 149")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Keep one version a day" })).toBeNull();
  });
});
