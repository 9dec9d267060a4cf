-- The figures on a member's dashboard. Earnings that the product does not offer yet are 0.
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
      0, 0;
end
$$;
revoke all on function private.dashboard_figures from public, anon, authenticated, service_role;
comment on function private.dashboard_figures() is 'One row of figures about the calling account.';
grant execute on function private.dashboard_figures() to authenticated;

create function public.dashboard_figures()
  returns table (
    level integer, effective_level integer, onboarding_complete boolean, member_since timestamptz,
    likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer
  )
  language sql stable set search_path = '' as $$
  select * from private.dashboard_figures()
$$;
revoke all on function public.dashboard_figures from public, anon, authenticated, service_role;
comment on function public.dashboard_figures() is 'The caller''s own dashboard figures, one row; money in pence.';
grant execute on function public.dashboard_figures() to authenticated;

-- The figures on the administrators' dashboard.
create function private.admin_figures()
  returns table (
    accounts integer, onboarded_members integer, paying_students integer, paying_mentors integer,
    past_due integer, cancelling integer, monthly_revenue_pence integer,
    pending_verifications integer, oldest_pending_at timestamptz, flagged_accounts integer, signups_this_week integer
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    with current_subscriptions as (
      select s.status, s.cancel_at_period_end, p.role, p.amount_pence,
        s.status in ('active', 'trialing') as live
      from public.stripe_subscriptions s
      join public.stripe_customers c on c.customer_id = s.customer_id
      left join private.plan_prices o on o.price_id = s.price_id
      left join public.plans p on p.id = o.plan_id
      where s.deleted_at is null and c.deleted_at is null
        and not exists (select from public.profiles a where a.id = c.user_id and a.role = 'admin')
    ),
    billing as (
      select
        count(*) filter (where live and role = 'student')::integer as students,
        count(*) filter (where live and role = 'mentor')::integer as mentors,
        count(*) filter (where status = 'past_due')::integer as late,
        count(*) filter (where live and cancel_at_period_end)::integer as leaving,
        coalesce(sum(amount_pence) filter (where status = 'active'), 0)::integer as revenue
      from current_subscriptions
    ),
    reviews as (
      select count(*)::integer as waiting, min(v.submitted_at) as oldest
      from public.user_verifications v where v.status = 'pending'
    ),
    people as (
      select count(*)::integer as all_accounts,
        count(*) filter (where u.created_at > now() - interval '7 days')::integer as new_accounts
      from auth.users u
    )
    select people.all_accounts,
      (select count(*)::integer from public.profiles p where p.onboarding_complete and p.role <> 'admin'),
      billing.students, billing.mentors, billing.late, billing.leaving,
      case when private.caller_has_second_factor() then billing.revenue end,
      reviews.waiting, reviews.oldest,
      (select count(distinct f.user_id)::integer from private.account_flags f),
      people.new_accounts
    from people, billing, reviews;
end
$$;
revoke all on function private.admin_figures from public, anon, authenticated, service_role;
comment on function private.admin_figures() is 'One row of figures about the whole community.';
grant execute on function private.admin_figures() to authenticated;

create function public.admin_figures()
  returns table (
    accounts integer, onboarded_members integer, paying_students integer, paying_mentors integer,
    past_due integer, cancelling integer, monthly_revenue_pence integer,
    pending_verifications integer, oldest_pending_at timestamptz, flagged_accounts integer, signups_this_week integer
  )
  language sql stable set search_path = '' as $$
  select * from private.admin_figures()
$$;
revoke all on function public.admin_figures from public, anon, authenticated, service_role;
comment on function public.admin_figures() is 'Administrators: figures about the whole community, one row; revenue in pence a month at today''s prices, null without a second factor.';
grant execute on function public.admin_figures() to authenticated;

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
revoke all on function private.export_account_data from public, anon, authenticated, service_role;
comment on function private.export_account_data() is 'Account, membership, onboarding, verification and level of the caller.';
grant execute on function private.export_account_data() to authenticated;
