import { figures, landingStrings, spots } from "../strings.ts";
import { CallToAction } from "./call-to-action.tsx";
import { Measure } from "./section.tsx";

/** Headline and claim on the left, countdown and proof on the right. */
export function Hero() {
  return (
    <section className="pt-10 pb-16 sm:pt-16 sm:pb-24">
      <Measure className="grid gap-12 lg:grid-cols-12 lg:gap-12">
        <div className="grid content-start gap-7 lg:col-span-7">
          <h1 className="display text-[clamp(2.5rem,1.4rem+5vw,4.5rem)] leading-[1.03] tracking-[-0.025em]">
            {landingStrings.headline}
          </h1>
          <p className="max-w-[34rem] text-lg text-muted sm:text-xl">{landingStrings.lead}</p>
          <CallToAction hideGuarantee>{landingStrings.claim}</CallToAction>
        </div>
        <div className="grid content-start gap-8 border-line lg:col-span-4 lg:col-start-9 lg:border-l lg:pl-8">
          <div className="grid gap-1.5">
            <p className="text-sm text-muted">{landingStrings.countdown}</p>
            <p
              role="timer"
              data-countdown
              className="tabular text-4xl font-medium tracking-tight sm:text-5xl"
            >
              24:00:00
            </p>
            <p className="text-sm text-muted">
              {landingStrings.spotsLeft(spots.perMonth, spots.remaining)}
            </p>
          </div>
          <dl className="grid grid-cols-2 gap-6 lg:grid-cols-1">
            {figures.map((figure) => (
              <div key={figure.label} className="flex flex-col-reverse border-t border-line pt-3">
                <dt className="text-sm text-muted">{figure.label}</dt>
                <dd className="display text-2xl sm:text-3xl">{figure.value}</dd>
              </div>
            ))}
          </dl>
        </div>
      </Measure>
    </section>
  );
}
