import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { adaId } from "@/app/testing/test-app.tsx";
import { contentPictureAddress } from "@/domain/content-pictures.ts";
import MarkdownText from "./components/markdown-text.tsx";
import { ReadingText } from "./components/reading-text.tsx";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => {});
});

const show = (markdown: string) =>
  render(<MarkdownText markdown={markdown} />, { wrapper: MemoryRouter }).container;

describe("a text", () => {
  it("has a unique anchor at each heading, and leaves the h1 to the page", () => {
    const text = show("# Top\n\n## Why\n\n## Why\n\n### Deeper");
    expect([...text.querySelectorAll("h1, h2, h3")].map((each) => [each.tagName, each.id])).toEqual(
      [
        ["H2", "s-top"],
        ["H2", "s-why"],
        ["H2", "s-why-2"],
        ["H3", "s-deeper"],
      ],
    );
    expect(text.querySelector("#s-why-2 a")).toHaveAttribute("href", "#s-why-2");
  });

  it("opens links of this site in the app, and others without a referrer", () => {
    show("[here](/progress) [there](https://example.org/x) [nowhere](http://example.org)");
    expect(screen.getByRole("link", { name: "here" })).toHaveAttribute("href", "/progress");
    expect(screen.getByRole("link", { name: "there" })).toHaveAttribute(
      "rel",
      "noopener noreferrer nofollow",
    );
    expect(screen.getByText("nowhere")).toBeVisible();
    expect(screen.queryByRole("link", { name: "nowhere" })).not.toBeInTheDocument();
  });

  it("repeats no address that is longer than a link may be", () => {
    const long = `https://example.org/${"a".repeat(50_000)}`;
    const text = show(`[x]: ${long}\n\n${"[x] ".repeat(900)}`);
    expect(text).toHaveTextContent(/^(x ){899}x$/);
    expect(text.innerHTML.length).toBeLessThan(50_000);
  });

  it("shows quotes with a marker as callouts, and all others as quotes", () => {
    const text = show(
      "> [!WARNING]\n> **Never** on a Friday.\n\n> [!TIP]\n>\n> - one\n\n> [!DANGER]\n> Theirs.\n\n> Plain.",
    );
    const notes = screen.getAllByRole("note");
    expect(notes.map((note) => note.dataset["callout"])).toEqual(["warning", "tip"]);
    expect(notes[0]).toHaveTextContent(/^Warning\s*Never on a Friday\.$/);
    expect(notes[1]).toHaveTextContent(/^Tip\s*one$/);
    expect([...text.querySelectorAll("blockquote")].map((each) => each.textContent.trim())).toEqual(
      ["[!DANGER]\nTheirs.", "Plain."],
    );
  });

  it("shows pictures of our storage with their place kept free, and none of elsewhere", () => {
    const address = contentPictureAddress(`${adaId}-1.jpg`);
    const text = show(
      [
        `![Two boats](${address}#1600x900)`,
        `![A rope](${address})`,
        `![Evil](https://evil.example${address})`,
        `![Evil](${address}?x)`,
        `![Evil](${address.replace("content-pictures", "learning-images")})`,
        "![Evil](/logo.png)",
      ].join("\n\n"),
    );
    const [boats, rope, ...others] = text.querySelectorAll("img");
    expect(others).toEqual([]);
    expect(boats).toHaveAttribute("src", address);
    expect(boats).toHaveAttribute("alt", "Two boats");
    expect(boats).toHaveAttribute("width", "1600");
    expect(boats).toHaveAttribute("height", "900");
    expect(boats).toHaveAttribute("loading", "lazy");
    expect(rope).toHaveAttribute("src", address);
    expect(rope).not.toHaveAttribute("width");
  });

  it("has tables and code that scroll by keyboard, and task boxes that are not inputs", () => {
    const text = show(
      "| a | b |\n| - | - |\n| 1 | 2 |\n\n```\ncode\n```\n\n- [x] washed\n- [ ] ironed",
    );
    expect(screen.getByRole("region", { name: "Table" })).toHaveAttribute("tabindex", "0");
    expect(text.querySelector("pre")).toHaveAttribute("tabindex", "0");
    expect(text.querySelector("input")).toBeNull();
    const [first, second] = within(text).getAllByRole("listitem");
    expect(first).toHaveTextContent("Done: washed");
    expect(second).toHaveTextContent("To do: ironed");
  });

  it("has footnotes that lead there and back, under prefixed names", () => {
    const text = show("Words[^1] and[^note].\n\n[^1]: A **note**.\n[^note]: Another.");
    expect(screen.getByRole("heading", { name: "Footnotes" })).toHaveClass("sr-only");
    const ids = [...text.querySelectorAll("[id]")].map(({ id }) => id);
    expect(ids.every((id) => id.startsWith("user-content-"))).toBe(true);
    const links = within(text).getAllByRole("link");
    expect(links).toHaveLength(4);
    for (const link of links) {
      expect(ids).toContain(link.getAttribute("href")?.slice(1));
    }
    const footnotes = within(text).getAllByRole("listitem");
    expect(footnotes.map(({ textContent }) => textContent.trim())).toEqual([
      "A note. ↩",
      "Another. ↩",
    ]);
  });

  it.each([
    "<script>window.ran=1</script>",
    '<img src="https://evil.example/x.png" onerror="window.ran=1">',
    "![x](https://evil.example/x.png)",
    '<iframe src="https://evil.example"></iframe>',
    "<style>body{display:none}</style>",
    '<form action="https://evil.example"><input></form>',
    '<div style="position:fixed">x</div>',
  ])("never renders %s", (markdown) => {
    const text = show(`Before.\n\n${markdown}\n\nAfter.`);
    expect(text.querySelector("script, img, iframe, style, form, input, [style]")).toBeNull();
    expect(screen.getByText("Before.")).toBeVisible();
    expect(screen.getByText("After.")).toBeVisible();
  });

  it("is shown as plain text when it cannot be rendered", async () => {
    render(<ReadingText markdown={`${"> ".repeat(20_000)}deep`} />, { wrapper: MemoryRouter });
    expect(await screen.findByText(/deep/)).toBeInTheDocument();
  });
});
