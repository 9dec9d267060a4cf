create table "private"."balance_reading" (
  "id"         boolean                  not null default true,
  "read_until" timestamp with time zone not null,
  constraint "balance_reading_one_row" check (id),
  constraint "balance_reading_pkey" primary key (id)
);

alter table "private"."balance_reading"
  enable row level security;

create table "private"."balance_transactions" (
  "transaction_id" text                     not null,
  "category"       text                     not null,
  "source"         text,
  "amount"         bigint                   not null,
  "fee"            bigint                   not null,
  "net"            bigint                   not null,
  "currency"       text                     not null,
  "happened_at"    timestamp with time zone not null,
  constraint "balance_transactions_net_check" check ((net = (amount - fee))),
  constraint "balance_transactions_pkey" primary key (transaction_id)
);

alter table "private"."balance_transactions"
  enable row level security;

create or replace function private.balance_happened()
  returns table (
    at      timestamp with time zone,
    money   text,
    what    text,
    amount  bigint,
    fee     bigint,
    is_read boolean
  )
  language sql
  stable
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.billing_apply_charge (
  ticket   bigint,
  snapshot jsonb
)
  returns text
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  customer text := snapshot ->> 'customer_id';
  charge text := snapshot ->> 'charge_id';
begin
  if private.lock_customer(customer) is null then
    -- Of a deleted account. What its payment earned others is still taken back, and the books are kept.
    if exists (select from private.payment_records p where p.charge_id = charge and p.customer_id = customer) then
      perform private.lower_commissions(charge, snapshot);
      perform private.note_payment_records(snapshot, array['refund', 'dispute']);
      perform private.issue_vat_documents(snapshot);
      perform private.keep_balance(snapshot -> 'balance');
    end if;
    return 'unknown_customer';
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash, payment_intent_id, receipt_url
  ) values (
    charge, customer, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k),
    snapshot ->> 'payment_intent_id', snapshot ->> 'receipt_url'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash),
    payment_intent_id = coalesce(excluded.payment_intent_id, c.payment_intent_id),
    receipt_url = coalesce(excluded.receipt_url, c.receipt_url)
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  perform private.note_payment_records(snapshot, array['payment', 'refund', 'dispute']);
  perform private.issue_vat_documents(snapshot);
  perform private.keep_balance(snapshot -> 'balance');
  return 'applied';
end
$function$;

create or replace function private.billing_balance_read_from()
  returns bigint
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  -- An hour is read again, because a movement may be listed later than it was made. What was before the first payment is not ours.
  select floor(extract(epoch from coalesce(
    (select r.read_until - interval '1 hour' from private.balance_reading r),
    (select min(p.happened_at) - interval '1 day' from private.payment_records p),
    now() - interval '1 day'
  )))::bigint
$function$;

create or replace function private.billing_keep_balance (
  movements  jsonb,
  read_until bigint
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.keep_balance(movements);
  insert into private.balance_reading as r (read_until) values (to_timestamp(billing_keep_balance.read_until))
  on conflict (id) do update set read_until = greatest(r.read_until, excluded.read_until);
end
$function$;

create or replace function private.keep_balance (
  movements jsonb
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  insert into private.balance_transactions as b (transaction_id, category, source, amount, fee, net, currency, happened_at)
  select distinct on (m.id) m.id, m.category, m.source, m.amount, m.fee, m.net, m.currency, to_timestamp(m.created)
  from jsonb_to_recordset(coalesce(movements, '[]')) as m(
    id text, category text, source text, amount bigint, fee bigint, net bigint, currency text, created bigint
  )
  on conflict (transaction_id) do update set
    category = excluded.category, source = excluded.source, amount = excluded.amount, fee = excluded.fee, net = excluded.net
  where (b.category, b.source, b.amount, b.fee, b.net)
    is distinct from (excluded.category, excluded.source, excluded.amount, excluded.fee, excluded.net)
$function$;

create or replace function public.billing_balance_read_from()
  returns bigint
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_balance_read_from() $function$;

create or replace function public.billing_keep_balance (
  movements  jsonb,
  read_until bigint
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_keep_balance(movements, read_until) $function$;

create index balance_transactions_source_idx on private.balance_transactions using btree (source);

create index balance_transactions_time_idx on private.balance_transactions using btree (happened_at);

comment on column "private"."balance_transactions"."amount" is 'In the smallest unit of the currency, which is that of the balance; negative for money that leaves.';

comment on column "private"."balance_transactions"."category" is 'The provider''s reporting category, such as charge, refund, dispute, fee or payout.';

comment on column "private"."balance_transactions"."fee" is 'What the provider kept, in the same unit.';

comment on column "private"."balance_transactions"."source" is 'Id of the payment, refund, dispute or payout that caused it; null for fees of the account.';

comment on function "private"."balance_happened"() is 'What moved the balance, each with its moment and currency: charge, refund, dispute, fee, payout, and other for what another product took; amounts are negative for money that leaves.';

comment on function "private"."billing_balance_read_from"() is 'From when on the balance at the provider was not read yet, in epoch seconds, with an hour that is read again.';

comment on function "private"."billing_keep_balance"(jsonb, bigint) is 'Writes what was read of the balance, and until when it was read.';

comment on function "private"."keep_balance"(jsonb) is 'Writes movements of the balance; a second reading of one changes only what the provider corrected.';

comment on function "public"."billing_balance_read_from"() is 'Server: from when on the balance is to be read, in epoch seconds.';

comment on function "public"."billing_keep_balance"(jsonb, bigint) is 'Server: keep movements of the balance, read without a gap until a moment in epoch seconds.';

comment on table "private"."balance_reading" is 'Until when the balance was read from the provider without a gap.';

comment on table "private"."balance_transactions" is 'Movements of the balance at the card provider, as it last reported them. They name no accounts and are kept.';

revoke all on function "private"."balance_happened"() from public;

grant execute on function "private"."balance_happened"() to "postgres";

revoke all on function "private"."billing_balance_read_from"() from public;

grant execute on function "private"."billing_balance_read_from"() to "postgres", "service_role";

revoke all on function "private"."billing_keep_balance"(jsonb, bigint) from public;

grant execute on function "private"."billing_keep_balance"(jsonb, bigint) to "postgres", "service_role";

revoke all on function "private"."keep_balance"(jsonb) from public;

grant execute on function "private"."keep_balance"(jsonb) to "postgres";

revoke all on function "public"."billing_balance_read_from"() from public;

grant execute on function "public"."billing_balance_read_from"() to "postgres", "service_role";

revoke all on function "public"."billing_keep_balance"(jsonb, bigint) from public;

grant execute on function "public"."billing_keep_balance"(jsonb, bigint) to "postgres", "service_role";
