-- What members see of their link, and the payouts of the console.

create function private.commission_state(earned private.commissions, amount_pence bigint) returns text
  language sql immutable set search_path = '' as $$
  select case when amount_pence = 0 then 'taken_back' when earned.released_at is null then 'pending' else 'payable' end
$$;
revoke all on function private.commission_state from public, anon, authenticated, service_role;
comment on function private.commission_state(private.commissions, bigint) is 'pending, payable (or paid out since) or taken_back.';

-- Made on the first look, for members only; whoever has one keeps seeing it.
create function private.my_affiliate() returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  affiliate private.affiliates;
begin
  select a.* into affiliate from private.affiliates a where a.user_id = caller;
  if not found then
    if private.effective_level(caller) < 1 then
      perform private.fail('FF630', 'Your link opens with your membership.');
    end if;
    loop
      insert into private.affiliates (user_id, code) values (caller, private.new_affiliate_code())
      on conflict do nothing;
      select a.* into affiliate from private.affiliates a where a.user_id = caller;
      exit when found;
    end loop;
  end if;
  return (
    select jsonb_build_object(
      'code', affiliate.code,
      'is_open', private.effective_level(caller) >= 1,
      'terms', (select to_jsonb(t) - 'id' from private.affiliate_terms t),
      'visits', (select count(*) from private.affiliate_visits v where v.affiliate_id = affiliate.affiliate_id),
      'sign_ups', (select count(*) from private.referrals r where r.affiliate_id = affiliate.affiliate_id),
      'members', (
        select count(*) from private.referrals r
        where r.affiliate_id = affiliate.affiliate_id and private.has_live_membership(r.user_id)
      ),
      'pending_pence', coalesce(b.pending_pence, 0), 'payable_pence', coalesce(b.payable_pence, 0),
      'paid_pence', coalesce(b.paid_pence, 0),
      'months', coalesce((
        select jsonb_agg(to_jsonb(m) order by m.month desc) from (
          select to_char(t.recorded_at at time zone 'utc', 'YYYY-MM') as month,
            coalesce(sum(e.amount_pence) filter (where t.kind = 'commission' and e.amount_pence > 0), 0) as earned_pence,
            coalesce(-sum(e.amount_pence) filter (where t.kind = 'commission' and e.amount_pence < 0), 0) as taken_back_pence,
            coalesce(sum(e.amount_pence) filter (where t.kind = 'payout' and e.account = 'paid'), 0) as paid_pence
          from private.ledger_transactions t
          join private.ledger_entries e on e.transaction_id = t.id and e.account <> 'house'
          where t.affiliate_id = affiliate.affiliate_id and t.kind <> 'release'
          group by 1 order by 1 desc limit 36
        ) m
      ), '[]'),
      'payouts', coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at)
          order by p.paid_at desc, p.id desc)
        from private.affiliate_payouts p where p.affiliate_id = affiliate.affiliate_id
      ), '[]')
    )
    from (values (1)) one left join private.affiliate_balances b on b.affiliate_id = affiliate.affiliate_id
  );
end
$$;
revoke all on function private.my_affiliate from public, anon, authenticated, service_role;
comment on function private.my_affiliate() is 'Link, figures, months (UTC) and payouts of the caller; FF630 for who is no member and never was an affiliate.';
grant execute on function private.my_affiliate() to authenticated;
create function public.my_affiliate() returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_affiliate() $$;
revoke all on function public.my_affiliate from public, anon, authenticated, service_role;
comment on function public.my_affiliate() is 'The caller''s affiliate link and what it earned; made on the first call.';
grant execute on function public.my_affiliate() to authenticated;

create function private.my_commissions(before_time timestamptz, before_charge text) returns table (
  charge_id text, invoice_number text, paid_at timestamptz, payable_at timestamptz, state text, amount_pence bigint
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return query
    select k.charge_id, i.number, k.paid_at, k.payable_at, private.commission_state(k, coalesce(m.amount_pence, 0)), coalesce(m.amount_pence, 0)
    from private.affiliates a
    join private.commissions k on k.affiliate_id = a.affiliate_id
    left join public.invoices i on i.invoice_id = k.invoice_id
    left join lateral (select x.amount_pence from private.commission_amounts x where x.charge_id = k.charge_id) m on true
    where a.user_id = caller and (before_time is null or (k.paid_at, k.charge_id) < (before_time, before_charge))
    order by k.paid_at desc, k.charge_id desc limit 50;
end
$$;
revoke all on function private.my_commissions from public, anon, authenticated, service_role;
comment on function private.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first, without who made them.';
grant execute on function private.my_commissions(timestamptz, text) to authenticated;
create function public.my_commissions(before_time timestamptz default null, before_charge text default null) returns table (
  charge_id text, invoice_number text, paid_at timestamptz, payable_at timestamptz, state text, amount_pence bigint
)
  language sql stable set search_path = '' as $$ select * from private.my_commissions(before_time, before_charge) $$;
revoke all on function public.my_commissions from public, anon, authenticated, service_role;
comment on function public.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first.';
grant execute on function public.my_commissions(timestamptz, text) to authenticated;

create or replace function private.dashboard_figures()
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

create function private.export_part_affiliates(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'affiliate_link', (select to_jsonb(a) from private.affiliates a where a.user_id = member),
    'referral', (select to_jsonb(r) - 'affiliate_id' from private.referrals r where r.user_id = member),
    'commissions', coalesce((
      select jsonb_agg(jsonb_build_object('paid_at', k.paid_at, 'payable_at', k.payable_at, 'amount_pence', coalesce(m.amount_pence, 0))
        order by k.paid_at, k.charge_id)
      from private.affiliates a join private.commissions k on k.affiliate_id = a.affiliate_id
      left join private.commission_amounts m on m.charge_id = k.charge_id where a.user_id = member
    ), '[]'),
    'affiliate_payouts', coalesce((
      select jsonb_agg(jsonb_build_object('amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at) order by p.id)
      from private.affiliates a join private.affiliate_payouts p on p.affiliate_id = a.affiliate_id where a.user_id = member
    ), '[]')
  )
$$;
revoke all on function private.export_part_affiliates from public, anon, authenticated, service_role;
comment on function private.export_part_affiliates(uuid) is 'Link, commissions and payouts of one account, and when it was brought by somebody''s link.';
