-- The messages of all rooms.
create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  content text not null,
  message_type text not null default 'message' constraint chat_messages_message_type_check
    check (message_type in ('message', 'reply')),
  parent_message_id uuid references public.chat_messages (id) on delete set null,
  like_count integer not null default 0 constraint chat_messages_like_count_check check (like_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  reaction_counts jsonb not null default '{}'
    constraint chat_messages_reaction_counts_check check (jsonb_typeof(reaction_counts) = 'object'),
  picture text,
  picture_width integer,
  picture_height integer,
  picture_alt text,
  mentioned uuid[] constraint chat_messages_mentioned_check check (mentioned is null),
  constraint chat_messages_content_check check (
    case when deleted_at is null then char_length(content) between 1 and 4000 else content = '' end
  ),
  -- A reply stays when the message it answers is deleted with its author's account.
  constraint chat_messages_parent_check check (message_type = 'reply' or parent_message_id is null),
  constraint chat_messages_picture_check check (
    case when picture is null then num_nonnulls(picture_width, picture_height, picture_alt) = 0
    else deleted_at is null and num_nulls(picture_width, picture_height, picture_alt) = 0
      and picture in (user_id::text || '-' || id::text || '.jpg', user_id::text || '-' || id::text || '.png')
      and picture_width between 1 and 4096 and picture_height between 1 and 4096
      and char_length(picture_alt) <= 300
    end
  )
);
grant select, insert, update, delete on public.chat_messages to service_role;
-- Clients may send the like count, because the app does. Without an update policy it changes no row.
grant select (id, user_id, chat_room_id, content, message_type, parent_message_id, like_count, created_at, edited_at, deleted_at,
    changed_at, reaction_counts, picture, picture_width, picture_height, picture_alt, mentioned),
  insert (id, user_id, chat_room_id, content, message_type, parent_message_id, picture, picture_width, picture_height,
    picture_alt, mentioned),
  update (like_count)
  on public.chat_messages to authenticated;
comment on table public.chat_messages is 'Messages of all rooms. A deleted message keeps its row without its text. @deletes_reach user_id';
comment on column public.chat_messages.id is 'May be chosen by the client, so that sending again after a lost connection cannot create a duplicate.';
comment on column public.chat_messages.created_at is 'Set by the server.';
comment on column public.chat_messages.deleted_at is 'When its author or an administrator deleted it; its content is empty from then on.';
comment on column public.chat_messages.changed_at is
  'When it was last written, edited, deleted, liked, unliked or reacted to. Clients fetch later changes after a lost connection.';
comment on column public.chat_messages.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.chat_messages.content is
  'The text; Picture when a picture was sent without one, so that every list and every client has something to show.';
comment on column public.chat_messages.picture is
  'Name of an object in the bucket message-pictures: author, message and type. Null once the message is deleted.';
comment on column public.chat_messages.picture_width is 'Pixels, as the author''s client says; it only keeps the room free while the picture loads.';
comment on column public.chat_messages.picture_height is 'Pixels, as the author''s client says.';
comment on column public.chat_messages.picture_alt is 'What the picture shows, for those who cannot see it; empty when the author did not say.';
comment on column public.chat_messages.reaction_counts is 'How many members gave each reaction, without those nobody gave; kept by triggers.';
-- A page of a room is a short range scan on this index, however large the table is.
create index chat_messages_room_idx on public.chat_messages (chat_room_id, created_at desc, id);
create index chat_messages_changes_idx on public.chat_messages (chat_room_id, changed_at, id);
create index chat_messages_parent_message_id_idx on public.chat_messages (parent_message_id);
create index chat_messages_user_id_idx on public.chat_messages (user_id, created_at);
alter table public.chat_messages enable row level security;

create policy select_open_room on public.chat_messages for select to authenticated
  using (chat_room_id = any ((select private.caller_room_ids())::text[]) and (select private.session_is_live()));

-- The policy's rule for many accounts at once: Realtime calls it to deliver a message to a whole room.
-- See docs/subsystems/realtime.md.
create function private.chat_message_authorized_users(message public.chat_messages, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select l.user_id from private.effective_levels l
    join public.chat_rooms r on r.id = message.chat_room_id and r.is_active and r.min_level_required <= l.level
    where l.user_id = any (user_ids)
  );
end
$$;
comment on function private.chat_message_authorized_users(public.chat_messages, uuid[]) is
  'The given accounts that may read the message now.';
comment on policy select_open_room on public.chat_messages is
  'Accounts that may be in the room now. @authorizer private.chat_message_authorized_users';

create policy insert_own on public.chat_messages for insert to authenticated
  with check (user_id = (select auth.uid()));
alter publication supabase_realtime add table public.chat_messages;

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
create trigger chat_messages__guard_insert before insert on public.chat_messages
  for each row execute function private.tg_chat_messages__guard_insert();

create function private.tg_chat_messages__stamp_change() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;
create trigger chat_messages__stamp_change before update on public.chat_messages
  for each row execute function private.tg_chat_messages__stamp_change();

-- Runs once for each statement, after the foreign keys of all rows were checked, so that waiting for those locks does
-- not hold the locks on counters.
create function private.tg_chat_messages__record_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(s.user_id, 'message', s.id::text) from said s;
  return null;
end
$$;
create trigger chat_messages__record_progress_events after insert on public.chat_messages
  referencing new table as said for each statement execute function private.tg_chat_messages__record_progress_events();

-- A message the caller can see and that is not deleted; locked until the end of the transaction.
create function private.require_visible_message(message uuid) returns public.chat_messages
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_message public.chat_messages;
begin
  select m.* into found_message from public.chat_messages m
  where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  return found_message;
end
$$;
comment on function private.require_visible_message(uuid) is 'The message if the caller may read it and it is not deleted; raises FF316 otherwise.';

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
create function private.erase_message(message uuid) returns void
  language sql volatile set search_path = '' as $$
  update public.chat_messages m
  set content = '', deleted_at = clock_timestamp(),
    picture = null, picture_width = null, picture_height = null, picture_alt = null
  where m.id = message and m.deleted_at is null
$$;
comment on function private.erase_message(uuid) is 'Deletes the text and the picture of a message.';

-- An administrator tells the author why, as after a report, and decides the open reports of the message with it. The audit log keeps the
-- explanation, which no report holds.
-- @rpc authenticated (message_id, explanation)
-- Deletes the caller's own message; administrators delete any, with an explanation for its author.
create function private.delete_message(message uuid, explanation text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  gone public.chat_messages;
  why text;
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
  if gone.user_id <> caller then
    why := private.explain_removal('message', message, private.reported_message(message), explanation);
    perform private.audit(
      caller, 'message.deleted', gone.user_id,
      jsonb_build_object('message_id', gone.id, 'chat_room_id', gone.chat_room_id, 'reason', why)
    );
  end if;
  perform private.erase_message(message);
end
$function$;
comment on function private.delete_message(uuid, text) is
  'Deletes the text of the caller''s own message, or of any for administrators with a second factor (FF005) and an explanation (FF344), audited. Repeating it does nothing.';

-- Deleting an account takes its messages, its likes and its reactions in turn, and each of the last two writes the messages they stood
-- under. A row that this transaction has written before is checked again: an answer would be found without the message it answers,
-- which has gone already, and the whole deletion would be refused. So answers let go of that message before anything is taken.
create function private.tg_profiles__let_go_of_answers() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.chat_messages m set parent_message_id = null
  from public.chat_messages p
  where p.user_id = old.id and m.parent_message_id = p.id;
  return old;
end
$$;
create trigger profiles__let_go_of_answers before delete on public.profiles
  for each row execute function private.tg_profiles__let_go_of_answers();
