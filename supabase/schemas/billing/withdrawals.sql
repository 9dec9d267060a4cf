-- The right to withdraw (Consumer Contracts Regulations 2013): within 14 days after the day on which a membership was paid
-- for first, or a course was, the contract is taken back. What was paid is refunded and what it opened ends at once.
create table private.withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  subscription_id text unique,
  purchase_id uuid unique references private.course_purchases (id) on delete cascade,
  requested_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint withdrawals_subject_check check (num_nonnulls(subscription_id, purchase_id) = 1)
);
create index withdrawals_user_id_idx on private.withdrawals (user_id);
alter table private.withdrawals enable row level security;
comment on table private.withdrawals is 'Memberships and bought courses that were withdrawn from within 14 days. The refunds are in refund_requests.';
comment on column private.withdrawals.settled_at is 'When everything was refunded and the subscription had ended; null while something is left to do.';

create function private.left_to_refund(charge text) returns table (amount bigint, currency text, paid_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select c.amount - greatest(c.amount_refunded, f.asked), r.currency, r.happened_at
  from private.billing_charges c
  join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
  cross join lateral (
    select coalesce(sum(q.amount_pence) filter (where q.state in ('started', 'unclear', 'made')), 0)::bigint as asked
    from private.refund_requests q where q.charge_id = c.charge_id
  ) f
  where c.charge_id = charge and coalesce(c.dispute, 'won') = 'won' and c.amount > greatest(c.amount_refunded, f.asked)
$$;
comment on function private.left_to_refund(text) is 'What of a payment was neither refunded nor asked back, in pence; no row when nothing is left or the bank decides.';

create function private.withdrawal_payments(subscription text) returns table (charge_id text, amount bigint, currency text)
  language sql stable security definer set search_path = ''
as $$
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
$$;
comment on function private.withdrawal_payments(text) is
  'What comes back of each payment of a subscription, in pence: what is left of it, or less the days used where the rule says so.';

create function private.end_of_withdrawal(began timestamptz) returns timestamptz
  language sql stable set search_path = ''
as $$
  -- Fourteen days after the day of the contract, in the seller's time: the last of them counts to its end.
  select private.end_of_day(began, 14)
$$;
comment on function private.end_of_withdrawal(timestamptz) is 'Until when a contract that began at this moment can be withdrawn from.';

create function private.course_withdrawal_right(member uuid)
  returns table (purchase_id uuid, charge_id text, ends_at timestamptz, amount_pence bigint)
  language sql stable security definer set search_path = ''
as $$
  select p.id, c.charge_id, private.end_of_withdrawal(l.paid_at), l.amount
  from private.live_course_purchases v
  join private.course_purchases p on p.id = v.id
  join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
  cross join lateral private.left_to_refund(c.charge_id) l
  where v.user_id = member and private.end_of_withdrawal(l.paid_at) > now()
    -- As with a membership, a second time is for staff.
    and not exists (
      select from private.withdrawals w join private.course_purchases e on e.id = w.purchase_id
      where w.user_id = member and e.course_id = p.course_id and w.requested_at > now() - interval '1 year'
    )
$$;
comment on function private.course_withdrawal_right(uuid) is
  'Courses the account bought and can give back now, until when, and what comes back. Whether they were begun does not matter.';

create function private.withdrawal_right(member uuid)
  returns table (subscription_id text, ends_at timestamptz, amount_pence bigint, currency text)
  language sql stable security definer set search_path = ''
as $$
  select s.subscription_id, w.ends_at, o.amount, o.currency
  from public.stripe_customers k
  join public.stripe_subscriptions s on s.customer_id = k.customer_id and s.deleted_at is null
  cross join lateral (
    select min(p.happened_at) as began_at from private.payment_records p
    where p.subscription_id = s.subscription_id and p.kind = 'payment' and p.status = 'succeeded' and p.amount > 0
  ) first
  cross join lateral (select private.end_of_withdrawal(first.began_at) as ends_at) w
  cross join lateral (
    select sum(l.amount)::bigint as amount, min(l.currency) as currency from private.withdrawal_payments(s.subscription_id) l
  ) o
  where k.user_id = member and k.deleted_at is null and s.hold is null and s.status in ('active', 'past_due')
    and w.ends_at > now() and o.amount > 0
    -- Joining and withdrawing in turn would be a membership for nothing: a second time within a year is for staff.
    and not exists (
      select from private.withdrawals earlier
      where earlier.user_id = member and earlier.subscription_id is not null and earlier.requested_at > now() - interval '1 year'
    )
$$;
comment on function private.withdrawal_right(uuid) is
  'What the account could withdraw from now, until when, and what it would get back; no row without a right to.';

-- @rpc authenticated
-- Until when the caller can withdraw from the membership, and what they would get back.
create function private.my_withdrawal_right()
  returns table (subscription_id text, ends_at timestamptz, amount_pence bigint, currency text)
  language sql stable security definer set search_path = ''
as $$ select * from private.withdrawal_right(private.require_caller()) $$;
comment on function private.my_withdrawal_right() is 'The calling account''s right to withdraw; no row without one.';

create function private.withdrawal_requests(withdrawal private.withdrawals) returns setof private.refund_requests
  language sql stable security definer set search_path = ''
as $$
  select q.*
  from private.billing_charges c
  left join private.course_purchases p on p.id = withdrawal.purchase_id
  join private.refund_requests q on q.charge_id = c.charge_id
  where (c.subscription_id = withdrawal.subscription_id or c.payment_intent_id = p.payment_intent_id) and q.id in (
    -- The first request of a payment, and one after each that had ended.
    select md5(concat_ws(':', withdrawal.id, c.charge_id, nullif(n, 0)))::uuid
    from generate_series(0, (select count(*) from private.refund_requests r where r.charge_id = c.charge_id)) n
  )
$$;
comment on function private.withdrawal_requests(private.withdrawals) is 'The refunds that were asked for because of a withdrawal, with each further try.';

create function private.withdrawal_left(withdrawal private.withdrawals)
  returns table (payment_id text, amount_pence bigint, is_with_bank boolean, is_open boolean, ended bigint, last_tried_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select c.charge_id, l.amount, coalesce(c.dispute, 'won') <> 'won', f.is_open, f.ended, f.last_tried_at
  from private.withdrawal_requests(withdrawal) q
  join private.billing_charges c on c.charge_id = q.charge_id
  cross join lateral (
    select coalesce(sum(r.amount_pence) filter (where r.state = 'made'), 0)::bigint as made,
      coalesce(sum(r.amount_pence) filter (where r.state = 'made' and r.requested_at >= withdrawal.requested_at), 0)::bigint as since,
      count(*) filter (where r.state in ('made', 'failed', 'refused')) as ended,
      bool_or(r.state in ('started', 'unclear')) as is_open, max(r.last_tried_at) as last_tried_at
    from private.refund_requests r where r.charge_id = c.charge_id
  ) f
  -- Made at the provider itself, or by a request of ours that does not know it yet. The provider counts whole seconds.
  cross join lateral (
    select coalesce(sum(o.amount), 0)::bigint as amount from (
      select distinct on (r.provider_id) r.amount from private.payment_records r
      where r.charge_id = c.charge_id and r.kind = 'refund' and r.happened_at >= date_trunc('second', withdrawal.requested_at)
        and not exists (select from private.refund_requests k where k.refund_id = r.provider_id)
        and not exists (
          select from private.payment_records n where n.provider_id = r.provider_id and n.status in ('failed', 'canceled')
        )
    ) o
  ) elsewhere
  cross join lateral (
    select least(q.amount_pence - f.since - elsewhere.amount, c.amount - greatest(c.amount_refunded, f.made)) as amount
  ) l
  where q.id = md5(concat_ws(':', withdrawal.id, c.charge_id))::uuid and c.dispute is distinct from 'lost' and l.amount > 0
$$;
comment on function private.withdrawal_left(private.withdrawals) is
  'What a withdrawal still has to give back of each payment, in pence: less what was given back since, by us or at the provider. A payment lost to the bank has nothing left.';

-- @rpc service_role
-- Server: begin or go on with a withdrawal from the membership, or from a course that was bought.
create function private.billing_begin_withdrawal(member uuid, purchase uuid default null) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  begun private.withdrawals;
begin
  perform private.lock_billing(member);
  -- A refund that staff begin at this moment is counted, or waits.
  perform from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id
  where k.user_id = member for update of c;
  select w.* into begun from private.withdrawals w
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null;
  if not found then
    if purchase is null then
      select r.*, null::text as charge_id into due from private.withdrawal_right(member) r;
    else
      select null::text as subscription_id, r.* into due from private.course_withdrawal_right(member) r where r.purchase_id = purchase;
    end if;
    if not found then
      return null;
    end if;
    insert into private.withdrawals (user_id, subscription_id, purchase_id) values (member, due.subscription_id, purchase)
    returning * into begun;
    insert into private.refund_requests (id, charge_id, amount_pence, reason)
    select md5(concat_ws(':', begun.id, p.charge_id))::uuid, p.charge_id, p.amount, 'Withdrawn within 14 days'
    from (
      select w.charge_id, w.amount from private.withdrawal_payments(due.subscription_id) w where purchase is null
      union all
      select due.charge_id, due.amount_pence where purchase is not null
    ) p where p.amount > 0;
    perform private.audit(member, 'billing.withdrawn', member, jsonb_strip_nulls(jsonb_build_object(
      'subscription_id', due.subscription_id, 'purchase_id', purchase, 'amount_pence', due.amount_pence
    )));
    if purchase is null then
      perform private.enqueue_email(member, 'membership_withdrawn', 'membership_withdrawn:' || begun.id, jsonb_build_object(
        'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = due.subscription_id limit 1),
        'amount', due.amount_pence, 'currency', due.currency, 'withdrawn_at', begun.requested_at
      ));
    end if;
  end if;
  -- What the provider refused, never got or gave back is asked for again, with an id of its own. A call that was at it has ended in two minutes.
  insert into private.refund_requests (id, charge_id, amount_pence, reason)
  select md5(concat_ws(':', begun.id, l.payment_id, l.ended))::uuid, l.payment_id, l.amount_pence, 'Withdrawn within 14 days'
  from private.withdrawal_left(begun) l
  where not l.is_with_bank and not l.is_open and l.last_tried_at < now() - interval '2 minutes';
  -- Nobody else decides meanwhile that the provider never got it.
  update private.refund_requests q set state = 'started', last_tried_at = clock_timestamp()
  where q.id in (select r.id from private.withdrawal_requests(begun) r) and q.state in ('started', 'unclear');
  return jsonb_build_object('subscription_id', begun.subscription_id, 'refunds', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'request_id', q.id, 'payment_id', q.charge_id, 'amount_pence', q.amount_pence
    ) order by q.charge_id), '[]')
    from private.withdrawal_requests(begun) q where q.state = 'started'
  ), 'is_waiting', exists (
    select from private.withdrawal_left(begun) l where not l.is_with_bank and not exists (
      select from private.withdrawal_requests(begun) q where q.charge_id = l.payment_id and q.state = 'started'
    )
  ));
end
$$;
comment on function private.billing_begin_withdrawal(uuid, uuid) is
  'Records the withdrawal of an account, its refunds and its e-mail, or goes on with the one that is not settled, whose refunds are asked for until they are made; null without a right to. Audited.';

-- @rpc service_role
-- Server: end a withdrawal whose refunds are all made.
create function private.billing_end_withdrawal(member uuid, purchase uuid default null) returns void
  language sql security definer set search_path = ''
as $$
  update private.withdrawals w set settled_at = now()
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null
    and not exists (select from private.withdrawal_left(w))
    and not exists (select from private.withdrawal_requests(w) q where q.state in ('started', 'unclear'))
$$;
comment on function private.billing_end_withdrawal(uuid, uuid) is
  'Writes down that everything of the account''s withdrawal is refunded and ended; changes nothing while a refund is not made, or a bank decides about one.';

-- @rpc service_role
-- Server: withdrawals to go on with.
create function private.billing_open_withdrawals() returns table (member uuid, purchase uuid)
  language sql stable security definer set search_path = ''
as $$
  select w.user_id, w.purchase_id from private.withdrawals w
  where w.settled_at is null and w.requested_at < now() - interval '5 minutes' and (
    not exists (select from private.withdrawal_left(w) l where not l.is_with_bank)
    or exists (select from private.withdrawal_left(w) l where not l.is_with_bank and private.is_claim_refund_due(l.payment_id, true))
  )
  order by w.requested_at limit 100
$$;
comment on function private.billing_open_withdrawals() is
  'Withdrawals that no call is at work on and that are not settled, with the course; a hundred of the oldest. After each refund that came to nothing it waits longer.';

create function private.export_part_withdrawals(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('withdrawals', coalesce((
    select jsonb_agg(to_jsonb(w) order by w.requested_at) from private.withdrawals w where w.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_withdrawals(uuid) is 'Withdrawals of one account.';
