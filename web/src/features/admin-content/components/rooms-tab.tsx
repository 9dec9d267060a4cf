import { levelByNumber } from "@/domain/levels.ts";
import { Button } from "@/ui/button.tsx";
import { DataTable, dataColumns } from "@/ui/data-table.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import type { ContentRoom } from "../api/rooms.ts";
import { openNew, type ContentFilters, type SetContentFilters } from "../model/filters.ts";
import { useContentRooms } from "../queries.ts";
import { roomContentStrings } from "../strings.ts";
import { RoomPanel } from "./room-panel.tsx";
import { StatusBadge } from "./status-badge.tsx";

const column = dataColumns<ContentRoom>();
const columns = column.columns([
  column.accessor("name", {
    header: roomContentStrings.room,
    cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
  }),
  column.accessor("minLevel", {
    header: roomContentStrings.level,
    cell: ({ row }) =>
      `${row.original.minLevel} ${levelByNumber(row.original.minLevel)?.name ?? ""}`,
  }),
  column.accessor("order", {
    header: roomContentStrings.order,
    // Nobody has ordered a level whose rooms all have one place.
    cell: ({ row, table }) => {
      const places = table
        .getCoreRowModel()
        .rows.filter(({ original }) => original.minLevel === row.original.minLevel)
        .map(({ original }) => original.order);
      const isOrdered = places.length === 1 || new Set(places).size > 1;
      return isOrdered ? row.original.order : roomContentStrings.byName;
    },
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("participants", {
    header: roomContentStrings.participants,
    meta: { align: "right", wideOnly: true },
  }),
  column.accessor("isActive", {
    header: roomContentStrings.status,
    cell: ({ row }) => (
      <StatusBadge
        shown={row.original.isActive}
        shownLabel={roomContentStrings.open}
        hiddenLabel={roomContentStrings.closed}
      />
    ),
  }),
]);

/** The chat rooms, and the panel of one. */
export function RoomsTab({
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
        title={roomContentStrings.loadFailed}
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <Button className="justify-self-start" onClick={() => setFilters({ open: openNew })}>
        {roomContentStrings.newRoom}
      </Button>
      <DataTable
        label={roomContentStrings.table}
        columns={columns}
        rows={data}
        rowId={({ id }) => id}
        rowLabel={({ name }) => name}
        openId={filters.open}
        onOpen={({ id }) => setFilters({ open: id })}
        empty={
          <EmptyState title={roomContentStrings.emptyTitle}>{roomContentStrings.empty}</EmptyState>
        }
      />
      <Sheet
        from="side"
        open={isNew || room !== null}
        onOpenChange={(open) => (open ? undefined : close())}
        title={room?.name ?? roomContentStrings.newRoom}
        description={room ? `/chats/${room.id}` : roomContentStrings.newRoomNote}
      >
        <RoomPanel key={filters.open} room={room} onDone={close} />
      </Sheet>
    </div>
  );
}
