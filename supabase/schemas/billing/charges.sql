-- Refunds and disputes of payments. docs/subsystems/billing.md explains which of them end or suspend a membership;
-- billing_sync has the rows that decide it.

-- Every payment, refund and dispute with each of its states, for the accounts of the business.
create table private.payment_records (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null default now(),
  kind text not null constraint payment_records_kind_check check (kind in ('payment', 'refund', 'dispute')),
  provider_id text not null,
  status text not null,
  charge_id text not null,
  customer_id text not null,
  subscription_id text,
  amount bigint not null,
  currency text not null,
  reason text,
  happened_at timestamptz not null,
  respond_by timestamptz,
  constraint payment_records_once unique (provider_id, status)
);
comment on table private.payment_records is 'Payments, refunds and disputes in the order in which they became known; rows are only ever added.';
comment on column private.payment_records.provider_id is 'Id of the payment, refund or dispute at the card provider.';
comment on column private.payment_records.customer_id is
  'References the account through stripe_customers while it exists. The record outlives the account and names no person.';
comment on column private.payment_records.amount is 'In the smallest unit of the currency.';
comment on column private.payment_records.respond_by is 'Until when the bank of a dispute takes evidence; null where it takes none.';
create index payment_records_customer_id_idx on private.payment_records (customer_id, id);
create index payment_records_time_idx on private.payment_records (kind, happened_at desc, provider_id desc);
create index payment_records_charge_id_idx on private.payment_records (charge_id);
alter table private.payment_records enable row level security;

create function private.tg_payment_records__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'payment records are only ever added';
end
$$;
create trigger payment_records__append_only before update or delete on private.payment_records
  for each row execute function private.tg_payment_records__append_only();

-- Stores one reading of a payment. Its subscription is read and applied next, which changes the access.
-- @rpc service_role
-- Server: write one reading of a payment.
create function private.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  customer text := snapshot ->> 'customer_id';
  charge text := snapshot ->> 'charge_id';
  place text;
begin
  if private.lock_customer(customer) is null then
    -- Of a deleted account. What its payment earned others is still taken back, and the books are kept.
    if exists (select from private.payment_records p where p.charge_id = charge and p.customer_id = customer) then
      perform private.lower_commissions(charge, snapshot);
      perform private.note_payment_records(snapshot, array['refund', 'dispute']);
      perform private.issue_vat_documents(snapshot);
      perform private.settle_gift(snapshot);
      perform private.keep_balance(snapshot -> 'balance');
    end if;
    return 'unknown_customer';
  end if;
  place := private.billing_place_reading(charge, ticket, snapshot);
  if place is not null then
    return place;
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash, payment_intent_id, receipt_url
  ) values (
    charge, customer, snapshot ->> 'subscription_id', (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k),
    snapshot ->> 'payment_intent_id', snapshot ->> 'receipt_url'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash),
    payment_intent_id = coalesce(excluded.payment_intent_id, c.payment_intent_id),
    receipt_url = coalesce(excluded.receipt_url, c.receipt_url);
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  perform private.note_payment_records(snapshot, array['payment', 'refund', 'dispute']);
  perform private.issue_vat_documents(snapshot);
  perform private.settle_gift(snapshot);
  perform private.keep_balance(snapshot -> 'balance');
  return 'applied';
end
$$;
comment on function private.billing_apply_charge(bigint, jsonb) is
  'Writes one reading of a payment and its new states: applied, stale, overlapping or unknown_customer.';

-- An upgrade whose difference was refunded in full is undone, as long as its invoice is the latest of the subscription: a renewal
-- or another upgrade has been paid since.
-- @rpc service_role
-- Server: the price before an upgrade that was refunded.
create function private.billing_price_before_upgrade(subscription text, price text, latest_invoice text) returns text
  language sql stable security definer set search_path = '' as $$
  select c.upgraded_from from private.billing_charges c
  where c.subscription_id = subscription and c.invoice_id = latest_invoice and c.is_refunded and c.upgraded_to = price
  limit 1
$$;
comment on function private.billing_price_before_upgrade(text, text, text) is
  'The price that counts instead of this one of a subscription, because the upgrade to it was refunded; null when it was not.';

-- Lets the reconciliation find new payments and those whose refund or dispute has changed.
-- @rpc service_role
-- Server: the last readings of these payments.
create function private.billing_known_charges(charges text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(c.charge_id, jsonb_build_object(
    'amount_refunded', c.amount_refunded, 'dispute', c.dispute
  )), '{}') from private.billing_charges c where c.charge_id = any (charges)
$$;
comment on function private.billing_known_charges(text[]) is 'The last reading of each of these payments, by id.';

-- Every price a membership was ever sold at. Only these give a role, and only current ones are sold.
-- @rpc service_role
-- Server: every price a membership was sold at.
create function private.billing_catalogue() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'plan_id', p.id, 'role', p.role, 'amount', coalesce(o.amount_pence, p.amount_pence),
    'currency', lower(coalesce(o.currency, p.currency)), 'interval', o."interval", 'is_current', o.retired_at is null and p.is_active
  ) order by o.price_id), '[]')
  from private.plan_prices o join public.plans p on p.id = o.plan_id
$$;
comment on function private.billing_catalogue() is 'Prices of the card provider with their plan and expected amount.';

-- Which of these subscriptions were bought in the app and not created by staff at the provider.
-- @rpc service_role
-- Server: which subscriptions were bought in the app.
create function private.billing_own_purchases(subscriptions text[]) returns setof text
  language sql stable security definer set search_path = '' as $$
  select a.subscription_id from private.billing_attempts a where a.subscription_id = any (subscriptions)
$$;
comment on function private.billing_own_purchases(text[]) is 'Which of the subscriptions were bought in the app.';

-- Flags an account whose payments a person has to review.
-- @rpc service_role
-- Server: flag an account for review.
create function private.billing_flag(customer text, reason text, detail jsonb) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer;
  insert into private.account_flags (user_id, reason)
  select member, billing_flag.reason where member is not null on conflict do nothing;
  if not found then
    return false;
  end if;
  perform private.audit(null, 'billing.flagged', member, detail || jsonb_build_object('reason', reason));
  return true;
end
$$;
comment on function private.billing_flag(text, text, jsonb) is 'Flags the account of a customer for review; false when it was flagged before.';
