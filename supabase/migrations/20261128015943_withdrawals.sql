set local check_function_bodies = off;

drop function "private"."billing_begin_withdrawal"(uuid);

drop function "private"."billing_end_withdrawal"(uuid);

drop function "private"."billing_open_withdrawals"();

drop function "public"."billing_begin_withdrawal"(uuid);

drop function "public"."billing_end_withdrawal"(uuid);

drop function "public"."billing_open_withdrawals"();

create table "public"."billing_rules" (
  "id"                    boolean not null default true,
  "withdrawal_refund"     text    not null default 'full'::text,
  "renewal_reminder_days" integer not null default 0,
  constraint "billing_rules_id_check" check (id),
  constraint "billing_rules_pkey" primary key (id),
  constraint "billing_rules_renewal_reminder_days_check"
    check (((renewal_reminder_days >= 0) AND (renewal_reminder_days <= 30))),
  constraint "billing_rules_withdrawal_refund_check"
    check ((withdrawal_refund = ANY (ARRAY['full'::text, 'proportion'::text])))
);

alter table "public"."billing_rules"
  enable row level security;

alter table "private"."withdrawals"
  add column "purchase_id" uuid;

alter table "private"."withdrawals"
  -- squawk-ignore ban-drop-not-null
  alter column "subscription_id" drop not null;

create or replace function private.billing_begin_withdrawal (
  member   uuid,
  purchase uuid default null::uuid
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  due record;
  begun private.withdrawals;
begin
  perform private.lock_billing(member);
  select w.* into begun from private.withdrawals w
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null;
  if not found then
    -- A refund that staff begin at this moment is counted, or waits.
    perform from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id
    where k.user_id = member for update of c;
    if purchase is null then
      select r.*, null::text as charge_id into due from private.withdrawal_right(member) r;
    else
      select null::text as subscription_id, r.* into due from private.course_withdrawal_right(member) r where r.purchase_id = purchase;
    end if;
    if not found then
      return null;
    end if;
    insert into private.withdrawals (user_id, subscription_id, purchase_id) values (member, due.subscription_id, purchase)
    returning * into begun;
    insert into private.refund_requests (id, charge_id, amount_pence, reason)
    select md5(concat_ws(':', begun.id, p.charge_id))::uuid, p.charge_id, p.amount, 'Withdrawn within 14 days'
    from (
      select w.charge_id, w.amount from private.withdrawal_payments(due.subscription_id) w where purchase is null
      union all
      select due.charge_id, due.amount_pence where purchase is not null
    ) p where p.amount > 0;
    perform private.audit(member, 'billing.withdrawn', member, jsonb_strip_nulls(jsonb_build_object(
      'subscription_id', due.subscription_id, 'purchase_id', purchase, 'amount_pence', due.amount_pence
    )));
    if purchase is null then
      perform private.enqueue_email(member, 'membership_withdrawn', 'membership_withdrawn:' || begun.id, jsonb_build_object(
        'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = due.subscription_id limit 1),
        'amount', due.amount_pence, 'currency', due.currency, 'withdrawn_at', begun.requested_at
      ));
    end if;
  end if;
  return jsonb_build_object('subscription_id', begun.subscription_id, 'refunds', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'request_id', q.id, 'payment_id', q.charge_id, 'amount_pence', q.amount_pence
    ) order by q.charge_id), '[]')
    from private.billing_charges c
    join private.refund_requests q on q.id = md5(concat_ws(':', begun.id, c.charge_id))::uuid
    left join private.course_purchases p on p.id = begun.purchase_id
    where (c.subscription_id = begun.subscription_id or c.payment_intent_id = p.payment_intent_id) and q.state in ('started', 'unclear')
  ));
end
$function$;

create or replace function private.billing_end_withdrawal (
  member   uuid,
  purchase uuid default null::uuid
)
  returns void
  language sql
  security definer
  set search_path to ''
  AS $function$
  update private.withdrawals w set settled_at = now()
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null
$function$;

create or replace function private.billing_open_withdrawals()
  returns table (
    member   uuid,
    purchase uuid
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select w.user_id, w.purchase_id from private.withdrawals w
  where w.settled_at is null and w.requested_at < now() - interval '5 minutes'
  order by w.requested_at limit 100
$function$;

create or replace function private.course_withdrawal_right (
  member uuid
)
  returns table (
    purchase_id  uuid,
    charge_id    text,
    ends_at      timestamp with time zone,
    amount_pence bigint
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select p.id, c.charge_id, private.end_of_withdrawal(l.paid_at), l.amount
  from private.live_course_purchases v
  join private.course_purchases p on p.id = v.id
  join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
  cross join lateral private.left_to_refund(c.charge_id) l
  where v.user_id = member and private.end_of_withdrawal(l.paid_at) > now()
    -- As with a membership, a second time is for staff.
    and not exists (
      select from private.withdrawals w join private.course_purchases e on e.id = w.purchase_id
      where w.user_id = member and e.course_id = p.course_id and w.requested_at > now() - interval '1 year'
    )
$function$;

create or replace function private.end_of_withdrawal (
  began timestamp with time zone
)
  returns timestamp with time zone
  language sql
  stable
  set search_path to ''
  AS $function$
  -- Fourteen days after the day of the contract, in the seller's time: the last of them counts to its end.
  select (date_trunc('day', began at time zone 'Europe/London') + interval '15 days') at time zone 'Europe/London'
$function$;

create or replace function private.left_to_refund (
  charge text
)
  returns table (
    amount   bigint,
    currency text,
    paid_at  timestamp with time zone
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select c.amount - greatest(c.amount_refunded, f.asked), r.currency, r.happened_at
  from private.billing_charges c
  join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
  cross join lateral (
    select coalesce(sum(q.amount_pence) filter (where q.state in ('started', 'unclear', 'made')), 0)::bigint as asked
    from private.refund_requests q where q.charge_id = c.charge_id
  ) f
  where c.charge_id = charge and coalesce(c.dispute, 'won') = 'won' and c.amount > greatest(c.amount_refunded, f.asked)
$function$;

create or replace function private.my_courses()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'purchase_id', p.id, 'course_id', p.course_id, 'slug', o.slug, 'title', p.course_title, 'amount_pence', p.amount_pence,
      'bought_at', coalesce(r.happened_at, p.created_at), 'number', c.charge_id, 'refunded_pence', coalesce(c.amount_refunded, 0),
      'card_brand', c.card_brand, 'card_last4', c.card_last4,
      'state', case
        when c.charge_id is null then 'waiting' when c.is_refunded then 'refunded' when c.dispute in ('open', 'lost') then 'disputed'
        else 'paid' end,
      'lessons', l.lessons, 'completed', l.completed, 'withdraw_until', w.ends_at, 'withdraw_pence', w.amount_pence
    ) order by p.created_at desc)
    from private.course_purchases p
    cross join lateral (
      select count(*) as lessons, count(x.completed_at) as completed
      from private.lessons_of_version(p.course_id, p.course_version, caller) x
    ) l
    left join private.course_offers o on o.course_id = p.course_id
    left join private.course_withdrawal_right(caller) w on w.purchase_id = p.id
    left join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
    left join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
    where p.user_id = caller
      and (c.charge_id is not null or p.state in ('working', 'unknown', 'needs_action') and p.checked_at > now() - interval '1 hour')
  ), '[]');
end
$function$;

create or replace function private.queue_renewal_reminders()
  returns integer
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'renewal_coming', concat_ws(':', 'renewal_coming', due.subscription_id, due.current_period_end),
    jsonb_build_object('plan', due.plan, 'renews_at', due.renews_at, 'amount', due.amount_pence, 'currency', lower(due.currency))
  )) into queued
  from (
    select c.user_id, s.subscription_id, s.current_period_end, to_timestamp(s.current_period_end) as renews_at,
      private.plan_name(n.price_id) as plan, o.amount_pence, o.currency
    from public.billing_rules b
    join public.stripe_subscriptions s on b.renewal_reminder_days > 0 and s.deleted_at is null and s.status = 'active'
      and not s.cancel_at_period_end and s.hold is null
    cross join lateral (select coalesce(s.pending_price_id, s.price_id)) n (price_id)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- An older price of the plan may be another amount, which is then not named.
    left join public.plans o on o.price_id = n.price_id
    where to_timestamp(s.current_period_end) > now()
      and to_timestamp(s.current_period_end) - now() <= make_interval(days => b.renewal_reminder_days)
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
  before jsonb := (select to_jsonb(b) - 'id' from public.billing_rules b);
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
    (select to_jsonb(b) - 'id' from public.billing_rules b)
  );
end
$function$;
