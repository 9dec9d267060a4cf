import type pg from "pg";
import { demoAccounts } from "./accounts.ts";
import { emailOfPerson, people } from "./people.ts";

/**
 * First names of the mentors whose name the shipped texts of a subcategory carry. The others keep the product's name: no
 * mentor of the demo knows about health, and the training for mentors is the house's.
 */
const mentorOfShelf: Readonly<Record<string, string>> = {
  "general/career": "Gareth",
  "general/communication": "Gareth",
  "general/learning": "Gareth",
  "general/habits": "Leila",
  "general/thinking": "Helen",
  "general/time-and-attention": "Helen",
  "business/selling-and-negotiating": "Gareth",
  "business/being-found": "Leila",
  "business/ideas-and-first-customers": "Leila",
  "business/books-and-cash": "Helen",
  "business/offers-and-pricing": "Helen",
  "business/running-the-machine": "Helen",
  "wealth/where-you-stand": "Helen",
  "wealth/debt-and-borrowing": "Helen",
  "wealth/patient-investing": "Helen",
  "wealth/pensions-and-tax": "Helen",
  "wealth/protecting-what-you-have": "Helen",
};

/** First name of the mentor named in a subcategory, such as `general/career`. */
export function mentorNamedIn(shelf: string): string | undefined {
  return mentorOfShelf[shelf];
}

function emailOf(name: string): string {
  const account = demoAccounts.find(({ firstName }) => firstName === name);
  if (account) return account.email;
  const person = people.find(({ firstName }) => firstName === name);
  if (!person) throw new Error(`no mentor ${name} in the demo`);
  return emailOfPerson(person);
}

/** Names the demo's mentors as authors of the shipped texts that have none, also of those an update brought. */
export async function nameMentors(db: pg.Pool): Promise<void> {
  const rows = Object.entries(mentorOfShelf).map(([shelf, name]) => ({
    shelf,
    email: emailOf(name),
  }));
  const named = `from jsonb_to_recordset($1) as x (shelf text, email text)
    join public.subcategories s on s.main_category || '/' || s.slug = x.shelf
    join auth.users u on u.email = x.email
    join public.profiles p on p.id = u.id and p.role = 'mentor'`;
  await db.query(
    `update public.articles a set author_id = p.id ${named}
      where a.subcategory_id = s.id and a.from_files and a.author_id is null`,
    [JSON.stringify(rows)],
  );
  await db.query(
    `update public.courses c set mentor_id = p.id ${named}
      where c.subcategory_id = s.id and c.from_files and c.mentor_id is null`,
    [JSON.stringify(rows)],
  );
}
