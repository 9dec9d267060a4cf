create table "private"."billing_readings" (
  "object_id"   text   not null,
  "customer_id" text   not null,
  "ticket"      bigint not null,
  "written"     bigint not null,
  "digest"      text   not null,
  constraint "billing_readings_pkey" primary key (object_id)
);

alter table "private"."billing_readings"
  enable row level security;

-- By hand: the readings that the rows hold.
insert into private.billing_readings (object_id, customer_id, ticket, written, digest)
select s.subscription_id, s.customer_id, v.ticket, v.ticket, ''
from private.billing_sync_versions v join public.stripe_subscriptions s using (subscription_id)
union all
select c.charge_id, c.customer_id, c.ticket, c.ticket, '' from private.billing_charges c
union all
select i.invoice_id, i.customer_id, i.ticket, i.ticket, '' from public.invoices i;

alter table "private"."billing_charges"
  -- squawk-ignore ban-drop-column
  drop column "ticket";

alter table "private"."billing_sync_versions"
  -- squawk-ignore ban-drop-column
  drop column "ticket";

alter table "public"."invoices"
  -- squawk-ignore ban-drop-column
  drop column "ticket";

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
  place text;
begin
  if private.lock_customer(customer) is null then
    -- Of a deleted account. What its payment earned others is still taken back, and the books are kept.
    if exists (select from private.payment_records p where p.charge_id = charge and p.customer_id = customer) then
      perform private.lower_commissions(charge, snapshot);
      perform private.note_payment_records(snapshot, array['refund', 'dispute']);
      perform private.issue_vat_documents(snapshot);
      perform private.settle_gift(snapshot);
      perform private.keep_balance(snapshot -> 'balance');
    end if;
    return 'unknown_customer';
  end if;
  place := private.billing_place_reading(charge, ticket, snapshot);
  if place is not null then
    return place;
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash, payment_intent_id, receipt_url
  ) values (
    charge, customer, snapshot ->> 'subscription_id', (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k),
    snapshot ->> 'payment_intent_id', snapshot ->> 'receipt_url'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash),
    payment_intent_id = coalesce(excluded.payment_intent_id, c.payment_intent_id),
    receipt_url = coalesce(excluded.receipt_url, c.receipt_url);
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  perform private.note_payment_records(snapshot, array['payment', 'refund', 'dispute']);
  perform private.issue_vat_documents(snapshot);
  perform private.settle_gift(snapshot);
  perform private.keep_balance(snapshot -> 'balance');
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
  place text;
begin
  member := private.lock_customer(customer);
  if member is not null then
    place := private.billing_place_reading(subscription, ticket, snapshot);
  end if;
  -- The event has no effect yet: it comes with the next reading.
  if place = 'overlapping' then
    return place;
  end if;
  if event is not null and not private.billing_note_event(event, event_type) then
    return 'duplicate';
  end if;
  if place is not null then
    return place;
  end if;
  if member is null then
    return 'unknown_customer';
  end if;
  -- Read under the lock: a dispute may have been written while this waited.
  hold := private.billing_hold(subscription, (item ->> 'current_period_start')::bigint);
  if hold is null and private.pause_has_begun(snapshot, item) then
    hold := 'paused';
  end if;
  new_status := private.billing_status_under_hold(snapshot ->> 'status', hold);
  item := item || jsonb_build_object('price_id', coalesce(private.billing_price_before_upgrade(
    subscription, item ->> 'price_id', snapshot ->> 'latest_invoice'
  ), item ->> 'price_id'));
  insert into private.billing_sync_versions (subscription_id, created_at_provider, ended_at_provider)
  values (subscription, (snapshot ->> 'created')::bigint, (snapshot ->> 'ended')::bigint)
  on conflict (subscription_id) do update set ended_at_provider = excluded.ended_at_provider;
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
  perform private.note_pause(member, snapshot, item);
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

create or replace function private.billing_place_reading (
  object   text,
  ticket   bigint,
  snapshot jsonb
)
  returns text
  language plpgsql
  set search_path to ''
  AS $function$
begin
  insert into private.billing_readings as r (object_id, customer_id, ticket, written, digest) values (
    object, snapshot ->> 'customer_id', billing_place_reading.ticket, nextval('private.billing_ticket_seq'), md5(snapshot::text)
  )
  on conflict (object_id) do update set ticket = excluded.ticket, written = excluded.written, digest = excluded.digest
  where r.ticket < excluded.ticket and (r.written < excluded.ticket or r.digest = excluded.digest);
  if found then
    return null;
  end if;
  return (
    select case when r.ticket < billing_place_reading.ticket then 'overlapping' else 'stale' end
    from private.billing_readings r where r.object_id = object
  );
end
$function$;

alter table "private"."billing_readings"
  add constraint "billing_readings_customer_id_fkey" foreign key (customer_id)
    references public.stripe_customers(customer_id) on update cascade on delete cascade;

create index billing_readings_customer_id_idx on private.billing_readings using btree (customer_id);

comment on column "private"."billing_readings"."digest" is 'MD5 of what was read.';

comment on column "private"."billing_readings"."written" is 'The next ticket when it was written.';

comment on function "private"."billing_apply_charge"(bigint, jsonb) is 'Writes one reading of a payment and its new states: applied, stale, overlapping or unknown_customer.';

comment on function "private"."billing_apply_invoice"(bigint, jsonb) is 'Writes one reading of an invoice: applied, stale, overlapping or unknown_customer.';

comment on function "private"."billing_apply_subscription"(bigint, jsonb, text, text) is 'Writes one reading of a subscription, with its event id and the role it gives: applied, stale, overlapping, duplicate or unknown_customer.';

comment on function "private"."billing_place_reading"(text, bigint, jsonb) is 'Keeps a reading as the latest of its object, and answers null. Else stale, or overlapping: to be read again.';

comment on table "private"."billing_readings" is 'The reading that is kept of each subscription, payment and invoice.';

comment on table "private"."billing_sync_versions" is 'When each subscription began and ended at the card provider.';

revoke all on function "private"."billing_place_reading"(text, bigint, jsonb) from public;

grant execute on function "private"."billing_place_reading"(text, bigint, jsonb) to "postgres";

grant delete, insert, references, select, trigger, truncate, update
  on table "private"."billing_readings"
  to "postgres";
