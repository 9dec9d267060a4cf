import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as texts from "./model/text-document.ts";
import { draftId, openStudio } from "./testing/studio-screen.ts";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const content = "1. one\n\n   two\n\n   ```\n   code\n   ```\n2. three\n\nLast\nline.\n";
const page = `/studio/${draftId}`;
const textbox = async () => screen.findByRole("textbox", { name: "Article" });
const save = async () => userEvent.keyboard("{Control>}s{/Control}");
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));

/** As if the editor could not keep the text. */
function cannotKeep() {
  const { openText } = texts;
  vi.spyOn(texts, "openText").mockImplementation((markdown) => {
    const opened = openText(markdown);
    return opened && { ...opened, isFaithful: false };
  });
}

describe("a text that is opened", () => {
  it("is not saved before something is written", async () => {
    const { server } = openStudio(page, { content: { content } });
    await textbox();
    await save();
    await press("Markdown");
    await press("Markdown");
    await textbox();
    await save();
    expect(screen.getByText("All changes saved")).toBeVisible();
    expect(server.saves).toEqual([]);
  });

  it("stays as it is around a box that is ticked", async () => {
    const list = "- [ ] wash\n- [x] iron";
    const { server } = openStudio(page, { content: { content: `${content}\n${list}\n` } });
    await textbox();
    const [first, second] = screen.getAllByRole("checkbox", { name: "Done" });
    expect(second).toBeChecked();
    await userEvent.click(first as HTMLElement);
    await save();
    await waitFor(() => expect(server.saves).toHaveLength(1));
    expect(server.saves[0]?.fields.content).toBe(`${content}\n- [x] wash\n- [x] iron\n`);
  });
});

describe("a text that the editor would change", () => {
  it("is not shown in the editor or saved until the mentor chooses", async () => {
    cannotKeep();
    const { server } = openStudio(page, { content: { content } });
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "The editor can’t show this text exactly",
    );
    expect(screen.queryByRole("textbox", { name: "Article" })).not.toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Article, unchanged" })).toHaveTextContent("code");
    await save();
    // Other fields are saved with the text as it is.
    await userEvent.type(await screen.findByLabelText("Title"), "!");
    await save();
    await waitFor(() => expect(server.saves).toHaveLength(1));
    expect(server.saves[0]?.fields.content).toBe(content);
    await press("Edit as Markdown");
    expect(await screen.findByRole("textbox", { name: "Article as Markdown" })).toHaveValue(
      content,
    );
    expect(server.saves).toHaveLength(1);
  });

  it("is opened in the editor when the mentor says so, and saved with the first change", async () => {
    cannotKeep();
    const { server } = openStudio(page, { content: { content } });
    await press("Open in the editor anyway");
    expect(await textbox()).toBeVisible();
    await save();
    expect(server.saves).toEqual([]);
  });

  it("can only be edited as Markdown when it is nested too deeply", async () => {
    const deep = `${"> ".repeat(60)}deep`;
    const { server } = openStudio(page, { content: { content: deep } });
    expect(await screen.findByRole("alert")).toHaveTextContent("nested too deeply");
    expect(
      screen.queryByRole("button", { name: "Open in the editor anyway" }),
    ).not.toBeInTheDocument();
    await press("Edit as Markdown");
    const field = await screen.findByRole("textbox", { name: "Article as Markdown" });
    await userEvent.type(field, "er");
    await save();
    await waitFor(() => expect(server.saves).toHaveLength(1));
    expect(server.saves[0]?.fields.content).toBe(`${deep}er`);
  });
});
