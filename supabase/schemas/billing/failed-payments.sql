-- Renewals that could not be paid, for staff: who owes how much, and what can be done about it.

create function private.is_debt(invoice text, reason text) returns boolean
  language sql stable set search_path = '' as $$
  -- A first payment or a switch that was refused is no debt: nothing came of it. What ends a pause is made like a switch.
  select coalesce(reason not in ('subscription_create', 'subscription_update'), true)
    or exists (select from public.membership_pauses p where p.resume_invoice_id = invoice)
$$;
comment on function private.is_debt(text, text) is 'True for an invoice that stays owed when its payment is refused.';

create view private.failed_payments with (security_invoker = true) as
select i.invoice_id, i.number, i.amount_due_pence as amount_pence, i.currency, i.attempt_count as attempts, i.next_attempt_at,
  r.code as failure_code, i.issued_at, i.subscription_id, s.price_id, s.status as membership, s.payment_method_last4 as card_last4,
  k.user_id, u.email::text as email, p.first_name, p.last_name
from public.invoices i
join public.stripe_customers k on k.customer_id = i.customer_id and k.deleted_at is null
join public.stripe_subscriptions s on s.subscription_id = i.subscription_id and s.deleted_at is null
join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
left join private.invoice_failures r on r.invoice_id = i.invoice_id
where i.status = 'open' and i.attempt_count > 0 and s.status in ('past_due', 'unpaid')
  and private.is_debt(i.invoice_id, i.reason);
comment on view private.failed_payments is 'Open invoices of renewals whose payment failed at least once.';

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

create function private.require_failed_payment(invoice text) returns private.failed_payments
  language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.require_failed_payment(text) is 'What is owed for an invoice, locked; raises FF277 when nothing is.';

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
    and private.plan_name(s.price_id) is not null and private.is_debt(new.invoice_id, new.reason);
  return null;
end
$$;
create trigger invoices__email after insert or update of attempt_count, next_attempt_at, status on public.invoices
  for each row when (
    new.status = 'open' and (new.attempt_count = 3 or new.attempt_count > 1 and new.next_attempt_at is null)
  )
  execute function private.tg_invoices__email();

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
      and private.is_debt(f.invoice_id, f.reason)
    order by f.issued_at desc, f.invoice_id limit 1
  ) i on true);
end
$$;
comment on function private.failed_payment_facts(text) is
  'What the e-mail about a failed payment says of now: amount, tries, the next one, and until when there is access.';
