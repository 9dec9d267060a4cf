create or replace function private.ends_if_refunded (
  payment      private.billing_charges,
  period_start bigint
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  select payment.period_end > coalesce(ends_if_refunded.period_start, 0) and not exists (
    select from private.billing_charges later
    where later.subscription_id = payment.subscription_id and not later.is_refunded
      and later.period_start > coalesce(payment.period_start, 0)
      and later.period_start <= ends_if_refunded.period_start and later.period_end > ends_if_refunded.period_start
  )
$function$;

create or replace function private.admin_refund_effect (
  payment text
)
  returns table (
    ends    text,
    ends_at timestamp with time zone,
    title   text
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_verified_admin();
  return query
    select 'membership', to_timestamp(s.current_period_end), null::text
    from private.billing_charges c join public.stripe_subscriptions s on s.subscription_id = c.subscription_id
    where c.charge_id = payment and s.deleted_at is null and s.status in ('active', 'trialing', 'past_due', 'paused')
      and private.ends_if_refunded(c, s.current_period_start)
    union all
    -- As billing_price_before_upgrade decides: while the difference is the latest payment, its refund takes the plan back.
    select 'plan', null, p.name
    from private.billing_charges c join public.stripe_subscriptions s on s.subscription_id = c.subscription_id
    join private.plan_prices o on o.price_id = c.upgraded_from join public.plans p on p.id = o.plan_id
    where c.charge_id = payment and s.deleted_at is null and s.price_id = c.upgraded_to and not exists (
      select from private.payment_records later join private.payment_records paid on paid.charge_id = payment and paid.kind = 'payment'
      where later.subscription_id = c.subscription_id and later.kind = 'payment' and later.happened_at > paid.happened_at
    )
    union all
    select 'course', null, p.course_title
    from private.billing_charges c join private.course_purchases p on p.payment_intent_id = c.payment_intent_id
    join private.live_course_purchases l on l.id = p.id
    where c.charge_id = payment
    union all
    select 'gift', m.ends_at, private.gift_name(g)
    from private.billing_charges c join private.gift_memberships g on g.payment_intent_id = c.payment_intent_id
    left join public.complimentary_memberships m on m.id = g.membership_id
    where c.charge_id = payment and g.paid_at is not null and g.closed_at is null
      and (g.redeemed_at is null or m.ended_at is null and m.ends_at > now());
end
$function$;

create or replace function private.billing_hold (
  subscription text,
  period_start bigint
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select case
    when bool_or(c.dispute = 'lost' and not private.is_earlier_payment(c, billing_hold.period_start)) then 'dispute_lost'
    when bool_or(c.is_refunded and private.ends_if_refunded(c, billing_hold.period_start)) then 'refunded'
    when bool_or(c.dispute = 'open') then 'disputed'
  end
  from private.billing_charges c where c.subscription_id = billing_hold.subscription
$function$;

create or replace function public.admin_refund_effect (
  payment text
)
  returns table (
    ends    text,
    ends_at timestamp with time zone,
    title   text
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.admin_refund_effect(payment) $function$;

comment on function "private"."admin_refund_effect"(text) is 'What ends when all of a payment is refunded, and until when it would have gone on: a live membership, the plan that a difference was paid for, a course that was bought, a gift that is good.';

comment on function "private"."ends_if_refunded"(private.billing_charges, bigint) is 'Whether a refund of the whole payment ends its subscription, whose current period begins then.';

comment on function "public"."admin_refund_effect"(text) is 'Administrators: what a refund of the whole payment ends at once (membership, plan, course or gift); no row when it ends nothing.';

revoke all on function "private"."admin_refund_effect"(text) from public;

grant execute on function "private"."admin_refund_effect"(text) to "authenticated", "postgres";

revoke all on function "private"."ends_if_refunded"(private.billing_charges, bigint) from public;

grant execute on function "private"."ends_if_refunded"(private.billing_charges, bigint) to "postgres";

revoke all on function "public"."admin_refund_effect"(text) from public;

grant execute on function "public"."admin_refund_effect"(text) to "authenticated", "postgres";
