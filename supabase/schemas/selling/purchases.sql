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
  checked_at timestamptz not null default clock_timestamp(),
  -- Buyers read the version that they bought and move on by choice, as members do. What they complete counts wherever it was completed.
  course_version integer not null default 1
);
comment on table private.course_purchases is 'Attempts at buying a course; the id is also the idempotency key at the card provider.';
comment on column private.course_purchases.course_title is 'As it was when it was bought, for the receipt.';
comment on column private.course_purchases.seller_id is 'The mentor in the ledger; references affiliates while the account exists.';
comment on column private.course_purchases.share_basis_points is 'The mentor''s share, as the terms were.';
comment on column private.course_purchases.referral_basis_points is 'The share of the member whose link brought the buyer, likewise.';
comment on column private.course_purchases.state is 'As in billing_attempts. Whether the course may be read is in live_course_purchases.';
comment on column private.course_purchases.payment_intent_id is 'Recorded before any money moves; only a recorded payment is ever confirmed.';
comment on column private.course_purchases.lease_until is 'Until then a working attempt counts as running.';
comment on column private.course_purchases.checked_at is 'When it last changed or was compared with the provider.';
comment on column private.course_purchases.course_version is 'The version the buyer takes; older than the course''s own when a newer one has come out.';
create unique index course_purchases_one_open on private.course_purchases (user_id) where state in ('working', 'unknown', 'needs_action');
create index course_purchases_user_id_idx on private.course_purchases (user_id, created_at desc);
create index course_purchases_course_id_idx on private.course_purchases (course_id);
create index course_purchases_checked_at_idx on private.course_purchases (checked_at) where state <> 'failed';
alter table private.course_purchases enable row level security;

create view private.live_course_purchases with (security_invoker = true) as
select p.id, p.user_id, p.course_id
from private.course_purchases p join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
where not c.is_refunded and coalesce(c.dispute, 'won') = 'won';
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
comment on function private.note_payment_records(jsonb, text[]) is 'Keeps what a reading says of a payment, its refunds and disputes, each state once.';

-- @rpc service_role
-- Server: open an attempt at buying a course.
create function private.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid default null) returns jsonb
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
comment on function private.billing_begin_course_purchase(uuid, text, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';

-- @rpc service_role
-- Server: claim a payment for an attempt before confirming it.
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
comment on function private.billing_record_course_payment(uuid, text) is 'True when the attempt still counts and may confirm this payment.';

-- @rpc service_role
-- Server: close an attempt at buying a course.
create function private.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.course_purchases a set state = outcome, checked_at = clock_timestamp()
  where a.id = purchase and outcome in ('unknown', 'needs_action', 'paid', 'failed') and a.state <> 'failed'
    and (a.state in ('working', 'unknown', 'needs_action') or outcome in ('paid', 'failed'))
$$;
comment on function private.billing_end_course_purchase(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

-- @rpc service_role
-- Server: purchases to finish before the account is deleted.
create function private.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', a.id, 'payment_intent_id', a.payment_intent_id) order by a.created_at), '[]')
  from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action', 'abandoned')
$$;
comment on function private.billing_open_course_purchases(uuid) is 'Purchases of an account whose payment may still be made.';

-- Unfinished ones after their time, and paid ones once a day for as long as a card payment can be disputed.
-- @rpc service_role
-- Server: purchases of courses to compare with the provider.
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
comment on function private.billing_take_course_purchases() is 'Purchases of courses to compare with the provider, the longest unchecked first.';
