-- A granted claim is settled in the same act: the renewal stops and the payments go back at once, and the scheduled billing
-- run finishes what was left. Both take the same path, so that a payment is refunded once. docs/subsystems/guarantee.md.

alter table private.guarantee_claims add column renewal_stopped_at timestamptz;
comment on column private.guarantee_claims.renewal_stopped_at is
  'When the card provider no longer renewed the membership of a granted claim. What is bought after it is no part of the guarantee.';

create function private.claim_renewals(claim private.guarantee_claims) returns setof text
  language sql stable security definer set search_path = '' as $$
  select s.subscription_id
  from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = claim.user_id and claim.state = 'granted' and claim.renewal_stopped_at is null
    and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;
revoke all on function private.claim_renewals from public, anon, authenticated, service_role;
comment on function private.claim_renewals(private.guarantee_claims) is
  'Subscriptions of a granted claim''s member that could still take a payment; none once the renewal was stopped.';

-- The id follows from the claim, so a refund that was asked for twice is made once. One that the bank gave back is asked for anew.
-- A refund that was made counts before the provider's event arrives.
create or replace function private.guarantee_refunds(claim private.guarantee_claims)
  returns table (request_id uuid, payment_id text, amount_pence bigint, reason text)
  language sql stable security definer set search_path = '' as $$
  select coalesce(q.id, md5(concat_ws(':', claim.id, b.charge_id, f.ended))::uuid),
    b.charge_id, coalesce(q.amount_pence, b.amount - greatest(b.amount_refunded, f.made)), coalesce(q.reason, 'Guarantee')
  from public.stripe_customers s
  join private.billing_charges b on b.customer_id = s.customer_id
  left join private.refund_requests q on q.charge_id = b.charge_id and q.state in ('started', 'unclear')
  cross join lateral (
    select count(*) filter (where r.state in ('made', 'failed', 'refused')) as ended,
      coalesce(sum(r.amount_pence) filter (where r.state = 'made'), 0)::bigint as made
    from private.refund_requests r where r.charge_id = b.charge_id
  ) f
  where s.user_id = claim.user_id and claim.state = 'granted'
    and b.amount > greatest(b.amount_refunded, f.made) and coalesce(b.dispute, 'won') = 'won'
    and not exists (select from private.course_purchases k where k.payment_intent_id = b.payment_intent_id)
    -- Until the renewal is stopped it may take another payment. What a member buys later is no part of the guarantee.
    and not exists (
      select from private.payment_records p
      where p.charge_id = b.charge_id and p.kind = 'payment'
        and p.happened_at > greatest(claim.decided_at + interval '7 days', coalesce(claim.renewal_stopped_at, now()))
    )
  order by b.charge_id
$$;
comment on function private.guarantee_refunds(private.guarantee_claims) is
  'What is left to refund of a granted claim: each payment until the renewal was stopped, or a week after the decision, that is neither refunded nor disputed.';

create function private.claim_settlement(claim private.guarantee_claims) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'member_id', claim.user_id,
    'renewals', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r),
    'refunds', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from private.guarantee_refunds(claim) r)
  )
$$;
revoke all on function private.claim_settlement from public, anon, authenticated, service_role;
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
revoke all on function private.require_granted_claim from public, anon, authenticated, service_role;
comment on function private.require_granted_claim(uuid) is 'A granted claim; FF680 for any other.';

create or replace function private.guarantee_settlement(claim_id uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_fresh_second_factor();
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
begin
  if claim.user_id = admin then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  return private.claim_settlement(claim);
end
$$;
comment on function private.guarantee_settlement(uuid) is
  'What a granted claim is still owed, for an administrator with a fresh code. FF680, FF681.';

create or replace function private.guarantee_queue() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    select coalesce(jsonb_agg(private.claim_answer(c) || jsonb_build_object(
      'user_id', c.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
      'baseline', (
        select jsonb_build_object('monthly_pence', b.monthly_pence, 'source', b.source, 'started_at', b.started_at, 'check_ins', (
          select coalesce(jsonb_agg(jsonb_build_object('month', k.month_number, 'monthly_pence', k.monthly_pence)
            order by k.month_number), '[]')
          from private.guarantee_check_ins k where k.user_id = c.user_id
        ))
        from private.guarantee_baselines b where b.user_id = c.user_id
      ),
      'to_refund', (select count(*) from private.guarantee_refunds(c) r),
      'renews', exists (select from private.claim_renewals(c))
    ) order by coalesce(c.appealed_at, c.filed_at), c.id), '[]')
    from private.guarantee_claims c
    join public.profiles p on p.id = c.user_id
    join auth.users u on u.id = c.user_id
    where c.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(c)) or exists (select from private.claim_renewals(c))
  );
end
$$;
comment on function private.guarantee_queue() is
  'Claims that wait for a decision, and granted ones with a renewal to stop or payments to refund, oldest first. For administrators with a second factor.';

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
revoke all on function private.is_claim_refund_due from public, anon, authenticated, service_role;
comment on function private.is_claim_refund_due(text, boolean) is
  'Whether a refund may be asked for now: no other call is at it (two minutes), and for the scheduled run a wait from 15 minutes to 4 days after each failure.';

create function private.billing_claims_to_settle() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select c.id from private.guarantee_claims c
  where c.state = 'granted' and (
    c.renewal_stopped_at is null
    or exists (select from private.guarantee_refunds(c) r where private.is_claim_refund_due(r.payment_id, true))
  )
  order by c.decided_at, c.id limit 100
$$;
revoke all on function private.billing_claims_to_settle from public, anon, authenticated, service_role;
comment on function private.billing_claims_to_settle() is 'Granted claims with a renewal to stop or a refund to make; a hundred of the oldest.';
grant execute on function private.billing_claims_to_settle() to service_role;

create function private.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select private.claim_settlement(private.require_granted_claim(claim_id))
$$;
revoke all on function private.billing_claim_settlement from public, anon, authenticated, service_role;
comment on function private.billing_claim_settlement(uuid) is 'What a granted claim is still owed. FF680.';
grant execute on function private.billing_claim_settlement(uuid) to service_role;

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
revoke all on function private.billing_claim_renewal_stopped from public, anon, authenticated, service_role;
comment on function private.billing_claim_renewal_stopped(uuid, uuid) is
  'Writes down that the membership of a granted claim no longer renews. Without an administrator the one who granted stands in the log. Audited once.';
grant execute on function private.billing_claim_renewal_stopped(uuid, uuid) to service_role;

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
revoke all on function private.billing_begin_claim_refund from public, anon, authenticated, service_role;
comment on function private.billing_begin_claim_refund(uuid, text, uuid) is
  'Records a refund of a granted claim before the card provider is asked; null when nothing is owed or another call is at it. Audited.';
grant execute on function private.billing_begin_claim_refund(uuid, text, uuid) to service_role;
