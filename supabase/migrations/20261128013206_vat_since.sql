create or replace function private.vat_at (
  moment timestamp with time zone
)
  returns table (
    mode              text,
    rate_basis_points integer
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select v.mode, v.rate_basis_points from public.vat_settings v where date_trunc('second', v.since) <= moment order by v.id desc limit 1
$function$;

comment on function "private"."vat_at"(timestamp with time zone) is 'The VAT setting in force at a moment, of which the card provider tells the second; no row before the first.';
