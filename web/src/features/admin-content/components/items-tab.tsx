import { categories } from "@/domain/categories.ts";
import { sections, type Shelf } from "@/domain/library-paths.ts";
import { Badge } from "@/ui/badge.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { FilterField } from "@/ui/filter-field.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { SelectField } from "@/ui/select-field.tsx";
import type { ContentItem } from "../api/items.ts";
import type { ContentFilters, SetContentFilters } from "../model/filters.ts";
import { useContentItems, useContentSubcategories } from "../queries.ts";
import { itemContentStrings } from "../strings.ts";
import { ItemPanel } from "./item-panel.tsx";
import { StatusBadge } from "./status-badge.tsx";

const column = dataColumns<ContentItem>();
const columns = column.columns([
  column.accessor("title", {
    header: itemContentStrings.title,
    cell: ({ row }) => <span className="font-medium">{row.original.title}</span>,
  }),
  column.accessor("subcategory", {
    header: itemContentStrings.subcategory,
    meta: { wideOnly: true },
    cell: ({ row }) => `${sections[row.original.category].name} · ${row.original.subcategory}`,
  }),
  column.accessor("readers", {
    header: itemContentStrings.readers,
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("isPublished", {
    header: itemContentStrings.status,
    cell: ({ row }) => (
      <span className="flex flex-wrap gap-1">
        <StatusBadge
          shown={row.original.isPublished}
          shownLabel={itemContentStrings.published}
          hiddenLabel={itemContentStrings.withdrawn}
        />
        {row.original.isFeatured ? (
          <Badge colour="info">{itemContentStrings.featured}</Badge>
        ) : null}
      </span>
    ),
  }),
]);

const statusOptions = [
  { value: "published", label: itemContentStrings.published },
  { value: "withdrawn", label: itemContentStrings.withdrawn },
  { value: "featured", label: itemContentStrings.featured },
];
const categoryOptions = categories.map((each) => ({ value: each, label: sections[each].name }));

/** The articles or the courses with their filters, and the panel of one. */
export function ItemsTab({
  shelf,
  filters,
  setFilters,
}: {
  readonly shelf: Shelf;
  readonly filters: ContentFilters;
  readonly setFilters: SetContentFilters;
}) {
  const { search, category, subcategory, status } = filters;
  const items = useContentItems(shelf, { search, category, subcategory, status });
  const subcategories = useContentSubcategories();
  const rows = items.data?.pages.flat();
  const open = rows?.find(({ id }) => id === filters.open) ?? null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <search className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <FilterField
          label={itemContentStrings.search}
          fieldClassName="max-lg:col-span-2"
          type="search"
          value={search}
          onCommit={(typed) => setFilters({ search: typed }, { replace: true })}
        />
        <SelectField
          label={itemContentStrings.category}
          placeholder={itemContentStrings.allCategories}
          options={categoryOptions}
          value={category}
          onChange={(event) => setFilters({ category: event.target.value, subcategory: "" })}
        />
        <SelectField
          label={itemContentStrings.subcategory}
          placeholder={itemContentStrings.allSubcategories}
          options={(subcategories.data ?? [])
            .filter((each) => category === "" || each.category === category)
            .map(({ id, name }) => ({ value: id, label: name }))}
          value={subcategory}
          onChange={(event) => setFilters({ subcategory: event.target.value })}
        />
        <SelectField
          label={itemContentStrings.status}
          placeholder={itemContentStrings.anyStatus}
          options={statusOptions}
          value={status}
          onChange={(event) => setFilters({ status: event.target.value })}
        />
      </search>
      {rows === undefined && items.isError ? (
        <LoadFailed
          title={itemContentStrings.loadFailed(shelf)}
          busy={items.isFetching}
          onRetry={() => void items.refetch()}
        />
      ) : (
        <DataTable
          label={itemContentStrings.table[shelf]}
          columns={columns}
          rows={rows}
          rowId={({ id }) => id}
          rowLabel={({ title }) => title}
          openId={filters.open}
          onOpen={({ id }) => setFilters({ open: id })}
          empty={
            <EmptyState title={itemContentStrings.emptyTitle(shelf)}>
              {itemContentStrings.empty(shelf)}
            </EmptyState>
          }
          more={
            items.hasNextPage
              ? { loading: items.isFetchingNextPage, load: () => void items.fetchNextPage() }
              : undefined
          }
        />
      )}
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(stays) => (stays ? undefined : setFilters({ open: "" }))}
        title={open?.title ?? ""}
      >
        {open ? <ItemPanel key={open.id} shelf={shelf} item={open} /> : null}
      </Sheet>
    </div>
  );
}
