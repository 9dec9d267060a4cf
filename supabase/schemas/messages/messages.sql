-- Writing direct messages, and where one has read to. They are no progress events: levels move by rooms alone.
create function private.other_member(conversation uuid, member uuid) returns uuid
  language sql stable set search_path = '' as $$
  select case when c.first_id = member then c.second_id else c.first_id end
  from private.direct_conversations c where c.id = conversation and member in (c.first_id, c.second_id)
$$;
comment on function private.other_member(uuid, uuid) is 'The other account of a conversation; null for who is not in it.';

create function private.require_conversation(conversation uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  if conversation is null or conversation <> all (private.caller_conversation_ids()) then
    perform private.fail('FF814', 'There is no such conversation of yours.');
  end if;
  return caller;
end
$$;
comment on function private.require_conversation(uuid) is 'The calling member, if the conversation is open to them; FF700 or FF814 otherwise.';

-- @rpc authenticated (conversation_id, up_to)
-- Saves how far the caller has read in a conversation.
create function private.mark_conversation_read(conversation uuid, up_to timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_conversation(conversation);
  read_at constant timestamptz := least(up_to, clock_timestamp());
begin
  if up_to is null then
    return;
  end if;
  insert into private.direct_reads as r (user_id, conversation_id, last_read_at) values (caller, conversation, read_at)
  on conflict (user_id, conversation_id) do update set last_read_at = excluded.last_read_at
  where r.last_read_at < excluded.last_read_at;
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.kind = 'direct_message' and n.group_id = conversation and n.read_at is null
    and n.created_at <= mark_conversation_read.up_to;
end
$$;
comment on function private.mark_conversation_read(uuid, timestamptz) is
  'Moves how far the caller has read forward, never beyond now, and marks what the bell says of it as read.';

-- @rpc authenticated (message_id, recipient_id, content, parent_id)
-- Sends a message to another member. The id is the client's: sending it again stores nothing more.
create function private.send_direct_message(message uuid, recipient uuid, content text, parent uuid default null) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  kept constant text := private.require_message_text(content);
  conversation uuid;
  sent public.direct_messages;
begin
  -- An id is stored once. What an earlier attempt stored is the answer, also when the door closed since.
  select m.* into sent from public.direct_messages m where m.id = message and m.user_id = caller;
  if found then
    return to_jsonb(sent);
  end if;
  -- The profiles first, as a deletion of the account does; then the pair, so that there is one conversation.
  perform from public.profiles p where p.id in (caller, recipient) order by p.id for key share;
  perform pg_advisory_xact_lock(hashtextextended('direct:' || least(caller, recipient) || greatest(caller, recipient), 0));
  perform private.require_direct_message_permission(caller, recipient);
  conversation := private.conversation_between(caller, recipient);
  if parent is not null and not exists (
    select from public.direct_messages m where m.id = parent and m.conversation_id = conversation and m.deleted_at is null
  ) then
    perform private.fail('FF315', 'The message you are answering is no longer there.');
  end if;
  perform private.enforce_rate_limit(caller, 'direct_message');
  if conversation is null then
    perform private.enforce_rate_limit(caller, 'conversation');
    insert into private.direct_conversations (first_id, second_id)
    values (least(caller, recipient), greatest(caller, recipient)) returning id into conversation;
  end if;
  insert into public.direct_messages (id, conversation_id, user_id, content, parent_message_id)
  values (coalesce(message, gen_random_uuid()), conversation, caller, kept, parent)
  on conflict (id) do nothing returning * into sent;
  if not found then
    select m.* into sent from public.direct_messages m where m.id = message and m.user_id = caller;
    if not found then
      perform private.fail('FF316', 'This message is not there.');
    end if;
    return to_jsonb(sent);
  end if;
  update private.direct_conversations c set last_message_at = sent.created_at where c.id = conversation;
  perform private.mark_conversation_read(conversation, sent.created_at);
  return to_jsonb(sent);
end
$$;
comment on function private.send_direct_message(uuid, uuid, text, uuid) is
  'Stores a message of the caller to another member, once for each id, and answers with its row; FF300, FF312, FF313, FF315, FF700 or FF810 to FF812.';

-- Changed words reach the other as new ones do, so they need the same open door.
-- @rpc authenticated (message_id, new_content)
-- Changes the text of the caller's own direct message.
create function private.edit_direct_message(message uuid, new_content text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  kept constant text := private.require_message_text(new_content);
  edited public.direct_messages;
begin
  select m.* into edited from public.direct_messages m
  where m.id = message and m.user_id = caller and m.deleted_at is null for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.require_direct_message_permission(caller, private.other_member(edited.conversation_id, caller));
  if edited.content <> kept then
    perform private.enforce_rate_limit(caller, 'direct_message');
    update public.direct_messages m set content = kept, edited_at = clock_timestamp(), changed_at = clock_timestamp()
    where m.id = message;
  end if;
end
$$;
comment on function private.edit_direct_message(uuid, text) is 'Changes the text of the caller''s own message while the caller may write to the other; FF316 for any other.';

create function private.erase_direct_message(message uuid) returns void
  language sql volatile set search_path = '' as $$
  update public.direct_messages m set content = '', deleted_at = clock_timestamp(), changed_at = clock_timestamp()
  where m.id = message and m.deleted_at is null
$$;
comment on function private.erase_direct_message(uuid) is 'Deletes the text of a message.';

-- Taking back one's own words needs neither a membership nor an open door.
-- @rpc authenticated (message_id)
-- Deletes the caller's own direct message for both members.
create function private.delete_direct_message(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform from public.direct_messages m where m.id = message and m.user_id = caller for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.erase_direct_message(message);
end
$$;
comment on function private.delete_direct_message(uuid) is 'Deletes the text of the caller''s own message. Repeating it does nothing.';

-- Says nothing behind a closed door, and does not tell the caller so.
-- @rpc authenticated (conversation_id)
-- The caller is typing to the other member. Call it every few seconds while typing.
create function private.notify_direct_typing(conversation uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_conversation(conversation);
begin
  perform private.enforce_rate_limit(caller, 'typing');
  if private.direct_message_permission(caller, private.other_member(conversation, caller)) = 'open' then
    perform realtime.send(jsonb_build_object('user_id', caller), 'typing', 'direct:' || conversation, true);
  end if;
end
$$;
comment on function private.notify_direct_typing(uuid) is 'Broadcasts that the caller is typing in the conversation; FF300, FF700 or FF814.';
