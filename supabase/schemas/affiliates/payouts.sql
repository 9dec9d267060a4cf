-- Payouts: what is due, and marking a transfer as made.
-- @rpc authenticated
-- Administrators: what is owed to affiliates, in pence.
create function private.admin_payouts_due() returns table (affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select a.affiliate_id, a.user_id, d.email, d.name, b.payable_pence, b.pending_pence, b.paid_pence, t.least_payout_pence
    from private.affiliate_balances b
    join private.affiliates a on a.affiliate_id = b.affiliate_id
    join private.member_search_index d on d.user_id = a.user_id
    cross join private.affiliate_terms t
    where b.payable_pence <> 0 or b.pending_pence <> 0
    order by b.payable_pence desc, a.affiliate_id limit 1000;
end
$$;
comment on function private.admin_payouts_due() is 'Affiliates with something pending or payable, the largest amount first.';

-- What is owed counts from the first of it after the last transfer.
create function private.due_payouts() returns table (affiliate_id uuid, payable_pence bigint, due_since timestamptz)
  language sql stable set search_path = '' as $$
  select b.affiliate_id, b.payable_pence, (
    select min(x.recorded_at) from private.ledger_transactions x
    join private.ledger_entries e on e.transaction_id = x.id and e.account = 'payable' and e.amount_pence > 0
    where x.affiliate_id = b.affiliate_id and x.id > coalesce((
      select max(p.id) from private.ledger_transactions p where p.affiliate_id = b.affiliate_id and p.kind = 'payout'
    ), 0)
  )
  from private.affiliate_balances b cross join private.affiliate_terms t
  where b.payable_pence > 0 and b.payable_pence >= t.least_payout_pence
$$;
comment on function private.due_payouts() is 'Affiliates who can be paid now, and since when something is owed to them.';

-- The amount is what the administrator saw and transferred: when something was taken back meanwhile, it is refused.
-- @rpc authenticated
-- Administrators: record that an affiliate was paid, with the reference of the transfer.
create function private.admin_mark_payout(affiliate uuid, amount_pence bigint, reference text) returns bigint
  language plpgsql security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_fresh_second_factor();
  known constant text := btrim(reference);
  member uuid;
  balance private.affiliate_balances;
  made bigint;
begin
  if coalesce(char_length(known), 0) not between 1 and 140 then
    perform private.fail('FF631', 'Give the reference of the transfer, at most 140 characters.');
  end if;
  select a.user_id into member from private.affiliates a where a.affiliate_id = affiliate for update;
  if not found then
    perform private.fail('FF632', 'There is no such affiliate any more.');
  end if;
  if member = admin then
    perform private.fail('FF633', 'Another administrator has to mark your own payout.');
  end if;
  select b.* into balance from private.affiliate_balances b where b.affiliate_id = affiliate;
  if amount_pence is null or balance.payable_pence is distinct from amount_pence
    or amount_pence < (select t.least_payout_pence from private.affiliate_terms t) then
    perform private.fail('FF634', 'The amount that is payable has changed. Look again before you transfer it.');
  end if;
  insert into private.affiliate_payouts as p (affiliate_id, amount_pence, reference)
  values (affiliate, admin_mark_payout.amount_pence, known) returning p.id into made;
  perform private.post_ledger_transaction('payout', affiliate, null, made, 'payable', 'paid', amount_pence);
  perform private.audit(admin, 'affiliate.paid', member, jsonb_build_object(
    'before', jsonb_build_object('payable_pence', balance.payable_pence, 'paid_pence', balance.paid_pence),
    'after', jsonb_build_object('payable_pence', 0, 'paid_pence', balance.paid_pence + amount_pence),
    'payout', made, 'reference', known
  ));
  return made;
end
$$;
comment on function private.admin_mark_payout(uuid, bigint, text) is
  'Records a bank transfer of exactly what is payable; needs a fresh code (FF006, FF007). Audited.';
