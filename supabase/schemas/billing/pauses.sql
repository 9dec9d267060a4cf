-- A membership that rests for one to three months: the card provider collects nothing (`pause_collection`), access is off, and
-- price, level and rooms wait. It begins when what is paid for is over. docs/subsystems/billing.md.
create table public.membership_pauses (
  id uuid primary key default gen_random_uuid(),
  subscription_id text not null references public.stripe_subscriptions (subscription_id) on delete cascade,
  months integer constraint membership_pauses_months_check check (months between 1 and 3),
  requested_at timestamptz not null default now(),
  begins_at timestamptz not null,
  ends_at timestamptz constraint membership_pauses_order_check check (ends_at > begins_at),
  confirmed_at timestamptz,
  ended_at timestamptz,
  resume_tries integer not null default 0,
  resume_invoice_id text,
  codes jsonb not null default '[]'
);
grant select, insert, update, delete on public.membership_pauses to service_role;
grant select (id, subscription_id, begins_at, ends_at, ended_at) on public.membership_pauses to authenticated;
comment on table public.membership_pauses is 'Pauses of memberships, past ones too. Whether one gives no access now is the hold of its subscription.';
comment on column public.membership_pauses.months is 'As asked for here; null for a pause that was made at the card provider.';
comment on column public.membership_pauses.begins_at is 'The end of the period that was paid for.';
comment on column public.membership_pauses.ends_at is 'When the reconciliation takes the membership up again; null for one that the card provider ends, or nobody.';
comment on column public.membership_pauses.confirmed_at is 'When the card provider was read as paused; null until then.';
comment on column public.membership_pauses.ended_at is 'When it was read as collecting again, or ended; null while it is planned or runs.';
comment on column public.membership_pauses.resume_tries is 'Part of the key of the request that takes it up again: a request that failed at the provider is never repeated under its key.';
comment on column public.membership_pauses.resume_invoice_id is 'The invoice that taking it up again made.';
comment on column public.membership_pauses.codes is 'Discounts that would have ended meanwhile: the coupon, and the months of it that are left.';
create unique index membership_pauses_one_open on public.membership_pauses (subscription_id) where ended_at is null;
create index membership_pauses_subscription_id_idx on public.membership_pauses (subscription_id);
create index membership_pauses_resume_invoice_id_idx on public.membership_pauses (resume_invoice_id) where resume_invoice_id is not null;
create index membership_pauses_due_idx on public.membership_pauses (ends_at) where ended_at is null;
alter table public.membership_pauses enable row level security;

create policy select_own on public.membership_pauses for select to authenticated
  using (subscription_id in (
    select s.subscription_id from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = (select auth.uid())
  ));

create function private.paused_months(member uuid) returns integer
  language sql stable set search_path = '' as $$
  select coalesce(sum(case
    when p.ended_at is null then coalesce(p.months, 0)
    -- A month that was begun counts; one that was called off in time does not.
    else least(coalesce(p.months, 3), greatest(0, ceil(extract(epoch from p.ended_at - p.begins_at) / (30.44 * 86400))))
  end), 0)::integer
  from public.membership_pauses p
  join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
  join public.stripe_customers c on c.customer_id = s.customer_id
  where c.user_id = member and coalesce(p.ended_at, p.ends_at, now()) > now() - interval '1 year'
$$;
comment on function private.paused_months(uuid) is 'Months of pauses of an account in the last twelve, planned ones included.';

create function private.max_paused_months() returns integer
  language sql stable set search_path = '' as $$
  select coalesce((select b.pause_months from public.billing_rules b), 3)
$$;
comment on function private.max_paused_months() is 'How many months in any twelve a membership may be paused; 0 for none.';

create function private.pause_refusal(member uuid, s public.stripe_subscriptions) returns text
  language sql stable set search_path = '' as $$
  select case
    when s.subscription_id is null or s.status not in ('active', 'trialing', 'past_due', 'paused')
      or not exists (select from private.plan_prices o where o.price_id = s.price_id) then 'not_found'
    when exists (select from public.membership_pauses p where p.subscription_id = s.subscription_id and p.ended_at is null) then 'paused'
    when s.hold is not null or exists (
      select from private.billing_charges c where c.customer_id = s.customer_id and c.dispute = 'open' and not c.is_refunded
    ) then 'on_hold'
    when s.status = 'trialing' then 'trial'
    when s.status <> 'active' then 'overdue'
    when s.cancel_at_period_end then 'ending'
    when s.pending_price_id is not null then 'change_planned'
    when private.paused_months(member) >= private.max_paused_months() then 'used_up'
  end
$$;
comment on function private.pause_refusal(uuid, public.stripe_subscriptions) is 'Why a membership cannot be paused now; null when it can.';

create function private.current_subscription(member uuid) returns public.stripe_subscriptions
  language sql stable set search_path = '' as $$
  select s from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = member and c.deleted_at is null and s.deleted_at is null
$$;
comment on function private.current_subscription(uuid) is 'The current subscription of an account; null without one.';

-- @rpc authenticated
-- Whether the caller may pause the membership now: for how long, or why not; the pause that is planned or runs.
create function private.my_pause_offer() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  held constant public.stripe_subscriptions := private.current_subscription(caller);
  refusal constant text := private.pause_refusal(caller, held);
begin
  return jsonb_build_object(
    'refusal', refusal,
    'choices', (
      select coalesce(jsonb_agg(jsonb_build_object('months', n.months, 'ends_at', (
        (to_timestamp(held.current_period_end) at time zone 'utc') + make_interval(months => n.months)
      ) at time zone 'utc') order by n.months), '[]')
      from generate_series(1, least(3, private.max_paused_months() - private.paused_months(caller))) n (months)
      where refusal is null
    ),
    'begins_at', to_timestamp(held.current_period_end),
    'pause', (
      select jsonb_build_object('begins_at', p.begins_at, 'ends_at', p.ends_at, 'has_begun', held.hold is not distinct from 'paused')
      from public.membership_pauses p where p.subscription_id = held.subscription_id and p.ended_at is null and p.confirmed_at is not null
    )
  );
end
$$;
comment on function private.my_pause_offer() is 'What the caller may do about a pause, and the one that is planned or runs.';

-- @rpc service_role
-- Server: plan a pause of a member's membership, before the card provider is asked.
create function private.billing_begin_pause(member uuid, months integer) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  held public.stripe_subscriptions;
  refusal text;
  left_months integer;
  planned public.membership_pauses;
begin
  perform private.lock_billing(member);
  held := private.current_subscription(member);
  -- Nothing came of a call that is older than any call lasts.
  delete from public.membership_pauses p
  where p.subscription_id = held.subscription_id and p.confirmed_at is null and p.ended_at is null and p.requested_at < now() - interval '3 minutes';
  refusal := private.pause_refusal(member, held);
  left_months := private.max_paused_months() - private.paused_months(member);
  if refusal is null and (months is null or months not between 1 and 3 or months > left_months) then
    refusal := 'too_long';
  end if;
  if refusal is not null then
    return jsonb_build_object('state', refusal, 'left', greatest(0, left_months));
  end if;
  insert into public.membership_pauses as p (subscription_id, months, begins_at, ends_at)
  select held.subscription_id, billing_begin_pause.months, b.begins_at,
    ((b.begins_at at time zone 'utc') + make_interval(months => billing_begin_pause.months)) at time zone 'utc'
  from (select to_timestamp(held.current_period_end)) b (begins_at)
  returning p.* into planned;
  return jsonb_build_object(
    'state', 'begun', 'pause_id', planned.id, 'subscription_id', held.subscription_id, 'begins', held.current_period_end
  );
end
$$;
comment on function private.billing_begin_pause(uuid, integer) is 'Plans a pause and names its subscription, or says why there is none.';

-- @rpc service_role
-- Server: the card provider was asked for a planned pause; whether it collects nothing now.
create function private.billing_settle_pause(member uuid, pause uuid, is_paused boolean, codes jsonb default '[]') returns void
  language plpgsql security definer set search_path = '' as $$
declare
  settled public.membership_pauses;
begin
  perform private.lock_billing(member);
  if not is_paused then
    delete from public.membership_pauses p where p.id = pause and p.confirmed_at is null;
    return;
  end if;
  update public.membership_pauses p set confirmed_at = coalesce(p.confirmed_at, now()), codes = billing_settle_pause.codes
  where p.id = pause and p.ended_at is null returning p.* into settled;
  if found then
    perform private.audit(member, 'membership.pause_planned', member, jsonb_build_object(
      'subscription_id', settled.subscription_id, 'months', settled.months, 'begins_at', settled.begins_at, 'ends_at', settled.ends_at
    ));
  end if;
end
$$;
comment on function private.billing_settle_pause(uuid, uuid, boolean, jsonb) is 'Confirms a planned pause with the codes that it keeps, or drops it. Audited.';

-- @rpc service_role
-- Server: the pause of a subscription that is planned or runs, to take the membership up again.
create function private.billing_open_pause(subscription text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'pause_id', p.id, 'begins', extract(epoch from p.begins_at)::bigint, 'tries', p.resume_tries, 'codes', p.codes
  )
  from public.membership_pauses p where p.subscription_id = subscription and p.ended_at is null
$$;
comment on function private.billing_open_pause(text) is 'The pause that is planned or runs: its begin in seconds, the tries at ending it, and the codes to put back; null without one.';

-- @rpc service_role
-- Server: a try at taking a paused membership up again is over.
create function private.billing_note_resume(pause uuid, tries integer, invoice text default null) returns void
  language sql volatile security definer set search_path = '' as $$
  update public.membership_pauses p
  set resume_invoice_id = coalesce(p.resume_invoice_id, invoice),
    resume_tries = case when invoice is null and p.resume_tries = tries then tries + 1 else p.resume_tries end
  where p.id = pause
$$;
comment on function private.billing_note_resume(uuid, integer, text) is 'Keeps the invoice that ended a pause; without one the next try gets a key of its own.';

-- @rpc service_role
-- Server: pauses whose time is over.
create function private.billing_pauses_due() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(p.subscription_id order by p.ends_at), '[]')
  from (
    select p.subscription_id, p.ends_at from public.membership_pauses p
    join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
    where p.ended_at is null and p.confirmed_at is not null and p.ends_at <= now() and s.deleted_at is null and s.hold = 'paused'
      and not s.cancel_at_period_end
    order by p.ends_at limit 100
  ) p
$$;
comment on function private.billing_pauses_due() is 'Subscriptions whose pause is over and that are to be charged again.';

-- The period that was paid for ends with the first one after it that the provider begins and does not collect.
create function private.pause_has_begun(snapshot jsonb, item jsonb) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce((snapshot ->> 'is_paused')::boolean, false) and snapshot ->> 'status' = 'active' and exists (
    select from public.membership_pauses p
    where p.subscription_id = snapshot ->> 'subscription_id' and p.ended_at is null
      and to_timestamp((item ->> 'current_period_start')::bigint) >= p.begins_at
  )
$$;
comment on function private.pause_has_begun(jsonb, jsonb) is 'True for a reading of a paused subscription whose paid period is over.';

create function private.note_pause(member uuid, snapshot jsonb, item jsonb) returns void
  language plpgsql set search_path = '' as $$
declare
  subscription constant text := snapshot ->> 'subscription_id';
  is_paused constant boolean := coalesce((snapshot ->> 'is_paused')::boolean, false)
    and snapshot ->> 'status' not in ('canceled', 'incomplete_expired');
  ended public.membership_pauses;
begin
  if not is_paused then
    update public.membership_pauses p set ended_at = now()
    -- One that is being asked for is not read as paused yet.
    where p.subscription_id = subscription and p.ended_at is null and p.confirmed_at is not null
    returning p.* into ended;
    if found then
      perform private.audit(null, 'membership.pause_ended', member, jsonb_build_object('subscription_id', subscription, 'begins_at', ended.begins_at));
    end if;
    return;
  end if;
  if item ->> 'current_period_end' is null then
    return;
  end if;
  -- One that was made at the provider and is read late has begun with the first period that was not collected, at the latest.
  insert into public.membership_pauses as p (subscription_id, begins_at, confirmed_at)
  values (subscription, to_timestamp((item ->> case
    when (snapshot ->> 'is_period_void')::boolean then 'current_period_start' else 'current_period_end'
  end)::bigint), now())
  on conflict (subscription_id) where ended_at is null do update set confirmed_at = coalesce(p.confirmed_at, now());
end
$$;
comment on function private.note_pause(uuid, jsonb, jsonb) is 'Keeps that a reading was paused, also where it was done at the card provider, or that a pause has ended. Audited.';

-- @rpc authenticated
-- Administrators: decide how many months in any twelve a membership may be paused; 0 is none.
create function private.set_pause_months(months integer) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  before integer := private.max_paused_months();
begin
  if months is null or months not between 0 and 12 then
    perform private.fail('FF276', 'Choose between 0 and 12 months.');
  end if;
  insert into public.billing_rules as b (pause_months) values (months)
  on conflict on constraint billing_rules_pkey do update set pause_months = excluded.pause_months;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', jsonb_build_object('pause_months', before), jsonb_build_object('pause_months', months)
  );
end
$$;
comment on function private.set_pause_months(integer) is 'Changes how long members may pause; FF276 for a value there is not. Audited.';

-- @rpc service_role
-- Server: queue e-mails about pauses that end soon.
create function private.queue_pause_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'pause_ending', 'pause_ending:' || due.id,
    jsonb_strip_nulls(jsonb_build_object('plan', due.plan, 'ends_at', due.ends_at, 'amount', due.amount_pence, 'currency', lower(due.currency)))
  )) into queued
  from (
    select c.user_id, p.id, p.ends_at, private.plan_name(s.price_id) as plan, o.amount_pence, o.currency
    from public.membership_pauses p
    join public.stripe_subscriptions s on s.subscription_id = p.subscription_id and s.deleted_at is null
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- Of a former price the amount may not be known; it is then not named.
    left join private.plan_prices o on o.price_id = s.price_id
    where p.ended_at is null and p.confirmed_at is not null and s.hold = 'paused' and not s.cancel_at_period_end
      -- A day early, so that seven whole days are left however late the run is.
      and p.ends_at > now() and p.ends_at - now() <= interval '8 days'
  ) due;
  return queued;
end
$$;
comment on function private.queue_pause_reminders() is 'Queues an e-mail about each pause that ends within eight days, once for each; their number.';

create function private.export_part_pauses(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('membership_pauses', coalesce((
    select jsonb_agg(to_jsonb(p) - 'resume_tries' order by p.requested_at)
    from public.membership_pauses p
    join public.stripe_subscriptions s on s.subscription_id = p.subscription_id
    join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_pauses(uuid) is 'Pauses of the memberships of one account.';
