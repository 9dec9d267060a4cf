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
revoke all on function private.is_earlier_payment(private.billing_charges, bigint) from public, anon, authenticated, service_role;
comment on function private.is_earlier_payment(private.billing_charges, bigint) is
  'Whether the payment was for a period before this one, and this one is paid by another.';

create or replace function private.billing_hold(subscription text, period_start bigint) returns text
  language sql stable set search_path = ''
as $$
  select case
    when bool_or(c.dispute = 'lost' and not private.is_earlier_payment(c, billing_hold.period_start)) then 'dispute_lost'
    when bool_or(c.is_refunded and c.period_end > coalesce(billing_hold.period_start, 0) and not exists (
      select from private.billing_charges later
      where later.subscription_id = c.subscription_id and not later.is_refunded
        and later.period_start > coalesce(c.period_start, 0)
        and later.period_start <= billing_hold.period_start and later.period_end > billing_hold.period_start
    )) then 'refunded'
    when bool_or(c.dispute = 'open') then 'disputed'
  end
  from private.billing_charges c where c.subscription_id = billing_hold.subscription
$$;

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
revoke all on function private.billing_lost_payments(text) from public, anon, authenticated, service_role;
grant execute on function private.billing_lost_payments(text) to service_role;
comment on function private.billing_lost_payments(text) is
  'Payments of the subscription whose dispute was lost, and for which its renewal was not ended yet.';

create function public.billing_lost_payments(subscription text) returns setof text
  language sql stable set search_path = ''
as $$ select * from private.billing_lost_payments(subscription) $$;
revoke all on function public.billing_lost_payments(text) from public, anon, authenticated, service_role;
grant execute on function public.billing_lost_payments(text) to service_role;
comment on function public.billing_lost_payments(text) is 'Server: payments lost in disputes, for which the renewal is to be ended.';

alter table private.account_flags drop constraint account_flags_reason_check;
alter table private.account_flags add constraint account_flags_reason_check
  check (reason in ('verification_attempts_exhausted', 'several_subscriptions', 'dispute_lost')) not valid;

create or replace function private.flagged_accounts()
  returns table (
    user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamptz, closed_at timestamptz,
    rejections integer, last_reason text, subscriptions jsonb
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_verified_admin();
  return query
    select f.user_id, u.email::text, p.first_name, p.last_name, f.reason, f.created_at, f.closed_at,
      (select count(*)::integer from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' and v.attempts_reset_at is null),
      (select v.rejected_reason from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' order by v.submitted_at desc limit 1),
      case when f.reason in ('several_subscriptions', 'dispute_lost') then coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', s.subscription_id, 'plan', private.plan_name(s.price_id), 'status', s.status,
          'since', s.created_at, 'is_current', s.deleted_at is null
        ) order by s.id)
        from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
        where c.user_id = f.user_id and s.status not in ('not_started', 'incomplete_expired', 'canceled')
      ), '[]') end
    from private.account_flags f
    join auth.users u on u.id = f.user_id
    left join public.profiles p on p.id = f.user_id
    order by coalesce(f.closed_at, f.created_at), f.user_id, f.reason;
end
$$;

-- One procedure for both flags about money.
drop function public.resolve_several_subscriptions(uuid, text);
drop function private.resolve_several_subscriptions(uuid, text);

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
revoke all on function private.resolve_billing_flag(uuid, text, text) from public, anon, authenticated, service_role;
grant execute on function private.resolve_billing_flag(uuid, text, text) to authenticated;
comment on function private.resolve_billing_flag(uuid, text, text) is
  'Takes a flag about money off an account: several_subscriptions, which the reconciliation sets again if they were not put right, or dispute_lost. Audited.';

create function public.resolve_billing_flag(member uuid, flag text, reason text) returns void
  language sql set search_path = ''
as $$ select private.resolve_billing_flag(member, flag, reason) $$;
revoke all on function public.resolve_billing_flag(uuid, text, text) from public, anon, authenticated, service_role;
grant execute on function public.resolve_billing_flag(uuid, text, text) to authenticated;
comment on function public.resolve_billing_flag(uuid, text, text) is 'Administrators: what an account was flagged for about money was put right.';
