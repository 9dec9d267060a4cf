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
        <p className="text-muted">{welcomeStepStrings.time}</p>
      </Prose>
    </>
  );
}
