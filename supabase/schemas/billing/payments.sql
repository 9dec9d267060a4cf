-- What the provider last said about a payment goes with the account; its records stay, and tell of refunds and disputes.
create or replace view private.payments with (security_invoker = true) as
select r.charge_id as payment_id, r.happened_at as paid_at, r.amount as amount_pence,
  coalesce(c.amount_refunded, d.refunded, 0) as refunded_pence, r.currency,
  case
    when c.dispute = 'open' or d.is_disputed then 'disputed'
    when c.dispute = 'lost' or d.is_lost then 'dispute_lost'
    when c.is_refunded or d.refunded >= r.amount then 'refunded'
    when coalesce(c.amount_refunded, d.refunded) > 0 then 'partly_refunded'
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
left join lateral (
  select coalesce(sum(l.amount) filter (where l.kind = 'refund' and l.status in ('succeeded', 'pending')), 0)::bigint as refunded,
    coalesce(bool_or(l.kind = 'dispute' and l.status in ('needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review')), false) as is_disputed,
    coalesce(bool_or(l.kind = 'dispute' and l.status = 'lost'), false) as is_lost
  from (
    select distinct on (x.provider_id) x.kind, x.status, x.amount from private.payment_records x
    where c.charge_id is null and x.charge_id = r.charge_id and x.kind in ('refund', 'dispute')
    order by x.provider_id, x.id desc
  ) l
) d on c.charge_id is null
where r.kind = 'payment' and r.status = 'succeeded';
comment on view private.payments is 'Payments that succeeded, with their refunds, invoice and member; the member is null once the account is deleted.';

create view private.refunds_and_disputes with (security_invoker = true) as
select distinct on (r.provider_id) r.provider_id, r.kind, r.status, r.charge_id, r.customer_id, r.subscription_id, r.amount,
  r.currency, r.reason, r.happened_at, r.respond_by as due_at
from private.payment_records r where r.kind in ('refund', 'dispute')
order by r.provider_id, r.id desc;
comment on view private.refunds_and_disputes is 'Each refund and dispute in its latest known state.';

-- The statement is planned anew for each call: what suits a rare name does not suit a common one.
create function private.admin_payments(search text, state text, since timestamp with time zone, until timestamp with time zone, before_time timestamp with time zone, before_id text, page_size integer) returns setof private.payments
  language plpgsql stable security definer set search_path = '' as $$
declare
  needle text := nullif(btrim(left(search, 200)), '');
  pattern text := '%' || regexp_replace(needle, '([\\%_])', '\\\1', 'g') || '%';
  key_pattern text := '%' || regexp_replace(private.search_key(needle), '([\\%_])', '\\\1', 'g') || '%';
  found_ids text[];
  rules text[] := array['true'];
begin
  perform private.require_verified_admin();
  if needle is not null then
    -- Fewer than three characters cannot be looked up in the index of invoice numbers, and would match most of them.
    found_ids := array(
      (select needle)
      union all
      (select r.charge_id from private.member_search_index d
       join public.stripe_customers k on k.user_id = d.user_id
       join private.payment_records r on r.customer_id = k.customer_id and r.kind = 'payment'
       where d.search_key like key_pattern limit 1000)
      union all
      (select c.charge_id from public.invoices i join private.billing_charges c on c.invoice_id = i.invoice_id
       where char_length(needle) >= 3 and i.number ilike pattern limit 1000)
    );
    rules := rules || case when cardinality(found_ids) <= 1000 then 'y.payment_id = any ($1)'
      -- So many that the latest of them are found soonest by going through the payments.
      -- So many that the latest of them are soonest found by reading the payments in their order.
      else '(y.customer_id in (select k.customer_id from private.member_search_index d
          join public.stripe_customers k on k.user_id = d.user_id where d.search_key like $2)
        or y.payment_id in (select c.charge_id from public.invoices i
          join private.billing_charges c on c.invoice_id = i.invoice_id where char_length($9) >= 3 and i.number ilike $3))' end;
  end if;
  if admin_payments.state is not null then
    rules := rules || 'y.state = $4'::text;
  end if;
  if admin_payments.state <> 'paid' then
    rules := rules || 'y.payment_id in (select c.charge_id from private.billing_charges c
      where c.dispute is not null or c.is_refunded or c.amount_refunded > 0
      union all
      select x.charge_id from private.payment_records x where x.kind in (''refund'', ''dispute'')
        and not exists (select from private.billing_charges c where c.charge_id = x.charge_id))'::text;
  end if;
  if since is not null then
    rules := rules || 'y.paid_at >= $5'::text;
  end if;
  if until is not null then
    rules := rules || 'y.paid_at < $6'::text;
  end if;
  if before_time is not null then
    rules := rules || '(y.paid_at, y.payment_id) < ($7, $8)'::text;
  end if;
  return query execute format(
    'select y.* from private.payments y where %s order by y.paid_at desc, y.payment_id desc limit %s',
    array_to_string(rules, ' and '), least(greatest(coalesce(page_size, 50), 1), 200)
  ) using found_ids, key_pattern, pattern, admin_payments.state, since, until, before_time, before_id, needle;
end
$$;
comment on function private.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'One page of payments, newest first, by payment id, part of a name or address, three characters or more of an invoice number, state and time.';
grant execute on function private.admin_payments to authenticated;

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
    perform private.fail('FF248', 'There are more than 20,000 payments in this period. Choose a shorter one.');
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
