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
