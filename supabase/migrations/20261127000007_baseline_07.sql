-- Part 7 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- chat/mentions.sql

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

-- @rpc authenticated
-- Every room by level and name, with the caller's unread messages (at most 99), the beginning of the last message of open ones and a few
-- who are there.
create function private.chat_room_overview()
  returns table (
    id text, name text, description text, min_level_required integer, participant_count integer,
    unread_count integer, last_message_at timestamptz, last_message text, last_author_id uuid, last_author text, faces jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  open_rooms text[] := private.caller_room_ids();
  is_member boolean := private.caller_is_member();
begin
  return query
    select r.id, r.name, r.description, r.min_level_required,
      case when is_member then r.participant_count else 0 end,
      case when r.id = any (open_rooms) then private.unread_count(caller, r.id) else 0 end,
      newest.created_at, private.excerpt(newest.content), newest.user_id,
      (select nullif(btrim(p.first_name), '') from public.profiles p where p.id = newest.user_id),
      case when r.participant_count > 0 and r.id = any (open_rooms) then private.room_faces(caller, r.id) else '[]' end
    from public.chat_rooms r
    -- One look-up on the room's index. A deleted message has no text.
    left join lateral (
      select m.created_at, m.content, m.user_id from public.chat_messages m
      where m.chat_room_id = r.id order by m.created_at desc, m.id limit 1
    ) newest on r.id = any (open_rooms)
    where r.is_active order by r.min_level_required, r.display_order, r.name;
end
$$;
comment on function private.chat_room_overview() is
  'All rooms for the calling account; locked ones without unread, last messages and faces, and without participants for accounts that are not members.';

-- Looks at the newest 200 messages of a room, so that what was deleted in bulk costs nobody anything.
-- @rpc authenticated
-- How many of the rooms open to the caller have something unread, at most 99.
create function private.unread_rooms() returns integer
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  since constant timestamptz := (select u.created_at from auth.users u where u.id = caller);
  hidden constant uuid[] := array(select b.blocked_id from private.member_blocks b where b.user_id = caller);
begin
  return (
    select least(count(*), 99) from unnest(private.caller_room_ids()) room
    left join public.chat_room_reads r on r.user_id = caller and r.chat_room_id = room
    cross join lateral (
      select from (
        select m.user_id, m.deleted_at from public.chat_messages m
        where m.chat_room_id = room and m.created_at > coalesce(r.last_read_at, since)
        order by m.created_at desc, m.id limit 200
      ) newest
      where newest.user_id <> caller and newest.deleted_at is null and newest.user_id <> all (hidden)
      limit 1
    ) unread
  );
end
$$;
comment on function private.unread_rooms() is
  'In how many rooms that are open to the caller something is unread, at most 99.';

-- The next step of a member who has to open rooms leads to one they have not opened yet.
create function private.next_room(member uuid) returns text
  language sql stable set search_path = '' as $$
  select r.id from public.chat_rooms r
  where r.is_active and r.min_level_required <= private.effective_level(member)
    and not exists (
      select from private.progress_ledger l where l.user_id = member and l.kind = 'room_opened' and l.reference = r.id
    )
  order by r.min_level_required, r.display_order, r.name
  limit 1
$$;
comment on function private.next_room(uuid) is
  'The first room, as they are listed, that is open to a member and was never opened by them; null when there is none.';

-- @rpc authenticated
-- Id of the room that the caller's next step leads to; null when all open ones were opened.
create function private.my_next_room() returns text
  language sql stable security definer set search_path = '' as $$ select private.next_room(private.require_caller()) $$;
comment on function private.my_next_room() is
  'The first room that is open to the caller and was never opened by them; null when there is none.';

-- chat/picture-moderation.sql

create function private.is_reported_picture(name text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.reports r
    where r.message_id = private.message_of_picture(name) and r.snapshot ->> 'picture' = name and r.resolved_at is null
  )
$$;
comment on function private.is_reported_picture(text) is 'True when a report of the picture''s message waits for a decision.';
grant execute on function private.is_reported_picture to authenticated;

-- @rpc service_role
-- Server: pictures of messages to delete now.
create function private.message_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  left join public.chat_messages m on m.id = private.message_of_picture(o.name)
  where o.bucket_id = 'message-pictures' and o.name > after
    and m.picture is distinct from o.name
    -- Without its message it may still be on the way.
    and (m.id is not null or o.created_at < now() - interval '1 day')
    and not private.is_reported_picture(o.name)
  order by o.name
  limit batch
$$;
comment on function private.message_pictures_to_purge(text, integer) is
  'Pictures of deleted messages, and those a day old that no message shows, unless a report waits for a decision; by name, after the given one.';

-- chat/pictures.sql

create function private.message_of_picture(picture text) returns uuid
  language sql immutable set search_path = '' as $$
  select substring(
    picture from '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:jpg|png)$'
  )::uuid
$$;
comment on function private.message_of_picture(text) is 'The message a picture belongs to by its name; null for any other name.';
grant execute on function private.message_of_picture to authenticated;

-- Pictures of deleted messages are removed, so uploads are counted and not what is stored. The account is read from the name,
-- because the storage service of a hosted project writes the row with its own role.
create function private.tg_storage_objects__limit_message_pictures() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if member is null or auth.uid() <> member or not exists (select from auth.users u where u.id = member) then
    return new;
  end if;
  begin
    perform private.enforce_rate_limit(member, 'message_picture');
  exception when sqlstate 'FF300' then
    -- The storage service knows only SQL's own codes.
    perform private.fail('42501', 'This account has sent thirty pictures within the hour, which is the most.');
  end;
  return new;
end
$$;

create trigger storage_objects__limit_message_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'message-pictures')
  execute function private.tg_storage_objects__limit_message_pictures();

-- The upload must be recent, so that the deletion of unused pictures cannot take it at the same moment. A message that is sent
-- again is not looked at: the insert finds it there.
create function private.require_message_picture(message uuid, picture text) returns void
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if exists (select from public.chat_messages m where m.id = message and m.user_id = caller) then
    return;
  end if;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'message-pictures' and o.name = require_message_picture.picture
      and starts_with(o.name, caller::text || '-') and private.message_of_picture(o.name) = message
      and o.created_at > now() - interval '12 hours'
  ) then
    perform private.fail('FF323', 'The picture isn''t there any more. Please add it again.');
  end if;
end
$$;
comment on function private.require_message_picture(uuid, text) is
  'Raises FF323 unless the caller has uploaded this picture for this message within the last twelve hours.';
grant execute on function private.require_message_picture to authenticated;

create function private.picture_message_text(content text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if content is null or private.is_blank(private.trimmed_message(content)) then
    return 'Picture';
  end if;
  return private.require_message_text(content);
end
$$;
comment on function private.picture_message_text(text) is
  'The trimmed text of a message with a picture, Picture when it is empty; raises FF313 when it is too long.';
grant execute on function private.picture_message_text to authenticated;

-- chat/pins.sql

create function private.announce_pins(room text) returns void
  language sql volatile security definer set search_path = '' as $$
  select realtime.send('{}'::jsonb, 'pins', 'room:' || room, true)
$$;
comment on function private.announce_pins(text) is 'Tells the members in a room that its pins changed.';

-- @rpc authenticated (message_id)
-- Administrators: pin a message to the top of its room.
create function private.pin_message(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.chat_messages := private.require_moderated_message(message);
begin
  -- One pin at a time in a room, so that two administrators cannot pin a sixth together.
  perform 1 from public.chat_rooms r where r.id = target.chat_room_id for no key update;
  if exists (select from private.room_pins p where p.message_id = message) then
    return;
  end if;
  if (select count(*) from private.room_pins p where p.chat_room_id = target.chat_room_id) >= 5 then
    perform private.fail('FF322', 'A room has at most 5 pinned messages. Unpin one first.', '5');
  end if;
  insert into private.room_pins (message_id, chat_room_id, pinned_by) values (message, target.chat_room_id, auth.uid());
  perform private.audit(auth.uid(), 'message.pinned', target.user_id,
    jsonb_build_object('message_id', target.id, 'chat_room_id', target.chat_room_id));
  perform private.announce_pins(target.chat_room_id);
end
$$;
comment on function private.pin_message(uuid) is 'Pins a message to its room, audited; FF322 when five are pinned. Repeating it does nothing.';

-- @rpc authenticated (message_id)
-- Administrators: take a message from the top of its room.
create function private.unpin_message(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  target public.chat_messages := private.require_moderated_message(message);
begin
  delete from private.room_pins p where p.message_id = message;
  if not found then
    return;
  end if;
  perform private.audit(auth.uid(), 'message.unpinned', target.user_id,
    jsonb_build_object('message_id', target.id, 'chat_room_id', target.chat_room_id));
  perform private.announce_pins(target.chat_room_id);
end
$$;
comment on function private.unpin_message(uuid) is 'Takes a message from the top of its room, audited. Repeating it does nothing.';

-- @rpc authenticated (room_id)
-- The pinned messages of a room with their authors and the beginning of their text.
create function private.room_pins(room text)
  returns table (
    message_id uuid, user_id uuid, author_first_name text, author_last_name text, content text,
    created_at timestamptz, pinned_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_room(room);
  return query
    select m.id, m.user_id, a.first_name, a.last_name, left(m.content, 200), m.created_at, p.pinned_at
    from private.room_pins p
    join public.chat_messages m on m.id = p.message_id
    join public.profiles a on a.id = m.user_id
    where p.chat_room_id = room order by p.pinned_at desc, m.id;
end
$$;
comment on function private.room_pins(text) is 'The pinned messages of a room, newest pin first; FF310 or FF311 unless the caller may read it.';

-- A deleted message is no longer pinned, and an edited one is read again.
create function private.tg_chat_messages__update_pin() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null then
    delete from private.room_pins p where p.message_id = new.id;
  else
    perform 1 from private.room_pins p where p.message_id = new.id;
  end if;
  if found then
    perform private.announce_pins(new.chat_room_id);
  end if;
  return null;
end
$$;

create function private.export_part_pins(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_pins', coalesce((
    select jsonb_agg(jsonb_build_object('message_id', p.message_id, 'chat_room_id', p.chat_room_id, 'pinned_at', p.pinned_at)
      order by p.pinned_at, p.message_id)
    from private.room_pins p join public.chat_messages m on m.id = p.message_id
    where m.user_id = member or p.pinned_by = member
  ), '[]'))
$$;
comment on function private.export_part_pins(uuid) is 'Pinned messages of one account, and messages it pinned.';

-- chat/reactions.sql

-- Takes no lock: the counting trigger takes its locks later, in order.
create function private.require_reaction_allowed(message uuid, reaction text) returns void
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
  if not exists (
    select from public.message_reactions r
    where r.user_id = caller and r.message_id = message and r.reaction = require_reaction_allowed.reaction
  ) then
    perform private.enforce_rate_limit(caller, 'reaction');
  end if;
end
$$;
comment on function private.require_reaction_allowed(uuid, text) is 'Raises FF316 or FF300 unless the caller may react to this message now.';
grant execute on function private.require_reaction_allowed to authenticated;

create function private.tg_message_reactions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id is not distinct from auth.uid() then
    perform private.require_reaction_allowed(new.message_id, new.reaction);
  end if;
  return new;
end
$$;

-- The same event as a like, with the same reference, so that liking and reacting to one message count once together. Reacting
-- to your own message is not a progress event.
create function private.tg_message_reactions__add_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(e.user_id, 'like', e.message_id::text)
  from (
    select distinct c.user_id, c.message_id from changed c join public.chat_messages m on m.id = c.message_id
    where m.user_id <> c.user_id
  ) e;
  return null;
end
$$;

create function private.add_reaction_counts(counts jsonb, added jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(s.reaction, s.total), '{}')
  from (
    select e.key as reaction, sum(e.value::integer) as total
    from (select * from jsonb_each_text(counts) union all select * from jsonb_each_text(added)) e
    group by e.key
  ) s
  where s.total > 0
$$;
comment on function private.add_reaction_counts(jsonb, jsonb) is 'The counts with the differences added, without those that are 0.';

-- Adds the difference instead of counting again, which stays exact under concurrency. Messages are locked in the order
-- of their ids, so that two statements over several messages cannot deadlock.
create function private.tg_message_reactions__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_messages m where m.id in (select c.message_id from changed c)
    order by m.id for no key update;
  update public.chat_messages m set reaction_counts = private.add_reaction_counts(m.reaction_counts, t.added)
  from (
    select k.message_id, jsonb_object_agg(k.reaction, sign * k.n) as added
    from (
      select c.message_id, c.reaction, count(*)::integer as n from changed c group by c.message_id, c.reaction
    ) k
    group by k.message_id
  ) t
  where m.id = t.message_id;
  return null;
end
$$;

-- Who reacted. Those whom the caller has blocked are left out; a blocked member sees everyone, or a gap would tell.
-- @rpc authenticated (message_id)
-- Names of those who liked a message (like) or reacted to it.
create function private.message_reactors(message uuid)
  returns table (reaction text, user_id uuid, first_name text, last_name text)
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
  perform private.enforce_rate_limit(caller, 'reactors');
  return query
    select g.reaction, p.id, p.first_name, p.last_name
    from (
      select 'like' as reaction, l.user_id, l.created_at from public.message_likes l where l.message_id = message
      union all
      select r.reaction, r.user_id, r.created_at from public.message_reactions r where r.message_id = message
    ) g
    join public.profiles p on p.id = g.user_id
    where not exists (
      select from private.member_blocks b where b.user_id = caller and b.blocked_id = g.user_id
    )
    order by g.created_at, p.id limit 200;
end
$$;
comment on function private.message_reactors(uuid) is
  'Who liked a message or reacted to it, first ones first, at most 200; raises FF316 unless the caller may read it, FF300 above the rate.';

create function private.export_part_reactions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('message_reactions', coalesce((
    select jsonb_agg(to_jsonb(r) order by r.created_at, r.message_id, r.reaction)
    from public.message_reactions r where r.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_reactions(uuid) is 'Reactions of one account.';

-- chat/reading.sql

-- @rpc authenticated (room_id, up_to)
-- The caller has read the room up to this moment.
create function private.mark_room_read(room text, up_to timestamptz) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  insert into public.chat_room_reads as r (user_id, chat_room_id, last_read_at)
  values (caller, room, least(coalesce(up_to, clock_timestamp()), clock_timestamp()))
  on conflict (user_id, chat_room_id) do update set last_read_at = excluded.last_read_at
  where r.last_read_at < excluded.last_read_at;
end
$$;
comment on function private.mark_room_read(text, timestamptz) is 'Moves the caller''s mark forward, never back and never beyond now.';

-- Messages of members whom the reader has blocked are folded on the screen, so they count as little as the reader's own.
create function private.unread_count(member uuid, room text) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  read_up_to constant timestamptz := coalesce(
    (select r.last_read_at from public.chat_room_reads r where r.user_id = member and r.chat_room_id = room),
    (select u.created_at from auth.users u where u.id = member)
  );
  hidden constant uuid[] := array(select b.blocked_id from private.member_blocks b where b.user_id = member);
begin
  return (
    select count(*) from (
      select from public.chat_messages m
      where m.chat_room_id = room and m.created_at > read_up_to and m.user_id <> member and m.deleted_at is null
        and m.user_id <> all (hidden)
      order by m.created_at desc limit 99
    ) unread
  );
end
$$;
comment on function private.unread_count(uuid, text) is
  'Messages that the member has not read, at most 99, without their own and those of members they have blocked.';

-- A message with what a screen shows beside it.
create type public.room_message as (
  id uuid, user_id uuid, chat_room_id text, content text, message_type text, parent_message_id uuid,
  like_count integer, created_at timestamptz, edited_at timestamptz, deleted_at timestamptz, changed_at timestamptz,
  author_first_name text, author_last_name text, author_role text, author_occupation text,
  liked_by_me boolean, parent_content text, parent_author text,
  -- Messages show the picture of their author.
  author_avatar_url text,
  -- Pages of messages: the counts come with the row; the caller's own reactions are looked up for messages that have any.
  reaction_counts jsonb,
  my_reactions text[],
  picture text,
  picture_width integer,
  picture_height integer,
  picture_alt text
);
comment on type public.room_message is
  'A message with its author, whether the caller likes it, and the beginning of the message it replies to.';

reset check_function_bodies;
