import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";
import { Button } from "@/ui/button.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import type { LandingData } from "../model/landing-data.ts";
import { landingStrings } from "../strings.ts";
import { firstPlans, fromPrice } from "../strings/prices.ts";
import { GuaranteeSection } from "./guarantee-section.tsx";
import { Hero } from "./hero.tsx";
import { InsideSection } from "./inside-section.tsx";
import { LandingFooter } from "./landing-footer.tsx";
import { LevelsSection } from "./levels-section.tsx";
import { OutcomesSection } from "./outcomes-section.tsx";
import { Measure } from "./section.tsx";
import { ClosingSection, QuestionsSection, WeekSection } from "./story-sections.tsx";
import { TiersSection } from "./tiers-section.tsx";

/** The whole landing page. Without data it says what is true everywhere. */
export function Landing({ data }: { readonly data: LandingData | null }) {
  // Nothing on sale is an install that is being set up.
  const plans = data === null || data.plans.length === 0 ? firstPlans : data.plans;
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-control bg-ink px-4 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {landingStrings.skip}
      </a>
      <Header />
      <main id="main">
        <Hero
          headline={data?.headline ?? landingStrings.headline}
          lead={data?.lead ?? landingStrings.lead}
          fromPrice={fromPrice(plans)}
        />
        {/* The bar stays within it, and so away from the first button. */}
        <div>
          {data === null ? null : (
            <OutcomesSection outcomes={data.outcomes} isTrial={data.isTrial} />
          )}
          <LevelsSection />
          <WeekSection />
          {data === null ? null : <InsideSection data={data} />}
          <TiersSection plans={plans} />
          <GuaranteeSection claims={data?.claims ?? null} plans={plans} />
          <QuestionsSection plans={plans} />
          <ClosingSection />
          <PhoneBar price={fromPrice(plans)} />
        </div>
      </main>
      <LandingFooter seller={data?.seller ?? null} plans={plans} />
    </>
  );
}

function Header() {
  const link =
    "inline-flex min-h-11 items-center rounded-control px-3 text-sm font-medium hover:bg-hover";
  return (
    <header>
      <Measure className="flex min-h-18 flex-wrap items-center justify-between gap-x-4">
        <a
          href={paths.landing}
          aria-label={brand.name}
          className="inline-flex rounded-control py-2"
        >
          <Wordmark name={brand.name} />
        </a>
        <nav aria-label={landingStrings.menu}>
          <ul className="-mx-3 flex flex-wrap items-center">
            {landingStrings.links.map(({ words, href }) => (
              <li key={href}>
                <a href={href} className={link}>
                  {words}
                </a>
              </li>
            ))}
            <li>
              <a href={paths.auth} data-session-link className={link}>
                {landingStrings.signIn}
              </a>
            </li>
          </ul>
        </nav>
      </Measure>
    </header>
  );
}

/** Price and button at a phone's lower edge, until the footer. */
function PhoneBar({ price }: { readonly price: string }) {
  return (
    <div className="sticky bottom-0 z-20 flex items-center justify-between gap-3 border-t border-line bg-raised px-5 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:hidden">
      <p className="text-sm leading-tight">
        <span className="font-semibold">{price}</span>
        <span className="block text-muted">{landingStrings.cancel}</span>
      </p>
      <Button asChild>
        <a href={paths.auth}>{landingStrings.claim}</a>
      </Button>
    </div>
  );
}
