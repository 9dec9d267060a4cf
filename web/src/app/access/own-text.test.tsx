import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const articleId = "7b7c0000-0000-4000-8000-000000000001";
const path = `/business/foundations/offers/${articleId}`;

/** Opens the text of a locked section; the database shows it to its author only. */
function open(at: string, readable: boolean) {
  return renderApp(at, {
    session: sessionOf(),
    rows: memberRows({ level: 1 }),
    reply: ({ call }) =>
      call === "GET /rest/v1/articles" ? { body: readable ? [{ id: articleId }] : [] } : undefined,
  });
}

describe("a text of a locked section", () => {
  it("opens for its author, whom the database lets read it", async () => {
    const { seen } = open(path, true);
    await waitFor(() =>
      expect(
        seen.filter(({ call }) => call === "GET /rest/v1/articles").length,
      ).toBeGreaterThanOrEqual(2),
    );
    expect(window.location.pathname).toBe(path);
    expect(screen.queryByText("Business opens at Level 3.")).toBeNull();
  });

  it("leads anybody else away, with the reason", async () => {
    open(path, false);
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
    expect(await screen.findByText("Business opens at Level 3.")).toBeVisible();
  });

  it("asks nothing about a list, which has no author", async () => {
    const { seen } = open("/business/foundations/offers", true);
    await waitFor(() => expect(window.location.pathname).toBe("/studentdash"));
    expect(seen.filter(({ call }) => call === "GET /rest/v1/articles")).toEqual([]);
  });
});
