import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { setLetterKeysWanted } from "@/domain/letter-keys.ts";
import { dataColumns, DataTable } from "./data-table.tsx";

interface Person {
  readonly id: string;
  readonly name: string;
  readonly paid: number;
}

const people: Person[] = [
  { id: "a", name: "Ada", paid: 50 },
  { id: "b", name: "Ben", paid: 100 },
  { id: "c", name: "Cleo", paid: 0 },
];
const column = dataColumns<Person>();
const columns = column.columns([
  column.accessor("name", { header: "Name", enableSorting: true }),
  column.accessor("paid", { header: "Paid", meta: { align: "right" } }),
]);

function show(props: Partial<Parameters<typeof DataTable<Person>>[0]> = {}) {
  const onOpen = vi.fn<(person: Person) => void>();
  render(
    <DataTable
      label="People"
      columns={columns}
      rows={people}
      rowId={(person) => person.id}
      rowLabel={(person) => person.name}
      onOpen={onOpen}
      empty={<p>No people</p>}
      {...props}
    />,
  );
  return onOpen;
}

it("opens rows with a press and with the keys J, K, the arrows and Enter", async () => {
  const onOpen = show();
  await userEvent.click(screen.getByRole("cell", { name: "100" }));
  expect(onOpen).toHaveBeenLastCalledWith(people[1]);
  screen.getByRole("button", { name: "Ada" }).focus();
  await userEvent.keyboard("j{ArrowDown}{ArrowDown}k{Enter}");
  expect(onOpen).toHaveBeenLastCalledWith(people[1]);
  expect(screen.getByRole("button", { name: "Ben" })).toHaveFocus();
});

it("goes to its first row by J from anywhere on the page, but for fields", async () => {
  show();
  render(<input aria-label="Search" />);
  await userEvent.type(screen.getByRole("textbox", { name: "Search" }), "jk");
  expect(screen.getByRole("textbox", { name: "Search" })).toHaveValue("jk");
  screen.getByRole("textbox", { name: "Search" }).blur();
  await userEvent.keyboard("j");
  expect(screen.getByRole("button", { name: "Ada" })).toHaveFocus();
  await userEvent.keyboard("j");
  expect(screen.getByRole("button", { name: "Ben" })).toHaveFocus();
});

it("keeps to one of two tables on a page until the other one has the focus", async () => {
  show();
  show({ label: "Others", rowLabel: (person) => `Other ${person.name}` });
  await userEvent.keyboard("j");
  expect(screen.getByRole("button", { name: "Ada" })).toHaveFocus();
  screen.getByRole("button", { name: "Other Ada" }).focus();
  await userEvent.keyboard("jj");
  expect(screen.getByRole("button", { name: "Other Cleo" })).toHaveFocus();
  await userEvent.keyboard("j");
  expect(screen.getByRole("button", { name: "Other Cleo" })).toHaveFocus();
});

it("leaves letters alone for members who turned them off, and not the arrows", async () => {
  show();
  setLetterKeysWanted(false);
  try {
    await userEvent.keyboard("j");
    expect(document.body).toHaveFocus();
    screen.getByRole("button", { name: "Ada" }).focus();
    await userEvent.keyboard("j");
    expect(screen.getByRole("button", { name: "Ada" })).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}");
    expect(screen.getByRole("button", { name: "Ben" })).toHaveFocus();
  } finally {
    setLetterKeysWanted(true);
  }
});

it("focuses the row's button before the row opens, so that focus returns there", async () => {
  let focused: Element | null = null;
  show({
    onOpen: () => {
      focused = document.activeElement;
    },
  });
  await userEvent.click(screen.getByRole("cell", { name: "100" }));
  expect(focused).toBe(screen.getByRole("button", { name: "Ben" }));
});

it("tells the caller the column to sort by, and shows the direction in use", async () => {
  const onSortingChange = vi.fn();
  show({ sorting: [{ id: "name", desc: false }], onSortingChange });
  expect(screen.getByRole("columnheader", { name: "Name" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await userEvent.click(screen.getByRole("button", { name: "Name" }));
  expect(onSortingChange).toHaveBeenLastCalledWith([{ id: "name", desc: true }]);
  const paid = screen.getByRole("columnheader", { name: "Paid" });
  expect(within(paid).queryByRole("button")).toBeNull();
});

it("says that it loads, that there is nothing, and how to get more", async () => {
  show({ rows: undefined });
  expect(screen.getByRole("table", { name: "People" })).toHaveAttribute("aria-busy", "true");
  show({ rows: [] });
  expect(screen.getByText("No people")).toBeVisible();
  const load = vi.fn<() => void>();
  show({ more: { loading: false, load } });
  await userEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(load).toHaveBeenCalledOnce();
});
