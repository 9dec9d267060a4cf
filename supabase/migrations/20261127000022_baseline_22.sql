-- Part 22 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- submissions/rules.sql

-- The audit log says what was before, as for every act of the console.
-- @rpc authenticated
-- Administrators: set or clear the featured mark of a submission.
create function private.feature_submission(submission_id uuid, featured boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_admin();
  wanted boolean := coalesce(featured, false);
  before public.learning_submissions;
begin
  select s.* into before from public.learning_submissions s where s.id = submission_id for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  update public.learning_submissions s set is_featured = wanted where s.id = submission_id;
  perform private.audit(caller, 'submission.featured', before.user_id, jsonb_build_object(
    'submission_id', submission_id,
    'before', jsonb_build_object('featured', before.is_featured), 'after', jsonb_build_object('featured', wanted)
  ));
end
$$;
comment on function private.feature_submission(uuid, boolean) is 'Sets or clears the featured mark; administrators only, audited.';

-- Likes from other members; your own likes do not count.
create function private.likes_received(member uuid) returns integer
  language sql stable set search_path = '' as $$
  select (
    (select coalesce(sum(m.like_count), 0) from public.chat_messages m
      where m.user_id = member and m.deleted_at is null)
    + (select coalesce(sum(s.like_count), 0) from public.learning_submissions s where s.user_id = member)
    - (select count(*) from public.message_likes l join public.chat_messages m on m.id = l.message_id
      where l.user_id = member and m.user_id = member and m.deleted_at is null)
    - (select count(*) from public.learning_submission_likes l
      join public.learning_submissions s on s.id = l.submission_id
      where l.user_id = member and s.user_id = member)
  )::integer
$$;
comment on function private.likes_received(uuid) is 'Likes of an account''s messages and submissions by others.';

-- submissions/submissions.sql

-- Learning submissions of members, with likes and comments.

-- The index of pictures calls it, so that everyone who may write a row may call it.
create function private.image_name(image_url text) returns text
  language sql immutable set search_path = '' as $$
  select regexp_replace(regexp_replace(image_url, '[?#].*$', ''), '^.*/', '')
$$;
comment on function private.image_name(text) is 'Name of the object in a public URL: its last part, without query.';
grant execute on function private.image_name to authenticated, service_role;

create table public.learning_submissions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  submission_type text not null constraint learning_submissions_submission_type_check
    check (submission_type in ('pact', 'progress_report', 'before_after', 'failure', 'success')),
  title text not null constraint learning_submissions_title_check
    check (char_length(title) between 1 and 150),
  content text not null constraint learning_submissions_content_check
    check (char_length(content) between 1 and 10000),
  image_url text constraint learning_submissions_image_url_check check (
    char_length(image_url) <= 600
    and image_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/learning-images/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'
  ),
  is_featured boolean not null default false,
  like_count integer not null default 0
    constraint learning_submissions_like_count_check check (like_count >= 0),
  comment_count integer not null default 0
    constraint learning_submissions_comment_count_check check (comment_count >= 0),
  created_at timestamptz not null default now(),
  -- Authors change the title and the text of a submission. Type, picture and times stay as they were shared. The featured
  -- mark goes: an administrator gave it to other words.
  edited_at timestamptz,
  mentioned uuid[] constraint learning_submissions_mentioned_check check (mentioned is null)
);
grant select, insert, update, delete on public.learning_submissions to service_role;
grant select (id, user_id, submission_type, title, content, image_url, is_featured, like_count, comment_count, created_at,
    edited_at, mentioned),
  insert (id, user_id, submission_type, title, content, image_url, mentioned)
  on public.learning_submissions to authenticated;
comment on table public.learning_submissions is 'Learning submissions of members.';
comment on column public.learning_submissions.image_url is
  'Public URL of an object of the author in the bucket learning-images; without the origin when the server''s address was not known.';
comment on column public.learning_submissions.is_featured is 'Set by administrators.';
comment on column public.learning_submissions.like_count is 'Kept by a trigger on the likes.';
comment on column public.learning_submissions.comment_count is 'Kept by a trigger on the comments.';
comment on column public.learning_submissions.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.learning_submissions.edited_at is 'When the author last changed title or text; null when never.';
create index learning_submissions_feed_idx on public.learning_submissions (created_at desc, id desc);
create index learning_submissions_type_idx on public.learning_submissions (submission_type, created_at desc, id desc);
create index learning_submissions_user_id_idx on public.learning_submissions (user_id);
create index learning_submissions_image_name_idx on public.learning_submissions (private.image_name(image_url))
  where image_url is not null;
alter table public.learning_submissions enable row level security;

create policy select_own_or_member on public.learning_submissions for select to authenticated using (
  (user_id = (select auth.uid()) or (select private.caller_effective_level()) >= 1) and (select private.session_is_live())
);

-- The policy's rule for many accounts at once: Realtime calls it to deliver a submission to every open feed.
create function private.learning_submission_authorized_users(submission public.learning_submissions, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select asked.id from unnest(user_ids) as asked(id)
    where asked.id = submission.user_id
      or exists (select from private.effective_levels l where l.user_id = asked.id and l.level >= 1)
  );
end
$$;
comment on function private.learning_submission_authorized_users(public.learning_submissions, uuid[]) is
  'The given accounts that may read the submission now.';
comment on policy select_own_or_member on public.learning_submissions is
  'The author, and every member. @authorizer private.learning_submission_authorized_users';

create policy insert_own on public.learning_submissions for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1);

alter publication supabase_realtime add table public.learning_submissions;

-- user_id references the account and not the profile, so that a submission embeds one profile: its author.
create table public.learning_submission_likes (
  user_id uuid not null references auth.users (id) on delete cascade,
  submission_id uuid not null references public.learning_submissions (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, submission_id)
);
grant select, insert, update, delete on public.learning_submission_likes to service_role;
grant delete,
  select (user_id, submission_id, created_at),
  insert (user_id, submission_id)
  on public.learning_submission_likes to authenticated;
comment on table public.learning_submission_likes is 'Likes of submissions; members see only their own.';
create index learning_submission_likes_submission_id_idx on public.learning_submission_likes (submission_id);
alter table public.learning_submission_likes enable row level security;

create policy select_own on public.learning_submission_likes for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.learning_submission_likes for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1);

create policy delete_own on public.learning_submission_likes for delete to authenticated
  using (user_id = (select auth.uid()));

create table public.learning_submission_comments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  submission_id uuid not null references public.learning_submissions (id) on delete cascade,
  content text not null constraint learning_submission_comments_content_check
    check (char_length(content) between 1 and 2000),
  created_at timestamptz not null default now(),
  mentioned uuid[] constraint learning_submission_comments_mentioned_check check (mentioned is null)
);
grant select, insert, update, delete on public.learning_submission_comments to service_role;
grant select (id, user_id, submission_id, content, created_at, mentioned),
  insert (id, user_id, submission_id, content, mentioned)
  on public.learning_submission_comments to authenticated;
comment on table public.learning_submission_comments is 'Comments on submissions.';
comment on column public.learning_submission_comments.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
create index learning_submission_comments_page_idx
  on public.learning_submission_comments (submission_id, created_at, id);
create index learning_submission_comments_user_id_idx on public.learning_submission_comments (user_id);
alter table public.learning_submission_comments enable row level security;

create policy select_own_or_member on public.learning_submission_comments for select to authenticated
  using (user_id = (select auth.uid()) or (select private.caller_effective_level()) >= 1);

create policy insert_own on public.learning_submission_comments for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1);

-- Keep the counts in step with the rows. Submissions are locked in the order of their ids, so that two statements over
-- several submissions cannot deadlock.
create function private.tg_learning_submission_likes__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.learning_submissions s where s.id in (select c.submission_id from changed c)
    order by s.id for no key update;
  update public.learning_submissions s set like_count = s.like_count + sign * t.changes
  from (select c.submission_id, count(*)::integer as changes from changed c group by c.submission_id) t
  where s.id = t.submission_id;
  return null;
end
$$;

create trigger learning_submission_likes__count_added after insert on public.learning_submission_likes
  referencing new table as changed for each statement execute function private.tg_learning_submission_likes__count();

create trigger learning_submission_likes__count_removed after delete on public.learning_submission_likes
  referencing old table as changed for each statement execute function private.tg_learning_submission_likes__count();

create function private.tg_learning_submission_comments__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.learning_submissions s where s.id in (select c.submission_id from changed c)
    order by s.id for no key update;
  update public.learning_submissions s set comment_count = s.comment_count + sign * t.changes
  from (select c.submission_id, count(*)::integer as changes from changed c group by c.submission_id) t
  where s.id = t.submission_id;
  return null;
end
$$;

create trigger learning_submission_comments__count_added after insert on public.learning_submission_comments
  referencing new table as changed for each statement execute function private.tg_learning_submission_comments__count();

create trigger learning_submission_comments__count_removed after delete on public.learning_submission_comments
  referencing old table as changed for each statement execute function private.tg_learning_submission_comments__count();

-- Sharing a submission is a progress event, whichever role writes the row.
create function private.tg_learning_submissions__record_progress_event() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'submission', new.id::text);
  return null;
end
$$;

create trigger learning_submissions__record_progress_event after insert on public.learning_submissions
  for each row execute function private.tg_learning_submissions__record_progress_event();

-- verification/documents.sql

-- The storage service of a hosted project writes the row with its own role, which bypasses policies, and a signed upload
-- URL may be used two hours after the policy was checked. So a trigger checks at the time of the write. It reads the
-- account from the object's name, which the policy below ties to the caller.
create function private.tg_storage_objects__limit_documents() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member text := split_part(new.name, '-verification-', 1);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  -- Uploads of one account are serialised, so that concurrent ones cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('verification-documents:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name like member || '-verification-%'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty identity documents, which is the most.');
  end if;
  if exists (select from public.user_verifications v where v.document_url = new.name) then
    perform private.fail('42501', 'A document of this name was handed in before.');
  end if;
  return new;
end
$$;

create trigger storage_objects__limit_documents before insert on storage.objects
  for each row when (new.bucket_id = 'verification-documents')
  execute function private.tg_storage_objects__limit_documents();

-- Stored documents and pictures are never changed, by any role: a decision is about exactly these bytes.
create function private.tg_storage_objects__keep_content() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if (new.id, new.bucket_id, new.name, new.owner, new.owner_id, new.version, new.metadata)
    is distinct from (old.id, old.bucket_id, old.name, old.owner, old.owner_id, old.version, old.metadata)
  then
    raise exception using errcode = '42501', message = 'A stored document or picture is never changed.';
  end if;
  return new;
end
$$;

create or replace trigger storage_objects__keep_content before update on storage.objects
  for each row when (
    old.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
    or new.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
  )
  execute function private.tg_storage_objects__keep_content();

-- Members upload documents under their own name. The storage shows a document to its owner only.
-- There is no policy for update or delete, so documents cannot be replaced.
create policy insert_own_verification_document on storage.objects for insert to authenticated
  with check (
    bucket_id = 'verification-documents'
    and name ~ ('^' || (select auth.uid())::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
  );

create policy select_own_verification_document on storage.objects for select to authenticated
  using (bucket_id = 'verification-documents' and starts_with(name, (select auth.uid())::text || '-verification-'));

-- Documents are deleted thirty days after the decision, which is kept. The storage service deletes the files, because
-- deleting rows here would leave the bytes behind. The database lists what is due and records what was deleted.

-- Scans the bucket, which holds at most one month of documents and those that wait for a review.
-- @rpc service_role
-- Server: identity documents to delete now.
create function private.verification_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  left join public.user_verifications v on v.document_url = o.name
  where o.bucket_id = 'verification-documents' and o.name > after
    -- Uploads that were never submitted, or whose account is gone, have no decision to wait for.
    and case when v.id is null then o.created_at else v.reviewed_at end < now() - interval '30 days'
  order by o.name
  limit batch
$$;
comment on function private.verification_documents_to_purge(text,integer) is 'Documents whose decision is more than 30 days old, or whose upload if they were never submitted; by name, after the given one.';

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

reset check_function_bodies;
