drop function "private"."plan_overview"();

drop function "public"."plan_overview"();

create or replace function private.member_figures()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
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
  ), periods as (
    select q.user_id, min(q.started_at) as first_started_at,
      max(q.ended_at) filter (where q.ended_at > now() - interval '30 days') as recently_ended_at,
      bool_or(q.ended_at is null) as is_live,
      bool_or(q.started_at <= now() - interval '30 days'
        and (q.ended_at is null or q.ended_at > now() - interval '30 days')) as was_live
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
$function$;

create or replace function private.plan_overview()
  returns table (
    id                   text,
    name                 text,
    role                 text,
    amount_pence         integer,
    currency             text,
    "interval"           text,
    price_id             text,
    is_active            boolean,
    members              integer,
    former_price_members integer,
    prices               jsonb,
    last_event_at        timestamp with time zone,
    last_check_at        timestamp with time zone
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_admin();
  return query
    select p.id, p.name, p.role, p.amount_pence, p.currency, p."interval", p.price_id, p.is_active,
      coalesce(sold.all_prices, 0), coalesce(sold.former_prices, 0), private.prices_of_plan(p.id),
      (select max(e.applied_at) from private.billing_events e), (select max(k.checked_at) from private.billing_checks k)
    from public.plans p
    left join lateral (
      select count(*)::integer as all_prices, (count(*) filter (where o.retired_at is not null))::integer as former_prices
      from public.stripe_subscriptions s join private.plan_prices o on o.price_id = s.price_id
      where o.plan_id = p.id and s.deleted_at is null and s.status in ('active', 'trialing')
    ) sold on true
    order by p.amount_pence, p.id;
end
$function$;

create or replace function private.prices_of_plan (
  plan text
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'interval', o."interval", 'amount_pence', o.amount_pence, 'currency', o.currency,
    'active_from', o.active_from, 'retired_at', o.retired_at, 'members', (
      select count(*) from public.stripe_subscriptions s
      where s.price_id = o.price_id and s.deleted_at is null and s.status in ('active', 'trialing')
    )
  ) order by o.retired_at is not null, o."interval", o.active_from desc, o.price_id), '[]')
  from private.plan_prices o where o.plan_id = plan
$function$;

create or replace function public.plan_overview()
  returns table (
    id                   text,
    name                 text,
    role                 text,
    amount_pence         integer,
    currency             text,
    "interval"           text,
    price_id             text,
    is_active            boolean,
    members              integer,
    former_price_members integer,
    prices               jsonb,
    last_event_at        timestamp with time zone,
    last_check_at        timestamp with time zone
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.plan_overview() $function$;

comment on function "private"."plan_overview"() is 'The plans with their prices and members, and when the card provider was last heard from and compared with; null for never.';

comment on function "private"."prices_of_plan"(text) is 'Prices of a plan with the members who pay them: those on sale first, then the latest.';

comment on function "public"."plan_overview"() is 'Administrators: the plans on sale and the state of the link to the card provider.';

revoke all on function "private"."plan_overview"() from public;

grant execute on function "private"."plan_overview"() to "authenticated", "postgres";

revoke all on function "private"."prices_of_plan"(text) from public;

grant execute on function "private"."prices_of_plan"(text) to "postgres";

revoke all on function "public"."plan_overview"() from public;

grant execute on function "public"."plan_overview"() to "authenticated", "postgres";
