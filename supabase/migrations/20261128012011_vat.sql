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

create or replace function private.issue_vat_note (
  note   text,
  bill   private.vat_documents,
  refund jsonb
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.my_buyer_details()
  returns table (
    business_name text,
    address       text,
    vat_number    text
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select b.business_name, b.address, b.vat_number from private.buyer_details b where b.user_id = private.require_caller()
$function$;

create or replace function private.my_vat_documents()
  returns table (
    number            text,
    kind              text,
    corrects          text,
    payment_id        text,
    invoice_id        text,
    issued_at         timestamp with time zone,
    supplied_at       timestamp with time zone,
    description       text,
    period_start      bigint,
    period_end        bigint,
    currency          text,
    gross_pence       bigint,
    net_pence         bigint,
    vat_pence         bigint,
    rate_basis_points integer,
    seller            jsonb,
    buyer             jsonb
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select private.vat_number_text(d.kind, d.number), d.kind, private.vat_number_text('invoice', d.corrects), d.charge_id, d.invoice_id,
    d.issued_at, d.supplied_at, d.description, d.period_start, d.period_end, d.currency, d.gross_pence, d.net_pence, d.vat_pence,
    d.rate_basis_points, d.seller, d.buyer
  from private.vat_documents d join public.stripe_customers k on k.customer_id = d.customer_id
  where k.user_id = private.require_caller()
  order by d.issued_at desc, d.kind, d.number desc
$function$;

create or replace function private.next_vat_number (
  kind text
)
  returns bigint
  language sql
  set search_path to ''
  AS $function$
  insert into private.vat_document_numbers as n (kind, latest) values (next_vat_number.kind, 1)
  on conflict on constraint vat_document_numbers_pkey do update set latest = n.latest + 1
  returning n.latest
$function$;

create or replace function private.require_vat_seller()
  returns void
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if exists (select from private.vat_at(now()) v where v.mode <> 'none') and exists (
    select from public.business_details b where b.legal_name is null or b.address is null or b.vat_number is null
  ) then
    perform private.fail('FF275', 'VAT invoices need your legal name, address and VAT number. Fill them in first.');
  end if;
end
$function$;

create or replace function private.set_business_details (
  legal_name     text,
  address        text,
  company_number text,
  vat_number     text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - 'id' from public.business_details b);
  given constant text[] := array[
    nullif(btrim(legal_name), ''), nullif(btrim(address), ''), nullif(btrim(company_number), ''), nullif(btrim(vat_number), '')
  ];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 or char_length(given[4]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  update public.business_details b
  set legal_name = given[1], address = given[2], company_number = given[3], vat_number = given[4] where b.id;
  perform private.require_vat_seller();
  perform private.audit_change(
    admin, 'business_details.edited', '{}', before, (select to_jsonb(b) - 'id' from public.business_details b)
  );
end
$function$;

create or replace function private.set_buyer_details (
  business_name text,
  address       text,
  vat_number    text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  given constant text[] := array[nullif(btrim(business_name), ''), nullif(btrim(address), ''), nullif(btrim(vat_number), '')];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  if given = array[null, null, null]::text[] then
    delete from private.buyer_details b where b.user_id = caller;
    return;
  end if;
  insert into private.buyer_details (user_id, business_name, address, vat_number) values (caller, given[1], given[2], given[3])
  on conflict on constraint buyer_details_pkey do update
  set business_name = excluded.business_name, address = excluded.address, vat_number = excluded.vat_number;
end
$function$;

create or replace function private.set_vat (
  mode              text,
  rate_basis_points integer
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := coalesce((select to_jsonb(v) from private.vat_at(now()) v), '{"mode": "none", "rate_basis_points": null}');
begin
  if mode is null or mode not in ('none', 'fixed', 'stripe_tax')
    or rate_basis_points is null or rate_basis_points not between 1 and 5000 then
    perform private.fail('FF274', 'Choose how VAT is charged, and a rate between 0.01 and 50 per cent.');
  end if;
  insert into public.vat_settings (mode, rate_basis_points) values (set_vat.mode, set_vat.rate_basis_points);
  perform private.require_vat_seller();
  perform private.audit_change(admin, 'vat.changed', '{}', before, (select to_jsonb(v) from private.vat_at(now()) v));
end
$function$;

create or replace function private.tg_stripe_customers__forget_buyer()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  update private.vat_documents d set buyer = null where d.customer_id = old.customer_id;
  return null;
end
$function$;

create or replace function private.vat_at (
  moment timestamp with time zone
)
  returns table (
    mode              text,
    rate_basis_points integer
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select v.mode, v.rate_basis_points from public.vat_settings v where v.since <= moment order by v.id desc limit 1
$function$;

create or replace function private.vat_buyer (
  customer text
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_strip_nulls(jsonb_build_object(
    'name', nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), ''), 'email', u.email,
    'business_name', b.business_name, 'address', b.address, 'vat_number', b.vat_number
  ))
  from public.stripe_customers k
  join auth.users u on u.id = k.user_id
  left join public.profiles p on p.id = k.user_id
  left join private.buyer_details b on b.user_id = k.user_id
  where k.customer_id = customer
$function$;

create or replace function private.vat_description (
  snapshot jsonb
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(
    (select p.course_title from private.course_purchases p where p.payment_intent_id = snapshot ->> 'payment_intent_id'),
    private.plan_name(snapshot ->> 'upgraded_to'),
    (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = snapshot ->> 'subscription_id' limit 1),
    (select private.plan_name(a.price_id) from private.billing_attempts a where a.subscription_id = snapshot ->> 'subscription_id'),
    'Membership'
  )
$function$;

create or replace function private.vat_number_text (
  kind   text,
  number bigint
)
  returns text
  language sql
  immutable
  set search_path to ''
  AS $function$
  select case kind when 'invoice' then 'INV' when 'credit_note' then 'CN' else 'DN' end || '-' || lpad(number::text, greatest(6, char_length(number::text)), '0')
$function$;

create or replace function private.vat_of (
  gross             bigint,
  rate_basis_points integer
)
  returns bigint
  language sql
  immutable
  set search_path to ''
  AS $function$
  select round(gross::numeric * rate_basis_points / (10000 + rate_basis_points))::bigint
$function$;

create or replace function public.admin_money_figures()
  returns table (
    revenue_pence  bigint,
    refunded_pence bigint,
    vat_pence      bigint,
    open_disputes  integer,
    failed_events  integer,
    complimentary  integer
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.admin_money_figures() $function$;

create or replace function public.billing_record_tax_rate (
  rate_basis_points integer,
  tax_rate          text
)
  returns text
  language sql
  set search_path to ''
  AS $function$ select private.billing_record_tax_rate(rate_basis_points, tax_rate) $function$;

create or replace function public.billing_vat()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_vat() $function$;

create or replace function public.my_buyer_details()
  returns table (
    business_name text,
    address       text,
    vat_number    text
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.my_buyer_details() $function$;

create or replace function public.my_vat_documents()
  returns table (
    number            text,
    kind              text,
    corrects          text,
    payment_id        text,
    invoice_id        text,
    issued_at         timestamp with time zone,
    supplied_at       timestamp with time zone,
    description       text,
    period_start      bigint,
    period_end        bigint,
    currency          text,
    gross_pence       bigint,
    net_pence         bigint,
    vat_pence         bigint,
    rate_basis_points integer,
    seller            jsonb,
    buyer             jsonb
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.my_vat_documents() $function$;

create or replace function public.set_buyer_details (
  business_name text,
  address       text,
  vat_number    text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_buyer_details(business_name, address, vat_number) $function$;

create or replace function public.set_vat (
  mode              text,
  rate_basis_points integer
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.set_vat(mode, rate_basis_points) $function$;

alter table "private"."buyer_details"
  add constraint "buyer_details_user_id_fkey" foreign key (user_id) references auth.users(id) on delete cascade;

create index vat_documents_charge_id_idx on private.vat_documents using btree (charge_id);

create index vat_documents_customer_id_idx on private.vat_documents using btree (customer_id);

create index vat_documents_invoice_id_idx on private.vat_documents using btree (invoice_id);

create index vat_documents_supplied_at_idx on private.vat_documents using btree (supplied_at);

create trigger stripe_customers__forget_buyer
  after delete on public.stripe_customers
  for each row
  execute function private.tg_stripe_customers__forget_buyer();

create policy "select_everyone" on "public"."vat_settings"
  for select
  to "anon", "authenticated"
  using (true);

comment on column "private"."vat_documents"."buyer" is 'Who bought, as it was known then; null once the account is deleted.';

comment on column "private"."vat_documents"."corrects" is 'Number of the invoice that a note is about.';

comment on column "private"."vat_documents"."period_start" is 'Seconds since the epoch; null where no period was paid for.';

comment on column "private"."vat_documents"."provider_id" is 'The payment or refund at the card provider that it is for.';

comment on column "private"."vat_documents"."seller" is 'Who sold, as it was said then: legal_name, address, company_number, vat_number.';

comment on column "private"."vat_documents"."supplied_at" is 'The tax point: when it was paid or refunded.';

comment on column "public"."vat_settings"."mode" is 'stripe_tax: the card provider decides the rate of each invoice by the address of the customer.';

comment on column "public"."vat_settings"."rate_basis_points" is 'The fixed rate; with stripe_tax that of payments without an invoice, such as for courses.';

comment on function "private"."admin_money_figures"() is 'Money of this calendar month (UTC) in pounds, the VAT that is owed of it, and what waits for attention; disputes as in the queue.';

comment on function "private"."billing_record_tax_rate"(integer, text) is 'Keeps the tax rate of the card provider for a rate; the one kept first.';

comment on function "private"."billing_vat"() is 'How purchases are taxed now: mode, rate and the rate''s id at the card provider, if it was made.';

comment on function "private"."export_part_vat"(uuid) is 'VAT documents of one account, and what it wants on them.';

comment on function "private"."issue_vat_documents"(jsonb) is 'Issues what a reading of a payment asks for and was not issued yet: the VAT invoice, and a note for each refund. Nothing for a payment made without VAT.';

comment on function "private"."issue_vat_note"(text, private.vat_documents, jsonb) is 'Issues the credit note of a refund, or the debit note of one that failed.';

comment on function "private"."my_buyer_details"() is 'The business the calling account buys for; no row when it said none.';

comment on function "private"."my_vat_documents"() is 'The calling account''s VAT documents, newest first.';

comment on function "private"."next_vat_number"(text) is 'The next number of a kind of document, without holes.';

comment on function "private"."require_vat_seller"() is 'Raises FF275 while VAT is charged and name, address or VAT number of the seller are not known.';

comment on function "private"."set_business_details"(text, text, text, text) is 'Changes who sells here; FF273 when something is too long, FF275 when VAT invoices lack something. Audited.';

comment on function "private"."set_buyer_details"(text, text, text) is 'Keeps the business the calling account buys for, or forgets it when all is empty; FF273 when something is too long.';

comment on function "private"."set_vat"(text, integer) is 'Changes how VAT is charged from now on; FF274 for an impossible rate, FF275 without the seller''s details. Audited.';

comment on function "private"."vat_at"(timestamp with time zone) is 'The VAT setting in force at a moment; no row before the first.';

comment on function "private"."vat_buyer"(text) is 'Who a customer is on a VAT invoice: name, e-mail and business.';

comment on function "private"."vat_description"(jsonb) is 'What a payment bought, for its VAT invoice: a course or a plan.';

comment on function "private"."vat_number_text"(text, bigint) is 'A number as documents show it, such as INV-000001.';

comment on function "private"."vat_of"(bigint, integer) is 'The VAT that an amount in pence includes, rounded half away from zero.';

comment on function "public"."admin_money_figures"() is 'Administrators: taken and refunded this calendar month and the VAT in it in pence, open disputes, failed events, complimentary memberships.';

comment on function "public"."billing_record_tax_rate"(integer, text) is 'Server: remember the tax rate made at the provider.';

comment on function "public"."billing_vat"() is 'Server: the VAT setting in force, with the tax rate at the provider.';

comment on function "public"."my_buyer_details"() is 'What the caller wants on VAT invoices.';

comment on function "public"."my_vat_documents"() is 'The caller''s VAT invoices, credit notes and debit notes, newest first.';

comment on function "public"."set_buyer_details"(text, text, text) is 'Say what stands on the caller''s VAT invoices from now on.';

comment on function "public"."set_vat"(text, integer) is 'Administrators: charge VAT, or no longer.';

comment on table "private"."buyer_details" is 'What a member wants on VAT invoices besides the name: of the business they buy for.';

comment on table "private"."provider_tax_rates" is 'The tax rate at the card provider that stands for each rate, included in the price.';

comment on table "private"."vat_document_numbers" is 'The latest number of each kind. Its row is locked until the document is written, so that a number is used or taken back.';

comment on table "private"."vat_documents" is 'VAT invoices, credit notes for refunds, and debit notes for refunds that failed afterwards. Kept when an account is deleted, without its person.';

comment on table "public"."vat_settings" is 'Whether prices include VAT, since when; the newest row is in force, none is no VAT. Rows are only ever added.';

revoke all on function "private"."admin_money_figures"() from public;

grant execute on function "private"."admin_money_figures"() to "authenticated", "postgres";

revoke all on function "private"."billing_record_tax_rate"(integer, text) from public;

grant execute on function "private"."billing_record_tax_rate"(integer, text) to "postgres", "service_role";

revoke all on function "private"."billing_vat"() from public;

grant execute on function "private"."billing_vat"() to "postgres", "service_role";

revoke all on function "private"."export_part_vat"(uuid) from public;

grant execute on function "private"."export_part_vat"(uuid) to "postgres";

revoke all on function "private"."issue_vat_documents"(jsonb) from public;

grant execute on function "private"."issue_vat_documents"(jsonb) to "postgres";

revoke all on function "private"."issue_vat_note"(text, private.vat_documents, jsonb) from public;

grant execute on function "private"."issue_vat_note"(text, private.vat_documents, jsonb) to "postgres";

revoke all on function "private"."my_buyer_details"() from public;

grant execute on function "private"."my_buyer_details"() to "authenticated", "postgres";

revoke all on function "private"."my_vat_documents"() from public;

grant execute on function "private"."my_vat_documents"() to "authenticated", "postgres";

revoke all on function "private"."next_vat_number"(text) from public;

grant execute on function "private"."next_vat_number"(text) to "postgres";

revoke all on function "private"."require_vat_seller"() from public;

grant execute on function "private"."require_vat_seller"() to "postgres";

revoke all on function "private"."set_buyer_details"(text, text, text) from public;

grant execute on function "private"."set_buyer_details"(text, text, text) to "authenticated", "postgres";

revoke all on function "private"."set_vat"(text, integer) from public;

grant execute on function "private"."set_vat"(text, integer) to "authenticated", "postgres";

revoke all on function "private"."tg_stripe_customers__forget_buyer"() from public;

grant execute on function "private"."tg_stripe_customers__forget_buyer"() to "postgres";

revoke all on function "private"."vat_at"(timestamp with time zone) from public;

grant execute on function "private"."vat_at"(timestamp with time zone) to "postgres";

revoke all on function "private"."vat_buyer"(text) from public;

grant execute on function "private"."vat_buyer"(text) to "postgres";

revoke all on function "private"."vat_description"(jsonb) from public;

grant execute on function "private"."vat_description"(jsonb) to "postgres";

revoke all on function "private"."vat_number_text"(text, bigint) from public;

grant execute on function "private"."vat_number_text"(text, bigint) to "postgres";

revoke all on function "private"."vat_of"(bigint, integer) from public;

grant execute on function "private"."vat_of"(bigint, integer) to "postgres";

revoke all on function "public"."admin_money_figures"() from public;

grant execute on function "public"."admin_money_figures"() to "authenticated", "postgres";

revoke all on function "public"."billing_record_tax_rate"(integer, text) from public;

grant execute on function "public"."billing_record_tax_rate"(integer, text) to "postgres", "service_role";

revoke all on function "public"."billing_vat"() from public;

grant execute on function "public"."billing_vat"() to "postgres", "service_role";

revoke all on function "public"."my_buyer_details"() from public;

grant execute on function "public"."my_buyer_details"() to "authenticated", "postgres";

revoke all on function "public"."my_vat_documents"() from public;

grant execute on function "public"."my_vat_documents"() to "authenticated", "postgres";

revoke all on function "public"."set_buyer_details"(text, text, text) from public;

grant execute on function "public"."set_buyer_details"(text, text, text) to "authenticated", "postgres";

revoke all on function "public"."set_vat"(text, integer) from public;

grant execute on function "public"."set_vat"(text, integer) to "authenticated", "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."buyer_details"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."provider_tax_rates"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."vat_document_numbers"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."vat_documents"
  to "postgres";

grant select ("id") on table "public"."vat_settings" to "anon";

grant select ("mode") on table "public"."vat_settings" to "anon";

grant select ("rate_basis_points") on table "public"."vat_settings" to "anon";

grant select ("since") on table "public"."vat_settings" to "anon";

grant select ("id") on table "public"."vat_settings" to "authenticated";

grant select ("mode") on table "public"."vat_settings" to "authenticated";

grant select ("rate_basis_points") on table "public"."vat_settings" to "authenticated";

grant select ("since") on table "public"."vat_settings" to "authenticated";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "public"."vat_settings"
  to "postgres";

grant delete, insert, select, update on table "public"."vat_settings" to "service_role";
