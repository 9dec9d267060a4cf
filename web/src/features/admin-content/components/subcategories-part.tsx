import { sections } from "@/domain/library-paths.ts";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { ContentSubcategory } from "../api/subcategories.ts";
import { openNew, type ContentFilters, type SetContentFilters } from "../model/filters.ts";
import { useContentSubcategories } from "../queries.ts";
import { StatusBadge } from "./status-badge.tsx";
import { SubcategoryPanel } from "./subcategory-panel.tsx";

const column = dataColumns<ContentSubcategory>();
const columns = column.columns([
  column.accessor("name", {
    header: "Subcategory",
    cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
  }),
  column.accessor("category", {
    header: "Category",
    cell: ({ row }) => sections[row.original.category].name,
  }),
  column.accessor("order", { header: "Place", meta: { align: "right", wideOnly: true } }),
  column.accessor("articles", { header: "Articles", meta: { align: "right", wideOnly: true } }),
  column.accessor("courses", { header: "Courses", meta: { align: "right", wideOnly: true } }),
  column.accessor("isActive", {
    header: "Status",
    cell: ({ row }) => (
      <StatusBadge shown={row.original.isActive} shownLabel="Shown" hiddenLabel="Hidden" />
    ),
  }),
]);

/** The subcategories of the library, and the panel of one. */
export function SubcategoriesPart({
  filters,
  setFilters,
}: {
  readonly filters: ContentFilters;
  readonly setFilters: SetContentFilters;
}) {
  const { data, isError, isFetching, refetch } = useContentSubcategories();
  const open = data?.find(({ id }) => id === filters.open) ?? null;
  const isNew = filters.open === openNew;
  const close = () => setFilters({ open: "" });
  if (data === undefined && isError) {
    return (
      <LoadFailed
        title="We couldn't load the subcategories"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setFilters({ open: openNew })}>
        New subcategory
      </Button>
      <DataTable
        label="Subcategories"
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        openId={filters.open}
        onOpen={({ id }) => setFilters({ open: id })}
        empty={
          <EmptyState title="No subcategories">
            Import the library, or create the first one here.
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={isNew || open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open?.name ?? "New subcategory"}
        description={
          open ? `${sections[open.category].name} · ${open.slug}` : "It starts without articles."
        }
      >
        <SubcategoryPanel key={filters.open} subcategory={open} onDone={close} />
      </Sheet>
    </div>
  );
}
