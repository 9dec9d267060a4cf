-- A receipt says when money came back, and what remains: each refund has its own day.
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
revoke all on function private.invoice_refunds(text) from public, anon, authenticated, service_role;
grant execute on function private.invoice_refunds(text) to authenticated;
comment on function private.invoice_refunds(text) is 'Refunds that were made of one of the caller''s invoices, oldest first; none for another''s.';

create function public.invoice_refunds(invoice text) returns jsonb
  language sql stable set search_path = '' as $$ select private.invoice_refunds(invoice) $$;
revoke all on function public.invoice_refunds(text) from public, anon, authenticated, service_role;
grant execute on function public.invoice_refunds(text) to authenticated;
comment on function public.invoice_refunds(text) is
  'The refunds of one of the caller''s invoices: `amount_pence` and `refunded_at`, oldest first.';
