-- What the console shows about money. Everything is read from the last readings of the card provider.

create view private.payments with (security_invoker = true) as
select r.charge_id as payment_id, r.happened_at as paid_at, r.amount as amount_pence,
  coalesce(c.amount_refunded, 0) as refunded_pence, r.currency,
  case
    when c.dispute = 'open' then 'disputed'
    when c.dispute = 'lost' then 'dispute_lost'
    when c.is_refunded then 'refunded'
    when c.amount_refunded > 0 then 'partly_refunded'
    else 'paid'
  end as state,
  r.customer_id, r.subscription_id, c.invoice_id, i.number as invoice_number, i.reason as invoice_reason,
  c.card_brand, c.card_last4, k.user_id, u.email::text as email, p.first_name, p.last_name
from private.payment_records r
left join private.billing_charges c on c.charge_id = r.charge_id
left join public.invoices i on i.invoice_id = c.invoice_id
left join public.stripe_customers k on k.customer_id = r.customer_id
left join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
where r.kind = 'payment' and r.status = 'succeeded';
revoke all on table private.payments from public, anon, authenticated, service_role;
comment on view private.payments is 'Payments that succeeded, with their refunds, invoice and member; the member is null once the account is deleted.';

create view private.refunds_and_disputes with (security_invoker = true) as
select distinct on (r.provider_id) r.provider_id, r.kind, r.status, r.charge_id, r.customer_id, r.subscription_id, r.amount,
  r.currency, r.reason, r.happened_at, r.respond_by as due_at
from private.payment_records r where r.kind in ('refund', 'dispute')
order by r.provider_id, r.id desc;
revoke all on table private.refunds_and_disputes from public, anon, authenticated, service_role;
comment on view private.refunds_and_disputes is 'Each refund and dispute in its latest known state.';

-- A cursor is the time and id of the last row of the page before.
create function private.admin_payments(
  search text, state text, since timestamptz, until timestamptz, before_time timestamptz, before_id text, page_size integer
) returns setof private.payments
  language plpgsql stable security definer set search_path = '' as $$
declare
  needle text := nullif(btrim(search), '');
  pattern text := '%' || replace(replace(replace(needle, '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  perform private.require_verified_admin();
  return query
    select y.* from private.payments y
    where (needle is null or y.email ilike pattern or concat_ws(' ', y.first_name, y.last_name) ilike pattern
        or y.invoice_number ilike pattern or y.payment_id = needle)
      and (admin_payments.state is null or y.state = admin_payments.state)
      and (since is null or y.paid_at >= since) and (until is null or y.paid_at < until)
      and (before_time is null or (y.paid_at, y.payment_id) < (before_time, before_id))
    order by y.paid_at desc, y.payment_id desc
    limit least(greatest(coalesce(page_size, 50), 1), 200);
end
$$;
revoke all on function private.admin_payments from public, anon, authenticated, service_role;
comment on function private.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'One page of payments, newest first, by part of a name, address or invoice number, state and time.';
grant execute on function private.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) to authenticated;
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
revoke all on function public.admin_payments from public, anon, authenticated, service_role;
comment on function public.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'Administrators: one page of payments, newest first; amounts in the smallest unit of the currency.';
grant execute on function public.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) to authenticated;

-- One answer for the whole period, so that the file is of one moment and the look at it is audited once.
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
  select coalesce(jsonb_agg(to_jsonb(y) order by y.paid_at, y.payment_id), '[]') into found_rows
  from private.payments y where y.paid_at >= since and y.paid_at < until;
  perform private.audit(admin, 'payments.exported', null,
    jsonb_build_object('since', since, 'until', until, 'count', found_count));
  return found_rows;
end
$$;
revoke all on function private.admin_export_payments from public, anon, authenticated, service_role;
comment on function private.admin_export_payments(timestamptz, timestamptz) is 'All payments of a period, oldest first. Audited.';
grant execute on function private.admin_export_payments(timestamptz, timestamptz) to authenticated;
create function public.admin_export_payments(since timestamptz, until timestamptz) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_export_payments(since, until) $$;
revoke all on function public.admin_export_payments from public, anon, authenticated, service_role;
comment on function public.admin_export_payments(timestamptz, timestamptz) is
  'Administrators: all payments from since to before until, oldest first, at most 20,000.';
grant execute on function public.admin_export_payments(timestamptz, timestamptz) to authenticated;

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
revoke all on function private.admin_refunds_and_disputes from public, anon, authenticated, service_role;
comment on function private.admin_refunds_and_disputes(text) is
  'The latest 500 of one kind, refund or dispute; disputes that wait for evidence first.';
grant execute on function private.admin_refunds_and_disputes(text) to authenticated;
create function public.admin_refunds() returns table (
  refund_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamptz,
  payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text
)
  language sql stable set search_path = '' as $$
  select x.provider_id, x.status, x.amount_pence, x.currency, x.reason, x.happened_at, x.payment_id, x.invoice_number,
    x.user_id, x.email, x.first_name, x.last_name
  from private.admin_refunds_and_disputes('refund') x
$$;
revoke all on function public.admin_refunds from public, anon, authenticated, service_role;
comment on function public.admin_refunds() is 'Administrators: the latest 500 refunds.';
grant execute on function public.admin_refunds() to authenticated;
create function public.admin_disputes() returns table (
  dispute_id text, status text, amount_pence bigint, currency text, reason text, happened_at timestamptz, due_at timestamptz,
  payment_id text, invoice_number text, user_id uuid, email text, first_name text, last_name text, hold text, has_access boolean
)
  language sql stable set search_path = '' as $$ select * from private.admin_refunds_and_disputes('dispute') $$;
revoke all on function public.admin_disputes from public, anon, authenticated, service_role;
comment on function public.admin_disputes() is
  'Administrators: the latest 500 disputes, those that wait for evidence first; due_at is the last moment for it.';
grant execute on function public.admin_disputes() to authenticated;

create function private.admin_money_figures() returns table (
  revenue_pence bigint, refunded_pence bigint, open_disputes integer, failed_events integer, complimentary integer
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  month timestamptz := date_trunc('month', now());
begin
  perform private.require_verified_admin();
  return query select
    coalesce((select sum(y.amount_pence) from private.payments y where y.paid_at >= month), 0)::bigint,
    coalesce((select sum(x.amount) from private.refunds_and_disputes x
      where x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.happened_at >= month), 0)::bigint,
    (select count(*)::integer from private.refunds_and_disputes x
      where x.kind = 'dispute' and x.status in ('needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review')),
    (select count(*)::integer from private.failed_billing_events),
    (select count(*)::integer from private.current_complimentary_memberships);
end
$$;
revoke all on function private.admin_money_figures from public, anon, authenticated, service_role;
comment on function private.admin_money_figures() is 'Money of this calendar month (UTC), and what waits for attention.';
grant execute on function private.admin_money_figures() to authenticated;
create function public.admin_money_figures() returns table (
  revenue_pence bigint, refunded_pence bigint, open_disputes integer, failed_events integer, complimentary integer
)
  language sql stable set search_path = '' as $$ select * from private.admin_money_figures() $$;
revoke all on function public.admin_money_figures from public, anon, authenticated, service_role;
comment on function public.admin_money_figures() is
  'Administrators: taken and refunded this calendar month in pence, open disputes, failed events, complimentary memberships.';
grant execute on function public.admin_money_figures() to authenticated;
