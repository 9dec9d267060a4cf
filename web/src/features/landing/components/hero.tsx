import { figures, spots } from "../content.ts";
import { CallToAction } from "./call-to-action.tsx";
import { Measure } from "./section.tsx";

/** Headline and claim on the left, countdown and proof on the right. */
export function Hero() {
  return (
    <section className="pt-10 pb-16 sm:pt-16 sm:pb-24">
      <Measure className="grid gap-12 lg:grid-cols-12 lg:gap-12">
        <div className="grid content-start gap-7 lg:col-span-7">
          <h1 className="display text-[clamp(2.5rem,1.4rem+5vw,4.5rem)] leading-[1.03] tracking-[-0.025em]">
            Earn ten times more in six months. Or stay for free.
          </h1>
          <p className="max-w-[34rem] text-lg text-muted sm:text-xl">
            A membership for people who want to earn more and are willing to work for it. If you do
            not 10x your income within 6 months, you get your money back and continue for free.
          </p>
          <CallToAction hideGuarantee>Claim your place</CallToAction>
        </div>
        <div className="grid content-start gap-8 border-line lg:col-span-4 lg:col-start-9 lg:border-l lg:pl-8">
          <div className="grid gap-1.5">
            <p className="text-sm text-muted">This month's price holds for</p>
            <p
              role="timer"
              data-countdown
              className="tabular text-4xl font-medium tracking-tight sm:text-5xl"
            >
              24:00:00
            </p>
            <p className="text-sm text-muted">
              {spots.perMonth} new members a month, {spots.remaining} spots remaining
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
