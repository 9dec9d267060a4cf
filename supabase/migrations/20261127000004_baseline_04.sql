-- Part 4 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/plans.sql

-- The one definition of a live membership. Only subscriptions to a plan's price count: other products sold at the provider
-- give no membership.
create view private.live_memberships with (security_invoker = true) as
select c.user_id, s.price_id
from public.stripe_customers c
join public.stripe_subscriptions s on s.customer_id = c.customer_id
where c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
  and exists (select from private.plan_prices o where o.price_id = s.price_id)
union all
select m.user_id, m.price_id from private.current_complimentary_memberships m;
comment on view private.live_memberships is
  'Subscriptions that are active or trialing, and complimentary memberships, by account and price.';

-- plpgsql caches the plan. Policies call this for every subscriber of every change.
create function private.has_live_membership(member uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.live_memberships m where m.user_id = member);
end
$$;
comment on function private.has_live_membership(uuid) is 'True while a subscription of the account is active or trialing, or a complimentary membership runs.';

-- The role of the live membership's plan; student without one.
create function private.plan_role(member uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce((
    select p.role from private.live_memberships m
    join private.plan_prices o on o.price_id = m.price_id
    join public.plans p on p.id = o.plan_id
    where m.user_id = member order by p.role = 'mentor' desc limit 1
  ), 'student')
$$;
comment on function private.plan_role(uuid) is 'mentor while a live membership is of the mentor plan, else student.';

-- billing/purchases.sql

-- State of the payment functions that prevents double charges. docs/subsystems/billing.md explains it.

-- One row for each press of PAY. Only the function that holds the open row may call the card provider for that member.
create table private.billing_attempts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  price_id text not null,
  state text not null default 'working' constraint billing_attempts_state_check
    check (state in ('working', 'unknown', 'needs_action', 'paid', 'failed', 'abandoned')),
  subscription_id text unique,
  lease_until timestamptz not null default clock_timestamp() + interval '60 seconds',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
comment on table private.billing_attempts is 'Attempts at buying a plan; the id is also the idempotency key at the card provider.';
comment on column private.billing_attempts.state is
  'working: a function is running. unknown: the provider''s answer was lost. needs_action: the bank asks the member. paid, failed: finished. abandoned: replaced by a later attempt that has yet to clean up.';
comment on column private.billing_attempts.subscription_id is
  'Recorded before any money moves; only a recorded subscription is ever paid.';
comment on column private.billing_attempts.lease_until is 'Until then a working attempt counts as running.';
create unique index billing_attempts_one_open on private.billing_attempts (user_id)
  where state in ('working', 'unknown', 'needs_action');
create index billing_attempts_user_id_idx on private.billing_attempts (user_id, created_at desc);
alter table private.billing_attempts enable row level security;

-- Serialises the billing steps of one member.
create function private.lock_billing(member uuid) returns void
  language sql volatile set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('billing:' || member::text, 0))
$$;
comment on function private.lock_billing(uuid) is 'Blocks other billing steps of the member until the transaction ends.';

-- The customer of a member. The generation changes the provider's idempotency key after a customer was deleted.
-- @rpc service_role
-- Server: the current customer of an account.
create function private.billing_customer(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'customer_id', max(c.customer_id) filter (where c.deleted_at is null),
    'generation', count(*) filter (where c.deleted_at is not null)
  ) from public.stripe_customers c where c.user_id = member
$$;
comment on function private.billing_customer(uuid) is 'The current customer of an account, if any, and how many it had before.';

-- When two functions create a customer at once, the first one is stored and returned to both.
-- @rpc service_role
-- Server: store the customer of an account.
create function private.billing_record_customer(member uuid, customer text) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  current_customer text;
begin
  perform private.lock_billing(member);
  select c.customer_id into current_customer
  from public.stripe_customers c where c.user_id = member and c.deleted_at is null;
  if found then
    return current_customer;
  end if;
  insert into public.stripe_customers (customer_id, user_id) values (customer, member);
  return customer;
end
$$;
comment on function private.billing_record_customer(uuid, text) is 'Stores the customer of an account that has none; returns the stored one.';

-- Begins every purchase. A second click waits for the first attempt and joins its result, so it is charged once.
-- @rpc service_role
-- Server: open an attempt at buying a plan.
create function private.billing_begin_purchase(member uuid, price text, joining uuid default null) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  held private.billing_attempts;
  joined private.billing_attempts;
  begun uuid;
begin
  perform private.lock_billing(member);
  if not exists (select from public.plans p where p.price_id = price and p.is_active) then
    return jsonb_build_object('state', 'unknown_price');
  end if;
  select a.* into held from private.billing_attempts a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'attempt_id', held.id);
  end if;
  select a.* into joined from private.billing_attempts a
  where a.id = joining and a.user_id = member and a.price_id = price and a.state in ('paid', 'needs_action')
    and a.subscription_id is not null;
  if found then
    return jsonb_build_object('state', 'joined', 'attempt_id', joined.id, 'subscription_id', joined.subscription_id);
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.billing_attempts a
      where a.user_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.billing_attempts a set state = 'abandoned', updated_at = clock_timestamp() where a.id = held.id;
  insert into private.billing_attempts (user_id, price_id) values (member, price) returning id into begun;
  return jsonb_build_object(
    'state', 'begun',
    'attempt_id', begun,
    'leftovers', (
      select coalesce(jsonb_agg(a.subscription_id), '[]') from private.billing_attempts a
      where a.user_id = member and a.state = 'abandoned' and a.subscription_id is not null
    ),
    'recent', (
      select coalesce(jsonb_agg(a.subscription_id), '[]') from private.billing_attempts a
      where a.user_id = member and a.price_id = price and a.subscription_id is not null
        and a.created_at > clock_timestamp() - interval '15 minutes'
    )
  );
end
$$;
comment on function private.billing_begin_purchase(uuid, text, uuid) is
  'Opens an attempt and lists the subscriptions to clean up and those bought recently; or busy, joined, unknown_price, too_many.';

-- Fencing: an attempt that another one has replaced gets false and must not pay.
-- @rpc service_role
-- Server: claim a subscription for an attempt before paying.
create function private.billing_record_subscription(attempt uuid, subscription text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  update private.billing_attempts a
  set subscription_id = subscription,
    lease_until = clock_timestamp() + interval '60 seconds', updated_at = clock_timestamp()
  where a.id = attempt and a.state = 'working' and coalesce(a.subscription_id, subscription) = subscription;
  return found;
end
$$;
comment on function private.billing_record_subscription(uuid, text) is 'True when the attempt still counts and may pay this subscription.';

-- An abandoned attempt can only become paid or failed.
-- @rpc service_role
-- Server: close an attempt.
create function private.billing_end_attempt(attempt uuid, outcome text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.billing_attempts a set state = outcome, updated_at = clock_timestamp()
  where a.id = attempt and outcome in ('unknown', 'needs_action', 'paid', 'failed')
    and (a.state in ('working', 'unknown', 'needs_action')
      or a.state = 'abandoned' and outcome in ('paid', 'failed'))
$$;
comment on function private.billing_end_attempt(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

-- billing/reconcile.sql

-- The scheduled reconciliation that repairs the effects of lost webhooks and crashes.

-- When a customer was last compared with the provider.
create table private.billing_checks (
  customer_id text primary key references public.stripe_customers (customer_id) on update cascade on delete cascade,
  checked_at timestamptz not null
);
comment on table private.billing_checks is 'Last comparison of each customer with the card provider.';
alter table private.billing_checks enable row level security;

-- An account may be deleted while its subscription runs. Its customer must be deleted at the provider, or charges go on.
create table private.billing_customers_to_delete (
  customer_id text primary key,
  departed_at timestamptz not null default now()
);
comment on table private.billing_customers_to_delete is 'Customers of deleted accounts that must still be deleted at the card provider.';
alter table private.billing_customers_to_delete enable row level security;

create function private.tg_stripe_customers__remember_departed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if old.deleted_at is null then
    insert into private.billing_customers_to_delete (customer_id) values (old.customer_id) on conflict do nothing;
  end if;
  return null;
end
$$;

create trigger stripe_customers__remember_departed after delete on public.stripe_customers
  for each row execute function private.tg_stripe_customers__remember_departed();

-- @rpc service_role
-- Server: customers to delete at the provider.
create function private.billing_customers_to_delete() returns setof text
  language sql stable security definer set search_path = '' as $$
  select d.customer_id from private.billing_customers_to_delete d order by d.departed_at limit 100
$$;
comment on function private.billing_customers_to_delete() is 'Customers to delete at the card provider, oldest first.';

-- @rpc service_role
-- Server: a departed customer was deleted.
create function private.billing_forget_departed(customer text) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from private.billing_customers_to_delete d where d.customer_id = customer
$$;
comment on function private.billing_forget_departed(text) is 'Forgets a customer that was deleted at the card provider.';

-- Takes the customers to compare next. Rows are claimed, so that two concurrent runs do not do the same work.
-- @rpc service_role
-- Server: customers to compare with the provider.
create function private.billing_take_due(all_customers boolean default false, batch integer default 100)
 returns table(customer_id text, fresh_attempts jsonb)
 language plpgsql
 security definer
 set search_path = ''
as $$
begin
  return query
    with due as (
      select c.customer_id, c.user_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
      where c.deleted_at is null and (
        all_customers
        -- Restored from a backup: whatever its state was then.
        or k.checked_at = '-infinity'
        -- A purchase that must be finished by now, or was left open.
        or exists (
          select from private.billing_attempts a where a.user_id = c.user_id
            and (a.state in ('unknown', 'needs_action', 'abandoned')
              or a.state = 'working' and a.lease_until < now()
              or a.updated_at > coalesce(k.checked_at, '-infinity') and a.state <> 'working')
        )
        -- A renewal whose webhook is missing.
        or s.status in ('active', 'trialing') and s.current_period_end < extract(epoch from now())
        -- A temporary status is compared every hour, a live one every day.
        or s.status in ('incomplete', 'past_due', 'unpaid', 'paused')
          and coalesce(k.checked_at, '-infinity') < now() - interval '1 hour'
        or s.status in ('active', 'trialing') and coalesce(k.checked_at, '-infinity') < now() - interval '1 day'
      )
      order by k.checked_at nulls first, c.customer_id
      limit batch
      for update of c skip locked
    ),
    taken as (
      insert into private.billing_checks as k (customer_id, checked_at)
      select d.customer_id, now() from due d
      on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at
      returning k.customer_id
    )
    select d.customer_id, (
      select coalesce(jsonb_agg(a.id), '[]') from private.billing_attempts a
      where a.user_id = d.user_id
        and (a.state = 'working' and a.lease_until > now()
          or a.state in ('unknown', 'needs_action') and a.updated_at > now() - interval '1 hour')
    )
    from due d join taken t on t.customer_id = d.customer_id;
end
$$;
comment on function private.billing_take_due(boolean, integer) is
  'Customers to compare with the provider now, with their attempts that must not be closed.';

-- Closes open attempts without a running function, after their subscriptions were reconciled.
-- @rpc service_role
-- Server: close settled attempts of a customer.
create function private.billing_close_attempts(customer text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.billing_attempts a set state = 'failed', updated_at = clock_timestamp()
  from public.stripe_customers c
  where c.customer_id = customer and a.user_id = c.user_id
    and (a.state = 'abandoned'
      or a.state = 'working' and a.lease_until < now()
      or a.state in ('unknown', 'needs_action') and a.updated_at < now() - interval '1 hour')
$$;
comment on function private.billing_close_attempts(text) is 'Closes the attempts of a reconciled customer.';

-- Records refunds and cancellations made by the product, each once: two deliveries at a time may find the same one due.
-- @rpc service_role
-- Server: audit a change made by the reconciliation.
create function private.billing_audit(customer text, action text, detail jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  entry jsonb := detail || jsonb_build_object('customer_id', customer);
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer for update;
  if not exists (
    select from private.audit_log a where a.subject = member and a.action = billing_audit.action and a.detail = entry
  ) then
    perform private.audit(null, action, member, entry);
  end if;
end
$$;
comment on function private.billing_audit(text, text, jsonb) is 'Adds an entry about a customer to the audit log.';

-- Providers send an event again for days, not for months.
-- @rpc service_role
-- Server: delete old events and attempts.
create function private.billing_purge() returns void
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billing_events e where e.applied_at < now() - interval '60 days';
  delete from private.billing_attempts a
  where a.state in ('paid', 'failed') and a.updated_at < now() - interval '60 days';
  delete from private.billing_failures f where f.last_failed_at < now() - interval '60 days';
  delete from private.billing_sync_versions r where not exists (
    select from public.stripe_subscriptions s where s.subscription_id = r.subscription_id
  );
  delete from private.plan_change_quotes q where q.created_at < now() - interval '1 day';
end
$$;
comment on function private.billing_purge() is 'Deletes event ids and finished attempts older than 60 days, previews older than a day, and readings of deleted accounts.';
comment on column private.billing_checks.checked_at is '-infinity after a restore from a backup: to be compared whatever its state.';

-- A customer that was dropped because the card provider did not know it comes back when the provider does: the key was
-- another account's, or the data there was restored. Deleted customers stay readable there as deleted, so that they stay dropped.
-- @rpc service_role
-- Server: dropped customers to look up again.
create function private.billing_take_dropped(everybody boolean, batch integer) returns setof text
  language plpgsql security definer set search_path = ''
as $$
begin
  return query
    with due as (
      select c.customer_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      where c.deleted_at > now() - interval '60 days'
        and (everybody or coalesce(k.checked_at, '-infinity') < now() - interval '1 hour')
      order by k.checked_at nulls first, c.customer_id
      limit batch
      for update of c skip locked
    )
    insert into private.billing_checks as k (customer_id, checked_at)
    select d.customer_id, now() from due d
    on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at
    returning k.customer_id;
end
$$;
comment on function private.billing_take_dropped(boolean, integer) is
  'Customers dropped in the last 60 days, to be looked up at the card provider again: each once an hour.';

-- @rpc service_role
-- Server: a dropped customer exists at the provider after all.
create function private.billing_restore_customer(customer text) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  member uuid;
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer and c.deleted_at is not null;
  if not found then
    return false;
  end if;
  perform private.lock_billing(member);
  update public.stripe_customers c set deleted_at = null
  where c.customer_id = customer and c.deleted_at is not null and not exists (
    select from public.stripe_customers other where other.user_id = member and other.deleted_at is null
  );
  if not found then
    return false;
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  perform private.audit(null, 'billing.customer_restored', member, jsonb_build_object('customer_id', customer));
  return true;
end
$$;
comment on function private.billing_restore_customer(text) is
  'Makes a dropped customer the account''s current one again; false when it was not dropped, or the account has another by now. Audited.';

-- billing/refund-outcomes.sql

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

-- billing/refunds.sql

-- Refunds that administrators ask for, and provider events that could not be applied.
create table private.refund_requests (
  id uuid primary key,
  charge_id text not null,
  amount_pence bigint not null constraint refund_requests_amount_check check (amount_pence > 0),
  reason text not null,
  state text not null default 'started',
  refund_id text unique,
  requested_at timestamptz not null default now(),
  last_tried_at timestamptz not null default now(),
  constraint refund_requests_state_check
    check (state in ('started', 'made', 'refused', 'unclear', 'failed'))
);
comment on table private.refund_requests is
  'Refunds asked for in the console. The id is the idempotency key at the card provider. Names no account; the audit log does.';
comment on column private.refund_requests.state is 'unclear while the card provider has not answered: the refund may have been made.';
comment on column private.refund_requests.last_tried_at is 'When a function last began to ask the card provider.';
create index refund_requests_charge_id_idx on private.refund_requests (charge_id);
alter table private.refund_requests enable row level security;

-- A payment whose account is deleted can be refunded, too: its amounts come from private.payments, which reads the
-- records that outlive the account.
-- @rpc authenticated
-- Administrators: record a refund to be made. Function admin-refund-payment calls this and then the card provider.
create function private.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_reason(reason);
  paid private.payments;
  member uuid;
  known private.refund_requests;
begin
  -- The locks let one request of a payment begin at a time; the reading goes with its account, the record stays.
  perform from private.payment_records r where r.charge_id = payment and r.kind = 'payment' for update;
  perform from private.billing_charges c where c.charge_id = payment for update;
  select y.* into paid from private.payments y where y.payment_id = payment;
  if not found then
    perform private.fail('FF250', 'There is no such payment.');
  end if;
  select q.* into known from private.refund_requests q where q.id = request;
  if found then
    if (known.charge_id, known.amount_pence, known.reason) is distinct from (payment, admin_begin_refund.amount_pence, why) then
      perform private.fail('FF251', 'This request was made for another refund.');
    end if;
    if known.state in ('made', 'failed') then
      return to_jsonb(known);
    end if;
  end if;
  if exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.id <> request and q.state in ('started', 'unclear')
  ) then
    perform private.fail('FF255', 'Another refund of this payment is not finished yet. Finish it first.');
  end if;
  if known.id is not null then
    update private.refund_requests q set state = 'started', last_tried_at = clock_timestamp() where q.id = request
    returning q.* into known;
    return to_jsonb(known);
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = payment limit 1;
  if member = admin then
    perform private.fail('FF252', 'Another administrator has to refund your own payment.');
  end if;
  if admin_begin_refund.amount_pence is null or admin_begin_refund.amount_pence < 1
    or admin_begin_refund.amount_pence > paid.amount_pence - paid.refunded_pence then
    perform private.fail('FF253', 'The amount is not between nothing and what is left of the payment.',
      (paid.amount_pence - paid.refunded_pence)::text);
  end if;
  if paid.state in ('disputed', 'dispute_lost') then
    perform private.fail('FF254', 'A disputed payment is decided by the bank and cannot be refunded.');
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (request, payment, admin_begin_refund.amount_pence, why) returning q.* into known;
  perform private.audit(admin, 'payment.refund_started', member, jsonb_build_object(
    'request', request, 'payment', payment, 'before', jsonb_build_object('refunded_pence', paid.refunded_pence),
    'after', jsonb_build_object('refunded_pence', paid.refunded_pence + admin_begin_refund.amount_pence), 'reason', why
  ));
  return to_jsonb(known);
end
$$;
comment on function private.admin_begin_refund(uuid, text, bigint, text) is
  'Checks and records a refund before the card provider is asked, for an administrator with a fresh code (FF006, FF007). A repeated request returns the same row; another one waits for its end. Audited.';

-- What was made can only fail later; what failed stays so.
-- @rpc service_role
-- Server: how a refund ended.
create function private.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text)
  returns void
  language plpgsql security definer set search_path = '' as $$
declare
  ended private.refund_requests;
  member uuid;
begin
  update private.refund_requests q set state = outcome, refund_id = coalesce(refund, q.refund_id)
  where q.id = request and q.state is distinct from outcome
    and q.state <> 'failed' and (q.state <> 'made' or outcome = 'failed')
  returning q.* into ended;
  if not found then
    return;
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = ended.charge_id limit 1;
  perform private.audit(admin, 'payment.refund_' || outcome, member, jsonb_build_object(
    'request', request, 'payment', ended.charge_id, 'refund', refund, 'amount_pence', ended.amount_pence,
    'reason', ended.reason, 'detail', detail
  ));
end
$$;
comment on function private.billing_end_refund(uuid, uuid, text, text, text) is
  'Writes how a refund ended at the card provider: made, refused, unclear or failed; the server as actor when admin is null. Audited.';

create function private.export_part_refund_requests(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('refund_requests', coalesce((
    select jsonb_agg(to_jsonb(q) order by q.requested_at) from private.refund_requests q where exists (
      select from private.payment_records r join public.stripe_customers c on c.customer_id = r.customer_id
      where r.charge_id = q.charge_id and c.user_id = member
    )), '[]'))
$$;
comment on function private.export_part_refund_requests(uuid) is 'Refunds asked for of payments of one account.';

-- Functions ask this with the caller's token before they act at the card provider.
create function public.admin_require_verified() returns uuid
  language sql stable set search_path = '' as $$ select private.require_verified_admin() $$;
comment on function public.admin_require_verified() is 'Administrators: the caller; raises FF001, FF002 or FF005 for others.';
grant execute on function public.admin_require_verified to authenticated;

-- @rpc service_role
-- Server: audit an act on money.
create function private.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if action is null or action not in (
    'coupon.create_started', 'coupon.created', 'coupon.create_failed',
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried'
  ) then
    raise exception 'no act on money is called %', action;
  end if;
  perform private.audit(admin, action, subject, detail);
end
$$;
comment on function private.admin_audit_money(uuid, text, uuid, jsonb) is 'Audits what an edge function did for an administrator.';

-- @rpc service_role
-- Server: an event that failed was processed.
create function private.billing_clear_failure(event text) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from private.billing_failures f where f.event_id = event
$$;
comment on function private.billing_clear_failure(text) is 'An event that failed was processed.';

create function public.admin_failed_events() returns table (
  event_id text, event_type text, attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, last_error text
)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_events() $$;
comment on function public.admin_failed_events() is 'Administrators: the oldest 500 events of the card provider that could not be applied.';
grant execute on function public.admin_failed_events to authenticated;

-- billing/rules.sql

-- What the owner decides about contracts with consumers.
create table public.billing_rules (
  id boolean primary key default true constraint billing_rules_id_check check (id),
  withdrawal_refund text not null default 'full'
    constraint billing_rules_withdrawal_refund_check check (withdrawal_refund in ('full', 'proportion')),
  renewal_reminder_days integer not null default 0
    constraint billing_rules_renewal_reminder_days_check check (renewal_reminder_days between 0 and 30)
);
alter table public.billing_rules enable row level security;
grant select, insert, update, delete on public.billing_rules to service_role;
grant select (withdrawal_refund, renewal_reminder_days) on public.billing_rules to anon, authenticated;

create policy select_everyone on public.billing_rules for select to anon, authenticated using (true);
comment on table public.billing_rules is 'What comes back after a withdrawal, and when members are told of a renewal: one row, or none for the defaults.';
comment on column public.billing_rules.id is 'Always true, so that there is one row.';
comment on column public.billing_rules.withdrawal_refund is 'proportion: less the days that were used of a membership, which its member asked for at once.';
comment on column public.billing_rules.renewal_reminder_days is 'Days before a renewal; 0 is no e-mail.';

-- @rpc authenticated
-- Administrators: decide what comes back after a withdrawal, and when members are told of a renewal.
create function private.set_billing_rules(withdrawal_refund text, renewal_reminder_days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - 'id' from public.billing_rules b);
begin
  if withdrawal_refund is null or withdrawal_refund not in ('full', 'proportion')
    or renewal_reminder_days is null or renewal_reminder_days not between 0 and 30 then
    perform private.fail('FF276', 'Choose what comes back, and between 0 and 30 days.');
  end if;
  insert into public.billing_rules as b (withdrawal_refund, renewal_reminder_days)
  values (set_billing_rules.withdrawal_refund, set_billing_rules.renewal_reminder_days)
  on conflict on constraint billing_rules_pkey do update
  set withdrawal_refund = excluded.withdrawal_refund, renewal_reminder_days = excluded.renewal_reminder_days;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', coalesce(before, '{"withdrawal_refund": "full", "renewal_reminder_days": 0}'),
    (select to_jsonb(b) - 'id' from public.billing_rules b)
  );
end
$$;
comment on function private.set_billing_rules(text, integer) is 'Changes the rules of withdrawals and reminders; FF276 for a value there is not. Audited.';

create function private.unused_share(amount bigint, began timestamptz, ends timestamptz) returns bigint
  language sql stable set search_path = ''
as $$
  select amount - round(amount::numeric * least(d.used, d.days) / d.days)::bigint
  from (
    select greatest(1, round(extract(epoch from ends - began) / 86400)) as days,
      greatest(0, floor(extract(epoch from now() - began) / 86400)) as used
  ) d
$$;
comment on function private.unused_share(bigint, timestamptz, timestamptz) is
  'What of an amount is for days that were not used yet; a day counts as used once it is over.';

-- billing/sync.sql

-- Applies the card provider's state: each event once, newer readings over older ones, role included, in one transaction.

-- Events that were applied. A replayed event is found here.
create table private.billing_events (
  event_id text primary key,
  event_type text not null,
  applied_at timestamptz not null default now()
);
comment on table private.billing_events is 'Ids of webhook events that were applied, kept for two months.';
create index billing_events_applied_at_idx on private.billing_events (applied_at);
alter table private.billing_events enable row level security;

create function private.billing_note_event(event text, event_type text) returns boolean
  language plpgsql set search_path = '' as $$
begin
  insert into private.billing_events (event_id, event_type) values (event, event_type) on conflict do nothing;
  return found;
end
$$;
comment on function private.billing_note_event(text, text) is 'Stores an event id; false when it was stored before.';

-- A ticket is a number drawn before the provider is read. Of two readings, the one with the higher ticket is stored.
create sequence private.billing_ticket_seq as bigint;

create table private.billing_sync_versions (
  subscription_id text primary key,
  ticket bigint not null,
  created_at_provider bigint not null,
  ended_at_provider bigint
);
comment on table private.billing_sync_versions is 'The ticket of the reading that each subscription row holds.';
comment on column private.billing_sync_versions.created_at_provider is 'Seconds since the epoch, as the card provider gives it.';
comment on column private.billing_sync_versions.ended_at_provider is 'Likewise; null while the subscription runs at the provider.';
alter table private.billing_sync_versions enable row level security;

-- @rpc service_role
-- Server: draw a ticket before reading the provider.
create function private.billing_next_ticket(event text default NULL::text) returns bigint
  language sql volatile security definer set search_path = '' as $$
  select nextval('private.billing_ticket_seq')
  where event is null or not exists (select from private.billing_events e where e.event_id = event)
$$;
comment on function private.billing_next_ticket(text) is 'A ticket for reading the provider; null when the event was applied before.';

-- Ranks the subscriptions of a customer; the highest one becomes the current row.
create function private.billing_rank(status text) returns integer
  language sql immutable set search_path = '' as $$
  select case
    when status in ('active', 'trialing') then 4
    when status = 'past_due' then 3
    when status in ('unpaid', 'paused') then 2
    when status = 'incomplete' then 1
    when status = 'not_started' then -1
    else 0
  end
$$;
comment on function private.billing_rank(text) is 'Higher is better: live, past due, stopped, incomplete, ended, not started.';

create function private.billing_elect_current(customer text) returns void
  language plpgsql set search_path = ''
as $$
declare
  best bigint;
begin
  select s.id into best from public.stripe_subscriptions s
  left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
  left join private.plan_prices o on o.price_id = s.price_id
  left join public.plans p on p.id = o.plan_id
  where s.customer_id = customer and (s.price_id is null or o.price_id is not null)
  order by private.billing_rank(s.status) desc, p.role = 'mentor' desc nulls last, r.created_at_provider desc nulls last, s.id desc limit 1;
  -- Without any of a plan's, `best` is null and no row stays.
  update public.stripe_subscriptions s set deleted_at = now()
  where s.customer_id = customer and s.id is distinct from best and s.deleted_at is null;
  update public.stripe_subscriptions s set deleted_at = null where s.id = best and s.deleted_at is not null;
end
$$;
comment on function private.billing_elect_current(text) is
  'Makes the best subscription of a customer to a plan''s price the current row; none where there is none.';

-- Refunds and disputes of each payment. They decide whether a subscription gives access.
create table private.billing_charges (
  charge_id text primary key,
  customer_id text not null references public.stripe_customers (customer_id) on update cascade on delete cascade,
  subscription_id text,
  ticket bigint not null,
  is_refunded boolean not null,
  period_start bigint,
  period_end bigint,
  dispute text constraint billing_charges_dispute_check check (dispute in ('open', 'won', 'lost')),
  amount_refunded bigint not null default 0,
  invoice_id text,
  amount bigint,
  card_brand text,
  receipt_url text,
  card_last4 text,
  upgraded_from text,
  upgraded_to text,
  card_hash bytea,
  payment_intent_id text
);
comment on table private.billing_charges is 'Latest reading of each payment at the card provider.';
comment on column private.billing_charges.subscription_id is 'Null for a payment that was for none.';
comment on column private.billing_charges.is_refunded is 'The whole amount was refunded.';
comment on column private.billing_charges.period_start is 'Start of that period, likewise.';
comment on column private.billing_charges.period_end is
  'End of the period the payment was for, in seconds since the epoch; null when it paid for none, such as a change of plan.';
comment on column private.billing_charges.dispute is 'Null without a dispute, or while the bank only inquires.';
comment on column private.billing_charges.invoice_id is 'The invoice that was paid.';
comment on column private.billing_charges.amount is 'Paid amount in the smallest unit of the currency.';
comment on column private.billing_charges.upgraded_from is
  'Price before the change of plan whose difference was paid, upgraded_to the price after it; null for other payments.';
comment on column private.billing_charges.card_hash is 'HMAC of the provider''s fingerprint of the card, as in trial_cards; null when it is not known.';
comment on column private.billing_charges.payment_intent_id is 'The payment intent that was charged; null for payments read before it was kept.';
create index billing_charges_customer_id_idx on private.billing_charges (customer_id);
create index billing_charges_invoice_id_idx on private.billing_charges (invoice_id);
create index billing_charges_subscription_id_idx on private.billing_charges (subscription_id);
-- Payments are written a few a minute; they wait for the moment that this takes.
create index billing_charges_card_hash_idx on private.billing_charges (card_hash) where card_hash is not null;
-- Payments are written a few a minute; they wait for the moment that this takes.
create index billing_charges_payment_intent_id_idx on private.billing_charges (payment_intent_id) where payment_intent_id is not null;
alter table private.billing_charges enable row level security;

-- The strongest reason to hold a subscription: dispute lost, then refunded, then disputed. A refund is ignored when a
-- later payment covers the current period, which happens when a price change starts a new period.
create function private.billing_hold(subscription text, period_start bigint) returns text
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
comment on function private.billing_hold(text, bigint) is
  'Why a subscription that is live at the provider gives no access: disputed, dispute_lost, refunded, or null.';

create function private.billing_status_under_hold(status text, hold text) returns text
  language sql immutable set search_path = '' as $$
  select case
    when hold is null or status not in ('active', 'trialing', 'past_due') then status
    when hold = 'disputed' then 'paused'
    else 'canceled'
  end
$$;
comment on function private.billing_status_under_hold(text,text) is 'The member''s status, from the provider''s status and the hold.';

-- Of several items of one subscription, the one with the best plan counts, in any position.
create function private.billing_best_item(snapshot jsonb) returns jsonb
  language sql stable set search_path = '' as $$
  select i.item
  from jsonb_array_elements(coalesce(snapshot -> 'items', jsonb_build_array(snapshot))) with ordinality i (item, place)
  left join private.plan_prices o on o.price_id = i.item ->> 'price_id'
  left join public.plans p on p.id = o.plan_id
  order by p.role = 'mentor' desc nulls last, i.place limit 1
$$;
comment on function private.billing_best_item(jsonb) is 'The item that counts: a mentor price before a student price before other prices.';

reset check_function_bodies;
