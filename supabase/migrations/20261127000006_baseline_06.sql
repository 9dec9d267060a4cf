-- Part 6 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/withdrawals.sql

create function private.export_part_withdrawals(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('withdrawals', coalesce((
    select jsonb_agg(to_jsonb(w) order by w.requested_at) from private.withdrawals w where w.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_withdrawals(uuid) is 'Withdrawals of one account.';

-- chat/announcements.sql

-- Open pages read the bell again, each at a moment of its own within spread_ms: within two seconds among 100 accounts, within
-- two and a half minutes among 10,000, which the calls of others do not feel.
create function private.tg_chat_messages__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null or private.caller_has_second_factor() is not true
    or new.content collate pg_catalog."und-x-icu" !~ '(^|[^[:alnum:]_@])@everyone($|[^[:alnum:]_])'
    or not exists (select from public.profiles p where p.id = new.user_id and p.role = 'admin') then
    return null;
  end if;
  insert into private.room_announcements (message_id) values (new.id) on conflict do nothing;
  if not found then
    return null;
  end if;
  perform private.enforce_rate_limit(new.user_id, 'announce');
  perform private.audit(
    new.user_id, 'room.announced', null, jsonb_build_object('chat_room_id', new.chat_room_id, 'message_id', new.id)
  );
  perform realtime.send(
    jsonb_build_object('spread_ms', (
      select least(300000, 15 * greatest(c.reltuples, 0))::integer from pg_catalog.pg_class c
      where c.oid = 'public.profiles'::pg_catalog.regclass
    )),
    'announced', 'rooms', true
  );
  return null;
end
$$;
comment on function private.tg_chat_messages__announce() is 'Announces a message with @everyone of an administrator who entered a code in this session, once.';

-- Those of the last 30 days that are newer than the account, and that are no notification of the member yet.
create function private.unread_announcements(member uuid)
  returns table (id bigint, actor_id uuid, message_id uuid, created_at timestamptz, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  since constant timestamptz := greatest(
    now() - interval '30 days', (select u.created_at from auth.users u where u.id = member)
  );
begin
  return query
  select -a.id, m.user_id, m.id, a.created_at,
    jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.room_announcements a
  join public.chat_messages m on m.id = a.message_id and m.deleted_at is null and m.user_id <> member
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed
  -- A block by its author takes nobody out of everyone: the message stands in the room for them all the same.
  where a.created_at >= since
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = m.user_id)
    and not exists (
      select from public.notifications n
      where n.user_id = member and n.kind = 'announcement' and n.subject_id = m.id and n.actor_id = m.user_id
    )
  order by a.created_at desc limit 50;
end
$$;
comment on function private.unread_announcements(uuid) is
  'Announcements in rooms that are open to the member which they have not read. Their ids are negative, so that they differ from notifications.';

create function private.notification_part_announcements(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['announcement']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_announcements(uuid) is
  'Announcements the member has read, in rooms that are open to them, as long as the message stands.';

create function private.export_part_announcements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_announcements', coalesce((
    select jsonb_agg(to_jsonb(a) order by a.id)
    from private.room_announcements a join public.chat_messages m on m.id = a.message_id where m.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_announcements(uuid) is 'Which messages of one account were announced to everyone.';

create function private.announcements_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  rooms constant text[] := private.caller_room_ids();
begin
  return query
  select m.id, 'everyone', null::uuid, m.user_id <> caller
  from private.room_announcements a join public.chat_messages m on m.id = a.message_id
  where a.message_id = any (subjects[1:100]) and m.deleted_at is null and m.chat_room_id = any (rooms);
end
$$;
comment on function private.announcements_in(uuid[]) is 'Which of up to 100 messages that the caller may read were announced to everyone.';
grant execute on function private.announcements_in to authenticated;

-- chat/channels.sql

-- The private channel room:<id> carries who is in a room and who is typing. Members who may read the room may join the
-- channel. Only the database sends on it, so that no client can act as another member: there is no policy for inserts
-- and none for presence. The channel rooms says which room was changed to every signed-in account, which reads it again
-- under its own rights. On identity:<account> the account is told that it may send documents again.
-- docs/decisions/014-room-channels-from-the-database.md gives the reasons.
create function private.caller_may_use_channel(topic text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  if topic = 'rooms' then
    return private.session_is_live();
  end if;
  return coalesce(
    topic = 'identity:' || auth.uid() or starts_with(topic, 'room:') and substr(topic, 6) = any (private.caller_room_ids()), false
  );
end
$$;
comment on function private.caller_may_use_channel(text) is
  'True when the topic is that of a room the calling account may read now, rooms for a signed-in account, or its own identity channel.';
grant execute on function private.caller_may_use_channel to authenticated;

create policy select_open_room on realtime.messages for select to authenticated using (
  extension = 'broadcast' and (select private.caller_may_use_channel((select realtime.topic())))
);

-- Broadcasts the start and the end of leases. Renewing one sends nothing. Many that end at once are sent in parts of
-- 500, because the size of a broadcast is limited.
create function private.tg_room_leases__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object(case tg_op when 'INSERT' then 'joined' else 'left' end, t.ids),
    'participants', 'room:' || t.chat_room_id, true
  )
  from (
    select p.chat_room_id, jsonb_agg(p.user_id order by p.user_id) as ids
    from (
      select c.chat_room_id, c.user_id,
        (row_number() over (partition by c.chat_room_id order by c.user_id) - 1) / 500 as part
      from changed c
    ) p
    group by p.chat_room_id, p.part
  ) t;
  return null;
end
$$;
comment on function private.tg_room_leases__announce() is 'Broadcasts who joined or left a room.';

-- @rpc authenticated (room_id)
-- Ids of the accounts in the room now, at most 500.
create function private.room_participants(room text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_room(room);
  return query
    select l.user_id from private.room_leases l where l.chat_room_id = room order by l.user_id limit 500;
end
$$;
comment on function private.room_participants(text) is 'Members who are in the room now, at most 500; FF310 or FF311 unless the caller may read it.';

-- Always sends the caller's own id: there is no argument for another account.
-- @rpc authenticated (room_id)
-- The caller is typing in the room. Call it every few seconds while typing.
create function private.notify_typing(room text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  perform private.enforce_rate_limit(caller, 'typing');
  perform realtime.send(jsonb_build_object('user_id', caller), 'typing', 'room:' || room, true);
end
$$;
comment on function private.notify_typing(text) is 'Broadcasts that the caller is typing in the room; raises FF300, FF310 or FF311.';

-- chat/export.sql

-- The data export of a member. Each area adds a function private.export_part_<name>(member), whose result is merged
-- into the export, so that no area has to know the others.
create function private.export_parts() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  part text;
  added jsonb;
  whole jsonb := '{}';
begin
  perform private.enforce_rate_limit(caller, 'export');
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'export\_part\_%' order by 1
  loop
    execute format('select private.%I($1)', part) into added using caller;
    whole := whole || added;
  end loop;
  return whole;
end
$$;
comment on function private.export_parts() is 'The exports of all areas for the calling account, as one JSON object.';
grant execute on function private.export_parts to authenticated;

-- Contains the member's own messages even when the membership lapsed and the rooms cannot be read.
create function private.export_part_chat(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.chat_messages m where m.user_id = member
    ), '[]'),
    'message_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.message_id)
      from public.message_likes l where l.user_id = member
    ), '[]'),
    'room_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.chat_room_id) from public.chat_room_reads r where r.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_chat(uuid) is 'Messages, likes and read positions of one account.';

create function public.export_my_data() returns jsonb
  language sql volatile set search_path = '' as $$
  select private.export_account_data() || private.export_parts()
$$;
comment on function public.export_my_data() is 'Everything stored about the caller, as one JSON object; raises FF300 above the limit.';
grant execute on function public.export_my_data to authenticated;

-- chat/likes.sql

-- Takes no lock: the counting trigger takes its locks later, in order.
create function private.require_like_allowed(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.chat_messages m
    where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  ) then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if not exists (select from public.message_likes l where l.user_id = caller and l.message_id = message) then
    perform private.enforce_rate_limit(caller, 'like');
  end if;
end
$$;
comment on function private.require_like_allowed(uuid) is 'Raises FF316 or FF300 unless the caller may like this message now.';
grant execute on function private.require_like_allowed to authenticated;

create function private.tg_message_likes__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id is not distinct from auth.uid() then
    perform private.require_like_allowed(new.message_id);
  end if;
  return new;
end
$$;

-- Liking your own message is not a progress event.
create function private.tg_message_likes__add_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(c.user_id, 'like', c.message_id::text)
  from changed c join public.chat_messages m on m.id = c.message_id
  where m.user_id <> c.user_id;
  return null;
end
$$;

-- Adds the difference instead of counting again, which stays exact under concurrency. Messages are locked in the order
-- of their ids, so that two statements over several messages cannot deadlock.
create function private.tg_message_likes__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_messages m where m.id in (select c.message_id from changed c)
    order by m.id for no key update;
  update public.chat_messages m set like_count = m.like_count + sign * t.likes
  from (select c.message_id, count(*)::integer as likes from changed c group by c.message_id) t
  where m.id = t.message_id;
  return null;
end
$$;

-- chat/mentions.sql

-- The function that calls it holds a lock on the text, so that calls at the same time count one after the other.
create function private.name_members(
    message uuid, submission uuid, comment uuid, room text, content text, members uuid[], author uuid, told_otherwise uuid, place uuid
  ) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  named bigint;
begin
  select count(*) into named from private.mentions m
  where m.message_id = message or m.submission_id = submission or m.comment_id = comment;
  with added as (
    insert into private.mentions (message_id, submission_id, comment_id, user_id, name)
    select message, submission, comment, p.id, n.name
    from public.profiles p
    cross join lateral (select btrim(concat_ws(' ', p.first_name, p.last_name)) as name) n
    where p.id = any (members[1:100]) and n.name <> '' and position('@' || n.name in content) > 0
      and private.may_be_mentioned(p.id, room, author)
      and not exists (
        select from private.mentions m
        where m.user_id = p.id and (m.message_id = message or m.submission_id = submission or m.comment_id = comment)
      )
    limit greatest(10 - named, 0)
    for key share of p skip locked
    on conflict do nothing
    returning user_id
  )
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select a.user_id, case when message is null then 'submission_mention' else 'mention' end, author,
    coalesce(message, submission, comment), place
  from added a where a.user_id is distinct from told_otherwise
  on conflict do nothing;
end
$$;
comment on function private.name_members(uuid, uuid, uuid, text, text, uuid[], uuid, uuid, uuid) is
  'Keeps and tells up to ten members named in a text after @ who may read it, each once; one of them is told by another notification.';

-- @rpc authenticated (submission_id, members)
-- Tells members that the caller's submission names them: at most ten, each once, and only who may read it.
create function private.mention_in_submission(submission uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written public.learning_submissions;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  select s.* into written from public.learning_submissions s
  where s.id = submission and s.user_id = caller for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  perform private.name_members(null, submission, null, null, written.content, members, caller, null, submission);
end
$$;
comment on function private.mention_in_submission(uuid, uuid[]) is
  'Tells up to ten members that the text of the caller''s own submission names them; each once.';

-- The author of the submission is told of the comment.
-- @rpc authenticated (comment_id, members)
-- Tells members that the caller's comment names them: at most ten, each once, and only who may read it.
create function private.mention_in_comment(comment uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written public.learning_submission_comments;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  select c.* into written from public.learning_submission_comments c
  where c.id = comment and c.user_id = caller for no key update;
  if not found then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  perform private.name_members(
    null, null, comment, null, written.content, members, caller,
    (select s.user_id from public.learning_submissions s where s.id = written.submission_id), written.submission_id
  );
end
$$;
comment on function private.mention_in_comment(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own comment names them; each once. The author of the submission is told of the comment alone.';

-- Without a room it is about the feed, which is open to every member.
create function private.may_be_mentioned(member uuid, room text, by_member uuid) returns boolean
  language sql stable set search_path = '' as $$
  select member <> by_member and not private.is_blocked_between(member, by_member)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and case
      when room is null then private.effective_level(member) >= 1
      else exists (
        select from public.chat_rooms r
        where r.id = room and r.is_active and r.min_level_required <= private.effective_level(member)
      )
    end
$$;
comment on function private.may_be_mentioned(uuid, text, uuid) is
  'True for a listed member who may read the room (null: the feed) now and is another than the given one, without a block between them.';

-- @rpc authenticated
-- Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.
create function private.mentionable_members(room text default null, typed text default null)
  returns table(user_id uuid, name text, avatar_url text) language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(left(coalesce(typed, ''), 100));
begin
  perform private.enforce_rate_limit(caller, 'people');
  if start = '' or (room is not null and not room = any (private.caller_room_ids())) then
    return;
  end if;
  return query
    select p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url
    from private.directory_entries d join public.profiles p on p.id = d.user_id
    where position(' ' || start in ' ' || d.sort_key) > 0 and private.may_be_mentioned(d.user_id, room, caller)
    order by d.sort_key, d.user_id limit 8;
end
$$;
comment on function private.mentionable_members(text, text) is
  'Up to eight members whom the caller may mention in the room (null: in the feed) and a word of whose name begins as typed. Limited.';

-- Repeating it tells nobody twice. Answers nothing, so that nobody learns who is blocked or may not read. The author of
-- the parent message is told of the reply.
-- @rpc authenticated
-- Tells members that the caller's message names them: at most ten, each once, and only who may read it.
create function private.mention_members(message uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written constant public.chat_messages := private.require_visible_message(message);
begin
  if written.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.name_members(
    message, null, null, written.chat_room_id, written.content, members, caller,
    (select a.user_id from public.chat_messages a where a.id = written.parent_message_id), message
  );
end
$$;
comment on function private.mention_members(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own message names them: those whose name stands in it after @ and who may read it.';

-- A mention is shown by the rule of replies: the room is open to the reader and the message stands.
create function private.notification_part_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['mention']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_mentions(uuid) is
  'Mentions in rooms that are open to the member, as long as the message stands.';

create function private.tg_chat_messages__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.chat_messages w where w.id = new.id) then
    perform private.name_members(
      new.id, null, null, new.chat_room_id, new.content, new.mentioned, new.user_id,
      (select a.user_id from public.chat_messages a where a.id = new.parent_message_id), new.id
    );
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_chat_messages__name_members() is 'Keeps and tells the members whom a new message names.';

create function private.tg_learning_submissions__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.learning_submissions w where w.id = new.id) then
    perform private.name_members(null, new.id, null, null, new.content, new.mentioned, new.user_id, null, new.id);
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_learning_submissions__name_members() is 'Keeps and tells the members whom a new submission names.';

create function private.tg_learning_submission_comments__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.learning_submission_comments w where w.id = new.id) then
    perform private.name_members(
      null, null, new.id, null, new.content, new.mentioned, new.user_id,
      (select s.user_id from public.learning_submissions s where s.id = new.submission_id), new.submission_id
    );
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_learning_submission_comments__name_members() is 'Keeps and tells the members whom a new comment names.';

create function public.edit_message(message_id uuid, new_content text, mentioned uuid[] default null) returns void
  language sql volatile set search_path = '' as $$
  select private.edit_message(message_id, new_content);
  select private.mention_members(message_id, mentioned) where mentioned is not null;
$$;
comment on function public.edit_message(uuid, text, uuid[]) is 'Changes the text of one''s own message, and tells the members it names.';
grant execute on function public.edit_message to authenticated;

create function public.edit_submission(submission_id uuid, title text, content text, mentioned uuid[] default null) returns void
  language sql volatile set search_path = '' as $$
  select private.edit_submission(submission_id, title, content);
  select private.mention_in_submission(submission_id, mentioned) where mentioned is not null;
$$;
comment on function public.edit_submission(uuid, text, text, uuid[]) is 'Changes title and text of one''s own submission, and tells the members it names.';
grant execute on function public.edit_submission to authenticated;

create function public.close_pact(
  pact_id uuid, outcome_id uuid, outcome text, title text, content text, image_url text default null, mentioned uuid[] default null
) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  insert into public.learning_submissions (id, user_id, submission_type, title, content, image_url, mentioned)
  values (outcome_id, auth.uid(), outcome, title, content, image_url, mentioned) on conflict do nothing;
  perform private.close_pact(pact_id, outcome_id);
end
$$;
comment on function public.close_pact(uuid, uuid, text, text, text, text, uuid[]) is 'Shares the submission that tells how the caller''s pact went, tells the members it names, and closes the pact with it. Repeating it does nothing more.';
grant execute on function public.close_pact to authenticated;

create function private.notification_part_submission_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'comment_id', c.id, 'excerpt', coalesce(private.excerpt(c.content), s.title))
  from private.newest_notifications(member, array['submission_mention']) n
  join public.learning_submissions s on s.id = n.group_id
  left join public.learning_submission_comments c on c.id = n.subject_id
  where c.id is not null or n.subject_id = s.id;
end
$$;
comment on function private.notification_part_submission_mentions(uuid) is
  'Mentions in submissions and comments, as long as they stand and the member may read them.';

-- By the rules of member_profile.
create function private.may_open_profile(member uuid, reader uuid) returns boolean
  language sql stable set search_path = '' as $$
  select private.effective_level(member) > 0 and not private.is_blocked_between(member, reader)
    and exists (
      select from auth.users u
      where u.id = member and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
$$;
comment on function private.may_open_profile(uuid, uuid) is 'True for a member now whose profile the reader finds, without a block between them.';

-- A name without an account stands for two members of that name, or for one whose profile the caller does not find.
create function private.mentions_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  asked constant uuid[] := subjects[1:100];
  rooms constant text[] := private.caller_room_ids();
  reads_feed constant boolean := private.caller_effective_level() >= 1;
begin
  return query
  with named as (
    select m.message_id as subject, m.user_id as member, m.name as written
    from private.mentions m join public.chat_messages g on g.id = m.message_id
    where m.message_id = any (asked) and g.deleted_at is null and g.chat_room_id = any (rooms)
    union all
    select m.submission_id, m.user_id, m.name from private.mentions m where reads_feed and m.submission_id = any (asked)
    union all
    select m.comment_id, m.user_id, m.name from private.mentions m where reads_feed and m.comment_id = any (asked)
  )
  select n.subject, n.written,
    case when count(*) = 1 and private.may_open_profile(min(n.member::text)::uuid, caller) then min(n.member::text)::uuid end,
    bool_or(n.member = caller)
  from named n group by n.subject, n.written;
end
$$;
comment on function private.mentions_in(uuid[]) is
  'The names after @ in up to 100 messages, submissions and comments that the caller may read, with the account where there is one to show.';
grant execute on function private.mentions_in to authenticated;

-- The names, and @everyone where it was announced.
create function public.mentions_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language sql stable set search_path = '' as $$
  select * from private.mentions_in(subjects) union all select * from private.announcements_in(subjects)
$$;
comment on function public.mentions_in(uuid[]) is
  'Who is named in up to 100 messages, submissions and comments. Without an account when the name could be two members or there is no profile to show.';
grant execute on function public.mentions_in to authenticated;

-- Who was named by the member is in the text; by whom the member was named is another person.
create function private.export_part_mentions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('mentions', coalesce((
    select jsonb_agg(to_jsonb(m) - 'user_id' order by m.id) from private.mentions m where m.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_mentions(uuid) is 'Where one account was named, without the other persons.';

-- chat/messages.sql

-- Trims the same white space as JavaScript's trim().
create function private.trimmed_message(content text) returns text
  language sql immutable set search_path = '' as $$
  select btrim(content, E' \t\n\r\f\v\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
    '\u2028\u2029\u202f\u205f\u3000\ufeff')
$$;
comment on function private.trimmed_message(text) is 'The text without white space at its ends.';
grant execute on function private.trimmed_message to authenticated;

-- Joiners, direction marks, fillers and control characters are allowed inside a text, but are not a text by themselves.
create function private.is_blank(content text) returns boolean
  language sql immutable set search_path = '' as $$
  select content !~ ('[^\s\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f'
    '\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb'
    '\U000e0000-\U000e0fff]')
$$;
comment on function private.is_blank(text) is 'True when the text has no visible character.';
grant execute on function private.is_blank to authenticated;

create function private.require_message_text(content text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  trimmed text := private.trimmed_message(content);
begin
  if trimmed is null or private.is_blank(trimmed) then
    perform private.fail('FF312', 'A message needs some text.');
  end if;
  if char_length(trimmed) > 4000 then
    perform private.fail('FF313', 'A message has at most 4000 characters.', char_length(trimmed)::text);
  end if;
  return trimmed;
end
$$;
comment on function private.require_message_text(text) is 'The trimmed text; raises FF312 when it is empty, FF313 when it is too long.';
grant execute on function private.require_message_text to authenticated;

-- Whether the caller may send a message to a room now. Sending the same message again does not count towards the limit.
create function private.require_message_allowed(message uuid, room text, parent uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  if parent is not null and not exists (
    select from public.chat_messages m where m.id = parent and m.chat_room_id = room and m.deleted_at is null
  ) then
    perform private.fail('FF315', 'The message you are answering is no longer there.');
  end if;
  if not exists (select from public.chat_messages m where m.id = message and m.user_id = caller) then
    perform private.enforce_rate_limit(caller, 'message');
  end if;
end
$$;
comment on function private.require_message_allowed(uuid, text, uuid) is 'Raises FF310, FF311, FF315 or FF300 unless the caller may send this message now.';
grant execute on function private.require_message_allowed to authenticated;

create function private.tg_chat_messages__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  if new.picture is null then
    new.content := private.require_message_text(new.content);
  else
    new.content := private.picture_message_text(new.content);
    new.picture_alt := private.trimmed_message(coalesce(new.picture_alt, ''));
  end if;
  if (new.message_type = 'reply') is distinct from (new.parent_message_id is not null) then
    perform private.fail('FF314', 'A reply, and only a reply, names the message it answers.');
  end if;
  perform private.require_message_allowed(new.id, new.chat_room_id, new.parent_message_id);
  if new.picture is not null then
    perform private.require_message_picture(new.id, new.picture);
  end if;
  new.created_at := clock_timestamp();
  new.changed_at := new.created_at;
  return new;
end
$$;

create function private.tg_chat_messages__stamp_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;

-- Runs once for each statement, after the foreign keys of all rows were checked, so that waiting for those locks does
-- not hold the locks on counters.
create function private.tg_chat_messages__record_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(s.user_id, 'message', s.id::text) from said s;
  return null;
end
$$;

-- Editing, deleting, reporting and removing messages with pictures.
create function private.edit_message(message uuid, new_content text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  edited public.chat_messages := private.require_visible_message(message);
  kept text;
begin
  if edited.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  kept := case when edited.picture is null
    then private.require_message_text(new_content) else private.picture_message_text(new_content) end;
  if edited.content <> kept then
    perform private.enforce_rate_limit(caller, 'message');
    update public.chat_messages m set content = kept, edited_at = clock_timestamp() where m.id = message;
  end if;
end
$$;
comment on function private.edit_message(uuid, text) is 'Changes the text of the caller''s own message.';
grant execute on function private.edit_message to authenticated;

-- The picture can no longer be read from this moment; the server removes the file at its next round.
-- @rpc authenticated (message_id)
-- Deletes the caller's own message; administrators delete any.
create function private.delete_message(message uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  gone public.chat_messages;
begin
  select m.* into gone from public.chat_messages m
  where m.id = message and (m.user_id = caller or private.caller_is_admin()) for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if gone.user_id <> caller then
    perform private.require_aal2();
  end if;
  if gone.deleted_at is not null then
    return;
  end if;
  update public.chat_messages m
  set content = '', deleted_at = clock_timestamp(),
    picture = null, picture_width = null, picture_height = null, picture_alt = null
  where m.id = message;
  if gone.user_id <> caller then
    perform private.audit(
      caller, 'message.deleted', gone.user_id,
      jsonb_build_object('message_id', gone.id, 'chat_room_id', gone.chat_room_id)
    );
  end if;
end
$function$;
comment on function private.delete_message(uuid) is 'Deletes the text of the caller''s own message, or of any message for administrators with a second factor (FF005), audited. Repeating it does nothing.';

-- chat/openings.sql

-- A room that is closed by mistake and opened again tells nobody twice within a day.
create function private.tg_chat_rooms__tell_opening() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if private.caller_is_admin() is not true then
    return null;
  end if;
  insert into private.room_openings as o (chat_room_id, opened_by) values (new.id, auth.uid())
  on conflict (chat_room_id) do update
    set id = excluded.id, line_id = excluded.line_id, opened_by = excluded.opened_by, created_at = excluded.created_at
    where o.created_at < now() - interval '1 day';
  if not found then
    return null;
  end if;
  perform realtime.send(
    jsonb_build_object('spread_ms', (
      select least(300000, 15 * greatest(c.reltuples, 0))::integer from pg_catalog.pg_class c
      where c.oid = 'public.profiles'::pg_catalog.regclass
    )),
    'announced', 'rooms', true
  );
  return null;
end
$$;
comment on function private.tg_chat_rooms__tell_opening() is 'Tells the members of a room that an administrator opened, at most once a day.';

-- Those of the last 30 days that are newer than the account, and not read yet. A member whose level came later hears of the
-- room with the level.
create function private.unread_room_openings(member uuid)
  returns table (id bigint, opening_id uuid, created_at timestamptz, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  since constant timestamptz := greatest(
    now() - interval '30 days', (select u.created_at from auth.users u where u.id = member)
  );
begin
  return query
  select -o.line_id, o.id, o.created_at, jsonb_build_object('chat_room_id', r.id, 'room', r.name)
  from private.room_openings o
  join public.chat_rooms r on r.id = o.chat_room_id and r.is_active and r.min_level_required <= allowed
  where o.created_at >= since and o.opened_by is distinct from member
    and not exists (
      select from public.notifications n
      where n.user_id = member and (
        n.kind = 'room_open' and n.subject_id = o.id
        or n.kind = 'level_up' and n.detail = r.min_level_required::text and n.created_at > o.created_at
      )
    )
  order by o.created_at desc limit 50;
end
$$;
comment on function private.unread_room_openings(uuid) is
  'Rooms opened lately that the member may read and has not been told of. Their ids are negative, so that they differ from notifications.';

create function private.notification_part_room_openings(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name)
  from private.newest_notifications(member, array['room_open']) n
  join private.room_openings o on o.id = n.subject_id
  join public.chat_rooms r on r.id = o.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_room_openings(uuid) is
  'Openings of rooms that the member has read, as long as the room is open to them and was not opened again.';

-- What is told to all members by one row, as lines of one member's bell.
create function private.unread_for_everyone(member uuid)
  returns table (id bigint, kind text, actor_id uuid, subject_id uuid, created_at timestamptz, place jsonb)
  language sql stable set search_path = '' as $$
  select a.id, 'announcement', a.actor_id, a.message_id, a.created_at, a.place from private.unread_announcements(member) a
  union all
  select o.id, 'room_open', null, o.opening_id, o.created_at, o.place from private.unread_room_openings(member) o
$$;
comment on function private.unread_for_everyone(uuid) is 'Announcements and openings of rooms that the member has not read.';

create function private.export_part_room_openings(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_openings', coalesce((
    select jsonb_agg(to_jsonb(o) - 'line_id' order by o.created_at, o.id) from private.room_openings o where o.opened_by = member
  ), '[]'))
$$;
comment on function private.export_part_room_openings(uuid) is 'Which rooms one account opened last.';

-- chat/overview.sql

-- A blocked member goes on seeing who has blocked them: a gap would tell.
create function private.room_faces(caller uuid, room text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', f.user_id, 'name', btrim(concat_ws(' ', f.first_name, f.last_name)), 'avatar_url', f.avatar_url
  ) order by f.user_id), '[]')
  from (
    select l.user_id, p.first_name, p.last_name, p.avatar_url
    from private.room_leases l join public.profiles p on p.id = l.user_id
    where l.chat_room_id = room and not exists (
      select from private.member_blocks b where b.user_id = caller and b.blocked_id = l.user_id
    )
    order by l.user_id limit 4
  ) f
$$;
comment on function private.room_faces(uuid, text) is 'Up to four who are in a room now, without those whom the caller has blocked.';

reset check_function_bodies;
