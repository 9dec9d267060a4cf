import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Wordmark } from "@/ui/rising-line.tsx";
import { landingStrings } from "../strings.ts";
import { Hero } from "./hero.tsx";
import { LandingFooter } from "./landing-footer.tsx";
import { LevelsSection } from "./levels-section.tsx";
import { Measure } from "./section.tsx";
import {
  AudienceSection,
  ClosingSection,
  GuaranteeSection,
  ProblemSection,
  QuestionsSection,
  WeekSection,
} from "./story-sections.tsx";
import { TiersSection } from "./tiers-section.tsx";

/** The whole landing page. It is rendered once, at build time. */
export function Landing() {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {landingStrings.skip}
      </a>
      <header>
        <Measure className="flex min-h-18 items-center justify-between gap-4">
          <a
            href={paths.landing}
            aria-label={brand.name}
            className="inline-flex rounded-control py-2"
          >
            <Wordmark name={brand.name} />
          </a>
          <a
            href={paths.auth}
            data-session-link
            className="inline-flex min-h-11 items-center rounded-control px-3 text-sm font-medium hover:bg-hover"
          >
            {landingStrings.signIn}
          </a>
        </Measure>
      </header>
      <main id="main">
        <Hero />
        <LevelsSection />
        <ProblemSection />
        <WeekSection />
        <TiersSection />
        <GuaranteeSection />
        <AudienceSection />
        <QuestionsSection />
        <ClosingSection />
      </main>
      <LandingFooter />
    </>
  );
}
