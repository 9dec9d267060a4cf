-- Direct messages in the bell and under "Waiting for you". One line stands for a conversation: a new message takes the
-- place of the one before it, so a long conversation fills neither the bell nor the table.
insert into private.notification_kinds (kind, topic) values ('direct_message', 'messages');

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
revoke all on function private.tg_direct_messages__notify from public, anon, authenticated, service_role;
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
revoke all on function private.notification_part_direct from public, anon, authenticated, service_role;
comment on function private.notification_part_direct(uuid) is
  'Conversations in which a message to the member stands, while the member is one and has not blocked the sender.';

-- Which kinds ask something of the member is said where the kinds are, so that a new one changes no function.
alter table private.notification_kinds add column asks boolean not null default false;
comment on column private.notification_kinds.asks is
  'Whether the dashboard lists it under "Waiting for you". Likes, a new level and an approved document are news.';
update private.notification_kinds k set asks = true where k.kind in (
  'reply', 'mention', 'submission_comment', 'answer', 'witness_asked', 'pact_due', 'identity_rejected', 'payment_failed', 'nudge',
  'direct_message'
);

create or replace function private.caller_waiting() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  kinds constant text[] := array(select k.kind from private.notification_kinds k where k.asks);
  total constant integer := (
    select count(*) from (
      select distinct v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
      from private.visible_notifications(caller) v where v.read_at is null and v.kind = any (kinds)
    ) groups
  );
  page jsonb;
  before timestamptz;
  items jsonb := '[]';
begin
  while jsonb_array_length(items) < least(total, 3) loop
    page := private.my_notifications(before, 50) -> 'items';
    exit when page = '[]';
    items := items || coalesce((
      select jsonb_agg(i.item order by i.place) from jsonb_array_elements(page) with ordinality i (item, place)
      where (i.item -> 'unread')::boolean and i.item ->> 'kind' = any (kinds)
    ), '[]');
    before := page -> -1 ->> 'created_at';
  end loop;
  return jsonb_build_object(
    'count', least(total, 99), 'items', jsonb_path_query_array(items, '$[0 to 2]'),
    'questions', case when private.is_mentor(caller) then jsonb_array_length(private.waiting_questions()) else 0 end
  );
end
$$;
