alter table private.refund_requests validate constraint refund_requests_state_check;

-- What was made can only fail later; what failed stays so.
create or replace function private.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text)
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

-- A function that is still at work writes the end itself, with its administrator's name.
create function private.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text)
  returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform from private.refund_requests q
  where q.id = request and q.charge_id = payment
    and (q.state <> 'started' or q.last_tried_at < now() - interval '10 minutes')
  for update;
  if found then
    perform private.billing_end_refund(request, null, outcome, refund, detail);
  end if;
end
$$;
revoke all on function private.billing_settle_refund from public, anon, authenticated, service_role;
comment on function private.billing_settle_refund(uuid, text, text, text, text) is
  'Writes the end of a refund as the card provider shows it later, unless a function is asking for it now.';
grant execute on function private.billing_settle_refund(uuid, text, text, text, text) to service_role;
create function public.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text)
  returns void
  language sql volatile set search_path = '' as $$
  select private.billing_settle_refund(request, payment, refund, outcome, detail)
$$;
revoke all on function public.billing_settle_refund from public, anon, authenticated, service_role;
comment on function public.billing_settle_refund(uuid, text, text, text, text) is
  'Server: how a refund stands at the card provider.';
grant execute on function public.billing_settle_refund(uuid, text, text, text, text) to service_role;

create function private.billing_unsettled_refunds() returns table (request_id uuid, payment_id text)
  language sql stable security definer set search_path = '' as $$
  select q.id, q.charge_id from private.refund_requests q
  where q.state in ('started', 'unclear') and q.last_tried_at < now() - interval '10 minutes'
  order by q.last_tried_at, q.id limit 100
$$;
revoke all on function private.billing_unsettled_refunds from public, anon, authenticated, service_role;
comment on function private.billing_unsettled_refunds() is
  'Refunds whose end is not known and that no function asks for now; a hundred of the oldest.';
grant execute on function private.billing_unsettled_refunds() to service_role;
create function public.billing_unsettled_refunds() returns table (request_id uuid, payment_id text)
  language sql stable set search_path = '' as $$ select * from private.billing_unsettled_refunds() $$;
revoke all on function public.billing_unsettled_refunds from public, anon, authenticated, service_role;
comment on function public.billing_unsettled_refunds() is 'Server: refunds to look up at the card provider.';
grant execute on function public.billing_unsettled_refunds() to service_role;
