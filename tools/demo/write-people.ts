import type pg from "pg";
import { inTransaction } from "basehost/database";
import type { Calendar } from "./moments.ts";
import { climbs, emailOfPerson, people } from "./people.ts";
import { demoId } from "./read-room.ts";

/** Ids and names of the members around the accounts of the README, by first name. */
export const peopleIds: ReadonlyMap<string, string> = new Map(
  people.map(({ firstName }, place) => [firstName, demoId(9, place + 1)]),
);

/**
 * Creates the members around the accounts of the README, in one transaction and without a password: nobody signs in as
 * one. They have a complimentary membership, because no card is theirs. Does nothing for those who are there.
 */
export async function writePeople(pool: pg.Pool, calendar: Calendar): Promise<void> {
  const rows = people.map(({ firstName, lastName, ...person }) => ({
    id: peopleIds.get(firstName),
    email: emailOfPerson({ firstName, lastName }),
    first_name: firstName,
    last_name: lastName,
    joined_at: new Date(calendar.at(climbs[firstName]?.joined ?? "")).toISOString(),
    plan: person.role === "mentor" ? "mentor-access" : "student-access",
    ...person,
  }));
  await inTransaction(pool, async (db) => {
    await db.query(
      `create temporary table demo_people (id uuid, email text, first_name text, last_name text, joined_at timestamptz, plan text,
        role text, occupation text, bio text, topics text[], goal text) on commit drop`,
    );
    await db.query(
      `insert into demo_people select x.* from jsonb_populate_recordset(null::demo_people, $1) as x
        where not exists (select from auth.users u where u.id = x.id)`,
      [JSON.stringify(rows)],
    );
    await db.query(`
      insert into auth.users (instance_id, id, aud, role, email, raw_app_meta_data, raw_user_meta_data, email_confirmed_at,
        created_at, updated_at)
      select '00000000-0000-0000-0000-000000000000', d.id, 'authenticated', 'authenticated', d.email,
        '{"provider": "email", "providers": ["email"]}', '{}', d.joined_at, d.joined_at, d.joined_at from demo_people d;
      insert into public.complimentary_memberships (user_id, plan_id, reason, granted_at)
      select d.id, d.plan, 'A member of the demo', d.joined_at from demo_people d;
      insert into public.profiles (id, role, onboarding_complete, first_name, last_name, occupation, bio)
      select d.id, d.role, true, d.first_name, d.last_name, d.occupation, d.bio from demo_people d;
      insert into public.profile_choices (user_id, topics) select d.id, d.topics from demo_people d;
      insert into public.onboarding_responses (user_id, page_number, question, answer, created_at)
      select d.id, 6, 'goals_6_months', d.goal, d.joined_at from demo_people d;
      insert into public.onboarding_progress (user_id, current_step, completed_steps, data)
      select d.id, 9, '{1,2,3,4,5,6,7,8}', '{}' from demo_people d;
      insert into public.user_levels (user_id) select d.id from demo_people d;`);
  });
}
