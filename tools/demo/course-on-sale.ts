import type pg from "pg";

/** A shipped course that its mentor sells to people who are no members, on `/c/price-it-properly`. */
const sale = {
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
};

/**
 * Puts the demo's one course on sale.
 * @param idOf the account of a first name.
 */
export async function sellCourse(
  db: pg.PoolClient,
  idOf: (firstName: string) => string,
): Promise<void> {
  await db.query("select private.ensure_affiliate($1)", [idOf(sale.by)]);
  await db.query(
    `insert into private.course_offers (course_id, slug, outcomes, free_module_id, is_on_sale)
      select c.id, $2, $3, m.id, true
      from public.courses c
      join public.subcategories s on s.id = c.subcategory_id
      join public.course_modules m on m.course_id = c.id and m.slug = $4
      where s.main_category || '/' || s.slug || '/' || c.slug = $1`,
    [sale.course, sale.slug, sale.outcomes, sale.freeLesson],
  );
}
