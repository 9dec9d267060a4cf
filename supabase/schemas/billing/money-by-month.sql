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
-- Charges less refunds, disputes and fees are what is left, which is by how much the balance at the provider changed, with what
-- was paid out to the bank put back. A dispute takes its money when it is opened, and gives it back when it is won.
-- @rpc authenticated
-- Administrators: charges, refunds, disputes, the provider's fees, VAT, what is left and payouts, by month and currency, newest first.
create function private.admin_money_by_month(months integer default 24) returns table (
  month date, currency text, charges integer, charged_pence bigint, refunds integer, refunded_pence bigint,
  disputes integer, disputed_pence bigint, dispute_fees_pence bigint, fees_pence bigint, other_pence bigint, net_pence bigint,
  vat_pence bigint, left_pence bigint, payouts integer, paid_out_pence bigint, unread integer
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
    select h.at, h.money, h.what, h.amount, h.fee, 0::bigint as vat, h.is_read from private.balance_happened() h
    union all
    select v.at, v.money, 'vat', 0, 0, v.vat, true from private.money_happened() v where v.what = 'vat'
  ), summed as (
    select date_trunc('month', h.at at time zone 'UTC')::date as m, h.money,
      count(*) filter (where h.what = 'charge' and h.amount > 0)::integer as charges,
      count(*) filter (where h.what = 'refund' and h.amount < 0)::integer as refunds,
      count(*) filter (where h.what = 'dispute' and h.amount < 0)::integer as disputes,
      count(*) filter (where h.what = 'payout' and h.amount < 0)::integer as payouts,
      coalesce(sum(h.amount) filter (where h.what = 'charge'), 0)::bigint as charged,
      -coalesce(sum(h.amount) filter (where h.what = 'refund'), 0)::bigint as refunded,
      -coalesce(sum(h.amount) filter (where h.what = 'dispute'), 0)::bigint as disputed,
      coalesce(sum(h.fee) filter (where h.what = 'dispute'), 0)::bigint as dispute_fees,
      -- Fees of the account itself are movements of their own.
      coalesce(sum(h.fee - case h.what when 'fee' then h.amount else 0 end) filter (where h.what not in ('dispute', 'other')), 0)::bigint as fees,
      coalesce(sum(h.amount - h.fee) filter (where h.what = 'other'), 0)::bigint as other,
      -coalesce(sum(h.amount) filter (where h.what = 'payout'), 0)::bigint as paid_out,
      sum(h.vat)::bigint as vat, count(*) filter (where not h.is_read)::integer as unread
    from happened h where h.at >= since group by 1, 2
  ), left_of as (
    select s.*, s.charged - s.refunded - s.disputed - s.dispute_fees - s.fees + s.other as net from summed s
  )
  select s.m, s.money, s.charges, s.charged, s.refunds, s.refunded, s.disputes, s.disputed, s.dispute_fees, s.fees, s.other, s.net,
    s.vat, s.net - s.vat, s.payouts, s.paid_out, s.unread
  from left_of s order by s.m desc, s.money;
end
$$;
comment on function private.admin_money_by_month(integer) is
  'Charges, refunds, disputes, fees, VAT, what is left and payouts by month (UTC); unread counts what has no fee yet. Audited.';

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
