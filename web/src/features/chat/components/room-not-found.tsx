import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { roomStrings } from "../strings.ts";

/** Shown at the address of an unknown room. */
export function RoomNotFound() {
  return (
    <div className="grid h-full place-content-center justify-items-start gap-4 px-4 py-16 sm:px-8">
      <h1 className="display text-2xl sm:text-3xl">{roomStrings.notFound}</h1>
      <p className="max-w-md text-muted">{roomStrings.notFoundText}</p>
      <Button asChild>
        <Link to={paths.chats}>{roomStrings.backToRooms}</Link>
      </Button>
    </div>
  );
}
