create function private.digest_moment(frequency text, at timestamptz) returns timestamptz
  language sql immutable set search_path = '' as $$
  select (date_trunc(case frequency when 'daily' then 'day' else 'week' end, at at time zone 'utc' - interval '7 hours')
    + interval '7 hours') at time zone 'utc'
$$;
comment on function private.digest_moment(text, timestamptz) is
  'The last time a digest was due: seven in the morning UTC, of every day or of Mondays. The same for all members.';

-- As before, and for announcements: they are rows of no member.
-- @rpc service_role
-- Server: queue the digests that are due.
create function private.queue_digests() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.user_id, 'digest', concat_ws(':', 'digest', d.user_id, (d.until at time zone 'utc')::date),
    jsonb_build_object('since', d.since, 'until', d.until)
  )) into queued
  from (
    select w.user_id, m.until, greatest(m.until - interval '7 days', s.told_until) as since, s.is_pending
    from (
      select n.user_id from public.notifications n where n.read_at is null and n.created_at > now() - interval '14 days'
      union
      select p.id from public.profiles p where p.onboarding_complete and (
        exists (select from private.room_announcements a where a.created_at > now() - interval '14 days')
        or exists (select from private.room_openings o where o.created_at > now() - interval '14 days')
      )
    ) w
    left join public.digest_choices c on c.user_id = w.user_id
    cross join lateral (select private.digest_moment(coalesce(c.frequency, 'weekly'), now()) as until) m
    cross join lateral (
      select max((o.data ->> 'until')::timestamptz) as told_until, coalesce(bool_or(o.status = 'pending'), false) as is_pending
      from private.email_outbox o
      where o.user_id = w.user_id and o.template = 'digest' and o.status in ('pending', 'sent')
    ) s
    where c.frequency is distinct from 'off'
  ) d
  where not d.is_pending and private.effective_level(d.user_id) > 0 and (exists (
    select from public.notifications n
    where n.user_id = d.user_id and n.read_at is null and n.created_at > d.since and n.created_at <= d.until
  ) or (
    exists (select from private.room_announcements r where r.created_at > d.since and r.created_at <= d.until)
    or exists (select from private.room_openings r where r.created_at > d.since and r.created_at <= d.until)
  ) and exists (
    select from private.unread_for_everyone(d.user_id) e where e.created_at > d.since and e.created_at <= d.until
  ));
  return queued;
end
$$;
comment on function private.queue_digests() is
  'Queues the digest of each member with unread notifications, announcements or openings of rooms of the time before the last digest moment, once for each; their number.';

create function private.digest_content(email private.email_outbox) returns jsonb
  language sql stable set search_path = '' as $$
  with groups as (
    select v.kind, v.topic, v.group_id, v.detail, max(v.created_at) as created_at, max(v.id) as id,
      count(distinct v.actor_id) as actors,
      (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
      (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
    from private.unsent_notifications(email.user_id, 'email') v
    where v.created_at > (email.data ->> 'since')::timestamptz and v.created_at <= (email.data ->> 'until')::timestamptz
    group by v.kind, v.topic, v.group_id, v.detail, case when v.group_id is null then v.id end
  )
  select jsonb_build_object(
    'count', (select count(*) from groups),
    'lines', coalesce((
      select jsonb_agg(private.notification_line(g.kind, g.topic, g.detail, g.actor_id, greatest(g.actors - 1, 0), g.place)
        order by g.created_at desc, g.id desc)
      from (select * from groups order by created_at desc, id desc limit 10) g
    ), '[]')
  )
$$;
comment on function private.digest_content(private.email_outbox) is
  'What a digest says now: the newest ten lines, and how many there are.';
