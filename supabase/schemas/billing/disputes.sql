-- A dispute that is lost about an earlier period takes no access that is paid for: the subscription ends with its period
-- instead, once for each payment, and the account is flagged, so that staff look at it.
create function private.is_earlier_payment(payment private.billing_charges, period_start bigint) returns boolean
  language sql stable set search_path = ''
as $$
  select payment.period_end <= is_earlier_payment.period_start and exists (
    select from private.billing_charges later
    where later.subscription_id = payment.subscription_id and not later.is_refunded and later.dispute is distinct from 'lost'
      and later.period_start <= is_earlier_payment.period_start and later.period_end > is_earlier_payment.period_start
  )
$$;
comment on function private.is_earlier_payment(private.billing_charges, bigint) is
  'Whether the payment was for a period before this one, and this one is paid by another.';

-- @rpc service_role
-- Server: payments lost in disputes, for which the renewal is to be ended.
create function private.billing_lost_payments(subscription text) returns setof text
  language sql stable security definer set search_path = ''
as $$
  select c.charge_id from private.billing_charges c
  join public.stripe_customers k on k.customer_id = c.customer_id
  where c.subscription_id = subscription and c.dispute = 'lost' and not exists (
    select from private.audit_log a
    where a.subject = k.user_id and a.action = 'billing.renewal_ended' and a.detail ->> 'charge_id' = c.charge_id
  )
  order by c.charge_id
$$;
comment on function private.billing_lost_payments(text) is
  'Payments of the subscription whose dispute was lost, and for which its renewal was not ended yet.';

-- @rpc authenticated
-- Administrators: what an account was flagged for about money was put right.
create function private.resolve_billing_flag(member uuid, flag text, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  decider uuid := private.require_verified_admin();
  why text := private.require_decision(decider, member, reason);
begin
  delete from private.account_flags f
  where f.user_id = member and f.reason = flag and f.reason in ('several_subscriptions', 'dispute_lost');
  if not found then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  perform private.audit(
    decider, 'billing.flag_resolved', member, jsonb_build_object('before', flag, 'after', 'resolved', 'reason', why)
  );
end
$$;
comment on function private.resolve_billing_flag(uuid, text, text) is
  'Takes a flag about money off an account: several_subscriptions, which the reconciliation sets again if they were not put right, or dispute_lost. Audited.';
