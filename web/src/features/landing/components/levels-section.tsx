import { levels } from "@/domain/levels.ts";
import { RisingLine } from "@/ui/rising-line.tsx";
import { landingStrings, levelDetails } from "../strings.ts";
import { LevelPicture } from "./miniatures.tsx";
import { LandingSection } from "./section.tsx";

/** The four levels as one rising line, each with what it opens. */
export function LevelsSection() {
  return (
    <LandingSection
      id="inside"
      title={landingStrings.levelsTitle}
      intro={landingStrings.levelsIntro}
    >
      <div className="grid gap-6">
        <RisingLine stretched steps={levels} className="h-16 sm:h-24" />
        <ol className="grid gap-8 sm:grid-cols-2 lg:grid-cols-4 lg:gap-6">
          {levels.map((level, index) => (
            <li
              key={level.number}
              data-accent={level.accent}
              className="grid content-start gap-3 border-t-3 border-accent pt-4"
            >
              <LevelPicture level={level.number} />
              <h3 className="flex items-baseline gap-2">
                <span className="tabular text-sm font-semibold text-accent">
                  {landingStrings.level(level.number)}
                </span>
                <span className="display text-xl">{level.name}</span>
              </h3>
              <p>{level.summary}</p>
              <p className="text-sm text-muted">{levelDetails[index]}</p>
            </li>
          ))}
        </ol>
      </div>
    </LandingSection>
  );
}
