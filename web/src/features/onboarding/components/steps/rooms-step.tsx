import { roomsStepStrings } from "../../strings.ts";
import { Prose } from "../prose.tsx";

export function RoomsStep() {
  return (
    <Prose>
      <p>{roomsStepStrings.intro}</p>
      <ul>
        {roomsStepStrings.rooms.map(({ name, purpose }) => (
          <li key={name}>
            <strong>{name}</strong>
            {purpose}
          </li>
        ))}
      </ul>
      <p>{roomsStepStrings.colours}</p>
      <h2>{roomsStepStrings.rulesTitle}</h2>
      <ol>
        {roomsStepStrings.rules.map(({ rule, text }) => (
          <li key={rule}>
            <strong>{rule}</strong>
            {text}
          </li>
        ))}
      </ol>
      <p>{roomsStepStrings.help}</p>
    </Prose>
  );
}
