-- What members see of their link, and the payouts of the console.
create function private.commission_state(earned private.commissions, amount_pence bigint) returns text
  language sql immutable set search_path = '' as $$
  select case when amount_pence = 0 then 'taken_back' when earned.released_at is null then 'pending' else 'payable' end
$$;
comment on function private.commission_state(private.commissions, bigint) is 'pending, payable (or paid out since) or taken_back.';

-- Made on the first look, for members only; whoever has one keeps seeing it.
-- @rpc authenticated
-- The caller's affiliate link and what it earned; made on the first call.
create function private.my_affiliate() returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  affiliate private.affiliates;
begin
  select a.* into affiliate from private.affiliates a where a.user_id = caller;
  if not found then
    if private.effective_level(caller) < 1 then
      perform private.fail('FF630', 'You get your link once your membership is active.');
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
comment on function private.my_affiliate() is 'Link, figures, months (UTC) and payouts of the caller; FF630 for who is no member and never was an affiliate.';

create function private.export_part_affiliates(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'affiliate_link', (select to_jsonb(a) from private.affiliates a where a.user_id = member),
    'referral', (select to_jsonb(r) - 'affiliate_id' from private.referrals r where r.user_id = member),
    'commissions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'paid_at', k.paid_at, 'payable_at', k.payable_at, 'amount_pence', coalesce(m.amount_pence, 0), 'kind', k.kind, 'course_id', k.course_id
      ) order by k.paid_at, k.charge_id)
      from private.affiliates a join private.commissions k on k.affiliate_id = a.affiliate_id
      left join private.commission_amounts m on m.charge_id = k.charge_id and m.affiliate_id = k.affiliate_id where a.user_id = member
    ), '[]'),
    'affiliate_payouts', coalesce((
      select jsonb_agg(jsonb_build_object('amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at) order by p.id)
      from private.affiliates a join private.affiliate_payouts p on p.affiliate_id = a.affiliate_id where a.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_affiliates(uuid) is 'Link, commissions and payouts of one account, and when it was brought by somebody''s link.';
