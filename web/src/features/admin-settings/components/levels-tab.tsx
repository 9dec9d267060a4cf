import { levelByNumber } from "@/domain/levels.ts";
import { describeRequirement, type RequirementSupply } from "@/domain/requirement-supply.ts";
import { useContentSupply } from "@/features/admin-content/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { SettingsPartProps } from "../model/filters.ts";
import { levelSettingsStrings } from "../strings.ts";
import { RequirementPanel } from "./requirement-panel.tsx";

const idOf = ({ level, kind }: RequirementSupply) => `${level}-${kind}`;
const levelOf = ({ level }: RequirementSupply) => `${level} ${levelByNumber(level)?.name ?? ""}`;
const nameOf = (row: RequirementSupply) =>
  levelSettingsStrings.rowLabel(levelOf(row), describeRequirement(row, row.needed));

const column = dataColumns<RequirementSupply>();
const columns = column.columns([
  column.accessor("level", {
    header: levelSettingsStrings.level,
    cell: ({ row }) => levelOf(row.original),
  }),
  column.accessor("needed", {
    header: levelSettingsStrings.asksFor,
    cell: ({ row }) => (
      <span className="font-medium">{describeRequirement(row.original, row.original.needed)}</span>
    ),
  }),
  column.accessor("available", {
    header: levelSettingsStrings.available,
    meta: { align: "right" },
    cell: ({ row }) => {
      const { available, needed } = row.original;
      if (available === null) return "–";
      return available < needed ? (
        <Badge colour="danger">{levelSettingsStrings.tooFew(available)}</Badge>
      ) : (
        available
      );
    },
  }),
]);

/** What each level asks for, and the panel that changes one figure. */
export function LevelsTab({ filters, setFilters }: SettingsPartProps) {
  const { data, isError, isFetching, refetch } = useContentSupply();
  const open = data?.find((row) => idOf(row) === filters.open) ?? null;
  const close = () => setFilters({ open: "" });
  if (data === undefined && isError) {
    return (
      <LoadFailed
        title={levelSettingsStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-prose text-muted">{levelSettingsStrings.change}</p>
      <DataTable
        label={levelSettingsStrings.table}
        columns={columns}
        rows={data}
        rowId={idOf}
        rowLabel={nameOf}
        openId={filters.open}
        onOpen={(row) => setFilters({ open: idOf(row) })}
        empty={
          <EmptyState title={levelSettingsStrings.emptyTitle}>
            {levelSettingsStrings.empty}
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open ? levelSettingsStrings.panelTitle(levelOf(open)) : ""}
        description={open ? levelSettingsStrings.today(describeRequirement(open, open.needed)) : ""}
      >
        {open ? (
          <RequirementPanel key={idOf(open)} requirement={open} all={data ?? []} onDone={close} />
        ) : null}
      </Sheet>
    </div>
  );
}
