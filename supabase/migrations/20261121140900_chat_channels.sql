-- Who is in a room and who is typing travels over the private channel room:<id>. Whoever may read the room now may join
-- it, listen and be heard; nobody else, and no other private channel exists.
create function private.caller_may_use_channel(topic text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(starts_with(topic, 'room:') and substr(topic, 6) = any (private.caller_room_ids()), false);
end
$$;
comment on function private.caller_may_use_channel(text) is
  'True when the topic is that of a room the calling account may read now.';
grant execute on function private.caller_may_use_channel(text) to authenticated;

create policy select_open_room on realtime.messages for select to authenticated using (
  extension in ('broadcast', 'presence') and (select private.caller_may_use_channel((select realtime.topic())))
);
create policy insert_open_room on realtime.messages for insert to authenticated with check (
  extension in ('broadcast', 'presence') and (select private.caller_may_use_channel((select realtime.topic())))
);
