create or replace function private.billing_begin_pause (
  member uuid,
  months integer
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  held public.stripe_subscriptions;
  refusal text;
  left_months integer;
  planned public.membership_pauses;
begin
  perform private.lock_billing(member);
  held := private.current_subscription(member);
  -- Nothing came of a call that is older than any call lasts.
  delete from public.membership_pauses p
  where p.subscription_id = held.subscription_id and p.confirmed_at is null and p.ended_at is null and p.requested_at < now() - interval '3 minutes';
  refusal := private.pause_refusal(member, held);
  left_months := private.max_paused_months() - private.paused_months(member);
  if refusal is null and (months is null or months not between 1 and 3 or months > left_months) then
    refusal := 'too_long';
  end if;
  if refusal is not null then
    return jsonb_build_object('state', refusal, 'left', greatest(0, left_months));
  end if;
  insert into public.membership_pauses as p (subscription_id, months, begins_at, ends_at)
  select held.subscription_id, billing_begin_pause.months, b.begins_at,
    ((b.begins_at at time zone 'utc') + make_interval(months => billing_begin_pause.months)) at time zone 'utc'
  from (select to_timestamp(held.current_period_end)) b (begins_at)
  returning p.* into planned;
  return jsonb_build_object(
    'state', 'begun', 'pause_id', planned.id, 'subscription_id', held.subscription_id, 'begins', held.current_period_end
  );
end
$function$;

create or replace function private.billing_note_resume (
  pause   uuid,
  tries   integer,
  invoice text    default null::text
)
  returns void
  language sql
  security definer
  set search_path to ''
  AS $function$
  update public.membership_pauses p
  set resume_invoice_id = coalesce(p.resume_invoice_id, invoice),
    resume_tries = case when invoice is null and p.resume_tries = tries then tries + 1 else p.resume_tries end
  where p.id = pause
$function$;

create or replace function private.billing_open_pause (
  subscription text
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'pause_id', p.id, 'begins', extract(epoch from p.begins_at)::bigint, 'tries', p.resume_tries, 'codes', p.codes
  )
  from public.membership_pauses p where p.subscription_id = subscription and p.ended_at is null
$function$;

create or replace function private.billing_pauses_due()
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(jsonb_agg(p.subscription_id order by p.ends_at), '[]')
  from (
    select p.subscription_id, p.ends_at from public.membership_pauses p
    join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
    where p.ended_at is null and p.confirmed_at is not null and p.ends_at <= now() and s.deleted_at is null and s.hold = 'paused'
      and not s.cancel_at_period_end
    order by p.ends_at limit 100
  ) p
$function$;

create or replace function private.billing_settle_pause (
  member    uuid,
  pause     uuid,
  is_paused boolean,
  codes     jsonb   default '[]'::jsonb
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  settled public.membership_pauses;
begin
  perform private.lock_billing(member);
  if not is_paused then
    delete from public.membership_pauses p where p.id = pause and p.confirmed_at is null;
    return;
  end if;
  update public.membership_pauses p set confirmed_at = coalesce(p.confirmed_at, now()), codes = billing_settle_pause.codes
  where p.id = pause and p.ended_at is null returning p.* into settled;
  if found then
    perform private.audit(member, 'membership.pause_planned', member, jsonb_build_object(
      'subscription_id', settled.subscription_id, 'months', settled.months, 'begins_at', settled.begins_at, 'ends_at', settled.ends_at
    ));
  end if;
end
$function$;

create or replace function private.billing_status_under_hold (
  status text,
  hold   text
)
  returns text
  language sql
  immutable
  set search_path to ''
  AS $function$
  select case
    when hold is null or status not in ('active', 'trialing', 'past_due') then status
    when hold in ('disputed', 'paused') then 'paused'
    else 'canceled'
  end
$function$;

create or replace function private.export_part_pauses (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object('membership_pauses', coalesce((
    select jsonb_agg(to_jsonb(p) - 'resume_tries' order by p.requested_at)
    from public.membership_pauses p
    join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
    join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = member
  ), '[]'))
$function$;

create or replace function private.failed_payment_facts (
  subscription text
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return (select jsonb_strip_nulls(jsonb_build_object(
    'amount', i.amount_due_pence, 'currency', i.currency, 'attempts', i.attempt_count, 'next_attempt_at', i.next_attempt_at,
    'access_until', (select g.ends_at from private.graced_memberships g where g.subscription_id = failed_payment_facts.subscription)
  ))
  from (select) one
  left join lateral (
    select f.* from public.invoices f
    where f.subscription_id = failed_payment_facts.subscription and f.status = 'open' and f.attempt_count > 0
      and private.is_debt(f.invoice_id, f.reason)
    order by f.issued_at desc, f.invoice_id limit 1
  ) i on true);
end
$function$;

create or replace function private.member_billing (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  with records as (
    select r.* from private.payment_records r join public.stripe_customers c using (customer_id) where c.user_id = member
  )
  select jsonb_build_object(
    'membership', (select m.status from private.membership_statuses m where m.user_id = member),
    'subscription', (
      select jsonb_build_object(
        'status', s.status, 'hold', s.hold, 'plan', private.plan_name(s.price_id),
        'pending_plan', private.plan_name(s.pending_price_id), 'period_ends_at', to_timestamp(s.current_period_end),
        'ends_with_period', s.cancel_at_period_end, 'pause', (
          select jsonb_build_object('begins_at', p.begins_at, 'ends_at', p.ends_at)
          from public.membership_pauses p where p.subscription_id = s.subscription_id and p.ended_at is null and p.confirmed_at is not null
        ), 'card_brand', s.payment_method_brand, 'card_last4', s.payment_method_last4
      )
      from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    ),
    'paid_pence', coalesce((
      select sum(r.amount) from records r where r.kind = 'payment' and r.status = 'succeeded' and r.currency = 'gbp'
    ), 0),
    -- A refund that failed after it had succeeded leaves a record of each.
    'refunded_pence', coalesce((
      select sum(x.amount) from private.refunds_and_disputes x join public.stripe_customers c using (customer_id)
      where c.user_id = member and x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.currency = 'gbp'
    ), 0),
    'records', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.happened_at desc, l.id desc) from (
        select r.id, r.kind, r.status, r.amount, r.currency, r.reason, r.happened_at
        from records r order by r.happened_at desc, r.id desc limit 10
      ) l
    ), '[]')
  )
$function$;

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
      -- Who pauses is not lost.
      bool_or(q.ended_at is null or m.membership = 'paused') as is_live,
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
