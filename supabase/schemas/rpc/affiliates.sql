-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.release_commissions() returns integer
  language sql volatile set search_path = '' as $$ select private.release_commissions() $$;
comment on function public.release_commissions is 'Server: make commissions payable whose waiting time is over.';
grant execute on function private.release_commissions, public.release_commissions to service_role;

create function public.my_affiliate() returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_affiliate() $$;
comment on function public.my_affiliate is 'The caller''s affiliate link and what it earned; made on the first call.';
grant execute on function private.my_affiliate, public.my_affiliate to authenticated;

create function public.admin_payouts_due() returns table(affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
  language sql stable set search_path = '' as $$ select * from private.admin_payouts_due() $$;
comment on function public.admin_payouts_due is 'Administrators: what is owed to affiliates, in pence.';
grant execute on function private.admin_payouts_due, public.admin_payouts_due to authenticated;

create function public.admin_mark_payout(affiliate uuid, amount_pence bigint, reference text) returns bigint
  language sql volatile set search_path = '' as $$ select private.admin_mark_payout(affiliate, amount_pence, reference) $$;
comment on function public.admin_mark_payout is 'Administrators: record that an affiliate was paid, with the reference of the transfer.';
grant execute on function private.admin_mark_payout, public.admin_mark_payout to authenticated;

create function public.record_affiliate_visit(code text, known uuid, visitor text) returns uuid
  language sql volatile set search_path = '' as $$ select private.record_affiliate_visit(code, known, visitor) $$;
comment on function public.record_affiliate_visit is 'Server: remember a visit by an affiliate link.';
grant execute on function private.record_affiliate_visit, public.record_affiliate_visit to service_role;

create function public.claim_referral(visit uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.claim_referral(visit) $$;
comment on function public.claim_referral is 'A new account says by which visit it was brought; true when it counts.';
grant execute on function private.claim_referral, public.claim_referral to authenticated;
