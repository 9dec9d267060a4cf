-- The right to withdraw (Consumer Contracts Regulations 2013): within 14 days after the day on which a membership was paid
-- for first, a member takes the contract back. What was paid is refunded and the membership ends at once.
create table private.withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  subscription_id text not null unique,
  requested_at timestamptz not null default now(),
  settled_at timestamptz
);
create index withdrawals_user_id_idx on private.withdrawals (user_id);
alter table private.withdrawals enable row level security;
comment on table private.withdrawals is 'Memberships that were withdrawn from within 14 days. The refunds are in refund_requests.';
comment on column private.withdrawals.settled_at is 'When everything was refunded and the subscription had ended; null while something is left to do.';

create function private.withdrawal_payments(subscription text) returns table (charge_id text, amount bigint, currency text)
  language sql stable security definer set search_path = ''
as $$
  select c.charge_id, c.amount - greatest(c.amount_refunded, f.asked), r.currency
  from private.billing_charges c
  join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
  cross join lateral (
    select coalesce(sum(q.amount_pence) filter (where q.state in ('started', 'unclear', 'made')), 0)::bigint as asked
    from private.refund_requests q where q.charge_id = c.charge_id
  ) f
  where c.subscription_id = subscription and coalesce(c.dispute, 'won') = 'won'
    and c.amount > greatest(c.amount_refunded, f.asked)
$$;
comment on function private.withdrawal_payments(text) is 'What is left to refund of each payment of a subscription, in pence.';

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
  -- Fourteen days after the day of the contract, in the seller's time: the last of them counts to its end.
  cross join lateral (
    select (date_trunc('day', first.began_at at time zone 'Europe/London') + interval '15 days') at time zone 'Europe/London' as ends_at
  ) w
  cross join lateral (
    select sum(l.amount)::bigint as amount, min(l.currency) as currency from private.withdrawal_payments(s.subscription_id) l
  ) o
  where k.user_id = member and k.deleted_at is null and s.hold is null and s.status in ('active', 'past_due')
    and w.ends_at > now() and o.amount > 0
    -- Joining and withdrawing in turn would be a membership for nothing: a second time within a year is for staff.
    and not exists (
      select from private.withdrawals earlier
      where earlier.user_id = member and earlier.requested_at > now() - interval '1 year'
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

-- @rpc service_role
-- Server: begin or go on with a withdrawal.
create function private.billing_begin_withdrawal(member uuid) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  begun private.withdrawals;
begin
  perform private.lock_billing(member);
  select w.* into begun from private.withdrawals w where w.user_id = member and w.settled_at is null;
  if not found then
    -- A refund that staff begin at this moment is counted, or waits.
    perform from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id
    where k.user_id = member for update of c;
    select r.* into due from private.withdrawal_right(member) r;
    if not found then
      return null;
    end if;
    insert into private.withdrawals (user_id, subscription_id) values (member, due.subscription_id) returning * into begun;
    insert into private.refund_requests (id, charge_id, amount_pence, reason)
    select md5(concat_ws(':', begun.id, p.charge_id))::uuid, p.charge_id, p.amount, 'Withdrawn within 14 days'
    from private.withdrawal_payments(due.subscription_id) p;
    perform private.audit(member, 'billing.withdrawn', member, jsonb_build_object(
      'subscription_id', due.subscription_id, 'amount_pence', due.amount_pence
    ));
    perform private.enqueue_email(member, 'membership_withdrawn', 'membership_withdrawn:' || begun.id, jsonb_build_object(
      'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = due.subscription_id limit 1),
      'amount', due.amount_pence, 'currency', due.currency, 'withdrawn_at', begun.requested_at
    ));
  end if;
  return jsonb_build_object('subscription_id', begun.subscription_id, 'refunds', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'request_id', q.id, 'payment_id', q.charge_id, 'amount_pence', q.amount_pence
    ) order by q.charge_id), '[]')
    from private.billing_charges c
    join private.refund_requests q on q.id = md5(concat_ws(':', begun.id, c.charge_id))::uuid
    where c.subscription_id = begun.subscription_id and q.state in ('started', 'unclear')
  ));
end
$$;
comment on function private.billing_begin_withdrawal(uuid) is
  'Records the withdrawal of an account, its refunds and its e-mail, or goes on with the one that is not settled; null without a right to. Audited.';

-- @rpc service_role
-- Server: a withdrawal is settled.
create function private.billing_end_withdrawal(member uuid) returns void
  language sql security definer set search_path = ''
as $$
  update private.withdrawals w set settled_at = now() where w.user_id = member and w.settled_at is null
$$;
comment on function private.billing_end_withdrawal(uuid) is 'Everything of the account''s withdrawal is refunded and ended.';

-- @rpc service_role
-- Server: withdrawals to go on with.
create function private.billing_open_withdrawals() returns setof uuid
  language sql stable security definer set search_path = ''
as $$
  select w.user_id from private.withdrawals w
  where w.settled_at is null and w.requested_at < now() - interval '5 minutes'
  order by w.requested_at limit 100
$$;
comment on function private.billing_open_withdrawals() is 'Accounts whose withdrawal no call is at work on and that is not settled; a hundred of the oldest.';

create function private.export_part_withdrawals(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('withdrawals', coalesce((
    select jsonb_agg(to_jsonb(w) order by w.requested_at) from private.withdrawals w where w.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_withdrawals(uuid) is 'Withdrawals of one account.';
