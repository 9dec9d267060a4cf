-- Part 22 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- verification/documents.sql

-- @rpc service_role
-- Server: these identity documents were deleted.
create function private.record_deleted_documents(documents text[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(
    null, 'verification.document_deleted', v.user_id,
    jsonb_strip_nulls(jsonb_build_object('verification_id', v.id, 'document', d.name))
  )
  from unnest(documents) as d (name)
  left join public.user_verifications v on v.document_url = d.name;
end
$$;
comment on function private.record_deleted_documents(text[]) is 'Adds an entry to the audit log for each document that was removed.';

-- Every look of an administrator at a member's document is recorded. The storage shows administrators nothing: the edge
-- function open-verification-document calls this with the administrator's token and hands out the bytes itself, so there
-- is no way to them around the record, and no link that could be kept or passed on.
-- @rpc authenticated
-- Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.
create function private.open_verification_document(verification_id uuid) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  reader uuid := private.require_verified_admin();
  opened public.user_verifications;
  version text;
begin
  select v.* into opened from public.user_verifications v where v.id = open_verification_document.verification_id;
  if not found then
    perform private.fail('FF127', 'There is no such document.');
  end if;
  select s.version into version from storage.objects s
  where s.bucket_id = 'verification-documents' and s.name = opened.document_url;
  insert into private.document_openings as o (admin_id, verification_id, version, opened_at)
  values (reader, opened.id, version, clock_timestamp())
  on conflict on constraint document_openings_pkey do update set version = excluded.version, opened_at = excluded.opened_at;
  perform private.audit(
    reader, 'verification.document_opened', opened.user_id,
    jsonb_build_object('verification_id', opened.id, 'status', opened.status)
  );
  return opened.document_url;
end
$$;
comment on function private.open_verification_document(uuid) is
  'Records that the calling administrator opens the document. Returns the name of its file.';

-- verification/flagged.sql

-- Accounts that wait for an administrator. After five rejected documents one decides whether the member may try again;
-- the rejected documents stay on record, a reset only takes them out of the count and out of what the member reads.
-- An account with several subscriptions is put right at the card provider, and its flag is resolved here.
-- @rpc authenticated
-- Administrators: accounts that wait for a decision, and those kept closed, oldest first.
create function private.flagged_accounts()
  returns table (
    user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamptz, closed_at timestamptz,
    rejections integer, last_reason text, subscriptions jsonb
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_verified_admin();
  return query
    select f.user_id, u.email::text, p.first_name, p.last_name, f.reason, f.created_at, f.closed_at,
      (select count(*)::integer from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' and v.attempts_reset_at is null),
      (select v.rejected_reason from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' order by v.submitted_at desc limit 1),
      case when f.reason in ('several_subscriptions', 'dispute_lost') then coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', s.subscription_id, 'plan', private.plan_name(s.price_id), 'status', s.status,
          'since', s.created_at, 'is_current', s.deleted_at is null
        ) order by s.id)
        from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
        where c.user_id = f.user_id and s.status not in ('not_started', 'incomplete_expired', 'canceled')
      ), '[]') end
    from private.account_flags f
    join auth.users u on u.id = f.user_id
    left join public.profiles p on p.id = f.user_id
    order by coalesce(f.closed_at, f.created_at), f.user_id, f.reason;
end
$$;
comment on function private.flagged_accounts() is
  'Flagged accounts with what they are flagged for, oldest first; those whose form was kept closed have closed_at.';

-- What every decision about a flag asks first. Returns the reason as it is stored.
create function private.require_decision(decider uuid, member uuid, reason text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 1000 then
    perform private.fail('FF123', 'A decision needs a reason of at most 1000 characters.');
  end if;
  if member = decider then
    perform private.fail('FF124', 'Another administrator has to decide about your own account.');
  end if;
  return why;
end
$$;
comment on function private.require_decision(uuid, uuid, text) is
  'The trimmed reason of a decision about another account; raises FF123 or FF124 otherwise.';

-- A form that was kept closed can be reset later, by an administrator who has learned more.
-- @rpc authenticated
-- Administrators: let a member with five rejections try again (reset) or not (keep_closed).
create function private.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  decider uuid := private.require_verified_admin();
  why text;
  flag private.account_flags;
  before text;
begin
  if decision is null or decision not in ('reset', 'keep_closed') then
    perform private.fail('FF122', 'The decision must be reset or keep_closed.');
  end if;
  why := private.require_decision(decider, member, reason);
  select f.* into flag from private.account_flags f
  where f.user_id = member and f.reason = 'verification_attempts_exhausted' for update;
  if not found or (decision = 'keep_closed' and flag.closed_at is not null) then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  before := case when flag.closed_at is null then 'waiting' else 'kept_closed' end;
  if decision = 'reset' then
    delete from private.account_flags f where f.user_id = member and f.reason = flag.reason;
    update public.user_verifications v set attempts_reset_at = now()
    where v.user_id = member and v.status = 'rejected' and v.attempts_reset_at is null;
    -- The member is told by e-mail and on the open page. The rows that changed are hidden from the member, so that the
    -- change itself reaches no page; hence the broadcast on the member's own channel.
    perform private.enqueue_email(
      member, 'identity_attempts_reset', concat_ws(':', 'identity_attempts_reset', member, extract(epoch from now()))
    );
    perform realtime.send('{}', 'attempts_reset', 'identity:' || member, true);
  else
    update private.account_flags f set closed_at = now() where f.user_id = member and f.reason = flag.reason;
  end if;
  perform private.audit(
    decider, case decision when 'reset' then 'verification.attempts_reset' else 'verification.kept_closed' end, member,
    jsonb_build_object('before', before, 'after', case decision when 'reset' then 'open' else 'kept_closed' end, 'reason', why)
  );
end
$$;
comment on function private.decide_flagged_verification(uuid, text, text) is
  'Decides about an account with five rejections: reset the count, also later, or keep the form closed. Audited.';

-- verification/verifications.sql

-- Identity documents. Members submit them, administrators decide.
create table public.user_verifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  document_type text not null constraint user_verifications_document_type_check
    check (document_type in ('passport', 'drivers_license', 'national_id')),
  document_url text not null unique,
  status text not null default 'pending' constraint user_verifications_status_check
    check (status in ('pending', 'approved', 'rejected')),
  rejected_reason text,
  submitted_at timestamptz not null default now(),
  verified_at timestamptz,
  reviewed_at timestamptz,
  attempts_reset_at timestamptz constraint user_verifications_reset_check check (attempts_reset_at is null or status = 'rejected'),
  constraint user_verifications_reason_check
    check ((status = 'rejected') = (rejected_reason is not null) and char_length(rejected_reason) <= 1000)
);
grant select, insert, update, delete on public.user_verifications to service_role;
-- Clients may not send the columns of the outcome. The app sends the status, so it is accepted and set to pending.
grant select (id, user_id, document_type, document_url, status, rejected_reason, submitted_at, verified_at, reviewed_at,
    attempts_reset_at),
  insert (user_id, document_type, document_url, status)
  on public.user_verifications to authenticated;
comment on table public.user_verifications is 'Submitted identity documents and the decisions about them. @deletes_reach user_id';
comment on column public.user_verifications.document_url is 'Name of the object in the private bucket verification-documents.';
comment on column public.user_verifications.verified_at is 'When the document was approved.';
comment on column public.user_verifications.reviewed_at is 'When the document was approved or rejected.';
comment on column public.user_verifications.attempts_reset_at is
  'When an administrator took this rejection out of the count of attempts; members do not see such rows.';
create unique index user_verifications_one_open on public.user_verifications (user_id)
  where status in ('pending', 'approved');
create index user_verifications_user_id_idx on public.user_verifications (user_id, submitted_at desc);
create index user_verifications_queue_idx on public.user_verifications (submitted_at) where status = 'pending';
alter table public.user_verifications enable row level security;

-- The decision about a document reaches the member's page live. The policy asks for a live session, because Realtime
-- does not pass through the check before API requests.
alter publication supabase_realtime add table public.user_verifications;

create policy select_own_or_admin on public.user_verifications for select to authenticated using (
  ((user_id = (select auth.uid()) and attempts_reset_at is null) or (select private.caller_is_verified_admin()))
  and (select private.session_is_live())
);

create policy insert_own on public.user_verifications for insert to authenticated
  with check (user_id = (select auth.uid()));

-- A document counts when the caller stored it under the name that belongs to the caller.
create function private.caller_has_document(document text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name = document
      and o.name ~ ('^' || auth.uid()::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
  )
$$;
comment on function private.caller_has_document(text) is 'True when an object of that name exists and belongs to the caller.';
grant execute on function private.caller_has_document to authenticated;

-- The limits of submissions do not depend on what the caller may read.
create function private.caller_verification_counts(out open_count integer, out rejected_count integer)
  language sql stable security definer set search_path = '' as $$
  select count(*) filter (where v.status in ('pending', 'approved'))::integer,
    count(*) filter (where v.status = 'rejected' and v.attempts_reset_at is null)::integer
  from public.user_verifications v where v.user_id = auth.uid()
$$;
comment on function private.caller_verification_counts() is
  'How many documents of the calling account are pending or approved, and how many rejections count against it.';
grant execute on function private.caller_verification_counts to authenticated;

-- Submissions of one account are serialised, so that two concurrent ones cannot both be the fifth.
create function private.tg_user_verifications__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  counts record;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.status := 'pending';
  new.submitted_at := clock_timestamp();
  -- Some clients send the object's address; its last part is the name.
  new.document_url := regexp_replace(regexp_replace(new.document_url, '[?#].*$', ''), '^.*/', '');
  perform pg_advisory_xact_lock(hashtextextended('user_verifications:' || new.user_id::text, 0));
  select * into counts from private.caller_verification_counts();
  if counts.open_count > 0 then
    perform private.fail('FF111', 'An identity document is already being reviewed or was approved.');
  end if;
  if counts.rejected_count >= 5 then
    perform private.fail('FF112', 'Maximum verification attempts exceeded.');
  end if;
  if not private.caller_has_document(new.document_url) then
    perform private.fail('FF113', 'The identity document has not been uploaded.');
  end if;
  return new;
end
$$;

create trigger user_verifications__guard_insert before insert on public.user_verifications
  for each row execute function private.tg_user_verifications__guard_insert();

-- The stored object that was submitted. A review decides about this object only, even if its name is reused.
create table private.document_pins (
  verification_id uuid primary key references public.user_verifications (id) on delete cascade,
  object_id uuid not null,
  version text,
  etag text,
  reviewed_sha256 text constraint document_pins_sha256_check check (reviewed_sha256 ~ '^[0-9a-f]{64}$')
);
comment on table private.document_pins is 'The stored object of each submitted identity document.';
comment on column private.document_pins.version is 'Version of the object, which names its bytes in the store; every write makes a new one.';
comment on column private.document_pins.reviewed_sha256 is 'SHA-256 of the bytes the reviewer''s screen showed, in hex.';
alter table private.document_pins enable row level security;

create function private.tg_user_verifications__pin_document() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.document_pins (verification_id, object_id, version, etag)
  select new.id, o.id, o.version, o.metadata ->> 'eTag' from storage.objects o
  where o.bucket_id = 'verification-documents' and o.name = new.document_url;
  return null;
end
$$;

create trigger user_verifications__pin_document after insert on public.user_verifications
  for each row execute function private.tg_user_verifications__pin_document();

create function private.document_state(verification_id uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select case
    when o.id is null then 'missing'
    when (o.id, o.version, o.metadata ->> 'eTag') is distinct from (p.object_id, p.version, p.etag) then 'changed'
    else 'unchanged'
  end
  from public.user_verifications v
  left join private.document_pins p on p.verification_id = v.id
  left join storage.objects o on o.bucket_id = 'verification-documents' and o.name = v.document_url
  where v.id = document_state.verification_id
$$;
comment on function private.document_state(uuid) is
  'unchanged while the submitted object is stored under its name; changed or missing otherwise.';

-- Which version of a document an administrator was handed. Only documents that were opened can be approved.
create table private.document_openings (
  admin_id uuid not null references auth.users (id) on delete cascade,
  verification_id uuid not null references public.user_verifications (id) on delete cascade,
  version text,
  opened_at timestamptz not null,
  primary key (admin_id, verification_id)
);
comment on table private.document_openings is
  'The last opening of a document by each administrator. The record of every opening is the audit log (verification.document_opened).';
comment on column private.document_openings.version is 'Version of the object whose bytes were handed out; null where the store gives none.';
create index document_openings_verification_id_idx on private.document_openings (verification_id);
alter table private.document_openings enable row level security;

-- Each document is decided once, by another person, about the version that person opened. A rejection needs a reason.
-- @rpc authenticated
-- Administrators: approve or reject a pending identity document; an approval names the reviewed version.
create function private.review_verification(
  verification_id uuid, decision text, reason text default null,
  document_version text default null, document_sha256 text default null
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  reviewer uuid := private.require_verified_admin();
  reviewed public.user_verifications;
  why text := nullif(btrim(reason), '');
begin
  if decision is null or decision not in ('approved', 'rejected') then
    perform private.fail('FF122', 'The decision must be approved or rejected.');
  end if;
  if decision = 'rejected' and (why is null or char_length(why) > 1000) then
    perform private.fail('FF123', 'A rejection needs a reason of at most 1000 characters.');
  end if;
  select v.* into reviewed from public.user_verifications v where v.id = verification_id for update;
  if not found or reviewed.status <> 'pending' then
    perform private.fail('FF121', 'This document is not waiting for a review.');
  end if;
  if reviewed.user_id = reviewer then
    perform private.fail('FF124', 'Another administrator has to decide about your own document.');
  end if;
  -- A document that was changed or lost can still be rejected, so that the member may send another.
  if decision = 'approved' then
    if private.document_state(verification_id) <> 'unchanged' then
      perform private.fail('FF125', 'The document is not the one that was handed in. Reject it and ask for another.');
    end if;
    -- The version must be the one that was handed in, and this administrator must have opened it.
    if document_version is distinct from (
      select p.version from private.document_pins p where p.verification_id = reviewed.id
    ) or not exists (
      select from private.document_openings o
      where o.admin_id = reviewer and o.verification_id = reviewed.id and o.version is not distinct from document_version
    ) then
      perform private.fail('FF126', 'This is not the document you looked at. Open it again before you decide.');
    end if;
    update private.document_pins p set reviewed_sha256 = document_sha256 where p.verification_id = reviewed.id;
  end if;
  update public.user_verifications v
  set status = decision,
    rejected_reason = case when decision = 'rejected' then why end,
    verified_at = case when decision = 'approved' then now() end,
    reviewed_at = now()
  where v.id = verification_id;
  perform private.audit(
    reviewer, 'verification.' || decision, reviewed.user_id,
    jsonb_strip_nulls(jsonb_build_object(
      'verification_id', verification_id, 'before', reviewed.status, 'after', decision, 'reason', why,
      'document_version', document_version, 'document_sha256', document_sha256
    ))
  );
  if (select count(*) from public.user_verifications v
      where v.user_id = reviewed.user_id and v.status = 'rejected' and v.attempts_reset_at is null) >= 5 then
    insert into private.account_flags (user_id, reason)
    values (reviewed.user_id, 'verification_attempts_exhausted')
    on conflict do nothing;
  end if;
end
$$;
comment on function private.review_verification(uuid, text, text, text, text) is
  'Approves or rejects another account''s pending document; flags the account after the fifth rejection.';

-- The queue of pending documents, oldest first.
-- @rpc authenticated
-- Administrators: identity documents waiting for a review, oldest first.
create function private.verification_queue()
  returns table (
    id uuid, user_id uuid, email text, first_name text, last_name text, document_type text, document_url text,
    submitted_at timestamptz, rejections integer, document_version text, document_state text
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select v.id, v.user_id, u.email::text, p.first_name, p.last_name, v.document_type, v.document_url, v.submitted_at,
      (select count(*)::integer from public.user_verifications r where r.user_id = v.user_id and r.status = 'rejected'
        and r.attempts_reset_at is null),
      (select k.version from private.document_pins k where k.verification_id = v.id),
      private.document_state(v.id)
    from public.user_verifications v
    join auth.users u on u.id = v.user_id
    left join public.profiles p on p.id = v.user_id
    where v.status = 'pending'
    order by v.submitted_at, v.id;
end
$$;
comment on function private.verification_queue() is 'Pending documents with their account and its number of earlier rejections.';

-- achievements/achievements.sql

create trigger progress_ledger__award after insert on private.progress_ledger
  for each row execute function private.tg_progress_ledger__award();

create trigger user_levels__award after insert or update of current_level on public.user_levels
  for each row when (new.current_level > 1) execute function private.tg_user_levels__award();

create trigger level_completions__award after insert on public.level_completions
  for each row execute function private.tg_level_completions__award();

-- achievements/certificates.sql

-- Visitors have no account, so their address is counted, as a keyed hash that is forgotten after an hour.
create table private.visitor_usage (
  visitor text not null constraint visitor_usage_visitor_check check (visitor ~ '^[0-9a-f]{64}$'),
  action text not null references private.rate_limits (action) on delete cascade,
  recent timestamptz[] not null,
  last_at timestamptz not null,
  primary key (visitor, action)
);
comment on table private.visitor_usage is 'Recent uses of limited actions by visitors without an account, for an hour.';
comment on column private.visitor_usage.visitor is 'A keyed hash of the address, with a key that changes every day. Edge functions compute it.';
create index visitor_usage_last_at_idx on private.visitor_usage (last_at);
create index visitor_usage_action_idx on private.visitor_usage (action);
alter table private.visitor_usage enable row level security;

-- affiliates/commissions.sql

create trigger billing_charges__settle_commission after update on private.billing_charges
  for each row execute function private.tg_billing_charges__settle_commission();

create trigger payment_records__settle_commission after insert on private.payment_records
  for each row when (new.kind = 'payment') execute function private.tg_payment_records__settle_commission();

-- billing/disputes.sql

-- A dispute that is lost about an earlier period takes no access that is paid for: the subscription ends with its period
-- instead, once for each payment, and the account is flagged, so that staff look at it.
create function private.is_earlier_payment(payment private.billing_charges, period_start bigint) returns boolean
  language sql stable set search_path = ''
as $$
  select payment.period_end <= is_earlier_payment.period_start and exists (
    select from private.billing_charges later
    where later.subscription_id = payment.subscription_id and not later.is_refunded and later.dispute is distinct from 'lost'
      and later.period_start <= is_earlier_payment.period_start and later.period_end > is_earlier_payment.period_start
  )
$$;
comment on function private.is_earlier_payment(private.billing_charges, bigint) is
  'Whether the payment was for a period before this one, and this one is paid by another.';

-- billing/invoices.sql

-- Invoices and receipts of members, read from the card provider like everything else: docs/subsystems/billing.md.
create table public.invoices (
  invoice_id text primary key,
  customer_id text not null references public.stripe_customers (customer_id) on update cascade on delete cascade,
  subscription_id text,
  number text,
  status text not null constraint invoices_status_check check (status in ('open', 'paid', 'uncollectible', 'void')),
  reason text,
  currency text not null,
  total_pence bigint not null,
  starting_balance_pence bigint not null default 0,
  amount_due_pence bigint not null,
  amount_paid_pence bigint not null,
  amount_refunded_pence bigint not null default 0,
  lines jsonb not null default '[]' constraint invoices_lines_check check (jsonb_typeof(lines) = 'array'),
  card_brand text,
  card_last4 text constraint invoices_card_last4_check check (card_last4 ~ '^[0-9]{4}$'),
  attempt_count integer not null default 0,
  next_attempt_at timestamptz,
  issued_at timestamptz not null,
  paid_at timestamptz,
  hosted_url text,
  pdf_url text,
  receipt_url text,
  ticket bigint not null,
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.invoices to service_role;
-- Members read the invoices of their own customers, former ones included.
grant select (invoice_id, customer_id, subscription_id, number, status, reason, currency, total_pence, starting_balance_pence,
    amount_due_pence, amount_paid_pence, amount_refunded_pence, lines, card_brand, card_last4, attempt_count, next_attempt_at,
    issued_at, paid_at, hosted_url, pdf_url, receipt_url, ticket, updated_at)
  on public.invoices to authenticated;
comment on table public.invoices is 'Finalised invoices of members. Only the server writes; the card provider is the source.';
comment on column public.invoices.reason is 'Why it was made, as the card provider says: subscription_create, subscription_cycle, subscription_update.';
comment on column public.invoices.total_pence is 'Sum of the lines in the smallest unit of the currency, before credit.';
comment on column public.invoices.starting_balance_pence is 'Credit of the customer when it was finalised; negative is in the member''s favour.';
comment on column public.invoices.amount_refunded_pence is 'Refunded of what was paid, from the payments of this invoice.';
comment on column public.invoices.lines is 'Objects with description, amount_pence, period_start and period_end (seconds since the epoch).';
comment on column public.invoices.card_brand is 'Card that paid it; null until then.';
comment on column public.invoices.attempt_count is 'Attempts to take the payment so far.';
comment on column public.invoices.next_attempt_at is 'When the card provider tries again; null when it does not.';
comment on column public.invoices.hosted_url is 'The card provider''s own page of it; its links end some time after it was issued.';
comment on column public.invoices.pdf_url is 'The card provider''s own invoice as a PDF.';
comment on column public.invoices.receipt_url is 'The card provider''s receipt of the payment.';
comment on column public.invoices.ticket is 'Ticket of the reading that the row holds.';
create index invoices_customer_id_idx on public.invoices (customer_id, issued_at desc);

-- Searching payments looks up who and which invoice is meant first, by their indexes, and only then reads the payments:
-- as one condition over all joined tables it read and joined every payment there is.

-- Invoices are written a few a minute; they wait for the moment that this takes.
-- What is owed, among everything that was ever paid.
create index invoices_open_idx on public.invoices (issued_at) where status = 'open';
create index invoices_number_idx on public.invoices using gin (number extensions.gin_trgm_ops);
alter table public.invoices enable row level security;

create policy select_own on public.invoices for select to authenticated
  using (customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid())));

-- For staff alone: a member must not read that a card is reported stolen.
create table private.invoice_failures (
  invoice_id text primary key references public.invoices (invoice_id) on delete cascade,
  code text not null
);
comment on table private.invoice_failures is 'Why the last attempt at an open invoice was refused, as the card provider names it.';
alter table private.invoice_failures enable row level security;

-- billing/membership-periods.sql

create constraint trigger stripe_subscriptions__period
  after insert or delete or update of customer_id, status, price_id, deleted_at on public.stripe_subscriptions
  deferrable initially deferred for each row execute function private.tg_stripe_subscriptions__period();

create constraint trigger stripe_customers__period after update of deleted_at on public.stripe_customers
  deferrable initially deferred for each row execute function private.tg_stripe_customers__period();

-- billing/payments.sql

-- What the provider last said about a payment goes with the account; its records stay, and tell of refunds and disputes.
create or replace view private.payments with (security_invoker = true) as
select r.charge_id as payment_id, r.happened_at as paid_at, r.amount as amount_pence,
  coalesce(c.amount_refunded, d.refunded, 0) as refunded_pence, r.currency,
  case
    when c.dispute = 'open' or d.is_disputed then 'disputed'
    when c.dispute = 'lost' or d.is_lost then 'dispute_lost'
    when c.is_refunded or d.refunded >= r.amount then 'refunded'
    when coalesce(c.amount_refunded, d.refunded) > 0 then 'partly_refunded'
    else 'paid'
  end as state,
  r.customer_id, r.subscription_id, c.invoice_id, i.number as invoice_number, i.reason as invoice_reason,
  c.card_brand, c.card_last4, k.user_id, u.email::text as email, p.first_name, p.last_name
from private.payment_records r
left join private.billing_charges c on c.charge_id = r.charge_id
left join public.invoices i on i.invoice_id = c.invoice_id
left join public.stripe_customers k on k.customer_id = r.customer_id
left join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
left join lateral (
  select coalesce(sum(l.amount) filter (where l.kind = 'refund' and l.status in ('succeeded', 'pending')), 0)::bigint as refunded,
    coalesce(bool_or(l.kind = 'dispute' and l.status in ('needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review')), false) as is_disputed,
    coalesce(bool_or(l.kind = 'dispute' and l.status = 'lost'), false) as is_lost
  from (
    select distinct on (x.provider_id) x.kind, x.status, x.amount from private.payment_records x
    where c.charge_id is null and x.charge_id = r.charge_id and x.kind in ('refund', 'dispute')
    order by x.provider_id, x.id desc
  ) l
) d on c.charge_id is null
where r.kind = 'payment' and r.status = 'succeeded';
comment on view private.payments is 'Payments that succeeded, with their refunds, invoice and member; the member is null once the account is deleted.';

-- The statement is planned anew for each call: what suits a rare name does not suit a common one.
create function private.admin_payments(search text, state text, since timestamp with time zone, until timestamp with time zone, before_time timestamp with time zone, before_id text, page_size integer) returns setof private.payments
  language plpgsql stable security definer set search_path = '' as $$
declare
  needle text := nullif(btrim(left(search, 200)), '');
  pattern text := '%' || regexp_replace(needle, '([\\%_])', '\\\1', 'g') || '%';
  key_pattern text := '%' || regexp_replace(private.search_key(needle), '([\\%_])', '\\\1', 'g') || '%';
  found_ids text[];
  rules text[] := array['true'];
begin
  perform private.require_verified_admin();
  if needle is not null then
    -- Fewer than three characters cannot be looked up in the index of invoice numbers, and would match most of them.
    found_ids := array(
      (select needle)
      union all
      (select r.charge_id from private.member_search_index d
       join public.stripe_customers k on k.user_id = d.user_id
       join private.payment_records r on r.customer_id = k.customer_id and r.kind = 'payment'
       where d.search_key like key_pattern limit 1000)
      union all
      (select c.charge_id from public.invoices i join private.billing_charges c on c.invoice_id = i.invoice_id
       where char_length(needle) >= 3 and i.number ilike pattern limit 1000)
    );
    rules := rules || case when cardinality(found_ids) <= 1000 then 'y.payment_id = any ($1)'
      -- So many that the latest of them are found soonest by going through the payments.
      -- So many that the latest of them are soonest found by reading the payments in their order.
      else '(y.customer_id in (select k.customer_id from private.member_search_index d
          join public.stripe_customers k on k.user_id = d.user_id where d.search_key like $2)
        or y.payment_id in (select c.charge_id from public.invoices i
          join private.billing_charges c on c.invoice_id = i.invoice_id where char_length($9) >= 3 and i.number ilike $3))' end;
  end if;
  if admin_payments.state is not null then
    rules := rules || 'y.state = $4'::text;
  end if;
  if admin_payments.state <> 'paid' then
    rules := rules || 'y.payment_id in (select c.charge_id from private.billing_charges c
      where c.dispute is not null or c.is_refunded or c.amount_refunded > 0
      union all
      select x.charge_id from private.payment_records x where x.kind in (''refund'', ''dispute'')
        and not exists (select from private.billing_charges c where c.charge_id = x.charge_id))'::text;
  end if;
  if since is not null then
    rules := rules || 'y.paid_at >= $5'::text;
  end if;
  if until is not null then
    rules := rules || 'y.paid_at < $6'::text;
  end if;
  if before_time is not null then
    rules := rules || '(y.paid_at, y.payment_id) < ($7, $8)'::text;
  end if;
  return query execute format(
    'select y.* from private.payments y where %s order by y.paid_at desc, y.payment_id desc limit %s',
    array_to_string(rules, ' and '), least(greatest(coalesce(page_size, 50), 1), 200)
  ) using found_ids, key_pattern, pattern, admin_payments.state, since, until, before_time, before_id, needle;
end
$$;
comment on function private.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'One page of payments, newest first, by payment id, part of a name or address, three characters or more of an invoice number, state and time.';
grant execute on function private.admin_payments to authenticated;

-- billing/refunds.sql

create view private.failed_billing_events with (security_invoker = true) as
select f.* from private.billing_failures f
where not exists (select from private.billing_events e where e.event_id = f.event_id);
comment on view private.failed_billing_events is 'Failed events that were not applied since.';

create function private.admin_failed_events() returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f order by f.first_failed_at, f.event_id limit 500;
end
$$;
comment on function private.admin_failed_events() is 'Events that could not be applied, oldest first.';
grant execute on function private.admin_failed_events to authenticated;

-- chat/channels.sql

create trigger room_leases__announce_joined after insert on private.room_leases
  referencing new table as changed for each statement execute function private.tg_room_leases__announce();

create trigger room_leases__announce_left after delete on private.room_leases
  referencing old table as changed for each statement execute function private.tg_room_leases__announce();

-- chat/mentions.sql

create trigger learning_submissions__name_members before insert on public.learning_submissions
  for each row when (new.mentioned is not null) execute function private.tg_learning_submissions__name_members();

create trigger learning_submission_comments__name_members before insert on public.learning_submission_comments
  for each row when (new.mentioned is not null) execute function private.tg_learning_submission_comments__name_members();

-- chat/messages.sql

-- The messages of all rooms.
create table public.chat_messages (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  content text not null,
  message_type text not null default 'message' constraint chat_messages_message_type_check
    check (message_type in ('message', 'reply')),
  parent_message_id uuid references public.chat_messages (id) on delete set null,
  like_count integer not null default 0 constraint chat_messages_like_count_check check (like_count >= 0),
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  reaction_counts jsonb not null default '{}'
    constraint chat_messages_reaction_counts_check check (jsonb_typeof(reaction_counts) = 'object'),
  picture text,
  picture_width integer,
  picture_height integer,
  picture_alt text,
  mentioned uuid[] constraint chat_messages_mentioned_check check (mentioned is null),
  constraint chat_messages_content_check check (
    case when deleted_at is null then char_length(content) between 1 and 4000 else content = '' end
  ),
  -- A reply stays when the message it answers is deleted with its author's account.
  constraint chat_messages_parent_check check (message_type = 'reply' or parent_message_id is null),
  constraint chat_messages_picture_check check (
    case when picture is null then num_nonnulls(picture_width, picture_height, picture_alt) = 0
    else deleted_at is null and num_nulls(picture_width, picture_height, picture_alt) = 0
      and picture in (user_id::text || '-' || id::text || '.jpg', user_id::text || '-' || id::text || '.png')
      and picture_width between 1 and 4096 and picture_height between 1 and 4096
      and char_length(picture_alt) <= 300
    end
  )
);
grant select, insert, update, delete on public.chat_messages to service_role;
-- Clients may send the like count, because the app does. Without an update policy it changes no row.
grant select (id, user_id, chat_room_id, content, message_type, parent_message_id, like_count, created_at, edited_at, deleted_at,
    changed_at, reaction_counts, picture, picture_width, picture_height, picture_alt, mentioned),
  insert (id, user_id, chat_room_id, content, message_type, parent_message_id, picture, picture_width, picture_height,
    picture_alt, mentioned),
  update (like_count)
  on public.chat_messages to authenticated;
comment on table public.chat_messages is 'Messages of all rooms. A deleted message keeps its row without its text. @deletes_reach user_id';
comment on column public.chat_messages.id is 'May be chosen by the client, so that sending again after a lost connection cannot create a duplicate.';
comment on column public.chat_messages.created_at is 'Set by the server.';
comment on column public.chat_messages.deleted_at is 'When its author or an administrator deleted it; its content is empty from then on.';
comment on column public.chat_messages.changed_at is
  'When it was last written, edited, deleted, liked, unliked or reacted to. Clients fetch later changes after a lost connection.';
comment on column public.chat_messages.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.chat_messages.content is
  'The text; Picture when a picture was sent without one, so that every list and every client has something to show.';
comment on column public.chat_messages.picture is
  'Name of an object in the bucket message-pictures: author, message and type. Null once the message is deleted.';
comment on column public.chat_messages.picture_width is 'Pixels, as the author''s client says; it only keeps the room free while the picture loads.';
comment on column public.chat_messages.picture_height is 'Pixels, as the author''s client says.';
comment on column public.chat_messages.picture_alt is 'What the picture shows, for those who cannot see it; empty when the author did not say.';
comment on column public.chat_messages.reaction_counts is 'How many members gave each reaction, without those nobody gave; kept by triggers.';
-- A page of a room is a short range scan on this index, however large the table is.
create index chat_messages_room_idx on public.chat_messages (chat_room_id, created_at desc, id);
create index chat_messages_changes_idx on public.chat_messages (chat_room_id, changed_at, id);
create index chat_messages_parent_message_id_idx on public.chat_messages (parent_message_id);
create index chat_messages_user_id_idx on public.chat_messages (user_id, created_at);
alter table public.chat_messages enable row level security;

create policy select_open_room on public.chat_messages for select to authenticated
  using (chat_room_id = any ((select private.caller_room_ids())::text[]) and (select private.session_is_live()));

-- The policy's rule for many accounts at once: Realtime calls it to deliver a message to a whole room.
-- See docs/subsystems/realtime.md.
create function private.chat_message_authorized_users(message public.chat_messages, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select l.user_id from private.effective_levels l
    join public.chat_rooms r on r.id = message.chat_room_id and r.is_active and r.min_level_required <= l.level
    where l.user_id = any (user_ids)
  );
end
$$;
comment on function private.chat_message_authorized_users(public.chat_messages, uuid[]) is
  'The given accounts that may read the message now.';
comment on policy select_open_room on public.chat_messages is
  'Accounts that may be in the room now. @authorizer private.chat_message_authorized_users';

create policy insert_own on public.chat_messages for insert to authenticated
  with check (user_id = (select auth.uid()));

alter publication supabase_realtime add table public.chat_messages;

create trigger chat_messages__guard_insert before insert on public.chat_messages
  for each row execute function private.tg_chat_messages__guard_insert();

create trigger chat_messages__stamp_change before update on public.chat_messages
  for each row execute function private.tg_chat_messages__stamp_change();

create trigger chat_messages__record_progress_events after insert on public.chat_messages
  referencing new table as said for each statement execute function private.tg_chat_messages__record_progress_events();

-- A message the caller can see and that is not deleted; locked until the end of the transaction.
create function private.require_visible_message(message uuid) returns public.chat_messages
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_message public.chat_messages;
begin
  select m.* into found_message from public.chat_messages m
  where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  return found_message;
end
$$;
comment on function private.require_visible_message(uuid) is 'The message if the caller may read it and it is not deleted; raises FF316 otherwise.';

-- chat/openings.sql

create trigger chat_rooms__tell_created after insert on public.chat_rooms
  for each row when (new.is_active) execute function private.tg_chat_rooms__tell_opening();

create trigger chat_rooms__tell_reopened after update of is_active on public.chat_rooms
  for each row when (new.is_active and not old.is_active) execute function private.tg_chat_rooms__tell_opening();

-- chat/picture-moderation.sql

-- The rows of chat_messages are read with the caller's rights, so that its policy decides about the picture as well: level,
-- membership, session, an open room, a message that is not deleted. Authors read their own, which are part of their data export.
create policy select_readable_message_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'message-pictures'
    and (
      exists (
        select from public.chat_messages m
        where m.id = (select private.message_of_picture(objects.name)) and m.picture = objects.name
      )
      or starts_with(objects.name, (select auth.uid())::text || '-') and (select private.session_is_live())
      or (select private.caller_is_verified_admin()) and (select private.is_reported_picture(objects.name))
    )
  );

-- chat/pictures.sql

-- There is no policy for update or delete: no client replaces a picture, and the server removes those no message shows.
create policy insert_own_message_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'message-pictures'
    and starts_with(name, (select auth.uid())::text || '-')
    and (select private.message_of_picture(name)) is not null
    and (select private.caller_is_member())
  );

-- chat/pins.sql

-- Messages that administrators pin to the top of their room, at most five. Members read them through room_pins and hear of
-- changes on the room's channel (event pins), which carries no text.
create table private.room_pins (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  pinned_by uuid references auth.users (id) on delete set null,
  pinned_at timestamptz not null default clock_timestamp()
);
comment on table private.room_pins is 'Pinned messages, at most five a room. Written by pin_message and unpin_message.';
comment on column private.room_pins.pinned_by is 'The administrator; null once that account is deleted.';
create index room_pins_room_idx on private.room_pins (chat_room_id, pinned_at desc);
create index room_pins_pinned_by_idx on private.room_pins (pinned_by);
alter table private.room_pins enable row level security;

-- Only administrators pin. A mentor is a plan that anyone may buy, not an appointment.
create function private.require_moderated_message(message uuid) returns public.chat_messages
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_caller();
  if not private.caller_is_admin() then
    perform private.fail('FF321', 'Only administrators can pin messages.');
  end if;
  return private.require_visible_message(message);
end
$$;
comment on function private.require_moderated_message(uuid) is 'The message, for administrators; raises FF321 or FF316 otherwise.';

create trigger chat_messages__update_pin after update of content, deleted_at on public.chat_messages
  for each row when (new.content is distinct from old.content) execute function private.tg_chat_messages__update_pin();

-- chat/reactions.sql

-- Reactions to messages beside the like: five fixed ones, each once for a member and message. Their numbers are kept on the
-- message, so that a page reads them without a join and the live row carries them.
create table public.message_reactions (
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  reaction text not null constraint message_reactions_reaction_check
    check (reaction in ('applause', 'celebrate', 'insight', 'laugh', 'thanks')),
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id, reaction)
);

reset check_function_bodies;
