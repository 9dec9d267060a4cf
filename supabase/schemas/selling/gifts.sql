-- Gift memberships: one account pays for some months of a plan and gets a code; another one redeems it and has access for these
-- months without a card. What it gives is a complimentary membership; how it is paid for is as with courses.
create table private.gift_memberships (
  id uuid primary key default gen_random_uuid(),
  request_id uuid not null,
  buyer_id uuid references auth.users (id) on delete set null,
  plan_id text not null references public.plans (id) on update cascade,
  months integer not null constraint gift_memberships_months_check check (months in (1, 3, 6, 12)),
  amount_pence integer not null constraint gift_memberships_amount_check check (amount_pence > 0),
  code text not null unique,
  state text not null default 'working' constraint gift_memberships_state_check
    check (state in ('working', 'unknown', 'needs_action', 'paid', 'failed', 'abandoned')),
  payment_intent_id text unique,
  lease_until timestamptz not null default clock_timestamp() + interval '60 seconds',
  created_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz not null default clock_timestamp(),
  paid_at timestamptz,
  closed_at timestamptz,
  redeemed_by uuid references auth.users (id) on delete set null,
  redeemed_at timestamptz,
  membership_id uuid references public.complimentary_memberships (id) on delete set null
);
comment on table private.gift_memberships is 'Attempts at buying a gift membership, and the gifts that were paid for; the id is also the idempotency key at the card provider.';
comment on column private.gift_memberships.request_id is 'Chosen by the browser for each gift, so that two clicks buy one.';
comment on column private.gift_memberships.buyer_id is 'Null once that account is deleted; the gift stays good.';
comment on column private.gift_memberships.code is
  'A hundred random bits. Not hashed: its buyer reads it again until it is used, and who could read this table could give access without it.';
comment on column private.gift_memberships.state is 'As in course_purchases. Whether the code is good is paid_at without closed_at and redeemed_at.';
comment on column private.gift_memberships.paid_at is 'When the payment was read as made.';
comment on column private.gift_memberships.closed_at is 'When it was refunded in full or disputed; null again when the bank decides for us.';
create unique index gift_memberships_one_open on private.gift_memberships (buyer_id) where state in ('working', 'unknown', 'needs_action');
create index gift_memberships_buyer_id_idx on private.gift_memberships (buyer_id, created_at desc);
create index gift_memberships_redeemed_by_idx on private.gift_memberships (redeemed_by);
create index gift_memberships_membership_id_idx on private.gift_memberships (membership_id);
create index gift_memberships_plan_id_idx on private.gift_memberships (plan_id);
create index gift_memberships_checked_at_idx on private.gift_memberships (checked_at) where state <> 'failed';
alter table private.gift_memberships enable row level security;

create function private.new_gift_code() returns text
  language sql volatile set search_path = '' as $$
  -- 32 signs, none of which looks like another; 256 is a multiple of 32, so that each is as likely.
  select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', get_byte(r.bytes, n) % 32 + 1, 1) || case when n in (4, 9, 14) then '-' else '' end, '' order by n)
  from (select extensions.gen_random_bytes(20) as bytes) r, generate_series(0, 19) n
$$;
comment on function private.new_gift_code() is 'Twenty random signs of five bits each, in groups of five.';

create function private.gift_name(gift private.gift_memberships) returns text
  language sql stable set search_path = '' as $$
  select format('Gift: %s, %s', p.name, case gift.months when 1 then '1 month' else gift.months || ' months' end)
  from public.plans p where p.id = gift.plan_id
$$;
comment on function private.gift_name(private.gift_memberships) is 'What was bought, for receipts: Gift: Student Access, 3 months.';

create function private.gift_offers() returns table (plan_id text, plan_name text, months integer, amount_pence integer)
  language sql stable set search_path = '' as $$
  select p.id, p.name, n.months, coalesce(o.amount_pence, p.amount_pence) * n.months
  from public.plans p
  join private.plan_prices o on o.plan_id = p.id and o."interval" = 'month' and o.retired_at is null
  cross join unnest(array[1, 3, 6, 12]) n (months)
  where p.is_active and lower(coalesce(o.currency, p.currency)) = 'gbp'
$$;
comment on function private.gift_offers() is 'What can be given: so many months of a plan, for as many times its monthly price in pence.';

-- @rpc authenticated
-- What can be given, and the gifts that the caller bought.
create function private.my_gifts() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.amount_pence / o.months, o.months), '[]') from private.gift_offers() o
    ),
    'gifts', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', g.id, 'name', private.gift_name(g), 'amount_pence', g.amount_pence, 'bought_at', coalesce(g.paid_at, g.created_at),
        'code', case when g.paid_at is not null and g.closed_at is null and g.redeemed_at is null then g.code end,
        'redeemed_at', g.redeemed_at,
        'state', case when g.closed_at is not null then 'closed' when g.redeemed_at is not null then 'used'
          when g.paid_at is not null then 'unused' else 'waiting' end
      ) order by g.created_at desc)
      from private.gift_memberships g
      where g.buyer_id = caller
        and (g.paid_at is not null or g.state in ('working', 'unknown', 'needs_action') and g.checked_at > now() - interval '1 hour')
    ), '[]')
  );
end
$$;
comment on function private.my_gifts() is 'Gifts on offer, and those the caller bought with their codes until they are used; never who used one.';

-- @rpc service_role
-- Server: open an attempt at buying a gift membership.
create function private.billing_begin_gift(
  member uuid, request uuid, plan text, months integer, expected_pence integer, joining uuid default null
) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  offer record;
  held private.gift_memberships;
  joined private.gift_memberships;
  begun private.gift_memberships;
begin
  perform private.lock_billing(member);
  if exists (
    select from private.gift_memberships g where g.buyer_id = member and g.request_id = request and (g.paid_at is not null or g.state = 'paid')
  ) then
    return jsonb_build_object('state', 'paid');
  end if;
  select o.* into offer from private.gift_offers() o where o.plan_id = plan and o.months = billing_begin_gift.months;
  if not found then
    return jsonb_build_object('state', 'not_on_sale');
  end if;
  select a.* into held from private.gift_memberships a
  where a.buyer_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'purchase_id', held.id);
  end if;
  select a.* into joined from private.gift_memberships a
  where a.id = joining and a.buyer_id = member and a.request_id = request and a.state = 'needs_action';
  if found then
    return jsonb_build_object('state', 'joined', 'payment_intent_id', joined.payment_intent_id);
  end if;
  -- Nobody pays a price that they did not see.
  if offer.amount_pence is distinct from expected_pence then
    return jsonb_build_object('state', 'price_changed');
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.gift_memberships a
      where a.buyer_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.gift_memberships a set state = 'abandoned', checked_at = clock_timestamp() where a.id = held.id;
  insert into private.gift_memberships as a (request_id, buyer_id, plan_id, months, amount_pence, code)
  values (request, member, plan, billing_begin_gift.months, offer.amount_pence, private.new_gift_code()) returning a.* into begun;
  return jsonb_build_object(
    'state', 'begun', 'purchase_id', begun.id, 'amount', begun.amount_pence, 'title', private.gift_name(begun),
    'leftovers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'purchase_id', a.id, 'payment_intent_id', a.payment_intent_id, 'is_same', a.request_id = request
      )), '[]')
      from private.gift_memberships a where a.buyer_id = member and a.state = 'abandoned'
    )
  );
end
$$;
comment on function private.billing_begin_gift(uuid, uuid, text, integer, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';

-- @rpc service_role
-- Server: claim a payment for an attempt at a gift before confirming it.
create function private.billing_record_gift_payment(purchase uuid, payment_intent text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  update private.gift_memberships a
  set payment_intent_id = payment_intent, lease_until = clock_timestamp() + interval '60 seconds', checked_at = clock_timestamp()
  where a.id = purchase and a.state = 'working' and coalesce(a.payment_intent_id, payment_intent) = payment_intent;
  return found;
end
$$;
comment on function private.billing_record_gift_payment(uuid, text) is 'True when the attempt still counts and may confirm this payment.';

-- @rpc service_role
-- Server: close an attempt at buying a gift.
create function private.billing_end_gift(purchase uuid, outcome text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.gift_memberships a set state = outcome, checked_at = clock_timestamp()
  where a.id = purchase and outcome in ('unknown', 'needs_action', 'paid', 'failed') and a.state <> 'failed'
    and (a.state in ('working', 'unknown', 'needs_action') or outcome in ('paid', 'failed'))
$$;
comment on function private.billing_end_gift(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

-- @rpc service_role
-- Server: gifts whose payment is to be finished before the account is deleted.
create function private.billing_open_gifts(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', a.id, 'payment_intent_id', a.payment_intent_id) order by a.created_at), '[]')
  from private.gift_memberships a
  where a.buyer_id = member and a.state in ('working', 'unknown', 'needs_action', 'abandoned')
$$;
comment on function private.billing_open_gifts(uuid) is 'Gifts of an account whose payment may still be made.';

-- Unfinished ones after their time, and paid ones once a day for as long as a card payment can be disputed.
-- @rpc service_role
-- Server: gifts to compare with the provider.
create function private.billing_take_gifts() returns jsonb
  language sql volatile security definer set search_path = '' as $$
  with due as (
    select a.id from private.gift_memberships a
    where a.state = 'working' and a.lease_until < now()
      or a.state = 'abandoned' and a.checked_at < now() - interval '5 minutes'
      or a.state in ('unknown', 'needs_action') and a.checked_at < now() - interval '1 hour'
      or a.state = 'paid' and a.checked_at < now() - interval '1 day' and a.created_at > now() - interval '200 days'
    order by a.checked_at limit 100 for update skip locked
  ), taken as (
    update private.gift_memberships a set checked_at = now() from due where a.id = due.id
    returning a.id, a.payment_intent_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', t.id, 'payment_intent_id', t.payment_intent_id)), '[]') from taken t
$$;
comment on function private.billing_take_gifts() is 'Gifts to compare with the provider, the longest unchecked first.';

-- A gift that is refunded or disputed gives nothing: its code, or the membership that it gave.
create function private.settle_gift(snapshot jsonb) returns void
  language plpgsql set search_path = '' as $$
declare
  is_closed constant boolean := (snapshot ->> 'is_refunded')::boolean or coalesce(snapshot ->> 'dispute', 'won') <> 'won';
  gift private.gift_memberships;
begin
  select g.* into gift from private.gift_memberships g where g.payment_intent_id = snapshot ->> 'payment_intent_id' for update;
  if not found or gift.paid_at is not null and is_closed = (gift.closed_at is not null) then
    return;
  end if;
  update private.gift_memberships g
  set paid_at = coalesce(g.paid_at, now()), closed_at = case when is_closed then now() end, state = 'paid'
  where g.id = gift.id;
  if gift.paid_at is null then
    perform private.audit(gift.buyer_id, 'gift.bought', gift.buyer_id, jsonb_build_object(
      'id', gift.id, 'plan', gift.plan_id, 'months', gift.months, 'amount_pence', gift.amount_pence
    ));
  end if;
  if is_closed then
    perform private.audit(null, 'gift.closed', coalesce(gift.redeemed_by, gift.buyer_id), jsonb_build_object('id', gift.id));
    update public.complimentary_memberships m set ended_at = now()
    where m.id = gift.membership_id and m.ended_at is null and m.ends_at > now();
  elsif gift.closed_at is not null then
    update public.complimentary_memberships m set ended_at = null
    where m.id = gift.membership_id and m.ended_at = gift.closed_at and m.ends_at > now() and not exists (
      select from public.complimentary_memberships o where o.user_id = m.user_id and o.ended_at is null
    );
  end if;
  if gift.redeemed_by is not null then
    perform private.set_role_from_plan(gift.redeemed_by, private.plan_role(gift.redeemed_by));
  end if;
end
$$;
comment on function private.settle_gift(jsonb) is 'Follows a reading of the payment of a gift: paid, closed by a refund or dispute, or good again. Audited.';

-- Answers instead of raising, so that a code that was tried counts: what raises is undone with its count.
-- @rpc authenticated
-- Redeem a gift code: redeemed with its end, or unknown, used, closed, member or admin.
create function private.redeem_gift(code text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  -- Twenty signs; whatever stands between them.
  signs constant text := regexp_replace(upper(left(coalesce(code, ''), 100)), '[^A-Z0-9]', '', 'g');
  gift private.gift_memberships;
  granted public.complimentary_memberships;
begin
  perform private.enforce_rate_limit(caller, 'redeem_gift');
  perform private.lock_billing(caller);
  select g.* into gift from private.gift_memberships g
  where g.code = concat_ws('-', substr(signs, 1, 5), substr(signs, 6, 5), substr(signs, 11, 5), substr(signs, 16)) and g.paid_at is not null
  for update;
  if not found then
    return jsonb_build_object('state', 'unknown');
  end if;
  if gift.closed_at is not null then
    return jsonb_build_object('state', 'closed');
  end if;
  if gift.redeemed_at is not null then
    return jsonb_build_object('state', 'used');
  end if;
  if exists (select from public.profiles p where p.id = caller and p.role = 'admin') then
    return jsonb_build_object('state', 'admin');
  end if;
  -- Beside a membership the months would go by unused. The code does not expire.
  if private.has_live_membership(caller)
    or (private.current_subscription(caller)).status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
    -- One that is being paid for at this moment.
    or exists (
      select from private.billing_attempts a where a.user_id = caller and a.state in ('working', 'unknown') and a.lease_until > clock_timestamp()
    ) then
    return jsonb_build_object('state', 'member');
  end if;
  update public.complimentary_memberships m set ended_at = m.ends_at
  where m.user_id = caller and m.ended_at is null and m.ends_at <= now();
  insert into public.complimentary_memberships as m (user_id, plan_id, reason, ends_at)
  values (caller, gift.plan_id, private.gift_name(gift), ((now() at time zone 'utc') + make_interval(months => gift.months)) at time zone 'utc')
  returning m.* into granted;
  update private.gift_memberships g set redeemed_by = caller, redeemed_at = now(), membership_id = granted.id where g.id = gift.id;
  perform private.set_role_from_plan(caller, private.plan_role(caller));
  perform private.audit(caller, 'gift.redeemed', caller, jsonb_build_object(
    'id', gift.id, 'plan', gift.plan_id, 'months', gift.months, 'ends_at', granted.ends_at
  ));
  return jsonb_build_object('state', 'redeemed', 'plan', (select p.name from public.plans p where p.id = gift.plan_id), 'ends_at', granted.ends_at);
end
$$;
comment on function private.redeem_gift(text) is 'Gives the caller the months of a gift, once; says why not otherwise. FF300 after too many tries. Audited.';

-- @rpc service_role
-- Server: queue e-mails about gift memberships that end soon.
create function private.queue_gift_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'gift_ending', 'gift_ending:' || due.id, jsonb_build_object('plan', due.name, 'ends_at', due.ends_at)
  )) into queued
  from (
    select m.user_id, m.id, p.name, m.ends_at
    from private.gift_memberships g
    join public.complimentary_memberships m on m.id = g.membership_id
    join public.plans p on p.id = m.plan_id
    where m.ended_at is null and m.ends_at > now() and m.ends_at - now() <= interval '8 days'
  ) due;
  return queued;
end
$$;
comment on function private.queue_gift_reminders() is 'Queues an e-mail about each gift membership that ends within eight days, once for each; their number.';

create function private.export_part_gifts(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'gifts_bought', coalesce((
      select jsonb_agg(to_jsonb(g) - '{lease_until,redeemed_by,membership_id,code}'::text[] order by g.created_at)
      from private.gift_memberships g where g.buyer_id = member
    ), '[]'),
    'gifts_redeemed', coalesce((
      select jsonb_agg(jsonb_build_object('id', g.id, 'plan_id', g.plan_id, 'months', g.months, 'redeemed_at', g.redeemed_at) order by g.redeemed_at)
      from private.gift_memberships g where g.redeemed_by = member
    ), '[]')
  )
$$;
comment on function private.export_part_gifts(uuid) is 'Gift memberships that one account bought and redeemed.';
