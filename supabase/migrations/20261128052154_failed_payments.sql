create table "private"."invoice_failures" (
  "invoice_id" text not null,
  "code"       text not null,
  constraint "invoice_failures_pkey" primary key (invoice_id)
);

alter table "private"."invoice_failures"
  enable row level security;

create or replace function private.admin_audit_money (
  admin   uuid,
  action  text,
  subject uuid,
  detail  jsonb
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  if action is null or action not in (
    'coupon.create_started', 'coupon.created', 'coupon.create_failed',
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried',
    'payment.retry_paid', 'payment.retry_declined'
  ) then
    raise exception 'no act on money is called %', action;
  end if;
  perform private.audit(admin, action, subject, detail);
end
$function$;

create or replace function private.admin_begin_payment_retry (
  invoice text
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  owed record;
  tried bigint;
begin
  select o.* into owed from private.require_failed_payment(invoice) o;
  tried := (
    select count(*) from private.audit_log l
    where l.subject = owed.user_id and l.action = 'payment.retried' and l.detail ->> 'invoice' = invoice
      and l.happened_at > now() - interval '1 day'
  );
  if tried >= private.max_payment_retries() then
    perform private.fail('FF278', format('This payment was tried %s times in a day. Try again tomorrow, or send the link.', tried));
  end if;
  perform private.audit(admin, 'payment.retried', owed.user_id, jsonb_build_object(
    'invoice', invoice, 'amount_pence', owed.amount_pence, 'currency', owed.currency
  ));
  return jsonb_build_object('member_id', owed.user_id, 'subscription_id', owed.subscription_id);
end
$function$;

create or replace function private.admin_failed_payments()
  returns table (
    invoice_id      text,
    number          text,
    amount_pence    bigint,
    currency        text,
    attempts        integer,
    next_attempt_at timestamp with time zone,
    failure_code    text,
    issued_at       timestamp with time zone,
    membership      text,
    card_last4      text,
    user_id         uuid,
    email           text,
    first_name      text,
    last_name       text
  )
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_verified_admin();
  return query
    select f.invoice_id, f.number, f.amount_pence, f.currency, f.attempts, f.next_attempt_at, f.failure_code,
      f.issued_at, f.membership, f.card_last4, f.user_id, f.email, f.first_name, f.last_name
    from private.failed_payments f order by f.issued_at, f.invoice_id limit 500;
end
$function$;

create or replace function private.admin_send_payment_link (
  invoice text
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  owed record;
  is_queued boolean;
begin
  select o.* into owed from private.require_failed_payment(invoice) o;
  is_queued := private.enqueue_email(
    owed.user_id, 'payment_failed', concat_ws(':', 'payment_link', invoice, (now() at time zone 'UTC')::date),
    jsonb_build_object(
      'plan', private.plan_name(owed.price_id), 'subscription_id', owed.subscription_id, 'card_last4', owed.card_last4
    )
  );
  if is_queued then
    perform private.audit(admin, 'payment.link_sent', owed.user_id, jsonb_build_object('invoice', invoice));
  end if;
  return is_queued;
end
$function$;

create or replace function private.billing_apply_invoice (
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
  invoice text := snapshot ->> 'invoice_id';
begin
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    return 'unknown_customer';
  end if;
  insert into public.invoices as i (
    invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
    amount_due_pence, amount_paid_pence, lines, attempt_count, next_attempt_at, issued_at, paid_at, hosted_url, pdf_url, ticket
  ) values (
    invoice, customer, snapshot ->> 'subscription_id', snapshot ->> 'number', snapshot ->> 'status', snapshot ->> 'reason',
    snapshot ->> 'currency', (snapshot ->> 'total')::bigint, (snapshot ->> 'starting_balance')::bigint,
    (snapshot ->> 'amount_due')::bigint, (snapshot ->> 'amount_paid')::bigint, snapshot -> 'lines',
    (snapshot ->> 'attempt_count')::integer, to_timestamp((snapshot ->> 'next_attempt')::bigint),
    to_timestamp((snapshot ->> 'issued')::bigint), to_timestamp((snapshot ->> 'paid')::bigint),
    snapshot ->> 'hosted_url', snapshot ->> 'pdf_url', billing_apply_invoice.ticket
  )
  on conflict (invoice_id) do update set
    status = excluded.status, number = excluded.number, total_pence = excluded.total_pence,
    starting_balance_pence = excluded.starting_balance_pence, amount_due_pence = excluded.amount_due_pence,
    amount_paid_pence = excluded.amount_paid_pence, lines = excluded.lines, attempt_count = excluded.attempt_count,
    next_attempt_at = excluded.next_attempt_at, issued_at = excluded.issued_at, paid_at = excluded.paid_at,
    hosted_url = excluded.hosted_url, pdf_url = excluded.pdf_url, ticket = excluded.ticket, updated_at = now()
  where i.ticket < excluded.ticket and i.customer_id = excluded.customer_id;
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
$function$;

create or replace function private.max_payment_retries()
  returns integer
  language sql
  immutable
  set search_path to ''
  AS $function$select 4$function$;

create or replace function public.admin_begin_payment_retry (
  invoice text
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.admin_begin_payment_retry(invoice) $function$;

create or replace function public.admin_failed_payments()
  returns table (
    invoice_id      text,
    number          text,
    amount_pence    bigint,
    currency        text,
    attempts        integer,
    next_attempt_at timestamp with time zone,
    failure_code    text,
    issued_at       timestamp with time zone,
    membership      text,
    card_last4      text,
    user_id         uuid,
    email           text,
    first_name      text,
    last_name       text
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.admin_failed_payments() $function$;

create or replace function public.admin_send_payment_link (
  invoice text
)
  returns boolean
  language sql
  set search_path to ''
  AS $function$ select private.admin_send_payment_link(invoice) $function$;

alter table "private"."invoice_failures"
  add constraint "invoice_failures_invoice_id_fkey" foreign key (invoice_id) references public.invoices(invoice_id)
    on delete cascade;
