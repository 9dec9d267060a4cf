-- Courses bought without a membership. An attempt is recorded before any money moves, as with plans; what it gives follows from the last
-- reading of its payment, so a refund or a dispute needs no step of its own.

alter table private.billing_charges add column payment_intent_id text;
comment on column private.billing_charges.payment_intent_id is 'The payment intent that was charged; null for payments read before it was kept.';

create table private.course_purchases (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid references public.courses (id) on delete set null,
  course_title text not null,
  amount_pence integer not null constraint course_purchases_amount_check check (amount_pence > 0),
  seller_id uuid not null,
  share_basis_points integer not null,
  referral_basis_points integer not null,
  state text not null default 'working' constraint course_purchases_state_check
    check (state in ('working', 'unknown', 'needs_action', 'paid', 'failed', 'abandoned')),
  payment_intent_id text unique,
  lease_until timestamptz not null default clock_timestamp() + interval '60 seconds',
  created_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz not null default clock_timestamp()
);
revoke all on table private.course_purchases from public, anon, authenticated, service_role;
comment on table private.course_purchases is 'Attempts at buying a course; the id is also the idempotency key at the card provider.';
comment on column private.course_purchases.course_title is 'As it was when it was bought, for the receipt.';
comment on column private.course_purchases.seller_id is 'The mentor in the ledger; references affiliates while the account exists.';
comment on column private.course_purchases.share_basis_points is 'The mentor''s share, as the terms were.';
comment on column private.course_purchases.referral_basis_points is 'The share of the member whose link brought the buyer, likewise.';
comment on column private.course_purchases.state is 'As in billing_attempts. Whether the course may be read is in live_course_purchases.';
comment on column private.course_purchases.payment_intent_id is 'Recorded before any money moves; only a recorded payment is ever confirmed.';
comment on column private.course_purchases.lease_until is 'Until then a working attempt counts as running.';
comment on column private.course_purchases.checked_at is 'When it last changed or was compared with the provider.';
create unique index course_purchases_one_open on private.course_purchases (user_id) where state in ('working', 'unknown', 'needs_action');
create index course_purchases_user_id_idx on private.course_purchases (user_id, created_at desc);
create index course_purchases_course_id_idx on private.course_purchases (course_id);
create index course_purchases_checked_at_idx on private.course_purchases (checked_at) where state <> 'failed';
alter table private.course_purchases enable row level security;
-- Payments are written a few a minute; they wait for the moment that this takes.
-- squawk-ignore require-concurrent-index-creation
create index billing_charges_payment_intent_id_idx on private.billing_charges (payment_intent_id) where payment_intent_id is not null;

create view private.live_course_purchases with (security_invoker = true) as
select p.id, p.user_id, p.course_id
from private.course_purchases p join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
where not c.is_refunded and coalesce(c.dispute, 'won') = 'won';
revoke all on table private.live_course_purchases from public, anon, authenticated, service_role;
comment on view private.live_course_purchases is 'Purchases that are paid, not refunded in full and not disputed: whose course the buyer reads.';

create function private.note_payment_records(snapshot jsonb, kinds text[]) returns void
  language sql volatile set search_path = '' as $$
  insert into private.payment_records (
    kind, provider_id, status, charge_id, customer_id, subscription_id, amount, currency, reason, happened_at, respond_by
  )
  select r ->> 'kind', r ->> 'id', r ->> 'status', snapshot ->> 'charge_id', snapshot ->> 'customer_id', snapshot ->> 'subscription_id',
    (r ->> 'amount')::bigint, snapshot ->> 'currency', r ->> 'reason', to_timestamp((r ->> 'created')::bigint), to_timestamp((r ->> 'respond_by')::bigint)
  from jsonb_array_elements(snapshot -> 'records') r where r ->> 'kind' = any (kinds)
  on conflict on constraint payment_records_once do nothing
$$;
revoke all on function private.note_payment_records from public, anon, authenticated, service_role;
comment on function private.note_payment_records(jsonb, text[]) is 'Keeps what a reading says of a payment, its refunds and disputes, each state once.';

create or replace function private.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  customer text := snapshot ->> 'customer_id';
  charge text := snapshot ->> 'charge_id';
begin
  perform from public.stripe_customers c where c.customer_id = customer for update;
  if not found then
    -- Of a deleted account. What its payment earned others is still taken back, and the books are kept.
    if exists (select from private.payment_records p where p.charge_id = charge and p.customer_id = customer) then
      perform private.lower_commissions(charge, snapshot);
      perform private.note_payment_records(snapshot, array['refund', 'dispute']);
    end if;
    return 'unknown_customer';
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash, payment_intent_id
  ) values (
    charge, customer, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k),
    snapshot ->> 'payment_intent_id'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash),
    payment_intent_id = coalesce(excluded.payment_intent_id, c.payment_intent_id)
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  perform private.note_payment_records(snapshot, array['payment', 'refund', 'dispute']);
  return 'applied';
end
$$;

create function private.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  offer private.open_course_offers;
  held private.course_purchases;
  joined private.course_purchases;
  begun uuid;
begin
  perform private.lock_billing(member);
  select o.* into offer from private.open_course_offers o where o.slug = lower(btrim(billing_begin_course_purchase.slug));
  if not found then
    return jsonb_build_object('state', 'not_on_sale');
  end if;
  if offer.mentor_id = member then
    return jsonb_build_object('state', 'own_course');
  end if;
  select p.* into held from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = offer.course_id order by p.created_at desc limit 1;
  if found then
    -- The late second of two clicks, or the answer to the first was lost.
    return jsonb_build_object('state', case when held.created_at > clock_timestamp() - interval '15 minutes' then 'paid' else 'owned' end);
  end if;
  -- The bank may decide for the seller, and the buyer would have paid twice.
  if exists (
    select from private.course_purchases p join private.billing_charges b on b.payment_intent_id = p.payment_intent_id
    where p.user_id = member and p.course_id = offer.course_id and b.dispute = 'open' and not b.is_refunded
  ) then
    return jsonb_build_object('state', 'disputed');
  end if;
  if private.has_live_membership(member) or exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    return jsonb_build_object('state', 'included');
  end if;
  select a.* into held from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'purchase_id', held.id);
  end if;
  select a.* into joined from private.course_purchases a
  where a.id = joining and a.user_id = member and a.course_id = offer.course_id and a.state = 'needs_action'
    and a.amount_pence = expected_pence;
  if found then
    return jsonb_build_object('state', 'joined', 'payment_intent_id', joined.payment_intent_id);
  end if;
  -- Nobody pays a price that they did not see.
  if offer.price_pence is distinct from expected_pence then
    return jsonb_build_object('state', 'price_changed');
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.course_purchases a
      where a.user_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.course_purchases a set state = 'abandoned', checked_at = clock_timestamp() where a.id = held.id;
  insert into private.course_purchases as a (
    user_id, course_id, course_title, amount_pence, seller_id, share_basis_points, referral_basis_points
  )
  select member, offer.course_id, offer.title, offer.price_pence, private.ensure_affiliate(offer.mentor_id),
    t.share_basis_points, t.referral_basis_points
  from private.selling_terms t returning a.id into begun;
  return jsonb_build_object(
    'state', 'begun', 'purchase_id', begun, 'amount', offer.price_pence, 'title', offer.title,
    'leftovers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'purchase_id', a.id, 'payment_intent_id', a.payment_intent_id, 'is_same', a.course_id = offer.course_id
      )), '[]')
      from private.course_purchases a where a.user_id = member and a.state = 'abandoned'
    )
  );
end
$$;
revoke all on function private.billing_begin_course_purchase from public, anon, authenticated, service_role;
comment on function private.billing_begin_course_purchase(uuid, text, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';
grant execute on function private.billing_begin_course_purchase(uuid, text, integer, uuid) to service_role;
create function public.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid default null) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_course_purchase(member, slug, expected_pence, joining) $$;
revoke all on function public.billing_begin_course_purchase from public, anon, authenticated, service_role;
comment on function public.billing_begin_course_purchase(uuid, text, integer, uuid) is 'Server: open an attempt at buying a course.';
grant execute on function public.billing_begin_course_purchase(uuid, text, integer, uuid) to service_role;

create function private.billing_record_course_payment(purchase uuid, payment_intent text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  update private.course_purchases a
  set payment_intent_id = payment_intent, lease_until = clock_timestamp() + interval '60 seconds', checked_at = clock_timestamp()
  where a.id = purchase and a.state = 'working' and coalesce(a.payment_intent_id, payment_intent) = payment_intent
    -- Who became a member meanwhile, or is becoming one now, has the course with the membership.
    and not private.has_live_membership(a.user_id)
    and not exists (
      select from private.billing_attempts m
      where m.user_id = a.user_id and m.state = 'working' and m.lease_until > clock_timestamp()
    );
  return found;
end
$$;
revoke all on function private.billing_record_course_payment from public, anon, authenticated, service_role;
comment on function private.billing_record_course_payment(uuid, text) is 'True when the attempt still counts and may confirm this payment.';
grant execute on function private.billing_record_course_payment(uuid, text) to service_role;
create function public.billing_record_course_payment(purchase uuid, payment_intent text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_record_course_payment(purchase, payment_intent) $$;
revoke all on function public.billing_record_course_payment from public, anon, authenticated, service_role;
comment on function public.billing_record_course_payment(uuid, text) is 'Server: claim a payment for an attempt before confirming it.';
grant execute on function public.billing_record_course_payment(uuid, text) to service_role;

create function private.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.course_purchases a set state = outcome, checked_at = clock_timestamp()
  where a.id = purchase and outcome in ('unknown', 'needs_action', 'paid', 'failed') and a.state <> 'failed'
    and (a.state in ('working', 'unknown', 'needs_action') or outcome in ('paid', 'failed'))
$$;
revoke all on function private.billing_end_course_purchase from public, anon, authenticated, service_role;
comment on function private.billing_end_course_purchase(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';
grant execute on function private.billing_end_course_purchase(uuid, text) to service_role;
create function public.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_course_purchase(purchase, outcome) $$;
revoke all on function public.billing_end_course_purchase from public, anon, authenticated, service_role;
comment on function public.billing_end_course_purchase(uuid, text) is 'Server: close an attempt at buying a course.';
grant execute on function public.billing_end_course_purchase(uuid, text) to service_role;

create function private.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', a.id, 'payment_intent_id', a.payment_intent_id) order by a.created_at), '[]')
  from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action', 'abandoned')
$$;
revoke all on function private.billing_open_course_purchases from public, anon, authenticated, service_role;
comment on function private.billing_open_course_purchases(uuid) is 'Purchases of an account whose payment may still be made.';
grant execute on function private.billing_open_course_purchases(uuid) to service_role;
create function public.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_open_course_purchases(member) $$;
revoke all on function public.billing_open_course_purchases from public, anon, authenticated, service_role;
comment on function public.billing_open_course_purchases(uuid) is 'Server: purchases to finish before the account is deleted.';
grant execute on function public.billing_open_course_purchases(uuid) to service_role;

-- Unfinished ones after their time, and paid ones once a day for as long as a card payment can be disputed.
create function private.billing_take_course_purchases() returns jsonb
  language sql volatile security definer set search_path = '' as $$
  with due as (
    select a.id from private.course_purchases a
    where a.state = 'working' and a.lease_until < now()
      or a.state = 'abandoned' and a.checked_at < now() - interval '5 minutes'
      or a.state in ('unknown', 'needs_action') and a.checked_at < now() - interval '1 hour'
      or a.state = 'paid' and a.checked_at < now() - interval '1 day' and a.created_at > now() - interval '200 days'
    order by a.checked_at limit 100 for update skip locked
  ), taken as (
    update private.course_purchases a set checked_at = now() from due where a.id = due.id
    returning a.id, a.payment_intent_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', t.id, 'payment_intent_id', t.payment_intent_id)), '[]') from taken t
$$;
revoke all on function private.billing_take_course_purchases from public, anon, authenticated, service_role;
comment on function private.billing_take_course_purchases() is 'Purchases of courses to compare with the provider, the longest unchecked first.';
grant execute on function private.billing_take_course_purchases() to service_role;
create function public.billing_take_course_purchases() returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_take_course_purchases() $$;
revoke all on function public.billing_take_course_purchases from public, anon, authenticated, service_role;
comment on function public.billing_take_course_purchases() is 'Server: purchases of courses to compare with the provider.';
grant execute on function public.billing_take_course_purchases() to service_role;
