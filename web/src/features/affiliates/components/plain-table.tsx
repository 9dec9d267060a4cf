import type { ReactNode } from "react";
import { classNames } from "@/ui/class-names.ts";

/** A table to read. The last columns, as many as `figures`, hold amounts and stand at the right. */
export function PlainTable({
  label,
  head,
  rows,
  figures,
}: {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly id: string; readonly cells: readonly ReactNode[] }[];
  readonly figures: number;
}) {
  const align = (index: number) =>
    classNames("px-4", index >= head.length - figures && "tabular text-right");
  return (
    <div className="scroll-edges rounded-card border border-line print:overflow-visible print:rounded-none print:border-0 print:[mask:none]">
      <table aria-label={label} className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-left text-muted">
            {head.map((name, index) => (
              <th key={name} scope="col" className={classNames("h-10 font-medium", align(index))}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, cells }) => (
            <tr key={id} className="break-inside-avoid border-b border-line last:border-b-0">
              {cells.map((cell, index) => (
                <td
                  key={head[index]}
                  className={classNames(
                    "h-12 py-1.5 whitespace-nowrap print:h-auto print:whitespace-normal",
                    align(index),
                  )}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
