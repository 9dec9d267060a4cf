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
