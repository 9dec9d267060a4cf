-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.set_message_choice(accepts text) returns void
  language sql volatile set search_path = '' as $$ select private.set_message_choice(accepts) $$;
comment on function public.set_message_choice is 'Sets who may write to the caller: everyone, known (mentors, administrators and members the caller has written to) or nobody.';
grant execute on function private.set_message_choice, public.set_message_choice to authenticated;

create function public.mark_conversation_read(conversation_id uuid, up_to timestamp with time zone) returns void
  language sql volatile set search_path = '' as $$ select private.mark_conversation_read(conversation_id, up_to) $$;
comment on function public.mark_conversation_read is 'Saves how far the caller has read in a conversation.';
grant execute on function private.mark_conversation_read, public.mark_conversation_read to authenticated;

create function public.send_direct_message(message_id uuid, recipient_id uuid, content text, parent_id uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.send_direct_message(message_id, recipient_id, content, parent_id) $$;
comment on function public.send_direct_message is 'Sends a message to another member. The id is the client''s: sending it again stores nothing more.';
grant execute on function private.send_direct_message, public.send_direct_message to authenticated;

create function public.edit_direct_message(message_id uuid, new_content text) returns void
  language sql volatile set search_path = '' as $$ select private.edit_direct_message(message_id, new_content) $$;
comment on function public.edit_direct_message is 'Changes the text of the caller''s own direct message.';
grant execute on function private.edit_direct_message, public.edit_direct_message to authenticated;

create function public.delete_direct_message(message_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_direct_message(message_id) $$;
comment on function public.delete_direct_message is 'Deletes the caller''s own direct message for both members.';
grant execute on function private.delete_direct_message, public.delete_direct_message to authenticated;

create function public.notify_direct_typing(conversation_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.notify_direct_typing(conversation_id) $$;
comment on function public.notify_direct_typing is 'The caller is typing to the other member. Call it every few seconds while typing.';
grant execute on function private.notify_direct_typing, public.notify_direct_typing to authenticated;

create function public.my_conversations(before_at timestamp with time zone default NULL::timestamp with time zone, before_id uuid default NULL::uuid, page_size integer default 30) returns table(conversation_id uuid, member jsonb, last_message_at timestamp with time zone, excerpt text, is_own boolean, unread integer)
  language sql stable set search_path = '' as $$ select * from private.my_conversations(before_at, before_id, page_size) $$;
comment on function public.my_conversations is 'The caller''s conversations with the beginning of the last message (empty once deleted) and what is unread, newest first.';
grant execute on function private.my_conversations, public.my_conversations to authenticated;

create function public.unread_conversations() returns integer
  language sql stable set search_path = '' as $$ select private.unread_conversations() $$;
comment on function public.unread_conversations is 'How many of the caller''s conversations have something unread, at most 99.';
grant execute on function private.unread_conversations, public.unread_conversations to authenticated;

create function public.direct_conversation(id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.direct_conversation(id) $$;
comment on function public.direct_conversation is 'Whom a conversation is with, whether the caller may write now, and how far the caller has read; null when there is no such member.';
grant execute on function private.direct_conversation, public.direct_conversation to authenticated;
