import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { adaId, renderPage, sessionOf } from "@/app/testing/test-app.tsx";
import type { DraftDetail } from "./api/drafts.ts";
import { DraftEditor } from "./components/draft-editor.tsx";
import type { DraftContent } from "./model/draft.ts";
import { issuesAfterChange } from "./model/studio-errors.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.unstubAllGlobals());

const draft = (kind: DraftDetail["kind"]): DraftDetail => ({
  id: "44444444-4444-4444-8444-444444444444",
  ownerId: adaId,
  ownerName: "Ada Lovelace",
  kind,
  status: "draft",
  title: "",
  version: 3,
  publishedVersion: null,
  submittedAt: null,
  publishAt: null,
  updatedAt: Date.now(),
  comments: [],
  publishesDirectly: false,
  content: {
    title: "",
    subcategoryId: null,
    slug: "",
    excerpt: "",
    tags: [],
    content: "",
    difficulty: "beginner",
    price: 0,
    modules: [],
    cover: null,
  },
});

const texts = {
  title: "Give it a title.",
  subcategory_id: "Choose where it belongs.",
  excerpt: "Say in a sentence what it is about.",
  content: "Write the text.",
  tags: "Use at most five tags.",
  "modules.2": "Write the second lesson.",
};

describe("a draft that is not ready to be submitted", () => {
  it.each([
    ["article", "Complete: Title, Excerpt, Subcategory, Tags", ["Text"]],
    ["course", "Complete: Title, Excerpt, Subcategory", ["Text", "Tags", "Module 2"]],
  ] as const)("says once what is missing: %s", async (kind, below, named) => {
    const issues = Object.entries(texts).map(([field, message]) => ({ field, message }));
    const body = { code: "FF654", message: "Not ready", details: JSON.stringify(issues) };
    renderPage(<DraftEditor draft={draft(kind)} onReload={() => Promise.resolve()} />, {
      session: sessionOf(),
      rows: { draft_versions: [] },
      reply: ({ call }) => {
        if (call.endsWith("/studio_subcategories")) return { body: [] };
        return call.endsWith("/submit_draft") ? { status: 400, body } : undefined;
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Submit for review" }));
    const alert = await screen.findByRole("alert");
    expect(within(alert).getAllByRole("listitem")[0]).toHaveTextContent(below);
    for (const name of named) expect(within(alert).getByText(`${name}:`)).toBeVisible();
    for (const text of Object.values(texts)) {
      const said = screen.getAllByText((_, element) => {
        const own = [...(element?.childNodes ?? [])].filter(({ nodeType }) => nodeType === 3);
        return own
          .map(({ textContent }) => textContent)
          .join("")
          .includes(text);
      });
      expect(said, text).toHaveLength(1);
    }
    expect(screen.queryByText(/^A few things are missing/)).not.toBeInTheDocument();
  });

  it("counts the warnings about the text with what is missing", async () => {
    const details = JSON.stringify([{ field: "tags", message: texts.tags }]);
    const written = draft("article");
    const content = "<b>No</b>\n\n[Here](http://192.168.0.1)\n";
    renderPage(
      <DraftEditor
        draft={{ ...written, content: { ...written.content, excerpt: "About it.", content } }}
        onReload={() => Promise.resolve()}
      />,
      {
        session: sessionOf(),
        rows: { draft_versions: [] },
        reply: ({ call }) => {
          if (call.endsWith("/studio_subcategories")) return { body: [] };
          return call.endsWith("/submit_draft")
            ? { status: 400, body: { code: "FF654", message: "Not ready", details } }
            : undefined;
        },
      },
    );
    const below = within(await screen.findByRole("list", { name: "Not allowed in the library" }));
    const count = below.getAllByRole("listitem").length;
    expect(count).toBeGreaterThan(1);
    await userEvent.click(await screen.findByRole("button", { name: "Submit for review" }));
    const alert = within(await screen.findByRole("alert"));
    expect(
      await alert.findByText(`see the ${count} warnings below it.`, { exact: false }),
    ).toBeVisible();
  });

  it.each(["beside the text", "of a phone"])(
    "leads from its name to a field, also into the settings %s",
    async (where) => {
      const isPhone = where === "of a phone";
      const list = { matches: !isPhone, addEventListener: vi.fn(), removeEventListener: vi.fn() };
      vi.stubGlobal("matchMedia", () => list);
      const details = JSON.stringify([
        { field: "title", message: texts.title },
        { field: "tags", message: texts.tags },
      ]);
      renderPage(<DraftEditor draft={draft("article")} onReload={() => Promise.resolve()} />, {
        session: sessionOf(),
        rows: { draft_versions: [] },
        reply: ({ call }) => {
          if (call.endsWith("/studio_subcategories")) return { body: [] };
          return call.endsWith("/submit_draft")
            ? { status: 400, body: { code: "FF654", message: "Not ready", details } }
            : undefined;
        },
      });
      await userEvent.click(await screen.findByRole("button", { name: "Submit for review" }));
      const alert = within(await screen.findByRole("alert"));
      await userEvent.click(alert.getByRole("button", { name: "Title" }));
      expect(screen.getByRole("textbox", { name: "Title" })).toHaveFocus();
      await userEvent.click(alert.getByRole("button", { name: "Tags" }));
      const settings = isPhone
        ? within(await screen.findByRole("dialog", { name: "Settings" }))
        : screen;
      const tags = settings.getByRole("textbox", { name: /^Tags/ });
      await waitFor(() => expect(tags).toHaveFocus());
      if (!isPhone) return;
      await userEvent.keyboard("{Escape}");
      await waitFor(() => expect(alert.getByRole("button", { name: "Tags" })).toHaveFocus());
    },
  );

  it.each([false, true])(
    "has the focus on what is missing, after a question as well: %s",
    async (publishesDirectly) => {
      const details = JSON.stringify([{ field: "title", message: texts.title }]);
      const own = { ...draft("article"), publishesDirectly };
      renderPage(<DraftEditor draft={own} onReload={() => Promise.resolve()} />, {
        session: sessionOf(),
        rows: { draft_versions: [] },
        reply: ({ call }) => {
          if (call.endsWith("/studio_subcategories")) return { body: [] };
          return call.endsWith("/submit_draft")
            ? { status: 400, body: { code: "FF654", message: "Not ready", details } }
            : undefined;
        },
      });
      const label = publishesDirectly ? "Publish" : "Submit for review";
      await userEvent.click(await screen.findByRole("button", { name: label }));
      if (publishesDirectly) {
        const question = within(await screen.findByRole("alertdialog"));
        await userEvent.click(question.getByRole("button", { name: label }));
      }
      const alert = await screen.findByRole("alert");
      await waitFor(() => expect(alert.parentElement).toHaveFocus());
      await waitFor(() => expect(screen.queryByRole("alertdialog")).not.toBeInTheDocument());
      // The window gives the focus back a moment after it is gone.
      await new Promise((resolve) => void setTimeout(resolve, 0));
      expect(alert.parentElement).toHaveFocus();
      await userEvent.tab();
      expect(within(alert).getByRole("button", { name: "Title" })).toHaveFocus();
    },
  );

  it("takes away each issue once its field is changed, and no other", async () => {
    const issues = ["title", "excerpt", "tags"] as const;
    const details = JSON.stringify(issues.map((field) => ({ field, message: texts[field] })));
    renderPage(<DraftEditor draft={draft("article")} onReload={() => Promise.resolve()} />, {
      session: sessionOf(),
      rows: { draft_versions: [] },
      reply: ({ call }) => {
        if (call.endsWith("/studio_subcategories")) return { body: [] };
        return call.endsWith("/submit_draft")
          ? { status: 400, body: { code: "FF654", message: "Not ready", details } }
          : undefined;
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Submit for review" }));
    const named = () => within(screen.getByRole("alert")).getAllByRole("button");
    await screen.findByText(texts.title);
    const title = screen.getByRole("textbox", { name: "Title" });
    expect(title).toBeInvalid();
    await userEvent.type(title, "M");
    expect(title).not.toBeInvalid();
    expect(screen.queryByText(texts.title)).not.toBeInTheDocument();
    expect(named().map(({ textContent }) => textContent)).toEqual(["Excerpt", "Tags"]);
    await userEvent.type(screen.getByLabelText("Excerpt"), "A");
    await userEvent.type(screen.getByRole("textbox", { name: /^Tags/ }), "a");
    expect(screen.queryByRole("alert")).not.toBeInTheDocument();
    expect(screen.queryByText(texts.tags)).not.toBeInTheDocument();
  });
});

describe("the issues that a change leaves", () => {
  const lesson = { slug: "a", title: "A", content: "", minutes: null, videoUrl: null };
  const content = { ...draft("course").content, modules: [lesson, { ...lesson, slug: "b" }] };
  const left = (changes: Partial<DraftContent>) =>
    issuesAfterChange(
      ["subcategory_id", "modules", "modules.1", "modules.2", "content"].map((field) => ({
        field,
        message: "",
      })),
      content,
      { ...content, ...changes },
    ).map(({ field }) => field);

  it.each([
    ["the same values", { modules: structuredClone(content.modules), title: "New" }, []],
    ["a subcategory", { subcategoryId: "s" }, ["subcategory_id"]],
    ["the text", { content: "Words" }, ["content"]],
    [
      "the second lesson",
      { modules: [lesson, { ...lesson, slug: "b", title: "B" }] },
      ["modules.2"],
    ],
    [
      "an address of a lesson",
      { modules: [lesson, { ...lesson, slug: "c" }] },
      ["modules", "modules.2"],
    ],
    ["a third lesson", { modules: [...content.modules, lesson] }, ["modules"]],
    ["one lesson less", { modules: [lesson] }, ["modules", "modules.2"]],
  ] as const)("are all but those about %s", (_, changes, mended) => {
    const all = ["subcategory_id", "modules", "modules.1", "modules.2", "content"];
    expect(left(changes)).toEqual(all.filter((field) => !mended.some((each) => each === field)));
  });
});
