import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { QueueWithPanel } from "./queue-with-panel.tsx";

const items = ["First", "Second"];

/** The window, which can be turned: the open item stands beside the rows where it is wide, else below its row. */
const turned = new EventTarget();
let isWide = true;

beforeEach(() => {
  vi.stubGlobal("matchMedia", () => ({
    matches: isWide,
    addEventListener: turned.addEventListener.bind(turned),
    removeEventListener: turned.removeEventListener.bind(turned),
  }));
});
afterEach(() => vi.unstubAllGlobals());

function turn(wide: boolean): void {
  isWide = wide;
  act(() => void turned.dispatchEvent(new Event("change")));
}

function Queue() {
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
    <QueueWithPanel label={`Reports, ${kept} kept`} panel={panel} panelLabel="The open report">
      {(below) => (
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
              {item === open ? below : null}
            </li>
          ))}
        </ul>
      )}
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
    turn(isBeside);
    render(<Queue />);
    for (const key of ["{Enter}", " "]) {
      row("Second").focus();
      await userEvent.keyboard(key);
      expect(row("Second")).toHaveAttribute("aria-expanded", "true");
      expect(row("Second")).toHaveFocus();
      await userEvent.keyboard(key);
      expect(row("Second")).toHaveAttribute("aria-expanded", "true");
      const panel = isBeside
        ? screen.getByRole("region", { name: "The open report" })
        : screen.getByTestId("item").closest("[tabindex='-1']");
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
  turn(true);
  render(<Queue />);
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
  turn(isBeside);
  render(<Queue />);
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

it("keeps what is written in the open item when the window is turned", async () => {
  turn(true);
  render(<Queue />);
  await userEvent.click(row("Second"));
  await userEvent.type(screen.getByRole("textbox", { name: "Note" }), "Half a sen");
  for (const isBeside of [false, true]) {
    turn(isBeside);
    const note = screen.getByRole("textbox", { name: "Note" });
    expect(note).toHaveValue("Half a sen");
    expect(note.closest("section") !== null).toBe(isBeside);
    expect(note.closest("li") !== null).toBe(!isBeside);
  }
  await userEvent.type(screen.getByRole("textbox", { name: "Note" }), "tence");
  expect(screen.getByRole("textbox", { name: "Note" })).toHaveValue("Half a sentence");
});

it("answers its keys while the focus is on what is beside it, a field and a window apart", async () => {
  render(
    <>
      <button type="button">Drafts</button>
      <input aria-label="Search" />
      <div role="dialog" aria-label="Account">
        <button type="button">Sign out</button>
      </div>
      <Queue />
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
