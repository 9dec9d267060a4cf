import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { memberRows, renderApp, renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import { averageRating } from "@/domain/rating.ts";
import { RatingPanel } from "./index.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const articleId = "a0000000-0000-4000-8000-000000000001";
const path = `/knowledge/foundations/learning/${articleId}`;

const article = {
  id: articleId,
  slug: "slow-mornings",
  title: "Slow mornings",
  excerpt: "",
  content: "A text.",
  featured_image_url: null,
  is_featured: false,
  is_published: true,
  author_id: null,
  author: null,
  estimated_read_time: 4,
  tags: [],
  read_count: 0,
  rating_count: 2,
  rating_sum: 9,
  created_at: "2026-11-01T00:00:00Z",
  subcategory: { slug: "learning", name: "Learning" },
  reads: [{ article_id: articleId }],
};

interface Given {
  readonly mayRate?: boolean;
  readonly own?: { stars: number; sentence: string | null } | null;
  readonly refusal?: string;
}

/** The article of a server that keeps the member's rating. */
function open({ mayRate = true, own = null, refusal }: Given = {}) {
  const state = { own };
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level: 2 }),
    reply: ({ call, body }) => {
      switch (call) {
        case "GET /rest/v1/articles":
          return { body: [article] };
        case "PATCH /rest/v1/articles":
          return { status: 204 };
        case "POST /rest/v1/rpc/questions_of":
          return { body: { may_ask: true, may_answer: false, may_remove: false, items: [] } };
        case "POST /rest/v1/rpc/rating_of":
          return { body: { count: 2, average: 4.5, may_rate: mayRate, own: state.own } };
        case "POST /rest/v1/rpc/rate_text": {
          if (refusal !== undefined) {
            return { status: 400, body: { code: refusal, message: "No" } };
          }
          const { stars, sentence } = body as { stars: number; sentence: string };
          state.own = { stars, sentence: sentence === "" ? null : sentence };
          return { status: 204 };
        }
        default:
          return undefined;
      }
    },
  });
}

const panel = () => screen.findByRole("region", { name: "What did you think of this article?" });

describe("a rating", () => {
  it("asks for stars, sends them with the sentence, and can be changed", async () => {
    const { seen } = open();
    const region = await panel();
    await userEvent.click(within(region).getByRole("button", { name: "Save rating" }));
    expect(await within(region).findByRole("alert")).toHaveTextContent("Choose 1 to 5 stars.");
    expect(seen.some(({ call }) => call === "POST /rest/v1/rpc/rate_text")).toBe(false);
    await userEvent.click(within(region).getByRole("radio", { name: /^4 stars/ }));
    await userEvent.keyboard("{ArrowRight}");
    await userEvent.type(within(region).getByLabelText("One sentence (optional)"), "Worth it.");
    await userEvent.click(within(region).getByRole("button", { name: "Save rating" }));
    expect(await within(region).findByRole("button", { name: "Change rating" })).toBeVisible();
    expect(seen.find(({ call }) => call === "POST /rest/v1/rpc/rate_text")?.body).toEqual({
      article_id: articleId,
      stars: 5,
      sentence: "Worth it.",
    });
    expect(within(region).getByRole("radio", { name: /^5 stars/ })).toBeChecked();
  });

  it("shows what one gave before", async () => {
    open({ own: { stars: 2, sentence: "Too long." } });
    const region = await panel();
    expect(within(region).getByRole("radio", { name: /^2 stars/ })).toBeChecked();
    expect(within(region).getByLabelText("One sentence (optional)")).toHaveValue("Too long.");
  });

  it("is not offered to whoever may not rate", async () => {
    const { calls } = open({ mayRate: false });
    await waitFor(() => expect(calls()).toContain("POST /rest/v1/rpc/rating_of"));
    expect(await screen.findByRole("heading", { level: 1, name: "Slow mornings" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Save rating" })).not.toBeInTheDocument();
  });

  it("says why it was not saved, and keeps what was written", async () => {
    open({ refusal: "FF730" });
    const region = await panel();
    await userEvent.click(within(region).getByRole("radio", { name: /^1 star:/ }));
    await userEvent.type(within(region).getByLabelText("One sentence (optional)"), "Hm.");
    await userEvent.click(within(region).getByRole("button", { name: "Save rating" }));
    expect(
      await within(region).findByText(
        "We couldn't save your rating. This is no longer open to you.",
      ),
    ).toBeVisible();
    expect(within(region).getByLabelText("One sentence (optional)")).toHaveValue("Hm.");
  });
});

describe("a rating of a course", () => {
  it("is quoted in public only after its member agreed, and no longer when they don't", async () => {
    const courseId = "c0000000-0000-4000-8000-000000000001";
    let own: unknown = null;
    const { seen } = renderPage(<RatingPanel text={{ courseId }} />, {
      session: sessionOf(),
      rows: memberRows({ level: 2 }),
      reply: ({ call, body }) => {
        if (call === "POST /rest/v1/rpc/rating_of") {
          return { body: { count: 0, average: null, may_rate: true, own } };
        }
        if (call !== "POST /rest/v1/rpc/rate_text") return undefined;
        own = body;
        return { status: 204 };
      },
    });
    const sent = () =>
      seen.filter(({ call }) => call.endsWith("rate_text")).map(({ body }) => body);
    const words = { course_id: courseId, stars: 4, sentence: "Worth it." };
    await userEvent.click(await screen.findByRole("radio", { name: /^4 stars/ }));
    await userEvent.type(screen.getByLabelText("One sentence (optional)"), "Worth it.");
    const box = () =>
      screen.getByRole("checkbox", { name: "Show my sentence on this course's public page" });
    expect(box()).not.toBeChecked();
    await userEvent.click(box());
    await userEvent.click(screen.getByRole("button", { name: "Save rating" }));
    await userEvent.click(await screen.findByRole("button", { name: "Change rating" }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(box()).toBeChecked();
    await userEvent.click(box());
    await userEvent.click(screen.getByRole("button", { name: "Change rating" }));
    await waitFor(() => expect(sent()).toHaveLength(3));
    expect(sent()).toEqual([
      { ...words, may_quote: true },
      { ...words, may_quote: true },
      { ...words, may_quote: false },
    ]);
  });
});

describe("the average", () => {
  it("has one decimal, and is none without ratings", () => {
    expect(averageRating(3, 13)).toEqual({ average: 4.3, count: 3 });
    expect(averageRating(0, 0)).toEqual({ average: null, count: 0 });
  });
});

describe("the ratings of a text", () => {
  function open(role: string) {
    return renderApp(`/studio/analytics/articles/${articleId}`, {
      session: sessionOf(),
      rows: memberRows({ level: 2, role }),
      reply: ({ call }) => {
        const sentence = { id: articleId, stars: 5, sentence: "Short.", month: "2026-03-01" };
        switch (call) {
          case "POST /rest/v1/rpc/my_article_analytics":
            return {
              body: {
                id: articleId,
                title: "Slow mornings",
                is_published: true,
                readers: 1,
                reads: 1,
                questions: 0,
                open_questions: 0,
                days: [],
                today: "2026-04-02",
                comparison: { own_articles: 2, own_rate: 40, category_rate: null },
              },
            };
          case "POST /rest/v1/rpc/sources_of_text":
            return { body: [] };
          case "POST /rest/v1/rpc/ratings_of_text":
            return {
              body: {
                count: 1,
                average: 5,
                distribution: [0, 0, 0, 0, 1],
                may_take_down: role === "admin",
                sentences: [sentence],
              },
            };
          case "POST /rest/v1/rpc/remove_rating_comment":
            return { status: 204 };
          default:
            return undefined;
        }
      },
    });
  }

  it("say of a sentence in which month it was written, and no day", async () => {
    open("mentor");
    const region = await screen.findByRole("region", { name: "Ratings" });
    expect(await within(region).findByText("5 stars, March 2026")).toBeVisible();
    const figureOf = (label: string) => screen.getByText(label, { selector: "dt" }).parentElement;
    expect(figureOf("Your other articles")).toHaveTextContent("40%read to the end, median");
    expect(figureOf("The category")).toHaveTextContent("–too few articles to compare with");
  });

  it("lose a sentence by an administrator alone, who tells its author why", async () => {
    const mentors = open("mentor");
    expect(await screen.findByText("5 stars, March 2026")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Take down" })).toBeNull();
    mentors.unmount();
    const { seen } = open("admin");
    await userEvent.click(await screen.findByRole("button", { name: "Take down" }));
    const question = within(await screen.findByRole("alertdialog"));
    const confirm = question.getByRole("button", { name: "Take down" });
    await userEvent.click(confirm);
    const why = question.getByRole("textbox", { name: "Why" });
    expect(why).toHaveAccessibleDescription(/Tell the author why/);
    await userEvent.type(why, " It names a client. ");
    await userEvent.click(confirm);
    await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
    const removed = seen.filter(({ call }) => call.endsWith("/rpc/remove_rating_comment"));
    expect(removed.map(({ body }) => body)).toEqual([
      { rating_id: articleId, explanation: "It names a client." },
    ]);
  });
});
