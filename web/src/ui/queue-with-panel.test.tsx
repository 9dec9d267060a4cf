import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it } from "vitest";
import { QueueWithPanel } from "./queue-with-panel.tsx";

const items = ["First", "Second"];

/** A queue whose open item stands beside its rows, or below its row. */
function Queue({ isBeside }: { readonly isBeside: boolean }) {
  const [open, setOpen] = useState<string | null>(null);
  const [kept, setKept] = useState("nothing");
  const panel =
    open === null ? null : (
      <div data-testid="item">
        {open} in full{" "}
        <button type="button" aria-keyshortcuts="a" onClick={() => setKept(open)}>
          Keep
        </button>{" "}
        <input aria-label="Note" />
      </div>
    );
  return (
    <QueueWithPanel
      label={`Reports, ${kept} kept`}
      panel={isBeside ? panel : null}
      panelLabel="The open report"
    >
      <ul>
        {items.map((item) => (
          <li key={item}>
            <button
              type="button"
              data-row={item}
              aria-expanded={item === open}
              onClick={() => setOpen(item === open ? null : item)}
            >
              {item}
            </button>
            {item === open && !isBeside ? panel : null}
          </li>
        ))}
      </ul>
    </QueueWithPanel>
  );
}

const row = (name: string) => screen.getByRole("button", { name });

it.each([
  ["beside the rows", true],
  ["below its row", false],
])(
  "opens an item %s by Enter or Space, goes into it by the next, and closes it by Escape",
  async (_where, isBeside) => {
    render(<Queue isBeside={isBeside} />);
    for (const key of ["{Enter}", " "]) {
      row("Second").focus();
      await userEvent.keyboard(key);
      expect(row("Second")).toHaveAttribute("aria-expanded", "true");
      expect(row("Second")).toHaveFocus();
      await userEvent.keyboard(key);
      expect(row("Second")).toHaveAttribute("aria-expanded", "true");
      const panel = isBeside
        ? screen.getByRole("region", { name: "The open report" })
        : screen.getByTestId("item");
      expect(panel).toHaveFocus();
      await userEvent.tab();
      expect(screen.getByRole("button", { name: "Keep" })).toHaveFocus();
      await userEvent.keyboard("{Escape}");
      expect(row("Second")).toHaveAttribute("aria-expanded", "false");
      expect(row("Second")).toHaveFocus();
    }
    // Nothing is open: the key does nothing.
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByTestId("item")).toBeNull();
  },
);

it("leaves Escape to a field, and closes an open item by a click on its row", async () => {
  render(<Queue isBeside />);
  await userEvent.click(row("First"));
  await userEvent.type(screen.getByRole("textbox", { name: "Note" }), "A word{Escape}");
  expect(row("First")).toHaveAttribute("aria-expanded", "true");
  await userEvent.click(row("First"));
  expect(row("First")).toHaveAttribute("aria-expanded", "false");
});

it.each([
  ["beside the rows", true],
  ["below its row", false],
])("answers the keys of the open item %s while nothing has the focus", async (_where, isBeside) => {
  render(<Queue isBeside={isBeside} />);
  const queue = screen.getByRole("group", { name: "Reports, nothing kept" });
  // Nothing is open yet.
  await userEvent.keyboard("a");
  expect(queue).toHaveAccessibleName("Reports, nothing kept");
  await userEvent.click(row("Second"));
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await userEvent.keyboard("{Control>}a{/Control}");
  expect(queue).toHaveAccessibleName("Reports, nothing kept");
  await userEvent.keyboard("a");
  expect(queue).toHaveAccessibleName("Reports, Second kept");
  expect(screen.getByRole("button", { name: "Keep" })).toHaveFocus();
});

it("answers its keys while the focus is on what is beside it, a field and a window apart", async () => {
  render(
    <>
      <button type="button">Drafts</button>
      <input aria-label="Search" />
      <div role="dialog" aria-label="Account">
        <button type="button">Sign out</button>
      </div>
      <Queue isBeside />
    </>,
  );
  for (const elsewhere of [
    screen.getByRole("textbox", { name: "Search" }),
    screen.getByRole("button", { name: "Sign out" }),
  ]) {
    elsewhere.focus();
    await userEvent.keyboard("j");
    expect(elsewhere).toHaveFocus();
  }
  screen.getByRole("button", { name: "Drafts" }).focus();
  await userEvent.keyboard("j");
  expect(row("First")).toHaveFocus();
});
