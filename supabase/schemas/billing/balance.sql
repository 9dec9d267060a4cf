-- What moved the account's balance at the card provider: what payments brought and cost, what went back, its other fees, and
-- payouts to the bank. It is the account's whole balance, also of what another product of the seller took there.
create table private.balance_transactions (
  transaction_id text primary key,
  category text not null,
  source text,
  amount bigint not null,
  fee bigint not null,
  net bigint not null,
  currency text not null,
  happened_at timestamptz not null,
  constraint balance_transactions_net_check check (net = amount - fee)
);
comment on table private.balance_transactions is 'Movements of the balance at the card provider, as it last reported them. They name no accounts and are kept.';
comment on column private.balance_transactions.category is 'The provider''s reporting category, such as charge, refund, dispute, fee or payout.';
comment on column private.balance_transactions.source is 'Id of the payment, refund, dispute or payout that caused it; null for fees of the account.';
comment on column private.balance_transactions.amount is 'In the smallest unit of the currency, which is that of the balance; negative for money that leaves.';
comment on column private.balance_transactions.fee is 'What the provider kept, in the same unit.';
create index balance_transactions_time_idx on private.balance_transactions (happened_at);
create index balance_transactions_source_idx on private.balance_transactions (source);
alter table private.balance_transactions enable row level security;

-- A row once anything was read: a later payment may be kept before what came between has been.
create table private.balance_reading (
  id boolean primary key default true constraint balance_reading_one_row check (id),
  read_until timestamptz not null
);
comment on table private.balance_reading is 'Until when the balance was read from the provider without a gap.';
alter table private.balance_reading enable row level security;

create function private.keep_balance(movements jsonb) returns void
  language sql volatile set search_path = '' as $$
  insert into private.balance_transactions as b (transaction_id, category, source, amount, fee, net, currency, happened_at)
  select distinct on (m.id) m.id, m.category, m.source, m.amount, m.fee, m.net, m.currency, to_timestamp(m.created)
  from jsonb_to_recordset(coalesce(movements, '[]')) as m(
    id text, category text, source text, amount bigint, fee bigint, net bigint, currency text, created bigint
  )
  on conflict (transaction_id) do update set
    category = excluded.category, source = excluded.source, amount = excluded.amount, fee = excluded.fee, net = excluded.net
  where (b.category, b.source, b.amount, b.fee, b.net)
    is distinct from (excluded.category, excluded.source, excluded.amount, excluded.fee, excluded.net)
$$;
comment on function private.keep_balance(jsonb) is 'Writes movements of the balance; a second reading of one changes only what the provider corrected.';

-- @rpc service_role
-- Server: from when on the balance is to be read, in epoch seconds.
create function private.billing_balance_read_from() returns bigint
  language sql stable security definer set search_path = '' as $$
  -- An hour is read again, because a movement may be listed later than it was made. What was before the first payment is not ours.
  select floor(extract(epoch from coalesce(
    (select r.read_until - interval '1 hour' from private.balance_reading r),
    (select min(p.happened_at) - interval '1 day' from private.payment_records p),
    now() - interval '1 day'
  )))::bigint
$$;
comment on function private.billing_balance_read_from() is 'From when on the balance at the provider was not read yet, in epoch seconds, with an hour that is read again.';

-- @rpc service_role
-- Server: keep movements of the balance, read without a gap until a moment in epoch seconds.
create function private.billing_keep_balance(movements jsonb, read_until bigint) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.keep_balance(movements);
  insert into private.balance_reading as r (read_until) values (to_timestamp(billing_keep_balance.read_until))
  on conflict (id) do update set read_until = greatest(r.read_until, excluded.read_until);
end
$$;
comment on function private.billing_keep_balance(jsonb, bigint) is 'Writes what was read of the balance, and until when it was read.';

-- What is not in the balance as it was read, such as the payment of a moment ago, counts as it was recorded, without a fee.
create function private.balance_happened() returns table (at timestamptz, money text, what text, amount bigint, fee bigint, is_read boolean)
  language sql stable set search_path = '' as $$
  select b.happened_at, b.currency,
    case
      when b.category in ('payout', 'payout_reversal') then 'payout'
      when b.category in ('fee', 'network_cost', 'tax') then 'fee'
      when not exists (select from private.payment_records r where r.provider_id = b.source) then 'other'
      when b.category in ('charge', 'charge_failure', 'partial_capture_reversal') then 'charge'
      when b.category in ('refund', 'refund_failure') then 'refund'
      when b.category in ('dispute', 'dispute_reversal') then 'dispute'
      else 'other'
    end,
    b.amount, b.fee, true
  from private.balance_transactions b
  union all
  select y.paid_at, y.currency, 'charge', y.amount_pence, 0, false from private.payments y
  where not exists (select from private.balance_transactions b where b.source = y.payment_id)
  union all
  select x.happened_at, x.currency, x.kind, -x.amount, 0, false from private.refunds_and_disputes x
  where (x.kind = 'refund' and x.status in ('succeeded', 'pending') or x.kind = 'dispute' and x.status = 'lost')
    and not exists (select from private.balance_transactions b where b.source = x.provider_id)
$$;
comment on function private.balance_happened() is
  'What moved the balance, each with its moment and currency: charge, refund, dispute, fee, payout, and other for what another product took; amounts are negative for money that leaves.';
