drop function "private"."lock_billing"(uuid);

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
  return 'applied';
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
  if private.lock_customer(customer) is null then
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

create or replace function private.billing_apply_subscription (
  ticket     bigint,
  snapshot   jsonb,
  event      text   default null::text,
  event_type text   default null::text
)
  returns text
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member uuid;
  customer text := snapshot ->> 'customer_id';
  subscription text := snapshot ->> 'subscription_id';
  item jsonb := private.billing_best_item(snapshot);
  hold text;
  new_status text;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return 'duplicate';
  end if;
  member := private.lock_customer(customer);
  if member is null then
    return 'unknown_customer';
  end if;
  -- Read under the lock: a dispute may have been written while this waited.
  hold := private.billing_hold(subscription, (item ->> 'current_period_start')::bigint);
  new_status := private.billing_status_under_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_sync_versions as r (subscription_id, ticket, created_at_provider, ended_at_provider)
  values (subscription, billing_apply_subscription.ticket, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
  on conflict (subscription_id) do update set ticket = excluded.ticket, ended_at_provider = excluded.ended_at_provider
  where r.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  insert into public.stripe_subscriptions as s (
    customer_id, subscription_id, status, price_id, current_period_start, current_period_end,
    cancel_at_period_end, hold, payment_method_brand, payment_method_last4, payment_method_expires,
    pending_price_id, pending_from, pending_change_id, deleted_at
  ) values (
    customer, subscription, new_status, item ->> 'price_id',
    (item ->> 'current_period_start')::bigint, (item ->> 'current_period_end')::bigint,
    (snapshot ->> 'cancel_at_period_end')::boolean, hold,
    snapshot ->> 'payment_method_brand', snapshot ->> 'payment_method_last4', snapshot ->> 'payment_method_expires',
    snapshot ->> 'pending_price_id', (snapshot ->> 'pending_from')::bigint, snapshot ->> 'pending_change_id', now()
  )
  on conflict (subscription_id) do update set
    status = excluded.status,
    price_id = excluded.price_id,
    current_period_start = excluded.current_period_start,
    current_period_end = excluded.current_period_end,
    cancel_at_period_end = excluded.cancel_at_period_end,
    hold = excluded.hold,
    payment_method_brand = coalesce(excluded.payment_method_brand, s.payment_method_brand),
    payment_method_last4 = case
      when excluded.payment_method_brand is null then s.payment_method_last4 else excluded.payment_method_last4
    end,
    payment_method_expires = case
      when excluded.payment_method_brand is null then s.payment_method_expires else excluded.payment_method_expires
    end,
    pending_price_id = excluded.pending_price_id,
    pending_from = excluded.pending_from,
    pending_change_id = excluded.pending_change_id;
  perform private.billing_elect_current(customer);
  update private.billing_attempts a
  set state = case when new_status in ('active', 'trialing') then 'paid' else 'failed' end,
    updated_at = clock_timestamp()
  where a.subscription_id = subscription and a.state not in ('paid', 'failed')
    and new_status in ('active', 'trialing', 'canceled', 'incomplete_expired');
  perform private.set_role_from_plan(member, private.plan_role(member));
  return 'applied';
end
$function$;

create or replace function private.billing_audit (
  customer text,
  action   text,
  detail   jsonb
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member uuid := private.lock_customer(customer);
  entry jsonb := detail || jsonb_build_object('customer_id', customer);
begin
  if not exists (
    select from private.audit_log a where a.subject = member and a.action = billing_audit.action and a.detail = entry
  ) then
    perform private.audit(null, action, member, entry);
  end if;
end
$function$;

create or replace function private.billing_drop_customer (
  customer   text,
  event      text default null::text,
  event_type text default null::text
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member uuid;
begin
  if event is not null and not private.billing_note_event(event, event_type) then
    return false;
  end if;
  member := private.lock_customer(customer);
  update public.stripe_customers c set deleted_at = now()
  where c.customer_id = customer and c.deleted_at is null;
  if not found then
    return false;
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  return true;
end
$function$;

create or replace function private.lock_billing (
  member uuid
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform pg_advisory_xact_lock(hashtextextended('billing:' || member::text, 0));
  perform from auth.users u where u.id = member for key share;
end
$function$;

create or replace function private.lock_customer (
  customer text
)
  returns uuid
  language plpgsql
  set search_path to ''
  AS $function$
declare
  member uuid;
begin
  perform from auth.users u
  where u.id = (select c.user_id from public.stripe_customers c where c.customer_id = customer) for key share;
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer for update;
  return member;
end
$function$;

comment on function "private"."lock_billing"(uuid) is 'Blocks other billing steps and the deletion of the member until the transaction ends.';

comment on function "private"."lock_customer"(text) is 'Blocks other readings of the customer until the transaction ends; returns its account, or null for an unknown customer.';

revoke all on function "private"."lock_billing"(uuid) from public;

grant execute on function "private"."lock_billing"(uuid) to "postgres";

revoke all on function "private"."lock_customer"(text) from public;

grant execute on function "private"."lock_customer"(text) to "postgres";
