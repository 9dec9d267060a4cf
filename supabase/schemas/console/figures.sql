-- The figures on a member's dashboard. Earnings that the product does not offer yet are 0.
-- @rpc authenticated
-- The caller's own dashboard figures, one row; money in pence.
create function private.dashboard_figures()
  returns table (
    level integer, effective_level integer, onboarding_complete boolean, member_since timestamptz,
    likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return query
    select
      coalesce((select l.current_level from public.user_levels l where l.user_id = caller), 0),
      private.effective_level(caller),
      coalesce((select p.onboarding_complete from public.profiles p where p.id = caller), false),
      (select u.created_at from auth.users u where u.id = caller),
      private.likes_received(caller),
      (select count(*)::integer from public.module_completions c where c.user_id = caller),
      (select count(*)::integer from private.affiliates a join private.referrals r on r.affiliate_id = a.affiliate_id where a.user_id = caller),
      coalesce((
        select (b.pending_pence + b.payable_pence + b.paid_pence)::integer
        from private.affiliates a join private.affiliate_balances b on b.affiliate_id = a.affiliate_id where a.user_id = caller
      ), 0);
end
$$;
comment on function private.dashboard_figures() is 'One row of figures about the calling account.';

-- What these tables keep about the caller, read with the caller's own rights so that it can never show more than that.
create function private.export_account_data() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', jsonb_build_object('id', caller, 'email', auth.jwt() ->> 'email'),
    'profile', (select to_jsonb(p) from public.profiles p where p.id = caller),
    'customers', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at) from public.stripe_customers c where c.user_id = caller
    ), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at) from public.stripe_subscriptions s
      join public.stripe_customers c on c.customer_id = s.customer_id where c.user_id = caller
    ), '[]'),
    'onboarding_progress', (select to_jsonb(o) from public.onboarding_progress o where o.user_id = caller),
    'onboarding_responses', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.page_number, r.question)
      from public.onboarding_responses r where r.user_id = caller
    ), '[]'),
    'verifications', coalesce((
      select jsonb_agg(to_jsonb(v) order by v.submitted_at) from public.user_verifications v where v.user_id = caller
    ), '[]'),
    'level', (select to_jsonb(l) from public.user_levels l where l.user_id = caller),
    'progress', (select to_jsonb(g) from public.user_progress g where g.user_id = caller)
  );
end
$$;
comment on function private.export_account_data() is 'Account, membership, onboarding, verification and level of the caller.';
grant execute on function private.export_account_data to authenticated;
