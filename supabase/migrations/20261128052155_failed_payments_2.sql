create view "private"."failed_payments" with (security_invoker=true) AS  SELECT i.invoice_id,
    i.number,
    i.amount_due_pence AS amount_pence,
    i.currency,
    i.attempt_count AS attempts,
    i.next_attempt_at,
    r.code AS failure_code,
    i.issued_at,
    i.subscription_id,
    s.price_id,
    s.status AS membership,
    s.payment_method_last4 AS card_last4,
    k.user_id,
    (u.email)::text AS email,
    p.first_name,
    p.last_name
   FROM (((((public.invoices i
     JOIN public.stripe_customers k ON (((k.customer_id = i.customer_id) AND (k.deleted_at IS NULL))))
     JOIN public.stripe_subscriptions s ON (((s.subscription_id = i.subscription_id) AND (s.deleted_at IS NULL))))
     JOIN auth.users u ON ((u.id = k.user_id)))
     LEFT JOIN public.profiles p ON ((p.id = k.user_id)))
     LEFT JOIN private.invoice_failures r ON ((r.invoice_id = i.invoice_id)))
  WHERE ((i.status = 'open'::text) AND (i.attempt_count > 0) AND (s.status = ANY (ARRAY['past_due'::text, 'unpaid'::text])) AND COALESCE((i.reason <> ALL (ARRAY['subscription_create'::text, 'subscription_update'::text])), true));

create or replace function private.require_failed_payment (
  invoice text
)
  returns private.failed_payments
  language plpgsql
  set search_path to ''
  AS $function$
declare
  owed record;
begin
  -- Two acts on one invoice come one after the other.
  perform from public.invoices i where i.invoice_id = invoice for no key update;
  select f.* into owed from private.failed_payments f where f.invoice_id = invoice;
  if not found then
    perform private.fail('FF277', 'This payment isn''t owed any more.');
  end if;
  return owed;
end
$function$;

-- squawk-ignore require-concurrent-index-creation
create index invoices_open_idx on public.invoices using btree (issued_at)
  where (status = 'open'::text);

comment on function "private"."admin_begin_payment_retry"(text) is 'Member and subscription of a failed payment that is about to be tried again; FF277 when nothing is owed, FF278 when it was tried too often today. Audited.';

comment on function "private"."admin_failed_payments"() is 'Renewals that could not be paid, oldest first.';

comment on function "private"."admin_send_payment_link"(text) is 'Queues the e-mail with the way to another card, once a day; false when it was queued today. FF277 when nothing is owed. Audited.';

comment on function "private"."max_payment_retries"() is 'How often a day staff may take one failed payment again: card networks count refused tries against the seller.';

comment on function "private"."require_failed_payment"(text) is 'What is owed for an invoice, locked; raises FF277 when nothing is.';

comment on function "public"."admin_begin_payment_retry"(text) is 'Administrators: begin to take a failed payment again; the function admin-retry-payment asks the card provider.';

comment on function "public"."admin_failed_payments"() is 'Administrators: renewals that could not be paid, the oldest first, at most 500.';

comment on function "public"."admin_send_payment_link"(text) is 'Administrators: send the member of a failed payment the way to pay it; false when it was sent today.';

comment on table "private"."invoice_failures" is 'Why the last attempt at an open invoice was refused, as the card provider names it.';

comment on view "private"."failed_payments" is 'Open invoices of renewals whose payment failed at least once.';

revoke all on function "private"."admin_begin_payment_retry"(text) from public;

grant execute on function "private"."admin_begin_payment_retry"(text) to "authenticated", "postgres";

revoke all on function "private"."admin_failed_payments"() from public;

grant execute on function "private"."admin_failed_payments"() to "authenticated", "postgres";

revoke all on function "private"."admin_send_payment_link"(text) from public;

grant execute on function "private"."admin_send_payment_link"(text) to "authenticated", "postgres";

revoke all on function "private"."max_payment_retries"() from public;

grant execute on function "private"."max_payment_retries"() to "postgres";

revoke all on function "private"."require_failed_payment"(text) from public;

grant execute on function "private"."require_failed_payment"(text) to "postgres";

revoke all on function "public"."admin_begin_payment_retry"(text) from public;

grant execute on function "public"."admin_begin_payment_retry"(text) to "authenticated", "postgres";

revoke all on function "public"."admin_failed_payments"() from public;

grant execute on function "public"."admin_failed_payments"() to "authenticated", "postgres";

revoke all on function "public"."admin_send_payment_link"(text) from public;

grant execute on function "public"."admin_send_payment_link"(text) to "authenticated", "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."invoice_failures"
  to "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."failed_payments"
  to "postgres";
