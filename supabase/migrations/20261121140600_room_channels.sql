-- Who is in a room and who is typing travels over the private channel `room:<id>` and is kept nowhere. Whoever may read
-- the room may listen and speak there.
create policy listen_in_open_room on realtime.messages for select to authenticated
  using (
    extension in ('broadcast', 'presence') and (select realtime.topic()) like 'room:%'
    and substr((select realtime.topic()), 6) = any ((select private.caller_room_ids())::text[])
  );
create policy speak_in_open_room on realtime.messages for insert to authenticated
  with check (
    extension in ('broadcast', 'presence') and (select realtime.topic()) like 'room:%'
    and substr((select realtime.topic()), 6) = any ((select private.caller_room_ids())::text[])
  );
