import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { adaId, memberRows, renderApp, sessionOf } from "@/app/testing/test-app.tsx";

const articleId = "7b7c0000-0000-4000-8000-000000000001";
const path = `/business/foundations/offers/${articleId}`;

/** The whole row: the page leads back to the list when the server's answer has another shape. */
const article = {
  id: articleId,
  slug: "first-offer",
  title: "The first offer",
  excerpt: "What a first offer says.",
  content: "Say what it costs.",
  featured_image_url: null,
  estimated_read_time: 4,
  tags: [],
  read_count: 0,
  rating_count: 0,
  rating_sum: 0,
  created_at: "2026-11-01T00:00:00Z",
  is_published: true,
  subcategory: { slug: "offers", name: "Offers" },
  author: { id: adaId, first_name: "Ada", last_name: "Lovelace", role: "mentor" },
  reads: [],
};

/** Opens the text of a locked section; the database shows it to its author only. */
function open(at: string, readable: boolean) {
  return renderApp(at, {
    session: sessionOf(),
    rows: memberRows({ level: 1 }),
    reply: ({ call }) =>
      call === "GET /rest/v1/articles" ? { body: readable ? [article] : [] } : undefined,
  });
}

describe("a text of a locked section", () => {
  it("opens for its author, whom the database lets read it", async () => {
    open(path, true);
    expect(await screen.findByRole("heading", { name: "The first offer" })).toBeVisible();
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
