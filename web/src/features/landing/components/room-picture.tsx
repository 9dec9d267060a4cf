import { roomPicture } from "../strings/pictures.ts";
import { faces } from "../strings/faces.ts";
import { Face } from "./face.tsx";

/** The General room as members see it, with words of the demo. */
export function RoomPicture() {
  return (
    <figure className="grid gap-2">
      <div
        role="group"
        aria-label={roomPicture.label}
        className="overflow-hidden rounded-card border border-line bg-raised shadow-float"
      >
        <div
          className="flex items-center gap-3 border-b border-line px-4 py-3"
          data-accent="community"
        >
          <span aria-hidden className="h-8 w-1 rounded-full bg-accent" />
          <div className="min-w-0">
            <p className="leading-tight font-semibold">{roomPicture.name}</p>
            <p className="text-xs text-muted">{roomPicture.purpose}</p>
          </div>
        </div>
        <ol className="grid gap-4 px-4 py-4">
          {roomPicture.lines.map((line) => (
            <li key={line.text} className="flex gap-3">
              <Face name={line.name} picture={faces[line.name]} size={36} eager />
              <div className="min-w-0">
                <p className="flex items-baseline gap-2 text-sm leading-tight font-semibold">
                  {line.name}
                  {"role" in line ? (
                    <span className="rounded-full border border-role-mentor px-1.5 text-xs leading-tight font-medium text-role-mentor">
                      {line.role}
                    </span>
                  ) : null}
                </p>
                <p className="text-sm">{line.text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
      <figcaption className="justify-self-end rounded-control bg-paper px-1.5 text-xs text-muted">
        {roomPicture.note}
      </figcaption>
    </figure>
  );
}
