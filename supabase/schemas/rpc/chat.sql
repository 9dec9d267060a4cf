-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.room_participants(room_id text) returns setof uuid
  language sql stable set search_path = '' as $$ select * from private.room_participants(room_id) $$;
comment on function public.room_participants is 'Ids of the accounts in the room now, at most 500.';
grant execute on function private.room_participants, public.room_participants to authenticated;

create function public.notify_typing(room_id text) returns void
  language sql volatile set search_path = '' as $$ select private.notify_typing(room_id) $$;
comment on function public.notify_typing is 'The caller is typing in the room. Call it every few seconds while typing.';
grant execute on function private.notify_typing, public.notify_typing to authenticated;

create function public.mention_in_submission(submission_id uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_in_submission(submission_id, members) $$;
comment on function public.mention_in_submission is 'Tells members that the caller''s submission names them: at most ten, each once, and only who may read it.';
grant execute on function private.mention_in_submission, public.mention_in_submission to authenticated;

create function public.mention_in_comment(comment_id uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_in_comment(comment_id, members) $$;
comment on function public.mention_in_comment is 'Tells members that the caller''s comment names them: at most ten, each once, and only who may read it.';
grant execute on function private.mention_in_comment, public.mention_in_comment to authenticated;

create function public.mentionable_members(room text default NULL::text, typed text default NULL::text) returns table(user_id uuid, name text, avatar_url text)
  language sql volatile set search_path = '' as $$ select * from private.mentionable_members(room, typed) $$;
comment on function public.mentionable_members is 'Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.';
grant execute on function private.mentionable_members, public.mentionable_members to authenticated;

create function public.mention_members(message uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_members(message, members) $$;
comment on function public.mention_members is 'Tells members that the caller''s message names them: at most ten, each once, and only who may read it.';
grant execute on function private.mention_members, public.mention_members to authenticated;

create function public.delete_message(message_id uuid, explanation text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.delete_message(message_id, explanation) $$;
comment on function public.delete_message is 'Deletes the caller''s own message; administrators delete any, with an explanation for its author.';
grant execute on function private.delete_message, public.delete_message to authenticated;

create function public.chat_room_overview() returns table(id text, name text, description text, min_level_required integer, participant_count integer, unread_count integer, last_message_at timestamp with time zone, last_message text, last_author_id uuid, last_author text, faces jsonb)
  language sql stable set search_path = '' as $$ select * from private.chat_room_overview() $$;
comment on function public.chat_room_overview is 'Every room by level and name, with the caller''s unread messages (at most 99), the beginning of the last message of open ones and a few who are there, or who wrote last when nobody is.';
grant execute on function private.chat_room_overview, public.chat_room_overview to authenticated;

create function public.unread_rooms() returns integer
  language sql stable set search_path = '' as $$ select private.unread_rooms() $$;
comment on function public.unread_rooms is 'How many of the rooms open to the caller have something unread, at most 99.';
grant execute on function private.unread_rooms, public.unread_rooms to authenticated;

create function public.my_next_room() returns text
  language sql stable set search_path = '' as $$ select private.my_next_room() $$;
comment on function public.my_next_room is 'Id of the room that the caller''s next step leads to; null when all open ones were opened.';
grant execute on function private.my_next_room, public.my_next_room to authenticated;

create function public.message_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.message_pictures_to_purge(after, batch) $$;
comment on function public.message_pictures_to_purge is 'Server: pictures of messages to delete now.';
grant execute on function private.message_pictures_to_purge, public.message_pictures_to_purge to service_role;

create function public.pin_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.pin_message(message_id) $$;
comment on function public.pin_message is 'Administrators: pin a message to the top of its room.';
grant execute on function private.pin_message, public.pin_message to authenticated;

create function public.unpin_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.unpin_message(message_id) $$;
comment on function public.unpin_message is 'Administrators: take a message from the top of its room.';
grant execute on function private.unpin_message, public.unpin_message to authenticated;

create function public.room_pins(room_id text) returns table(message_id uuid, user_id uuid, author_first_name text, author_last_name text, content text, created_at timestamp with time zone, pinned_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.room_pins(room_id) $$;
comment on function public.room_pins is 'The pinned messages of a room with their authors and the beginning of their text.';
grant execute on function private.room_pins, public.room_pins to authenticated;

create function public.message_reactors(message_id uuid) returns table(reaction text, user_id uuid, first_name text, last_name text)
  language sql volatile set search_path = '' as $$ select * from private.message_reactors(message_id) $$;
comment on function public.message_reactors is 'Names of those who liked a message (like) or reacted to it.';
grant execute on function private.message_reactors, public.message_reactors to authenticated;

create function public.mark_room_read(room_id text, up_to timestamp with time zone) returns void
  language sql volatile set search_path = '' as $$ select private.mark_room_read(room_id, up_to) $$;
comment on function public.mark_room_read is 'The caller has read the room up to this moment.';
grant execute on function private.mark_room_read, public.mark_room_read to authenticated;

create function public.expire_room_leases() returns integer
  language sql volatile set search_path = '' as $$ select private.expire_room_leases() $$;
comment on function public.expire_room_leases is 'Server: delete expired room leases; returns their number.';
grant execute on function private.expire_room_leases, public.expire_room_leases to service_role;
