import { createClient } from "@supabase/supabase-js";
import pg from "pg";
import { onePixelPng } from "../../../tools/demo/join.ts";
import { running } from "./running-product.ts";
import { payloadRows } from "./script-payloads.ts";

/** The way in that is planted where there is room for one only. */
export const commonPayload = payloadRows.find(({ name }) => name.startsWith("<img src=x onerror="));

/** Where a picture from elsewhere would be asked for. */
const elsewhere = "https://canary.invalid/storage/v1/object/public";

/**
 * One member for each row of payloads, who carries it as name, occupation, bio and topic. What is planted further comes from the
 * temporary table `planted`: ids, and `name`, `text`, `naming` (which names the member), `common` (the way in for single places).
 */
async function plantMembers(owner: pg.Client): Promise<void> {
  await owner.query(
    `create temporary table planted as
       select gen_random_uuid() as member, gen_random_uuid() as message, gen_random_uuid() as submission,
         gen_random_uuid() as comment, place::integer, text, left(name, 100) as name,
         text || chr(10) || '@' || left(name, 100) as naming, name = $3 as common
       from unnest($1::text[], $2::text[]) with ordinality as t (text, name, place)`,
    [payloadRows.map(({ text }) => text), payloadRows.map(({ name }) => name), commonPayload?.name],
  );
  await owner.query(`insert into auth.users (id, aud, role, email)
    select member, 'authenticated', 'authenticated', 'payload' || place || '@example.test' from planted`);
  await owner.query(
    `insert into public.profiles (id, role, onboarding_complete, first_name, last_name, occupation, bio, avatar_url)
     select member, 'student', true, name, name, name, text, $1 || '/profile-pictures/' || member || '-1.png' from planted`,
    [elsewhere],
  );
  await owner.query(
    "insert into public.profile_choices (user_id, topics) select member, array[name] from planted",
  );
  await owner.query(`insert into public.complimentary_memberships (user_id, plan_id, reason)
    select member, 'student-access', 'Planted' from planted`);
  await owner.query("select private.update_directory_entry(member) from planted");
  await owner.query("select private.index_member_for_search(member) from planted");
}

/** Plants members and whatever `plant` adds, written behind the rules, as if they had failed. */
export async function plantPayloads<Planted>(
  plant: (owner: pg.Client) => Promise<Planted>,
): Promise<Planted> {
  const owner = new pg.Client({ connectionString: running().host.databaseUrl });
  await owner.connect();
  try {
    await owner.query("set session_replication_role = replica");
    await plantMembers(owner);
    return await plant(owner);
  } finally {
    await owner.end();
  }
}

/** What members say to each other: rooms, the feed with its pacts, direct messages, posts, and the reports about all of it. */
export async function plantCommunity(
  owner: pg.Client,
  readerId: string,
  adminId: string,
  roomId: string,
): Promise<{ firstConversation: string }> {
  await plantRooms(owner, roomId);
  await plantFeed(owner);
  await plantPacts(owner, readerId);
  const firstConversation = await plantDirectMessages(owner, readerId);
  await plantReports(owner, adminId);
  await plantBell(owner, readerId);
  return { firstConversation };
}

async function plantRooms(owner: pg.Client, roomId: string): Promise<void> {
  await owner.query(
    `insert into public.chat_messages (id, user_id, chat_room_id, content, message_type, parent_message_id, created_at)
     select message, member, $1, naming, case when place > 1 then 'reply' else 'message' end,
       lag(message) over (order by place), now() - make_interval(mins => 1000 - place)
     from planted`,
    [roomId],
  );
  await owner.query(`insert into private.room_pins (message_id, chat_room_id)
    select message, '${roomId}' from planted where place % 20 = 1 order by place limit 5`);
  await owner.query(`insert into public.message_reactions (user_id, message_id, reaction)
    select member, (select message from planted order by place desc limit 1), 'laugh' from planted`);
  await owner.query(`update public.chat_messages
    set reaction_counts = jsonb_build_object('laugh', (select count(*) from planted))
    where id = (select message from planted order by place desc limit 1)`);
  await plantPictures(owner);
  // Rooms that carry payloads themselves, each with its last words for the lists of rooms.
  await owner.query(`insert into public.chat_rooms (id, name, description, min_level_required)
    select 'planted-' || place, left(name, 80), left(text, 300), 1 from planted where place % 4 = 0`);
  await owner.query(`insert into public.chat_messages (user_id, chat_room_id, content, created_at)
    select member, 'planted-' || place, text, now() - make_interval(secs => place) from planted where place % 4 = 0`);
  await owner.query("select private.index_message(m) from public.chat_messages m");
  await owner.query(
    "select private.index_room('planted-' || place) from planted where place % 4 = 0",
  );
}

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

/** Every second submission is the pact of its member. */
async function plantFeed(owner: pg.Client): Promise<void> {
  await owner.query(
    `insert into public.learning_submissions
       (id, user_id, submission_type, title, content, image_url, comment_count, created_at)
     select submission, member, case place % 2 when 1 then 'pact' else 'success' end, name, naming,
       $1 || '/learning-images/' || member || '-1.png',
       case when place = 1 then (select count(*) from planted) else 0 end, now() + make_interval(secs => -place) from planted`,
    [elsewhere],
  );
  await owner.query(`insert into public.learning_submission_comments (id, user_id, submission_id, content)
    select comment, member, (select submission from planted where place = 1), naming from planted order by place`);
  await owner.query(`insert into private.mentions (message_id, submission_id, comment_id, user_id, name)
    select message, null::uuid, null::uuid, member, name from planted union all
    select null, submission, null, member, name from planted union all
    select null, null, comment, member, name from planted`);
  await owner.query("select private.index_submission(submission) from planted");
}

/** Pacts of the members, some closed, which the reader witnesses or is asked to; and pacts of the reader, witnessed by members. */
async function plantPacts(owner: pg.Client, readerId: string): Promise<void> {
  await owner.query(`insert into private.pacts (submission_id, due_on, outcome, outcome_id, closed_at)
    select submission, current_date + 3, case when closed then 'success' end,
      case when closed then following end, case when closed then now() end
    from (
      select *, place % 4 = 1 as closed, lead(submission) over (order by place) as following from planted
    ) p where place % 2 = 1`);
  await owner.query(
    `insert into private.pact_witnesses (submission_id, user_id, accepted, answered_at)
     select submission, $1, case when place % 4 = 1 then true end, case when place % 4 = 1 then now() end
     from planted where place % 2 = 1
     union all
     select submission, following, true, now() from (
       select *, lead(member) over (order by place) as following from planted
     ) p where place % 2 = 1 and following is not null`,
    [readerId],
  );
  await owner.query(
    `with own as (
       insert into public.learning_submissions (id, user_id, submission_type, title, content, created_at)
       select comment, $1, 'pact', name, text, now() - interval '1 day' from planted where place % 2 = 0
     ), pacts as (
       insert into private.pacts (submission_id, due_on)
       select comment, current_date + case when common then 1 else 1 + place end from planted where place % 2 = 0
     )
     insert into private.pact_witnesses (submission_id, user_id, accepted, answered_at)
     select comment, member, place % 4 = 0, now() from planted where place % 2 = 0`,
    [readerId],
  );
}

/** A conversation with each member; in the first one all payloads are said. */
async function plantDirectMessages(owner: pg.Client, readerId: string): Promise<string> {
  await owner.query(
    `insert into private.direct_conversations (id, first_id, second_id)
     select submission, least(member, $1), greatest(member, $1) from planted`,
    [readerId],
  );
  await owner.query(`insert into public.direct_messages (id, conversation_id, user_id, content, created_at)
    select message, submission, member, text, now() - make_interval(mins => 1000 - place) from planted
    union all
    select comment, (select submission from planted where place = 1), (select member from planted where place = 1), text,
      now() - make_interval(mins => 3000 - place) from planted`);
  await owner.query(`insert into private.collaboration_posts (id, user_id, kind, title, details, topics, search_key)
    select submission, member, 'offer', left(name, 80), left(text, 600), array[left(name, 40)], 'x' from planted`);
  const { rows } = await owner.query<{ id: string }>(
    "select submission as id from planted where place = 1",
  );
  return rows[0]?.id ?? "";
}

async function plantReports(owner: pg.Client, adminId: string): Promise<void> {
  await owner.query(
    `insert into private.reports (kind, subject_id, profile_id, author_id, user_id, reason, snapshot)
     select 'profile', member, member, member, $1, left(text, 500), jsonb_build_object('name', name, 'occupation', name, 'bio', text, 'topics', array[name])
     from planted`,
    [adminId],
  );
  const insert = (column: string) =>
    `insert into private.reports (kind, subject_id, ${column}, author_id, user_id, reason, snapshot)`;
  await owner.query(`${insert("message_id")}
    select 'message', p.message, p.message, p.member, p.member, left(p.text, 500),
      jsonb_build_object('content', p.text, 'picture', m.picture, 'picture_alt', m.picture_alt)
    from planted p join public.chat_messages m on m.id = p.message`);
  await owner.query(`${insert("submission_id")}
    select 'submission', submission, submission, member, member, left(text, 500),
      jsonb_build_object('title', name, 'content', naming) from planted`);
  await owner.query(`${insert("direct_message_id")}
    select 'direct_message', message, message, member, member, left(text, 500),
      jsonb_build_object('content', text, 'context', jsonb_build_array(
        jsonb_build_object('author_id', member, 'content', text, 'created_at', now()))) from planted`);
}

/** Tells the reader of one act of each member. */
async function plantBell(owner: pg.Client, readerId: string): Promise<void> {
  await owner.query(
    `insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
     select $1, kind, member,
       case when kind in ('reply', 'mention', 'direct_message') then message
         when kind in ('submission_comment', 'submission_mention') then comment else submission end,
       case when kind in ('reply', 'mention') then message else submission end
     from (
       select *, (array['reply', 'mention', 'submission_comment', 'witness_asked', 'submission_mention',
         'pact_outcome', 'direct_message', 'witness_asked'])[place % 8 + 1] as kind from planted
     ) p`,
    [readerId],
  );
}
