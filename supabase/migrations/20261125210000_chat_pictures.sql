-- One picture to a message of a room, in a private bucket. Its name is made of the author and the message, so that it belongs to
-- exactly one message and nobody can attach another's. Who may read the message may read the picture.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('message-pictures', 'message-pictures', false, 5242880, array['image/jpeg', 'image/png'])
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

alter table public.chat_messages
  add column picture text,
  add column picture_width integer,
  add column picture_height integer,
  add column picture_alt text;
alter table public.chat_messages add constraint chat_messages_picture_check check (
  case when picture is null then num_nonnulls(picture_width, picture_height, picture_alt) = 0
  else deleted_at is null and num_nulls(picture_width, picture_height, picture_alt) = 0
    and picture in (user_id::text || '-' || id::text || '.jpg', user_id::text || '-' || id::text || '.png')
    and picture_width between 1 and 4096 and picture_height between 1 and 4096
    and char_length(picture_alt) <= 300
  end
) not valid;
comment on column public.chat_messages.content is
  'The text; Picture when a picture was sent without one, so that every list and every client has something to show.';
comment on column public.chat_messages.picture is
  'Name of an object in the bucket message-pictures: author, message and type. Null once the message is deleted.';
comment on column public.chat_messages.picture_width is 'Pixels, as the author''s client says; it only keeps the room free while the picture loads.';
comment on column public.chat_messages.picture_height is 'Pixels, as the author''s client says.';
comment on column public.chat_messages.picture_alt is 'What the picture shows, for those who cannot see it; empty when the author did not say.';
grant select (picture, picture_width, picture_height, picture_alt),
  insert (picture, picture_width, picture_height, picture_alt)
  on public.chat_messages to authenticated;

insert into private.rate_limits (action, max_count, period) values ('message_picture', 30, '1 hour');

create function private.message_of_picture(picture text) returns uuid
  language sql immutable set search_path = '' as $$
  select substring(
    picture from '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(?:jpg|png)$'
  )::uuid
$$;
revoke all on function private.message_of_picture from public, anon, authenticated, service_role;
comment on function private.message_of_picture(text) is 'The message a picture belongs to by its name; null for any other name.';
grant execute on function private.message_of_picture(text) to authenticated;

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
revoke all on function private.tg_storage_objects__limit_message_pictures from public, anon, authenticated, service_role;
create trigger storage_objects__limit_message_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'message-pictures')
  execute function private.tg_storage_objects__limit_message_pictures();

create or replace trigger storage_objects__keep_content before update on storage.objects
  for each row when (
    old.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
    or new.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
  )
  execute function private.tg_storage_objects__keep_content();

-- There is no policy for update or delete: no client replaces a picture, and the server removes those no message shows.
create policy insert_own_message_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'message-pictures'
    and starts_with(name, (select auth.uid())::text || '-')
    and (select private.message_of_picture(name)) is not null
    and (select private.caller_is_member())
  );

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
revoke all on function private.require_message_picture from public, anon, authenticated, service_role;
comment on function private.require_message_picture(uuid, text) is
  'Raises FF323 unless the caller has uploaded this picture for this message within the last twelve hours.';
grant execute on function private.require_message_picture(uuid, text) to authenticated;

create function private.picture_message_text(content text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if content is null or private.is_blank(private.trimmed_message(content)) then
    return 'Picture';
  end if;
  return private.require_message_text(content);
end
$$;
revoke all on function private.picture_message_text from public, anon, authenticated, service_role;
comment on function private.picture_message_text(text) is
  'The trimmed text of a message with a picture, Picture when it is empty; raises FF313 when it is too long.';
grant execute on function private.picture_message_text(text) to authenticated;

create or replace function private.tg_chat_messages__guard_insert() returns trigger
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

alter type public.room_message add attribute picture text, add attribute picture_width integer,
  add attribute picture_height integer, add attribute picture_alt text;

create or replace function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url, m.reaction_counts,
    case when m.reaction_counts = '{}' then '{}' else array(
      select r.reaction from public.message_reactions r
      where r.user_id = (select auth.uid()) and r.message_id = m.id order by r.reaction
    ) end,
    m.picture, m.picture_width, m.picture_height, m.picture_alt
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
