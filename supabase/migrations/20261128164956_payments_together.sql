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
      perform private.settle_gift(snapshot);
      perform private.keep_balance(snapshot -> 'balance');
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
  perform private.settle_gift(snapshot);
  perform private.keep_balance(snapshot -> 'balance');
  return 'applied';
end
$function$;

create or replace function private.set_billing_rules (
  withdrawal_refund     text,
  renewal_reminder_days integer
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select jsonb_build_object('withdrawal_refund', b.withdrawal_refund, 'renewal_reminder_days', b.renewal_reminder_days) from public.billing_rules b);
begin
  if withdrawal_refund is null or withdrawal_refund not in ('full', 'proportion')
    or renewal_reminder_days is null or renewal_reminder_days not between 0 and 30 then
    perform private.fail('FF276', 'Choose what comes back, and between 0 and 30 days.');
  end if;
  insert into public.billing_rules as b (withdrawal_refund, renewal_reminder_days)
  values (set_billing_rules.withdrawal_refund, set_billing_rules.renewal_reminder_days)
  on conflict on constraint billing_rules_pkey do update
  set withdrawal_refund = excluded.withdrawal_refund, renewal_reminder_days = excluded.renewal_reminder_days;
  perform private.audit_change(
    admin, 'billing_rules.edited', '{}', coalesce(before, '{"withdrawal_refund": "full", "renewal_reminder_days": 0}'),
    jsonb_build_object('withdrawal_refund', set_billing_rules.withdrawal_refund, 'renewal_reminder_days', set_billing_rules.renewal_reminder_days)
  );
end
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
    (select private.gift_name(g) from private.gift_memberships g where g.payment_intent_id = snapshot ->> 'payment_intent_id'),
    private.plan_name(snapshot ->> 'upgraded_to'),
    -- The plan may be another one by the time at which the payment is read.
    private.plan_name(snapshot ->> 'price_id'),
    (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = snapshot ->> 'subscription_id' limit 1),
    (select private.plan_name(a.price_id) from private.billing_attempts a where a.subscription_id = snapshot ->> 'subscription_id'),
    'Membership'
  )
$function$;

comment on table "public"."billing_rules" is 'What comes back after a withdrawal, when members are told of a renewal, how long a failed payment leaves access, how long members may pause, and how they pay: one row, or none for the defaults.';
