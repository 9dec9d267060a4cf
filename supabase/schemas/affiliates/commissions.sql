-- A card is shared when it is the affiliate's, whenever that was, or another account has paid with it before.
create function private.is_shared_card(charge text, affiliate uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from private.billing_charges mine
    join public.stripe_customers me on me.customer_id = mine.customer_id
    join private.billing_charges other on other.card_hash = mine.card_hash and other.charge_id <> mine.charge_id
    join public.stripe_customers they on they.customer_id = other.customer_id and they.user_id <> me.user_id
    where mine.charge_id = charge and (
      they.user_id = (select a.user_id from private.affiliates a where a.affiliate_id = affiliate)
      or (select min(p.happened_at) from private.payment_records p where p.charge_id = other.charge_id and p.kind = 'payment')
        < (select min(p.happened_at) from private.payment_records p where p.charge_id = mine.charge_id and p.kind = 'payment')
    )
  )
$$;
comment on function private.is_shared_card(text, uuid) is 'Whether the payment was made with a card of the affiliate, or of an account that used it earlier.';

-- A mentor's share is part of the price, whoever's card paid it; a reward for bringing somebody has to have brought somebody.
create function private.settle_commission(charge text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  reading private.billing_charges;
  earned private.commissions;
  due bigint;
  booked bigint;
begin
  select c.* into reading from private.billing_charges c where c.charge_id = charge;
  insert into private.commissions (charge_id, affiliate_id, kind, invoice_id, course_id, rate_basis_points, paid_at, payable_at)
  select charge, s.affiliate_id, s.kind, s.invoice_id, s.course_id, s.rate, p.happened_at, p.happened_at + make_interval(days => t.pending_days)
  from private.payment_records p
  cross join private.affiliate_terms t
  cross join lateral (
    select r.affiliate_id, 'membership' as kind, reading.invoice_id, null::uuid as course_id, t.rate_basis_points as rate
    from public.stripe_customers k join private.referrals r on r.user_id = k.user_id
    where k.customer_id = reading.customer_id and reading.invoice_id is not null
      and p.happened_at >= date_trunc('second', r.referred_at)
      and p.happened_at < r.referred_at + make_interval(months => t.commission_months)
    union all
    select a.affiliate_id, 'course_sale', null, b.course_id, b.share_basis_points
    from private.course_purchases b join private.affiliates a on a.affiliate_id = b.seller_id
    where b.payment_intent_id = reading.payment_intent_id
    union all
    select r.affiliate_id, 'course_referral', null, b.course_id, b.referral_basis_points
    from private.course_purchases b join private.referrals r on r.user_id = b.user_id
    -- One's own link adds nothing to the sale of one's own course.
    where b.payment_intent_id = reading.payment_intent_id and r.affiliate_id <> b.seller_id
      and p.happened_at >= date_trunc('second', r.referred_at)
      and p.happened_at < r.referred_at + make_interval(months => t.commission_months)
  ) s
  where p.charge_id = charge and p.kind = 'payment' and p.status = 'succeeded' and p.currency = 'gbp' and reading.amount > 0
  on conflict (charge_id, affiliate_id) do nothing;
  for earned in select k.* from private.commissions k where k.charge_id = charge order by k.affiliate_id for update loop
    due := 0;
    if not earned.is_void and not reading.is_refunded and coalesce(reading.dispute, 'won') = 'won'
      and (earned.kind = 'course_sale' or not private.is_shared_card(charge, earned.affiliate_id)) then
      due := (reading.amount - reading.amount_refunded) * earned.rate_basis_points / 10000;
    end if;
    select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a
    where a.charge_id = charge and a.affiliate_id = earned.affiliate_id;
    perform private.post_ledger_transaction(
      'commission', earned.affiliate_id, charge, null, 'house',
      case when earned.released_at is null then 'pending' else 'payable' end, due - booked
    );
  end loop;
end
$$;
comment on function private.settle_commission(text) is
  'Books what a payment earns each affiliate by its last reading: nothing once refunded or disputed, nor for bringing a shared card.';

-- Another account's payment with the same card can end what this card has earned.
create function private.settle_card(charge text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  touched text;
begin
  for touched in
    select charge
    union
    select other.charge_id from private.billing_charges mine
    join private.billing_charges other on other.card_hash = mine.card_hash
    join private.commissions k on k.charge_id = other.charge_id
    where mine.charge_id = charge
    order by 1
  loop
    perform private.settle_commission(touched);
  end loop;
end
$$;
comment on function private.settle_card(text) is 'Settles a payment and all that earned by the same card, in one order for everybody.';

create function private.tg_billing_charges__settle_commission() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_card(new.charge_id);
  return null;
end
$$;
create trigger billing_charges__settle_commission after update on private.billing_charges
  for each row execute function private.tg_billing_charges__settle_commission();

-- A first reading writes the payment first, and then that it succeeded.
create function private.tg_payment_records__settle_commission() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_card(new.charge_id);
  return null;
end
$$;
create trigger payment_records__settle_commission after insert on private.payment_records
  for each row when (new.kind = 'payment') execute function private.tg_payment_records__settle_commission();

-- @rpc service_role
-- Server: make commissions payable whose waiting time is over.
create function private.release_commissions() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  due private.commissions;
  released integer := 0;
begin
  for due in
    select k.* from private.commissions k where k.released_at is null and k.payable_at <= now()
    order by k.charge_id, k.affiliate_id limit 5000 for update skip locked
  loop
    perform private.post_ledger_transaction(
      'release', due.affiliate_id, due.charge_id, null, 'pending', 'payable',
      coalesce((
        select a.pending_pence from private.commission_amounts a where a.charge_id = due.charge_id and a.affiliate_id = due.affiliate_id
      ), 0)
    );
    update private.commissions k set released_at = now() where k.charge_id = due.charge_id and k.affiliate_id = due.affiliate_id;
    released := released + 1;
  end loop;
  return released;
end
$$;
comment on function private.release_commissions() is 'Makes commissions whose waiting time is over payable; returns how many.';

-- Deleting the account gives up what was not paid out, as the page says before.
create function private.tg_affiliates__forfeit() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  charge text;
begin
  for charge in
    update private.commissions k set is_void = true
    where k.affiliate_id = old.affiliate_id and k.released_at is null returning k.charge_id
  loop
    perform private.settle_commission(charge);
  end loop;
  perform private.post_ledger_transaction('forfeit', old.affiliate_id, null, null, 'payable', 'house', b.payable_pence)
  from private.affiliate_balances b where b.affiliate_id = old.affiliate_id and b.payable_pence > 0;
  return old;
end
$$;
create trigger affiliates__forfeit before delete on private.affiliates
  for each row execute function private.tg_affiliates__forfeit();
