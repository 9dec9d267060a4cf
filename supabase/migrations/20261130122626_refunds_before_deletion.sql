create or replace function private.billing_owed_refunds (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'withdrawals', (
      select coalesce(jsonb_agg(w.purchase_id order by w.requested_at), '[]') from private.withdrawals w
      where w.user_id = billing_owed_refunds.member and w.settled_at is null
    ),
    'claims', (
      select coalesce(jsonb_agg(c.id), '[]') from private.guarantee_claims c
      where c.user_id = billing_owed_refunds.member and c.state = 'granted' and exists (select from private.guarantee_refunds(c))
    )
  )
$function$;

create or replace function public.billing_owed_refunds (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_owed_refunds(member) $function$;

comment on function "private"."billing_owed_refunds"(uuid) is 'An account''s withdrawals that are not settled, by course and null for the membership, and its granted claims with a refund to make. They go with the account.';

comment on function "public"."billing_owed_refunds"(uuid) is 'Server: what an account still has to get back.';

revoke all on function "private"."billing_owed_refunds"(uuid) from public;

grant execute on function "private"."billing_owed_refunds"(uuid) to "postgres", "service_role";

revoke all on function "public"."billing_owed_refunds"(uuid) from public;

grant execute on function "public"."billing_owed_refunds"(uuid) to "postgres", "service_role";
