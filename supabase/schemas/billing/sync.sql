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

-- A ticket is a number drawn before the provider is read.
create sequence private.billing_ticket_seq as bigint;

create table private.billing_readings (
  object_id text primary key,
  customer_id text not null references public.stripe_customers (customer_id) on update cascade on delete cascade,
  ticket bigint not null,
  written bigint not null,
  digest text not null
);
comment on table private.billing_readings is 'The reading that is kept of each subscription, payment and invoice.';
comment on column private.billing_readings.written is 'The next ticket when it was written.';
comment on column private.billing_readings.digest is 'MD5 of what was read.';
create index billing_readings_customer_id_idx on private.billing_readings (customer_id);
alter table private.billing_readings enable row level security;

-- Of two readings the one that began later is kept, if it began after the other was written. Where they overlap, the one that
-- began first may have been answered last: which of them is newer cannot be told, and both must not be written one after the
-- other, because a member would be told twice of one change, or would lose for a moment what they had.
create function private.billing_place_reading(object text, ticket bigint, snapshot jsonb) returns text
  language plpgsql set search_path = '' as $$
begin
  insert into private.billing_readings as r (object_id, customer_id, ticket, written, digest) values (
    object, snapshot ->> 'customer_id', billing_place_reading.ticket, nextval('private.billing_ticket_seq'), md5(snapshot::text)
  )
  on conflict (object_id) do update set ticket = excluded.ticket, written = excluded.written, digest = excluded.digest
  where r.ticket < excluded.ticket and (r.written < excluded.ticket or r.digest = excluded.digest);
  if found then
    return null;
  end if;
  return (
    select case when r.ticket < billing_place_reading.ticket then 'overlapping' else 'stale' end
    from private.billing_readings r where r.object_id = object
  );
end
$$;
comment on function private.billing_place_reading(text, bigint, jsonb) is
  'Keeps a reading as the latest of its object, and answers null. Else stale, or overlapping: to be read again.';

create table private.billing_sync_versions (
  subscription_id text primary key,
  created_at_provider bigint not null,
  ended_at_provider bigint
);
comment on table private.billing_sync_versions is 'When each subscription began and ended at the card provider.';
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

-- A refund is ignored when a later payment covers the current period, which happens when a price change starts a new period.
create function private.ends_if_refunded(payment private.billing_charges, period_start bigint) returns boolean
  language sql stable set search_path = ''
as $$
  select payment.period_end > coalesce(ends_if_refunded.period_start, 0) and not exists (
    select from private.billing_charges later
    where later.subscription_id = payment.subscription_id and not later.is_refunded
      and later.period_start > coalesce(payment.period_start, 0)
      and later.period_start <= ends_if_refunded.period_start and later.period_end > ends_if_refunded.period_start
  )
$$;
comment on function private.ends_if_refunded(private.billing_charges, bigint) is
  'Whether a refund of the whole payment ends its subscription, whose current period begins then.';

-- The strongest reason to hold a subscription: dispute lost, then refunded, then disputed.
create function private.billing_hold(subscription text, period_start bigint) returns text
  language sql stable set search_path = ''
as $$
  select case
    when bool_or(c.dispute = 'lost' and not private.is_earlier_payment(c, billing_hold.period_start)) then 'dispute_lost'
    when bool_or(c.is_refunded and private.ends_if_refunded(c, billing_hold.period_start)) then 'refunded'
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
    when hold in ('disputed', 'paused') then 'paused'
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
  place text;
begin
  member := private.lock_customer(customer);
  if member is not null then
    place := private.billing_place_reading(subscription, ticket, snapshot);
  end if;
  -- The event has no effect yet: it comes with the next reading.
  if place = 'overlapping' then
    return place;
  end if;
  if event is not null and not private.billing_note_event(event, event_type) then
    return 'duplicate';
  end if;
  if place is not null then
    return place;
  end if;
  if member is null then
    return 'unknown_customer';
  end if;
  -- Read under the lock: a dispute may have been written while this waited.
  hold := private.billing_hold(subscription, (item ->> 'current_period_start')::bigint);
  if hold is null and private.pause_has_begun(snapshot, item) then
    hold := 'paused';
  end if;
  new_status := private.billing_status_under_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_sync_versions (subscription_id, created_at_provider, ended_at_provider)
  values (subscription, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
  on conflict (subscription_id) do update set ended_at_provider = excluded.ended_at_provider;
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
  perform private.note_pause(member, snapshot, item);
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
comment on function private.billing_apply_subscription(bigint,jsonb,text,text) is 'Writes one reading of a subscription, with its event id and the role it gives: applied, stale, overlapping, duplicate or unknown_customer.';

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
