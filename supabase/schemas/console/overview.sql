-- Read from private.membership_statuses, as the list of members is, so that the two never contradict each other.
create function private.member_figures() returns jsonb
  language sql stable set search_path = '' as $$
  with members as materialized (
    select u.id, u.created_at, coalesce(p.onboarding_complete, false) as onboarded, l.current_level,
      coalesce(s.status, 'none') as status, coalesce(s.cancel_at_period_end, false) as cancels, n.role,
      -- What a month of it is worth.
      coalesce(o.amount_pence, n.amount_pence) / case o."interval" when 'year' then 12.0 else 1.0 end as monthly_pence,
      coalesce(d.status, 'never_paid') as membership
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join public.user_levels l on l.user_id = u.id
    left join private.membership_statuses d on d.user_id = u.id
    left join public.stripe_customers c on c.user_id = u.id and c.deleted_at is null
    left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null and s.status <> 'not_started'
    left join private.plan_prices o on o.price_id = s.price_id
    left join public.plans n on n.id = o.plan_id
    where u.deleted_at is null and p.role is distinct from 'admin'
  ), live as (
    select * from members m where m.status in ('active', 'trialing') and m.role is not null
  ), paused_then as (
    select c.user_id from public.membership_pauses a
    join public.stripe_subscriptions s on s.subscription_id = a.subscription_id
    join public.stripe_customers c on c.customer_id = s.customer_id
    where a.confirmed_at is not null and a.begins_at <= now() - interval '30 days'
      and (a.ended_at is null or a.ended_at > now() - interval '30 days')
  ), periods as (
    select q.user_id, min(q.started_at) as first_started_at,
      max(q.ended_at) filter (where q.ended_at > now() - interval '30 days') as recently_ended_at,
      max(q.ended_at) filter (
        where q.ended_at > now() - interval '60 days' and q.ended_at <= now() - interval '30 days'
      ) as formerly_ended_at,
      bool_or(q.ended_at is null) as is_subscribed,
      -- Who pauses is not lost.
      bool_or(q.ended_at is null or m.membership = 'paused') as is_live,
      bool_or(q.started_at <= now() - interval '30 days'
        and (q.ended_at is null or q.ended_at > now() - interval '30 days')) as was_live,
      q.user_id in (select t.user_id from paused_then t) as was_paused,
      bool_or(q.started_at <= now() - interval '60 days'
        and (q.ended_at is null or q.ended_at > now() - interval '60 days')) as was_live_before
    from private.membership_periods q join members m on m.id = q.user_id group by q.user_id
  ), joined as (
    select m.created_at > now() - interval '30 days' as is_recent, q.user_id is not null as has_joined,
      q.user_id is not null and m.onboarded as has_onboarded
    from members m left join periods q on q.user_id = m.id
  )
  select jsonb_build_object(
    'accounts', (select count(*) from members),
    'by_status', (
      select coalesce(jsonb_object_agg(t.membership, t.n), '{}')
      from (select m.membership, count(*) as n from members m group by m.membership) t
    ),
    'by_level', (
      select jsonb_agg((
        select count(*) from members v where v.membership in ('paying', 'complimentary')
          and case when v.onboarded then coalesce(v.current_level, 1) else 0 end = g.level
      ) order by g.level)
      from generate_series(0, 4) as g (level)
    ),
    'paying_students', (select count(*) from live v where v.role = 'student' and v.status = 'active'),
    'paying_mentors', (select count(*) from live v where v.role = 'mentor' and v.status = 'active'),
    'on_trial', (select count(*) from live v where v.status = 'trialing'),
    'cancelling', (select count(*) from live v where v.cancels),
    'new_30_days', (select count(*) from periods q where q.first_started_at > now() - interval '30 days'),
    'lost_30_days', (select count(*) from periods q where q.recently_ended_at is not null and not q.is_live),
    -- Those who were members thirty days ago, and how many of them are not any more.
    'churn', (
      select jsonb_build_object('members', count(*), 'lost', count(*) filter (where not q.is_live)) from periods q where q.was_live
    ),
    -- The same thirty days ago. What each member paid then, and who was about to leave, is not kept.
    'subscribed', (select count(*) from periods q where q.is_subscribed),
    'first_member_at', (select min(q.first_started_at) from periods q),
    'before', (
      select jsonb_build_object(
        'subscribed', count(*) filter (where q.was_live),
        'new', count(*) filter (
          where q.first_started_at > now() - interval '60 days' and q.first_started_at <= now() - interval '30 days'
        ),
        'lost', count(*) filter (where q.formerly_ended_at is not null and not q.was_live and not q.was_paused),
        'churn', jsonb_build_object(
          'members', count(*) filter (where q.was_live_before),
          'lost', count(*) filter (where q.was_live_before and not q.was_live and not q.was_paused)
        )
      ) from periods q
    ),
    'funnel', (
      select jsonb_build_object(
        'all', jsonb_build_array(count(*), count(*) filter (where j.has_joined), count(*) filter (where j.has_onboarded)),
        'recent', jsonb_build_array(
          count(*) filter (where j.is_recent), count(*) filter (where j.is_recent and j.has_joined),
          count(*) filter (where j.is_recent and j.has_onboarded)
        )
      ) from joined j
    ),
    'monthly_revenue_pence', (select round(coalesce(sum(v.monthly_pence), 0))::bigint from live v where v.status = 'active')
  )
$$;
comment on function private.member_figures() is
  'Figures about all accounts but the administrators; status and level are those of the list of members (private.membership_statuses), complimentary members included; before has what was true thirty days ago, of plans with trials; the funnel counts signed up, joined a plan at least once (trials included), and joined and onboarded.';

create function private.failure_figures() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'webhooks', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.first_failed_at)) from private.failed_billing_events f
      where f.last_failed_at > now() - interval '7 days'
    ),
    'emails', (
      select jsonb_build_object(
        'failed', count(*) filter (where o.status = 'failed'), 'retrying', count(*) filter (where o.status = 'pending'),
        'oldest_at', min(o.created_at)
      ) from private.email_outbox o
      where o.status = 'failed' and o.created_at > now() - interval '7 days'
        or o.status = 'pending' and o.attempts > 0 and o.last_error is not null
    ),
    'exports', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.failed_at)) from private.failed_exports f
      where f.failed_at > now() - interval '7 days'
    )
  )
$$;
comment on function private.failure_figures() is
  'Of the last seven days: webhook events that were not applied since, e-mails that were given up or are tried again, accounts whose latest export failed.';

-- Hosts of this repository write here each minute, as the owner; on hosted Supabase nobody does.
create table private.host_reports (
  host text primary key,
  checks jsonb not null,
  reported_at timestamptz not null default now()
);
alter table private.host_reports enable row level security;
comment on table private.host_reports is 'The state of the parts of each running host, as it last told; removed when it stops, and after a day.';
comment on column private.host_reports.checks is 'By the name of the part, such as disk: its state (ok, warning, failing) and a detail for operators.';

create function private.host_lights() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'host', r.host, 'checks', r.checks, 'reported_at', r.reported_at, 'is_silent', r.reported_at < now() - interval '5 minutes'
  ) order by r.host), '[]')
  from private.host_reports r where r.reported_at > now() - interval '1 day'
$$;
comment on function private.host_lights() is 'What the hosts of the last day told of themselves; a silent one has not for five minutes.';

-- @rpc authenticated
-- Administrators: figures about the community, its queues, its failures and its hosts; revenue in pence a month at today's prices, null without a
-- second factor.
create function private.admin_overview() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  figures jsonb;
begin
  perform private.require_admin();
  figures := private.member_figures();
  if not private.caller_has_second_factor() then
    figures := figures || '{"monthly_revenue_pence": null}';
  end if;
  return figures || jsonb_build_object(
    'queues', private.queue_counts(), 'failures', private.failure_figures(), 'hosts', private.host_lights()
  );
end
$$;
comment on function private.admin_overview() is 'Everything the overview of the console shows.';
