-- What the provider last said about a payment goes with the account; its records stay, and tell of refunds and disputes.
create or replace view private.payments with (security_invoker = true) as
select r.charge_id as payment_id, r.happened_at as paid_at, r.amount as amount_pence,
  coalesce(c.amount_refunded, d.refunded, 0) as refunded_pence, r.currency,
  case
    when c.dispute = 'open' or d.is_disputed then 'disputed'
    when c.dispute = 'lost' or d.is_lost then 'dispute_lost'
    when c.is_refunded or d.refunded >= r.amount then 'refunded'
    when coalesce(c.amount_refunded, d.refunded) > 0 then 'partly_refunded'
    else 'paid'
  end as state,
  r.customer_id, r.subscription_id, c.invoice_id, i.number as invoice_number, i.reason as invoice_reason,
  c.card_brand, c.card_last4, k.user_id, u.email::text as email, p.first_name, p.last_name
from private.payment_records r
left join private.billing_charges c on c.charge_id = r.charge_id
left join public.invoices i on i.invoice_id = c.invoice_id
left join public.stripe_customers k on k.customer_id = r.customer_id
left join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
left join lateral (
  select coalesce(sum(l.amount) filter (where l.kind = 'refund' and l.status in ('succeeded', 'pending')), 0)::bigint as refunded,
    coalesce(bool_or(l.kind = 'dispute' and l.status in ('needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review')), false) as is_disputed,
    coalesce(bool_or(l.kind = 'dispute' and l.status = 'lost'), false) as is_lost
  from (
    select distinct on (x.provider_id) x.kind, x.status, x.amount from private.payment_records x
    where c.charge_id is null and x.charge_id = r.charge_id and x.kind in ('refund', 'dispute')
    order by x.provider_id, x.id desc
  ) l
) d on c.charge_id is null
where r.kind = 'payment' and r.status = 'succeeded';
