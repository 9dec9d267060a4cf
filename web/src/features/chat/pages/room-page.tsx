import { Navigate, useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { useEffectiveLevel } from "@/features/levels/index.ts";
import { BlockedMembers } from "@/features/people/index.ts";
import { useSession } from "@/features/session/index.ts";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { useExtraWideScreen } from "@/ui/use-wide-screen.ts";
import type { ClosedRoom } from "../model/closed-room.ts";
import { canEnter } from "../model/room.ts";
import { usePins, useRoom } from "../queries.ts";
import { useLiveRooms } from "../use-live-rooms.ts";
import { roomStrings } from "../strings.ts";
import { RoomNotFound } from "../components/room-not-found.tsx";
import { RoomSwitcher } from "../components/room-switcher.tsx";
import { RoomView } from "../components/room-view.tsx";
import { SkipToMessageField } from "../components/skip-to-message-field.tsx";

/** `/chats/{roomId}`: one room, for members whose level opens it, on wide screens beside the others. */
export function RoomPage() {
  useLiveRooms();
  const { roomId = "" } = useParams();
  const level = useEffectiveLevel();
  const wide = useExtraWideScreen();
  return (
    <BlockedMembers>
      <div className="flex h-full">
        <SkipToMessageField />
        {wide && level.status === "ready" && level.current > 0 ? (
          <RoomSwitcher currentId={roomId} level={level.current} />
        ) : null}
        <div className="min-w-0 grow">
          <RoomContent roomId={roomId} />
        </div>
      </div>
    </BlockedMembers>
  );
}

function RoomContent({ roomId }: { readonly roomId: string }) {
  const { user } = useSession();
  const level = useEffectiveLevel();
  const room = useRoom(roomId);
  // They stand above the messages, which would jump when they came later. One failure, and the room opens without them.
  const pins = usePins(roomId);
  const waitsForPins = pins.isPending && pins.failureCount === 0;
  // A loaded room stays open when a later refetch fails.
  if (room.isError && room.data === undefined) {
    console.error("The room could not be loaded", room.error);
    return <BackToList closedRoom={{ kind: "failed" }} />;
  }
  if (room.data === null) return <RoomNotFound />;
  if (level.status === "failed") return <BackToList closedRoom={{ kind: "failed" }} />;
  if (room.data === undefined || level.status === "loading" || user === null) {
    return <RoomSkeleton />;
  }
  if (!canEnter(room.data, level.current)) {
    const { name, minLevel } = room.data;
    // Without a level the list itself says what became of the membership.
    return (
      <BackToList closedRoom={level.current === 0 ? null : { kind: "level", name, minLevel }} />
    );
  }
  if (waitsForPins) return <RoomSkeleton />;
  return <RoomView key={room.data.id} room={room.data} userId={user.id} />;
}

/** The way to the list, which says why the room is not shown; null where it says so anyway. */
function BackToList({ closedRoom }: { readonly closedRoom: ClosedRoom | null }) {
  return <Navigate to={paths.chats} replace state={closedRoom && { closedRoom }} />;
}

function RoomSkeleton() {
  return (
    <Loading label={roomStrings.loading} className="flex h-full flex-col">
      <div className="flex items-center gap-3 border-b border-line px-4 py-3 sm:px-8">
        <div className="grid grow gap-2">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-4 w-72 max-w-full" />
        </div>
      </div>
      <div className="grid grow content-end gap-6 px-4 py-6 sm:px-8">
        {["w-2/3", "w-1/2", "w-3/4"].map((width) => (
          <div key={width} className="flex gap-3">
            <Skeleton className="size-9 rounded-full" />
            <div className="grid grow content-start gap-2">
              <Skeleton className="w-32" />
              <Skeleton className={width} />
            </div>
          </div>
        ))}
      </div>
      <div className="px-4 pb-4 sm:px-8">
        <Skeleton className="h-12" />
      </div>
    </Loading>
  );
}
