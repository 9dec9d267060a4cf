import { levelByNumber } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { ContentRoom } from "../api/rooms.ts";
import { openNew, type ContentFilters, type SetContentFilters } from "../model/filters.ts";
import { useContentRooms } from "../queries.ts";
import { RoomPanel } from "./room-panel.tsx";
import { StatusBadge } from "./status-badge.tsx";

const column = dataColumns<ContentRoom>();
const columns = column.columns([
  column.accessor("name", {
    header: "Room",
    cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
  }),
  column.accessor("minLevel", {
    header: "Level",
    cell: ({ row }) =>
      `${row.original.minLevel} ${levelByNumber(row.original.minLevel)?.name ?? ""}`,
  }),
  column.accessor("order", { header: "Place", meta: { align: "right", wideOnly: true } }),
  column.accessor("participants", {
    header: "In the room",
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("isActive", {
    header: "Status",
    cell: ({ row }) => (
      <StatusBadge shown={row.original.isActive} shownLabel="Open" hiddenLabel="Closed" />
    ),
  }),
]);

/** The chat rooms, and the panel of one. */
export function RoomsPart({
  filters,
  setFilters,
}: {
  readonly filters: ContentFilters;
  readonly setFilters: SetContentFilters;
}) {
  const { data, isError, isFetching, refetch } = useContentRooms();
  const room = data?.find(({ id }) => id === filters.open) ?? null;
  const isNew = filters.open === openNew;
  const close = () => setFilters({ open: "" });
  if (data === undefined && isError) {
    return (
      <LoadFailed
        title="We couldn't load the rooms"
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setFilters({ open: openNew })}>
        New room
      </Button>
      <DataTable
        label="Chat rooms"
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        openId={filters.open}
        onOpen={({ id }) => setFilters({ open: id })}
        empty={
          <EmptyState title="No chat rooms">
            Rooms you create appear here and in members' lists.
          </EmptyState>
        }
      />
      <Sheet
        from="side"
        open={isNew || room !== null}
        onOpenChange={(open) => (open ? undefined : close())}
        title={room?.name ?? "New room"}
        description={
          room ? `/chats/${room.id}` : "Members at its level see the room as soon as it is created."
        }
      >
        <RoomPanel key={filters.open} room={room} onDone={close} />
      </Sheet>
    </div>
  );
}
