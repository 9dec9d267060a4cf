import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createBrowserRouter, MemoryRouter, useNavigate, useSearchParams } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FilterField } from "./filter-field.tsx";

const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Search" });

afterEach(() => {
  vi.useRealTimers();
});

describe("a field for a filter of the address", () => {
  function Page() {
    const [parameters, setParameters] = useSearchParams();
    const put = (name: string, value: string, replace = false) => {
      const next = new URLSearchParams(window.location.search);
      if (value === "") next.delete(name);
      else next.set(name, value);
      setParameters(next, { replace });
    };
    return (
      <>
        <FilterField
          label="Search"
          value={parameters.get("search") ?? ""}
          onCommit={(text) => put("search", text, true)}
        />
        <button type="button" onClick={() => put("level", "2")}>
          Level 2
        </button>
        <button type="button" onClick={() => setParameters({})}>
          Clear filters
        </button>
      </>
    );
  }

  function open(address = "/members") {
    window.history.pushState(null, "", address);
    render(<RouterProvider router={createBrowserRouter([{ path: "*", Component: Page }])} />);
  }

  it("leaves the caret where one types", async () => {
    open();
    await userEvent.type(field(), "zoe{Enter}");
    expect(window.location.search).toBe("?search=zoe");
    field().setSelectionRange(0, 0);
    await userEvent.keyboard("ab");
    expect(field()).toHaveValue("abzoe");
    expect(field().selectionStart).toBe(2);
  });

  it("changes the address after a pause, at Enter, and when it is left", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    open();
    fireEvent.change(field(), { target: { value: "z" } });
    act(() => void vi.advanceTimersByTime(249));
    fireEvent.change(field(), { target: { value: "zo" } });
    act(() => void vi.advanceTimersByTime(249));
    expect(window.location.search).toBe("");
    act(() => void vi.advanceTimersByTime(1));
    expect(window.location.search).toBe("?search=zo");
    fireEvent.change(field(), { target: { value: "zoe" } });
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(window.location.search).toBe("?search=zoe");
    fireEvent.change(field(), { target: { value: "" } });
    fireEvent.blur(field());
    expect(window.location.search).toBe("");
  });

  it("loses nothing to a choice in the next field, and follows Back and a cleared filter", async () => {
    open();
    await userEvent.type(field(), "zoe");
    await userEvent.click(screen.getByRole("button", { name: "Level 2" }));
    expect(window.location.search).toBe("?search=zoe&level=2");
    expect(field()).toHaveValue("zoe");
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(field()).toHaveValue("");
    window.history.back();
    await waitFor(() => expect(field()).toHaveValue("zoe"));
  });
});

describe("while the page is slower than the member types", () => {
  function Elsewhere() {
    const navigate = useNavigate();
    return (
      <button type="button" onClick={() => void navigate("?level=2")}>
        Another filter
      </button>
    );
  }

  /** The test says when the page has rendered what was put into the address. */
  function open() {
    const onCommit = vi.fn<(text: string) => void>();
    const page = (value: string) => (
      <MemoryRouter>
        <FilterField label="Search" value={value} onCommit={onCommit} />
        <Elsewhere />
      </MemoryRouter>
    );
    const { rerender } = render(page(""));
    return { onCommit, rendered: (value: string) => rerender(page(value)) };
  }

  it("keeps the letters that were typed meanwhile", async () => {
    const { onCommit, rendered } = open();
    await userEvent.type(field(), "a{Enter}b{Enter}c");
    expect(onCommit.mock.calls).toEqual([["a"], ["ab"]]);
    rendered("a");
    expect(field()).toHaveValue("abc");
    rendered("ab");
    expect(field()).toHaveValue("abc");
    await userEvent.keyboard("{Enter}");
    rendered("abc");
    rendered("ab");
    expect(field()).toHaveValue("ab");
  });

  it("keeps them when another filter changes, unless the address leaves out what was sent", () => {
    open();
    fireEvent.change(field(), { target: { value: "a" } });
    fireEvent.click(screen.getByRole("button", { name: "Another filter" }));
    expect(field()).toHaveValue("a");
    fireEvent.keyDown(field(), { key: "Enter" });
    fireEvent.click(screen.getByRole("button", { name: "Another filter" }));
    expect(field()).toHaveValue("");
  });
});
