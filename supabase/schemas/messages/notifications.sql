create function private.tg_direct_messages__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  reader constant uuid := private.other_member(new.conversation_id, new.user_id);
begin
  delete from public.notifications n
  where n.user_id = reader and n.kind = 'direct_message' and n.group_id = new.conversation_id;
  -- Who is being deleted is not waited for.
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at)
  select r.id, 'direct_message', new.user_id, new.id, new.conversation_id, new.created_at
  from public.profiles r where r.id = reader
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;
create trigger direct_messages__notify after insert on public.direct_messages
  for each row execute function private.tg_direct_messages__notify();

-- A deleted message gives its place to the newest one before it that stands.
create function private.notification_part_direct(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('member_id', n.actor_id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['direct_message']) n
  cross join lateral (
    select d.content from public.direct_messages d
    where d.conversation_id = n.group_id and d.user_id = n.actor_id and d.deleted_at is null
    order by d.created_at desc, d.id limit 1
  ) m
  -- The other direction stays in the bell, as in the list of conversations: the blocked member must not learn of it.
  where not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = n.actor_id);
end
$$;
comment on function private.notification_part_direct(uuid) is
  'Conversations in which a message to the member stands, while the member is one and has not blocked the sender.';
