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

create or replace function private.member_page (
  search      text,
  membership  text,
  level       integer,
  role        text,
  joined_from date,
  joined_to   date,
  sort        text,
  after_id    uuid,
  page_size   integer
)
  returns SETOF public.member_row
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  rules text[] := array['true'];
  after private.member_search_index;
  direction text := case when sort in ('newest', 'name_desc') then 'desc' else 'asc' end;
  key text := case when sort in ('name', 'name_desc') then 'd.search_key' else 'd.joined_at' end;
begin
  perform private.require_verified_admin();
  if sort is null or sort not in ('newest', 'oldest', 'name', 'name_desc')
    or membership not in ('paying', 'complimentary', 'past_due', 'paused', 'lapsed', 'never_paid', 'suspended')
    or role not in ('student', 'mentor', 'admin') or level not between 0 and 4 then
    perform private.fail('FF519', 'There is no such filter.');
  end if;
  -- What is longer than any name or address finds nobody.
  if char_length(search) > 200 then
    return;
  end if;
  -- Each word has to be part of the name or the address. Wildcards are ordinary characters.
  rules := rules || array(
    select format('d.search_key like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    from string_to_table(private.search_key(coalesce(search, '')), ' ') word
    where word <> '' limit 8
  );
  if membership = 'suspended' then
    rules := rules || 'exists (select from auth.users u where u.id = d.user_id and u.banned_until > now())'::text;
  elsif membership is not null then
    rules := rules || format(
      '(select m.status from private.membership_statuses m where m.user_id = d.user_id) = %L', membership
    );
  end if;
  if membership = 'past_due' then
    -- The few of them are found by an index, instead of asking about every member.
    rules := rules || 'd.user_id in (select c.user_id from public.stripe_customers c
      join public.stripe_subscriptions s using (customer_id) where s.deleted_at is null and s.status = ''past_due'')'::text;
  end if;
  if level is not null then
    rules := rules || format(
      'coalesce((select l.current_level from public.user_levels l where l.user_id = d.user_id), 0) = %s', level
    );
  end if;
  if role is not null then
    rules := rules || format(
      'coalesce((select p.role from public.profiles p where p.id = d.user_id), ''student'') = %L', role
    );
  end if;
  if joined_from is not null then
    rules := rules || format('d.joined_at >= %L', joined_from::timestamp at time zone 'utc');
  end if;
  if joined_to is not null then
    rules := rules || format('d.joined_at < %L', (joined_to + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select d.* into after from private.member_search_index d where d.user_id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format(
      '(%s, d.user_id) %s (%L, %L)', key, case direction when 'desc' then '<' else '>' end,
      case when sort in ('name', 'name_desc') then after.search_key else after.joined_at::text end, after_id
    );
  end if;
  return query execute format(
    'select d.user_id, d.email, d.name, coalesce(p.role, ''student''), coalesce(l.current_level, 0), m.status,
       coalesce(u.banned_until > now(), false), d.joined_at
     from (select d.* from private.member_search_index d where %1$s order by %2$s %3$s, d.user_id %3$s limit %4$s) d
     join auth.users u on u.id = d.user_id
     join private.membership_statuses m on m.user_id = d.user_id
     left join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     order by %2$s %3$s, d.user_id %3$s',
    array_to_string(rules, ' and '), key, direction, least(greatest(coalesce(page_size, 50), 1), 100)
  );
end
$function$;

create or replace function private.my_pause_offer()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  held constant public.stripe_subscriptions := private.current_subscription(caller);
  refusal constant text := private.pause_refusal(caller, held);
begin
  return jsonb_build_object(
    'refusal', refusal,
    'choices', (
      select coalesce(jsonb_agg(jsonb_build_object('months', n.months, 'ends_at', (
        (to_timestamp(held.current_period_end) at time zone 'utc') + make_interval(months => n.months)
      ) at time zone 'utc') order by n.months), '[]')
      from generate_series(1, least(3, private.max_paused_months() - private.paused_months(caller))) n (months)
      where refusal is null
    ),
    'begins_at', to_timestamp(held.current_period_end),
    'pause', (
      select jsonb_build_object('begins_at', p.begins_at, 'ends_at', p.ends_at, 'has_begun', held.hold is not distinct from 'paused')
      from public.membership_pauses p where p.subscription_id = held.subscription_id and p.ended_at is null and p.confirmed_at is not null
    )
  );
end
$function$;

create or replace function private.queue_pause_reminders()
  returns integer
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'pause_ending', 'pause_ending:' || due.id,
    jsonb_strip_nulls(jsonb_build_object('plan', due.plan, 'ends_at', due.ends_at, 'amount', due.amount_pence, 'currency', lower(due.currency)))
  )) into queued
  from (
    select c.user_id, p.id, p.ends_at, private.plan_name(s.price_id) as plan, o.amount_pence, o.currency
    from public.membership_pauses p
    join public.stripe_subscriptions s on s.subscription_id = p.subscription_id and s.deleted_at is null
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- Of a former price the amount may not be known; it is then not named.
    left join private.plan_prices o on o.price_id = s.price_id
    where p.ended_at is null and p.confirmed_at is not null and s.hold = 'paused' and not s.cancel_at_period_end
      -- A day early, so that seven whole days are left however late the run is.
      and p.ends_at > now() and p.ends_at - now() <= interval '8 days'
  ) due;
  return queued;
end
$function$;

create or replace function private.set_billing_rules (
  withdrawal_refund     text,
  renewal_reminder_days integer
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - '{id,payment_grace_days,pause_months}'::text[] from public.billing_rules b);
begin
  if withdrawal_refund is null or withdrawal_refund not in ('full', 'proportion')
    or renewal_reminder_days is null or renewal_reminder_days not between 0 and 30 then
    perform private.fail('FF276', 'Choose what comes back, and between 0 and 30 days.');
  end if;
  insert into public.billing_rules as b (withdrawal_refund, renewal_reminder_days)
  values (set_billing_rules.withdrawal_refund, set_billing_rules.renewal_reminder_days)
  on conflict on constraint billing_rules_pkey do update
  set withdrawal_refund = excluded.withdrawal_refund, renewal_reminder_days = excluded.renewal_reminder_days;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', coalesce(before, '{"withdrawal_refund": "full", "renewal_reminder_days": 0}'),
    (select to_jsonb(b) - '{id,payment_grace_days,pause_months}'::text[] from public.billing_rules b)
  );
end
$function$;

create or replace function private.set_pause_months (
  months integer
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before integer := private.max_paused_months();
begin
  if months is null or months not between 0 and 12 then
    perform private.fail('FF276', 'Choose between 0 and 12 months.');
  end if;
  insert into public.billing_rules as b (pause_months) values (months)
  on conflict on constraint billing_rules_pkey do update set pause_months = excluded.pause_months;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', jsonb_build_object('pause_months', before), jsonb_build_object('pause_months', months)
  );
end
$function$;

create or replace function private.tg_invoices__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.enqueue_email(
    c.user_id, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.invoice_id, new.attempt_count),
    jsonb_build_object('plan', private.plan_name(s.price_id), 'subscription_id', new.subscription_id, 'card_last4', s.payment_method_last4)
  )
  from public.stripe_customers c
  join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.subscription_id = new.subscription_id
  where c.customer_id = new.customer_id and c.user_id is not null and s.deleted_at is null
    and private.plan_name(s.price_id) is not null and private.is_debt(new.invoice_id, new.reason);
  return null;
end
$function$;
