-- Part 5 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/refunds.sql

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
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried',
    'payment.retry_paid', 'payment.retry_declined'
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
    constraint billing_rules_renewal_reminder_days_check check (renewal_reminder_days between 0 and 30),
  payment_grace_days integer not null default 0
    constraint billing_rules_payment_grace_days_check check (payment_grace_days between 0 and 30)
);
alter table public.billing_rules enable row level security;
grant select, insert, update, delete on public.billing_rules to service_role;
grant select (withdrawal_refund, renewal_reminder_days, payment_grace_days) on public.billing_rules to anon, authenticated;

create policy select_everyone on public.billing_rules for select to anon, authenticated using (true);
comment on table public.billing_rules is 'What comes back after a withdrawal, when members are told of a renewal, and how long a failed payment leaves access: one row, or none for the defaults.';
comment on column public.billing_rules.id is 'Always true, so that there is one row.';
comment on column public.billing_rules.withdrawal_refund is 'proportion: less the days that were used of a membership, which its member asked for at once.';
comment on column public.billing_rules.renewal_reminder_days is 'Days before a renewal; 0 is no e-mail.';
comment on column public.billing_rules.payment_grace_days is 'Days of access after a renewal''s payment failed; 0 is none.';

-- @rpc authenticated
-- Administrators: decide what comes back after a withdrawal, and when members are told of a renewal.
create function private.set_billing_rules(withdrawal_refund text, renewal_reminder_days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - '{id,payment_grace_days}'::text[] from public.billing_rules b);
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
    (select to_jsonb(b) - '{id,payment_grace_days}'::text[] from public.billing_rules b)
  );
end
$$;
comment on function private.set_billing_rules(text, integer) is 'Changes the rules of withdrawals and reminders; FF276 for a value there is not. Audited.';

-- @rpc authenticated
-- Administrators: decide how many days of access follow a renewal's failed payment; it holds for payments that fail from now on.
create function private.set_payment_grace(days integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before integer := coalesce((select b.payment_grace_days from public.billing_rules b), 0);
begin
  if days is null or days not between 0 and 30 then
    perform private.fail('FF276', 'Choose between 0 and 30 days.');
  end if;
  insert into public.billing_rules as b (payment_grace_days) values (days)
  on conflict on constraint billing_rules_pkey do update set payment_grace_days = excluded.payment_grace_days;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', jsonb_build_object('payment_grace_days', before), jsonb_build_object('payment_grace_days', days)
  );
end
$$;
comment on function private.set_payment_grace(integer) is 'Changes the days of access after a failed payment; FF276 for a value there is not. Audited.';

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

-- The only function that writes subscription rows and the role they pay for.
-- @rpc service_role
-- Server: write one reading of a subscription.
create function private.billing_apply_subscription(ticket bigint, snapshot jsonb, event text default NULL::text, event_type text default NULL::text) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  customer text := snapshot ->> 'customer_id';
  subscription text := snapshot ->> 'subscription_id';
  item jsonb := private.billing_best_item(snapshot);
  hold text;
  new_status text;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return 'duplicate';
  end if;
  member := private.lock_customer(customer);
  if member is null then
    return 'unknown_customer';
  end if;
  -- Read under the lock: a dispute may have been written while this waited.
  hold := private.billing_hold(subscription, (item ->> 'current_period_start')::bigint);
  new_status := private.billing_status_under_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_sync_versions as r (subscription_id, ticket, created_at_provider, ended_at_provider)
  values (subscription, billing_apply_subscription.ticket, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
  on conflict (subscription_id) do update set ticket = excluded.ticket, ended_at_provider = excluded.ended_at_provider
  where r.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  insert into public.stripe_subscriptions as s (
    customer_id, subscription_id, status, price_id, current_period_start, current_period_end,
    cancel_at_period_end, hold, payment_method_brand, payment_method_last4, payment_method_expires,
    pending_price_id, pending_from, pending_change_id, deleted_at
  ) values (
    customer, subscription, new_status, item ->> 'price_id',
    (item ->> 'current_period_start')::bigint, (item ->> 'current_period_end')::bigint,
    (snapshot ->> 'cancel_at_period_end')::boolean, hold,
    snapshot ->> 'payment_method_brand', snapshot ->> 'payment_method_last4', snapshot ->> 'payment_method_expires',
    snapshot ->> 'pending_price_id', (snapshot ->> 'pending_from')::bigint, snapshot ->> 'pending_change_id', now()
  )
  on conflict (subscription_id) do update set
    status = excluded.status,
    price_id = excluded.price_id,
    current_period_start = excluded.current_period_start,
    current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end,
    hold = excluded.hold,
    payment_method_brand = coalesce(excluded.payment_method_brand, s.payment_method_brand),
    payment_method_last4 = case
      when excluded.payment_method_brand is null then s.payment_method_last4 else excluded.payment_method_last4
    end,
    payment_method_expires = case
      when excluded.payment_method_brand is null then s.payment_method_expires else excluded.payment_method_expires
    end,
    pending_price_id = excluded.pending_price_id,
    pending_from = excluded.pending_from,
    pending_change_id = excluded.pending_change_id;
  perform private.billing_elect_current(customer);
  update private.billing_attempts a
  set state = case when new_status in ('active', 'trialing') then 'paid' else 'failed' end,
    updated_at = clock_timestamp()
  where a.subscription_id = subscription and a.state not in ('paid', 'failed')
    and new_status in ('active', 'trialing', 'canceled', 'incomplete_expired');
  perform private.set_role_from_plan(member, private.plan_role(member));
  return 'applied';
end
$$;
comment on function private.billing_apply_subscription(bigint,jsonb,text,text) is 'Writes one reading of a subscription, with its event id and the role it gives: applied, stale, duplicate or unknown_customer.';

-- A deleted customer pays for nothing, so the role goes with it.
-- @rpc service_role
-- Server: a customer was deleted at the provider.
create function private.billing_drop_customer(customer text, event text default null, event_type text default null) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return false;
  end if;
  member := private.lock_customer(customer);
  update public.stripe_customers c set deleted_at = now()
  where c.customer_id = customer and c.deleted_at is null;
  if not found then
    return false;
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  return true;
end
$$;
comment on function private.billing_drop_customer(text, text, text) is 'Marks a customer as deleted at the provider; false when it was marked before.';

-- billing/trial-cards.sql

-- One trial for each card, also when the account that had it is deleted. The provider gives a card number one fingerprint in all
-- accounts; only a keyed hash of it is stored, from which neither the card nor its owner can be read.
create table private.trial_card_keys (
  id boolean primary key default true constraint trial_card_keys_id_check check (id),
  key bytea not null constraint trial_card_keys_key_check check (octet_length(key) = 32)
);
comment on table private.trial_card_keys is 'The key of trial_cards.card_hash, made with the database. With another key every card could have a trial again.';
comment on column private.trial_card_keys.id is 'Always true, so that there is one key.';
alter table private.trial_card_keys enable row level security;

create table private.trial_cards (
  card_hash bytea primary key constraint trial_cards_card_hash_check check (octet_length(card_hash) = 32),
  holder_id uuid references auth.users (id) on delete set null,
  taken_at timestamptz not null default now()
);
comment on table private.trial_cards is 'Cards that began a trial, or are about to. A card whose purchase came to nothing is free again after an hour.';
comment on column private.trial_cards.card_hash is 'HMAC-SHA256 of the provider''s fingerprint of the card.';
comment on column private.trial_cards.holder_id is 'Null once the account is deleted; the card stays taken.';
create index trial_cards_holder_id_idx on private.trial_cards (holder_id);
alter table private.trial_cards enable row level security;

-- The row of the card is the lock, so that two accounts cannot take it at the same moment.
-- @rpc service_role
-- Server: take a card for the trial of an account.
create function private.billing_take_trial_card(member uuid, fingerprint text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.trial_cards as c (card_hash, holder_id)
  select extensions.hmac(convert_to(fingerprint, 'utf8'), k.key, 'sha256'), member from private.trial_card_keys k
  on conflict (card_hash) do update set holder_id = excluded.holder_id, taken_at = excluded.taken_at
  where c.holder_id = excluded.holder_id or (
    c.holder_id is not null and c.taken_at <= now() - interval '1 hour' and not exists (
      select from public.stripe_subscriptions s join public.stripe_customers o on o.customer_id = s.customer_id
      where o.user_id = c.holder_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
    )
  );
  return found;
end
$$;
comment on function private.billing_take_trial_card(uuid, text) is
  'Takes a card for the trial of an account, before the purchase; false when another account has it.';

create function private.tg_users__count_departed_trial() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.trial_codes t set departed_redemptions = t.departed_redemptions + 1
  from private.trial_redemptions r
  where r.user_id = old.id and t.code = r.code and private.has_begun_membership(old.id);
  return old;
end
$$;

create trigger users__count_departed_trial before delete on auth.users
  for each row execute function private.tg_users__count_departed_trial();

-- billing/trial-codes.sql

-- Codes that begin a membership with free days. The card provider's own codes give discounts only, so these are kept here.
create table private.trial_codes (
  code text primary key constraint trial_codes_code_check check (code ~ '^[A-Z0-9-]{3,40}$'),
  days integer not null constraint trial_codes_days_check check (days between 1 and 365),
  plan_id text references public.plans (id) on update cascade,
  max_redemptions integer constraint trial_codes_max_redemptions_check check (max_redemptions > 0),
  expires_at timestamptz,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- A trial is counted while its purchase may still succeed, once it has, and after its account is gone.
  departed_redemptions integer not null default 0
);
comment on table private.trial_codes is 'Codes for free days at the beginning of a membership.';
comment on column private.trial_codes.code is 'In capitals; members may enter it in any case.';
comment on column private.trial_codes.plan_id is 'The only plan it can be used for; null for every plan.';
comment on column private.trial_codes.max_redemptions is 'Accounts that may use it; null without a limit.';
create index trial_codes_plan_id_idx on private.trial_codes (plan_id);
alter table private.trial_codes enable row level security;

-- One row an account, so that nobody has two trials.
create table private.trial_redemptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  code text not null references private.trial_codes (code),
  redeemed_at timestamptz not null default now()
);
comment on table private.trial_redemptions is 'The trial code that an account has used. A purchase that failed may be repeated with the same code.';
create index trial_redemptions_code_idx on private.trial_redemptions (code);
alter table private.trial_redemptions enable row level security;

-- With `redeem` the code is taken under a lock, so that it is never used more often than it may be.
-- @rpc service_role
-- Server: look up or take a trial code.
create function private.billing_trial_code(member uuid, given text, price text, redeem boolean) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  found_code private.trial_codes;
  used private.trial_redemptions;
  is_repeat boolean;
  problem text;
begin
  if redeem then
    -- One purchase of an account at a time, so that it cannot take two codes at once.
    perform from auth.users u where u.id = member for no key update;
    select t.* into found_code from private.trial_codes t where t.code = upper(given) for update;
  else
    select t.* into found_code from private.trial_codes t where t.code = upper(given);
  end if;
  if found_code.code is null then
    return null;
  end if;
  select r.* into used from private.trial_redemptions r where r.user_id = member;
  -- Within the hour the same purchase may be repeated, because its answer may have been lost.
  is_repeat := used.code = found_code.code and used.redeemed_at > now() - interval '1 hour';
  problem := case
    when not found_code.is_active or found_code.expires_at <= now() then 'code_expired'
    when found_code.plan_id is not null and not exists (
      select from private.plan_prices o where o.price_id = price and o.plan_id = found_code.plan_id
    ) then 'code_wrong_plan'
    when is_repeat then null
    when private.has_begun_membership(member) or used.code <> found_code.code and used.redeemed_at > now() - interval '1 hour'
      then 'code_new_members_only'
    when found_code.max_redemptions <= private.trial_redemption_count(found_code) then 'code_used_up'
  end;
  if problem is null and redeem and is_repeat is not true then
    insert into private.trial_redemptions as r (user_id, code) values (member, found_code.code)
    on conflict (user_id) do update set code = excluded.code, redeemed_at = excluded.redeemed_at;
  end if;
  return jsonb_build_object('code', found_code.code, 'days', found_code.days, 'problem', problem);
end
$$;
comment on function private.billing_trial_code(uuid, text, text, boolean) is
  'A trial code by what a member entered, and why it cannot be used; null for an unknown code. Takes it when asked to.';

-- @rpc authenticated
-- Administrators: turn a trial code off. Running trials go on.
create function private.admin_deactivate_trial_code(code text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
begin
  update private.trial_codes t set is_active = false where t.code = admin_deactivate_trial_code.code and t.is_active;
  if not found then
    perform private.fail('FF262', 'This code is off already.');
  end if;
  perform private.audit(admin, 'trial_code.deactivated', null, jsonb_build_object(
    'before', jsonb_build_object('code', admin_deactivate_trial_code.code, 'is_active', true),
    'after', jsonb_build_object('code', admin_deactivate_trial_code.code, 'is_active', false), 'reason', why
  ));
end
$$;
comment on function private.admin_deactivate_trial_code(text, text) is 'Turns a trial code off. Audited.';

-- @rpc authenticated
-- Administrators: the latest 500 trial codes.
create function private.admin_trial_codes() returns table (
  code text, days integer, plan_id text, max_redemptions integer, redemptions integer, expires_at timestamptz,
  is_active boolean, created_at timestamptz
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select t.code, t.days, t.plan_id, t.max_redemptions, private.trial_redemption_count(t), t.expires_at,
      t.is_active and (t.expires_at is null or t.expires_at > now()), t.created_at
    from private.trial_codes t order by t.created_at desc, t.code limit 500;
end
$$;
comment on function private.admin_trial_codes() is 'Trial codes with how often they were used, newest first.';

create function private.export_part_trial(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('trial_redemption', (select to_jsonb(r) from private.trial_redemptions r where r.user_id = member))
$$;
comment on function private.export_part_trial(uuid) is 'The trial code one account has used.';
comment on column private.trial_codes.departed_redemptions is
  'Redemptions of deleted accounts whose membership had begun; they count for the limit.';

create function private.has_begun_membership(member uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = member and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
  )
$$;
comment on function private.has_begun_membership(uuid) is 'True for an account that has or had a subscription beyond its first attempt.';

-- A purchase that failed gives its place back after an hour, in which it may be repeated.
create function private.trial_redemption_count(trial private.trial_codes) returns integer
  language sql stable security definer set search_path = '' as $$
  select trial.departed_redemptions + count(*)::integer from private.trial_redemptions r
  where r.code = trial.code and (r.redeemed_at > now() - interval '1 hour' or private.has_begun_membership(r.user_id))
$$;
comment on function private.trial_redemption_count(private.trial_codes) is 'How often a trial code was used, purchases under way included.';

-- @rpc service_role
-- Server: make a trial code; plan, expires_at and max_redemptions may be null.
create function private.billing_create_trial_code(
  admin uuid, code text, days integer, plan text, expires_at timestamptz, max_redemptions integer, reason text
) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  why text := private.require_reason(reason);
  made private.trial_codes;
begin
  if upper(btrim(code)) !~ '^[A-Z0-9-]{3,40}$' or days is null or days not between 1 and 365 or max_redemptions < 1
    or code is null or billing_create_trial_code.expires_at <= now()
    or billing_create_trial_code.expires_at > now() + interval '100 years'
    or (plan is not null and not exists (select from public.plans p where p.id = plan)) then
    perform private.fail('FF260', 'A code has 3 to 40 letters, digits or hyphens, 1 to 365 days and an end in the future.');
  end if;
  insert into private.trial_codes as t (code, days, plan_id, expires_at, max_redemptions)
  values (upper(btrim(code)), days, plan, billing_create_trial_code.expires_at, billing_create_trial_code.max_redemptions)
  on conflict do nothing returning t.* into made;
  if made.code is null then
    perform private.fail('FF261', 'There is a code of this name already.');
  end if;
  perform private.audit(admin, 'trial_code.created', null,
    jsonb_build_object('before', null, 'after', to_jsonb(made), 'reason', why));
  return made.code;
end
$$;
comment on function private.billing_create_trial_code(uuid, text, integer, text, timestamptz, integer, text) is
  'Makes a trial code for an administrator, once the card provider has no coupon of its name. Audited.';

-- billing/vat-documents.sql

-- VAT invoices for payments and credit notes for refunds. They are issued with the reading that tells of the payment, in one
-- transaction, and their numbers have no holes: docs/subsystems/billing.md.
create table private.vat_documents (
  kind text not null constraint vat_documents_kind_check check (kind in ('invoice', 'credit_note', 'debit_note')),
  number bigint not null,
  provider_id text not null,
  charge_id text not null,
  customer_id text not null,
  invoice_id text,
  corrects bigint,
  issued_at timestamptz not null default now(),
  supplied_at timestamptz not null,
  description text not null,
  period_start bigint,
  period_end bigint,
  currency text not null,
  gross_pence bigint not null,
  net_pence bigint not null,
  vat_pence bigint not null,
  rate_basis_points integer not null,
  seller jsonb not null,
  buyer jsonb,
  primary key (kind, number),
  constraint vat_documents_once unique (provider_id, kind),
  constraint vat_documents_sum_check check (net_pence + vat_pence = gross_pence)
);
comment on table private.vat_documents is
  'VAT invoices, credit notes for refunds, and debit notes for refunds that failed afterwards. Kept when an account is deleted, without its person.';
comment on column private.vat_documents.provider_id is 'The payment or refund at the card provider that it is for.';
comment on column private.vat_documents.corrects is 'Number of the invoice that a note is about.';
comment on column private.vat_documents.supplied_at is 'The tax point: when it was paid or refunded.';
comment on column private.vat_documents.period_start is 'Seconds since the epoch; null where no period was paid for.';
comment on column private.vat_documents.seller is 'Who sold, as it was said then: legal_name, address, company_number, vat_number.';
comment on column private.vat_documents.buyer is 'Who bought, as it was known then; null once the account is deleted.';
create index vat_documents_charge_id_idx on private.vat_documents (charge_id);
create index vat_documents_customer_id_idx on private.vat_documents (customer_id);
create index vat_documents_invoice_id_idx on private.vat_documents (invoice_id);
create index vat_documents_supplied_at_idx on private.vat_documents (supplied_at);
alter table private.vat_documents enable row level security;

create table private.vat_document_numbers (
  kind text primary key,
  latest bigint not null
);
comment on table private.vat_document_numbers is 'The latest number of each kind. Its row is locked until the document is written, so that a number is used or taken back.';
alter table private.vat_document_numbers enable row level security;

create function private.next_vat_number(kind text) returns bigint
  language sql volatile set search_path = ''
as $$
  insert into private.vat_document_numbers as n (kind, latest) values (next_vat_number.kind, 1)
  on conflict on constraint vat_document_numbers_pkey do update set latest = n.latest + 1
  returning n.latest
$$;
comment on function private.next_vat_number(text) is 'The next number of a kind of document, without holes.';

create function private.vat_number_text(kind text, number bigint) returns text
  language sql immutable set search_path = ''
as $$
  select case kind when 'invoice' then 'INV' when 'credit_note' then 'CN' else 'DN' end || '-' || lpad(number::text, greatest(6, char_length(number::text)), '0')
$$;
comment on function private.vat_number_text(text, bigint) is 'A number as documents show it, such as INV-000001.';

create function private.vat_buyer(customer text) returns jsonb
  language sql stable set search_path = ''
as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'name', nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), ''), 'email', u.email,
    'business_name', b.business_name, 'address', b.address, 'vat_number', b.vat_number
  ))
  from public.stripe_customers k
  join auth.users u on u.id = k.user_id
  left join public.profiles p on p.id = k.user_id
  left join private.buyer_details b on b.user_id = k.user_id
  where k.customer_id = customer
$$;
comment on function private.vat_buyer(text) is 'Who a customer is on a VAT invoice: name, e-mail and business.';

create function private.vat_description(snapshot jsonb) returns text
  language sql stable set search_path = ''
as $$
  select coalesce(
    (select p.course_title from private.course_purchases p where p.payment_intent_id = snapshot ->> 'payment_intent_id'),
    private.plan_name(snapshot ->> 'upgraded_to'),
    (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = snapshot ->> 'subscription_id' limit 1),
    (select private.plan_name(a.price_id) from private.billing_attempts a where a.subscription_id = snapshot ->> 'subscription_id'),
    'Membership'
  )
$$;
comment on function private.vat_description(jsonb) is 'What a payment bought, for its VAT invoice: a course or a plan.';

-- The VAT of notes is a share of the invoice's, taken of all that was refunded so far, so that the notes of a payment that
-- came back in parts add up to its VAT.
create function private.issue_vat_note(note text, bill private.vat_documents, refund jsonb) returns void
  language plpgsql volatile set search_path = ''
as $$
declare
  gross bigint := (refund ->> 'amount')::bigint;
  back bigint;
  back_vat bigint;
  vat bigint;
begin
  select coalesce(sum(case d.kind when 'credit_note' then d.gross_pence else -d.gross_pence end), 0),
    coalesce(sum(case d.kind when 'credit_note' then d.vat_pence else -d.vat_pence end), 0)
  into back, back_vat
  from private.vat_documents d where d.charge_id = bill.charge_id and d.kind <> 'invoice';
  if note = 'debit_note' then
    select d.vat_pence into vat from private.vat_documents d where d.provider_id = refund ->> 'id' and d.kind = 'credit_note';
    if not found then
      return;
    end if;
  else
    vat := round(bill.vat_pence::numeric * (back + gross) / bill.gross_pence)::bigint - back_vat;
  end if;
  insert into private.vat_documents (
    kind, number, provider_id, charge_id, customer_id, invoice_id, corrects, supplied_at, description, period_start, period_end,
    currency, gross_pence, net_pence, vat_pence, rate_basis_points, seller, buyer
  ) values (
    note, private.next_vat_number(note), refund ->> 'id', bill.charge_id, bill.customer_id, bill.invoice_id, bill.number,
    to_timestamp((refund ->> 'created')::bigint), bill.description, bill.period_start, bill.period_end,
    bill.currency, gross, gross - vat, vat, bill.rate_basis_points, bill.seller, bill.buyer
  );
end
$$;
comment on function private.issue_vat_note(text, private.vat_documents, jsonb) is 'Issues the credit note of a refund, or the debit note of one that failed.';

reset check_function_bodies;
