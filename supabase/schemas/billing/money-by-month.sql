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
  with happened as (
    select y.paid_at as at, y.currency as money, 'charge' as what, y.amount_pence as amount, 0::bigint as vat from private.payments y
    union all
    select x.happened_at, x.currency, x.kind, x.amount, 0 from private.refunds_and_disputes x
    where x.kind = 'refund' and x.status in ('succeeded', 'pending') or x.kind = 'dispute' and x.status = 'lost'
    union all
    select d.supplied_at, d.currency, 'vat', 0, case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end
    from private.vat_documents d
  ), summed as (
    select date_trunc('month', h.at at time zone 'UTC')::date as m, h.money,
      count(*) filter (where h.what = 'charge')::integer as c, coalesce(sum(h.amount) filter (where h.what = 'charge'), 0)::bigint as ca,
      count(*) filter (where h.what = 'refund')::integer as r, coalesce(sum(h.amount) filter (where h.what = 'refund'), 0)::bigint as ra,
      count(*) filter (where h.what = 'dispute')::integer as d, coalesce(sum(h.amount) filter (where h.what = 'dispute'), 0)::bigint as da,
      sum(h.vat)::bigint as v
    from happened h where h.at >= since group by 1, 2
  )
  select s.m, s.money, s.c, s.ca, s.r, s.ra, s.d, s.da, s.v, s.ca - s.ra - s.da - s.v from summed s order by s.m desc, s.money;
end
$$;
comment on function private.admin_money_by_month(integer) is
  'Charges, refunds, lost disputes, the VAT in them and the rest by month (UTC), before the card provider''s fees. Audited.';
