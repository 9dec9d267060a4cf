drop function "private"."admin_money_by_month"(integer);

drop function "public"."admin_money_by_month"(integer);

create or replace function private.admin_money_by_month (
  months integer default 24
)
  returns table (
    month              date,
    currency           text,
    charges            integer,
    charged_pence      bigint,
    refunds            integer,
    refunded_pence     bigint,
    disputes           integer,
    disputed_pence     bigint,
    dispute_fees_pence bigint,
    fees_pence         bigint,
    other_pence        bigint,
    net_pence          bigint,
    vat_pence          bigint,
    left_pence         bigint,
    payouts            integer,
    paid_out_pence     bigint,
    unread             integer
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
$function$;

create or replace function public.admin_money_by_month (
  months integer default 24
)
  returns table (
    month              date,
    currency           text,
    charges            integer,
    charged_pence      bigint,
    refunds            integer,
    refunded_pence     bigint,
    disputes           integer,
    disputed_pence     bigint,
    dispute_fees_pence bigint,
    fees_pence         bigint,
    other_pence        bigint,
    net_pence          bigint,
    vat_pence          bigint,
    left_pence         bigint,
    payouts            integer,
    paid_out_pence     bigint,
    unread             integer
  )
  language sql
  set search_path to ''
  AS $function$ select * from private.admin_money_by_month(months) $function$;

comment on function "private"."admin_money_by_month"(integer) is 'Charges, refunds, disputes, fees, VAT, what is left and payouts by month (UTC); unread counts what has no fee yet. Audited.';

comment on function "public"."admin_money_by_month"(integer) is 'Administrators: charges, refunds, disputes, the provider''s fees, VAT, what is left and payouts, by month and currency, newest first.';

revoke all on function "private"."admin_money_by_month"(integer) from public;

grant execute on function "private"."admin_money_by_month"(integer) to "authenticated", "postgres";

revoke all on function "public"."admin_money_by_month"(integer) from public;

grant execute on function "public"."admin_money_by_month"(integer) to "authenticated", "postgres";
