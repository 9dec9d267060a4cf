-- A payment whose account is deleted can be refunded, too: its amounts come from private.payments, which reads the
-- records that outlive the account.
create or replace function private.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text) returns jsonb
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
    perform private.fail('FF253', 'The amount is not between nothing and what is left of the payment.',
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
