import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { suggestedExcerpt } from "./model/first-words.ts";
import type { DraftModule } from "./model/draft.ts";
import { draftId, openStudio } from "./testing/studio-screen.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
  // What the editor measures and this document does not have.
  Object.assign(Range.prototype, {
    getClientRects: () => [],
    getBoundingClientRect: () => new DOMRect(),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const editor = `/studio/${draftId}`;
const text = "## Why\n\nPlan the **week** on [Sunday](https://example.com).\n\nThen rest.";

/** A window in which nothing but the page itself fits. */
function onPhone() {
  const list = { matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.stubGlobal("matchMedia", () => list);
}

const isBefore = (first: Element, second: Element) =>
  Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING);

describe("the editor of an article", () => {
  it("begins with title and text; everything about them stands after", async () => {
    openStudio(editor, { content: { content: text } });
    const title = await screen.findByRole("textbox", { name: "Title" });
    const article = await screen.findByRole("textbox", { name: "Article" });
    const settings = screen.getByRole("region", { name: "Settings" });
    expect(isBefore(title, article)).toBe(true);
    expect(isBefore(article, settings)).toBe(true);
    for (const name of ["Excerpt", "Address", "Category", "Subcategory", "Tags"]) {
      expect(within(settings).getByLabelText(name), name).toBeVisible();
    }
    expect(
      screen.getByRole("heading", { level: 1, name: "A Plan for Monday" }),
    ).toBeInTheDocument();
  });

  it.each([
    ["one without a title", "", true],
    ["one that has a title", "A Plan for Monday", false],
  ])("begins %s in the title or leaves the focus alone", async (_which, title, isFocused) => {
    openStudio(editor, { content: { title, content: text } });
    await screen.findByRole("textbox", { name: "Article" });
    const field = screen.getByRole("textbox", { name: "Title" });
    await waitFor(() => expect(document.activeElement === field).toBe(isFocused));
    if (!isFocused) return;
    await userEvent.keyboard("N");
    expect(field).toHaveValue("N");
  });

  it("leaves the focus alone on a phone, where the keyboard would cover a new draft", async () => {
    onPhone();
    openStudio(editor, { content: { title: "", content: text } });
    await screen.findByRole("textbox", { name: "Article" });
    expect(screen.getByRole("textbox", { name: "Title" })).not.toHaveFocus();
  });

  it("leads from the title into the text by Enter", async () => {
    const { server } = openStudio(editor, { content: { content: text } });
    const article = await screen.findByRole("textbox", { name: "Article" });
    await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "!{Enter}");
    expect(article).toHaveFocus();
    await userEvent.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(server.fields.title).toBe("A Plan for Monday!"));
    await userEvent.click(screen.getByRole("button", { name: "Markdown" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Title" }), "{Enter}");
    expect(screen.getByRole("textbox", { name: "Article as Markdown" })).toHaveFocus();
  });

  it.each([
    ["words", text, 1],
    ["nothing", "", 0],
    ["no words", "---\n\n## \n", 0],
  ])("says how long reading takes of a text with %s", async (_, content, count) => {
    openStudio(editor, { content: { content } });
    await screen.findByRole("textbox", { name: "Article" });
    expect(screen.queryAllByText(/min read$/)).toHaveLength(count);
  });

  it("offers a time and the archive once there is something to publish or to put away", async () => {
    openStudio(editor, { content: { title: "" } });
    const title = await screen.findByRole("textbox", { name: "Title" });
    const button = (name: string) => screen.queryByRole("button", { name });
    const [time, archive] = ["Choose a time to publish", "Archive"] as const;
    expect(button("Submit for review")).toBeVisible();
    expect(button(time)).not.toBeInTheDocument();
    expect(button(archive)).not.toBeInTheDocument();
    await userEvent.type(title, "An idea");
    expect(button(time)).not.toBeInTheDocument();
    expect(button(archive)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Markdown" }));
    await userEvent.type(screen.getByRole("textbox", { name: "Article as Markdown" }), "Walk.");
    expect(button(time)).toBeVisible();
  });

  it("keeps the settings in a sheet on a phone, with the time and the archive", async () => {
    onPhone();
    const { server } = openStudio(editor, { content: { content: text } });
    await screen.findByRole("textbox", { name: "Article" });
    expect(screen.queryByLabelText("Tags")).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Settings" }));
    const sheet = within(await screen.findByRole("dialog", { name: "Settings" }));
    expect(sheet.getByRole("button", { name: "Choose a time to publish" })).toBeVisible();
    expect(sheet.getByRole("button", { name: "Archive" })).toBeVisible();
    await userEvent.type(sheet.getByLabelText("Tags"), "weeks, planning");
    await userEvent.click(sheet.getByRole("button", { name: "Close" }));
    await userEvent.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(server.fields.tags).toEqual(["weeks", "planning"]));
  });

  it("shows on a phone where the time is that cannot be used", async () => {
    onPhone();
    openStudio(editor, { content: { content: text } });
    await userEvent.click(await screen.findByRole("button", { name: "Settings" }));
    await userEvent.click(await screen.findByRole("button", { name: "Choose a time to publish" }));
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await userEvent.click(await screen.findByRole("button", { name: "Submit for review" }));
    expect(await screen.findByText("Choose a date and a time.")).toBeVisible();
  });
});

describe("an excerpt that is left empty", () => {
  const made = "Plan the week on Sunday.";

  it("is shown as it will be, and can be taken and changed", async () => {
    openStudio(editor, { content: { content: text } });
    expect(await screen.findByText(made)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Use it and edit" }));
    expect(screen.getByLabelText("Excerpt")).toHaveValue(made);
    expect(screen.queryByRole("button", { name: "Use it and edit" })).not.toBeInTheDocument();
  });

  it("is made from the text when the draft is submitted, and never replaces one's own", async () => {
    const { server } = openStudio(editor, { content: { content: text } });
    await userEvent.click(await screen.findByRole("button", { name: "Submit for review" }));
    await waitFor(() => expect(server.fields.excerpt).toBe(made));
    const field = screen.getByLabelText("Excerpt");
    await userEvent.clear(field);
    await userEvent.type(field, "My own.");
    await userEvent.click(screen.getByRole("button", { name: "Submit for review" }));
    await waitFor(() => expect(server.fields.excerpt).toBe("My own."));
  });

  it("follows the text after a refused submission, and again when the draft is opened later", async () => {
    const { server, unmount } = openStudio(editor, {
      content: { content: "Plan the week on Sunday.\n" },
      refuses: true,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Markdown" }));
    const words = await screen.findByRole("textbox", { name: "Article as Markdown" });
    const submit = screen.getByRole("button", { name: "Submit for review" });
    await userEvent.click(submit);
    expect(await screen.findByRole("alert")).toBeVisible();
    expect(server.fields.excerpt).toBe(made);
    expect(screen.getByLabelText("Excerpt")).toHaveValue("");
    await userEvent.click(submit);
    await waitFor(() => expect(submit).toBeEnabled());
    // The same text makes no further version.
    expect(server.saves).toHaveLength(1);
    await userEvent.clear(words);
    await userEvent.type(words, "Rest first.");
    await userEvent.click(submit);
    await waitFor(() => expect(server.fields.excerpt).toBe("Rest first."));
    unmount();
    // What the version was given is no text of the mentor's.
    const { content, excerpt } = server.fields;
    openStudio(editor, { content: { content, excerpt } });
    expect(await screen.findByText("Rest first.", { selector: "[data-suggestion]" })).toBeVisible();
    expect(screen.getByLabelText("Excerpt")).toHaveValue("");
  });

  it("stays as it was written when a draft is opened again", async () => {
    openStudio(editor, { content: { content: text, excerpt: "My own." } });
    await screen.findByRole("textbox", { name: "Article" });
    expect(screen.getByLabelText("Excerpt")).toHaveValue("My own.");
  });

  it("stays empty when the draft is only looked at", async () => {
    const { server, router } = openStudio(editor, { content: { content: text } });
    await userEvent.type(await screen.findByRole("textbox", { name: "Title" }), "!");
    await userEvent.click(screen.getByRole("button", { name: "Preview" }));
    await waitFor(() => expect(router.state.location.pathname).toBe(`${editor}/preview`));
    expect(server.fields).toMatchObject({ title: "A Plan for Monday!", excerpt: "" });
  });

  const lesson = (content: string): DraftModule => ({
    slug: "one",
    title: "One",
    content,
    minutes: null,
    videoUrl: null,
  });
  const long = "Forty words say nothing. ".repeat(40);

  it.each([
    ["the first paragraph without marks", "article", text, [], made],
    ["nothing of a text without words", "article", "![A field](/x.png)\n\n---", [], ""],
    [
      "the first lesson with words",
      "course",
      "",
      [lesson("# Day"), lesson("Walk.\nRun.")],
      "Walk. Run.",
    ],
  ] as const)("is %s", (_, kind, content, modules, expected) => {
    expect(suggestedExcerpt(kind, { content, modules })).toBe(expected);
  });

  it("is cut between words, at what publishing takes", () => {
    const article = suggestedExcerpt("article", { content: long, modules: [] });
    const course = suggestedExcerpt("course", { content: "", modules: [lesson(long)] });
    for (const [made_, limit] of [
      [article, 200],
      [course, 300],
    ] as const) {
      expect(made_.length).toBeLessThanOrEqual(limit);
      expect(made_.length).toBeGreaterThan(limit - 20);
      expect(made_).toMatch(/ (?:Forty|words|say|nothing\.)…$/);
    }
  });
});

describe("the editor of a course on a phone", () => {
  it("folds the modules away, in front of the lesson", async () => {
    onPhone();
    const modules = ["First", "Second"].map((title) => ({
      slug: title.toLowerCase(),
      title,
      content: `About ${title}.`,
      minutes: null,
      videoUrl: null,
    }));
    openStudio(editor, { kind: "course", content: { modules } });
    expect(await screen.findByRole("textbox", { name: "Lesson 1" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "2. Second" })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: /^Show \d modules?$/ }));
    await userEvent.click(screen.getByRole("button", { name: "2. Second" }));
    expect(await screen.findByRole("textbox", { name: "Lesson 2" })).toBeVisible();
  });
});
