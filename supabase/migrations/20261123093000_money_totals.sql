-- Sums of money: of one currency, of refunds in their latest state, and of disputes by the definition of the queue.
create or replace function private.member_billing(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with records as (
    select r.* from private.payment_records r join public.stripe_customers c using (customer_id) where c.user_id = member
  )
  select jsonb_build_object(
    'membership', (select m.status from private.membership_statuses m where m.user_id = member),
    'subscription', (
      select jsonb_build_object(
        'status', s.status, 'hold', s.hold, 'plan', private.plan_name(s.price_id),
        'pending_plan', private.plan_name(s.pending_price_id), 'period_ends_at', to_timestamp(s.current_period_end),
        'ends_with_period', s.cancel_at_period_end, 'card_brand', s.payment_method_brand, 'card_last4', s.payment_method_last4
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
$$;
comment on function private.member_billing(uuid) is
  'Membership of a member and a summary of the payments, for administrators; totals in pence, of payments in pounds.';

create or replace function private.admin_money_figures() returns table (
  revenue_pence bigint, refunded_pence bigint, open_disputes integer, failed_events integer, complimentary integer
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  month timestamptz := date_trunc('month', now());
begin
  perform private.require_verified_admin();
  return query select
    coalesce((
      select sum(y.amount_pence) from private.payments y where y.paid_at >= month and y.currency = 'gbp'
    ), 0)::bigint,
    coalesce((
      select sum(x.amount) from private.refunds_and_disputes x
      where x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.happened_at >= month and x.currency = 'gbp'
    ), 0)::bigint,
    (select count(*)::integer from private.open_disputes()),
    (select count(*)::integer from private.failed_billing_events),
    (select count(*)::integer from private.current_complimentary_memberships);
end
$$;
comment on function private.admin_money_figures() is
  'Money of this calendar month (UTC) in pounds, and what waits for attention; disputes as in the queue.';
