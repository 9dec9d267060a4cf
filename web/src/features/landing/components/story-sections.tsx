import type { SoldPlan } from "../model/sold-plan.ts";
import { frequentQuestions, type FrequentQuestion } from "../strings/questions.ts";
import { landingStrings, week } from "../strings.ts";
import { CallToAction } from "./call-to-action.tsx";
import { DayPicture } from "./miniatures.tsx";
import { LandingSection } from "./section.tsx";

/** Five days, each with its screen. */
export function WeekSection() {
  return (
    <LandingSection title={week.title} intro={week.intro}>
      <ol className="grid gap-8 sm:grid-cols-2 md:grid-cols-3 lg:grid-cols-5 lg:gap-5">
        {week.days.map(({ day, text }, index) => (
          <li key={day} className="grid content-start gap-3">
            <h3 className="font-semibold">{day}</h3>
            <DayPicture day={index} />
            <p className="text-sm text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </LandingSection>
  );
}

/** Questions, closed until asked. Works without script. */
export function QuestionsSection({ plans }: { readonly plans: readonly SoldPlan[] }) {
  return (
    <LandingSection layout="split" title={landingStrings.questionsTitle}>
      <div>
        {frequentQuestions(plans).map(({ question, answer, link }) => (
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
