-- Reports of direct messages. Administrators read what was reported, up to five messages before it, and nothing else of a conversation.

-- A block by the caller does not matter: one may block first and report then.
create function private.reportable_direct_message(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
declare
  it private.reported;
  asked public.direct_messages;
begin
  perform private.require_member();
  select m.* into asked from public.direct_messages m
  where m.id = subject and m.deleted_at is null and exists (
    select from private.direct_conversations c where c.id = m.conversation_id and caller in (c.first_id, c.second_id)
  );
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  it := private.reported_direct_message(subject);
  it.snapshot := it.snapshot || jsonb_build_object('context', coalesce((
    select jsonb_agg(jsonb_build_object(
      'author_id', e.user_id, 'content', e.content, 'created_at', e.created_at
    ) order by e.created_at, e.id desc)
    from (
      select m.* from public.direct_messages m
      where m.conversation_id = asked.conversation_id and m.deleted_at is null
        and (m.created_at < asked.created_at or (m.created_at = asked.created_at and m.id > asked.id))
      order by m.created_at desc, m.id limit 5
    ) e
  ), '[]'));
  return it;
end
$$;
comment on function private.reportable_direct_message(uuid, uuid) is
  'A message of the caller''s conversations with up to five before it; raises FF316 or FF700.';

create function private.reported_direct_message(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select m.user_id, jsonb_build_object('content', m.content),
    jsonb_build_object('is_deleted', m.deleted_at is not null, 'written_at', m.created_at)
  from public.direct_messages m where m.id = subject
$$;
comment on function private.reported_direct_message(uuid) is 'A direct message without its conversation.';

create function private.lock_reported_direct_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.direct_messages m where m.id = subject for no key update
$$;
comment on function private.lock_reported_direct_message(uuid) is 'Locks a direct message.';

create function private.remove_reported_direct_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.erase_direct_message(subject)
$$;
comment on function private.remove_reported_direct_message(uuid) is 'Deletes the text of a direct message.';
