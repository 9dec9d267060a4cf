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
    (select private.gift_name(g) from private.gift_memberships g where g.payment_intent_id = snapshot ->> 'payment_intent_id'),
    private.plan_name(snapshot ->> 'upgraded_to'),
    -- The plan may be another one by the time at which the payment is read.
    private.plan_name(snapshot ->> 'price_id'),
    (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = snapshot ->> 'subscription_id' limit 1),
    (select private.plan_name(a.price_id) from private.billing_attempts a where a.subscription_id = snapshot ->> 'subscription_id'),
    'Membership'
  )
$$;
comment on function private.vat_description(jsonb) is 'What a payment bought, for its VAT invoice: a course, a gift or a plan.';

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

-- With `stripe_tax` the provider's figures for the invoice count; a payment without an invoice has the rate of the setting.
create function private.issue_vat_documents(snapshot jsonb) returns void
  language plpgsql volatile set search_path = ''
as $$
declare
  charge constant text := snapshot ->> 'charge_id';
  bill private.vat_documents;
  paid jsonb;
  vat record;
  rate integer;
  included bigint;
  refund jsonb;
begin
  select d.* into bill from private.vat_documents d where d.charge_id = charge and d.kind = 'invoice' for update;
  if not found then
    select r.value into paid from jsonb_array_elements(snapshot -> 'records') r
    where r.value ->> 'kind' = 'payment' and r.value ->> 'status' = 'succeeded' and (r.value ->> 'amount')::bigint > 0;
    select v.* into vat from private.vat_at(to_timestamp((paid ->> 'created')::bigint)) v;
    if vat.mode is null or vat.mode = 'none' then
      return;
    end if;
    rate := vat.rate_basis_points;
    included := private.vat_of((paid ->> 'amount')::bigint, rate);
    if vat.mode = 'stripe_tax' and snapshot ->> 'tax_pence' is not null then
      included := (snapshot ->> 'tax_pence')::bigint;
      rate := (snapshot ->> 'tax_basis_points')::integer;
    end if;
    insert into private.vat_documents (
      kind, number, provider_id, charge_id, customer_id, invoice_id, supplied_at, description, period_start, period_end,
      currency, gross_pence, net_pence, vat_pence, rate_basis_points, seller, buyer
    ) values (
      'invoice', private.next_vat_number('invoice'), charge, charge, snapshot ->> 'customer_id', snapshot ->> 'invoice_id',
      to_timestamp((paid ->> 'created')::bigint), private.vat_description(snapshot),
      (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'currency',
      (paid ->> 'amount')::bigint, (paid ->> 'amount')::bigint - included, included, rate,
      (select to_jsonb(b) - 'id' from public.business_details b), private.vat_buyer(snapshot ->> 'customer_id')
    ) returning * into bill;
  end if;
  for refund in
    select r.value from jsonb_array_elements(snapshot -> 'records') r where r.value ->> 'kind' = 'refund'
    order by r.value ->> 'created', r.value ->> 'id'
  loop
    if refund ->> 'status' in ('succeeded', 'pending', 'requires_action') then
      continue when exists (
        select from private.vat_documents d where d.provider_id = refund ->> 'id' and d.kind = 'credit_note'
      );
      perform private.issue_vat_note('credit_note', bill, refund);
    elsif not exists (
      select from private.vat_documents d where d.provider_id = refund ->> 'id' and d.kind = 'debit_note'
    ) then
      perform private.issue_vat_note('debit_note', bill, refund);
    end if;
  end loop;
end
$$;
comment on function private.issue_vat_documents(jsonb) is
  'Issues what a reading of a payment asks for and was not issued yet: the VAT invoice, and a note for each refund. Nothing for a payment made without VAT.';

create function private.tg_stripe_customers__forget_buyer() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update private.vat_documents d set buyer = null where d.customer_id = old.customer_id;
  return null;
end
$$;
create trigger stripe_customers__forget_buyer after delete on public.stripe_customers
  for each row execute function private.tg_stripe_customers__forget_buyer();

-- @rpc authenticated
-- The caller's VAT invoices, credit notes and debit notes, newest first.
create function private.my_vat_documents() returns table (
  number text, kind text, corrects text, payment_id text, invoice_id text, issued_at timestamptz, supplied_at timestamptz,
  description text, period_start bigint, period_end bigint, currency text, gross_pence bigint, net_pence bigint, vat_pence bigint,
  rate_basis_points integer, seller jsonb, buyer jsonb
)
  language sql stable security definer set search_path = ''
as $$
  select private.vat_number_text(d.kind, d.number), d.kind, private.vat_number_text('invoice', d.corrects), d.charge_id, d.invoice_id,
    d.issued_at, d.supplied_at, d.description, d.period_start, d.period_end, d.currency, d.gross_pence, d.net_pence, d.vat_pence,
    d.rate_basis_points, d.seller, d.buyer
  from private.vat_documents d join public.stripe_customers k on k.customer_id = d.customer_id
  where k.user_id = private.require_caller()
  order by d.issued_at desc, d.kind, d.number desc
$$;
comment on function private.my_vat_documents() is 'The calling account''s VAT documents, newest first.';

create function private.export_part_vat(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'vat_documents', coalesce((
      select jsonb_agg(to_jsonb(d) order by d.issued_at, d.kind, d.number)
      from private.vat_documents d join public.stripe_customers k on k.customer_id = d.customer_id where k.user_id = member
    ), '[]'),
    'buyer_details', (select to_jsonb(b) from private.buyer_details b where b.user_id = member)
  )
$$;
comment on function private.export_part_vat(uuid) is 'VAT documents of one account, and what it wants on them.';
