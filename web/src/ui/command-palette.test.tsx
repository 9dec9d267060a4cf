import { render, screen } from "@testing-library/react";
import { File } from "lucide-react";
import { beforeEach, expect, it, vi } from "vitest";
import { CommandPalette } from "./command-palette.tsx";

beforeEach(() => {
  /* What the list needs and this document does not have. */
  const noObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  vi.stubGlobal("ResizeObserver", noObserver);
  Element.prototype.scrollIntoView = () => {};
});

const palette = (query: string, ...found: string[]) => (
  <CommandPalette
    open
    onOpenChange={vi.fn()}
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
