-- Part 2 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- achievements/reading.sql

-- @rpc authenticated
-- Sets what the caller may be asked about (up to eight topics), whether the directory lists them and what their profile shows.
create function private.set_profile_choices(
    topics text[], is_listed boolean, shows_submissions boolean, shows_achievements boolean default null
  ) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  tidied text[] := private.require_topics(topics);
begin
  perform private.enforce_rate_limit(caller, 'profile_choices');
  insert into public.profile_choices as c (user_id, topics, is_listed, shows_submissions, shows_achievements)
  values (
    caller, tidied, coalesce(set_profile_choices.is_listed, true), coalesce(set_profile_choices.shows_submissions, true),
    coalesce(set_profile_choices.shows_achievements, true)
  )
  on conflict (user_id) do update set
    topics = excluded.topics, is_listed = excluded.is_listed, shows_submissions = excluded.shows_submissions,
    shows_achievements = coalesce(set_profile_choices.shows_achievements, c.shows_achievements), updated_at = now();
end
$$;
comment on function private.set_profile_choices(text[], boolean, boolean, boolean) is
  'Stores what the caller may be asked about and what their profile shows.';

create function private.earned_achievements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'key', k.key, 'measure', k.measure, 'title', k.title, 'line', k.line, 'earned_on', (a.earned_at at time zone 'utc')::date
  ) order by k.position), '[]')
  from private.achievements a join private.achievement_kinds k using (key) where a.user_id = member
$$;
comment on function private.earned_achievements(uuid) is 'The achievements of an account, in the order of the kinds.';

-- @rpc authenticated
-- The caller's achievements, the next of each measure, the streak of weeks, certificates, and what of it is shared.
create function private.my_achievements() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  this_week constant date := private.week_of(now());
begin
  return jsonb_build_object(
    'earned', private.earned_achievements(caller),
    'next', coalesce((
      select jsonb_agg(jsonb_build_object(
        'key', n.key, 'measure', n.measure, 'title', n.title, 'needed', n.needed,
        'count', private.achievement_count(caller, n.measure)
      ) order by n.position)
      from (
        select distinct on (k.measure) k.* from private.achievement_kinds k
        where not exists (select from private.achievements a where a.user_id = caller and a.key = k.key)
        order by k.measure, k.needed
      ) n
    ), '[]'),
    'streak', jsonb_build_object(
      'weeks', private.week_streak(caller, this_week),
      'is_active_this_week', exists (select from private.active_weeks w where w.user_id = caller and w.week = this_week)
    ),
    'is_shown', coalesce((select c.shows_achievements from public.profile_choices c where c.user_id = caller), true),
    'certificates', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'course_id', c.course_id, 'course', c.course_title, 'is_revoked', c.revoked_at is not null,
        'completed_on', (c.completed_at at time zone 'utc')::date
      ) order by c.completed_at desc, c.id)
      from private.certificates c where c.user_id = caller
    ), '[]'),
    'shared', coalesce((
      select jsonb_agg(jsonb_build_object('code', s.code, 'achievement', s.achievement, 'certificate_id', s.certificate_id))
      from private.shared_cards s where s.user_id = caller
    ), '[]')
  );
end
$$;
comment on function private.my_achievements() is 'Everything on the caller''s page of achievements.';

-- Courses of members by the mentor's name: the mentor reads that the name stands there, not where.
create function private.export_part_achievements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'achievements', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.earned_at, a.key) from private.achievements a where a.user_id = member
    ), '[]'),
    'active_weeks', coalesce((
      select jsonb_agg(to_jsonb(w) order by w.week) from private.active_weeks w where w.user_id = member
    ), '[]'),
    'certificates', coalesce((
      select jsonb_agg(to_jsonb(c) - 'revoked_by' - 'mentor_id' order by c.completed_at, c.id)
      from private.certificates c where c.user_id = member
    ), '[]'),
    'certificates_signed', coalesce((
      select jsonb_agg(jsonb_build_object('course_title', c.course_title, 'mentor_name', c.mentor_name) order by c.completed_at, c.id)
      from private.certificates c where c.mentor_id = member and c.user_id <> member
    ), '[]'),
    'shared_cards', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.shared_at, s.code) from private.shared_cards s where s.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_achievements(uuid) is 'Achievements, weeks, certificates and shared cards of one account.';

-- achievements/shared-cards.sql

-- @rpc authenticated (achievement, certificate_id)
-- Shares one achievement or certificate of the caller as a public card and returns the code of its address.
create function private.share_card(achievement text default null, certificate uuid default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  shown_name text := private.display_name(caller);
  shared text;
begin
  perform private.enforce_rate_limit(caller, 'share_card');
  if certificate is not null then
    select c.member_name into shown_name from private.certificates c
    where c.id = certificate and c.user_id = caller and c.revoked_at is null for key share;
  else
    perform from private.achievements a where a.user_id = caller and a.key = share_card.achievement;
  end if;
  if not found or num_nonnulls(achievement, certificate) <> 1 then
    perform private.fail('FF860', 'There is nothing of yours to share here.');
  end if;
  insert into private.shared_cards (user_id, achievement, certificate_id, member_name)
  values (caller, share_card.achievement, certificate, coalesce(shown_name, 'A member'))
  on conflict do nothing returning code into shared;
  return coalesce(shared, (
    select s.code from private.shared_cards s
    where s.user_id = caller and (s.achievement = share_card.achievement or s.certificate_id = certificate)
  ));
end
$$;
comment on function private.share_card(text, uuid) is
  'Makes a card of one achievement or certificate of the caller public and returns its code, the same one each time; FF860 or FF300.';

-- @rpc authenticated
-- Takes back a card that the caller has shared.
create function private.stop_sharing(code text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  delete from private.shared_cards s where s.user_id = caller and s.code = stop_sharing.code;
end
$$;
comment on function private.stop_sharing(text) is 'Takes back a card of the caller. Repeating it does nothing.';

-- The words of a card and nothing else. A revoked certificate and a suspended account have none.
-- @rpc service_role
-- Server: the words of the shared card with this code.
create function private.shared_card(code text, visitor text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_visitor_limit(visitor, 'public_code');
  return (
    select jsonb_build_object(
      'name', s.member_name, 'title', coalesce(k.title, c.course_title), 'line', coalesce(k.line, 'Finished the course.'),
      'day', (coalesce(a.earned_at, c.completed_at) at time zone 'utc')::date
    )
    from private.shared_cards s
    join auth.users u on u.id = s.user_id and (u.banned_until is null or u.banned_until <= now())
    left join private.achievement_kinds k on k.key = s.achievement
    left join private.achievements a on a.user_id = s.user_id and a.key = s.achievement
    left join private.certificates c on c.id = s.certificate_id
    where s.code = private.tidy_public_code(shared_card.code) and c.revoked_at is null
  );
end
$$;
comment on function private.shared_card(text, text) is 'The words of a shared card, for everybody who knows its code; null for an unknown code, FF300 above thirty a minute.';

-- affiliates/affiliates.sql

-- Affiliates: who brought whom, and an append-only double-entry ledger of what that earns. docs/subsystems/affiliates.md.
create table private.affiliate_terms (
  id boolean primary key default true constraint affiliate_terms_id_check check (id),
  rate_basis_points integer not null constraint affiliate_terms_rate_check check (rate_basis_points between 0 and 5000),
  commission_months integer not null constraint affiliate_terms_months_check check (commission_months between 1 and 60),
  attribution_days integer not null constraint affiliate_terms_attribution_check check (attribution_days between 1 and 365),
  pending_days integer not null constraint affiliate_terms_pending_check check (pending_days between 0 and 180),
  least_payout_pence integer not null constraint affiliate_terms_payout_check check (least_payout_pence > 0)
);
comment on table private.affiliate_terms is 'What a referral earns. The owner may change it; payments that earned before keep their rate.';
comment on column private.affiliate_terms.id is 'Always true, so that there is one row.';
comment on column private.affiliate_terms.rate_basis_points is 'Commission in hundredths of a per cent of what was paid.';
comment on column private.affiliate_terms.commission_months is 'For how long after the sign-up payments earn.';
comment on column private.affiliate_terms.attribution_days is 'How long a first visit counts.';
comment on column private.affiliate_terms.pending_days is 'From a payment until its commission can be paid out.';
alter table private.affiliate_terms enable row level security;

create table private.affiliates (
  affiliate_id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references auth.users (id) on delete cascade,
  code text not null unique constraint affiliates_code_check check (code ~ '^[a-z2-9]{8}$'),
  created_at timestamptz not null default now()
);
comment on table private.affiliates is 'Members who have opened their affiliate page, with the code of their link.';
comment on column private.affiliates.affiliate_id is 'Stands for the member in the ledger, which outlives the account and names no person.';
alter table private.affiliates enable row level security;

create table private.affiliate_visits (
  visit_hash bytea primary key constraint affiliate_visits_hash_check check (octet_length(visit_hash) = 32),
  affiliate_id uuid not null references private.affiliates (affiliate_id) on delete cascade,
  first_at timestamptz not null default now(),
  used_at timestamptz
);
comment on table private.affiliate_visits is 'Visitors who came by a link and agreed that this is remembered. Nothing about the person or the device.';
comment on column private.affiliate_visits.visit_hash is 'SHA-256 of the random id that the visitor''s browser keeps.';
comment on column private.affiliate_visits.used_at is 'When an account was made by it; one visit brings one account.';
create index affiliate_visits_affiliate_id_idx on private.affiliate_visits (affiliate_id, first_at);
alter table private.affiliate_visits enable row level security;

create table private.referrals (
  user_id uuid primary key references auth.users (id) on delete cascade,
  affiliate_id uuid not null references private.affiliates (affiliate_id) on delete cascade,
  referred_at timestamptz not null default now()
);
comment on table private.referrals is 'Accounts that were brought by a link. Their payments earn for commission_months from referred_at on.';
create index referrals_affiliate_id_idx on private.referrals (affiliate_id);
alter table private.referrals enable row level security;

create table private.commissions (
  charge_id text not null,
  affiliate_id uuid not null,
  invoice_id text,
  rate_basis_points integer not null,
  paid_at timestamptz not null,
  payable_at timestamptz not null,
  released_at timestamptz,
  is_void boolean not null default false,
  kind text not null default 'membership',
  course_id uuid,
  constraint commissions_kind_check
    check (kind in ('membership', 'course_sale', 'course_referral')),
  constraint commissions_pkey primary key (charge_id, affiliate_id)
);
comment on table private.commissions is 'Payments that earn. How much is in the ledger; the row outlives both accounts and names no person.';
comment on column private.commissions.affiliate_id is 'References affiliates while the account exists.';
comment on column private.commissions.released_at is 'When it moved from pending to payable.';
comment on column private.commissions.is_void is 'The affiliate deleted the account before it was payable.';
comment on column private.commissions.kind is 'membership: a referred member paid; course_sale: one''s own course; course_referral: a course that one''s link sold.';
comment on column private.commissions.course_id is 'The course that was sold; null for memberships. References courses while it is there: the books outlive it.';
comment on column private.commissions.invoice_id is 'Null for a course, which is paid without an invoice.';
create index commissions_affiliate_id_idx on private.commissions (affiliate_id, paid_at desc);
create index commissions_due_idx on private.commissions (payable_at) where released_at is null;
create index commissions_course_id_idx on private.commissions (course_id);
alter table private.commissions enable row level security;

create table private.affiliate_payouts (
  id bigint generated always as identity primary key,
  affiliate_id uuid not null,
  amount_pence bigint not null constraint affiliate_payouts_amount_check check (amount_pence > 0),
  reference text not null constraint affiliate_payouts_reference_check check (char_length(reference) between 1 and 140),
  paid_at timestamptz not null default now()
);
comment on table private.affiliate_payouts is 'Bank transfers to affiliates, marked by an administrator. Who marked them is in the audit log.';
comment on column private.affiliate_payouts.reference is 'Reference of the transfer at the bank.';
create index affiliate_payouts_affiliate_id_idx on private.affiliate_payouts (affiliate_id, paid_at desc);
alter table private.affiliate_payouts enable row level security;

create table private.ledger_transactions (
  id bigint generated always as identity primary key,
  kind text not null constraint ledger_transactions_kind_check check (kind in ('commission', 'release', 'payout', 'forfeit')),
  affiliate_id uuid not null,
  charge_id text,
  payout_id bigint unique references private.affiliate_payouts (id),
  recorded_at timestamptz not null default now(),
  constraint ledger_transactions_commission_fkey
    foreign key (charge_id, affiliate_id) references private.commissions (charge_id, affiliate_id)
);
comment on table private.ledger_transactions is
  'commission: earned, or taken back when an entry is negative; release: pending became payable; payout; forfeit: the account was deleted.';
create index ledger_transactions_affiliate_id_idx on private.ledger_transactions (affiliate_id, recorded_at);
create index ledger_transactions_commission_idx on private.ledger_transactions (charge_id, affiliate_id);
alter table private.ledger_transactions enable row level security;

create table private.ledger_entries (
  transaction_id bigint not null references private.ledger_transactions (id),
  account text not null constraint ledger_entries_account_check check (account in ('house', 'pending', 'payable', 'paid')),
  amount_pence bigint not null constraint ledger_entries_amount_check check (amount_pence <> 0),
  primary key (transaction_id, account)
);
comment on table private.ledger_entries is 'The two sides of each transaction; they sum to zero.';
comment on column private.ledger_entries.account is 'house is what the business owes, the others are the affiliate''s.';
alter table private.ledger_entries enable row level security;

create function private.tg_ledger_transactions__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'the ledger is only ever added to';
end
$$;

create trigger ledger_transactions__append_only before update or delete or truncate on private.ledger_transactions
  for each statement execute function private.tg_ledger_transactions__append_only();

create function private.tg_ledger_entries__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'the ledger is only ever added to';
end
$$;

create trigger ledger_entries__append_only before update or delete or truncate on private.ledger_entries
  for each statement execute function private.tg_ledger_entries__append_only();

create function private.tg_affiliate_payouts__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'the ledger is only ever added to';
end
$$;

create trigger affiliate_payouts__append_only before update or delete or truncate on private.affiliate_payouts
  for each statement execute function private.tg_affiliate_payouts__append_only();

create function private.tg_ledger_entries__balance() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if (select sum(e.amount_pence) from private.ledger_entries e where e.transaction_id = new.transaction_id) <> 0 then
    raise exception 'transaction % of the ledger does not sum to zero', new.transaction_id;
  end if;
  return null;
end
$$;

create constraint trigger ledger_entries__balance after insert on private.ledger_entries
  deferrable initially deferred for each row execute function private.tg_ledger_entries__balance();

-- The only way into the ledger.
create function private.post_ledger_transaction(
  kind text, affiliate uuid, charge text, payout bigint, from_account text, to_account text, amount_pence bigint
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  booked bigint;
begin
  if amount_pence = 0 then
    return;
  end if;
  insert into private.ledger_transactions as t (kind, affiliate_id, charge_id, payout_id)
  values (post_ledger_transaction.kind, affiliate, charge, payout) returning t.id into booked;
  insert into private.ledger_entries (transaction_id, account, amount_pence)
  values (booked, from_account, -post_ledger_transaction.amount_pence), (booked, to_account, post_ledger_transaction.amount_pence);
end
$$;
comment on function private.post_ledger_transaction(text, uuid, text, bigint, text, text, bigint) is
  'Moves an amount, negative for the way back, between two accounts of one affiliate; nothing when it is zero.';

create view private.affiliate_balances with (security_invoker = true) as
select t.affiliate_id,
  coalesce(sum(e.amount_pence) filter (where e.account = 'pending'), 0)::bigint as pending_pence,
  coalesce(sum(e.amount_pence) filter (where e.account = 'payable'), 0)::bigint as payable_pence,
  coalesce(sum(e.amount_pence) filter (where e.account = 'paid'), 0)::bigint as paid_pence
from private.ledger_transactions t join private.ledger_entries e on e.transaction_id = t.id
group by t.affiliate_id;
comment on view private.affiliate_balances is 'What each affiliate has; payable is negative while more was paid out than is owed.';

create or replace view private.commission_amounts with (security_invoker = true) as
select t.charge_id,
  coalesce(sum(e.amount_pence) filter (where e.account = 'pending'), 0)::bigint as pending_pence,
  coalesce(sum(e.amount_pence) filter (where e.account in ('pending', 'payable')), 0)::bigint as amount_pence,
  t.affiliate_id
from private.ledger_transactions t join private.ledger_entries e on e.transaction_id = t.id
where t.charge_id is not null group by t.charge_id, t.affiliate_id;
comment on view private.commission_amounts is 'What each payment earns each affiliate now, and how much of that is pending.';

-- affiliates/commissions.sql

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

-- A first reading writes the payment first, and then that it succeeded.
create function private.tg_payment_records__settle_commission() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_card(new.charge_id);
  return null;
end
$$;

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

-- affiliates/pages.sql

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

-- affiliates/payouts.sql

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

-- affiliates/referrals.sql

-- How an account comes to be referred: a visit by a link, remembered with consent, and an account made afterwards.

-- Letters and digits that nobody mistakes for each other.
create function private.new_affiliate_code() returns text
  language sql volatile set search_path = '' as $$
  select string_agg(substr('abcdefghjkmnpqrstuvwxyz23456789', 1 + (get_byte(b.bytes, i) % 31), 1), '')
  from (select extensions.gen_random_bytes(8) as bytes) b, generate_series(0, 7) i
$$;
comment on function private.new_affiliate_code() is 'A random code of eight characters.';

create function private.hash_visit(visit uuid) returns bytea
  language sql immutable set search_path = '' as $$ select sha256(convert_to(visit::text, 'utf8')) $$;
comment on function private.hash_visit(uuid) is 'What is stored of a visit''s id.';

-- @rpc service_role
-- Server: remember a visit by an affiliate link.
create function private.record_affiliate_visit(code text, known uuid, visitor text) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  visit constant uuid := gen_random_uuid();
  days constant integer := (select t.attribution_days from private.affiliate_terms t);
begin
  -- The first visit counts, until it is too old or has brought an account.
  if exists (
    select from private.affiliate_visits v where v.visit_hash = private.hash_visit(known)
      and v.used_at is null and v.first_at > now() - make_interval(days => days)
  ) then
    return known;
  end if;
  -- Else one visitor could use up all visits that count for a member's link today.
  perform private.enforce_visitor_limit(visitor, 'affiliate_visit');
  insert into private.affiliate_visits (visit_hash, affiliate_id)
  select private.hash_visit(visit), a.affiliate_id from private.affiliates a
  where a.code = lower(btrim(record_affiliate_visit.code)) and private.effective_level(a.user_id) >= 1
    -- Nobody can fill the table: a thousand a day is more than a link brings.
    and (
      select count(*) from private.affiliate_visits v
      where v.affiliate_id = a.affiliate_id and v.first_at > now() - interval '1 day'
    ) < 1000;
  return case when found then visit end;
end
$$;
comment on function private.record_affiliate_visit(text, uuid, text) is
  'Remembers a visit by a member''s link and returns its id; null for an unknown code, one whose owner is no member now, or a thousand visits a day. FF300 above thirty an hour from one visitor.';

-- Two addresses of one mailbox are one person.
create function private.mailbox_of(address text) returns text
  language sql immutable set search_path = '' as $$
  select case when p.host in ('gmail.com', 'googlemail.com') then replace(p.box, '.', '') || '@gmail.com' else p.box || '@' || p.host end
  from (
    select split_part(split_part(lower(address), '@', 1), '+', 1) as box, split_part(lower(address), '@', 2) as host
  ) p
$$;
comment on function private.mailbox_of(text) is 'The address without tag and, where the host ignores them, without dots.';

-- Says nothing about why not: whoever tries gets no hints.
-- @rpc authenticated
-- A new account says by which visit it was brought; true when it counts.
create function private.claim_referral(visit uuid) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  days constant integer := (select t.attribution_days from private.affiliate_terms t);
  affiliate private.affiliates;
  address text;
begin
  perform private.enforce_rate_limit(caller, 'claim_referral');
  select u.email into address from auth.users u where u.id = caller for update;
  select a.* into affiliate
  from private.affiliate_visits v
  join private.affiliates a on a.affiliate_id = v.affiliate_id
  join auth.users u on u.id = caller
  where v.visit_hash = private.hash_visit(visit) and v.used_at is null and v.first_at > now() - make_interval(days => days)
    -- An account that was there before was not brought by the visit.
    and u.created_at >= v.first_at
  for update of v;
  if not found
    or affiliate.user_id = caller
    or exists (
      select from auth.users u where u.id = affiliate.user_id and private.mailbox_of(u.email) = private.mailbox_of(address)
    )
    or exists (select from private.referrals r where r.user_id = caller)
    -- Whoever has paid already is a member, whom nobody brings.
    or exists (
      select from public.stripe_customers k join private.payment_records p on p.customer_id = k.customer_id
      where k.user_id = caller
    )
    -- No rings: the affiliate was not brought by the caller, over however many others.
    or exists (
      with recursive above as (
        select r.affiliate_id from private.referrals r where r.user_id = affiliate.user_id
        union
        select r.affiliate_id from above b
        join private.affiliates a on a.affiliate_id = b.affiliate_id
        join private.referrals r on r.user_id = a.user_id
      )
      select from above b join private.affiliates a on a.affiliate_id = b.affiliate_id where a.user_id = caller
    ) then
    return false;
  end if;
  update private.affiliate_visits v set used_at = now() where v.visit_hash = private.hash_visit(visit);
  insert into private.referrals (user_id, affiliate_id) values (caller, affiliate.affiliate_id);
  return true;
end
$$;
comment on function private.claim_referral(uuid) is
  'Makes the caller''s new account one that was brought by the visit; false when the visit or the account does not allow it.';

-- billing/charges.sql

-- Refunds and disputes of payments. docs/subsystems/billing.md explains which of them end or suspend a membership;
-- billing_sync has the rows that decide it.

-- Every payment, refund and dispute with each of its states, for the accounts of the business.
create table private.payment_records (
  id bigint generated always as identity primary key,
  recorded_at timestamptz not null default now(),
  kind text not null constraint payment_records_kind_check check (kind in ('payment', 'refund', 'dispute')),
  provider_id text not null,
  status text not null,
  charge_id text not null,
  customer_id text not null,
  subscription_id text,
  amount bigint not null,
  currency text not null,
  reason text,
  happened_at timestamptz not null,
  respond_by timestamptz,
  constraint payment_records_once unique (provider_id, status)
);
comment on table private.payment_records is 'Payments, refunds and disputes in the order in which they became known; rows are only ever added.';
comment on column private.payment_records.provider_id is 'Id of the payment, refund or dispute at the card provider.';
comment on column private.payment_records.customer_id is
  'References the account through stripe_customers while it exists. The record outlives the account and names no person.';
comment on column private.payment_records.amount is 'In the smallest unit of the currency.';
comment on column private.payment_records.respond_by is 'Until when the bank of a dispute takes evidence; null where it takes none.';
create index payment_records_customer_id_idx on private.payment_records (customer_id, id);
create index payment_records_time_idx on private.payment_records (kind, happened_at desc, provider_id desc);
create index payment_records_charge_id_idx on private.payment_records (charge_id);
alter table private.payment_records enable row level security;

create function private.tg_payment_records__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'payment records are only ever added';
end
$$;

create trigger payment_records__append_only before update or delete on private.payment_records
  for each row execute function private.tg_payment_records__append_only();

reset check_function_bodies;
