set local check_function_bodies = off;

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
