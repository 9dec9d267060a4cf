import { BookOpenText, Check, Clock, Gauge, Star, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatPence } from "@/domain/brand.ts";
import { sections } from "@/domain/library-paths.ts";
import { isFairRating } from "@/domain/rating.ts";
import { courseCheckoutPath, paths } from "@/domain/paths.ts";
import { formatDifficulty } from "@/features/courses/index.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { footBar } from "@/ui/foot-bar.ts";
import type { Sale } from "../model/sale.ts";
import {
  forWhom,
  included,
  notIncluded,
  refundSentence,
  salePageStrings,
  sellingStrings,
} from "../strings.ts";

/** How large the course's cover stands on the page: a picture in its own shape, a drawing as a strip. */
export function saleCoverSize({ cover: { imageUrl } }: Sale): string {
  return imageUrl === null ? "h-36 rounded-card sm:h-60" : "aspect-video rounded-card";
}

export interface SaleBodyProps {
  readonly sale: Sale;
  readonly cover: ReactNode;
  /** Address of the mentor's picture; null for none. */
  readonly portrait: string | null;
  /** The text of the free lesson. */
  readonly lesson: ReactNode;
}

/** The page of a course on sale: what one learns, the lessons, one of them in full, price and terms. */
export function SaleBody({ sale, cover, portrait, lesson }: SaleBodyProps) {
  return (
    <div
      data-accent={sections[sale.cover.category].segment}
      className="grid grid-cols-1 gap-10 lg:grid-cols-[minmax(0,1fr)_20rem]"
    >
      <header className="grid grid-cols-1 content-start gap-5">
        <div className="grid gap-3">
          <div className="flex items-center gap-3">
            <Portrait name={sale.mentor} address={portrait} />
            <p className="text-sm text-muted">
              {salePageStrings.mentorBefore}
              <span className="font-medium text-ink">{sale.mentor}</span>
              {sale.mentorOccupation === "" ? null : (
                <span className="block">
                  <bdi>{sale.mentorOccupation}</bdi>
                </span>
              )}
            </p>
          </div>
          <h1 className="display text-3xl sm:text-4xl">{sale.title}</h1>
          <p className="max-w-prose text-lg text-muted">{sale.description}</p>
        </div>
        <ul className="tabular flex flex-wrap gap-x-6 gap-y-2 text-sm text-muted">
          <Fact icon={<BookOpenText aria-hidden />}>
            {salePageStrings.lessonCount(sale.lessons.length)}
          </Fact>
          <Fact icon={<Clock aria-hidden />}>{salePageStrings.minutes(sale.minutes)}</Fact>
          <Fact icon={<Gauge aria-hidden />}>{formatDifficulty(sale.difficulty)}</Fact>
          {sale.rating.average !== null && isFairRating(sale.rating) ? (
            <Fact icon={<Star aria-hidden />}>
              {salePageStrings.rated(sale.rating.average, sale.rating.count)}
            </Fact>
          ) : null}
        </ul>
        {cover}
      </header>
      <aside
        aria-label={salePageStrings.buy}
        className="lg:col-start-2 lg:row-span-2 lg:row-start-1"
      >
        <Card className="grid gap-4 lg:sticky lg:top-6">
          <p>
            <span className="block text-sm text-muted">{salePageStrings.onePayment}</span>
            <span className="tabular text-3xl font-semibold">{formatPence(sale.pricePence)}</span>
          </p>
          <Button asChild size="lg" wide className="max-lg:hidden">
            <Link to={courseCheckoutPath(sale.slug)}>{salePageStrings.buy}</Link>
          </Button>
          <p className="text-sm text-muted">{salePageStrings.terms(sale.refundDays)}</p>
        </Card>
      </aside>
      <div className="grid grid-cols-1 content-start gap-10">
        <Section id="learn" title={salePageStrings.outcomes}>
          <ul className="grid gap-2">
            {sale.outcomes.map((outcome) => (
              <li key={outcome} className="flex items-start gap-2.5">
                <Check aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
                <span className="min-w-0 wrap-anywhere">{outcome}</span>
              </li>
            ))}
          </ul>
        </Section>
        <Section id="for-whom" title={salePageStrings.forWhom}>
          <p className="max-w-prose">{forWhom(sale.difficulty, sale.subject)}</p>
        </Section>
        <Section id="lessons" title={salePageStrings.lessons}>
          <ol className="divide-y divide-line rounded-card border border-line bg-raised">
            {sale.lessons.map((lesson, index) => (
              <li
                // oxlint-disable-next-line react/no-array-index-key -- The list does not change, and two lessons may have one title.
                key={index}
                className="grid grid-cols-[1.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 px-4 py-3"
              >
                <span className="tabular text-muted">{index + 1}</span>
                <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-3 gap-y-1">
                  <span className="min-w-0 wrap-anywhere">{lesson.title}</span>
                  {lesson.isFree ? (
                    <a href="#free-lesson" className="rounded-full">
                      <Badge colour="good">{salePageStrings.readFree}</Badge>
                    </a>
                  ) : null}
                </span>
                <span className="tabular text-sm text-muted">
                  {salePageStrings.minutes(lesson.minutes)}
                </span>
              </li>
            ))}
          </ol>
        </Section>
        {sale.freeLesson === null ? null : (
          <Section id="free-lesson" title={salePageStrings.freeLesson(sale.freeLesson.title)}>
            {/* Folded without a script: the page of visitors has none. */}
            <div className="group/lesson grid max-w-reading grid-cols-1 gap-3">
              {sale.freeLesson.hasFilm ? (
                <p className="text-sm text-muted">{salePageStrings.freeLessonFilm}</p>
              ) : null}
              <div className="max-h-[32rem] overflow-hidden [mask-image:linear-gradient(black_80%,transparent)] group-has-[details[open]]/lesson:max-h-none group-has-[details[open]]/lesson:[mask-image:none] print:max-h-none print:[mask-image:none]">
                {lesson}
              </div>
              <details className="group/fold print:hidden">
                <summary className="inline-flex min-h-11 cursor-pointer list-none items-center rounded-control border border-control-line px-4 text-sm font-medium hover:bg-hover [&::-webkit-details-marker]:hidden">
                  <span className="group-open/fold:hidden">{salePageStrings.wholeLesson}</span>
                  <span className="hidden group-open/fold:inline">
                    {salePageStrings.lessLesson}
                  </span>
                </summary>
              </details>
            </div>
          </Section>
        )}
        {sale.reviews.length === 0 ? null : (
          <Section id="reviews" title={salePageStrings.reviews}>
            <ul className="grid gap-4">
              {sale.reviews.map(({ stars, sentence, name }, index) => (
                // oxlint-disable-next-line react/no-array-index-key -- The list does not change, and two members may say the same.
                <li key={index}>
                  <figure className="grid gap-2 rounded-card border border-line bg-raised p-5">
                    <Stars count={stars} />
                    <blockquote className="wrap-anywhere">“{sentence}”</blockquote>
                    <figcaption className="text-sm text-muted">
                      <bdi>{name}</bdi>
                    </figcaption>
                  </figure>
                </li>
              ))}
            </ul>
            <p className="text-sm text-muted">{salePageStrings.reviewsNote}</p>
          </Section>
        )}
        <Section id="included" title={salePageStrings.whatYouBuy}>
          <div className="grid gap-6 sm:grid-cols-2">
            <Points
              title={salePageStrings.included}
              icon={<Check aria-hidden className="text-good" />}
            >
              {included}
            </Points>
            <Points
              title={salePageStrings.notIncluded}
              icon={<X aria-hidden className="text-muted" />}
            >
              {notIncluded}
            </Points>
          </div>
          <p className="text-muted">
            {salePageStrings.members.before}
            <a href={paths.landing} className="underline underline-offset-4">
              {salePageStrings.members.link}
            </a>
            {salePageStrings.members.after}
          </p>
        </Section>
        <Section id="refund" title={salePageStrings.refunds}>
          <p className="max-w-prose text-muted">{refundSentence(sale.refundDays)}</p>
        </Section>
        <section
          aria-labelledby="ready"
          className="wash flex items-center justify-between gap-4 rounded-card border border-line p-6 max-lg:hidden"
        >
          <h2 id="ready" className="display text-xl">
            {salePageStrings.ready}
          </h2>
          <div className="w-72">
            <BuyLink sale={sale} />
          </div>
        </section>
      </div>
      {/* On a phone this is the one button: at its edge, wherever one reads. */}
      <div
        ref={footBar}
        className="sticky bottom-0 z-10 -mx-5 border-t border-line bg-raised px-5 py-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] sm:-mx-8 sm:px-8 lg:hidden print:hidden"
      >
        <BuyLink sale={sale} />
      </div>
    </div>
  );
}

function BuyLink({ sale }: { readonly sale: Sale }) {
  return (
    <Button asChild size="lg" wide>
      <Link to={courseCheckoutPath(sale.slug)}>
        {salePageStrings.buyFor(formatPence(sale.pricePence))}
      </Link>
    </Button>
  );
}

function Stars({ count }: { readonly count: number }) {
  return (
    <p className="flex gap-0.5 [&_svg]:size-4">
      <span className="sr-only">{salePageStrings.stars(count)}</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <Star
          key={star}
          aria-hidden
          className={star <= count ? "fill-current text-warn" : "text-muted"}
        />
      ))}
    </p>
  );
}

/** The mentor's face, or the first letter of the name. The name stands beside it; this is decoration. */
function Portrait({ name, address }: { readonly name: string; readonly address: string | null }) {
  const shape = "size-12 shrink-0 rounded-full";
  return address === null ? (
    <span
      aria-hidden
      data-edge=""
      className={`wash grid place-items-center font-semibold text-accent ${shape}`}
    >
      {firstCharacter(name)}
    </span>
  ) : (
    <img src={address} alt="" className={`object-cover ${shape}`} />
  );
}

const firstCharacter = (name: string) => Array.from(name)[0] ?? "";

/** What stands under an address that sells nothing. */
export function NoSale() {
  return (
    <div className="grid justify-items-start gap-4 py-8">
      <h1 className="display text-3xl">{sellingStrings.noSale}</h1>
      <p className="max-w-prose text-muted">{sellingStrings.noSaleHint}</p>
      <Button asChild>
        <a href={paths.landing}>{salePageStrings.whatItIs}</a>
      </Button>
    </div>
  );
}

function Section({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid grid-cols-1 gap-4">
      <h2 id={`${id}-title`} className="display text-xl sm:text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

function Points({
  title,
  icon,
  children,
}: {
  readonly title: string;
  readonly icon: ReactNode;
  readonly children: readonly string[];
}) {
  return (
    <div className="grid content-start gap-2">
      <h3 className="font-medium">{title}</h3>
      <ul className="grid gap-2">
        {children.map((point) => (
          <li
            key={point}
            className="flex items-start gap-2.5 [&_svg]:mt-1 [&_svg]:size-4 [&_svg]:shrink-0"
          >
            {icon}
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Fact({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5 [&_svg]:size-4">
      {icon}
      {children}
    </li>
  );
}
