create or replace function private.admin_export_payments (
  since timestamp with time zone,
  until timestamp with time zone
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

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
$function$;

create or replace function public.admin_money_by_month (
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
  language sql
  set search_path to ''
  AS $function$ select * from private.admin_money_by_month(months) $function$;

comment on function "private"."admin_money_by_month"(integer) is 'Charges, refunds, lost disputes, the VAT in them and the rest by month (UTC), before the card provider''s fees. Audited.';

comment on function "public"."admin_money_by_month"(integer) is 'Administrators: charges, refunds, lost disputes, the VAT in them and what is left, by month and currency, newest first.';

revoke all on function "private"."admin_money_by_month"(integer) from public;

grant execute on function "private"."admin_money_by_month"(integer) to "authenticated", "postgres";

revoke all on function "public"."admin_money_by_month"(integer) from public;

grant execute on function "public"."admin_money_by_month"(integer) to "authenticated", "postgres";
