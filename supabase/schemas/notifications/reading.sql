-- Who joins Realtime after the answer asks whether anything has changed since its `as_of`, in place of the whole bell again.
-- @rpc authenticated
-- The caller's notifications: `items`, newest first, and how many are `unread`, but for direct messages, which are counted
-- where they are read (`unread_conversations`). The next page is before the created_at of the last
-- item. `as_of` is a moment since which all changes are worth a new reading.
create function private.my_notifications(before timestamptz default null, page_size integer default 20) returns jsonb
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
      'unread', (select least(count(*), 99) from groups g where g.unread and g.kind <> 'direct_message'),
      -- A transaction under way now may commit rows with a time before now; a member's statement lasts at most 15 seconds.
      'as_of', now() - interval '15 seconds',
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
comment on function private.my_notifications(timestamptz, integer) is
  'Up to 50 groups of the caller''s notifications, newest first, and how many are unread, at most 99 and without direct messages.';

-- @rpc authenticated
-- The caller has read their notifications up to this moment; with an id only those shown as one with it.
create function private.mark_notifications_read(up_to timestamptz, notification_id bigint default null) returns void
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
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, created_at, read_at)
  select caller, e.kind, e.actor_id, e.subject_id, e.subject_id, e.created_at, clock_timestamp()
  from private.unread_for_everyone(caller) e
  where e.created_at <= up_to and (notification_id is null or e.id = notification_id)
  on conflict do nothing;
end
$$;
comment on function private.mark_notifications_read(timestamptz, bigint) is
  'Marks the caller''s notifications up to a moment as read: all of them, or those shown with the given one.';

-- With what was claimed by nobody for six hours, as where push has no keys. So many at a time that no run is long,
-- even after weeks without one, and each by its own index, so that no run reads the whole table.
-- @rpc service_role
-- Server: deletes notifications that are too old to keep.
create function private.purge_notifications() returns void
  language sql security definer set search_path = '' as $$
  delete from public.notifications n where n.id in (
    select o.id from public.notifications o where o.read_at < now() - interval '90 days' order by o.read_at limit 100000);
  delete from public.notifications n where n.id in (
    select o.id from public.notifications o
    where o.read_at is null and o.created_at < now() - interval '1 year' order by o.created_at limit 100000);
  delete from private.push_outbox o where o.created_at < now() - interval '6 hours'
$$;
comment on function private.purge_notifications() is
  'Deletes notifications 90 days after they were read and unread ones after a year, the oldest first; and push messages over six hours old.';

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
comment on function private.export_part_notifications(uuid) is
  'What one account was told of, and what others were told of its acts, without the other persons.';
