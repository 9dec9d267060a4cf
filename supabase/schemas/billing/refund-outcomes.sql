-- @rpc authenticated
-- Administrators: refunds whose end is not known, at most 500; repeating the same request finishes one.
create function private.admin_unfinished_refunds() returns table (
  request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamptz,
  user_id uuid, email text, first_name text, last_name text
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select q.id, q.charge_id, q.amount_pence, y.currency, q.reason, q.state, q.requested_at,
      y.user_id, y.email, y.first_name, y.last_name
    from private.refund_requests q left join private.payments y on y.payment_id = q.charge_id
    where q.state in ('started', 'unclear') order by q.requested_at, q.id limit 500;
end
$$;
comment on function private.admin_unfinished_refunds() is 'Refunds that were asked for and whose end is not known, oldest first.';

-- A function that is still at work writes the end itself, with its administrator's name.
-- @rpc service_role
-- Server: how a refund stands at the card provider.
create function private.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text)
  returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform from private.refund_requests q
  where q.id = request and q.charge_id = payment
    and (q.state <> 'started' or q.last_tried_at < now() - interval '10 minutes')
  for update;
  if found then
    perform private.billing_end_refund(request, null, outcome, refund, detail);
  end if;
end
$$;
comment on function private.billing_settle_refund(uuid, text, text, text, text) is
  'Writes the end of a refund as the card provider shows it later, unless a function is asking for it now.';

-- @rpc service_role
-- Server: refunds to look up at the card provider.
create function private.billing_unsettled_refunds() returns table (request_id uuid, payment_id text)
  language sql stable security definer set search_path = '' as $$
  select q.id, q.charge_id from private.refund_requests q
  where q.state in ('started', 'unclear') and q.last_tried_at < now() - interval '10 minutes'
  order by q.last_tried_at, q.id limit 100
$$;
comment on function private.billing_unsettled_refunds() is
  'Refunds whose end is not known and that no function asks for now; a hundred of the oldest.';

-- The form of a refund says it before the money goes: what ends is decided by the same rules when the refund is read.
-- @rpc authenticated
-- Administrators: what a refund of the whole payment ends at once (membership, plan, course or gift); no row when it ends nothing.
create function private.admin_refund_effect(payment text) returns table (ends text, ends_at timestamptz, title text)
  language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.admin_refund_effect(text) is
  'What ends when all of a payment is refunded, and until when it would have gone on: a live membership, the plan that a difference was paid for, a course that was bought, a gift that is good.';

-- A suspended member cannot reach the page that cancels, so an administrator can.

-- Recorded before the card provider is asked, as refunds are.
-- @rpc authenticated
-- Administrators: begin to stop the renewal of a member's subscription; the function admin-stop-renewal asks the card provider.
create function private.admin_begin_stop_renewal(member uuid, reason text) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  subscription text;
begin
  select s.subscription_id into subscription
  from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
  where c.user_id = account.id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing', 'past_due');
  if subscription is null then
    perform private.fail('FF520', 'There is no subscription that renews.');
  end if;
  perform private.audit(admin, 'account.renewal_stopped', member, jsonb_build_object(
    'subscription_id', subscription, 'reason', why,
    'before', jsonb_build_object('renews', true), 'after', jsonb_build_object('renews', false)
  ));
  return subscription;
end
$$;
comment on function private.admin_begin_stop_renewal(uuid, text) is
  'The subscription of a member whose renewal an administrator is about to stop; FF520 without one. Audited.';
