-- Each area of the product has its own kinds of notifications and its own rule of what may be seen. An area adds its kinds to
-- private.notification_kinds and one function private.notification_part_<area>(member); nothing that exists is changed for it.
create table private.notification_kinds (
  kind text primary key,
  topic text not null constraint notification_kinds_topic_check check (
    topic in ('rooms', 'messages', 'submissions', 'pacts', 'learning', 'progress', 'people', 'account')
  )
);
revoke all on table private.notification_kinds from public, anon, authenticated, service_role;
comment on table private.notification_kinds is 'What members can be told of, by topic.';
comment on column private.notification_kinds.topic is 'What members choose by: kinds of one topic are turned on and off together.';
alter table private.notification_kinds enable row level security;
insert into private.notification_kinds (kind, topic) values
  ('reply', 'rooms'), ('message_like', 'rooms'),
  ('submission_like', 'submissions'), ('submission_comment', 'submissions'),
  ('level_up', 'progress'),
  ('identity_approved', 'account'), ('identity_rejected', 'account'), ('payment_failed', 'account');

alter table public.notifications drop constraint notifications_kind_check;
alter table public.notifications add constraint notifications_kind_fkey
  foreign key (kind) references private.notification_kinds (kind) not valid;

-- Only the newest 1,000 rows are looked at, so that the bell of a member with very many stays quick.
create function private.newest_notifications(member uuid, kinds text[]) returns setof public.notifications
  language sql stable rows 50 set search_path = '' as $$
  select n.* from (
    select * from public.notifications o where o.user_id = member order by o.created_at desc, o.id desc limit 1000
  ) n where n.kind = any (kinds)
$$;
revoke all on function private.newest_notifications from public, anon, authenticated, service_role;
comment on function private.newest_notifications(uuid, text[]) is
  'The notifications of the given kinds among the newest 1,000 of an account, for private.notification_part_<area>.';

create function private.excerpt(content text) returns text
  language sql immutable set search_path = '' as $$
  select case when char_length(content) > 140 then left(content, 139) || '…' else content end
$$;
revoke all on function private.excerpt from public, anon, authenticated, service_role;
comment on function private.excerpt(text) is 'The beginning of a text for a list or a notification: at most 140 characters, with an ellipsis where it was cut.';

create function private.notification_part_rooms(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['reply', 'message_like']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed
  where n.kind = 'reply' or exists (
    select from public.message_likes l where l.user_id = n.actor_id and l.message_id = n.subject_id
  );
end
$$;
revoke all on function private.notification_part_rooms from public, anon, authenticated, service_role;
comment on function private.notification_part_rooms(uuid) is
  'Replies and likes in rooms that are open to the member, as long as message and like stand.';

create function private.notification_part_submissions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'excerpt', s.title)
  from private.newest_notifications(member, array['submission_like', 'submission_comment']) n
  join public.learning_submissions s on s.id = n.group_id
  where case n.kind
    when 'submission_like' then exists (
      select from public.learning_submission_likes l where l.user_id = n.actor_id and l.submission_id = s.id)
    else exists (select from public.learning_submission_comments c where c.id = n.subject_id)
  end;
end
$$;
revoke all on function private.notification_part_submissions from public, anon, authenticated, service_role;
comment on function private.notification_part_submissions(uuid) is
  'Likes of and comments on the submissions of a member, as long as they stand.';

create function private.notification_part_account(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, '{}'::jsonb
  from private.newest_notifications(member, array['level_up', 'identity_approved', 'identity_rejected', 'payment_failed']) n
  where owes or n.kind <> 'payment_failed';
end
$$;
revoke all on function private.notification_part_account from public, anon, authenticated, service_role;
comment on function private.notification_part_account(uuid) is
  'Levels, decisions about documents, and failed payments while something is owed.';

drop function private.visible_notifications(uuid);
create function private.visible_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz, place jsonb
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  part text;
begin
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'notification\_part\_%' order by 1
  loop
    return query execute format(
      'select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, p.place
       from private.%I($1) p join public.notifications n using (id)', part
    ) using member;
  end loop;
end
$$;
revoke all on function private.visible_notifications from public, anon, authenticated, service_role;
comment on function private.visible_notifications(uuid) is
  'The newest notifications of an account whose place it may read now and whose content still stands.';

create or replace function private.my_notifications(before timestamptz, page_size integer) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
begin
  return (
    with groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
      from private.visible_notifications(caller) v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread),
      'items', coalesce((
        select jsonb_agg(g.place || jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread,
          'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0)
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$$;
