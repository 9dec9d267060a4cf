-- What a payment earns follows from its last reading, however often and in whatever order the readings come: the difference to what is
-- in the ledger is booked.

alter table private.billing_charges add column card_hash bytea;
comment on column private.billing_charges.card_hash is 'HMAC of the provider''s fingerprint of the card, as in trial_cards; null when it is not known.';
-- Payments are written a few a minute; they wait for the moment that this takes.
-- squawk-ignore require-concurrent-index-creation
create index billing_charges_card_hash_idx on private.billing_charges (card_hash) where card_hash is not null;

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
revoke all on function private.is_shared_card from public, anon, authenticated, service_role;
comment on function private.is_shared_card(text, uuid) is 'Whether the payment was made with a card of the affiliate, or of an account that used it earlier.';

create function private.settle_commission(charge text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  reading private.billing_charges;
  earned private.commissions;
  due bigint := 0;
  booked bigint;
begin
  select c.* into reading from private.billing_charges c where c.charge_id = charge;
  insert into private.commissions (charge_id, affiliate_id, invoice_id, rate_basis_points, paid_at, payable_at)
  select charge, r.affiliate_id, reading.invoice_id, t.rate_basis_points, p.happened_at,
    p.happened_at + make_interval(days => t.pending_days)
  from public.stripe_customers k
  join private.referrals r on r.user_id = k.user_id
  join private.payment_records p on p.charge_id = charge and p.kind = 'payment' and p.status = 'succeeded' and p.currency = 'gbp'
  cross join private.affiliate_terms t
  where k.customer_id = reading.customer_id and reading.invoice_id is not null and reading.amount > 0
    and p.happened_at >= date_trunc('second', r.referred_at)
    and p.happened_at < r.referred_at + make_interval(months => t.commission_months)
  on conflict (charge_id) do nothing;
  select k.* into earned from private.commissions k where k.charge_id = charge for update;
  if not found then
    return;
  end if;
  if not earned.is_void and not reading.is_refunded and coalesce(reading.dispute, 'won') = 'won'
    and not private.is_shared_card(charge, earned.affiliate_id) then
    due := (reading.amount - reading.amount_refunded) * earned.rate_basis_points / 10000;
  end if;
  select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a where a.charge_id = charge;
  perform private.post_ledger_transaction(
    'commission', earned.affiliate_id, charge, null, 'house',
    case when earned.released_at is null then 'pending' else 'payable' end, due - booked
  );
end
$$;
revoke all on function private.settle_commission from public, anon, authenticated, service_role;
comment on function private.settle_commission(text) is
  'Books what a payment earns by its last reading: nothing once refunded, disputed or paid with a shared card; a share of what is left otherwise.';

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
revoke all on function private.settle_card from public, anon, authenticated, service_role;
comment on function private.settle_card(text) is 'Settles a payment and all that earned by the same card, in one order for everybody.';

create function private.tg_billing_charges__settle_commission() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_card(new.charge_id);
  return null;
end
$$;
revoke all on function private.tg_billing_charges__settle_commission from public, anon, authenticated, service_role;
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
revoke all on function private.tg_payment_records__settle_commission from public, anon, authenticated, service_role;
create trigger payment_records__settle_commission after insert on private.payment_records
  for each row when (new.kind = 'payment') execute function private.tg_payment_records__settle_commission();

create function private.release_commissions() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  due private.commissions;
  released integer := 0;
begin
  for due in
    select k.* from private.commissions k where k.released_at is null and k.payable_at <= now()
    order by k.charge_id limit 5000 for update skip locked
  loop
    perform private.post_ledger_transaction(
      'release', due.affiliate_id, due.charge_id, null, 'pending', 'payable',
      coalesce((select a.pending_pence from private.commission_amounts a where a.charge_id = due.charge_id), 0)
    );
    update private.commissions k set released_at = now() where k.charge_id = due.charge_id;
    released := released + 1;
  end loop;
  return released;
end
$$;
revoke all on function private.release_commissions from public, anon, authenticated, service_role;
comment on function private.release_commissions() is 'Makes commissions whose waiting time is over payable; returns how many.';
grant execute on function private.release_commissions() to service_role;
create function public.release_commissions() returns integer
  language sql volatile set search_path = '' as $$ select private.release_commissions() $$;
revoke all on function public.release_commissions from public, anon, authenticated, service_role;
comment on function public.release_commissions() is 'Server: make commissions payable whose waiting time is over.';
grant execute on function public.release_commissions() to service_role;

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
revoke all on function private.tg_affiliates__forfeit from public, anon, authenticated, service_role;
create trigger affiliates__forfeit before delete on private.affiliates
  for each row execute function private.tg_affiliates__forfeit();
