import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, it } from "vitest";
import { MessageText } from "./message-text.tsx";

function show(content: string, linksFocusable = true): HTMLElement {
  return render(<MessageText content={content} pending={false} linksFocusable={linksFocusable} />)
    .container;
}

it("shows bold, italic, code and lists as elements of their own", () => {
  const shown = show("**B** and *i*, `c`\n\n- one\n- two\n\n3. x\n7. y\n\n```\nlong\n```");
  expect(shown.querySelector("strong")).toHaveTextContent("B");
  expect(shown.querySelector("em")).toHaveTextContent("i");
  expect(shown.querySelector("p code")).toHaveTextContent("c");
  expect(shown.querySelector("pre code")).toHaveTextContent("long");
  expect(screen.getAllByRole("listitem").map((each) => each.textContent)).toEqual([
    "one",
    "two",
    "x",
    "y",
  ]);
  expect([...shown.querySelectorAll<HTMLLIElement>("ol li")].map(({ value }) => value)).toEqual([
    3, 7,
  ]);
});

it("opens links apart, and takes them out of the tab order with their message", () => {
  const shown = show("[guide](https://example.com/a) and https://example.com/b", false);
  const links = screen.getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "https://example.com/a",
    "https://example.com/b",
  ]);
  for (const link of links) {
    expect(link).toHaveAttribute("target", "_blank");
    expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow ugc");
    expect(link).toHaveAttribute("tabindex", "-1");
  }
  expect(shown).toHaveTextContent("guide and https://example.com/b");
});

it("opens pages of the app in it, and says that the reader came from a room", async () => {
  const router = createMemoryRouter([
    {
      path: "/",
      element: <MessageText content={`${window.location.origin}/wealth/foundations/a?x=1#b`} />,
    },
    { path: "*", element: <p>The page</p> },
  ]);
  render(<RouterProvider router={router} />);
  const link = screen.getByRole("link");
  expect(link).toHaveAttribute("href", "/wealth/foundations/a?x=1#b");
  expect(link).not.toHaveAttribute("target");
  await userEvent.click(link);
  expect(await screen.findByText("The page")).toBeVisible();
  expect(router.state.location.state).toEqual({ source: "room" });
});

it("opens files and the landing page of this site apart", () => {
  const { origin } = window.location;
  show(`${origin}/ ${origin}/storage/v1/object/public/a.png ${origin}/wealthy`);
  for (const link of screen.getAllByRole("link")) expect(link).toHaveAttribute("target", "_blank");
  expect(screen.getAllByRole("link")).toHaveLength(3);
});

it("makes nothing else of a message", () => {
  const text = "# H <img src=x> ![p](data:x) | a | <b>*b*</b> &lt; [x](javascript:alert(1))";
  const shown = show(text);
  expect(shown.querySelectorAll("a, b, img, h1, table, em")).toHaveLength(0);
  expect(shown.textContent).toBe(text);
});
