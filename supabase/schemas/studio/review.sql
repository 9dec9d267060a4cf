-- The way of a draft: submitted, returned with comments or published, scheduled, withdrawn, archived.
create function private.is_in_library(d public.drafts) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.articles a where a.id = d.article_id and a.is_published)
    or exists (select from public.courses c where c.id = d.course_id and c.is_published)
$$;
comment on function private.is_in_library(public.drafts) is 'True while members of its level find a published version of the draft.';

create function private.caller_is_trusted(d public.drafts) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.caller_is_admin()
    or exists (select from private.trusted_mentors t where t.user_id = d.owner_id)
      -- What an administrator withdrew, in the console or in the studio, is reviewed before it comes back.
      and (private.is_in_library(d) or not exists (
        select from private.console_edits k
        where k.row_id in (d.article_id, d.course_id) and k.column_name = 'is_published'
      ))
$$;
comment on function private.caller_is_trusted(public.drafts) is 'True when the caller publishes this draft without a review.';

-- Publishes now, or at a time to come.
create function private.release_draft(draft uuid, publish_at timestamptz, approved_by uuid) returns text
  language plpgsql volatile set search_path = '' as $$
declare
  former public.drafts;
begin
  if publish_at > now() + interval '1 year' then
    perform private.fail('FF655', 'Choose a time within a year.');
  end if;
  select d.* into strict former from public.drafts d where d.id = draft for update;
  update public.drafts d set approved_by = release_draft.approved_by where d.id = draft;
  if publish_at > now() then
    update public.drafts d set status = 'scheduled', publish_at = release_draft.publish_at, updated_at = clock_timestamp()
    where d.id = draft;
    perform private.audit(auth.uid(), 'draft.scheduled', former.owner_id, jsonb_build_object(
      'draft', draft, 'version', former.version, 'before', jsonb_build_object('status', former.status),
      'after', jsonb_build_object('status', 'scheduled', 'publish_at', release_draft.publish_at)
    ));
    return 'scheduled';
  end if;
  perform private.publish_draft_version(draft, auth.uid());
  return 'published';
end
$$;
comment on function private.release_draft(uuid, timestamptz, uuid) is 'Publishes or schedules the newest version; the new status. Audited.';

create function private.require_ready(d public.drafts) returns void
  language plpgsql stable set search_path = '' as $$
declare
  issues jsonb := (
    select private.draft_issues(d, v) from public.draft_versions v where v.draft_id = d.id and v.version = d.version
  );
begin
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
end
$$;
comment on function private.require_ready(public.drafts) is 'Raises FF654 with what the newest version still needs in details.';

-- @rpc authenticated (draft_id, expected_version, publish_at)
-- Mentors: hand a draft in for review; trusted mentors publish it. The new status.
create function private.submit_draft(draft uuid, expected_version integer, publish_at timestamptz default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  d public.drafts := private.lock_draft(draft, expected_version, '{draft,returned,published,withdrawn}');
begin
  if d.owner_id <> caller then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if d.status = 'published' and d.published_version = d.version then
    perform private.fail('FF653', 'The draft is in another state.', d.status);
  end if;
  perform private.require_time_to_come(submit_draft.publish_at);
  perform private.require_ready(d);
  if private.caller_is_trusted(d) then
    return private.release_draft(draft, submit_draft.publish_at, null);
  end if;
  update public.drafts t
  set status = 'submitted', submitted_at = clock_timestamp(), publish_at = submit_draft.publish_at,
    updated_at = clock_timestamp()
  where t.id = draft;
  return 'submitted';
end
$$;
comment on function private.submit_draft(uuid, integer, timestamptz) is
  'Hands the newest version in for review; trusted mentors publish or schedule it. The new status. publish_at is the wished time; FF655 unless it is to come.';

create function private.require_draft_owner_or_admin(d public.drafts) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  if d.owner_id = auth.uid() then
    return d.owner_id;
  end if;
  return private.require_verified_admin();
end
$$;
comment on function private.require_draft_owner_or_admin(public.drafts) is
  'The caller, who is the owner or an administrator with a second factor; FF002 or FF005 for others.';

-- What owners do with their own drafts before they are published concerns nobody else, so only an administrator's acts are audited.
create function private.audit_draft_of_other(former public.drafts, action text) returns void
  language sql volatile set search_path = '' as $$
  select private.audit(auth.uid(), action, former.owner_id, jsonb_build_object(
    'draft', former.id, 'version', former.version,
    'before', jsonb_build_object('status', former.status), 'after', jsonb_build_object('status', d.status)
  ))
  from public.drafts d where d.id = former.id and d.owner_id <> auth.uid()
$$;
comment on function private.audit_draft_of_other(public.drafts, text) is
  'Audits how the status of a draft was changed, unless its owner did it.';

-- Takes back what is not decided or not published yet.
-- @rpc authenticated (draft_id, expected_version)
-- Mentors: take a draft back from review or from its schedule.
create function private.recall_draft(draft uuid, expected_version integer) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  former public.drafts;
begin
  perform private.require_caller();
  former := private.lock_draft(draft, expected_version, '{submitted,scheduled}');
  perform private.require_draft_owner_or_admin(former);
  update public.drafts d
  set status = case
      when d.published_version is null then 'draft' when private.is_in_library(d) then 'published' else 'withdrawn'
    end, publish_at = null, updated_at = clock_timestamp()
  where d.id = draft;
  perform private.audit_draft_of_other(former, 'draft.recalled');
end
$$;
comment on function private.recall_draft(uuid, integer) is
  'Takes a draft back from review or from its schedule. Administrators need a second factor (FF005) and are audited.';

-- @rpc authenticated (draft_id, expected_version)
-- Mentors: hide published work from the library.
create function private.withdraw_draft(draft uuid, expected_version integer)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  d public.drafts := private.lock_draft(draft, expected_version, '{published,returned,draft}');
  caller uuid := private.require_draft_owner_or_admin(d);
begin
  if d.published_version is null then
    perform private.fail('FF653', 'The draft is in another state.', d.status);
  end if;
  update public.articles a set is_published = false where a.id = d.article_id;
  update public.courses c set is_published = false where c.id = d.course_id;
  update public.drafts t set status = 'withdrawn', updated_at = clock_timestamp() where t.id = draft;
  -- An administrator's decision is kept as one of the console is, so that trust does not undo it.
  if d.owner_id <> caller then
    perform private.keep_console_edits(coalesce(d.article_id, d.course_id), '{is_published}');
  end if;
  perform private.audit(caller, 'draft.withdrawn', d.owner_id, jsonb_build_object(
    'draft', draft, 'before', jsonb_build_object('status', d.status), 'after', jsonb_build_object('status', 'withdrawn')
  ));
end
$function$;
comment on function private.withdraw_draft(uuid,integer) is 'Hides published work from the library; what an administrator hid is reviewed before it comes back. Administrators need a second factor (FF005). Reads, enrolments and completions stay. Audited.';

-- @rpc authenticated (draft_id, expected_version, archived)
-- Mentors: put a draft away, or take it out again.
create function private.archive_draft(draft uuid, expected_version integer, archived boolean default true) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  d public.drafts;
begin
  perform private.require_caller();
  d := private.lock_draft(
    draft, expected_version, case when archived then '{draft,returned,withdrawn}' else '{archived}' end::text[]
  );
  perform private.require_draft_owner_or_admin(d);
  if archived and private.is_in_library(d) then
    perform private.fail('FF653', 'The draft is in another state.', 'published');
  end if;
  update public.drafts t
  set status = case when archived then 'archived' when t.published_version is null then 'draft' else 'withdrawn' end,
    updated_at = clock_timestamp()
  where t.id = draft;
  perform private.audit_draft_of_other(d, case when archived then 'draft.archived' else 'draft.unarchived' end);
end
$$;
comment on function private.archive_draft(uuid, integer, boolean) is
  'Puts a draft away, or takes it out again. Administrators need a second factor (FF005) and are audited.';

-- @rpc authenticated (draft_id, expected_version, comments)
-- Administrators: send a submitted draft back with comments.
create function private.return_draft(draft uuid, expected_version integer, comments jsonb)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  if jsonb_typeof(comments) is distinct from 'array' or jsonb_array_length(comments) not between 1 and 100 then
    perform private.fail('FF656', 'Write 1 to 100 comments.');
  end if;
  insert into public.draft_comments (draft_id, version, author_id, quote, comment)
  select d.id, d.version, admin, coalesce(c ->> 'quote', ''), btrim(coalesce(c ->> 'comment', ''))
  from jsonb_array_elements(comments) c;
  update public.drafts t set status = 'returned', publish_at = null, updated_at = clock_timestamp() where t.id = draft;
  perform private.audit(admin, 'draft.returned', d.owner_id, jsonb_build_object(
    'draft', draft, 'version', d.version,
    'before', jsonb_build_object('status', d.status), 'after', jsonb_build_object('status', 'returned')
  ));
end
$function$;
comment on function private.return_draft(uuid,integer,jsonb) is 'Sends a draft back with comments, each with quote and comment; FF656 without any. FF005 without a second factor. Audited.';

-- @rpc authenticated (draft_id, expected_version, publish_at)
-- Administrators: publish a submitted draft, or schedule it. The new status.
create function private.publish_draft(draft uuid, expected_version integer, publish_at timestamptz default null)
returns text
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  perform private.require_time_to_come(publish_draft.publish_at);
  perform private.require_ready(d);
  return private.release_draft(draft, publish_draft.publish_at, admin);
end
$function$;
comment on function private.publish_draft(uuid,integer,timestamp with time zone) is 'Approves a submitted draft: publishes it at once, or at the given time, whatever its mentor wished; FF655 unless it is to come. The new status. FF005 without a second factor. Audited.';
