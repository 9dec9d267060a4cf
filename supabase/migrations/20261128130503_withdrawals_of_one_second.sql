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
    where n.subscription_id = c.subscription_id and n.period_start < c.period_end
      -- A switch in the second of joining begins with it, and ends later.
      and (n.period_start, n.period_end) > (c.period_start, c.period_end)
    order by n.period_start limit 1
  ) later on true
  where c.subscription_id = subscription
$function$;

comment on column "public"."courses"."price" is 'Pounds: what the course costs outside the membership, which includes it.';
