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
  hosted_url text,
  pdf_url text,
  receipt_url text,
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.invoices to service_role;
-- Members read the invoices of their own customers, former ones included.
grant select (invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
    amount_due_pence, amount_paid_pence, amount_refunded_pence, lines, card_brand, card_last4, attempt_count, next_attempt_at,
    issued_at, paid_at, hosted_url, pdf_url, receipt_url, updated_at)
  on public.invoices to authenticated;
comment on table public.invoices is 'Finalised invoices of members. Only the server writes; the card provider is the source.';
comment on column public.invoices.reason is 'Why it was made, as the card provider says: subscription_create, subscription_cycle, subscription_update.';
comment on column public.invoices.total_pence is 'Sum of the lines in the smallest unit of the currency, before credit.';
comment on column public.invoices.starting_balance_pence is 'Credit of the customer when it was finalised; negative is in the member''s favour.';
comment on column public.invoices.amount_refunded_pence is 'Refunded of what was paid, from the payments of this invoice.';
comment on column public.invoices.lines is 'Objects with description, amount_pence, period_start and period_end (seconds since the epoch).';
comment on column public.invoices.card_brand is 'Card that paid it; null until then.';
comment on column public.invoices.attempt_count is 'Attempts to take the payment so far.';
comment on column public.invoices.next_attempt_at is 'When the card provider tries again; null when it does not.';
comment on column public.invoices.hosted_url is 'The card provider''s own page of it; its links end some time after it was issued.';
comment on column public.invoices.pdf_url is 'The card provider''s own invoice as a PDF.';
comment on column public.invoices.receipt_url is 'The card provider''s receipt of the payment.';
create index invoices_customer_id_idx on public.invoices (customer_id, issued_at desc);
-- Searching payments looks up who and which invoice is meant first, by their indexes, and only then reads the payments:
-- as one condition over all joined tables it read and joined every payment there is.

-- Invoices are written a few a minute; they wait for the moment that this takes.
-- What is owed, among everything that was ever paid.
create index invoices_open_idx on public.invoices (issued_at) where status = 'open';
create index invoices_number_idx on public.invoices using gin (number extensions.gin_trgm_ops);
alter table public.invoices enable row level security;

create policy select_own on public.invoices for select to authenticated
  using (customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid())));

-- For staff alone: a member must not read that a card is reported stolen.
create table private.invoice_failures (
  invoice_id text primary key references public.invoices (invoice_id) on delete cascade,
  code text not null
);
comment on table private.invoice_failures is 'Why the last attempt at an open invoice was refused, as the card provider names it.';
alter table private.invoice_failures enable row level security;

-- Payment and invoice are read separately and in any order, so both call this.
create function private.billing_note_payment(invoice text) returns void
  language sql volatile set search_path = '' as $$
  update public.invoices i set
    amount_refunded_pence = paid.refunded, card_brand = paid.card ->> 0, card_last4 = paid.card ->> 1,
    receipt_url = paid.card ->> 2
  from (
    -- Brand and digits of one card: of a payment that was kept, if there is one.
    select sum(c.amount_refunded) as refunded, (
      array_agg(jsonb_build_array(c.card_brand, c.card_last4, c.receipt_url) order by c.is_refunded, c.amount desc nulls last, c.charge_id)
    )[1] as card
    from private.billing_charges c where c.invoice_id = invoice
  ) paid
  where i.invoice_id = invoice and paid.refunded is not null
$$;
comment on function private.billing_note_payment(text) is 'Writes card and refunds of an invoice''s payments to the invoice.';

-- @rpc service_role
-- Server: write one reading of an invoice.
create function private.billing_apply_invoice(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  customer text := snapshot ->> 'customer_id';
  invoice text := snapshot ->> 'invoice_id';
  place text;
begin
  if private.lock_customer(customer) is null then
    return 'unknown_customer';
  end if;
  place := private.billing_place_reading(invoice, ticket, snapshot);
  if place is not null then
    return place;
  end if;
  insert into public.invoices as i (
    invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
    amount_due_pence, amount_paid_pence, lines, attempt_count, next_attempt_at, issued_at, paid_at, hosted_url, pdf_url
  ) values (
    invoice, customer, snapshot ->> 'subscription_id', snapshot ->> 'number', snapshot ->> 'status', snapshot ->> 'reason',
    snapshot ->> 'currency', (snapshot ->> 'total')::bigint, (snapshot ->> 'starting_balance')::bigint,
    (snapshot ->> 'amount_due')::bigint, (snapshot ->> 'amount_paid')::bigint, snapshot -> 'lines',
    (snapshot ->> 'attempt_count')::integer, to_timestamp((snapshot ->> 'next_attempt')::bigint),
    to_timestamp((snapshot ->> 'issued')::bigint), to_timestamp((snapshot ->> 'paid')::bigint),
    snapshot ->> 'hosted_url', snapshot ->> 'pdf_url'
  )
  on conflict (invoice_id) do update set
    status = excluded.status, number = excluded.number, total_pence = excluded.total_pence,
    starting_balance_pence = excluded.starting_balance_pence, amount_due_pence = excluded.amount_due_pence,
    amount_paid_pence = excluded.amount_paid_pence, lines = excluded.lines, attempt_count = excluded.attempt_count,
    next_attempt_at = excluded.next_attempt_at, issued_at = excluded.issued_at, paid_at = excluded.paid_at,
    hosted_url = excluded.hosted_url, pdf_url = excluded.pdf_url, updated_at = now()
  where i.customer_id = excluded.customer_id;
  if not found then
    return 'stale';
  end if;
  if snapshot ->> 'failure_code' is null then
    delete from private.invoice_failures f where f.invoice_id = invoice;
  else
    insert into private.invoice_failures as f (invoice_id, code) values (invoice, snapshot ->> 'failure_code')
    on conflict on constraint invoice_failures_pkey do update set code = excluded.code;
  end if;
  perform private.billing_note_payment(invoice);
  return 'applied';
end
$$;
comment on function private.billing_apply_invoice(bigint, jsonb) is
  'Writes one reading of an invoice: applied, stale, overlapping or unknown_customer.';

-- Lets the reconciliation find invoices that are new or have changed.
-- @rpc service_role
-- Server: the last readings of these invoices.
create function private.billing_known_invoices(invoices text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(i.invoice_id, jsonb_build_object(
    'status', i.status, 'amount_paid', i.amount_paid_pence, 'attempt_count', i.attempt_count
  )), '{}') from public.invoices i where i.invoice_id = any (invoices)
$$;
comment on function private.billing_known_invoices(text[]) is 'The last reading of each of these invoices, by id.';

create function private.export_part_invoices(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('invoices', coalesce(
    (select jsonb_agg(to_jsonb(i) order by i.issued_at) from public.invoices i
      join public.stripe_customers c on c.customer_id = i.customer_id where c.user_id = member), '[]'))
$$;
comment on function private.export_part_invoices(uuid) is 'Invoices of one account.';

-- A receipt says when money came back, and what remains: each refund has its own day.
-- @rpc authenticated
-- The refunds of one of the caller's invoices: `amount_pence` and `refunded_at`, oldest first.
create function private.invoice_refunds(invoice text) returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('amount_pence', r.amount, 'refunded_at', r.happened_at) order by r.happened_at, r.id), '[]')
    from public.stripe_customers c
    join private.billing_charges p on p.customer_id = c.customer_id and p.invoice_id = invoice_refunds.invoice
    join private.payment_records r on r.charge_id = p.charge_id
    where c.user_id = caller and r.kind = 'refund' and r.status = 'succeeded'
  );
end
$$;
comment on function private.invoice_refunds(text) is 'Refunds that were made of one of the caller''s invoices, oldest first; none for another''s.';
