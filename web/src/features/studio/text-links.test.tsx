import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { linkAddress } from "./model/link-address.ts";
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
afterEach(() => vi.restoreAllMocks());

const page = `/studio/${draftId}`;
const textbox = async () => screen.findByRole("textbox", { name: "Article" });
const linkWindow = async () => within(await screen.findByRole("dialog", { name: "Link" }));
const save = async () => userEvent.keyboard("{Control>}s{/Control}");

/** Puts the cursor into the words, or selects them. */
function select(text: HTMLElement, isCursor = false) {
  const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT).nextNode() as Text;
  text.focus();
  document.getSelection()?.setBaseAndExtent(words, isCursor ? 2 : 0, words, isCursor ? 2 : 5);
  document.dispatchEvent(new Event("selectionchange"));
}

describe("linking words of a text", () => {
  it("asks for the address by Ctrl and K instead of opening the search, and writes Markdown", async () => {
    const { server } = openStudio(page, { content: { content: "Rates are here.\n" } });
    const text = await textbox();
    const keysForThePage: string[] = [];
    const note = ({ key }: KeyboardEvent) => void keysForThePage.push(key);
    window.addEventListener("keydown", note);
    select(text);
    await userEvent.keyboard("{Control>}k{/Control}");
    window.removeEventListener("keydown", note);
    // The search listens there.
    expect(keysForThePage).toEqual(["Control"]);
    const dialog = await linkWindow();
    expect(dialog.getByText("On “Rates”")).toBeVisible();
    await userEvent.type(dialog.getByLabelText("Address"), "javascript:alert(1)");
    await userEvent.click(dialog.getByRole("button", { name: "Save link" }));
    expect(dialog.getByText(/^Enter an https address/)).toBeVisible();
    await userEvent.clear(dialog.getByLabelText("Address"));
    await userEvent.type(dialog.getByLabelText("Address"), "gov.uk/vat-rates{Enter}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await save();
    await waitFor(() =>
      expect(server.fields.content).toBe("[Rates](https://gov.uk/vat-rates) are here.\n"),
    );
    await waitFor(() => expect(text).toHaveFocus());
  });

  it("leaves the cursor behind the link, so that what is written next neither replaces it nor belongs to it", async () => {
    const { server } = openStudio(page, { content: { content: "Rates are here.\n" } });
    const text = await textbox();
    select(text);
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.type((await linkWindow()).getByLabelText("Address"), "gov.uk/vat{Enter}");
    await waitFor(() => expect(text).toHaveFocus());
    await userEvent.keyboard("!");
    await save();
    await waitFor(() =>
      expect(server.fields.content).toBe("[Rates](https://gov.uk/vat)! are here.\n"),
    );
  });

  it("says that without words the address itself will stand there", async () => {
    const { server } = openStudio(page, { content: { content: "Rates\n" } });
    select(await textbox(), true);
    await userEvent.keyboard("{Control>}k{/Control}");
    const dialog = await linkWindow();
    expect(dialog.getByText(/^No words are selected/)).toBeVisible();
    await userEvent.type(dialog.getByLabelText("Address"), "gov.uk{Enter}");
    await save();
    await waitFor(() => expect(server.fields.content).toContain("Ra<https://gov.uk/>tes"));
  });

  it("makes a link of what is typed as Markdown writes one, and goes on behind it", async () => {
    const { server } = openStudio(page, { content: { content: "\n" } });
    (await textbox()).focus();
    await userEvent.keyboard(
      "See [[the **rates**](gov.uk/vat)! No ![[a](b.org/c) [[b](javascript:d)",
    );
    await save();
    await waitFor(() =>
      expect(server.fields.content).toBe(
        "See [the **rates**](https://gov.uk/vat)! No !\\[a]\\(b.org/c) \\[b]\\(javascript:d)\n",
      ),
    );
  });

  it("changes and removes the link that the cursor is in, by the tool", async () => {
    const content = "[Rates](https://gov.uk/old) are here.\n";
    const { server } = openStudio(page, { content: { content } });
    select(await textbox(), true);
    await userEvent.click(screen.getByRole("button", { name: "Link" }));
    expect((await linkWindow()).getByText("On “Rates”")).toBeVisible();
    const address = (await linkWindow()).getByLabelText("Address");
    expect(address).toHaveValue("https://gov.uk/old");
    await userEvent.clear(address);
    await userEvent.type(address, "/knowledge/courses{Enter}");
    await save();
    await waitFor(() =>
      expect(server.fields.content).toBe("[Rates](/knowledge/courses) are here.\n"),
    );
    await userEvent.click(screen.getByRole("button", { name: "Link" }));
    await userEvent.click((await linkWindow()).getByRole("button", { name: "Remove link" }));
    await save();
    await waitFor(() => expect(server.fields.content).toBe("Rates are here.\n"));
  });

  it.each([
    ["https://example.org/a", "https://example.org/a"],
    [" example.org/a ", "https://example.org/a"],
    ["/learning", "/learning"],
    ["//example.org", null],
    ["http://example.org", null],
    ["javascript:alert(1)", null],
    ["words", null],
    ["", null],
  ])("takes %j as %j", (typed, address) => expect(linkAddress(typed)).toBe(address));
});
