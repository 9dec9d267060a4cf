-- Editing, deleting, reporting and removing messages with pictures.
create or replace function private.edit_message(message uuid, new_content text) returns void
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

-- The picture can no longer be read from this moment; the server removes the file at its next round.
create or replace function private.delete_message(message uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  gone public.chat_messages;
begin
  select m.* into gone from public.chat_messages m
  where m.id = message and (m.user_id = caller or private.caller_is_admin()) for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
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
$$;

alter table private.message_reports add column picture text, add column picture_alt text;
comment on column private.message_reports.picture is
  'The picture as it was when it was reported. It is kept until the decision, also when the author deletes the message.';
comment on column private.message_reports.picture_alt is 'Its description at that time.';

create or replace function private.report_message(message uuid, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  why text := private.trimmed_message(reason);
  reported public.chat_messages := private.require_visible_message(message);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF318', 'You can delete your own message; there is no need to report it.');
  end if;
  if exists (select from private.message_reports r where r.message_id = message and r.user_id = caller) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.message_reports (message_id, user_id, reason, content, picture, picture_alt)
  values (message, caller, why, reported.content, reported.picture, reported.picture_alt) on conflict do nothing;
end
$$;

create function private.is_reported_picture(name text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.message_reports r
    where r.message_id = private.message_of_picture(name) and r.picture = name and r.resolved_at is null
  )
$$;
revoke all on function private.is_reported_picture from public, anon, authenticated, service_role;
comment on function private.is_reported_picture(text) is 'True when a report of the picture''s message waits for a decision.';
grant execute on function private.is_reported_picture(text) to authenticated;

-- The rows of chat_messages are read with the caller's rights, so that its policy decides about the picture as well: level,
-- membership, session, an open room, a message that is not deleted. Authors read their own, which are part of their data export.
create policy select_readable_message_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'message-pictures'
    and (
      exists (
        select from public.chat_messages m
        where m.id = (select private.message_of_picture(objects.name)) and m.picture = objects.name
      )
      or starts_with(objects.name, (select auth.uid())::text || '-') and (select private.session_is_live())
      or (select private.caller_is_verified_admin()) and (select private.is_reported_picture(objects.name))
    )
  );

drop function public.moderation_queue();
drop function private.moderation_queue();
create function private.moderation_queue()
  returns table (
    report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text,
    author_id uuid, author_first_name text, author_last_name text, author_role text,
    reports integer, reasons text[], first_reported_at timestamptz, reported_picture text, reported_picture_alt text
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select o.report_id, m.id, m.chat_room_id, c.name, m.content, o.reported_content,
      m.user_id, p.first_name, p.last_name, p.role, o.reports, o.reasons, o.first_reported_at, o.picture, o.picture_alt
    from (
      select r.message_id as reported_id, min(r.id) as report_id, count(*)::integer as reports,
        array_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.content order by r.id))[1] as reported_content,
        (array_agg(r.picture order by r.id))[1] as picture, (array_agg(r.picture_alt order by r.id))[1] as picture_alt
      from private.message_reports r where r.resolved_at is null group by r.message_id
    ) o
    join public.chat_messages m on m.id = o.reported_id
    join public.chat_rooms c on c.id = m.chat_room_id
    join public.profiles p on p.id = m.user_id
    order by o.first_reported_at, o.report_id;
end
$$;
revoke all on function private.moderation_queue from public, anon, authenticated, service_role;
comment on function private.moderation_queue() is 'Reported messages that wait for a decision, oldest report first.';
grant execute on function private.moderation_queue() to authenticated;
create function public.moderation_queue()
  returns table (
    report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text,
    author_id uuid, author_first_name text, author_last_name text, author_role text,
    reports integer, reasons text[], first_reported_at timestamptz, reported_picture text, reported_picture_alt text
  )
  language sql stable set search_path = '' as $$ select * from private.moderation_queue() $$;
revoke all on function public.moderation_queue from public, anon, authenticated, service_role;
comment on function public.moderation_queue() is 'Administrators: reported messages waiting for a decision, oldest first.';
grant execute on function public.moderation_queue() to authenticated;

create function private.message_pictures_to_purge(after text, batch integer) returns setof text
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
revoke all on function private.message_pictures_to_purge from public, anon, authenticated, service_role;
comment on function private.message_pictures_to_purge(text, integer) is
  'Pictures of deleted messages, and those a day old that no message shows, unless a report waits for a decision; by name, after the given one.';
grant execute on function private.message_pictures_to_purge(text, integer) to service_role;
create function public.message_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select private.message_pictures_to_purge(after, batch) $$;
revoke all on function public.message_pictures_to_purge from public, anon, authenticated, service_role;
comment on function public.message_pictures_to_purge(text, integer) is 'Server: pictures of messages to delete now.';
grant execute on function public.message_pictures_to_purge(text, integer) to service_role;

create or replace function private.export_part_chat(member uuid) returns jsonb
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
    ), '[]'),
    -- Without what was reported, which another member wrote.
    'message_reports', coalesce((
      select jsonb_agg(to_jsonb(r) - '{content,picture,picture_alt}'::text[] order by r.id)
      from private.message_reports r where r.user_id = member
    ), '[]')
  )
$$;
