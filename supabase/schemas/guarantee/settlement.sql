create function private.claim_renewals(claim private.guarantee_claims) returns setof text
  language sql stable security definer set search_path = '' as $$
  select s.subscription_id
  from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = claim.user_id and claim.state = 'granted' and claim.renewal_stopped_at is null
    and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;
comment on function private.claim_renewals(private.guarantee_claims) is
  'Subscriptions of a granted claim''s member that could still take a payment; none once the renewal was stopped.';

create function private.claim_settlement(claim private.guarantee_claims) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'member_id', claim.user_id,
    'renewals', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r),
    'refunds', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from private.guarantee_refunds(claim) r)
  )
$$;
comment on function private.claim_settlement(private.guarantee_claims) is 'What a granted claim is still owed: renewals to stop and refunds to make.';

create function private.require_granted_claim(claim_id uuid) returns private.guarantee_claims
  language plpgsql stable security definer set search_path = '' as $$
declare
  claim private.guarantee_claims;
begin
  select c.* into claim from private.guarantee_claims c where c.id = claim_id and c.state = 'granted';
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  return claim;
end
$$;
comment on function private.require_granted_claim(uuid) is 'A granted claim; FF680 for any other.';

-- Without an administrator beside it, a refund that the bank gave back or the provider refused waits longer each time.
create function private.is_claim_refund_due(payment text, is_scheduled boolean) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.state = 'started' and q.last_tried_at > now() - interval '2 minutes'
  ) and (not is_scheduled or not exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.last_tried_at > now() - interval '5 minutes' * (power(4, least(5, (
      select count(*) from private.refund_requests f where f.charge_id = payment and f.state in ('failed', 'refused')
    ))) - 1)
  ))
$$;
comment on function private.is_claim_refund_due(text, boolean) is
  'Whether a refund may be asked for now: no other call is at it (two minutes), and for the scheduled run a wait from 15 minutes to 4 days after each failure.';

-- @rpc service_role
-- Server: granted claims under the guarantee that are not settled.
create function private.billing_claims_to_settle() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select c.id from private.guarantee_claims c
  where c.state = 'granted' and (
    c.renewal_stopped_at is null
    or exists (select from private.guarantee_refunds(c) r where private.is_claim_refund_due(r.payment_id, true))
  )
  order by c.decided_at, c.id limit 100
$$;
comment on function private.billing_claims_to_settle() is 'Granted claims with a renewal to stop or a refund to make; a hundred of the oldest.';

-- @rpc service_role
-- Server: what an account still has to get back.
create function private.billing_owed_refunds(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'withdrawals', (
      select coalesce(jsonb_agg(w.purchase_id order by w.requested_at), '[]') from private.withdrawals w
      where w.user_id = billing_owed_refunds.member and w.settled_at is null
        and exists (select from private.withdrawal_left(w) l where not l.is_with_bank)
    ),
    'claims', (
      select coalesce(jsonb_agg(c.id), '[]') from private.guarantee_claims c
      where c.user_id = billing_owed_refunds.member and c.state = 'granted' and exists (select from private.guarantee_refunds(c))
    )
  )
$$;
comment on function private.billing_owed_refunds(uuid) is
  'An account''s withdrawals with a refund that is not made, by course and null for the membership, and its granted claims with a refund to make. They go with the account.';

-- @rpc service_role
-- Server: what a granted claim is still owed.
create function private.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select private.claim_settlement(private.require_granted_claim(claim_id))
$$;
comment on function private.billing_claim_settlement(uuid) is 'What a granted claim is still owed. FF680.';

-- @rpc service_role
-- Server: the membership of a granted claim no longer renews.
create function private.billing_claim_renewal_stopped(claim_id uuid, admin uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
begin
  update private.guarantee_claims c set renewal_stopped_at = clock_timestamp() where c.id = claim_id and c.renewal_stopped_at is null;
  if found then
    perform private.audit(coalesce(admin, claim.decided_by), 'account.renewal_stopped', claim.user_id, jsonb_build_object(
      'claim', claim_id, 'subscriptions', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r), 'reason', 'Guarantee',
      'before', jsonb_build_object('renews', true), 'after', jsonb_build_object('renews', false)
    ));
  end if;
end
$$;
comment on function private.billing_claim_renewal_stopped(uuid, uuid) is
  'Writes down that the membership of a granted claim no longer renews. Without an administrator the one who granted stands in the log. Audited once.';

-- @rpc service_role
-- Server: record a refund of a granted claim before it is made.
create function private.billing_begin_claim_refund(claim_id uuid, payment text, admin uuid) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
  owed record;
  is_new boolean;
begin
  -- The lock lets one request of a payment begin at a time.
  perform from private.billing_charges b where b.charge_id = payment for update;
  select r.* into owed from private.guarantee_refunds(claim) r where r.payment_id = payment;
  if not found or not private.is_claim_refund_due(payment, admin is null) then
    return null;
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (owed.request_id, payment, owed.amount_pence, owed.reason)
  on conflict (id) do update set state = 'started', last_tried_at = clock_timestamp()
  returning xmax = 0 into is_new;
  if is_new then
    perform private.audit(coalesce(admin, claim.decided_by), 'payment.refund_started', claim.user_id, jsonb_build_object(
      'request', owed.request_id, 'payment', payment, 'claim', claim_id,
      'after', jsonb_build_object('refunded_pence', owed.amount_pence), 'reason', owed.reason
    ));
  end if;
  return to_jsonb(owed);
end
$$;
comment on function private.billing_begin_claim_refund(uuid, text, uuid) is
  'Records a refund of a granted claim before the card provider is asked; null when nothing is owed or another call is at it. Audited.';

create function private.notification_part_guarantee(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if not private.has_live_membership(member) then
    return;
  end if;
  return query
  select n.id, '{}'::jsonb
  from private.newest_notifications(member, array['check_in_due']) n
  join private.guarantee_baselines b on b.user_id = member
  where n.detail = private.guarantee_month(b.started_at, now())::text and now() < private.guarantee_end(b)
    and not exists (
      select from private.guarantee_check_ins c where c.user_id = member and c.month_number::text = n.detail
    )
  union all
  -- The newest reminder takes the place of the one before.
  (
    select n.id, jsonb_build_object('deadline', private.baseline_until(member))
    from private.newest_notifications(member, array['baseline_due']) n
    where private.baseline_until(member) is not null
    order by n.id desc limit 1
  );
end
$$;
comment on function private.notification_part_guarantee(uuid) is
  'A start that is still to be written down, until it is or the first week is over; a check-in that is due, until it is made or its month is over.';
