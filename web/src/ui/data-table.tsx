import {
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Header,
  type ReactTable,
  type Row as TableRow,
  type SortingState,
} from "@tanstack/react-table";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";
import { pressQueueKey, useQueueKeysOfPage } from "./queue-keys.ts";
import { Skeleton } from "./skeleton.tsx";

interface DataColumnMeta {
  /** Figures stand at the right. */
  readonly align?: "right";
  /** Left out on a narrow screen; the detail panel has it. */
  readonly wideOnly?: boolean;
}

const columnMeta: DataColumnMeta = {};
const features = tableFeatures({ rowSortingFeature, columnMeta });

export type DataColumn<Row extends object> = ColumnDef<typeof features, Row>;

type TableOf<Row extends object> = ReactTable<typeof features, Row>;

/** Columns of a `DataTable`; sorting is off unless a column says `enableSorting: true`. */
export function dataColumns<Row extends object>() {
  return createColumnHelper<typeof features, Row>();
}

export interface DataTableProps<Row extends object> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  /** Undefined until the first page has been read. */
  readonly rows: readonly Row[] | undefined;
  readonly rowId: (row: Row) => string;
  /** Names a row for the button that opens it, such as the member's name. */
  readonly rowLabel: (row: Row) => string;
  readonly onOpen: (row: Row) => void;
  /** The row whose detail is open. */
  readonly openId?: string | null | undefined;
  /** One column at a time; the server sorts. */
  readonly sorting?: SortingState | undefined;
  readonly onSortingChange?: ((sorting: SortingState) => void) | undefined;
  /** Stands in the place of the rows when there are none. */
  readonly empty: ReactNode;
  readonly more?: { readonly loading: boolean; readonly load: () => void } | undefined;
}

/**
 * A dense table of rows that open in a panel. J and K or the arrows move between rows, J from anywhere on the page; Enter opens.
 * Reading, filtering and sorting are the caller's: rows are shown in the order given.
 */
export function DataTable<Row extends object>({
  label,
  columns,
  rows,
  rowId,
  rowLabel,
  onOpen,
  openId = null,
  sorting = [],
  onSortingChange,
  empty,
  more,
}: DataTableProps<Row>) {
  const queue = useRef<HTMLDivElement>(null);
  useQueueKeysOfPage(queue);
  const table = useTable({
    features,
    columns,
    data: rows ?? [],
    getRowId: rowId,
    state: { sorting },
    defaultColumn: { enableSorting: false },
    manualSorting: true,
    enableMultiSort: false,
    onSortingChange: (change) => {
      onSortingChange?.(typeof change === "function" ? change(sorting) : change);
    },
  });

  if (rows?.length === 0) return empty;
  return (
    // The keys belong to its rows.
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions
    <div ref={queue} className="grid grid-cols-1 gap-4" onKeyDown={pressQueueKey}>
      <div className="scroll-edges rounded-card border border-line">
        <table aria-label={label} aria-busy={rows === undefined} className="w-full text-sm">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} className="border-b border-line text-left text-muted">
                {group.headers.map((header) => (
                  <HeaderCell key={header.id} table={table} header={header} />
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {rows === undefined ? (
              <LoadingRows columns={columns.length} />
            ) : (
              table
                .getRowModel()
                .rows.map((row) => (
                  <BodyRow
                    key={row.id}
                    table={table}
                    row={row}
                    label={rowLabel(row.original)}
                    isOpen={row.id === openId}
                    onOpen={() => onOpen(row.original)}
                  />
                ))
            )}
          </tbody>
        </table>
      </div>
      {more ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={more.loading}
          onClick={more.load}
        >
          Show more
        </Button>
      ) : null}
    </div>
  );
}

/** A column's name; a button where the table can be sorted by it. */
function HeaderCell<Row extends object>({
  table,
  header,
}: {
  readonly table: TableOf<Row>;
  readonly header: Header<typeof features, Row>;
}) {
  const { column } = header;
  const direction = column.getIsSorted();
  const Arrow = direction === "asc" ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={direction ? (direction === "asc" ? "ascending" : "descending") : undefined}
      className={classNames("px-4 py-1", cellClasses(column.columnDef.meta))}
    >
      {column.getCanSort() ? (
        <button
          type="button"
          onClick={column.getToggleSortingHandler()}
          className="-mx-1 inline-flex min-h-9 items-center gap-1 rounded-control px-1 font-medium hover:text-ink"
        >
          <table.FlexRender header={header} />
          {direction ? <Arrow aria-hidden className="size-3.5" /> : null}
        </button>
      ) : (
        <span className="inline-flex min-h-9 items-center font-medium">
          <table.FlexRender header={header} />
        </span>
      )}
    </th>
  );
}

/** A row. Its first cell is the button for keyboards and screen readers; a press anywhere does the same. */
function BodyRow<Row extends object>({
  table,
  row,
  label,
  isOpen,
  onOpen,
}: {
  readonly table: TableOf<Row>;
  readonly row: TableRow<typeof features, Row>;
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  return (
    <tr
      onClick={(event) => {
        if ((event.target as Element).closest("a, button, input, label")) return;
        // What opens gives focus back to where it was; a row itself has none.
        event.currentTarget.querySelector<HTMLElement>("[data-row]")?.focus();
        onOpen();
      }}
      className={classNames(
        "cursor-pointer border-b border-line last:border-b-0 hover:bg-hover",
        isOpen && "bg-sunken",
      )}
    >
      {row.getAllCells().map((cell, index) => (
        <td
          key={cell.id}
          className={classNames("h-12 px-4 py-1.5", cellClasses(cell.column.columnDef.meta))}
        >
          {index === 0 ? (
            <button
              type="button"
              data-row={row.id}
              aria-label={label}
              onClick={onOpen}
              className="grid min-h-11 w-full content-center rounded-control text-left focus-visible:-outline-offset-2"
            >
              <table.FlexRender cell={cell} />
            </button>
          ) : (
            <table.FlexRender cell={cell} />
          )}
        </td>
      ))}
    </tr>
  );
}

function cellClasses(meta: DataColumnMeta | undefined): string {
  return classNames(
    meta?.align === "right" && "tabular text-right",
    meta?.wideOnly === true && "max-md:hidden",
  );
}

function LoadingRows({ columns }: { readonly columns: number }) {
  return ["a", "b", "c", "d", "e"].map((row) => (
    <tr key={row} className="border-b border-line last:border-b-0">
      <td colSpan={columns} className="h-12 px-4">
        <Skeleton className="h-5 w-full" />
      </td>
    </tr>
  ));
}
