import type pg from "pg";
import { inTransaction } from "basehost/database";
import { backdate } from "./backdate.ts";
import { sellCourses } from "./courses-on-sale.ts";
import type { DemoCategory, DemoLibrary } from "./library.ts";
import type { Calendar } from "./moments.ts";
import { mentorNamedIn } from "./named-mentors.ts";
import { climbs } from "./people.ts";
import type { StoryEvent } from "./story.ts";
import { writeTexts } from "./write-texts.ts";

/** Rows of one event each, in the order in which they happened, so that the product's own triggers raise the levels. */
const replay = `do $$
declare
  e record;
begin
  for e in select * from demo_events order by n loop
    case e.kind
      when 'room' then
        insert into private.room_leases (user_id, chat_room_id, expires_at) values (e.member, e.word, now() - interval '1 day')
        on conflict do nothing;
      when 'message' then
        insert into public.chat_messages (id, user_id, chat_room_id, content, message_type, parent_message_id, created_at, changed_at)
        values (e.subject, e.member, e.word, e.text, case when e.object is null then 'message' else 'reply' end, e.object, e.at, e.at);
      when 'mention' then
        insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
        values (e.other, 'mention', e.member, e.subject, e.subject, e.at);
        insert into private.mentions (message_id, user_id, name, created_at)
        values (e.subject, e.other, private.display_name(e.other), e.at);
      when 'pin' then
        insert into private.room_pins (message_id, chat_room_id, pinned_by, pinned_at) values (e.subject, e.word, e.member, e.at);
      when 'reaction' then
        insert into public.message_reactions (user_id, message_id, reaction, created_at) values (e.member, e.subject, e.word, e.at);
      when 'like' then
        insert into public.message_likes (user_id, message_id, created_at) values (e.member, e.subject, e.at);
      when 'submission' then
        insert into public.learning_submissions (id, user_id, submission_type, title, content, created_at)
        values (e.subject, e.member, e.word, e.title, e.text, e.at);
      when 'submission_like' then
        insert into public.learning_submission_likes (user_id, submission_id, created_at) values (e.member, e.subject, e.at);
      when 'comment' then
        insert into public.learning_submission_comments (id, user_id, submission_id, content, created_at)
        values (e.subject, e.member, e.object, e.text, e.at);
      when 'feature' then
        update public.learning_submissions s set is_featured = true where s.id = e.subject;
      when 'pact' then
        insert into private.pacts (submission_id, due_on) values (e.subject, e.day);
      when 'witness' then
        insert into private.pact_witnesses (submission_id, user_id, asked_at) values (e.subject, e.other, e.at);
      when 'accept' then
        update private.pact_witnesses w set accepted = true, answered_at = e.at
        where w.submission_id = e.subject and w.user_id = e.member;
      when 'close' then
        update private.pacts p set outcome = e.word, outcome_id = e.object, closed_at = e.at where p.submission_id = e.subject;
      when 'open' then
        insert into public.article_opens (user_id, article_id, last_opened_on, last_opened_at)
        values (e.member, e.subject, (e.at at time zone 'utc')::date, e.at);
        update public.articles a set read_count = a.read_count + 1 where a.id = e.subject;
      when 'read' then
        insert into public.article_reads (user_id, article_id, created_at) values (e.member, e.subject, e.at);
      when 'enrol' then
        insert into public.course_enrollments (user_id, course_id, created_at) values (e.member, e.subject, e.at);
      when 'lesson' then
        insert into public.module_completions (user_id, module_id, created_at) values (e.member, e.subject, e.at);
      when 'read_text' then
        insert into public.article_opens (user_id, article_id, last_opened_on, last_opened_at)
        select e.member, t.article_id, (e.at at time zone 'utc')::date, e.at - interval '4 minutes' from demo_texts t where t.address = e.word;
        update public.articles a set read_count = a.read_count + 1 from demo_texts t where t.address = e.word and a.id = t.article_id;
        insert into public.article_reads (user_id, article_id, created_at)
        select e.member, t.article_id, e.at from demo_texts t where t.address = e.word;
      when 'take_course' then
        insert into public.course_enrollments (user_id, course_id, created_at)
        select e.member, t.course_id, e.at - interval '1 hour' from demo_texts t where t.address = e.word;
        insert into public.module_completions (user_id, module_id, created_at)
        select e.member, m.id, e.at - (t.lessons - m.module_order) * interval '15 minutes'
        from demo_texts t join public.course_modules m on m.course_id = t.course_id where t.address = e.word;
      when 'stars' then
        insert into private.content_ratings (user_id, article_id, stars, rated_at) values (e.member, e.subject, e.stars, e.at);
      when 'review' then
        insert into private.content_ratings (user_id, course_id, stars, sentence, may_quote, rated_at)
        values (e.member, e.subject, e.stars, e.text, e.text is not null, e.at);
      when 'rating' then
        insert into private.content_ratings (user_id, article_id, course_id, stars, sentence, rated_at)
        select e.member, t.article_id, t.course_id, e.stars, e.text, e.at from demo_texts t where t.address = e.word;
      when 'direct' then
        insert into private.direct_conversations as c (first_id, second_id, created_at, last_message_at)
        values (least(e.member, e.other), greatest(e.member, e.other), e.at, e.at)
        on conflict on constraint direct_conversations_pair_key do update set last_message_at = excluded.last_message_at;
        insert into public.direct_messages (id, conversation_id, user_id, content, created_at, changed_at)
        values (e.subject, private.conversation_between(e.member, e.other), e.member, e.text, e.at, e.at);
      when 'post' then
        insert into private.collaboration_posts (id, user_id, kind, title, details, topics, topic_keys, search_key, created_at)
        values (e.subject, e.member, e.word, e.title, e.text, e.topics, array(select private.search_key(t) from unnest(e.topics) t),
          private.search_key(concat_ws(' ', e.title, e.text, array_to_string(e.topics, ' '))), e.at);
      when 'question' then
        insert into private.content_questions (id, user_id, article_id, module_id, question, created_at)
        select e.subject, e.member, t.article_id, t.module_id, e.text, e.at from demo_texts t where t.address = e.word;
      when 'answer' then
        update private.content_questions q set answer = e.text, answered_by = e.member, answered_at = e.at where q.id = e.subject;
    end case;
  end loop;
end $$`;

/** The published texts of the library. */
export async function readDemoLibrary(pool: pg.Pool): Promise<DemoLibrary> {
  const articles = await pool.query<{ id: string; category: DemoCategory; topic: string }>(
    `select a.id, s.main_category as category, s.slug as topic
      from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and a.from_files and not s.open_to_mentors order by s.main_category, s.slug, a.slug`,
  );
  const courses = await pool.query<{
    id: string;
    category: DemoCategory;
    topic: string;
    address: string;
    lessons: string[];
  }>(
    `select c.id, s.main_category as category, s.slug as topic,
        s.main_category || '/' || s.slug || '/' || c.slug as address, array_agg(m.id order by m.module_order, m.id) as lessons
      from public.courses c join public.subcategories s on s.id = c.subcategory_id
      join public.course_modules m on m.course_id = c.id and m.is_published
      where c.is_published and c.from_files and not s.open_to_mentors
      group by c.id, s.main_category, s.slug order by s.main_category, s.slug, c.slug`,
  );
  const withMentor = <Row extends { category: string; topic: string }>(row: Row) => ({
    ...row,
    mentor: mentorNamedIn(`${row.category}/${row.topic}`),
  });
  return { articles: articles.rows.map(withMentor), courses: courses.rows.map(withMentor) };
}

/**
 * Writes the story in one transaction, all or nothing. Does nothing when something was written in a room before.
 * @param members ids by first name, with when each was last here.
 */
export async function writeStory(
  pool: pg.Pool,
  calendar: Calendar,
  events: readonly StoryEvent[],
  members: ReadonlyMap<string, { id: string; seenAt: number }>,
): Promise<void> {
  const idOf = (name: string) => {
    const member = members.get(name);
    if (!member) throw new Error(`no member ${name} in the demo`);
    return member.id;
  };
  const rows = events.map(({ kind, by, at, other, ...rest }, n) => {
    if (at >= calendar.now) throw new Error(`${kind} of ${by} lies ahead`);
    const more = other === undefined ? {} : { other: idOf(other) };
    return { n, kind, member: idOf(by), at: new Date(at).toISOString(), ...more, ...rest };
  });
  const visits = [...members].map(([firstName, { id, seenAt }]) => ({
    member: id,
    joined_at: new Date(calendar.at(climbs[firstName]?.joined ?? "")).toISOString(),
    seen_at: new Date(seenAt).toISOString(),
  }));
  await inTransaction(pool, async (db) => {
    await db.query(
      `create temporary table demo_events (n integer, kind text, member uuid, at timestamptz, subject uuid, object uuid, word text,
        title text, text text, day date, other uuid, stars integer, topics text[]) on commit drop`,
    );
    await db.query(
      "insert into demo_events select x.* from jsonb_populate_recordset(null::demo_events, $1) as x",
      [JSON.stringify(rows)],
    );
    await db.query(
      "create temporary table demo_members (member uuid, joined_at timestamptz, seen_at timestamptz) on commit drop",
    );
    await db.query(
      "insert into demo_members select x.* from jsonb_populate_recordset(null::demo_members, $1) as x",
      [JSON.stringify(visits)],
    );
    await writeTexts(db, calendar, idOf);
    await sellCourses(db, idOf);
    await db.query(
      `create temporary table demo_texts on commit drop as
        with shelves as (select s.id, s.main_category || '/' || s.slug || '/' as address from public.subcategories s)
        select s.address || a.slug as address, a.id as article_id, null::uuid as course_id, null::uuid as module_id, 0 as lessons
        from public.articles a join shelves s on s.id = a.subcategory_id where a.author_id is not null
        union all
        select s.address || c.slug, null, c.id, null, c.module_count
        from public.courses c join shelves s on s.id = c.subcategory_id where c.mentor_id is not null
        union all
        select s.address || c.slug || '/' || m.slug, null, null, m.id, 0
        from public.course_modules m join public.courses c on c.id = m.course_id join shelves s on s.id = c.subcategory_id
        where c.mentor_id is not null`,
    );
    // The same few statements thousands of times: planning them again costs more than the plan could save.
    await db.query("set local plan_cache_mode = force_generic_plan");
    await db.query(replay);
    await db.query(backdate);
  });
}
