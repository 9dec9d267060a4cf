-- Claims in the console: what waits, the decision, and the refunds that a granted claim is owed.
-- @rpc authenticated
-- Administrators: claims under the guarantee that wait.
create function private.guarantee_queue() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    select coalesce(jsonb_agg(private.claim_answer(c) || jsonb_build_object(
      'user_id', c.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
      'baseline', (
        select jsonb_build_object(
          'monthly_pence', b.monthly_pence, 'source', b.source, 'started_at', b.started_at,
          'has_document', c.state in ('filed', 'appealed') and b.document_name is not null,
          'check_ins', (
            select coalesce(jsonb_agg(jsonb_build_object('month', k.month_number, 'monthly_pence', k.monthly_pence)
              order by k.month_number), '[]')
            from private.guarantee_check_ins k where k.user_id = c.user_id
          )
        )
        from private.guarantee_baselines b where b.user_id = c.user_id
      ),
      'to_refund', (select count(*) from private.guarantee_refunds(c) r),
      'renews', exists (select from private.claim_renewals(c))
    ) order by coalesce(c.appealed_at, c.filed_at), c.id), '[]')
    from private.guarantee_claims c
    join public.profiles p on p.id = c.user_id
    join auth.users u on u.id = c.user_id
    where private.claim_waits(c)
  );
end
$$;
comment on function private.guarantee_queue() is
  'Claims that wait for a decision, and granted ones with a renewal to stop or payments to refund, oldest first. For administrators with a second factor.';

-- The id follows from the claim, so a refund that was asked for twice is made once. One that the bank gave back is asked for anew.
-- A refund that was made counts before the provider's event arrives.
create function private.guarantee_refunds(claim private.guarantee_claims)
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
    and not exists (select from private.gift_memberships k where k.payment_intent_id = b.payment_intent_id)
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

create function private.claim_waits(claim private.guarantee_claims) returns boolean
  language sql stable set search_path = '' as $$
  select claim.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(claim))
    or exists (select from private.claim_renewals(claim))
$$;
comment on function private.claim_waits(private.guarantee_claims) is
  'Whether a claim waits for a decision, or a granted one for its renewal to be stopped or payments to be refunded.';

-- The administrator who declined does not decide about the appeal. The membership comes before the money, so that nobody is locked out in between.
-- @rpc authenticated
-- Administrators: grant or decline a claim, with a reason.
create function private.decide_guarantee_claim(claim_id uuid, is_granted boolean, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_fresh_second_factor();
  why constant text := private.require_act_reason(reason);
  claim private.guarantee_claims;
  -- The plan that was paid for: a complimentary membership of another may run beside it, and gives the role meanwhile.
  plan constant text := (
    select coalesce((
      select o.plan_id from public.stripe_customers s
      join public.stripe_subscriptions b on b.customer_id = s.customer_id
      join private.plan_prices o on o.price_id = b.price_id
      where s.user_id = c.user_id limit 1
    ), (
      select l.id from public.profiles p join public.plans l on l.role = case p.role when 'mentor' then 'mentor' else 'student' end
      where p.id = c.user_id
    ))
    from private.guarantee_claims c where c.id = claim_id
  );
  outcome text;
begin
  select c.* into claim from private.guarantee_claims c where c.id = claim_id for update;
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  if claim.user_id = admin then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  if claim.state not in ('filed', 'appealed') then
    perform private.fail('FF682', 'This claim has been decided already.');
  end if;
  if claim.state = 'appealed' and claim.decided_by = admin then
    perform private.fail('FF683', 'Another administrator has to decide about the appeal.');
  end if;
  outcome := case when is_granted then 'granted' when claim.state = 'appealed' then 'refused' else 'declined' end;
  update private.guarantee_claims c set state = outcome, reason = why, decided_at = now(), decided_by = admin where c.id = claim_id;
  if is_granted then
    -- One that was given for some days has its end. One of another plan makes room for the one that is owed.
    update public.complimentary_memberships m set ended_at = least(m.ends_at, now())
    where m.user_id = claim.user_id and m.ended_at is null and (m.ends_at <= now() or m.ends_at > now() and m.plan_id <> plan);
    update public.complimentary_memberships m set ends_at = null where m.user_id = claim.user_id and m.ended_at is null;
    if not found then
      insert into public.complimentary_memberships (user_id, plan_id, reason) values (claim.user_id, plan, 'Guarantee');
    end if;
    perform private.set_role_from_plan(claim.user_id, private.plan_role(claim.user_id));
  end if;
  perform private.audit(admin, 'guarantee.decided', claim.user_id, jsonb_build_object(
    'claim', claim_id, 'before', jsonb_build_object('state', claim.state), 'after', jsonb_build_object('state', outcome), 'reason', why
  ));
end
$$;
comment on function private.decide_guarantee_claim(uuid, boolean, text) is
  'Grants or declines a claim, with a fresh code of the second factor. Granted: an open-ended membership at once; the refunds follow. FF680–FF683. Audited.';

-- @rpc authenticated
-- Administrators: what a granted claim is still owed; the function admin-settle-guarantee asks the card provider.
create function private.guarantee_settlement(claim_id uuid) returns jsonb
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
