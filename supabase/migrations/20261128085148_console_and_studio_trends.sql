create or replace function private.admin_money_by_month (
  months integer default 24
)
  returns table (
    month          date,
    currency       text,
    charges        integer,
    charged_pence  bigint,
    refunds        integer,
    refunded_pence bigint,
    disputes       integer,
    disputed_pence bigint,
    vat_pence      bigint,
    net_pence      bigint
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  since timestamptz := (date_trunc('month', now() at time zone 'UTC')
    - make_interval(months => least(greatest(coalesce(months, 24), 1), 120) - 1)) at time zone 'UTC';
begin
  perform private.audit(admin, 'payments.exported', null, jsonb_build_object('since', since, 'by', 'month'));
  return query
  with summed as (
    select date_trunc('month', h.at at time zone 'UTC')::date as m, h.money,
      count(*) filter (where h.what = 'charge')::integer as c, coalesce(sum(h.amount) filter (where h.what = 'charge'), 0)::bigint as ca,
      count(*) filter (where h.what = 'refund')::integer as r, coalesce(sum(h.amount) filter (where h.what = 'refund'), 0)::bigint as ra,
      count(*) filter (where h.what = 'dispute')::integer as d, coalesce(sum(h.amount) filter (where h.what = 'dispute'), 0)::bigint as da,
      sum(h.vat)::bigint as v
    from private.money_happened() h where h.at >= since group by 1, 2
  )
  select s.m, s.money, s.c, s.ca, s.r, s.ra, s.d, s.da, s.v, s.ca - s.ra - s.da - s.v from summed s order by s.m desc, s.money;
end
$function$;

create or replace function private.admin_money_trend()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.claim_waits (
  claim private.guarantee_claims
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  select claim.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(claim))
    or exists (select from private.claim_renewals(claim))
$function$;

create or replace function private.due_payouts()
  returns table (
    affiliate_id  uuid,
    payable_pence bigint,
    due_since     timestamp with time zone
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select b.affiliate_id, b.payable_pence, (
    select min(x.recorded_at) from private.ledger_transactions x
    join private.ledger_entries e on e.transaction_id = x.id and e.account = 'payable' and e.amount_pence > 0
    where x.affiliate_id = b.affiliate_id and x.id > coalesce((
      select max(p.id) from private.ledger_transactions p where p.affiliate_id = b.affiliate_id and p.kind = 'payout'
    ), 0)
  )
  from private.affiliate_balances b cross join private.affiliate_terms t
  where b.payable_pence > 0 and b.payable_pence >= t.least_payout_pence
$function$;

create or replace function private.guarantee_queue()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_verified_admin();
  return (
    select coalesce(jsonb_agg(private.claim_answer(c) || jsonb_build_object(
      'user_id', c.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
      'baseline', (
        select jsonb_build_object(
          'monthly_pence', b.monthly_pence, 'source', b.source, 'started_at', b.started_at,
          'has_document', c.state in ('filed', 'appealed') and b.document_name is not null,
          'check_ins', (
            select coalesce(jsonb_agg(jsonb_build_object('month', k.month_number, 'monthly_pence', k.monthly_pence)
              order by k.month_number), '[]')
            from private.guarantee_check_ins k where k.user_id = c.user_id
          )
        )
        from private.guarantee_baselines b where b.user_id = c.user_id
      ),
      'to_refund', (select count(*) from private.guarantee_refunds(c) r),
      'renews', exists (select from private.claim_renewals(c))
    ) order by coalesce(c.appealed_at, c.filed_at), c.id), '[]')
    from private.guarantee_claims c
    join public.profiles p on p.id = c.user_id
    join auth.users u on u.id = c.user_id
    where private.claim_waits(c)
  );
end
$function$;

create or replace function private.money_happened()
  returns table (
    at     timestamp with time zone,
    money  text,
    what   text,
    amount bigint,
    vat    bigint
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select y.paid_at, y.currency, 'charge', y.amount_pence, 0::bigint from private.payments y
  union all
  select x.happened_at, x.currency, x.kind, x.amount, 0 from private.refunds_and_disputes x
  where x.kind = 'refund' and x.status in ('succeeded', 'pending') or x.kind = 'dispute' and x.status = 'lost'
  union all
  select d.supplied_at, d.currency, 'vat', 0, case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end
  from private.vat_documents d
$function$;
