-- Every save is a version, so that a mentor's history fills the limit of all versions together. They make room themselves.
create function private.keep_daily_versions(draft uuid) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  d public.drafts;
  deleted integer;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select t.* into d from public.drafts t where t.id = draft and t.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  -- The newest has no later one.
  delete from public.draft_versions v
  where v.draft_id = draft and v.version is distinct from d.published_version
    and v.saved_at < now() - interval '1 day'
    and not exists (select from public.draft_comments c where c.draft_id = v.draft_id and c.version = v.version)
    and exists (
      select from public.draft_versions later
      where later.draft_id = v.draft_id and later.version > v.version
        and (later.saved_at at time zone 'UTC')::date = (v.saved_at at time zone 'UTC')::date
    );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
revoke all on function private.keep_daily_versions from public, anon, authenticated, service_role;
comment on function private.keep_daily_versions(uuid) is
  'Deletes versions of the caller''s draft that are older than a day, but not the last of each day (UTC), the newest, the published one and those with comments; how many.';
grant execute on function private.keep_daily_versions(uuid) to authenticated;

create function public.keep_daily_versions(draft_id uuid) returns integer
  language sql volatile set search_path = '' as $$ select private.keep_daily_versions(draft_id) $$;
revoke all on function public.keep_daily_versions from public, anon, authenticated, service_role;
comment on function public.keep_daily_versions(uuid) is
  'Mentors: delete all but the last version of each day of a draft, except those of the last day, the published one and those with comments; how many.';
grant execute on function public.keep_daily_versions(uuid) to authenticated;
