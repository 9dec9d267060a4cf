import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { FiguresTable } from "./components/figures-table.tsx";

function show(headings: readonly string[]) {
  const cells = headings.map((heading) => `${heading}.`);
  render(<FiguresTable label="Figures" headings={headings} rows={[{ id: "a", cells }]} />);
}

it("keeps the narrow first column in view where a phone scrolls a wide table", () => {
  show(["Text", "Readers", "Read", "Ratings", "Saved"]);
  for (const cell of [
    screen.getByRole("columnheader", { name: "Text" }),
    screen.getByRole("rowheader", { name: "Text." }),
  ]) {
    expect(cell).toHaveClass("max-md:sticky", "max-md:left-0", "max-md:max-w-40");
  }
  expect(screen.getByRole("columnheader", { name: "Read" })).not.toHaveClass("max-md:sticky");
});

it("leaves a table that fits as it is", () => {
  show(["Text", "Readers"]);
  expect(screen.getByRole("rowheader", { name: "Text." })).not.toHaveClass("max-md:sticky");
});
