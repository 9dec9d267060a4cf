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
