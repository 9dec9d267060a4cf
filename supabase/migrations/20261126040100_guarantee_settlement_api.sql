-- The API functions of 20261126040000_guarantee_settlement, for the server alone.

create function public.billing_claims_to_settle() returns setof uuid
  language sql stable set search_path = '' as $$ select private.billing_claims_to_settle() $$;
revoke all on function public.billing_claims_to_settle from public, anon, authenticated, service_role;
comment on function public.billing_claims_to_settle() is 'Server: granted claims under the guarantee that are not settled.';

create function public.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_claim_settlement(claim_id) $$;
revoke all on function public.billing_claim_settlement from public, anon, authenticated, service_role;
comment on function public.billing_claim_settlement(uuid) is 'Server: what a granted claim is still owed.';

create function public.billing_claim_renewal_stopped(claim_id uuid, admin uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_claim_renewal_stopped(claim_id, admin) $$;
revoke all on function public.billing_claim_renewal_stopped from public, anon, authenticated, service_role;
comment on function public.billing_claim_renewal_stopped(uuid, uuid) is 'Server: the membership of a granted claim no longer renews.';

create function public.billing_begin_claim_refund(claim_id uuid, payment text, admin uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_claim_refund(claim_id, payment, admin) $$;
revoke all on function public.billing_begin_claim_refund from public, anon, authenticated, service_role;
comment on function public.billing_begin_claim_refund(uuid, text, uuid) is 'Server: record a refund of a granted claim before it is made.';

grant execute on function public.billing_claims_to_settle(), public.billing_claim_settlement(uuid),
  public.billing_claim_renewal_stopped(uuid, uuid), public.billing_begin_claim_refund(uuid, text, uuid) to service_role;
