import { Avatar } from "@/ui/avatar.tsx";
import { Miniature } from "@/ui/miniature.tsx";
import { roomsStepStrings } from "../../strings.ts";
import { More, Thought } from "../thought.tsx";

export function RoomsStep() {
  return (
    <>
      <Thought picture={<RoomPicture />}>
        <p>{roomsStepStrings.intro}</p>
        <ul>
          {roomsStepStrings.rooms.map(({ name, purpose }) => (
            <li key={name}>
              <strong>{name}</strong>: {purpose}
            </li>
          ))}
        </ul>
      </Thought>
      <section className="grid gap-3">
        <h2 className="text-lg font-semibold">{roomsStepStrings.rulesTitle}</h2>
        <ol className="grid gap-3 sm:grid-cols-2 sm:gap-x-10">
          {roomsStepStrings.rules.map(({ rule, text }, place) => (
            <li key={rule} className="grid grid-cols-[1.5rem_1fr]">
              <span aria-hidden className="display tabular text-muted">
                {place + 1}
              </span>
              <span>
                <strong>{rule}</strong>
                <span className="block text-sm text-muted">{text}</span>
              </span>
            </li>
          ))}
        </ol>
      </section>
      <More title={roomsStepStrings.moreTitle}>
        {roomsStepStrings.more.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </More>
    </>
  );
}

function RoomPicture() {
  const { room, lines } = roomsStepStrings.picture;
  return (
    <div data-accent="community" className="grid">
      <Miniature>
        <p className="font-semibold text-accent">{room}</p>
        {lines.map(({ name, text }) => (
          <div key={name} className="flex gap-2">
            <Avatar id={name} name={name} size="sm" />
            <div>
              <p className="font-semibold">{name}</p>
              <p>{text}</p>
            </div>
          </div>
        ))}
      </Miniature>
    </div>
  );
}
