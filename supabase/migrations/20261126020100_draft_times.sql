-- The time of a publication: never one that has passed, and the reviewer has the last word about it.

create function private.require_time_to_come(publish_at timestamptz) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if publish_at <= now() or publish_at > now() + interval '1 year' then
    perform private.fail('FF655', 'Choose a time in the future, within a year.');
  end if;
end
$$;
revoke all on function private.require_time_to_come from public, anon, authenticated, service_role;
comment on function private.require_time_to_come(timestamptz) is 'Raises FF655 for a time that has passed or is more than a year away.';

create or replace function private.submit_draft(draft uuid, expected_version integer, publish_at timestamptz) returns text
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

create or replace function private.publish_draft(draft uuid, expected_version integer, publish_at timestamptz) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  d public.drafts := private.lock_draft(draft, expected_version, '{submitted}');
begin
  perform private.require_time_to_come(publish_draft.publish_at);
  perform private.require_ready(d);
  return private.release_draft(draft, publish_draft.publish_at, admin);
end
$$;
comment on function private.publish_draft(uuid, integer, timestamptz) is
  'Approves a submitted draft: publishes it at once, or at the given time, whatever its mentor wished; FF655 unless it is to come. The new status. Audited.';

create function private.may_publish_draft(draft uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.drafts d where d.id = draft and d.owner_id = auth.uid() and private.caller_is_trusted(d)
  );
end
$$;
revoke all on function private.may_publish_draft from public, anon, authenticated, service_role;
comment on function private.may_publish_draft(uuid) is 'True when the caller wrote this draft and publishes it without a review.';
grant execute on function private.may_publish_draft(uuid) to authenticated;
create function public.may_publish_draft(draft_id uuid) returns boolean
  language sql stable set search_path = '' as $$ select private.may_publish_draft(draft_id) $$;
revoke all on function public.may_publish_draft from public, anon, authenticated, service_role;
comment on function public.may_publish_draft(uuid) is 'Mentors: whether submit_draft publishes this draft of one''s own without a review.';
grant execute on function public.may_publish_draft(uuid) to authenticated;
