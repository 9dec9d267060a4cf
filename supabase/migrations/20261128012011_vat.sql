set local check_function_bodies = off;

drop function "private"."admin_money_figures"();

drop function "public"."admin_money_figures"();

create table "private"."buyer_details" (
  "user_id"       uuid not null,
  "business_name" text,
  "address"       text,
  "vat_number"    text,
  constraint "buyer_details_address_check" check (((char_length(address) >= 1) AND (char_length(address) <= 500))),
  constraint "buyer_details_business_name_check"
    check (((char_length(business_name) >= 1) AND (char_length(business_name) <= 200))),
  constraint "buyer_details_pkey" primary key (user_id),
  constraint "buyer_details_vat_number_check"
    check (((char_length(vat_number) >= 1) AND (char_length(vat_number) <= 40)))
);

alter table "private"."buyer_details"
  enable row level security;

create table "private"."provider_tax_rates" (
  "rate_basis_points" integer not null,
  "tax_rate_id"       text    not null,
  constraint "provider_tax_rates_pkey" primary key (rate_basis_points)
);

alter table "private"."provider_tax_rates"
  enable row level security;

create table "private"."vat_document_numbers" (
  "kind"   text   not null,
  "latest" bigint not null,
  constraint "vat_document_numbers_pkey" primary key (kind)
);

alter table "private"."vat_document_numbers"
  enable row level security;

create table "private"."vat_documents" (
  "kind"              text                     not null,
  "number"            bigint                   not null,
  "provider_id"       text                     not null,
  "charge_id"         text                     not null,
  "customer_id"       text                     not null,
  "invoice_id"        text,
  "corrects"          bigint,
  "issued_at"         timestamp with time zone not null default now(),
  "supplied_at"       timestamp with time zone not null,
  "description"       text                     not null,
  "period_start"      bigint,
  "period_end"        bigint,
  "currency"          text                     not null,
  "gross_pence"       bigint                   not null,
  "net_pence"         bigint                   not null,
  "vat_pence"         bigint                   not null,
  "rate_basis_points" integer                  not null,
  "seller"            jsonb                    not null,
  "buyer"             jsonb,
  constraint "vat_documents_kind_check"
    check ((kind = ANY (ARRAY['invoice'::text, 'credit_note'::text, 'debit_note'::text]))),
  constraint "vat_documents_once" unique (provider_id, kind),
  constraint "vat_documents_pkey" primary key (kind, number),
  constraint "vat_documents_sum_check" check (((net_pence + vat_pence) = gross_pence))
);

alter table "private"."vat_documents"
  enable row level security;

create table "public"."vat_settings" (
  "id"                bigint                   generated always as identity not null,
  "since"             timestamp with time zone not null default now(),
  "mode"              text                     not null,
  "rate_basis_points" integer                  not null,
  constraint "vat_settings_mode_check" check ((mode = ANY (ARRAY['none'::text, 'fixed'::text, 'stripe_tax'::text]))),
  constraint "vat_settings_pkey" primary key (id),
  constraint "vat_settings_rate_check" check (((rate_basis_points >= 1) AND (rate_basis_points <= 5000)))
);

alter table "public"."vat_settings"
  enable row level security;

alter table "private"."buyer_details"
  add constraint "buyer_details_user_id_fkey" foreign key (user_id) references auth.users(id) on delete cascade;

create index vat_documents_charge_id_idx on private.vat_documents using btree (charge_id);

create index vat_documents_customer_id_idx on private.vat_documents using btree (customer_id);

create index vat_documents_invoice_id_idx on private.vat_documents using btree (invoice_id);

create index vat_documents_supplied_at_idx on private.vat_documents using btree (supplied_at);

create or replace function private.admin_money_figures()
  returns table (
    revenue_pence  bigint,
    refunded_pence bigint,
    vat_pence      bigint,
    open_disputes  integer,
    failed_events  integer,
    complimentary  integer
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  month timestamptz := date_trunc('month', now());
begin
  perform private.require_verified_admin();
  return query select
    coalesce((
      select sum(y.amount_pence) from private.payments y where y.paid_at >= month and y.currency = 'gbp'
    ), 0)::bigint,
    coalesce((
      select sum(x.amount) from private.refunds_and_disputes x
      where x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.happened_at >= month and x.currency = 'gbp'
    ), 0)::bigint,
    coalesce((
      select sum(case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end) from private.vat_documents d
      where d.supplied_at >= month and d.currency = 'gbp'
    ), 0)::bigint,
    (select count(*)::integer from private.open_disputes()),
    (select count(*)::integer from private.failed_billing_events),
    (select count(*)::integer from private.current_complimentary_memberships);
end
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
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    -- Of a deleted account. What its payment earned others is still taken back, and the books are kept.
    if exists (select from private.payment_records p where p.charge_id = charge and p.customer_id = customer) then
      perform private.lower_commissions(charge, snapshot);
      perform private.note_payment_records(snapshot, array['refund', 'dispute']);
      perform private.issue_vat_documents(snapshot);
    end if;
    return 'unknown_customer';
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash, payment_intent_id
  ) values (
    charge, customer, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k),
    snapshot ->> 'payment_intent_id'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash),
    payment_intent_id = coalesce(excluded.payment_intent_id, c.payment_intent_id)
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  perform private.note_payment_records(snapshot, array['payment', 'refund', 'dispute']);
  perform private.issue_vat_documents(snapshot);
  return 'applied';
end
$function$;

create or replace function private.billing_record_tax_rate (
  rate_basis_points integer,
  tax_rate          text
)
  returns text
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  kept text;
begin
  insert into private.provider_tax_rates as t (rate_basis_points, tax_rate_id) values (billing_record_tax_rate.rate_basis_points, tax_rate)
  on conflict on constraint provider_tax_rates_pkey do nothing;
  select t.tax_rate_id into kept from private.provider_tax_rates t where t.rate_basis_points = billing_record_tax_rate.rate_basis_points;
  return kept;
end
$function$;

create or replace function private.billing_vat()
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce((
    select jsonb_build_object('mode', v.mode, 'rate_basis_points', v.rate_basis_points, 'tax_rate_id', t.tax_rate_id)
    from private.vat_at(now()) v left join private.provider_tax_rates t using (rate_basis_points)
  ), '{"mode": "none"}')
$function$;

create or replace function private.export_part_vat (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'vat_documents', coalesce((
      select jsonb_agg(to_jsonb(d) order by d.issued_at, d.kind, d.number)
      from private.vat_documents d join public.stripe_customers k on k.customer_id = d.customer_id where k.user_id = member
    ), '[]'),
    'buyer_details', (select to_jsonb(b) from private.buyer_details b where b.user_id = member)
  )
$function$;

create or replace function private.issue_vat_documents (
  snapshot jsonb
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
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
$function$;
