import type pg from "pg";

/** Submissions on the landing page, by their title. */
const shown = [
  "Four places sold, with a day to spare",
  "Ten days on my own, in figures",
  "The audit at £1,100, after three weeks",
];
/** What the page says of the administrator. */
const about =
  "I read every introduction in General and answer the first one of each new member. If something in the house is broken, it is mine to mend.";

/** Features three submissions, lets visitors read them in their authors' names, and introduces the administrator. */
export async function seedFrontPage(db: pg.Pool): Promise<void> {
  await db.query(
    `with featured as (
       update public.learning_submissions s set is_featured = true
       where s.title = any ($1) and exists (select from public.profiles p where p.id = s.user_id)
       returning s.id, s.user_id
     )
     insert into public.submission_consents (submission_id, user_id) select f.id, f.user_id from featured f
     on conflict do nothing`,
    [shown],
  );
  await db.query(
    `insert into private.landing_texts (version, host_id, host_about)
     select 1, p.id, $1 from public.profiles p where p.role = 'admin' order by p.id limit 1
     on conflict do nothing`,
    [about],
  );
}
