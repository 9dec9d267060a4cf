import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { lazy, Suspense, useState } from "react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, expect, it, vi } from "vitest";
import { ErrorPage } from "./error-page.tsx";

afterEach(() => {
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

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

/** Opens a page whose code is not loaded. */
function openUnloaded({ online, message }: { online: boolean; message: string }) {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(online);
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  const lazy = async () => await Promise.reject<object>(new TypeError(message));
  const router = createMemoryRouter([
    { path: "/", ErrorBoundary: ErrorPage, children: [{ index: true, lazy }] },
  ]);
  render(<RouterProvider router={router} />);
  return reload;
}

it.each([
  ["Failed to fetch dynamically imported module: http://localhost/assets/account-1.js"],
  ["error loading dynamically imported module: http://localhost/assets/account-1.js"],
  ["Importing a module script failed."],
  ["Unable to preload CSS for /assets/account-1.css"],
])("says offline that the page opens later, and reloads then: %s", async (message) => {
  const reload = openUnloaded({ online: false, message });
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "You're offlineThis page opens when you're back online.",
  );
  expect(screen.getByRole("heading", { level: 1, name: "You're offline" })).toBeVisible();
  expect(screen.queryByRole("button")).not.toBeInTheDocument();
  expect(reload).not.toHaveBeenCalled();
  fireEvent(window, new Event("online"));
  expect(reload).toHaveBeenCalledOnce();
});

async function expectFailurePage(): Promise<void> {
  expect(
    await screen.findByRole("heading", { level: 1, name: "Unexpected Application Error!" }),
  ).toBeVisible();
  expect(screen.getByRole("button", { name: "Reload the page" })).toBeVisible();
}

it("does not blame the connection for another failure offline", async () => {
  const reload = openUnloaded({ online: false, message: "the page broke" });
  await expectFailurePage();
  fireEvent(window, new Event("online"));
  expect(reload).not.toHaveBeenCalled();
});

const gone = "Failed to fetch dynamically imported module: http://localhost/a.js";

it("loads the address in full, once, when a release replaced its code", async () => {
  const first = openUnloaded({ online: true, message: gone });
  await waitFor(() => expect(first).toHaveBeenCalledOnce());
  expect(screen.queryByText("Unexpected Application Error!")).not.toBeInTheDocument();
  cleanup();
  const second = openUnloaded({ online: true, message: gone });
  await expectFailurePage();
  expect(second).not.toHaveBeenCalled();
});

/** Opens a window of a page, such as the search, whose code is gone. */
function openWindowUnloaded() {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  const Palette = lazy(async () => await Promise.reject(new TypeError(gone)));
  function Page() {
    const [open, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Search
        </button>
        {open ? (
          <Suspense fallback={null}>
            <Palette />
          </Suspense>
        ) : null}
      </>
    );
  }
  const router = createMemoryRouter([
    { path: "/", ErrorBoundary: ErrorPage, children: [{ index: true, Component: Page }] },
  ]);
  render(<RouterProvider router={router} />);
  fireEvent.click(screen.getByRole("button", { name: "Search" }));
  return reload;
}

it("loads the address in full for a window whose code a release replaced, too, and once", async () => {
  const first = openWindowUnloaded();
  await waitFor(() => expect(first).toHaveBeenCalledOnce());
  expect(screen.queryByText("Unexpected Application Error!")).not.toBeInTheDocument();
  cleanup();
  const second = openWindowUnloaded();
  await expectFailurePage();
  expect(second).not.toHaveBeenCalled();
});

it("does not reload where it can't remember that it did", async () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  const reload = openUnloaded({ online: true, message: gone });
  await expectFailurePage();
  expect(reload).not.toHaveBeenCalled();
  expect(screen.getByText(/translation and its extensions/)).toBeVisible();
});
