import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { toCsv } from "@/lib/csv.ts";
import { saveFile } from "@/lib/save-file.ts";
import { Button } from "@/ui/button.tsx";
import { analyticsStrings } from "../strings.ts";

type CellValue = string | number | null;

/** A line of a table: its id, its cells as they are exported, and what stands in the first one if not its text. */
export interface FigureRow {
  readonly id: string;
  readonly cells: readonly CellValue[];
  readonly name?: ReactNode;
  /** What can be done about it, in a column of its own at the end. */
  readonly action?: ReactNode;
}

export interface FiguresTableProps {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly headings: readonly string[];
  readonly rows: readonly FigureRow[];
}

/** Keeps the first column of a wide table in view, and narrow, while a phone scrolls the figures. */
const stickyName =
  "max-md:sticky max-md:left-0 max-md:w-40 max-md:max-w-40 max-md:bg-raised max-md:wrap-anywhere";

/** Figures with a name at the left of each line. Scrolls by itself on a narrow screen. */
export function FiguresTable({ label, headings, rows }: FiguresTableProps) {
  const isWide = headings.length > 4;
  return (
    <div
      role="region"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A keyboard must be able to scroll it.
      tabIndex={0}
      className="scroll-edges rounded-card border border-line px-4 py-1"
    >
      <table
        aria-label={label}
        className={`tabular w-full text-sm ${isWide ? "max-md:w-max max-md:min-w-full md:min-w-3xl" : ""}`}
      >
        <thead className="text-left text-muted">
          <tr>
            {headings.map((heading, index) => (
              <th
                key={heading}
                scope="col"
                className={`py-2 font-medium ${isWide ? "whitespace-nowrap" : ""} ${index === 0 ? `pr-4 ${isWide ? stickyName : ""}` : "pl-3 text-right"}`}
              >
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells: [first = null, ...rest], name, action }) => (
            <tr key={id} className="border-t border-line">
              <th
                scope="row"
                className={`py-2.5 pr-4 text-left font-normal wrap-break-word ${isWide ? stickyName : ""}`}
              >
                {name ?? first}
              </th>
              {rest.map((cell, index) => (
                <td key={headings[index + 1]} className="py-2.5 pl-3 text-right">
                  {cell ?? "–"}
                </td>
              ))}
              {action === undefined ? null : <td className="py-1 pl-3 text-right">{action}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Saves the lines of a table as a CSV file. */
export function ExportFigures({
  file,
  headings,
  rows,
}: Omit<FiguresTableProps, "label"> & {
  /** Without its ending. */
  readonly file: string;
}) {
  function save() {
    const lines = toCsv(
      headings,
      rows.map(({ cells }) => cells),
    );
    // The mark tells spreadsheets that the text is UTF-8.
    saveFile(`${file}.csv`, new Blob(["\uFEFF", lines], { type: "text/csv;charset=utf-8" }));
  }
  return (
    <Button variant="secondary" onClick={save}>
      <Download aria-hidden className="size-4" />
      {analyticsStrings.exportCsv}
    </Button>
  );
}
