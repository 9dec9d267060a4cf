import { Check, X } from "lucide-react";
import { paths } from "@/domain/paths.ts";
import {
  audience,
  frequentQuestions,
  guarantee,
  landingStrings,
  problem,
  week,
  type FrequentQuestion,
} from "../strings.ts";
import { CallToAction } from "./call-to-action.tsx";
import { LandingSection } from "./section.tsx";

/** Why most people stay where they are. */
export function ProblemSection() {
  const [first, ...rest] = problem.paragraphs;
  return (
    <LandingSection layout="split" title={problem.title}>
      <div className="grid max-w-[38rem] gap-5 text-lg">
        <p>{first}</p>
        {rest.map((paragraph) => (
          <p key={paragraph} className="text-muted">
            {paragraph}
          </p>
        ))}
      </div>
    </LandingSection>
  );
}

/** Five days, one line each. */
export function WeekSection() {
  return (
    <LandingSection layout="split" title={week.title} intro={week.intro}>
      <ol className="grid">
        {week.days.map(({ day, text }) => (
          <li
            key={day}
            className="grid gap-1 border-t border-line py-5 first:border-t-0 first:pt-0 sm:grid-cols-[8rem_1fr] sm:gap-6"
          >
            <h3 className="font-semibold">{day}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </LandingSection>
  );
}

/** Honest about both sides. */
export function AudienceSection() {
  return (
    <LandingSection title={audience.title}>
      <div className="grid gap-10 md:grid-cols-2">
        <div className="grid content-start gap-4">
          <h3 className="font-semibold">{audience.fitsTitle}</h3>
          <ul className="grid gap-3">
            {audience.fits.map((text) => (
              <li key={text} className="flex gap-3">
                <Check aria-hidden className="mt-1.5 size-4 shrink-0 text-good" />
                {text}
              </li>
            ))}
          </ul>
        </div>
        <div className="grid content-start gap-4">
          <h3 className="font-semibold">{audience.doesNotFitTitle}</h3>
          <ul className="grid gap-3 text-muted">
            {audience.doesNotFit.map((text) => (
              <li key={text} className="flex gap-3">
                <X aria-hidden className="mt-1.5 size-4 shrink-0" />
                {text}
              </li>
            ))}
          </ul>
        </div>
      </div>
    </LandingSection>
  );
}

/** The guarantee, large, and how it is claimed. */
export function GuaranteeSection() {
  return (
    <LandingSection title={guarantee.line} intro={guarantee.intro}>
      <div className="grid gap-12">
        <ol className="grid gap-8 md:grid-cols-3">
          {guarantee.steps.map((step, index) => (
            <li key={step.title} className="grid content-start gap-2">
              <span className="display tabular text-2xl text-muted" aria-hidden>
                {index + 1}
              </span>
              <h3 className="font-semibold">{step.title}</h3>
              <p className="text-muted">{step.text}</p>
            </li>
          ))}
        </ol>
        <div className="grid justify-items-start gap-4">
          <CallToAction hideGuarantee>{guarantee.claim}</CallToAction>
          <a
            href={paths.guarantee}
            className="inline-flex min-h-11 items-center underline decoration-control-line underline-offset-4 hover:decoration-ink"
          >
            {guarantee.terms}
          </a>
        </div>
      </div>
    </LandingSection>
  );
}

/** Questions, closed until asked. Works without script. */
export function QuestionsSection() {
  return (
    <LandingSection layout="split" title={landingStrings.questionsTitle}>
      <div>
        {frequentQuestions.map(({ question, answer, link }) => (
          <details key={question} className="group border-b border-line first:border-t">
            <summary className="flex min-h-14 items-center justify-between gap-4 rounded-sm py-3 font-medium marker:content-none [&::-webkit-details-marker]:hidden">
              {question}
              <span
                aria-hidden
                className="text-xl leading-none text-muted transition-transform group-open:rotate-45"
              >
                +
              </span>
            </summary>
            <p className="max-w-prose pb-5 text-muted">
              <Answer answer={answer} link={link} />
            </p>
          </details>
        ))}
      </div>
    </LandingSection>
  );
}

function Answer({ answer, link }: Pick<FrequentQuestion, "answer" | "link">) {
  if (link === undefined) return answer;
  const [before, after] = answer.split(link.words);
  return (
    <>
      {before}
      <a
        href={link.href}
        className="underline decoration-control-line underline-offset-4 hover:decoration-ink"
      >
        {link.words}
      </a>
      {after}
    </>
  );
}

/** One last time, with the guarantee. */
export function ClosingSection() {
  return (
    <LandingSection title={landingStrings.closingTitle}>
      <CallToAction>{landingStrings.claim}</CallToAction>
    </LandingSection>
  );
}
