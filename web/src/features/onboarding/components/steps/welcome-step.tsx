import { levels } from "@/domain/levels.ts";
import { RisingLine } from "@/ui/rising-line.tsx";
import { welcomeStepStrings } from "../../strings.ts";
import { Prose } from "../prose.tsx";

export function WelcomeStep() {
  return (
    <>
      <RisingLine steps={levels} className="max-w-md" />
      <Prose>
        <p>{welcomeStepStrings.intro}</p>
        <p>{welcomeStepStrings.howItWorks}</p>
        <h2>{welcomeStepStrings.nextTitle}</h2>
        <ol>
          {welcomeStepStrings.next.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <p>{welcomeStepStrings.time}</p>
      </Prose>
    </>
  );
}
