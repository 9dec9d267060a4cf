import { levels } from "@/domain/levels.ts";
import { RisingLine } from "@/ui/rising-line.tsx";
import { figures, landingStrings, spots } from "../strings.ts";
import { CallToAction } from "./call-to-action.tsx";
import { RoomPicture } from "./room-picture.tsx";
import { Measure } from "./section.tsx";

export interface HeroProps {
  readonly headline: string;
  readonly lead: string;
  /** `From £50 a month`. */
  readonly fromPrice: string;
}

/** Headline, claim and button on the left, a room on the rising line beside them, and the offer as one bar below. */
export function Hero({ headline, lead, fromPrice }: HeroProps) {
  return (
    <section className="overflow-x-clip">
      <Measure className="grid gap-10 pt-8 pb-12 sm:pt-12 lg:grid-cols-12 lg:gap-12 lg:pb-14">
        <div className="grid content-start gap-6 lg:col-span-7 lg:pt-6">
          <h1 className="display text-[clamp(2.5rem,1.4rem+4.4vw,4.25rem)] leading-[1.03] tracking-[-0.025em] wrap-anywhere">
            {headline}
          </h1>
          <p className="max-w-[34rem] text-lg text-muted wrap-anywhere sm:text-xl">{lead}</p>
          <CallToAction>{landingStrings.claim}</CallToAction>
          <p className="font-medium">
            {fromPrice}, {landingStrings.cancel}
          </p>
        </div>
        <div className="relative pb-8 lg:col-span-5 lg:pb-10">
          <RisingLine
            stretched
            steps={levels}
            className="pointer-events-none absolute -bottom-8 -left-5 h-24 w-[calc(100%+2.5rem)] sm:h-32 lg:-bottom-10 lg:-left-[42%] lg:h-80 lg:w-[150%]"
          />
          <div className="relative lg:-rotate-2">
            <RoomPicture />
          </div>
        </div>
      </Measure>
      <Offer />
    </section>
  );
}

/** When the offer ends and how many places are left, and the figures of the community. */
function Offer() {
  return (
    <div className="border-y border-line bg-sunken">
      <Measure className="flex flex-wrap items-baseline gap-x-7 gap-y-1 py-2.5 text-sm">
        <p className="flex items-baseline gap-2">
          {landingStrings.countdown}
          <span role="timer" data-countdown className="tabular text-lg font-semibold">
            24:00:00
          </span>
        </p>
        <p className="text-muted">{landingStrings.spotsLeft(spots.perMonth, spots.remaining)}</p>
        <dl className="flex flex-wrap gap-x-7 gap-y-1 xl:ml-auto">
          {figures.map((figure) => (
            <div key={figure.label} className="flex flex-row-reverse items-baseline gap-1.5">
              <dt className="text-muted">{figure.label}</dt>
              <dd className="font-semibold">{figure.value}</dd>
            </div>
          ))}
        </dl>
      </Measure>
    </div>
  );
}
