import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, memberRows, renderApp, sessionOf, type Reply } from "@/app/testing/test-app.tsx";
import { contentPictureAddress } from "@/domain/content-pictures.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});

const idOf = (number: number) => `a0000000-0000-4000-8000-00000000000${number}`;

const card = (number: number, differs: object = {}) => ({
  id: idOf(number),
  slug: `article-${number}`,
  title: `Article ${number}`,
  excerpt: `What article ${number} says.`,
  featured_image_url: null,
  is_featured: false,
  is_read: false,
  author_id: null,
  author_first_name: null,
  author_role: null,
  estimated_read_time: 4,
  tags: [],
  read_count: 0,
  rating: null,
  rating_count: 0,
  rating_sum: 0,
  created_at: "2026-11-01T00:00:00Z",
  ...differs,
});

const shelf = (items: object[], differs: object = {}): Reply => ({
  body: {
    category: "general",
    shelf: "articles",
    required_level: 2,
    level: 2,
    is_open: true,
    subcategory: {
      id: "s",
      slug: "learning",
      name: "Learning",
      description: "How to learn.",
      color: "#0f766e",
      icon: "brain",
    },
    items,
    ...differs,
  },
});

const row = (number: number, differs: object = {}) => ({
  ...card(number),
  content: "## First things\n\nRead *this* [source](https://example.org/a).",
  is_published: true,
  subcategory: { slug: "learning", name: "Learning" },
  author: null,
  reads: [],
  ...differs,
});

interface Library {
  readonly items?: object[];
  readonly page?: Reply;
  readonly article?: object | null | Reply;
  readonly reply?: (call: string) => Reply | undefined;
}

const isReply = (value: object): value is Reply => "status" in value;

function open(path: string, { items = [], page, article, reply }: Library = {}) {
  let read = false;
  return renderApp(path, {
    session: sessionOf(),
    rows: memberRows({ level: 2 }),
    reply: ({ call }) => {
      if (call === "POST /rest/v1/rpc/questions_of") {
        return { body: { may_ask: true, may_answer: false, may_remove: false, items: [] } };
      }
      const own = reply?.(call);
      if (own?.status === 409) read = true;
      if (own) return own;
      if (call === "POST /rest/v1/rpc/subcategory_page") return page ?? shelf(items);
      if (call === "GET /rest/v1/articles") {
        if (!article) return { body: [] };
        if (isReply(article)) return article;
        return { body: [read ? { ...article, reads: [{ article_id: "x" }] } : article] };
      }
      if (call === "POST /rest/v1/article_reads") {
        read = true;
        return { status: 201 };
      }
      if (call === "PATCH /rest/v1/articles") return { status: 204 };
      return undefined;
    },
  });
}

const listPath = "/knowledge/foundations/learning";

describe("the articles of a subcategory", () => {
  it("are shown as cards with badges, author, minutes and up to three tags", async () => {
    open(listPath, {
      items: [
        card(1, { is_featured: true, tags: ["one", "two", "three", "four"] }),
        card(2, { is_read: true, author_first_name: "Helen" }),
      ],
    });
    const first = await screen.findByRole("article", { name: "Article 1" });
    expect(within(first).getByText("Featured")).toBeVisible();
    expect(within(first).queryByText("Read")).not.toBeInTheDocument();
    expect(within(first).getByText("Fourfold")).toBeVisible();
    expect(within(first).getByText("4 min read")).toBeVisible();
    expect(
      within(within(first).getByRole("list", { name: "Tags" }))
        .getAllByRole("listitem")
        .map((each) => each.textContent),
    ).toEqual(["one", "two", "three"]);
    expect(within(first).getByRole("link")).toHaveAttribute("href", `${listPath}/${idOf(1)}`);
    const second = screen.getByRole("article", { name: "Article 2" });
    expect(within(second).getByText("Read")).toBeVisible();
    expect(within(second).getByText("Helen")).toBeVisible();
    expect(within(second).queryByText("Featured")).not.toBeInTheDocument();
    expect(screen.getByRole("heading", { level: 1, name: "Learning" })).toBeVisible();
  });

  it("show images of this site, and draw a cover in place of others", async () => {
    open(listPath, {
      items: [
        card(1, { featured_image_url: "/covers/one.jpg" }),
        card(2, { featured_image_url: "https://elsewhere.example/two.jpg" }),
        card(3, { featured_image_url: contentPictureAddress(`${adaId}-3.jpg`) }),
      ],
    });
    const first = await screen.findByRole("article", { name: "Article 1" });
    expect(first.querySelector("img")).toHaveAttribute("src", "/covers/one.jpg");
    const second = screen.getByRole("article", { name: "Article 2" });
    expect(second.querySelector("img")).toBeNull();
    expect(second.querySelector("svg path")).not.toBeNull();
    const third = screen.getByRole("article", { name: "Article 3" });
    expect(third.querySelector("img")).toHaveAttribute(
      "src",
      `http://backend.test/storage/v1/object/public/content-pictures/${adaId}-3.jpg`,
    );
  });

  it("may be none", async () => {
    open(listPath);
    expect(await screen.findByText("No articles yet")).toBeVisible();
  });

  it("show a message for an unknown subcategory", async () => {
    open("/knowledge/foundations/nowhere", { page: shelf([], { subcategory: null }) });
    expect(await screen.findByRole("heading", { name: "Subcategory not found" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to Knowledge Foundations" })).toHaveAttribute(
      "href",
      "/knowledge/foundations",
    );
  });

  it("show an error when they fail to load", async () => {
    open(listPath, { page: { status: 500, body: { code: "XX000", message: "boom" } } });
    expect(await screen.findByText("We couldn't load the articles")).toBeVisible();
    expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled();
  });
});

describe("the reader", () => {
  const path = `${listPath}/${idOf(2)}`;
  const items = [card(1), card(2), card(3)];

  it("shows the text with author, role, minutes and all tags, and counts the opening once", async () => {
    const { seen } = open(path, {
      items,
      article: row(2, {
        read_count: 7,
        rating_count: 4,
        rating_sum: 18,
        tags: ["one", "two", "three", "four"],
        author: { id: "helen", first_name: "Helen", last_name: "Okafor", role: "mentor" },
      }),
    });
    expect(await screen.findByRole("heading", { level: 1, name: "Article 2" })).toBeVisible();
    expect(await screen.findByRole("heading", { level: 2, name: /^First things/ })).toBeVisible();
    expect(screen.getByRole("link", { name: "Helen Okafor" })).toHaveAttribute(
      "href",
      "/members/helen",
    );
    expect(screen.getByText("Rated 4.5 of 5 by 4 members")).toBeInTheDocument();
    expect(screen.getByText("Mentor")).toHaveAttribute("data-role", "mentor");
    expect(
      within(screen.getByRole("list", { name: "Tags" })).getAllByRole("listitem"),
    ).toHaveLength(4);
    expect(screen.getByRole("link", { name: "source" })).toHaveAttribute(
      "rel",
      "noopener noreferrer nofollow",
    );
    expect(document.title).toBe("Article 2 · Fourfold");
    await waitFor(() =>
      expect(
        seen.filter(({ call }) => call === "PATCH /rest/v1/articles").map(({ body }) => body),
      ).toEqual([{ read_count: 8, opened_from: "other" }]),
    );
  });

  it("links to the previous and next article, also by key", async () => {
    const { calls } = open(path, { items, article: row(2) });
    const ways = await screen.findByRole("navigation", { name: "Previous and next" });
    expect(await within(ways).findByRole("link", { name: /Previous: Article 1/ })).toHaveAttribute(
      "href",
      `${listPath}/${idOf(1)}`,
    );
    expect(within(ways).getByRole("link", { name: /Next: Article 3/ })).toBeVisible();
    await userEvent.keyboard("j");
    await waitFor(() => expect(window.location.pathname).toBe(`${listPath}/${idOf(3)}`));
    expect(calls().filter((call) => call.endsWith("subcategory_page"))).toHaveLength(1);
  });

  it("explains its keyboard shortcuts, and can turn off the letters", async () => {
    open(path, { items, article: row(2) });
    await screen.findByRole("link", { name: /Previous: Article 1/ });
    await userEvent.keyboard("?");
    const help = await screen.findByRole("dialog", { name: "Keyboard shortcuts" });
    const letters = within(help).getByLabelText("Use single-letter shortcuts");
    await userEvent.click(letters);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(help).not.toBeInTheDocument());
    await userEvent.keyboard("j");
    expect(window.location.pathname).toBe(path);
    await userEvent.keyboard("{ArrowLeft}");
    await waitFor(() => expect(window.location.pathname).toBe(`${listPath}/${idOf(1)}`));
    await userEvent.keyboard("?");
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole("button", { name: "Keyboard" }));
    await userEvent.click(await screen.findByLabelText("Use single-letter shortcuts"));
  });

  it.each([["at the top"], ["at the bottom"]])("is marked as read %s, once", async (place) => {
    const { seen } = open(path, { items, article: row(2) });
    const box = await screen.findByRole("region", { name: "Complete This Article" });
    const buttons = screen.getAllByRole("button", { name: "Mark as Read" });
    expect(buttons).toHaveLength(2);
    expect(box).toContainElement(buttons[1] ?? null);
    await userEvent.click(buttons[place === "at the top" ? 0 : 1] ?? box);
    expect(await screen.findByText("Completed")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Mark as Read" })).not.toBeInTheDocument();
    expect(
      seen.filter(({ call }) => call === "POST /rest/v1/article_reads").map(({ body }) => body),
    ).toEqual([{ user_id: adaId, article_id: idOf(2) }]);
    await waitFor(() => expect(document.body).not.toHaveFocus());
  });

  it("shows what was read before as completed", async () => {
    open(path, { items, article: row(2, { reads: [{ article_id: idOf(2) }] }) });
    expect(await screen.findByText("Completed")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Mark as Read" })).not.toBeInTheDocument();
  });

  it("does not promise authors that their own article counts towards their level", async () => {
    const author = { id: adaId, first_name: "Ada", last_name: "Byron", role: "mentor" };
    open(path, { items, article: row(2, { author }) });
    expect(await screen.findByText(/^This is your own article/)).toBeVisible();
    await userEvent.click(screen.getAllByRole("button", { name: "Mark as Read" })[0]!);
    expect(await screen.findByText("You've read this")).toBeVisible();
    expect(screen.queryByText(/counts? (it )?towards your level\. Read/)).not.toBeInTheDocument();
    expect(screen.getByText(/^This is your own article/)).toBeVisible();
  });

  it("treats a repeated read as success", async () => {
    open(path, {
      items,
      article: row(2),
      reply: (call) =>
        call === "POST /rest/v1/article_reads"
          ? { status: 409, body: { code: "23505", message: "duplicate" } }
          : undefined,
    });
    await userEvent.click((await screen.findAllByRole("button", { name: "Mark as Read" }))[0]!);
    expect(await screen.findByText("Completed")).toBeVisible();
  });

  it("only logs a failed mark, keeps the button, and counts the view again", async () => {
    let broken = true;
    const refused = { status: 400, body: { code: "FF403", message: "Open it first" } };
    const { calls } = open(path, {
      items,
      article: row(2),
      reply: (call) =>
        broken && (call === "PATCH /rest/v1/articles" || call.endsWith("article_reads"))
          ? refused
          : undefined,
    });
    await userEvent.click((await screen.findAllByRole("button", { name: "Mark as Read" }))[0]!);
    await waitFor(() =>
      expect(console.error).toHaveBeenCalledWith(
        "The article was not marked as read",
        expect.anything(),
      ),
    );
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    broken = false;
    // Pressed until it takes: for a moment the first try may still hold the button.
    await waitFor(async () => {
      const [again] = screen.queryAllByRole("button", { name: "Mark as Read" });
      if (again) await userEvent.click(again);
      expect(screen.getByText("Completed")).toBeVisible();
    });
    expect(
      calls().filter((call) => call === "PATCH /rest/v1/articles").length,
    ).toBeGreaterThanOrEqual(3);
  });

  it.each([[path], [`${listPath}/not-an-id`]])("does not find %s", async (address) => {
    open(address, { items, article: null });
    expect(await screen.findByRole("heading", { name: "Article not found" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Back to the articles" })).toHaveAttribute(
      "href",
      listPath,
    );
  });

  it("redirects to the list when the article fails to load", async () => {
    open(path, { items, article: { status: 500, body: { code: "XX000", message: "boom" } } });
    expect(await screen.findByRole("article", { name: "Article 1" })).toBeVisible();
    expect(window.location.pathname).toBe(listPath);
  });

  it("is locked without an active membership", async () => {
    open(path, { article: null, page: shelf([], { is_open: false, subcategory: null }) });
    expect(await screen.findByText("The library is locked")).toBeVisible();
  });
});
