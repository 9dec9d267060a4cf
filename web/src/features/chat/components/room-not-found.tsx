import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { chatStrings } from "../strings.ts";

/** Shown at the address of an unknown room. */
export function RoomNotFound() {
  return (
    <div className="grid h-full place-content-center justify-items-start gap-4 px-4 py-16 sm:px-8">
      <h1 className="display text-2xl sm:text-3xl">{chatStrings.roomNotFound}</h1>
      <p className="max-w-md text-muted">
        There's no room at this address. It may have been closed, or the link may be wrong.
      </p>
      <Button asChild>
        <Link to={paths.chats}>{chatStrings.backToRooms}</Link>
      </Button>
    </div>
  );
}
