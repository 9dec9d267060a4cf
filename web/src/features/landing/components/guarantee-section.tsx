import { paths } from "@/domain/paths.ts";
import type { LandingData } from "../model/landing-data.ts";
import { guarantee } from "../strings.ts";
import { guaranteeExample } from "../strings/prices.ts";
import { CallToAction } from "./call-to-action.tsx";
import { LandingSection } from "./section.tsx";

/** The guarantee as a document: what it asks, an example in pounds, and how claims ended. */
export function GuaranteeSection({ claims, plans }: Pick<LandingData, "claims" | "plans">) {
  const example = guaranteeExample(plans);
  return (
    <LandingSection id="guarantee" title={guarantee.line} intro={guarantee.intro}>
      <div className="grid gap-6">
        <div className="grid rounded-card border border-line bg-raised lg:grid-cols-5">
          <div className="grid content-start gap-4 p-6 sm:p-8 lg:col-span-3">
            <h3 className="font-semibold">{guarantee.asks}</h3>
            <ul className="grid grid-cols-2 gap-6 sm:grid-cols-4">
              {guarantee.numbers.map(({ value, label }) => (
                <li key={label} className="grid content-start gap-1">
                  <span className="display text-4xl leading-none">{value}</span>{" "}
                  <span className="text-sm text-muted">{label}</span>
                </li>
              ))}
            </ul>
            <p className="max-w-prose text-sm text-muted">{guarantee.numbersNote}</p>
            <div className="grid gap-6 border-t border-line pt-6 sm:grid-cols-2">
              {guarantee.steps.map((step) => (
                <div key={step.title} className="grid content-start gap-1.5">
                  <h3 className="font-semibold">{step.title}</h3>
                  <p className="text-sm text-muted">{step.text}</p>
                </div>
              ))}
            </div>
          </div>
          <div className="grid content-start gap-4 rounded-b-card border-t border-line bg-sunken p-6 sm:p-8 lg:col-span-2 lg:rounded-r-card lg:rounded-bl-none lg:border-t-0 lg:border-l">
            <h3 className="font-semibold">{guarantee.exampleTitle}</h3>
            <dl className="grid gap-2 text-sm">
              {example.lines.map(({ label, value }) => (
                <div key={label} className="flex flex-wrap justify-between gap-x-4">
                  <dt className="text-muted">{label}</dt>
                  <dd className="tabular font-medium">{value}</dd>
                </div>
              ))}
            </dl>
            <p className="border-t border-line pt-4 font-medium">{example.result}</p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
          <CallToAction hideGuarantee>{guarantee.claim}</CallToAction>
          <a
            href={paths.guarantee}
            className="inline-flex min-h-11 items-center justify-self-start underline decoration-control-line underline-offset-4 hover:decoration-ink"
          >
            {guarantee.terms}
          </a>
          {claims === null ? null : (
            <dl className="grid lg:ml-auto lg:text-right">
              <dt className="text-sm text-muted">{guarantee.claims}</dt>
              <dd className="tabular font-medium">
                {guarantee.claimFigures(claims.decided, claims.granted)}
              </dd>
            </dl>
          )}
        </div>
      </div>
    </LandingSection>
  );
}
