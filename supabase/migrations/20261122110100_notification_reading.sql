-- Reading notifications: the list of the bell, marking as read, export and retention.

-- The rules of rooms, submissions and payments are asked now, not when the row was made. Looks at the newest 1,000 rows
-- only, so that the bell of a member with very many stays quick. `offset 0` keeps each join an index look-up.
create function private.visible_notifications(member uuid)
  returns table (
    id bigint, kind text, actor_id uuid, group_id uuid, detail text, created_at timestamptz, read_at timestamptz,
    chat_room_id text, submission_id uuid, excerpt text
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  rooms constant text[] := array(select r.id from public.chat_rooms r where r.is_active and r.min_level_required <= allowed);
  owes constant boolean := exists (
    select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
    where c.user_id = member and s.status in ('past_due', 'unpaid')
  );
begin
  return query
  select n.id, n.kind, n.actor_id, n.group_id, n.detail, n.created_at, n.read_at, m.chat_room_id, s.id,
    coalesce(m.excerpt, s.title)
  from (
    select * from public.notifications o where o.user_id = member order by o.created_at desc, o.id desc limit 1000
  ) n
  left join lateral (
    select g.chat_room_id, left(g.content, 140) as excerpt from public.chat_messages g
    where n.kind in ('reply', 'message_like') and g.id = n.subject_id and g.deleted_at is null
      and g.chat_room_id = any (rooms) offset 0
  ) m on true
  left join lateral (
    select g.id, g.title from public.learning_submissions g
    where n.kind in ('submission_like', 'submission_comment') and g.id = n.group_id and allowed >= 1 offset 0
  ) s on true
  where case n.kind
    when 'reply' then m.chat_room_id is not null
    when 'message_like' then m.chat_room_id is not null and exists (
      select from public.message_likes l where l.user_id = n.actor_id and l.message_id = n.subject_id)
    when 'submission_like' then s.id is not null and exists (
      select from public.learning_submission_likes l where l.user_id = n.actor_id and l.submission_id = n.group_id)
    when 'submission_comment' then s.id is not null and exists (
      select from public.learning_submission_comments c where c.id = n.subject_id)
    when 'payment_failed' then owes
    else true
  end;
end
$$;
revoke all on function private.visible_notifications from public, anon, authenticated, service_role;
comment on function private.visible_notifications(uuid) is
  'The newest notifications of an account whose place it may read now and whose content still stands.';

create function private.my_notifications(before timestamptz, page_size integer) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  size constant integer := least(greatest(coalesce(page_size, 20), 1), 50);
begin
  return (
    with visible as (
      select v.* from private.visible_notifications(caller) v
    ), groups as (
      select v.kind, v.group_id, v.detail,
        max(v.id) as id, max(v.created_at) as created_at, bool_or(v.read_at is null) as unread,
        count(distinct v.actor_id) as actors,
        (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
        (array_agg(v.chat_room_id order by v.created_at desc, v.id desc))[1] as chat_room_id,
        (array_agg(v.submission_id order by v.created_at desc, v.id desc))[1] as submission_id,
        (array_agg(v.excerpt order by v.created_at desc, v.id desc))[1] as excerpt
      from visible v
      -- What has no group stands alone.
      group by v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
    ), page as (
      select g.* from groups g where before is null or g.created_at < before order by g.created_at desc, g.id desc limit size
    )
    select jsonb_build_object(
      'unread', (select least(count(*), 99) from groups g where g.unread),
      'items', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', g.id, 'kind', g.kind, 'created_at', g.created_at, 'unread', g.unread, 'detail', case g.kind when 'level_up' then g.detail end,
          'actor', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = g.actor_id),
          'others', greatest(g.actors - 1, 0), 'chat_room_id', g.chat_room_id, 'submission_id', g.submission_id,
          'room', (select r.name from public.chat_rooms r where r.id = g.chat_room_id), 'excerpt', g.excerpt
        ) order by g.created_at desc, g.id desc) from page g
      ), '[]')
    )
  );
end
$$;
revoke all on function private.my_notifications from public, anon, authenticated, service_role;
comment on function private.my_notifications(timestamptz, integer) is
  'Up to 50 groups of the caller''s notifications, newest first, and how many are unread, at most 99.';
grant execute on function private.my_notifications(timestamptz, integer) to authenticated;
create function public.my_notifications(before timestamptz default null, page_size integer default 20) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_notifications(before, page_size) $$;
revoke all on function public.my_notifications from public, anon, authenticated, service_role;
comment on function public.my_notifications(timestamptz, integer) is
  'The caller''s notifications: `items`, newest first, and `unread`. The next page is before the created_at of the last item.';
grant execute on function public.my_notifications(timestamptz, integer) to authenticated;

-- Rows that are hidden now are marked as well: the member has caught up until then.
create function private.mark_notifications_read(up_to timestamptz, notification_id bigint) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.read_at is null and n.created_at <= up_to
    and (notification_id is null or exists (
      select from public.notifications o
      where o.id = notification_id and o.user_id = caller
        and (o.id = n.id or (o.kind = n.kind and o.group_id = n.group_id))
    ));
end
$$;
revoke all on function private.mark_notifications_read from public, anon, authenticated, service_role;
comment on function private.mark_notifications_read(timestamptz, bigint) is
  'Marks the caller''s notifications up to a moment as read: all of them, or those shown with the given one.';
grant execute on function private.mark_notifications_read(timestamptz, bigint) to authenticated;
create function public.mark_notifications_read(up_to timestamptz, notification_id bigint default null) returns void
  language sql volatile set search_path = '' as $$ select private.mark_notifications_read(up_to, notification_id) $$;
revoke all on function public.mark_notifications_read from public, anon, authenticated, service_role;
comment on function public.mark_notifications_read(timestamptz, bigint) is
  'The caller has read their notifications up to this moment; with an id only those shown as one with it.';
grant execute on function public.mark_notifications_read(timestamptz, bigint) to authenticated;

-- An unread one is kept for a year.
create function private.purge_notifications() returns void
  language sql volatile security definer set search_path = '' as $$
  delete from public.notifications n
  where n.read_at < now() - interval '90 days' or n.created_at < now() - interval '1 year'
$$;
revoke all on function private.purge_notifications from public, anon, authenticated, service_role;
comment on function private.purge_notifications() is 'Deletes notifications 90 days after they were read, and all after a year.';
grant execute on function private.purge_notifications() to service_role;
create function public.purge_notifications() returns void
  language sql volatile set search_path = '' as $$ select private.purge_notifications() $$;
revoke all on function public.purge_notifications from public, anon, authenticated, service_role;
comment on function public.purge_notifications() is 'Server: deletes notifications that are too old to keep.';
grant execute on function public.purge_notifications() to service_role;

-- Both whom one was told by and whom one's own acts were told to are other persons; what they have read is theirs.
create function private.export_part_notifications(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('notifications', coalesce((
    select jsonb_agg(
      to_jsonb(n) - 'user_id' - 'actor_id' - case when n.user_id = member then '' else 'read_at' end
        - case when n.user_id = member then '' else 'group_id' end
      order by n.id
    ) from public.notifications n where member in (n.user_id, n.actor_id)
  ), '[]'))
$$;
revoke all on function private.export_part_notifications from public, anon, authenticated, service_role;
comment on function private.export_part_notifications(uuid) is
  'What one account was told of, and what others were told of its acts, without the other persons.';
