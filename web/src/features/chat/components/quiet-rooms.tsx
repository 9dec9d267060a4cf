import { ChevronRight, PenLine } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { classNames } from "@/ui/class-names.ts";
import type { RoomOverview } from "../model/room.ts";
import { formatNames, roomListStrings } from "../strings.ts";

/** Names of rooms in the line that stands for them. */
const namesInLine = 5;

/** Rooms in which nobody has written yet, folded into one line until they are asked for. */
export function QuietRooms({ rooms }: { readonly rooms: readonly RoomOverview[] }) {
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (rooms.length === 0) return null;
  return (
    <div className="rounded-card border border-dashed border-line">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
        className="flex min-h-11 w-full items-center gap-2 rounded-card px-4 py-2 text-left text-sm hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={classNames(
            "size-4 shrink-0 text-muted transition-transform",
            open && "rotate-90",
          )}
        />
        <span className="min-w-0">
          <span className="font-medium">{roomListStrings.quietRooms(rooms.length)}</span>
          <span className="text-muted">
            {" "}
            ·{" "}
            {formatNames(
              rooms.map(({ name }) => name),
              namesInLine,
            )}
          </span>
        </span>
      </button>
      <ul id={listId} hidden={!open} className="divide-y divide-line border-t border-line">
        {rooms.map((room) => (
          <li key={room.id}>
            <Link
              to={`${paths.chats}/${room.id}`}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 hover:bg-hover"
            >
              <span className="min-w-0 grow basis-60">
                <span className="block font-medium">{room.name}</span>
                <span className="block text-sm text-muted">{room.description}</span>
              </span>
              <span className="flex items-center gap-1.5 text-sm font-medium">
                <PenLine aria-hidden className="size-4" />
                {roomListStrings.startRoom}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
