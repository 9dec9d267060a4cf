import { createClient } from "@supabase/supabase-js";
import pg from "pg";
import { onePixelPng } from "../../../tools/demo/join.ts";
import { running } from "./running-product.ts";
import { scriptPayloads } from "./script-payloads.ts";

/** The payload without control characters, as names hold none. */
export const printable = (text: string) => text.replaceAll(/\p{Cc}/gu, " ");

/** Gives every thirtieth message, the last one among them, a picture that is described by its payload. */
async function plantPictures(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `update public.chat_messages m
     set picture = p.member || '-' || p.message || '.png', picture_width = 40, picture_height = 30,
       picture_alt = left(p.text, 300)
     from planted p where p.message = m.id and p.place % 30 = (select max(place) from planted) % 30
     returning m.picture as name`,
  );
  const { url, serviceRoleKey } = running().host;
  const bucket = createClient(url, serviceRoleKey).storage.from("message-pictures");
  for (const { name } of rows) {
    const { error } = await bucket.upload(name, onePixelPng, { contentType: "image/png" });
    if (error) throw error;
  }
}

export interface PlantedPayloads {
  /** A conversation in which many payloads were said. */
  readonly firstConversation: string;
  /** A course on sale to visitors, with a lesson for each payload. */
  readonly sale: string;
  /** Articles whose ratings carry the payloads; each page shows a hundred of them. */
  readonly rated: readonly string[];
}

/**
 * One member for each payload, who carries it as name, occupation, bio and topic and says it in a message, an
 * answer, the description of a picture, reports, a submission and a comment, which name a member so called, a direct message and a post. Written
 * behind the rules, as if they had failed.
 */
export async function plantPayloads(
  readerId: string,
  adminId: string,
  roomId: string,
): Promise<PlantedPayloads> {
  const owner = new pg.Client({ connectionString: running().host.databaseUrl });
  await owner.connect();
  try {
    await owner.query("set session_replication_role = replica");
    await owner.query(
      `create temporary table planted as
         select gen_random_uuid() as member, gen_random_uuid() as message, gen_random_uuid() as submission,
           gen_random_uuid() as comment, place, text, left(name, 100) as name, left(text, 1800) || chr(10) || '@' || left(name, 100) as naming from unnest($1::text[], $2::text[]) with ordinality as t (text, name, place)`,
      [scriptPayloads, scriptPayloads.map(printable)],
    );
    await owner.query(`insert into auth.users (id, aud, role, email)
      select member, 'authenticated', 'authenticated', 'payload' || place || '@example.test' from planted`);
    await owner.query(`insert into public.profiles (id, role, onboarding_complete, first_name, last_name, occupation, bio)
      select member, 'student', true, left(name, 100), left(name, 100), left(name, 150), left(text, 2000) from planted`);
    await owner.query(
      `insert into public.profile_choices (user_id, topics) select member, array[text] from planted`,
    );
    await owner.query(`insert into public.complimentary_memberships (user_id, plan_id, reason)
      select member, 'student-access', 'Planted' from planted`);
    await owner.query("select private.update_directory_entry(member) from planted");
    await owner.query(
      `insert into private.member_reports (member_id, user_id, reason, profile)
      select member, $1, left(text, 500), jsonb_build_object('name', name, 'occupation', name, 'bio', text, 'topics', array[text])
      from planted`,
      [adminId],
    );
    await owner.query(
      `insert into public.chat_messages (id, user_id, chat_room_id, content, message_type, parent_message_id, created_at)
       select message, member, $1, naming, case when place > 1 then 'reply' else 'message' end,
         lag(message) over (order by place), now() - make_interval(mins => (1000 - place)::integer)
       from planted`,
      [roomId],
    );
    await owner.query(
      "select private.index_message(m) from public.chat_messages m where chat_room_id = $1",
      [roomId],
    );
    await owner.query(`insert into private.room_pins (message_id, chat_room_id)
      select message, '${roomId}' from planted where place % 60 = 1 order by place limit 5`);
    await owner.query(`insert into public.message_reactions (user_id, message_id, reaction)
      select member, (select message from planted order by place desc limit 1), 'laugh' from planted limit 150`);
    await owner.query(`update public.chat_messages set reaction_counts = '{"laugh": 150}'
      where id = (select message from planted order by place desc limit 1)`);
    await plantPictures(owner);
    await owner.query(`insert into private.message_reports (message_id, user_id, reason, content, picture, picture_alt)
      select p.message, p.member, left(p.text, 500), p.text, m.picture, m.picture_alt
      from planted p join public.chat_messages m on m.id = p.message`);
    await owner.query(`insert into public.learning_submissions
        (id, user_id, submission_type, title, content, comment_count, created_at)
      select submission, member, 'success', left(text, 150), naming, case when place = 1 then (select count(*) from planted) else 0 end,
        now() + make_interval(secs => -place) from planted`);
    await owner.query(
      `insert into private.direct_conversations (id, first_id, second_id)
       select submission, least(member, $1), greatest(member, $1) from planted`,
      [readerId],
    );
    const first = await owner.query<{ id: string }>(
      "select submission as id from planted where place = 1",
    );
    await owner.query(`insert into public.direct_messages (id, conversation_id, user_id, content, created_at)
      select message, case when place % 9 = 0 then (select submission from planted where place = 1) else submission end,
        member, text, now() - make_interval(mins => (1000 - place)::integer) from planted`);
    await owner.query(`insert into private.collaboration_posts (id, user_id, kind, title, details, topics, search_key)
      select submission, member, 'offer', left(text, 80), left(text, 600), array[left(text, 40)], 'x' from planted`);
    await owner.query(`insert into private.text_reports (message_id, user_id, reason, content, context)
      select message, member, left(text, 500), text, jsonb_build_array(
        jsonb_build_object('author_id', member, 'content', text, 'created_at', now())) from planted`);
    await owner.query(
      `insert into private.certificates (id, user_id, member_name, course_title, completed_at)
       select member, $1, name, left(text, 200), now() - make_interval(secs => place) from planted`,
      [readerId],
    );
    await owner.query(`insert into private.shared_cards (user_id, certificate_id, member_name)
      select c.user_id, c.id, c.member_name from private.certificates c join planted p on p.member = c.id where p.place % 60 = 1`);
    await owner.query(`insert into public.learning_submission_comments (id, user_id, submission_id, content)
      select comment, member, (select submission from planted where place = 1), naming from planted order by place`);
    await owner.query(`insert into private.mentions (message_id, submission_id, comment_id, user_id, name)
      select message, null::uuid, null::uuid, member, name from planted union all
      select null, submission, null, member, name from planted union all
      select null, null, comment, member, name from planted`);
    await owner.query(`insert into private.submission_reports (submission_id, user_id, reason, title, content)
      select submission, member, left(text, 500), left(text, 150), naming from planted`);
    const { rows } = await owner.query<{ id: string }>(`with shelf as (
        insert into public.subcategories (main_category, slug, name) values ('general', 'rated', 'Rated') returning id
      )
      insert into public.articles (subcategory_id, slug, title, excerpt, content, is_published)
      select id, 'rated-' || n, 'Rated ' || n, 'One', 'A text.', true from shelf, generate_series(0, 4) n returning id`);
    const rated = rows.map(({ id }) => id);
    await owner.query(
      `insert into private.content_ratings (user_id, article_id, stars, sentence)
       select member, ($1::uuid[])[place % 5 + 1], 1, left(text, 280) from planted`,
      [rated],
    );
    const sale = "planted-payloads";
    await owner.query(
      `with course as (
         insert into public.courses (subcategory_id, slug, title, description, mentor_id, price, is_published)
         select s.id, $1, (select left(text, 200) from planted where place = 1), (select text from planted where place = 2), $2, 40, true
         from public.subcategories s where s.main_category = 'business' limit 1 returning id
       ), lessons as (
         insert into public.course_modules (course_id, slug, title, content, module_order, is_published)
         select c.id, 'lesson-' || p.place, left(p.text, 200),
           case p.place when 1 then (select string_agg(text, E'\n\n' order by place) from planted) else '' end, p.place, true
         from course c cross join planted p returning id, course_id, module_order
       )
       insert into private.course_offers (course_id, slug, outcomes, free_module_id, is_on_sale)
       select l.course_id, $1, array(select text from planted where place between 3 and 10), l.id, true
       from lessons l where l.module_order = 1`,
      [sale, adminId],
    );
    return { firstConversation: first.rows[0]?.id ?? "", rated, sale };
  } finally {
    await owner.end();
  }
}
