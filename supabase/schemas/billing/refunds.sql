-- Refunds that administrators ask for, and provider events that could not be applied.
create table private.refund_requests (
  id uuid primary key,
  charge_id text not null,
  amount_pence bigint not null constraint refund_requests_amount_check check (amount_pence > 0),
  reason text not null,
  state text not null default 'started',
  refund_id text unique,
  requested_at timestamptz not null default now(),
  last_tried_at timestamptz not null default now(),
  constraint refund_requests_state_check
    check (state in ('started', 'made', 'refused', 'unclear', 'failed'))
);
comment on table private.refund_requests is
  'Refunds asked for in the console. The id is the idempotency key at the card provider. Names no account; the audit log does.';
comment on column private.refund_requests.state is 'unclear while the card provider has not answered: the refund may have been made.';
comment on column private.refund_requests.last_tried_at is 'When a function last began to ask the card provider.';
create index refund_requests_charge_id_idx on private.refund_requests (charge_id);
alter table private.refund_requests enable row level security;

-- A payment whose account is deleted can be refunded, too: its amounts come from private.payments, which reads the
-- records that outlive the account.
-- @rpc authenticated
-- Administrators: record a refund to be made. Function admin-refund-payment calls this and then the card provider.
create function private.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_reason(reason);
  paid private.payments;
  member uuid;
  known private.refund_requests;
begin
  -- The locks let one request of a payment begin at a time; the reading goes with its account, the record stays.
  perform from private.payment_records r where r.charge_id = payment and r.kind = 'payment' for update;
  perform from private.billing_charges c where c.charge_id = payment for update;
  select y.* into paid from private.payments y where y.payment_id = payment;
  if not found then
    perform private.fail('FF250', 'There is no such payment.');
  end if;
  select q.* into known from private.refund_requests q where q.id = request;
  if found then
    if (known.charge_id, known.amount_pence, known.reason) is distinct from (payment, admin_begin_refund.amount_pence, why) then
      perform private.fail('FF251', 'This request was made for another refund.');
    end if;
    if known.state in ('made', 'failed') then
      return to_jsonb(known);
    end if;
  end if;
  if exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.id <> request and q.state in ('started', 'unclear')
  ) then
    perform private.fail('FF255', 'Another refund of this payment is not finished yet. Finish it first.');
  end if;
  if known.id is not null then
    update private.refund_requests q set state = 'started', last_tried_at = clock_timestamp() where q.id = request
    returning q.* into known;
    return to_jsonb(known);
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = payment limit 1;
  if member = admin then
    perform private.fail('FF252', 'Another administrator has to refund your own payment.');
  end if;
  if admin_begin_refund.amount_pence is null or admin_begin_refund.amount_pence < 1
    or admin_begin_refund.amount_pence > paid.amount_pence - paid.refunded_pence then
    perform private.fail('FF253', 'The amount must be more than nothing, and at most what is left of the payment.',
      (paid.amount_pence - paid.refunded_pence)::text);
  end if;
  if paid.state in ('disputed', 'dispute_lost') then
    perform private.fail('FF254', 'A disputed payment is decided by the bank and cannot be refunded.');
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (request, payment, admin_begin_refund.amount_pence, why) returning q.* into known;
  perform private.audit(admin, 'payment.refund_started', member, jsonb_build_object(
    'request', request, 'payment', payment, 'before', jsonb_build_object('refunded_pence', paid.refunded_pence),
    'after', jsonb_build_object('refunded_pence', paid.refunded_pence + admin_begin_refund.amount_pence), 'reason', why
  ));
  return to_jsonb(known);
end
$$;
comment on function private.admin_begin_refund(uuid, text, bigint, text) is
  'Checks and records a refund before the card provider is asked, for an administrator with a fresh code (FF006, FF007). A repeated request returns the same row; another one waits for its end. Audited.';

-- What was made can only fail later; what failed stays so.
-- @rpc service_role
-- Server: how a refund ended.
create function private.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text)
  returns void
  language plpgsql security definer set search_path = '' as $$
declare
  ended private.refund_requests;
  member uuid;
begin
  update private.refund_requests q set state = outcome, refund_id = coalesce(refund, q.refund_id)
  where q.id = request and q.state is distinct from outcome
    and q.state <> 'failed' and (q.state <> 'made' or outcome = 'failed')
  returning q.* into ended;
  if not found then
    return;
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = ended.charge_id limit 1;
  perform private.audit(admin, 'payment.refund_' || outcome, member, jsonb_build_object(
    'request', request, 'payment', ended.charge_id, 'refund', refund, 'amount_pence', ended.amount_pence,
    'reason', ended.reason, 'detail', detail
  ));
end
$$;
comment on function private.billing_end_refund(uuid, uuid, text, text, text) is
  'Writes how a refund ended at the card provider: made, refused, unclear or failed; the server as actor when admin is null. Audited.';

create function private.export_part_refund_requests(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('refund_requests', coalesce((
    select jsonb_agg(to_jsonb(q) order by q.requested_at) from private.refund_requests q where exists (
      select from private.payment_records r join public.stripe_customers c on c.customer_id = r.customer_id
      where r.charge_id = q.charge_id and c.user_id = member
    )), '[]'))
$$;
comment on function private.export_part_refund_requests(uuid) is 'Refunds asked for of payments of one account.';

-- Functions ask this with the caller's token before they act at the card provider.
create function public.admin_require_verified() returns uuid
  language sql stable set search_path = '' as $$ select private.require_verified_admin() $$;
comment on function public.admin_require_verified() is 'Administrators: the caller; raises FF001, FF002 or FF005 for others.';
grant execute on function public.admin_require_verified to authenticated;

-- @rpc service_role
-- Server: audit an act on money.
create function private.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if action is null or action not in (
    'coupon.create_started', 'coupon.created', 'coupon.create_failed',
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried',
    'payment.retry_paid', 'payment.retry_declined', 'plan_price.create_started', 'plan_price.create_failed'
  ) then
    raise exception 'no act on money is called %', action;
  end if;
  perform private.audit(admin, action, subject, detail);
end
$$;
comment on function private.admin_audit_money(uuid, text, uuid, jsonb) is 'Audits what an edge function did for an administrator.';

create view private.failed_billing_events with (security_invoker = true) as
select f.* from private.billing_failures f
where not exists (select from private.billing_events e where e.event_id = f.event_id);
comment on view private.failed_billing_events is 'Failed events that were not applied since.';

-- @rpc service_role
-- Server: an event that failed was processed.
create function private.billing_clear_failure(event text) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from private.billing_failures f where f.event_id = event
$$;
comment on function private.billing_clear_failure(text) is 'An event that failed was processed.';

create function private.admin_failed_events() returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f order by f.first_failed_at, f.event_id limit 500;
end
$$;
comment on function private.admin_failed_events() is 'Events that could not be applied, oldest first.';
grant execute on function private.admin_failed_events to authenticated;

create function public.admin_failed_events() returns table (
  event_id text, event_type text, attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, last_error text
)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_events() $$;
comment on function public.admin_failed_events() is 'Administrators: the oldest 500 events of the card provider that could not be applied.';
grant execute on function public.admin_failed_events to authenticated;
