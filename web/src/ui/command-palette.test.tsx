import { fireEvent, render, screen } from "@testing-library/react";
import { File } from "lucide-react";
import { beforeEach, expect, it, vi } from "vitest";
import { CommandPalette } from "./command-palette.tsx";

beforeEach(() => {
  // What the list needs and this document does not have.
  const noObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  vi.stubGlobal("ResizeObserver", noObserver);
});

const onOpenChange = vi.fn();
const palette = (query: string, ...found: string[]) => (
  <CommandPalette
    open
    onOpenChange={onOpenChange}
    label="Search"
    placeholder="Search"
    query={query}
    onQueryChange={vi.fn()}
    groups={
      found.length === 0
        ? []
        : [{ heading: "Articles", entries: found.map((id) => ({ id, label: id, icon: File })) }]
    }
    onChoose={vi.fn()}
    status=""
  />
);

it.each([
  { steps: [["first"], ["second"]] },
  { steps: [["first", "second"], ["third"]] },
  { steps: [["first"], [], ["second"]] },
  { steps: [["first", "second"], ["second"], ["third", "fourth"]] },
])("always has one of what it found ready for Enter: $steps", ({ steps }) => {
  const view = render(palette("", "home"));
  for (const [at, found] of steps.entries()) {
    view.rerender(palette("q", ...found));
    const chosen = screen.queryAllByRole("option", { selected: true });
    expect(
      chosen.map((each) => each.textContent),
      `step ${at}`,
    ).toEqual(found.slice(0, 1));
  }
});

it("stays open when Escape takes back a word that is composed", () => {
  render(palette(""));
  const field = screen.getByRole("combobox");
  fireEvent.keyDown(field, { key: "Escape", keyCode: 229 });
  expect(onOpenChange).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: "Escape", keyCode: 27 });
  expect(onOpenChange).toHaveBeenCalledWith(false);
});
