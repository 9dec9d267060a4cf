drop function "private"."unused_share"(bigint, timestamp with time zone, timestamp with time zone);

create or replace function private.plan_name_beside (
  price text,
  other text
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select p.name || case when o."interval" = b."interval" then '' when o."interval" = 'year' then ', paid yearly' else ', paid monthly' end
  from private.plan_prices o join public.plans p on p.id = o.plan_id
  left join private.plan_prices b on b.price_id = other
  where o.price_id = price
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
    from public.stripe_subscriptions s
    left join public.billing_rules b on true
    cross join lateral (select coalesce(s.pending_price_id, s.price_id)) n (price_id)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- Of a former price the amount may not be known; it is then not named.
    left join private.plan_prices o on o.price_id = n.price_id
    left join private.plan_prices h on h.price_id = s.price_id
    where s.deleted_at is null and s.status = 'active' and not s.cancel_at_period_end and s.hold is null
      and to_timestamp(s.current_period_end) > now()
      -- A year's price is always announced: nobody has last year's day in mind.
      and to_timestamp(s.current_period_end) - now() <= make_interval(days => case
        when 'year' in (o."interval", h."interval") then greatest(coalesce(b.renewal_reminder_days, 0), 14)
        else coalesce(b.renewal_reminder_days, 0)
      end)
  ) due;
  return queued;
end
$function$;

create or replace function private.queue_trial_reminders()
  returns integer
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'trial_ending', 'trial_ending:' || due.subscription_id,
    jsonb_build_object('plan', due.plan, 'ends_at', due.ends_at, 'amount', due.amount_pence, 'currency', lower(due.currency))
  )) into queued
  from (
    select c.user_id, s.subscription_id, private.plan_name(s.price_id) as plan, e.ends_at, o.amount_pence, o.currency
    from public.stripe_subscriptions s
    cross join lateral (select to_timestamp(s.current_period_end), to_timestamp(s.current_period_start)) e (ends_at, began_at)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- Of a former price the amount may not be known; it is then not named.
    left join private.plan_prices o on o.price_id = s.price_id
    where s.deleted_at is null and s.status = 'trialing' and not s.cancel_at_period_end and e.ends_at > now()
      -- A day early, so that seven whole days are left however late the run is; three of a shorter trial.
      and e.ends_at - now() <= case when e.ends_at - e.began_at > interval '8 days' then interval '8 days' else interval '4 days' end
  ) due;
  return queued;
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
  if new.status = 'past_due' and was_live then
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

create or replace function private.unused_share (
  amount  bigint,
  began   timestamp with time zone,
  ends    timestamp with time zone,
  at_time timestamp with time zone default now()
)
  returns bigint
  language sql
  stable
  set search_path to ''
  AS $function$
  select amount - round(amount::numeric * least(d.used, d.days) / d.days)::bigint
  from (
    select greatest(1, round(extract(epoch from ends - began) / 86400)) as days,
      greatest(0, floor(extract(epoch from at_time - began) / 86400)) as used
  ) d
$function$;

create or replace function private.withdrawal_payments (
  subscription text
)
  returns table (
    charge_id text,
    amount    bigint,
    currency  text
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select c.charge_id, least(l.amount, case when exists (select from public.billing_rules b where b.withdrawal_refund = 'proportion')
    then case when later.charge_id is null then private.unused_share(
      c.amount, coalesce(to_timestamp(c.period_start), l.paid_at), to_timestamp(coalesce(c.period_end, s.current_period_end))
    -- What was left of it when another interval began went into that payment's period, such as from a month into a year.
    ) else private.unused_share(
      private.unused_share(c.amount, to_timestamp(c.period_start), to_timestamp(c.period_end), to_timestamp(later.period_start)),
      to_timestamp(later.period_start), to_timestamp(later.period_end)
    ) end else l.amount end), l.currency
  from private.billing_charges c
  cross join lateral private.left_to_refund(c.charge_id) l
  left join public.stripe_subscriptions s on s.subscription_id = c.subscription_id and s.deleted_at is null
  left join lateral (
    select n.charge_id, n.period_start, n.period_end from private.billing_charges n
    where n.subscription_id = c.subscription_id and n.period_start > c.period_start and n.period_start < c.period_end
    order by n.period_start limit 1
  ) later on true
  where c.subscription_id = subscription
$function$;

comment on function "private"."plan_name_beside"(text, text) is 'Name of the plan of a price, with how often it is paid where the other price differs in that; null for other prices.';

comment on function "private"."queue_renewal_reminders"() is 'Queues an e-mail about each membership that renews within the days of the rule, of a year''s price within at least 14, once for each period; their number.';

comment on function "private"."unused_share"(bigint, timestamp with time zone, timestamp with time zone, timestamp
  with time zone) is 'What of an amount is for days that were not used by then; a day counts as used once it is over.';

revoke all on function "private"."plan_name_beside"(text, text) from public;

grant execute on function "private"."plan_name_beside"(text, text) to "postgres";

revoke all
  on function "private"."unused_share"(bigint, timestamp with time zone, timestamp with time zone, timestamp
    with time zone)
  from public;

grant execute
  on function "private"."unused_share"(bigint, timestamp with time zone, timestamp with time zone, timestamp
    with time zone)
  to "postgres";
