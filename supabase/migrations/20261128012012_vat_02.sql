set local check_function_bodies = off;

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
