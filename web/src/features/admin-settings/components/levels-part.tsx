import { levelByNumber } from "@/domain/levels.ts";
import { describeRequirement, type RequirementSupply } from "@/domain/requirement-supply.ts";
import { useContentSupply } from "@/features/admin-content/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { SettingsPartProps } from "../model/filters.ts";
import { RequirementPanel } from "./requirement-panel.tsx";

const idOf = ({ level, kind }: RequirementSupply) => `${level}-${kind}`;
const levelOf = ({ level }: RequirementSupply) => `${level} ${levelByNumber(level)?.name ?? ""}`;
const nameOf = (row: RequirementSupply) =>
  `Level ${levelOf(row)}: ${describeRequirement(row, row.needed)}`;

const column = dataColumns<RequirementSupply>();
const columns = column.columns([
  column.accessor("level", {
    header: "Level",
    cell: ({ row }) => levelOf(row.original),
  }),
  column.accessor("needed", {
    header: "Asks for",
    cell: ({ row }) => (
      <span className="font-medium">{describeRequirement(row.original, row.original.needed)}</span>
    ),
  }),
  column.accessor("available", {
    header: "There are",
    meta: { align: "right" },
    cell: ({ row }) => {
      const { available, needed } = row.original;
      if (available === null) return "–";
      return available < needed ? <Badge colour="danger">{available}, too few</Badge> : available;
    },
  }),
]);

/** What each level asks for, and the panel that changes one figure. */
export function LevelsPart({ filters, setFilters }: SettingsPartProps) {
  const { data, isError, isFetching, refetch } = useContentSupply();
  const open = data?.find((row) => idOf(row) === filters.open) ?? null;
  const close = () => setFilters({ open: "" });
  if (data === undefined && isError) {
    return (
      <LoadFailed
        title="We couldn't load the requirements"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="max-w-prose text-muted">
        A change applies from each member's next action. Nobody loses a level they have reached.
      </p>
      <DataTable
        label="Level requirements"
        columns={columns}
        rows={data}
        rowId={idOf}
        rowLabel={nameOf}
        openId={filters.open}
        onOpen={(row) => setFilters({ open: idOf(row) })}
        empty={
          <EmptyState title="No requirements">
            Without requirements no level can be completed.
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={open !== null}
        onOpenChange={(stays) => (stays ? undefined : close())}
        title={open ? `Level ${levelOf(open)}` : ""}
        description={open ? `Asks for ${describeRequirement(open, open.needed)} today.` : ""}
      >
        {open ? (
          <RequirementPanel key={idOf(open)} requirement={open} all={data ?? []} onDone={close} />
        ) : null}
      </Sheet>
    </div>
  );
}
