-- Part 22 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- verification/verifications.sql
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
create index invoices_number_idx on public.invoices using gin (number extensions.gin_trgm_ops);
alter table public.invoices enable row level security;

create policy select_own on public.invoices for select to authenticated
  using (customer_id in (select c.customer_id from public.stripe_customers c where c.user_id = (select auth.uid())));

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
grant select, insert, update, delete on public.message_reactions to service_role;
grant delete,
  select (user_id, message_id, reaction, created_at),
  insert (user_id, message_id, reaction)
  on public.message_reactions to authenticated;
comment on table public.message_reactions is 'Reactions to messages; chat_messages.reaction_counts holds their numbers. Likes are in message_likes.';
create index message_reactions_message_id_idx on public.message_reactions (message_id);
alter table public.message_reactions enable row level security;

create policy select_own on public.message_reactions for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.message_reactions for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy delete_own on public.message_reactions for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger message_reactions__guard_insert before insert on public.message_reactions
  for each row execute function private.tg_message_reactions__guard_insert();

create trigger message_reactions__add_progress_events after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__add_progress_events();

create trigger message_reactions__count_given after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__count();

create trigger message_reactions__count_taken_back after delete on public.message_reactions
  referencing old table as changed for each statement execute function private.tg_message_reactions__count();

-- chat/reading.sql

-- How far each member has read in each room.
create table public.chat_room_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
grant select, insert, update, delete on public.chat_room_reads to service_role;
grant select (user_id, chat_room_id, last_read_at) on public.chat_room_reads to authenticated;
comment on table public.chat_room_reads is 'How far each member has read; written through mark_room_read.';
create index chat_room_reads_chat_room_id_idx on public.chat_room_reads (chat_room_id);
alter table public.chat_room_reads enable row level security;

create policy select_own on public.chat_room_reads for select to authenticated
  using (user_id = (select auth.uid()));

-- A page of messages as a screen shows them, read with the caller's rights. The page is limited before the joins, and
-- `offset 0` keeps each join an index look-up, so that the size of the tables does not matter.
create function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url, m.reaction_counts,
    case when m.reaction_counts = '{}' then '{}' else array(
      select r.reaction from public.message_reactions r
      where r.user_id = (select auth.uid()) and r.message_id = m.id order by r.reaction
    ) end,
    m.picture, m.picture_width, m.picture_height, m.picture_alt
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
comment on function private.present_messages(public.chat_messages[]) is
  'The messages with author, the caller''s like and the beginning of the parent message, in the given order.';
grant execute on function private.present_messages to authenticated;

-- console/levels.sql

-- What levels ask for, changed in the console; and the plans on sale with the state of the link to the card provider.
create function private.require_requirement(level integer, kind text, needed integer) returns public.level_requirements
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_row public.level_requirements;
begin
  select r.* into found_row from public.level_requirements r
  where r.level = require_requirement.level and r.kind = require_requirement.kind for update;
  if not found then
    perform private.fail('FF440', 'This level does not ask for that.');
  end if;
  if needed is null or needed not between 1 and 10000 then
    perform private.fail('FF441', 'A requirement is a whole number from 1 to 10,000.');
  end if;
  return found_row;
end
$$;
comment on function private.require_requirement(integer, text, integer) is
  'The stored requirement, locked; FF440 when there is none, FF441 when the new figure is out of range.';

-- console/members.sql

create trigger profiles__index_member after insert or update of first_name, last_name on public.profiles
  for each row execute function private.tg_profiles__index_member();

-- emails/causes.sql

create trigger user_verifications__email after update of status on public.user_verifications
  for each row when (new.status in ('approved', 'rejected') and new.status <> old.status)
  execute function private.tg_user_verifications__email();

-- emails/digests.sql

create function private.digest_content(email private.email_outbox) returns jsonb
  language sql stable set search_path = '' as $$
  with groups as (
    select v.kind, v.topic, v.group_id, v.detail, max(v.created_at) as created_at, max(v.id) as id,
      count(distinct v.actor_id) as actors,
      (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
      (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
    from private.unsent_notifications(email.user_id, 'email') v
    where v.created_at > (email.data ->> 'since')::timestamptz and v.created_at <= (email.data ->> 'until')::timestamptz
    group by v.kind, v.topic, v.group_id, v.detail, case when v.group_id is null then v.id end
  )
  select jsonb_build_object(
    'count', (select count(*) from groups),
    'lines', coalesce((
      select jsonb_agg(private.notification_line(g.kind, g.topic, g.detail, g.actor_id, greatest(g.actors - 1, 0), g.place)
        order by g.created_at desc, g.id desc)
      from (select * from groups order by created_at desc, id desc limit 10) g
    ), '[]')
  )
$$;
comment on function private.digest_content(private.email_outbox) is
  'What a digest says now: the newest ten lines, and how many there are.';

-- guarantee/claims.sql

-- Claims under the guarantee: the rules decide first, by the figures on record, and an administrator second.
create table private.guarantee_claims (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint guarantee_claims_user_id_key unique references auth.users (id) on delete cascade,
  monthly_pence bigint not null constraint guarantee_claims_monthly_pence_check check (monthly_pence between 0 and 100000000),
  statement text not null constraint guarantee_claims_statement_check check (char_length(statement) between 1 and 2000),
  lines jsonb not null,
  state text not null constraint guarantee_claims_state_check check (state in ('filed', 'declined', 'appealed', 'granted', 'refused')),
  filed_at timestamptz not null default now(),
  reason text constraint guarantee_claims_reason_check check (char_length(reason) between 1 and 500),
  decided_at timestamptz,
  decided_by uuid references public.profiles (id) on delete set null,
  appeal text constraint guarantee_claims_appeal_check check (char_length(appeal) between 1 and 2000),
  appealed_at timestamptz,
  renewal_stopped_at timestamptz,
  constraint guarantee_claims_appealed_check check ((appeal is null) = (appealed_at is null))
);
create index guarantee_claims_decided_by_idx on private.guarantee_claims (decided_by);
create index guarantee_claims_waiting_idx on private.guarantee_claims (filed_at) where state in ('filed', 'appealed');
comment on table private.guarantee_claims is 'A member''s one claim under the guarantee. Read by the member, and by administrators while they decide.';
comment on column private.guarantee_claims.monthly_pence is 'Income a month at the end, as the member states it.';
comment on column private.guarantee_claims.statement is 'What the member says about it, and where the evidence is.';
comment on column private.guarantee_claims.lines is 'What the terms ask for and what was on record when the claim was filed, as guarantee_claim_lines counts it.';
comment on column private.guarantee_claims.state is
  'filed and appealed wait for an administrator. declined can be appealed against once; refused is the answer to an appeal.';
comment on column private.guarantee_claims.reason is 'Why the last decision was made. Null while the rules alone declined.';
comment on column private.guarantee_claims.decided_by is 'Null when the rules declined.';
comment on column private.guarantee_claims.renewal_stopped_at is
  'When the card provider no longer renewed the membership of a granted claim. What is bought after it is no part of the guarantee.';
alter table private.guarantee_claims enable row level security;

-- The income counts as the higher of what is claimed and what the last check-in says, so that a claim does not contradict the record.
create function private.guarantee_claim_lines(baseline private.guarantee_baselines, claimed bigint)
  returns table (line text, needed bigint, held bigint, met boolean)
  language sql stable security definer set search_path = '' as $$
  select l.line, l.needed::bigint, l.held::bigint, l.met from private.guarantee_lines(baseline.user_id, private.guarantee_end(baseline)) l
  union all
  select 'income', i.target, i.held, i.held < i.target
  from (
    select (baseline.terms ->> 'income_multiple')::bigint
        * greatest(baseline.monthly_pence, (baseline.terms ->> 'least_base_pence')::bigint) as target,
      greatest(claimed, (
        select c.monthly_pence from private.guarantee_check_ins c
        where c.user_id = baseline.user_id order by c.month_number desc limit 1
      )) as held
  ) i
$$;
comment on function private.guarantee_claim_lines(private.guarantee_baselines, bigint) is
  'The lines of a record at its end, and the income: a claim holds while it is below the aim.';

create function private.claim_answer(claim private.guarantee_claims) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', claim.id, 'state', claim.state, 'monthly_pence', claim.monthly_pence, 'statement', claim.statement,
    'lines', claim.lines, 'filed_at', claim.filed_at, 'reason', claim.reason, 'decided_at', claim.decided_at,
    'appeal', claim.appeal, 'appealed_at', claim.appealed_at
  )
$$;
comment on function private.claim_answer(private.guarantee_claims) is 'A claim as it is answered, without who decided.';

reset check_function_bodies;
