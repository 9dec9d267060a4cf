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

-- Serialises the billing steps of one member. The account is locked before any of its rows, which is the order of its
-- deletion, so that the two cannot deadlock.
create function private.lock_billing(member uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('billing:' || member::text, 0));
  perform from auth.users u where u.id = member for key share;
end
$$;
comment on function private.lock_billing(uuid) is 'Blocks other billing steps and the deletion of the member until the transaction ends.';

-- Serialises the readings of one customer: the account first, as above, then the customer's row.
create function private.lock_customer(customer text) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  member uuid;
begin
  perform from auth.users u
  where u.id = (select c.user_id from public.stripe_customers c where c.customer_id = customer) for key share;
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer for update;
  return member;
end
$$;
comment on function private.lock_customer(text) is 'Blocks other readings of the customer until the transaction ends; returns its account, or null for an unknown customer.';

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
  if not exists (
    select from private.plan_prices o join public.plans p on p.id = o.plan_id
    where o.price_id = price and o.retired_at is null and p.is_active
  ) then
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
