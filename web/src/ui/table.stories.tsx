import { Badge } from "./badge.tsx";
import { DataTable, dataColumns } from "./data-table.tsx";
import { EmptyState } from "./empty-state.tsx";
import type { StoryGroup } from "./story.ts";

interface Payment {
  readonly id: string;
  readonly member: string;
  readonly state: "Paid" | "Refunded";
  readonly amount: string;
}

const payments: Payment[] = [
  { id: "1", member: "Priya Raman", state: "Paid", amount: "£50.00" },
  { id: "2", member: "Tom Ashworth", state: "Refunded", amount: "£100.00" },
];

const column = dataColumns<Payment>();
const columns = column.columns([
  column.accessor("member", { header: "Member", enableSorting: true }),
  column.accessor("state", {
    header: "State",
    meta: { wideOnly: true },
    cell: (cell) => (
      <Badge colour={cell.getValue() === "Paid" ? "good" : "plain"}>{cell.getValue()}</Badge>
    ),
  }),
  column.accessor("amount", { header: "Amount", meta: { align: "right" } }),
]);

function table(rows: readonly Payment[] | undefined) {
  return (
    <DataTable
      label="Payments"
      columns={columns}
      rows={rows}
      rowId={(payment) => payment.id}
      rowLabel={(payment) => payment.member}
      openId="2"
      sorting={[{ id: "member", desc: false }]}
      onOpen={() => {}}
      empty={<EmptyState title="No payments">They appear here once a member has paid.</EmptyState>}
    />
  );
}

export default {
  title: "Tables",
  stories: {
    "Rows, one of them open": () => table(payments),
    Loading: () => table(undefined),
    Empty: () => table([]),
  },
} satisfies StoryGroup;
