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
