import { render, screen } from "@testing-library/react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, it, vi } from "vitest";
import { ErrorPage } from "./error-page.tsx";

function Broken(): never {
  throw new Error("the page broke");
}

it("stands in for a page that fails to render", async () => {
  const silence = vi.spyOn(console, "error").mockImplementation(() => {});
  const router = createMemoryRouter([
    { path: "/", ErrorBoundary: ErrorPage, children: [{ index: true, Component: Broken }] },
  ]);
  render(<RouterProvider router={router} />);
  expect(
    await screen.findByRole("heading", { level: 1, name: "Unexpected Application Error!" }),
  ).toBeVisible();
  expect(screen.getByText(/the page broke/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Reload the page" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go home" })).toHaveAttribute("href", "/studentdash");
  silence.mockRestore();
});
