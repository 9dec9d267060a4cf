drop trigger "invoices__email" on "public"."invoices";

alter table "public"."stripe_subscriptions"
  drop constraint "stripe_subscriptions_hold_check";

create table "public"."membership_pauses" (
  "id"                uuid                     not null default gen_random_uuid(),
  "subscription_id"   text                     not null,
  "months"            integer,
  "requested_at"      timestamp with time zone not null default now(),
  "begins_at"         timestamp with time zone not null,
  "ends_at"           timestamp with time zone,
  "confirmed_at"      timestamp with time zone,
  "ended_at"          timestamp with time zone,
  "resume_tries"      integer                  not null default 0,
  "resume_invoice_id" text,
  "codes"             jsonb                    not null default '[]'::jsonb,
  constraint "membership_pauses_months_check" check (((months >= 1) AND (months <= 3))),
  constraint "membership_pauses_order_check" check ((ends_at > begins_at)),
  constraint "membership_pauses_pkey" primary key (id)
);

alter table "public"."membership_pauses"
  enable row level security;

alter table "public"."billing_rules"
  add column "pause_months" integer not null default 3;

create or replace function private.is_debt (
  invoice text,
  reason  text
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  -- A first payment or a switch that was refused is no debt: nothing came of it. What ends a pause is made like a switch.
  select coalesce(reason not in ('subscription_create', 'subscription_update'), true)
    or exists (select from public.membership_pauses p where p.resume_invoice_id = invoice)
$function$;

create or replace view "private"."membership_statuses" with (security_invoker=true) AS  SELECT user_id,
        CASE
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = ANY (ARRAY['active'::text, 'trialing'::text]))))) THEN 'paying'::text
            WHEN (EXISTS ( SELECT
               FROM private.current_complimentary_memberships m
              WHERE (m.user_id = d.user_id))) THEN 'complimentary'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.status = 'past_due'::text)))) THEN 'past_due'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (c.deleted_at IS NULL) AND (s.deleted_at IS NULL) AND (s.hold = 'paused'::text)))) THEN 'paused'::text
            WHEN (EXISTS ( SELECT
               FROM (public.stripe_customers c
                 JOIN public.stripe_subscriptions s USING (customer_id))
              WHERE ((c.user_id = d.user_id) AND (s.status <> ALL (ARRAY['not_started'::text, 'incomplete'::text, 'incomplete_expired'::text])) AND ((s.price_id IS NULL) OR (EXISTS ( SELECT
                       FROM private.plan_prices o
                      WHERE (o.price_id = s.price_id))))))) THEN 'lapsed'::text
            ELSE 'never_paid'::text
        END AS status
   FROM private.member_search_index d;

create or replace view "private"."failed_payments" with (security_invoker=true) AS  SELECT i.invoice_id,
    i.number,
    i.amount_due_pence AS amount_pence,
    i.currency,
    i.attempt_count AS attempts,
    i.next_attempt_at,
    r.code AS failure_code,
    i.issued_at,
    i.subscription_id,
    s.price_id,
    s.status AS membership,
    s.payment_method_last4 AS card_last4,
    k.user_id,
    (u.email)::text AS email,
    p.first_name,
    p.last_name
   FROM (((((public.invoices i
     JOIN public.stripe_customers k ON (((k.customer_id = i.customer_id) AND (k.deleted_at IS NULL))))
     JOIN public.stripe_subscriptions s ON (((s.subscription_id = i.subscription_id) AND (s.deleted_at IS NULL))))
     JOIN auth.users u ON ((u.id = k.user_id)))
     LEFT JOIN public.profiles p ON ((p.id = k.user_id)))
     LEFT JOIN private.invoice_failures r ON ((r.invoice_id = i.invoice_id)))
  WHERE ((i.status = 'open'::text) AND (i.attempt_count > 0) AND (s.status = ANY (ARRAY['past_due'::text, 'unpaid'::text])) AND private.is_debt(i.invoice_id, i.reason));

create or replace function private.max_paused_months()
  returns integer
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce((select b.pause_months from public.billing_rules b), 3)
$function$;

create or replace function private.paused_months (
  member uuid
)
  returns integer
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(sum(case
    when p.ended_at is null then coalesce(p.months, 0)
    -- A month that was begun counts; one that was called off in time does not.
    else least(coalesce(p.months, 3), greatest(0, ceil(extract(epoch from p.ended_at - p.begins_at) / (30.44 * 86400))))
  end), 0)::integer
  from public.membership_pauses p
  join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
  join public.stripe_customers c on c.customer_id = s.customer_id
  where c.user_id = member and coalesce(p.ended_at, p.ends_at, now()) > now() - interval '1 year'
$function$;

create or replace function private.current_subscription (
  member uuid
)
  returns public.stripe_subscriptions
  language sql
  stable
  set search_path to ''
  AS $function$
  select s from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = member and c.deleted_at is null and s.deleted_at is null
$function$;

create or replace function private.pause_refusal (
  member uuid,
  s      public.stripe_subscriptions
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select case
    when s.subscription_id is null or s.status not in ('active', 'trialing', 'past_due', 'paused')
      or not exists (select from private.plan_prices o where o.price_id = s.price_id) then 'not_found'
    when exists (select from public.membership_pauses p where p.subscription_id = s.subscription_id and p.ended_at is null) then 'paused'
    when s.hold is not null or exists (
      select from private.billing_charges c where c.customer_id = s.customer_id and c.dispute = 'open' and not c.is_refunded
    ) then 'on_hold'
    when s.status = 'trialing' then 'trial'
    when s.status <> 'active' then 'overdue'
    when s.cancel_at_period_end then 'ending'
    when s.pending_price_id is not null then 'change_planned'
    when private.paused_months(member) >= private.max_paused_months() then 'used_up'
  end
$function$;

create or replace function private.pause_has_begun (
  snapshot jsonb,
  item     jsonb
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce((snapshot ->> 'is_paused')::boolean, false) and snapshot ->> 'status' = 'active' and exists (
    select from public.membership_pauses p
    where p.subscription_id = snapshot ->> 'subscription_id' and p.ended_at is null
      and to_timestamp((item ->> 'current_period_start')::bigint) >= p.begins_at
  )
$function$;

create or replace function private.note_pause (
  member   uuid,
  snapshot jsonb,
  item     jsonb
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  subscription constant text := snapshot ->> 'subscription_id';
  is_paused constant boolean := coalesce((snapshot ->> 'is_paused')::boolean, false)
    and snapshot ->> 'status' not in ('canceled', 'incomplete_expired');
  ended public.membership_pauses;
begin
  if not is_paused then
    update public.membership_pauses p set ended_at = now()
    -- One that is being asked for is not read as paused yet.
    where p.subscription_id = subscription and p.ended_at is null and p.confirmed_at is not null
    returning p.* into ended;
    if found then
      perform private.audit(null, 'membership.pause_ended', member, jsonb_build_object('subscription_id', subscription, 'begins_at', ended.begins_at));
    end if;
    return;
  end if;
  if item ->> 'current_period_end' is null then
    return;
  end if;
  insert into public.membership_pauses as p (subscription_id, begins_at, confirmed_at)
  values (subscription, to_timestamp((item ->> 'current_period_end')::bigint), now())
  on conflict (subscription_id) where ended_at is null do update set confirmed_at = coalesce(p.confirmed_at, now());
end
$function$;

create or replace function private.billing_apply_subscription (
  ticket     bigint,
  snapshot   jsonb,
  event      text   default null::text,
  event_type text   default null::text
)
  returns text
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member uuid;
  customer text := snapshot ->> 'customer_id';
  subscription text := snapshot ->> 'subscription_id';
  item jsonb := private.billing_best_item(snapshot);
  hold text;
  new_status text;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return 'duplicate';
  end if;
  member := private.lock_customer(customer);
  if member is null then
    return 'unknown_customer';
  end if;
  -- Read under the lock: a dispute may have been written while this waited.
  hold := private.billing_hold(subscription, (item ->> 'current_period_start')::bigint);
  if hold is null and private.pause_has_begun(snapshot, item) then
    hold := 'paused';
  end if;
  new_status := private.billing_status_under_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_sync_versions as r (subscription_id, ticket, created_at_provider, ended_at_provider)
  values (subscription, billing_apply_subscription.ticket, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
  on conflict (subscription_id) do update set ticket = excluded.ticket, ended_at_provider = excluded.ended_at_provider
  where r.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  insert into public.stripe_subscriptions as s (
    customer_id, subscription_id, status, price_id, current_period_start, current_period_end,
    cancel_at_period_end, hold, payment_method_brand, payment_method_last4, payment_method_expires,
    pending_price_id, pending_from, pending_change_id, deleted_at
  ) values (
    customer, subscription, new_status, item ->> 'price_id',
    (item ->> 'current_period_start')::bigint, (item ->> 'current_period_end')::bigint,
    (snapshot ->> 'cancel_at_period_end')::boolean, hold,
    snapshot ->> 'payment_method_brand', snapshot ->> 'payment_method_last4', snapshot ->> 'payment_method_expires',
    snapshot ->> 'pending_price_id', (snapshot ->> 'pending_from')::bigint, snapshot ->> 'pending_change_id', now()
  )
  on conflict (subscription_id) do update set
    status = excluded.status,
    price_id = excluded.price_id,
    current_period_start = excluded.current_period_start,
    current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end,
    hold = excluded.hold,
    payment_method_brand = coalesce(excluded.payment_method_brand, s.payment_method_brand),
    payment_method_last4 = case
      when excluded.payment_method_brand is null then s.payment_method_last4 else excluded.payment_method_last4
    end,
    payment_method_expires = case
      when excluded.payment_method_brand is null then s.payment_method_expires else excluded.payment_method_expires
    end,
    pending_price_id = excluded.pending_price_id,
    pending_from = excluded.pending_from,
    pending_change_id = excluded.pending_change_id;
  perform private.note_pause(member, snapshot, item);
  perform private.billing_elect_current(customer);
  update private.billing_attempts a
  set state = case when new_status in ('active', 'trialing') then 'paid' else 'failed' end,
    updated_at = clock_timestamp()
  where a.subscription_id = subscription and a.state not in ('paid', 'failed')
    and new_status in ('active', 'trialing', 'canceled', 'incomplete_expired');
  perform private.set_role_from_plan(member, private.plan_role(member));
  return 'applied';
end
$function$;

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

create or replace function private.tg_stripe_subscriptions__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  plan constant text := private.plan_name(new.price_id);
  was_live constant boolean := tg_op = 'UPDATE' and old.status in ('active', 'trialing');
  is_live constant boolean := new.status in ('active', 'trialing');
  ends_at constant timestamptz := to_timestamp(new.current_period_end);
  -- Seconds since the epoch; null while it runs at the provider.
  ended constant bigint := (select r.ended_at_provider from private.billing_sync_versions r where r.subscription_id = new.subscription_id);
  -- Judged by when it ended, because another reading may have written the end first. One that ended long ago is not told.
  has_ended constant boolean := new.status = 'canceled' and (
    coalesce(to_timestamp(ended) > now() - interval '30 days', new.hold is not null)
    or tg_op = 'UPDATE' and old.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
  );
  -- The reading that changed the row. Two changes of the same kind are two causes, such as cancelling again.
  reading constant text := coalesce(
    (select r.ticket::text from private.billing_sync_versions r where r.subscription_id = new.subscription_id), pg_current_xact_id()::text
  );
begin
  if plan is null or member is null then
    return null;
  end if;
  if is_live and not was_live then
    perform private.enqueue_email(member, 'welcome', 'welcome:' || member, jsonb_build_object('plan', plan));
  end if;
  -- A subscription that gave way to another one, which ran when it ended, has not ended the membership.
  if has_ended and not exists (
    select from public.stripe_subscriptions s
    join private.plan_prices o on o.price_id = s.price_id
    left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
    where s.customer_id = new.customer_id and s.id <> new.id and case
      when ended is null or r.created_at_provider is null then s.status in ('active', 'trialing')
      else s.status not in ('incomplete', 'incomplete_expired')
        and r.created_at_provider < ended and coalesce(r.ended_at_provider > ended, true)
    end
  ) then
    perform private.enqueue_email(
      member, 'membership_ended', 'membership_ended:' || new.subscription_id, jsonb_build_object(
        'plan', plan,
        'why', coalesce(new.hold, case when tg_op = 'UPDATE' and old.status in ('past_due', 'unpaid') then 'unpaid' end)
      )
    );
  end if;
  if tg_op = 'INSERT' then
    return null;
  end if;
  if new.hold = 'paused' and was_live then
    perform private.enqueue_email(
      member, 'pause_begun', 'pause_begun:' || p.id, jsonb_strip_nulls(jsonb_build_object('plan', plan, 'ends_at', p.ends_at))
    )
    from public.membership_pauses p where p.subscription_id = new.subscription_id and p.ended_at is null;
  end if;
  -- Also the payment with which a pause was to end.
  if new.status = 'past_due' and (was_live or old.hold = 'paused') then
    perform private.enqueue_email(
      member, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.current_period_start),
      jsonb_build_object('plan', plan, 'subscription_id', new.subscription_id, 'card_last4', new.payment_method_last4)
    );
  end if;
  if is_live and new.cancel_at_period_end and not old.cancel_at_period_end then
    perform private.enqueue_email(
      member, 'membership_cancelled', concat_ws(':', 'membership_cancelled', new.subscription_id, reading),
      jsonb_build_object('plan', plan, 'ends_at', ends_at)
    );
  end if;
  if was_live and is_live and private.plan_name_beside(old.price_id, new.price_id) <> private.plan_name_beside(new.price_id, old.price_id) then
    perform private.enqueue_email(
      member, 'plan_changed', concat_ws(':', 'plan_changed', new.subscription_id, reading), jsonb_build_object(
        'from', private.plan_name_beside(old.price_id, new.price_id), 'plan', private.plan_name_beside(new.price_id, old.price_id),
        'renews_at', ends_at
      )
    );
  end if;
  return null;
end
$function$;

create or replace function public.billing_begin_pause (
  member uuid,
  months integer
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_begin_pause(member, months) $function$;

create or replace function public.billing_note_resume (
  pause   uuid,
  tries   integer,
  invoice text    default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_note_resume(pause, tries, invoice) $function$;

create or replace function public.billing_open_pause (
  subscription text
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_open_pause(subscription) $function$;

create or replace function public.billing_pauses_due()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_pauses_due() $function$;

create or replace function public.billing_settle_pause (
  member    uuid,
  pause     uuid,
  is_paused boolean,
  codes     jsonb   default '[]'::jsonb
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_settle_pause(member, pause, is_paused, codes) $function$;

create or replace function public.my_pause_offer()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.my_pause_offer() $function$;

create or replace function public.queue_pause_reminders()
  returns integer
  language sql
  set search_path to ''
  AS $function$ select private.queue_pause_reminders() $function$;

create or replace function public.set_pause_months (
  months integer
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_pause_months(months) $function$;

alter table "public"."billing_rules"
  add constraint "billing_rules_pause_months_check" check (((pause_months >= 0) AND (pause_months <= 12))) not valid;

alter table "public"."membership_pauses"
  add constraint "membership_pauses_subscription_id_fkey" foreign key (subscription_id)
    references public.stripe_subscriptions(subscription_id) on delete cascade;

alter table "public"."stripe_subscriptions"
  add constraint "stripe_subscriptions_hold_check"
    check ((hold = ANY (ARRAY['disputed'::text, 'dispute_lost'::text, 'refunded'::text, 'paused'::text]))) not valid;

create index membership_pauses_due_idx on public.membership_pauses using btree (ends_at)
  where (ended_at is null);

create unique index membership_pauses_one_open on public.membership_pauses using btree (subscription_id)
  where (ended_at is null);

create index membership_pauses_resume_invoice_id_idx on public.membership_pauses using btree (resume_invoice_id)
  where (resume_invoice_id is not null);

create index membership_pauses_subscription_id_idx on public.membership_pauses using btree (subscription_id);

create trigger invoices__email
  after insert or update of attempt_count, next_attempt_at, status on public.invoices
  for each row
  when
    (((new.status = 'open'::text) AND ((new.attempt_count = 3) OR ((new.attempt_count > 1) AND (new.next_attempt_at IS
    NULL)))))
  execute function private.tg_invoices__email();

create policy "select_own" on "public"."membership_pauses"
  for select
  to "authenticated"
  using ((subscription_id in ( select s.subscription_id
   from (public.stripe_subscriptions s
     JOIN public.stripe_customers c on ((c.customer_id = s.customer_id)))
  where (c.user_id = ( select auth.uid() as uid)))));

comment on column "public"."billing_rules"."pause_months" is 'Months in any twelve that a membership may be paused; 0 is none.';

comment on column "public"."membership_pauses"."begins_at" is 'The end of the period that was paid for.';

comment on column "public"."membership_pauses"."codes" is 'Discounts that would have ended meanwhile: the coupon, and the months of it that are left.';

comment on column "public"."membership_pauses"."confirmed_at" is 'When the card provider was read as paused; null until then.';

comment on column "public"."membership_pauses"."ended_at" is 'When it was read as collecting again, or ended; null while it is planned or runs.';

comment on column "public"."membership_pauses"."ends_at" is 'When the reconciliation takes the membership up again; null for one that the card provider ends, or nobody.';

comment on column "public"."membership_pauses"."months" is 'As asked for here; null for a pause that was made at the card provider.';

comment on column "public"."membership_pauses"."resume_invoice_id" is 'The invoice that taking it up again made.';

comment on column "public"."membership_pauses"."resume_tries" is 'Part of the key of the request that takes it up again: a request that failed at the provider is never repeated under its key.';

comment on column "public"."stripe_subscriptions"."hold" is 'Why the status differs from the provider''s: a payment is disputed (paused until decided), was lost to a dispute or fully refunded (canceled), or the membership is paused by its member.';

comment on function "private"."billing_begin_pause"(uuid, integer) is 'Plans a pause and names its subscription, or says why there is none.';

comment on function "private"."billing_note_resume"(uuid, integer, text) is 'Keeps the invoice that ended a pause; without one the next try gets a key of its own.';

comment on function "private"."billing_open_pause"(text) is 'The pause that is planned or runs: its begin in seconds, the tries at ending it, and the codes to put back; null without one.';

comment on function "private"."billing_pauses_due"() is 'Subscriptions whose pause is over and that are to be charged again.';

comment on function "private"."billing_settle_pause"(uuid, uuid, boolean, jsonb) is 'Confirms a planned pause with the codes that it keeps, or drops it. Audited.';

comment on function "private"."current_subscription"(uuid) is 'The current subscription of an account; null without one.';

comment on function "private"."export_part_pauses"(uuid) is 'Pauses of the memberships of one account.';

comment on function "private"."is_debt"(text, text) is 'True for an invoice that stays owed when its payment is refused.';

comment on function "private"."max_paused_months"() is 'How many months in any twelve a membership may be paused; 0 for none.';

comment on function "private"."my_pause_offer"() is 'What the caller may do about a pause, and the one that is planned or runs.';

comment on function "private"."note_pause"(uuid, jsonb, jsonb) is 'Keeps that a reading was paused, also where it was done at the card provider, or that a pause has ended. Audited.';

comment on function "private"."pause_has_begun"(jsonb, jsonb) is 'True for a reading of a paused subscription whose paid period is over.';

comment on function "private"."pause_refusal"(uuid, public.stripe_subscriptions) is 'Why a membership cannot be paused now; null when it can.';

comment on function "private"."paused_months"(uuid) is 'Months of pauses of an account in the last twelve, planned ones included.';

comment on function "private"."queue_pause_reminders"() is 'Queues an e-mail about each pause that ends within eight days, once for each; their number.';

comment on function "private"."require_failed_payment"(text) is 'What is owed for an invoice, locked; raises FF277 when nothing is.';

comment on function "private"."set_pause_months"(integer) is 'Changes how long members may pause; FF276 for a value there is not. Audited.';

comment on function "public"."billing_begin_pause"(uuid, integer) is 'Server: plan a pause of a member''s membership, before the card provider is asked.';

comment on function "public"."billing_note_resume"(uuid, integer, text) is 'Server: a try at taking a paused membership up again is over.';

comment on function "public"."billing_open_pause"(text) is 'Server: the pause of a subscription that is planned or runs, to take the membership up again.';

comment on function "public"."billing_pauses_due"() is 'Server: pauses whose time is over.';

comment on function "public"."billing_settle_pause"(uuid, uuid, boolean, jsonb) is 'Server: the card provider was asked for a planned pause; whether it collects nothing now.';

comment on function "public"."my_pause_offer"() is 'Whether the caller may pause the membership now: for how long, or why not; the pause that is planned or runs.';

comment on function "public"."queue_pause_reminders"() is 'Server: queue e-mails about pauses that end soon.';

comment on function "public"."set_pause_months"(integer) is 'Administrators: decide how many months in any twelve a membership may be paused; 0 is none.';

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, when members are told of a renewal, how long a failed payment leaves access, and how long members may pause: one row, or none for the defaults.';

comment on table "public"."membership_pauses" is 'Pauses of memberships, past ones too. Whether one gives no access now is the hold of its subscription.';

comment on view "private"."failed_payments" is 'Open invoices of renewals whose payment failed at least once.';

comment on view "private"."membership_statuses" is 'paying (active or trialing), complimentary, past_due, paused (by the member), lapsed (paid once, not now) or never_paid, for every account.';

revoke all on function "private"."billing_begin_pause"(uuid, integer) from public;

grant execute on function "private"."billing_begin_pause"(uuid, integer) to "postgres", "service_role";

revoke all on function "private"."billing_note_resume"(uuid, integer, text) from public;

grant execute on function "private"."billing_note_resume"(uuid, integer, text) to "postgres", "service_role";

revoke all on function "private"."billing_open_pause"(text) from public;

grant execute on function "private"."billing_open_pause"(text) to "postgres", "service_role";

revoke all on function "private"."billing_pauses_due"() from public;

grant execute on function "private"."billing_pauses_due"() to "postgres", "service_role";

revoke all on function "private"."billing_settle_pause"(uuid, uuid, boolean, jsonb) from public;

grant execute on function "private"."billing_settle_pause"(uuid, uuid, boolean, jsonb) to "postgres", "service_role";

revoke all on function "private"."current_subscription"(uuid) from public;

grant execute on function "private"."current_subscription"(uuid) to "postgres";

revoke all on function "private"."export_part_pauses"(uuid) from public;

grant execute on function "private"."export_part_pauses"(uuid) to "postgres";

revoke all on function "private"."is_debt"(text, text) from public;

grant execute on function "private"."is_debt"(text, text) to "postgres";

revoke all on function "private"."max_paused_months"() from public;

grant execute on function "private"."max_paused_months"() to "postgres";

revoke all on function "private"."my_pause_offer"() from public;

grant execute on function "private"."my_pause_offer"() to "authenticated", "postgres";

revoke all on function "private"."note_pause"(uuid, jsonb, jsonb) from public;

grant execute on function "private"."note_pause"(uuid, jsonb, jsonb) to "postgres";

revoke all on function "private"."pause_has_begun"(jsonb, jsonb) from public;

grant execute on function "private"."pause_has_begun"(jsonb, jsonb) to "postgres";

revoke all on function "private"."pause_refusal"(uuid, public.stripe_subscriptions) from public;

grant execute on function "private"."pause_refusal"(uuid, public.stripe_subscriptions) to "postgres";

revoke all on function "private"."paused_months"(uuid) from public;

grant execute on function "private"."paused_months"(uuid) to "postgres";

revoke all on function "private"."queue_pause_reminders"() from public;

grant execute on function "private"."queue_pause_reminders"() to "postgres", "service_role";

revoke all on function "private"."require_failed_payment"(text) from public;

grant execute on function "private"."require_failed_payment"(text) to "postgres";

revoke all on function "private"."set_pause_months"(integer) from public;

grant execute on function "private"."set_pause_months"(integer) to "authenticated", "postgres";

revoke all on function "public"."billing_begin_pause"(uuid, integer) from public;

grant execute on function "public"."billing_begin_pause"(uuid, integer) to "postgres", "service_role";

revoke all on function "public"."billing_note_resume"(uuid, integer, text) from public;

grant execute on function "public"."billing_note_resume"(uuid, integer, text) to "postgres", "service_role";

revoke all on function "public"."billing_open_pause"(text) from public;

grant execute on function "public"."billing_open_pause"(text) to "postgres", "service_role";

revoke all on function "public"."billing_pauses_due"() from public;

grant execute on function "public"."billing_pauses_due"() to "postgres", "service_role";

revoke all on function "public"."billing_settle_pause"(uuid, uuid, boolean, jsonb) from public;

grant execute on function "public"."billing_settle_pause"(uuid, uuid, boolean, jsonb) to "postgres", "service_role";

revoke all on function "public"."my_pause_offer"() from public;

grant execute on function "public"."my_pause_offer"() to "authenticated", "postgres";

revoke all on function "public"."queue_pause_reminders"() from public;

grant execute on function "public"."queue_pause_reminders"() to "postgres", "service_role";

revoke all on function "public"."set_pause_months"(integer) from public;

grant execute on function "public"."set_pause_months"(integer) to "authenticated", "postgres";

revoke all ("pause_months") on table "public"."billing_rules" from "anon";

grant select ("pause_months") on table "public"."billing_rules" to "anon";

revoke all ("pause_months") on table "public"."billing_rules" from "authenticated";

grant select ("pause_months") on table "public"."billing_rules" to "authenticated";

grant select ("begins_at") on table "public"."membership_pauses" to "authenticated";

grant select ("ended_at") on table "public"."membership_pauses" to "authenticated";

grant select ("ends_at") on table "public"."membership_pauses" to "authenticated";

grant select ("id") on table "public"."membership_pauses" to "authenticated";

grant select ("subscription_id") on table "public"."membership_pauses" to "authenticated";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "public"."membership_pauses"
  to "postgres";

grant delete, insert, select, update on table "public"."membership_pauses" to "service_role";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."failed_payments"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."membership_statuses"
  to "postgres";

insert into private.email_templates (name, kind) values ('pause_begun', 'money'), ('pause_ending', 'money');

insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders from (values
  ('pause_begun', '{closing,heading,opening,subject}'::text[], '{plan,date}'::text[]),
  ('pause_ending', '{closing,heading,opening,subject}', '{plan,date}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;
