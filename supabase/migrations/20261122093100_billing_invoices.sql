-- Invoices and receipts of members, read from the card provider like everything else: docs/subsystems/billing.md.

create table public.invoices (
  invoice_id text primary key,
  customer_id text not null references public.stripe_customers (customer_id) on update cascade on delete cascade,
  subscription_id text,
  number text,
  status text not null constraint invoices_status_check check (status in ('open', 'paid', 'uncollectible', 'void')),
  reason text,
  currency text not null,
  total_pence bigint not null,
  starting_balance_pence bigint not null default 0,
  amount_due_pence bigint not null,
  amount_paid_pence bigint not null,
  amount_refunded_pence bigint not null default 0,
  lines jsonb not null default '[]' constraint invoices_lines_check check (jsonb_typeof(lines) = 'array'),
  card_brand text,
  card_last4 text constraint invoices_card_last4_check check (card_last4 ~ '^[0-9]{4}$'),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz,
  issued_at timestamptz not null,
  paid_at timestamptz,
  ticket bigint not null,
  updated_at timestamptz not null default now()
);
revoke all on table public.invoices from public, anon, authenticated, service_role;
grant select, insert, update, delete on table public.invoices to service_role;
comment on table public.invoices is 'Finalised invoices of members. Only the server writes; the card provider is the source.';
comment on column public.invoices.reason is 'Why it was made, as the card provider says: subscription_create, subscription_cycle, subscription_update.';
comment on column public.invoices.total_pence is 'Sum of the lines in the smallest unit of the currency, before credit.';
comment on column public.invoices.starting_balance_pence is 'Credit of the customer when it was finalised; negative is in the member''s favour.';
comment on column public.invoices.amount_refunded_pence is 'Refunded of what was paid, from the payments of this invoice.';
comment on column public.invoices.lines is 'Objects with description, amount_pence, period_start and period_end (seconds since the epoch).';
comment on column public.invoices.card_brand is 'Card that paid it; null until then.';
comment on column public.invoices.attempt_count is 'Attempts to take the payment so far.';
comment on column public.invoices.next_attempt_at is 'When the card provider tries again; null when it does not.';
comment on column public.invoices.ticket is 'Ticket of the reading that the row holds.';
create index invoices_customer_id_idx on public.invoices (customer_id, issued_at desc);
alter table public.invoices enable row level security;

-- Members read the invoices of their own customers, former ones included.
grant select (
  invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
  amount_due_pence, amount_paid_pence, amount_refunded_pence, lines, card_brand, card_last4, attempt_count, next_attempt_at,
  issued_at, paid_at, ticket, updated_at
) on public.invoices to authenticated;
create policy select_own on public.invoices for select to authenticated
  using (customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid())));

-- Payment and invoice are read separately and in any order, so both call this.
create function private.billing_note_payment(invoice text) returns void
  language sql volatile set search_path = '' as $$
  update public.invoices i set
    amount_refunded_pence = paid.refunded, card_brand = paid.card_brand, card_last4 = paid.card_last4
  from (
    select sum(c.amount_refunded) as refunded, max(c.card_brand) as card_brand, max(c.card_last4) as card_last4
    from private.billing_charges c where c.invoice_id = invoice
  ) paid
  where i.invoice_id = invoice and paid.refunded is not null
$$;
revoke all on function private.billing_note_payment from public, anon, authenticated, service_role;
comment on function private.billing_note_payment(text) is 'Writes card and refunds of an invoice''s payments to the invoice.';

create function private.billing_apply_invoice(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  customer text := snapshot ->> 'customer_id';
  invoice text := snapshot ->> 'invoice_id';
begin
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    return 'unknown_customer';
  end if;
  insert into public.invoices as i (
    invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
    amount_due_pence, amount_paid_pence, lines, attempt_count, next_attempt_at, issued_at, paid_at, ticket
  ) values (
    invoice, customer, snapshot ->> 'subscription_id', snapshot ->> 'number', snapshot ->> 'status', snapshot ->> 'reason',
    snapshot ->> 'currency', (snapshot ->> 'total')::bigint, (snapshot ->> 'starting_balance')::bigint,
    (snapshot ->> 'amount_due')::bigint, (snapshot ->> 'amount_paid')::bigint, snapshot -> 'lines',
    (snapshot ->> 'attempt_count')::integer, to_timestamp((snapshot ->> 'next_attempt')::bigint),
    to_timestamp((snapshot ->> 'issued')::bigint), to_timestamp((snapshot ->> 'paid')::bigint), billing_apply_invoice.ticket
  )
  on conflict (invoice_id) do update set
    status = excluded.status, number = excluded.number, total_pence = excluded.total_pence,
    starting_balance_pence = excluded.starting_balance_pence, amount_due_pence = excluded.amount_due_pence,
    amount_paid_pence = excluded.amount_paid_pence, lines = excluded.lines, attempt_count = excluded.attempt_count,
    next_attempt_at = excluded.next_attempt_at, issued_at = excluded.issued_at, paid_at = excluded.paid_at,
    ticket = excluded.ticket, updated_at = now()
  where i.ticket < excluded.ticket and i.customer_id = excluded.customer_id;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(invoice);
  return 'applied';
end
$$;
revoke all on function private.billing_apply_invoice from public, anon, authenticated, service_role;
comment on function private.billing_apply_invoice(bigint, jsonb) is
  'Writes one reading of an invoice: applied, stale or unknown_customer.';
grant execute on function private.billing_apply_invoice(bigint, jsonb) to service_role;

create or replace function private.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
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
    charge_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4
  ) values (
    charge, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  insert into private.payment_records (
    kind, provider_id, status, charge_id, customer_id, subscription_id, amount, currency, reason, happened_at, due_at
  )
  select r ->> 'kind', r ->> 'id', r ->> 'status', charge, customer, snapshot ->> 'subscription_id',
    (r ->> 'amount')::bigint, snapshot ->> 'currency', r ->> 'reason', to_timestamp((r ->> 'created')::bigint),
    to_timestamp((r ->> 'due')::bigint)
  from jsonb_array_elements(snapshot -> 'records') r
  on conflict on constraint payment_records_once do nothing;
  return 'applied';
end
$$;

-- Lets the reconciliation find invoices that are new or have changed.
create function private.billing_known_invoices(invoices text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(i.invoice_id, jsonb_build_object(
    'status', i.status, 'amount_paid', i.amount_paid_pence, 'attempt_count', i.attempt_count
  )), '{}') from public.invoices i where i.invoice_id = any (invoices)
$$;
revoke all on function private.billing_known_invoices from public, anon, authenticated, service_role;
comment on function private.billing_known_invoices(text[]) is 'The last reading of each of these invoices, by id.';
grant execute on function private.billing_known_invoices(text[]) to service_role;

create function private.export_part_invoices(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('invoices', coalesce(
    (select jsonb_agg(to_jsonb(i) - 'ticket' order by i.issued_at) from public.invoices i
      join public.stripe_customers c on c.customer_id = i.customer_id where c.user_id = member), '[]'))
$$;
revoke all on function private.export_part_invoices from public, anon, authenticated, service_role;
comment on function private.export_part_invoices(uuid) is 'Invoices of one account.';

-- The API functions, for the server role only.
create function public.billing_apply_invoice(ticket bigint, snapshot jsonb) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_invoice(ticket, snapshot) $$;
revoke all on function public.billing_apply_invoice from public, anon, authenticated, service_role;
create function public.billing_known_invoices(invoices text[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_known_invoices(invoices) $$;
revoke all on function public.billing_known_invoices from public, anon, authenticated, service_role;
comment on function public.billing_apply_invoice(bigint, jsonb) is 'Server: write one reading of an invoice.';
comment on function public.billing_known_invoices(text[]) is 'Server: the last readings of these invoices.';
grant execute on function public.billing_apply_invoice(bigint, jsonb), public.billing_known_invoices(text[]) to service_role;
