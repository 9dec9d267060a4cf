-- Every signed-in account sees which rooms there are and the level each opens at, as the specification's /chats shows
-- them greyed out. What is said in a room stays with the members of its level (private.caller_room_ids).
drop policy select_member on public.chat_rooms;
create policy select_signed_in on public.chat_rooms for select to authenticated
  using (is_active and (select private.session_is_live()));
comment on policy select_signed_in on public.chat_rooms is 'Names, purposes and levels of rooms, for every signed-in account.';

comment on function private.chat_room_overview() is
  'All rooms for the calling account; locked ones without unread and last messages, and without participants for accounts that are not members.';
