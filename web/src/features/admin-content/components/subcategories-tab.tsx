import { sections } from "@/domain/library-paths.ts";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { ContentSubcategory } from "../api/subcategories.ts";
import { openNew, type ContentFilters, type SetContentFilters } from "../model/filters.ts";
import { useContentSubcategories } from "../queries.ts";
import { subcategoryContentStrings } from "../strings.ts";
import { StatusBadge } from "./status-badge.tsx";
import { SubcategoryPanel } from "./subcategory-panel.tsx";

const column = dataColumns<ContentSubcategory>();
const columns = column.columns([
  column.accessor("name", {
    header: subcategoryContentStrings.subcategory,
    cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
  }),
  column.accessor("category", {
    header: subcategoryContentStrings.category,
    cell: ({ row }) => sections[row.original.category].name,
  }),
  column.accessor("order", {
    header: subcategoryContentStrings.order,
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("articles", {
    header: subcategoryContentStrings.articles,
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("courses", {
    header: subcategoryContentStrings.courses,
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("isActive", {
    header: subcategoryContentStrings.status,
    cell: ({ row }) => (
      <StatusBadge
        shown={row.original.isActive}
        shownLabel={subcategoryContentStrings.shown}
        hiddenLabel={subcategoryContentStrings.hidden}
      />
    ),
  }),
]);

/** The subcategories of the library, and the panel of one. */
export function SubcategoriesTab({
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
        title={subcategoryContentStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setFilters({ open: openNew })}>
        {subcategoryContentStrings.newSubcategory}
      </Button>
      <DataTable
        label={subcategoryContentStrings.table}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        openId={filters.open}
        onOpen={({ id }) => setFilters({ open: id })}
        empty={
          <EmptyState title={subcategoryContentStrings.emptyTitle}>
            {subcategoryContentStrings.empty}
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={isNew || open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open?.name ?? subcategoryContentStrings.newSubcategory}
        description={
          open
            ? `${sections[open.category].name} · ${open.slug}`
            : subcategoryContentStrings.newSubcategoryNote
        }
      >
        <SubcategoryPanel key={filters.open} subcategory={open} onDone={close} />
      </Sheet>
    </div>
  );
}
