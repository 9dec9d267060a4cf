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
revoke all on table private.payment_records from public, anon, authenticated, service_role;
revoke all on sequence private.payment_records_id_seq from public, anon, authenticated, service_role;
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
revoke all on function private.tg_payment_records__append_only from public, anon, authenticated, service_role;
create trigger payment_records__append_only before update or delete on private.payment_records
  for each row execute function private.tg_payment_records__append_only();

-- Stores one reading of a payment. Its subscription is read and applied next, which changes the access.
create function private.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  customer text := snapshot ->> 'customer_id';
  charge text := snapshot ->> 'charge_id';
begin
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    return 'unknown_customer';
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to
  ) values (
    charge, customer, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  insert into private.payment_records (
    kind, provider_id, status, charge_id, customer_id, subscription_id, amount, currency, reason, happened_at, respond_by
  )
  select r ->> 'kind', r ->> 'id', r ->> 'status', charge, customer, snapshot ->> 'subscription_id',
    (r ->> 'amount')::bigint, snapshot ->> 'currency', r ->> 'reason', to_timestamp((r ->> 'created')::bigint), to_timestamp((r ->> 'respond_by')::bigint)
  from jsonb_array_elements(snapshot -> 'records') r
  on conflict on constraint payment_records_once do nothing;
  return 'applied';
end
$$;
revoke all on function private.billing_apply_charge from public, anon, authenticated, service_role;
comment on function private.billing_apply_charge(bigint, jsonb) is
  'Writes one reading of a payment and its new states: applied, stale or unknown_customer.';
grant execute on function private.billing_apply_charge(bigint, jsonb) to service_role;

-- An upgrade whose difference was refunded in full is undone, as long as its invoice is the latest of the subscription: a renewal
-- or another upgrade has been paid since.
create function private.billing_price_before_upgrade(subscription text, price text, latest_invoice text) returns text
  language sql stable security definer set search_path = '' as $$
  select c.upgraded_from from private.billing_charges c
  where c.subscription_id = subscription and c.invoice_id = latest_invoice and c.is_refunded and c.upgraded_to = price
  limit 1
$$;
revoke all on function private.billing_price_before_upgrade from public, anon, authenticated, service_role;
comment on function private.billing_price_before_upgrade(text, text, text) is
  'The price that counts instead of this one of a subscription, because the upgrade to it was refunded; null when it was not.';
grant execute on function private.billing_price_before_upgrade(text, text, text) to service_role;

-- Lets the reconciliation find new payments and those whose refund or dispute has changed.
create function private.billing_known_charges(charges text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(c.charge_id, jsonb_build_object(
    'amount_refunded', c.amount_refunded, 'dispute', c.dispute
  )), '{}') from private.billing_charges c where c.charge_id = any (charges)
$$;
revoke all on function private.billing_known_charges from public, anon, authenticated, service_role;
comment on function private.billing_known_charges(text[]) is 'The last reading of each of these payments, by id.';
grant execute on function private.billing_known_charges(text[]) to service_role;

-- Every price a membership was ever sold at. Only these give a role, and only current ones are sold.
create function private.billing_catalogue() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'plan_id', p.id, 'role', p.role, 'amount', p.amount_pence,
    'currency', lower(p.currency), 'interval', p."interval", 'is_current', o.price_id = p.price_id and p.is_active
  ) order by o.price_id), '[]')
  from private.plan_prices o join public.plans p on p.id = o.plan_id
$$;
revoke all on function private.billing_catalogue from public, anon, authenticated, service_role;
comment on function private.billing_catalogue() is 'Prices of the card provider with their plan and expected amount.';
grant execute on function private.billing_catalogue() to service_role;

-- Which of these subscriptions were bought in the app and not created by staff at the provider.
create function private.billing_own_purchases(subscriptions text[]) returns setof text
  language sql stable security definer set search_path = '' as $$
  select a.subscription_id from private.billing_attempts a where a.subscription_id = any (subscriptions)
$$;
revoke all on function private.billing_own_purchases from public, anon, authenticated, service_role;
comment on function private.billing_own_purchases(text[]) is 'Which of the subscriptions were bought in the app.';
grant execute on function private.billing_own_purchases(text[]) to service_role;

-- Flags an account whose payments a person has to review.
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
revoke all on function private.billing_flag from public, anon, authenticated, service_role;
comment on function private.billing_flag(text, text, jsonb) is 'Flags the account of a customer for review; false when it was flagged before.';
grant execute on function private.billing_flag(text, text, jsonb) to service_role;

-- The API functions, for the server role only.
create function public.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_charge(ticket, snapshot) $$;
revoke all on function public.billing_apply_charge from public, anon, authenticated, service_role;
create function public.billing_price_before_upgrade(subscription text, price text, latest_invoice text) returns text
  language sql stable set search_path = '' as $$ select private.billing_price_before_upgrade(subscription, price, latest_invoice) $$;
revoke all on function public.billing_price_before_upgrade from public, anon, authenticated, service_role;
create function public.billing_known_charges(charges text[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_known_charges(charges) $$;
revoke all on function public.billing_known_charges from public, anon, authenticated, service_role;
create function public.billing_catalogue() returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_catalogue() $$;
revoke all on function public.billing_catalogue from public, anon, authenticated, service_role;
create function public.billing_own_purchases(subscriptions text[]) returns setof text
  language sql stable set search_path = '' as $$ select private.billing_own_purchases(subscriptions) $$;
revoke all on function public.billing_own_purchases from public, anon, authenticated, service_role;
create function public.billing_flag(customer text, reason text, detail jsonb) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_flag(customer, reason, detail) $$;
revoke all on function public.billing_flag from public, anon, authenticated, service_role;
comment on function public.billing_apply_charge(bigint, jsonb) is 'Server: write one reading of a payment.';
comment on function public.billing_price_before_upgrade(text, text, text) is 'Server: the price before an upgrade that was refunded.';
comment on function public.billing_known_charges(text[]) is 'Server: the last readings of these payments.';
comment on function public.billing_catalogue() is 'Server: every price a membership was sold at.';
comment on function public.billing_own_purchases(text[]) is 'Server: which subscriptions were bought in the app.';
comment on function public.billing_flag(text, text, jsonb) is 'Server: flag an account for review.';
grant execute on function public.billing_apply_charge(bigint, jsonb), public.billing_known_charges(text[]),
  public.billing_price_before_upgrade(text, text, text),
  public.billing_catalogue(), public.billing_own_purchases(text[]), public.billing_flag(text, text, jsonb)
  to service_role;
