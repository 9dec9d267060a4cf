import type pg from "pg";

/** What members said of it who completed it, by first name: all of them agreed to be quoted. */
type Reviews = Readonly<Record<string, readonly [stars: number, sentence?: string]>>;

interface Sale {
  /** First name of the mentor who sells it. */
  readonly by: string;
  /** Its address in the library. */
  readonly course: string;
  readonly slug: string;
  readonly freeLesson: string;
  readonly outcomes: readonly string[];
  readonly reviews: Reviews;
}

/** Shipped courses that their mentors sell to people who are no members, on `/c/{slug}`. The first one was put on sale last. */
export const sales: readonly Sale[] = [
  {
    by: "Helen",
    course: "business/offers-and-pricing/price-it-properly",
    slug: "price-it-properly",
    freeLesson: "what-each-sale-leaves",
    outcomes: [
      "Find out what each sale really leaves you, your own hours included",
      "Put a figure on what the work is worth to the buyer",
      "Choose what you charge for, and say what is not included",
      "Raise a price without frightening those who already pay it",
    ],
    reviews: {
      Tom: [
        5,
        "I'd never counted my own evenings. The next quote had them in, and nobody blinked.",
      ],
      Ingrid: [5, "It got me off the rate per word, and I kept every client but one."],
      Nadia: [4, "Written for jobs more than lessons, but I raised my group price that week."],
      Callum: [5, "My quotes now say what isn't included. Fewer arguments in kitchens."],
      Leila: [5],
    },
  },
  {
    by: "Leila",
    course: "business/being-found/marketing-in-two-hours-a-week",
    slug: "marketing-in-two-hours-a-week",
    freeLesson: "one-page-in-their-words",
    outcomes: [
      "See where your last customers really came from",
      "Write one page in their words",
      "Keep one channel going for twelve weeks",
    ],
    reviews: {
      Tom: [5, "I'd been paying for adverts. Four of my last six customers came through one shop."],
      Ingrid: [4, "Two hours a week is true once the page is written. The page took a weekend."],
      Callum: [5, "I asked ten customers how they'd found me. Not one of them said the van."],
    },
  },
  {
    by: "Gareth",
    course: "business/selling-and-negotiating/a-sales-conversation-you-can-live-with",
    slug: "a-sales-conversation-you-can-live-with",
    freeLesson: "run-it-on-questions",
    outcomes: [
      "Decide who is worth an hour",
      "Run the conversation on questions",
      "Ask for a decision, and negotiate what is left",
    ],
    reviews: {
      Tom: [4, "The questions work across a workbench as well as on the phone."],
      Ingrid: [5, "I ask for a decision now. Most people seem relieved."],
      Nadia: [5, "I used the questions with two parents, and neither call ran past half an hour."],
    },
  },
];

/**
 * Puts the demo's courses on sale.
 * @param idOf the account of a first name.
 */
export async function sellCourses(
  db: pg.PoolClient,
  idOf: (firstName: string) => string,
): Promise<void> {
  for (const [daysAgo, sale] of sales.entries()) {
    await db.query("select private.ensure_affiliate($1)", [idOf(sale.by)]);
    await db.query(
      `insert into private.course_offers (course_id, slug, outcomes, free_module_id, is_on_sale, changed_at)
        select c.id, $2, $3, m.id, true, now() - make_interval(days => $5)
        from public.courses c
        join public.subcategories s on s.id = c.subcategory_id
        join public.course_modules m on m.course_id = c.id and m.slug = $4
        where s.main_category || '/' || s.slug || '/' || c.slug = $1`,
      [sale.course, sale.slug, sale.outcomes, sale.freeLesson, daysAgo],
    );
  }
}
