import type { Outcome } from "../model/landing-data.ts";
import { outcomeStrings } from "../strings.ts";
import { Face } from "./face.tsx";
import { LandingSection } from "./section.tsx";

/** What members did, in their words. Nothing is shown where nobody agreed. */
export function OutcomesSection({
  outcomes,
  isTrial,
}: {
  readonly outcomes: readonly Outcome[];
  readonly isTrial: boolean;
}) {
  if (outcomes.length === 0) return null;
  return (
    <LandingSection
      title={outcomeStrings.title}
      intro={isTrial ? outcomeStrings.trialIntro : outcomeStrings.intro}
    >
      <ul className="grid gap-5 md:grid-cols-2 lg:grid-cols-3">
        {outcomes.map((outcome) => (
          <li
            key={`${outcome.name} ${outcome.title}`}
            className="flex flex-col gap-4 rounded-card border border-line bg-raised p-6"
          >
            <h3 className="display text-xl wrap-anywhere">{outcome.title}</h3>
            <p className="grow text-muted wrap-anywhere">{outcome.text}</p>
            <div className="flex items-center gap-3">
              <Face name={outcome.name} picture={outcome.picture} size={44} />
              <div className="min-w-0 grow text-sm">
                <p className="font-semibold wrap-anywhere">{outcome.name}</p>
                <p className="text-muted wrap-anywhere">{outcome.occupation}</p>
              </div>
              {isTrial ? (
                <span className="rounded-full border border-control-line px-2.5 py-0.5 text-xs font-medium">
                  {outcomeStrings.example}
                </span>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </LandingSection>
  );
}
