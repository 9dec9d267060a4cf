-- Every save is kept, so that what the versions of one mentor take together has a limit. It is counted with each save.
create table private.draft_usage (
  user_id uuid primary key references auth.users (id) on delete cascade,
  bytes bigint not null
);
revoke all on table private.draft_usage from public, anon, authenticated, service_role;
comment on table private.draft_usage is 'How many bytes the versions take that an account saved in the studio.';
alter table private.draft_usage enable row level security;

-- What a row takes beside its texts is counted as 500 bytes.
create function private.version_bytes(v public.draft_versions) returns bigint
  language sql immutable set search_path = '' as $$
  select 500 + octet_length(v.title) + octet_length(v.excerpt) + octet_length(v.content) + octet_length(v.modules::text)
$$;
revoke all on function private.version_bytes from public, anon, authenticated, service_role;
comment on function private.version_bytes(public.draft_versions) is 'What a version counts against the limit of its mentor.';

insert into private.draft_usage (user_id, bytes)
select v.saved_by, sum(private.version_bytes(v)) from public.draft_versions v where v.saved_by is not null group by v.saved_by;

create function private.tg_draft_versions__count_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.draft_usage as u (user_id, bytes)
  select a.saved_by, sum(private.version_bytes(a)) from added a where a.saved_by is not null group by a.saved_by
  on conflict (user_id) do update set bytes = u.bytes + excluded.bytes;
  if exists (
    select from private.draft_usage u where u.user_id in (select a.saved_by from added a) and u.bytes > 524288000
  ) then
    perform private.fail('FF659', 'Your drafts with all their versions have reached 500 MB, which is the most.');
  end if;
  return null;
end
$$;
revoke all on function private.tg_draft_versions__count_added from public, anon, authenticated, service_role;
create trigger draft_versions__count_added after insert on public.draft_versions
  referencing new table as added for each statement execute function private.tg_draft_versions__count_added();

-- An account that is being deleted has no row any more, or one that goes with it.
create function private.tg_draft_versions__count_gone() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.draft_usage u set bytes = greatest(u.bytes - g.bytes, 0)
  from (
    select o.saved_by, sum(private.version_bytes(o)) as bytes from gone o where o.saved_by is not null group by o.saved_by
  ) g
  where u.user_id = g.saved_by;
  return null;
end
$$;
revoke all on function private.tg_draft_versions__count_gone from public, anon, authenticated, service_role;
create trigger draft_versions__count_gone after delete on public.draft_versions
  referencing old table as gone for each statement execute function private.tg_draft_versions__count_gone();

-- The export has how much the versions take; the versions themselves come from private.export_versions.
create or replace function private.export_part_studio(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'drafts', coalesce((
      select jsonb_agg(to_jsonb(d) - 'approved_by' order by d.created_at, d.id)
      from public.drafts d where d.owner_id = member
    ), '[]'),
    'draft_comments', coalesce((
      select jsonb_agg(to_jsonb(c) - 'author_id' order by c.created_at, c.id)
      from public.draft_comments c join public.drafts d on d.id = c.draft_id
      where d.owner_id = member or c.author_id = member
    ), '[]'),
    'draft_usage', (select to_jsonb(u) from private.draft_usage u where u.user_id = member),
    'trusted_mentor', (select to_jsonb(t) from private.trusted_mentors t where t.user_id = member)
  )
$$;
comment on function private.export_part_studio(uuid) is
  'Drafts of one account and the comments on them, without the reviewers. Their versions: private.export_versions.';
