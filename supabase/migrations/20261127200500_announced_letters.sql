-- Which letters may stand before and after @everyone is the same on every cluster: é is one in a database of locale C, too.

create or replace function private.tg_chat_messages__announce() returns trigger
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
