-- The private channel `room:<id>` carries who is in a room and who is typing. Whoever may read the room may
-- join it and speak there; what is said on it is never stored.
create policy select_open_room on realtime.messages for select to authenticated
  using (
    extension in ('broadcast', 'presence')
    and (select realtime.topic()) like 'room:%'
    and substr((select realtime.topic()), 6) = any ((select private.caller_room_ids())::text[])
  );
create policy insert_open_room on realtime.messages for insert to authenticated
  with check (
    extension in ('broadcast', 'presence')
    and (select realtime.topic()) like 'room:%'
    and substr((select realtime.topic()), 6) = any ((select private.caller_room_ids())::text[])
  );
