-- Part 4 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/plan-changes.sql

-- Changes of plan and cancellations by members. docs/subsystems/billing.md explains them.

-- What a change of plan was said to cost. The id is also the idempotency key of the change at the card provider.
create table private.plan_change_quotes (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  subscription_id text not null,
  kind text not null constraint plan_change_quotes_kind_check check (kind in ('upgrade', 'downgrade')),
  from_price_id text not null,
  to_price_id text not null,
  amount_due_pence bigint not null,
  proration_date bigint,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.plan_change_quotes is 'Previews of plan changes, kept for a day; one can be used for fifteen minutes.';
comment on column private.plan_change_quotes.proration_date is
  'Moment the amount was computed for, in seconds since the epoch by the card provider''s clock; null for a downgrade.';
create index plan_change_quotes_user_id_idx on private.plan_change_quotes (user_id);
create index plan_change_quotes_created_at_idx on private.plan_change_quotes (created_at);
alter table private.plan_change_quotes enable row level security;

-- @rpc service_role
-- Server: keep a preview of a plan change.
create function private.billing_quote_plan_change(member uuid, quote jsonb) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  made uuid;
begin
  insert into private.plan_change_quotes (
    user_id, subscription_id, kind, from_price_id, to_price_id, amount_due_pence, proration_date
  ) values (
    member, quote ->> 'subscription_id', quote ->> 'kind', quote ->> 'from_price_id', quote ->> 'to_price_id',
    (quote ->> 'amount_due')::bigint, (quote ->> 'proration_date')::bigint
  ) returning id into made;
  return made;
end
$$;
comment on function private.billing_quote_plan_change(uuid, jsonb) is 'Keeps a preview of a plan change and returns its id.';

-- @rpc service_role
-- Server: a preview of the member's own.
create function private.billing_plan_change_quote(member uuid, quote uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'subscription_id', q.subscription_id, 'kind', q.kind, 'from_price_id', q.from_price_id, 'to_price_id', q.to_price_id,
    'amount_due', q.amount_due_pence, 'proration_date', q.proration_date,
    'is_expired', q.created_at < clock_timestamp() - interval '15 minutes'
  ) from private.plan_change_quotes q where q.id = quote and q.user_id = member
$$;
comment on function private.billing_plan_change_quote(uuid, uuid) is 'A preview of the member''s own; null for any other.';

-- Why members cancel.
create table private.cancellation_reasons (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  subscription_id text not null,
  reason text constraint cancellation_reasons_reason_check check (reason in (
    'too_expensive', 'missing_features', 'switched_service', 'unused', 'customer_service', 'too_complex', 'low_quality', 'other'
  )),
  comment text constraint cancellation_reasons_comment_check check (char_length(comment) <= 500),
  cancelled_at timestamptz not null default clock_timestamp(),
  constraint cancellation_reasons_not_empty check (reason is not null or comment is not null)
);
comment on table private.cancellation_reasons is 'Reasons members gave when they cancelled. Giving one is optional.';
comment on column private.cancellation_reasons.reason is 'One of the card provider''s values for feedback.';
create index cancellation_reasons_user_id_idx on private.cancellation_reasons (user_id);
alter table private.cancellation_reasons enable row level security;

-- @rpc service_role
-- Server: keep the reason of a cancellation.
create function private.billing_record_cancellation(member uuid, subscription text, reason text, comment text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.cancellation_reasons (user_id, subscription_id, reason, comment)
  select member, subscription, billing_record_cancellation.reason, billing_record_cancellation.comment
  where billing_record_cancellation.reason is not null or billing_record_cancellation.comment is not null
$$;
comment on function private.billing_record_cancellation(uuid, text, text, text) is 'Keeps the reason of a cancellation, if one was given.';

create function private.export_part_cancellations(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('cancellation_reasons', coalesce(
    (select jsonb_agg(to_jsonb(r) order by r.id) from private.cancellation_reasons r where r.user_id = member), '[]'))
$$;
comment on function private.export_part_cancellations(uuid) is 'Reasons one account gave for cancelling.';

-- billing/plans.sql

-- The plans on sale. Prices are taken from this table only.
create table public.plans (
  id text primary key check (id in ('student-access', 'mentor-access')),
  name text not null,
  role text not null check (role in ('student', 'mentor')),
  amount_pence integer not null check (amount_pence > 0),
  currency text not null default 'GBP' check (currency ~ '^[A-Z]{3}$'),
  "interval" text not null default 'month' check ("interval" in ('month')),
  price_id text not null unique,
  is_active boolean not null default true
);
grant select, insert, update, delete on public.plans to service_role;
-- Visitors and members may read the plans.
grant select (id, name, role, amount_pence, currency, interval, price_id, is_active) on public.plans to anon, authenticated;
comment on table public.plans is 'Membership plans on sale.';
comment on column public.plans.role is 'Role a live subscription to this plan gives.';
comment on column public.plans.amount_pence is 'Price per interval in the smallest unit of the currency.';
comment on column public.plans.price_id is 'Price of the card provider; set per install with private.set_plan_price.';
alter table public.plans enable row level security;

create policy select_everyone on public.plans for select to anon, authenticated using (is_active);

-- Every price a plan was ever sold at, so that members who pay an old price keep their role.
create table private.plan_prices (
  price_id text primary key,
  plan_id text not null references public.plans (id) on update cascade on delete cascade
);
comment on table private.plan_prices is 'Prices of the card provider by plan, past and present.';
create index plan_prices_plan_id_idx on private.plan_prices (plan_id);
alter table private.plan_prices enable row level security;

create function private.tg_plans__remember_price() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.plan_prices (price_id, plan_id) values (new.price_id, new.id)
  on conflict (price_id) do update set plan_id = excluded.plan_id;
  return null;
end
$$;

create trigger plans__remember_price after insert or update of price_id on public.plans
  for each row execute function private.tg_plans__remember_price();

-- Operators use this to enter the prices of their own card provider account.
create function private.set_plan_price(plan text, price text) returns void
  language plpgsql set search_path = '' as $$
begin
  update public.plans set price_id = price where id = plan and price_id is distinct from price;
  if not exists (select from public.plans where id = plan) then
    raise exception 'there is no plan %', plan;
  end if;
end
$$;
comment on function private.set_plan_price(text, text) is 'Sets a plan''s price at the card provider; for the operator.';

-- The card provider's customer of each account.
create table public.stripe_customers (
  customer_id text primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
grant select, insert, update, delete on public.stripe_customers to service_role;
-- Members read their own row. Only the server writes.
grant select (customer_id, user_id, created_at, updated_at, deleted_at) on public.stripe_customers to authenticated;
comment on table public.stripe_customers is 'Customers at the card provider, at most one current one for each account.';
comment on column public.stripe_customers.deleted_at is 'Set when the customer no longer exists there; the row stays as a record.';
create unique index stripe_customers_one_current on public.stripe_customers (user_id) where deleted_at is null;
create index stripe_customers_user_id_idx on public.stripe_customers (user_id);
alter table public.stripe_customers enable row level security;

create policy select_own on public.stripe_customers for select to authenticated
  using (user_id = (select auth.uid()));

-- The latest known state of each subscription at the card provider.
create table public.stripe_subscriptions (
  id bigint generated always as identity primary key,
  customer_id text not null references public.stripe_customers (customer_id) on update cascade on delete cascade,
  subscription_id text unique,
  status text not null default 'not_started' check (status in (
    'not_started', 'incomplete', 'incomplete_expired', 'trialing', 'active', 'past_due', 'canceled', 'unpaid', 'paused'
  )),
  price_id text,
  current_period_start bigint,
  current_period_end bigint,
  cancel_at_period_end boolean not null default false,
  hold text constraint stripe_subscriptions_hold_check check (hold in ('disputed', 'dispute_lost', 'refunded')),
  payment_method_brand text,
  payment_method_last4 text check (payment_method_last4 ~ '^[0-9]{4}$'),
  payment_method_expires text
    constraint stripe_subscriptions_payment_method_expires_check check (payment_method_expires ~ '^[0-9]{4}-[0-9]{2}$'),
  pending_price_id text,
  pending_from bigint,
  pending_change_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
grant select, insert, update, delete on public.stripe_subscriptions to service_role;
-- Members read the subscriptions of their own customer. Only the server writes.
grant select (id, customer_id, subscription_id, status, price_id, current_period_start, current_period_end, cancel_at_period_end,
    hold, payment_method_brand, payment_method_last4, payment_method_expires, pending_price_id, pending_from,
    pending_change_id, created_at, updated_at, deleted_at)
  on public.stripe_subscriptions to authenticated;
comment on table public.stripe_subscriptions is 'Subscriptions at the card provider, at most one current row for each customer.';
comment on column public.stripe_subscriptions.subscription_id is 'Null until a subscription was created (status not_started).';
comment on column public.stripe_subscriptions.current_period_start is 'Seconds since the epoch, as the card provider gives it.';
comment on column public.stripe_subscriptions.current_period_end is 'Seconds since the epoch, as the card provider gives it.';
comment on column public.stripe_subscriptions.hold is
  'Why the status differs from the provider''s: a payment is disputed (paused until decided), was lost to a dispute or fully refunded (canceled).';
comment on column public.stripe_subscriptions.payment_method_expires is 'Last month of the card, as YYYY-MM.';
comment on column public.stripe_subscriptions.pending_price_id is 'Price of a planned change, or of one that waits for its payment.';
comment on column public.stripe_subscriptions.pending_from is
  'When the planned change happens, in seconds since the epoch; null while it waits for its payment.';
comment on column public.stripe_subscriptions.pending_change_id is
  'Names that change, so that undoing it undoes no other: its schedule, or the invoice it waits for.';
comment on column public.stripe_subscriptions.deleted_at is 'Set when a later subscription replaced this row.';
create unique index stripe_subscriptions_one_current on public.stripe_subscriptions (customer_id) where deleted_at is null;
create index stripe_subscriptions_customer_id_idx on public.stripe_subscriptions (customer_id);
create index stripe_subscriptions_live_idx on public.stripe_subscriptions (status) where deleted_at is null;
alter table public.stripe_subscriptions enable row level security;

create policy select_own on public.stripe_subscriptions for select to authenticated
  using (customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid())));

-- The server sets the time of the last change.
create function private.tg_stripe_customers__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create trigger stripe_customers__stamp before update on public.stripe_customers
  for each row execute function private.tg_stripe_customers__stamp();

create function private.tg_stripe_subscriptions__stamp() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create trigger stripe_subscriptions__stamp before update on public.stripe_subscriptions
  for each row execute function private.tg_stripe_subscriptions__stamp();

-- Memberships that administrators give without a subscription. admin_complimentary has the functions.
create table public.complimentary_memberships (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  plan_id text not null references public.plans (id) on update cascade,
  reason text not null constraint complimentary_memberships_reason_check check (char_length(reason) between 1 and 500),
  granted_at timestamptz not null default now(),
  ends_at timestamptz,
  ended_at timestamptz
);
grant select, insert, update, delete on public.complimentary_memberships to service_role;
-- Members read their own. Only administrators' functions write.
grant select (id, user_id, plan_id, granted_at, ends_at, ended_at) on public.complimentary_memberships to authenticated;
comment on table public.complimentary_memberships is
  'Memberships without a subscription at the card provider. They give access and a role, and count neither as paying nor as revenue.';
comment on column public.complimentary_memberships.reason is 'Why it was given, for administrators.';
comment on column public.complimentary_memberships.ends_at is 'Access ends at this moment; null while it is open-ended.';
comment on column public.complimentary_memberships.ended_at is 'Set when it was revoked, or when its end was noticed.';
create unique index complimentary_memberships_one_current on public.complimentary_memberships (user_id) where ended_at is null;
create index complimentary_memberships_user_id_idx on public.complimentary_memberships (user_id);
create index complimentary_memberships_plan_id_idx on public.complimentary_memberships (plan_id);
alter table public.complimentary_memberships enable row level security;

create policy select_own on public.complimentary_memberships for select to authenticated
  using (user_id = (select auth.uid()));

create view private.current_complimentary_memberships with (security_invoker = true) as
select m.user_id, p.price_id, m.plan_id
from public.complimentary_memberships m join public.plans p on p.id = m.plan_id
where m.ended_at is null and (m.ends_at is null or m.ends_at > now());
comment on view private.current_complimentary_memberships is 'Complimentary memberships that give access now.';

-- How long a renewal that could not be paid leaves access. Decided when the payment fails, so that what the member was told stays true.
create table public.grace_periods (
  subscription_id text primary key references public.stripe_subscriptions (subscription_id) on delete cascade,
  ends_at timestamptz not null
);
grant select, insert, update, delete on public.grace_periods to service_role;
grant select (subscription_id, ends_at) on public.grace_periods to authenticated;
alter table public.grace_periods enable row level security;
comment on table public.grace_periods is 'Access that past due memberships keep for some days; no rows unless the owner''s rule says so.';

create policy select_own on public.grace_periods for select to authenticated
  using (subscription_id in (
    select s.subscription_id from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = (select auth.uid())
  ));

create function private.tg_stripe_subscriptions__grace() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.status <> 'past_due' then
    delete from public.grace_periods g where g.subscription_id = new.subscription_id;
  elsif tg_op = 'INSERT' or old.status <> 'past_due' then
    insert into public.grace_periods as g (subscription_id, ends_at)
    select new.subscription_id, d.began + make_interval(days => b.payment_grace_days)
    from public.billing_rules b,
      -- One that is met past due has been so since its period began.
      (select case when tg_op = 'INSERT' then least(now(), to_timestamp(new.current_period_start)) else now() end as began) d
    where b.payment_grace_days > 0 and new.subscription_id is not null
    on conflict on constraint grace_periods_pkey do update set ends_at = excluded.ends_at;
  end if;
  return null;
end
$$;

create trigger stripe_subscriptions__grace after insert or update of status on public.stripe_subscriptions
  for each row execute function private.tg_stripe_subscriptions__grace();

create view private.graced_memberships with (security_invoker = true) as
select c.user_id, s.price_id, s.subscription_id, g.ends_at
from public.grace_periods g
join public.stripe_subscriptions s on s.subscription_id = g.subscription_id
join public.stripe_customers c on c.customer_id = s.customer_id
where g.ends_at > now() and c.deleted_at is null and s.deleted_at is null and s.status = 'past_due'
  and exists (select from private.plan_prices o where o.price_id = s.price_id);
comment on view private.graced_memberships is 'Past due memberships that give access for some days more.';

-- The one definition of a live membership. Only subscriptions to a plan's price count: other products sold at the provider
-- give no membership.
create view private.live_memberships with (security_invoker = true) as
select c.user_id, s.price_id
from public.stripe_customers c
join public.stripe_subscriptions s on s.customer_id = c.customer_id
where c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
  and exists (select from private.plan_prices o where o.price_id = s.price_id)
union all
select m.user_id, m.price_id from private.current_complimentary_memberships m
union all
select m.user_id, m.price_id from private.graced_memberships m;
comment on view private.live_memberships is
  'Subscriptions that are active or trialing, or past due within their grace, and complimentary memberships, by account and price.';

-- plpgsql caches the plan. Policies call this for every subscriber of every change.
create function private.has_live_membership(member uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select from private.live_memberships m where m.user_id = member);
end
$$;
comment on function private.has_live_membership(uuid) is 'True while a subscription of the account is active, trialing or past due within its grace, or a complimentary membership runs.';

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
  member uuid := private.lock_customer(customer);
  entry jsonb := detail || jsonb_build_object('customer_id', customer);
begin
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

reset check_function_bodies;
