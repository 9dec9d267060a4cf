import { cleanup, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { draftId, openStudio } from "./testing/studio-screen.ts";

/** A window of this width, in rem. */
function inWindow(width: number) {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: width >= Number(/min-width: (\d+)rem/.exec(query)?.[1] ?? Number.POSITIVE_INFINITY),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(window, "scrollTo").mockImplementation(() => {});
});
afterEach(() => {
  localStorage.removeItem("fourfold-preview-beside");
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const editor = `/studio/${draftId}`;
const content = "Plan the **week**.\n";
const toggle = async () => screen.findByRole("button", { name: "Preview beside" });
const preview = async () => screen.findByRole("region", { name: "Preview of the text" });

it("shows the text as members read it while it is written, in place of the settings, and is remembered", async () => {
  inWindow(90);
  openStudio(editor, { content: { content } });
  expect(await screen.findByLabelText("Excerpt")).toBeVisible();
  await userEvent.click(await toggle());
  expect(await toggle()).toHaveAttribute("aria-pressed", "true");
  const shown = within(await preview());
  expect(await shown.findByText("week", { selector: "strong" })).toBeVisible();
  expect(shown.getByText("A Plan for Monday")).toBeVisible();
  expect(screen.queryByLabelText("Excerpt")).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "Settings" }));
  expect(await screen.findByLabelText("Excerpt")).toBeVisible();
  await userEvent.keyboard("{Escape}");

  await userEvent.click(screen.getByRole("button", { name: "Markdown" }));
  const text = await screen.findByRole("textbox", { name: "Article as Markdown" });
  await userEvent.type(text, "## Then rest");
  expect(await shown.findByRole("heading", { name: /Then rest/ })).toBeVisible();

  cleanup();
  openStudio(editor, { content: { content } });
  expect(await preview()).toBeVisible();
  await userEvent.click(await toggle());
  await waitFor(() =>
    expect(screen.queryByRole("region", { name: "Preview of the text" })).toBeNull(),
  );
  expect(await screen.findByLabelText("Excerpt")).toBeVisible();
  expect(localStorage.getItem("fourfold-preview-beside")).toBeNull();
});

it("shows the lesson of a course that is open", async () => {
  inWindow(90);
  const lesson = (title: string, words: string) => ({
    slug: title.toLowerCase(),
    title,
    content: words,
    minutes: null,
    videoUrl: null,
  });
  openStudio(editor, {
    kind: "course",
    content: { modules: [lesson("One", "First words."), lesson("Two", "Second words.")] },
  });
  await userEvent.click(await toggle());
  expect(await within(await preview()).findByText("First words.")).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: /2 modules/ }));
  await userEvent.click(screen.getByRole("button", { name: /^2\. Two/ }));
  expect(await within(await preview()).findByText("Second words.")).toBeVisible();
});

it("is not there where both do not fit", async () => {
  localStorage.setItem("fourfold-preview-beside", "yes");
  inWindow(79);
  openStudio(editor, { content: { content } });
  expect(await screen.findByRole("button", { name: "Preview" })).toBeVisible();
  expect(await screen.findByLabelText("Excerpt")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Preview beside" })).not.toBeInTheDocument();
  expect(screen.queryByRole("region", { name: "Preview of the text" })).not.toBeInTheDocument();
});
