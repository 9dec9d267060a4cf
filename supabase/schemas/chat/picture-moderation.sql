create function private.is_reported_picture(name text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.reports r
    where r.message_id = private.message_of_picture(name) and r.snapshot ->> 'picture' = name and r.resolved_at is null
  )
$$;
comment on function private.is_reported_picture(text) is 'True when a report of the picture''s message waits for a decision.';
grant execute on function private.is_reported_picture to authenticated;

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
