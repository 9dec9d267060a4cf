-- When each membership began and ended. Subscriptions hold their latest state only, and one may give way to another
-- without a gap; new and lost members are counted from here.
create table private.membership_periods (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz constraint membership_periods_order_check check (ended_at >= started_at)
);
comment on table private.membership_periods is 'Each time in which an account had a live subscription without a gap.';
comment on column private.membership_periods.started_at is 'When the database learned of it.';
comment on column private.membership_periods.ended_at is 'Null while the membership is live.';
create unique index membership_periods_one_open on private.membership_periods (user_id) where ended_at is null;
create index membership_periods_user_id_idx on private.membership_periods (user_id, started_at);
alter table private.membership_periods enable row level security;

-- Periods are those of subscriptions. A complimentary membership opens none and keeps none open: it is neither paid nor lost.
create function private.update_membership_period(member uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  if exists (
    select from public.stripe_customers c
    join public.stripe_subscriptions s on s.customer_id = c.customer_id
    join private.plan_prices o on o.price_id = s.price_id
    where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
  ) then
    insert into private.membership_periods (user_id, started_at) values (member, now())
    on conflict (user_id) where ended_at is null do nothing;
  else
    update private.membership_periods p set ended_at = greatest(p.started_at, now())
    where p.user_id = member and p.ended_at is null;
  end if;
end
$$;
comment on function private.update_membership_period(uuid) is 'Opens or ends the period of an account, by whether its subscription is live now.';

-- Deferred to the end of the transaction: while one subscription takes the place of another, none is current.
create function private.tg_stripe_subscriptions__period() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_membership_period(c.user_id)
  from public.stripe_customers c where c.customer_id in (old.customer_id, new.customer_id);
  return null;
end
$$;
create constraint trigger stripe_subscriptions__period
  after insert or delete or update of customer_id, status, price_id, deleted_at on public.stripe_subscriptions
  deferrable initially deferred for each row execute function private.tg_stripe_subscriptions__period();

create function private.tg_stripe_customers__period() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_membership_period(new.user_id);
  return null;
end
$$;
create constraint trigger stripe_customers__period after update of deleted_at on public.stripe_customers
  deferrable initially deferred for each row execute function private.tg_stripe_customers__period();

create function private.export_part_periods(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('membership_periods', coalesce((
    select jsonb_agg(to_jsonb(p) order by p.id) from private.membership_periods p where p.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_periods(uuid) is 'When the memberships of one account began and ended.';
