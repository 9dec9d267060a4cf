-- The plans on sale. Prices are taken from this table only.
create table public.plans (
  id text primary key check (id in ('student-access', 'mentor-access')),
  name text not null,
  role text not null check (role in ('student', 'mentor')),
  amount_pence integer not null check (amount_pence > 0),
  currency text not null default 'GBP' check (currency ~ '^[A-Z]{3}$'),
  "interval" text not null default 'month' check ("interval" in ('month')),
  price_id text not null unique,
  is_active boolean not null default true,
  yearly_price_id text constraint plans_yearly_price_id_key unique,
  yearly_amount_pence integer constraint plans_yearly_amount_pence_check check (yearly_amount_pence > 0),
  constraint plans_yearly_check check ((yearly_price_id is null) = (yearly_amount_pence is null))
);
grant select, insert, update, delete on public.plans to service_role;
-- Visitors and members may read the plans.
grant select (id, name, role, amount_pence, currency, interval, price_id, is_active, yearly_price_id, yearly_amount_pence)
  on public.plans to anon, authenticated;
comment on table public.plans is 'Membership plans on sale.';
comment on column public.plans.role is 'Role a live subscription to this plan gives.';
comment on column public.plans.amount_pence is 'Price per interval in the smallest unit of the currency.';
comment on column public.plans.price_id is 'Monthly price on sale at the card provider: an administrator''s, or the one of private.set_plan_price.';
comment on column public.plans.yearly_price_id is 'Yearly price on sale at the card provider; null while there is none.';
comment on column public.plans.yearly_amount_pence is 'What a year costs at it.';
alter table public.plans enable row level security;

create policy select_everyone on public.plans for select to anon, authenticated using (is_active);

-- Every price a plan was ever sold at, so that members who pay an old price keep it and their role. At most one price of a plan
-- and interval is on sale; docs/subsystems/billing.md has the rules.
create table private.plan_prices (
  price_id text primary key,
  plan_id text not null references public.plans (id) on update cascade on delete cascade,
  "interval" text not null default 'month' constraint plan_prices_interval_check check ("interval" in ('month', 'year')),
  amount_pence integer constraint plan_prices_amount_pence_check check (amount_pence > 0),
  currency text constraint plan_prices_currency_check check (currency ~ '^[A-Z]{3}$'),
  active_from timestamptz not null default now(),
  retired_at timestamptz,
  is_default boolean not null default false,
  constraint plan_prices_on_sale_check check (retired_at is not null or (amount_pence is not null and currency is not null))
);
comment on table private.plan_prices is 'Prices of the card provider by plan and interval, past and present. Rows are never deleted: members keep the price they have.';
comment on column private.plan_prices.amount_pence is
  'Price per interval in the smallest unit of the currency; null for a former price that was kept without it.';
comment on column private.plan_prices.active_from is 'Since when the price is on sale.';
comment on column private.plan_prices.retired_at is 'When it was taken off sale; null while it is on sale.';
comment on column private.plan_prices.is_default is 'The price that private.set_plan_price set last for its plan.';
create unique index plan_prices_one_on_sale on private.plan_prices (plan_id, "interval") where retired_at is null;
create index plan_prices_plan_id_idx on private.plan_prices (plan_id);
alter table private.plan_prices enable row level security;

-- The row of a plan holds its prices on sale. What it held before lives on here.
create function private.tg_plans__remember_price() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.plan_prices o set retired_at = now()
  where o.plan_id = new.id and o.retired_at is null and o.price_id <> new.price_id and o.price_id is distinct from new.yearly_price_id;
  insert into private.plan_prices as o (price_id, plan_id, "interval", amount_pence, currency)
  select s.price_id, new.id, s."interval", s.amount_pence, new.currency
  from (values (new.price_id, 'month', new.amount_pence), (new.yearly_price_id, 'year', new.yearly_amount_pence))
    s (price_id, "interval", amount_pence)
  where s.price_id is not null
  on conflict (price_id) do update set
    plan_id = excluded.plan_id, "interval" = excluded."interval", amount_pence = excluded.amount_pence, currency = excluded.currency,
    active_from = case when o.retired_at is null then o.active_from else now() end, retired_at = null;
  return null;
end
$$;
create trigger plans__remember_price
  after insert or update of price_id, amount_pence, currency, yearly_price_id, yearly_amount_pence on public.plans
  for each row execute function private.tg_plans__remember_price();

-- Operators use this to enter the prices of their own card provider account. Every start does it with the environment's, so
-- that it must not undo what was sold in the console since: only another price than the one it named last is set.
create function private.set_plan_price(plan text, price text) returns void
  language plpgsql set search_path = '' as $$
begin
  if not exists (select from public.plans where id = plan) then
    raise exception 'there is no plan %', plan;
  end if;
  if exists (select from private.plan_prices o where o.price_id = price and o.plan_id = plan and o.is_default) then
    return;
  end if;
  update public.plans p set price_id = price, amount_pence = coalesce(
    (select o.amount_pence from private.plan_prices o where o.price_id = price and o.plan_id = plan and o."interval" = 'month'), p.amount_pence
  ) where p.id = plan;
  update private.plan_prices o set is_default = o.price_id = price where o.plan_id = plan;
end
$$;
comment on function private.set_plan_price(text, text) is
  'Sets a plan''s monthly price at the card provider, unless it was the last one set so; for the operator.';

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
  hold text constraint stripe_subscriptions_hold_check check (hold in ('disputed', 'dispute_lost', 'refunded', 'paused')),
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
  'Why the status differs from the provider''s: a payment is disputed (paused until decided), was lost to a dispute or fully refunded (canceled), or the membership is paused by its member.';
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
