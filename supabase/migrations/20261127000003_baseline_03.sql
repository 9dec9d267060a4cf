-- Part 3 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/charges.sql

-- Stores one reading of a payment. Its subscription is read and applied next, which changes the access.
-- @rpc service_role
-- Server: write one reading of a payment.
create function private.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.billing_apply_charge(bigint, jsonb) is
  'Writes one reading of a payment and its new states: applied, stale or unknown_customer.';

-- An upgrade whose difference was refunded in full is undone, as long as its invoice is the latest of the subscription: a renewal
-- or another upgrade has been paid since.
-- @rpc service_role
-- Server: the price before an upgrade that was refunded.
create function private.billing_price_before_upgrade(subscription text, price text, latest_invoice text) returns text
  language sql stable security definer set search_path = '' as $$
  select c.upgraded_from from private.billing_charges c
  where c.subscription_id = subscription and c.invoice_id = latest_invoice and c.is_refunded and c.upgraded_to = price
  limit 1
$$;
comment on function private.billing_price_before_upgrade(text, text, text) is
  'The price that counts instead of this one of a subscription, because the upgrade to it was refunded; null when it was not.';

-- Lets the reconciliation find new payments and those whose refund or dispute has changed.
-- @rpc service_role
-- Server: the last readings of these payments.
create function private.billing_known_charges(charges text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(c.charge_id, jsonb_build_object(
    'amount_refunded', c.amount_refunded, 'dispute', c.dispute
  )), '{}') from private.billing_charges c where c.charge_id = any (charges)
$$;
comment on function private.billing_known_charges(text[]) is 'The last reading of each of these payments, by id.';

-- Every price a membership was ever sold at. Only these give a role, and only current ones are sold.
-- @rpc service_role
-- Server: every price a membership was sold at.
create function private.billing_catalogue() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'plan_id', p.id, 'role', p.role, 'amount', p.amount_pence,
    'currency', lower(p.currency), 'interval', p."interval", 'is_current', o.price_id = p.price_id and p.is_active
  ) order by o.price_id), '[]')
  from private.plan_prices o join public.plans p on p.id = o.plan_id
$$;
comment on function private.billing_catalogue() is 'Prices of the card provider with their plan and expected amount.';

-- Which of these subscriptions were bought in the app and not created by staff at the provider.
-- @rpc service_role
-- Server: which subscriptions were bought in the app.
create function private.billing_own_purchases(subscriptions text[]) returns setof text
  language sql stable security definer set search_path = '' as $$
  select a.subscription_id from private.billing_attempts a where a.subscription_id = any (subscriptions)
$$;
comment on function private.billing_own_purchases(text[]) is 'Which of the subscriptions were bought in the app.';

-- Flags an account whose payments a person has to review.
-- @rpc service_role
-- Server: flag an account for review.
create function private.billing_flag(customer text, reason text, detail jsonb) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer;
  insert into private.account_flags (user_id, reason)
  select member, billing_flag.reason where member is not null on conflict do nothing;
  if not found then
    return false;
  end if;
  perform private.audit(null, 'billing.flagged', member, detail || jsonb_build_object('reason', reason));
  return true;
end
$$;
comment on function private.billing_flag(text, text, jsonb) is 'Flags the account of a customer for review; false when it was flagged before.';

-- billing/complimentary.sql

-- Administrators give and revoke complimentary memberships. The table and what it gives stand in plans.

-- Every act on money needs a reason, which the audit log keeps.
create function private.require_reason(reason text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 500 then
    perform private.fail('FF240', 'Give a reason of at most 500 characters.');
  end if;
  return why;
end
$$;
comment on function private.require_reason(text) is 'The trimmed reason of an act; raises FF240 without one.';

-- Ends memberships whose time is over, and the role they gave. Access has ended before, by the clock.
-- @rpc service_role
-- Server: end complimentary memberships that are over.
create function private.end_complimentary_memberships() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  ended integer := 0;
begin
  for member in
    update public.complimentary_memberships m set ended_at = m.ends_at
    where m.ended_at is null and m.ends_at <= now() returning m.user_id
  loop
    perform private.set_role_from_plan(member, private.plan_role(member));
    ended := ended + 1;
  end loop;
  return ended;
end
$$;
comment on function private.end_complimentary_memberships() is 'Ends complimentary memberships that are over; returns how many.';

-- Null is the end of a membership without one; infinity would not be an end to show.
-- @rpc authenticated
-- Administrators: give the account with this address a plan without payment; ends_at null for open-ended. Returns its id.
create function private.admin_grant_complimentary(member_email text, plan text, ends_at timestamptz, reason text) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  member uuid;
  granted uuid;
begin
  select u.id into member from auth.users u
  where lower(u.email) = lower(btrim(member_email)) and u.is_anonymous is not true for update;
  if not found then
    perform private.fail('FF241', 'No account has this e-mail address.');
  end if;
  if exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    perform private.fail('FF242', 'Administrators have full access without a membership.');
  end if;
  if not exists (select from public.plans p where p.id = plan) then
    perform private.fail('FF243', 'There is no such plan.');
  end if;
  if ends_at <= now() or ends_at > now() + interval '100 years' then
    perform private.fail('FF244', 'The end has to be in the future, within a hundred years.');
  end if;
  update public.complimentary_memberships m set ended_at = m.ends_at
  where m.user_id = member and m.ended_at is null and m.ends_at <= now();
  insert into public.complimentary_memberships as m (user_id, plan_id, reason, ends_at)
  values (member, plan, why, admin_grant_complimentary.ends_at)
  on conflict do nothing returning m.id into granted;
  if granted is null then
    perform private.fail('FF245', 'This member has a complimentary membership already. Revoke it first.');
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  perform private.audit(admin, 'membership.complimentary_granted', member, jsonb_build_object(
    'before', null, 'after', jsonb_build_object('id', granted, 'plan', plan, 'ends_at', admin_grant_complimentary.ends_at),
    'reason', why
  ));
  return granted;
end
$$;
comment on function private.admin_grant_complimentary(text, text, timestamptz, text) is
  'Gives an account a plan without payment, until a moment or open-ended. Audited.';

-- @rpc authenticated
-- Administrators: end a complimentary membership at once.
create function private.admin_revoke_complimentary(membership_id uuid, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  revoked public.complimentary_memberships;
begin
  update public.complimentary_memberships m set ended_at = now()
  where m.id = membership_id and m.ended_at is null returning m.* into revoked;
  if not found then
    perform private.fail('FF246', 'This complimentary membership has ended already.');
  end if;
  perform private.set_role_from_plan(revoked.user_id, private.plan_role(revoked.user_id));
  perform private.audit(admin, 'membership.complimentary_revoked', revoked.user_id, jsonb_build_object(
    'before', jsonb_build_object('id', revoked.id, 'plan', revoked.plan_id, 'ends_at', revoked.ends_at),
    'after', null, 'reason', why
  ));
end
$$;
comment on function private.admin_revoke_complimentary(uuid, text) is 'Ends a complimentary membership at once. Audited.';

-- @rpc authenticated
-- Administrators: the latest 500 complimentary memberships, current ones first.
create function private.admin_complimentary_memberships() returns table (
  id uuid, user_id uuid, email text, first_name text, last_name text, plan_id text, plan_name text, reason text,
  granted_at timestamptz, ends_at timestamptz, ended_at timestamptz
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select m.id, m.user_id, u.email::text, p.first_name, p.last_name, m.plan_id, o.name, m.reason,
      m.granted_at, m.ends_at, coalesce(m.ended_at, case when m.ends_at <= now() then m.ends_at end)
    from public.complimentary_memberships m
    join public.plans o on o.id = m.plan_id
    join auth.users u on u.id = m.user_id
    left join public.profiles p on p.id = m.user_id
    order by m.ended_at is not null, m.granted_at desc, m.id limit 500;
end
$$;
comment on function private.admin_complimentary_memberships() is 'Complimentary memberships, current ones first.';

create function private.export_part_complimentary(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('complimentary_memberships', coalesce(
    (select jsonb_agg(to_jsonb(m) order by m.granted_at) from public.complimentary_memberships m where m.user_id = member), '[]'))
$$;
comment on function private.export_part_complimentary(uuid) is 'Complimentary memberships of one account.';

-- billing/disputes.sql

-- @rpc service_role
-- Server: payments lost in disputes, for which the renewal is to be ended.
create function private.billing_lost_payments(subscription text) returns setof text
  language sql stable security definer set search_path = ''
as $$
  select c.charge_id from private.billing_charges c
  join public.stripe_customers k on k.customer_id = c.customer_id
  where c.subscription_id = subscription and c.dispute = 'lost' and not exists (
    select from private.audit_log a
    where a.subject = k.user_id and a.action = 'billing.renewal_ended' and a.detail ->> 'charge_id' = c.charge_id
  )
  order by c.charge_id
$$;
comment on function private.billing_lost_payments(text) is
  'Payments of the subscription whose dispute was lost, and for which its renewal was not ended yet.';

-- @rpc authenticated
-- Administrators: what an account was flagged for about money was put right.
create function private.resolve_billing_flag(member uuid, flag text, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  decider uuid := private.require_verified_admin();
  why text := private.require_decision(decider, member, reason);
begin
  delete from private.account_flags f
  where f.user_id = member and f.reason = flag and f.reason in ('several_subscriptions', 'dispute_lost');
  if not found then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  perform private.audit(
    decider, 'billing.flag_resolved', member, jsonb_build_object('before', flag, 'after', 'resolved', 'reason', why)
  );
end
$$;
comment on function private.resolve_billing_flag(uuid, text, text) is
  'Takes a flag about money off an account: several_subscriptions, which the reconciliation sets again if they were not put right, or dispute_lost. Audited.';

-- billing/failed-events.sql

-- Events of the card provider that could not be applied, for the administrators. The provider sends them again, and the
-- reconciliation repairs what is never delivered; this says that something needs a look.
create table private.billing_failures (
  event_id text primary key,
  event_type text not null,
  attempts integer not null default 1,
  first_failed_at timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  last_error text not null
);
comment on table private.billing_failures is
  'Webhook events that could not be applied, kept for two months. One that billing_events has was applied since.';
create index billing_failures_last_failed_at_idx on private.billing_failures (last_failed_at);
alter table private.billing_failures enable row level security;

-- @rpc service_role
-- Server: an event could not be applied.
create function private.billing_note_failure(event text, event_type text, error text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.billing_failures as f (event_id, event_type, last_error)
  values (event, event_type, left(error, 500))
  on conflict (event_id) do update set
    attempts = f.attempts + 1, last_failed_at = now(), last_error = excluded.last_error
$$;
comment on function private.billing_note_failure(text, text, text) is 'Records that an event could not be applied.';

create function public.admin_failed_event(event text) returns table (
  event_id text, event_type text, attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, last_error text
)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_event(event) $$;
comment on function public.admin_failed_event(text) is 'Administrators: an event of the card provider that could not be applied, by its id.';
grant execute on function public.admin_failed_event to authenticated;

-- @rpc authenticated
-- Administrators: clear an event of the card provider that could not be applied, with a reason.
create function private.admin_clear_failed_event(event text, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  cleared private.billing_failures;
begin
  delete from private.billing_failures f
  where f.event_id = event and exists (select from private.failed_billing_events e where e.event_id = f.event_id)
  returning f.* into cleared;
  if cleared.event_id is null then
    perform private.fail('FF256', 'This event has been processed or cleared already.');
  end if;
  perform private.audit(admin, 'billing.event_cleared', null,
    jsonb_build_object('before', to_jsonb(cleared), 'after', null, 'reason', why));
end
$$;
comment on function private.admin_clear_failed_event(text, text) is
  'Takes a failed event off the list without processing it; FF256 when it is not on it. It comes back when the provider sends it again. Audited.';

-- An account that goes takes no further payment: an attempt that is under way loses the right to pay its subscription.
-- @rpc service_role
-- Server: keep the open attempts of a member at buying a plan from paying.
create function private.billing_abandon_attempts(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_billing(member);
  update private.billing_attempts a set state = 'abandoned', updated_at = clock_timestamp()
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
end
$$;
comment on function private.billing_abandon_attempts(uuid) is 'Keeps the open attempts of a member at buying a plan from paying.';

-- billing/failed-payments.sql

-- @rpc authenticated
-- Administrators: renewals that could not be paid, the oldest first, at most 500.
create function private.admin_failed_payments() returns table (
  invoice_id text, number text, amount_pence bigint, currency text, attempts integer, next_attempt_at timestamptz, failure_code text,
  issued_at timestamptz, membership text, card_last4 text, user_id uuid, email text, first_name text, last_name text
)
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_verified_admin();
  return query
    select f.invoice_id, f.number, f.amount_pence, f.currency, f.attempts, f.next_attempt_at, f.failure_code,
      f.issued_at, f.membership, f.card_last4, f.user_id, f.email, f.first_name, f.last_name
    from private.failed_payments f order by f.issued_at, f.invoice_id limit 500;
end
$$;
comment on function private.admin_failed_payments() is 'Renewals that could not be paid, oldest first.';

-- @rpc authenticated
-- Administrators: send the member of a failed payment the way to pay it; false when it was sent today.
create function private.admin_send_payment_link(invoice text) returns boolean
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  owed record;
  is_queued boolean;
begin
  select o.* into owed from private.require_failed_payment(invoice) o;
  if owed.membership <> 'past_due' then
    perform private.fail('FF279', 'A new card doesn''t bring this membership back. The member has to choose a plan again.');
  end if;
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
$$;
comment on function private.admin_send_payment_link(text) is
  'Queues the e-mail with the way to another card, once a day; false when it was queued today. FF277 when nothing is owed. Audited.';

create function private.max_payment_retries() returns integer
  language sql immutable set search_path = '' as 'select 4';
comment on function private.max_payment_retries() is
  'How often a day staff may take one failed payment again: card networks count refused tries against the seller.';

-- @rpc authenticated
-- Administrators: begin to take a failed payment again; the function admin-retry-payment asks the card provider.
create function private.admin_begin_payment_retry(invoice text) returns jsonb
  language plpgsql volatile security definer set search_path = ''
as $$
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
$$;
comment on function private.admin_begin_payment_retry(text) is
  'Member and subscription of a failed payment that is about to be tried again; FF277 when nothing is owed, FF278 when it was tried too often today. Audited.';

-- The first try makes the membership past due, which is told by itself (emails/causes.sql). A cause for each try, so that no
-- try is told twice.
create function private.tg_invoices__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_email(
    c.user_id, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.invoice_id, new.attempt_count),
    jsonb_build_object('plan', private.plan_name(s.price_id), 'subscription_id', new.subscription_id, 'card_last4', s.payment_method_last4)
  )
  from public.stripe_customers c
  join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.subscription_id = new.subscription_id
  where c.customer_id = new.customer_id and c.user_id is not null and s.deleted_at is null
    and private.plan_name(s.price_id) is not null;
  return null;
end
$$;

-- Read when the e-mail is sent, so that it says what is true then: another try may have followed.
create function private.failed_payment_facts(subscription text) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return (select jsonb_strip_nulls(jsonb_build_object(
    'amount', i.amount_due_pence, 'currency', i.currency, 'attempts', i.attempt_count, 'next_attempt_at', i.next_attempt_at,
    'access_until', (select g.ends_at from private.graced_memberships g where g.subscription_id = failed_payment_facts.subscription)
  ))
  from (select) one
  left join lateral (
    select f.* from public.invoices f
    where f.subscription_id = failed_payment_facts.subscription and f.status = 'open' and f.attempt_count > 0
      and coalesce(f.reason not in ('subscription_create', 'subscription_update'), true)
    order by f.issued_at desc, f.invoice_id limit 1
  ) i on true);
end
$$;
comment on function private.failed_payment_facts(text) is
  'What the e-mail about a failed payment says of now: amount, tries, the next one, and until when there is access.';

-- billing/invoices.sql

-- Payment and invoice are read separately and in any order, so both call this.
create function private.billing_note_payment(invoice text) returns void
  language sql volatile set search_path = '' as $$
  update public.invoices i set
    amount_refunded_pence = paid.refunded, card_brand = paid.card ->> 0, card_last4 = paid.card ->> 1,
    receipt_url = paid.card ->> 2
  from (
    -- Brand and digits of one card: of a payment that was kept, if there is one.
    select sum(c.amount_refunded) as refunded, (
      array_agg(jsonb_build_array(c.card_brand, c.card_last4, c.receipt_url) order by c.is_refunded, c.amount desc nulls last, c.charge_id)
    )[1] as card
    from private.billing_charges c where c.invoice_id = invoice
  ) paid
  where i.invoice_id = invoice and paid.refunded is not null
$$;
comment on function private.billing_note_payment(text) is 'Writes card and refunds of an invoice''s payments to the invoice.';

-- @rpc service_role
-- Server: write one reading of an invoice.
create function private.billing_apply_invoice(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.billing_apply_invoice(bigint, jsonb) is
  'Writes one reading of an invoice: applied, stale or unknown_customer.';

-- Lets the reconciliation find invoices that are new or have changed.
-- @rpc service_role
-- Server: the last readings of these invoices.
create function private.billing_known_invoices(invoices text[]) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(i.invoice_id, jsonb_build_object(
    'status', i.status, 'amount_paid', i.amount_paid_pence, 'attempt_count', i.attempt_count
  )), '{}') from public.invoices i where i.invoice_id = any (invoices)
$$;
comment on function private.billing_known_invoices(text[]) is 'The last reading of each of these invoices, by id.';

create function private.export_part_invoices(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('invoices', coalesce(
    (select jsonb_agg(to_jsonb(i) - 'ticket' order by i.issued_at) from public.invoices i
      join public.stripe_customers c on c.customer_id = i.customer_id where c.user_id = member), '[]'))
$$;
comment on function private.export_part_invoices(uuid) is 'Invoices of one account.';

-- A receipt says when money came back, and what remains: each refund has its own day.
-- @rpc authenticated
-- The refunds of one of the caller's invoices: `amount_pence` and `refunded_at`, oldest first.
create function private.invoice_refunds(invoice text) returns jsonb
  language plpgsql stable security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object('amount_pence', r.amount, 'refunded_at', r.happened_at) order by r.happened_at, r.id), '[]')
    from public.stripe_customers c
    join private.billing_charges p on p.customer_id = c.customer_id and p.invoice_id = invoice_refunds.invoice
    join private.payment_records r on r.charge_id = p.charge_id
    where c.user_id = caller and r.kind = 'refund' and r.status = 'succeeded'
  );
end
$$;
comment on function private.invoice_refunds(text) is 'Refunds that were made of one of the caller''s invoices, oldest first; none for another''s.';

-- billing/membership-periods.sql

-- When each membership began and ended. Subscriptions hold their latest state only, and one may give way to another
-- without a gap; new and lost members are counted from here.
create table private.membership_periods (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  started_at timestamptz not null,
  ended_at timestamptz constraint membership_periods_order_check check (ended_at >= started_at)
);
comment on table private.membership_periods is 'Each time in which an account had a live subscription without a gap.';
comment on column private.membership_periods.started_at is 'When the database learned of it.';
comment on column private.membership_periods.ended_at is 'Null while the membership is live.';
create unique index membership_periods_one_open on private.membership_periods (user_id) where ended_at is null;
create index membership_periods_user_id_idx on private.membership_periods (user_id, started_at);
alter table private.membership_periods enable row level security;

-- Periods are those of subscriptions. A complimentary membership opens none and keeps none open: it is neither paid nor lost.
create function private.update_membership_period(member uuid) returns void
  language plpgsql set search_path = '' as $$
begin
  if exists (
    select from public.stripe_customers c
    join public.stripe_subscriptions s on s.customer_id = c.customer_id
    join private.plan_prices o on o.price_id = s.price_id
    where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
  ) then
    insert into private.membership_periods (user_id, started_at) values (member, now())
    on conflict (user_id) where ended_at is null do nothing;
  else
    update private.membership_periods p set ended_at = greatest(p.started_at, now())
    where p.user_id = member and p.ended_at is null;
  end if;
end
$$;
comment on function private.update_membership_period(uuid) is 'Opens or ends the period of an account, by whether its subscription is live now.';

-- Deferred to the end of the transaction: while one subscription takes the place of another, none is current.
create function private.tg_stripe_subscriptions__period() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_membership_period(c.user_id)
  from public.stripe_customers c where c.customer_id in (old.customer_id, new.customer_id);
  return null;
end
$$;

create function private.tg_stripe_customers__period() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.update_membership_period(new.user_id);
  return null;
end
$$;

create function private.export_part_periods(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('membership_periods', coalesce((
    select jsonb_agg(to_jsonb(p) order by p.id) from private.membership_periods p where p.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_periods(uuid) is 'When the memberships of one account began and ended.';

-- billing/money-by-month.sql

-- Everything that moved money, at the moment at which it happened.
create function private.money_happened() returns table (at timestamptz, money text, what text, amount bigint, vat bigint)
  language sql stable set search_path = '' as $$
  select y.paid_at, y.currency, 'charge', y.amount_pence, 0::bigint from private.payments y
  union all
  select x.happened_at, x.currency, x.kind, x.amount, 0 from private.refunds_and_disputes x
  where x.kind = 'refund' and x.status in ('succeeded', 'pending') or x.kind = 'dispute' and x.status = 'lost'
  union all
  select d.supplied_at, d.currency, 'vat', 0, case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end
  from private.vat_documents d
$$;
comment on function private.money_happened() is 'Charges, refunds, lost disputes and the VAT of documents, each with its moment and currency.';

-- What an accountant asks for: everything in the month (UTC) in which it happened, so that the months add up to all there was.
-- @rpc authenticated
-- Administrators: charges, refunds, lost disputes, the VAT in them and what is left, by month and currency, newest first.
create function private.admin_money_by_month(months integer default 24) returns table (
  month date, currency text, charges integer, charged_pence bigint, refunds integer, refunded_pence bigint,
  disputes integer, disputed_pence bigint, vat_pence bigint, net_pence bigint
)
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  since timestamptz := (date_trunc('month', now() at time zone 'UTC')
    - make_interval(months => least(greatest(coalesce(months, 24), 1), 120) - 1)) at time zone 'UTC';
begin
  perform private.audit(admin, 'payments.exported', null, jsonb_build_object('since', since, 'by', 'month'));
  return query
  with summed as (
    select date_trunc('month', h.at at time zone 'UTC')::date as m, h.money,
      count(*) filter (where h.what = 'charge')::integer as c, coalesce(sum(h.amount) filter (where h.what = 'charge'), 0)::bigint as ca,
      count(*) filter (where h.what = 'refund')::integer as r, coalesce(sum(h.amount) filter (where h.what = 'refund'), 0)::bigint as ra,
      count(*) filter (where h.what = 'dispute')::integer as d, coalesce(sum(h.amount) filter (where h.what = 'dispute'), 0)::bigint as da,
      sum(h.vat)::bigint as v
    from private.money_happened() h where h.at >= since group by 1, 2
  )
  select s.m, s.money, s.c, s.ca, s.r, s.ra, s.d, s.da, s.v, s.ca - s.ra - s.da - s.v from summed s order by s.m desc, s.money;
end
$$;
comment on function private.admin_money_by_month(integer) is
  'Charges, refunds, lost disputes, the VAT in them and the rest by month (UTC), before the card provider''s fees. Audited.';

-- A look at a chart is no export: it is not audited.
-- @rpc authenticated
-- Administrators: twelve months of money in pounds and of members, what is earned a month now, and why members cancelled.
create function private.admin_money_trend() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'UTC')::date;
begin
  perform private.require_verified_admin();
  return (
    with months as materialized (
      select m::date as month, m at time zone 'UTC' as begins, least((m + interval '1 month') at time zone 'UTC', now()) as ends
      from generate_series((this_month - interval '11 months')::timestamp, this_month::timestamp, interval '1 month') m
    ), money as (
      select date_trunc('month', h.at at time zone 'UTC')::date as month,
        sum(case h.what when 'charge' then h.amount when 'vat' then -h.vat else -h.amount end) as net
      from private.money_happened() h
      where h.money = 'gbp' and h.at >= (select min(m.begins) from months m) group by 1
    ), members as (
      select m.month, q.user_id,
        bool_or(q.started_at < m.begins and coalesce(q.ended_at, 'infinity') >= m.begins) as at_begin,
        bool_or(q.started_at < m.ends and coalesce(q.ended_at, 'infinity') >= m.ends) as at_end
      from months m cross join private.membership_periods q
      join public.profiles p on p.id = q.user_id and p.role <> 'admin'
      group by m.month, q.user_id
    ), moved as (
      select m.month, count(*) filter (where m.at_begin) as members, count(*) filter (where m.at_begin and not m.at_end) as lost
      from members m group by m.month
    ), reasons as (
      select coalesce(r.reason, 'other') as reason, count(*) as members
      from (
        select distinct on (c.user_id, c.subscription_id) c.reason from private.cancellation_reasons c
        where c.cancelled_at >= (select min(m.begins) from months m) order by c.user_id, c.subscription_id, c.id desc
      ) r group by 1
    )
    select jsonb_build_object(
      'monthly_revenue_pence', private.member_figures() -> 'monthly_revenue_pence',
      'months', (
        select jsonb_agg(jsonb_build_object(
          'month', m.month, 'net_pence', coalesce(y.net, 0), 'members', coalesce(v.members, 0), 'lost', coalesce(v.lost, 0)
        ) order by m.month)
        from months m left join money y on y.month = m.month left join moved v on v.month = m.month
      ),
      'reasons', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'members', r.members) order by r.members desc, r.reason), '[]')
        from reasons r
      )
    )
  );
end
$$;
comment on function private.admin_money_trend() is
  'Twelve months (UTC) with what was left in pounds, members at the beginning and how many of them were lost; revenue a month; reasons given when cancelling.';

-- billing/payments.sql

create view private.refunds_and_disputes with (security_invoker = true) as
select distinct on (r.provider_id) r.provider_id, r.kind, r.status, r.charge_id, r.customer_id, r.subscription_id, r.amount,
  r.currency, r.reason, r.happened_at, r.respond_by as due_at
from private.payment_records r where r.kind in ('refund', 'dispute')
order by r.provider_id, r.id desc;
comment on view private.refunds_and_disputes is 'Each refund and dispute in its latest known state.';

create function public.admin_payments(
  search text default null, state text default null, since timestamptz default null, until timestamptz default null,
  before_time timestamptz default null, before_id text default null, page_size integer default 50
) returns table (
  payment_id text, paid_at timestamptz, amount_pence bigint, refunded_pence bigint, currency text, state text,
  invoice_number text, invoice_reason text, card_brand text, card_last4 text, user_id uuid, email text, first_name text, last_name text
)
  language sql stable set search_path = '' as $$
  select y.payment_id, y.paid_at, y.amount_pence, y.refunded_pence, y.currency, y.state, y.invoice_number, y.invoice_reason,
    y.card_brand, y.card_last4, y.user_id, y.email, y.first_name, y.last_name
  from private.admin_payments(search, state, since, until, before_time, before_id, page_size) y
$$;
comment on function public.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'Administrators: one page of payments, newest first; amounts in the smallest unit of the currency.';
grant execute on function public.admin_payments to authenticated;

-- One answer for the whole period, so that the file is of one moment and the look at it is audited once.
-- @rpc authenticated
-- Administrators: all payments from since to before until, oldest first, at most 20,000.
create function private.admin_export_payments(since timestamptz, until timestamptz) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  found_count integer;
  found_rows jsonb;
begin
  if since is null or until is null or until <= since then
    perform private.fail('FF247', 'Choose the first and the last day of the period.');
  end if;
  select count(*) into found_count from private.payments y where y.paid_at >= since and y.paid_at < until;
  if found_count > 20000 then
    perform private.fail('FF248', 'These are more than 20,000 payments. Choose a shorter period.');
  end if;
  select coalesce(jsonb_agg(to_jsonb(y) || coalesce(to_jsonb(v), '{}') order by y.paid_at, y.payment_id), '[]') into found_rows
  from private.payments y
  left join lateral (
    -- The invoice's VAT, and what of it is left after the notes about refunds.
    select private.vat_number_text('invoice', i.number) as vat_invoice, i.rate_basis_points as vat_rate_basis_points, i.vat_pence,
      (select sum(case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end)
        from private.vat_documents d where d.charge_id = y.payment_id) as vat_left_pence
    from private.vat_documents i where i.charge_id = y.payment_id and i.kind = 'invoice'
  ) v on true
  where y.paid_at >= since and y.paid_at < until;
  perform private.audit(admin, 'payments.exported', null,
    jsonb_build_object('since', since, 'until', until, 'count', found_count));
  return found_rows;
end
$$;
comment on function private.admin_export_payments(timestamptz, timestamptz) is 'All payments of a period, oldest first. Audited.';

create function private.admin_refunds_and_disputes(wanted text) returns table (
  provider_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamptz, due_at timestamptz,
  payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text, hold text, has_access boolean
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select x.provider_id, x.status, x.amount, x.currency, coalesce(q.reason, x.reason), x.happened_at, x.due_at,
      x.charge_id, y.invoice_number, y.user_id, y.email, y.first_name, y.last_name, s.hold,
      case when y.user_id is not null then private.has_live_membership(y.user_id) end
    from private.refunds_and_disputes x
    left join private.payments y on y.payment_id = x.charge_id
    left join public.stripe_subscriptions s on s.subscription_id = x.subscription_id
    left join private.refund_requests q on q.refund_id = x.provider_id
    where x.kind = wanted
    order by x.status in ('needs_response', 'warning_needs_response') desc, x.happened_at desc, x.provider_id desc limit 500;
end
$$;
comment on function private.admin_refunds_and_disputes(text) is
  'The latest 500 of one kind, refund or dispute; disputes that wait for evidence first.';
grant execute on function private.admin_refunds_and_disputes to authenticated;

create function public.admin_refunds() returns table (
  refund_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamptz,
  payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text
)
  language sql stable set search_path = '' as $$
  select x.provider_id, x.status, x.amount_pence, x.currency, x.reason, x.happened_at, x.payment_id, x.invoice_number,
    x.user_id, x.email, x.first_name, x.last_name
  from private.admin_refunds_and_disputes('refund') x
$$;
comment on function public.admin_refunds() is 'Administrators: the latest 500 refunds.';
grant execute on function public.admin_refunds to authenticated;

create function public.admin_disputes() returns table (
  dispute_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamptz, due_at timestamptz,
  payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text, hold text, has_access boolean
)
  language sql stable set search_path = '' as $$ select * from private.admin_refunds_and_disputes('dispute') $$;
comment on function public.admin_disputes() is
  'Administrators: the latest 500 disputes, those that wait for evidence first; due_at is the last moment for it.';
grant execute on function public.admin_disputes to authenticated;

-- @rpc authenticated
-- Administrators: taken and refunded this calendar month and the VAT in it in pence, open disputes, failed events, complimentary memberships.
create function private.admin_money_figures() returns table (
  revenue_pence bigint, refunded_pence bigint, vat_pence bigint, open_disputes integer, failed_events integer, complimentary integer
)
  language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.admin_money_figures() is
  'Money of this calendar month (UTC) in pounds, the VAT that is owed of it, and what waits for attention; disputes as in the queue.';

reset check_function_bodies;
