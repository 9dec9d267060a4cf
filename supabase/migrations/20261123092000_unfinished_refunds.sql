-- One refund of a payment at a time: a second one beside a request whose end is unknown could refund twice.
create or replace function private.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  paid private.billing_charges;
  member uuid;
  known private.refund_requests;
begin
  -- The lock lets one request of a payment begin at a time.
  select c.* into paid from private.billing_charges c where c.charge_id = payment for update;
  if not found then
    perform private.fail('FF250', 'There is no such payment.');
  end if;
  select q.* into known from private.refund_requests q where q.id = request;
  if found then
    if (known.charge_id, known.amount_pence, known.reason) is distinct from (payment, admin_begin_refund.amount_pence, why) then
      perform private.fail('FF251', 'This request was made for another refund.');
    end if;
    if known.state = 'made' then
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
    return to_jsonb(known);
  end if;
  select c.user_id into member from private.payment_records r
  join public.stripe_customers c on c.customer_id = r.customer_id where r.charge_id = payment limit 1;
  if member = admin then
    perform private.fail('FF252', 'Another administrator has to refund your own payment.');
  end if;
  if admin_begin_refund.amount_pence is null or admin_begin_refund.amount_pence < 1
    or admin_begin_refund.amount_pence > coalesce(paid.amount, 0) - paid.amount_refunded then
    perform private.fail('FF253', 'The amount is not between nothing and what is left of the payment.',
      (paid.amount - paid.amount_refunded)::text);
  end if;
  if paid.dispute in ('open', 'lost') then
    perform private.fail('FF254', 'A disputed payment is decided by the bank and cannot be refunded.');
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (request, payment, admin_begin_refund.amount_pence, why) returning q.* into known;
  perform private.audit(admin, 'payment.refund_started', member, jsonb_build_object(
    'request', request, 'payment', payment, 'before', jsonb_build_object('refunded_pence', paid.amount_refunded),
    'after', jsonb_build_object('refunded_pence', paid.amount_refunded + admin_begin_refund.amount_pence), 'reason', why
  ));
  return to_jsonb(known);
end
$$;
comment on function private.admin_begin_refund(uuid, text, bigint, text) is
  'Checks and records a refund before the card provider is asked. A repeated request returns the same row; another one waits for its end. Audited.';

create function private.admin_unfinished_refunds() returns table (
  request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamptz,
  user_id uuid, email text, first_name text, last_name text
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select q.id, q.charge_id, q.amount_pence, y.currency, q.reason, q.state, q.requested_at,
      y.user_id, y.email, y.first_name, y.last_name
    from private.refund_requests q left join private.payments y on y.payment_id = q.charge_id
    where q.state in ('started', 'unclear') order by q.requested_at, q.id limit 500;
end
$$;
revoke all on function private.admin_unfinished_refunds from public, anon, authenticated, service_role;
comment on function private.admin_unfinished_refunds() is 'Refunds that were asked for and whose end is not known, oldest first.';
grant execute on function private.admin_unfinished_refunds() to authenticated;
create function public.admin_unfinished_refunds() returns table (
  request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamptz,
  user_id uuid, email text, first_name text, last_name text
)
  language sql stable set search_path = '' as $$ select * from private.admin_unfinished_refunds() $$;
revoke all on function public.admin_unfinished_refunds from public, anon, authenticated, service_role;
comment on function public.admin_unfinished_refunds() is
  'Administrators: refunds whose end is not known, at most 500; repeating the same request finishes one.';
grant execute on function public.admin_unfinished_refunds() to authenticated;
