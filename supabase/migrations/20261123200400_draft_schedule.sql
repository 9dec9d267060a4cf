-- Scheduled publication, the place of a draft in the library, and the API functions of the review.

-- One draft that cannot be published any more does not hold back the others.
create function private.publish_due_drafts() returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  due record;
  published integer := 0;
begin
  for due in
    select d.id, d.version from public.drafts d
    where d.status = 'scheduled' and d.publish_at <= now() and (d.approved_by is not null or private.is_mentor(d.owner_id))
    order by d.publish_at, d.id for update skip locked
  loop
    begin
      perform private.publish_draft_version(due.id, null);
      published := published + 1;
    exception when sqlstate 'FF654' then
      insert into public.draft_comments (draft_id, version, comment)
      values (due.id, due.version, 'This could not be published at its time. Check the address and the subcategory, then submit it again.');
      update public.drafts d set status = 'returned', publish_at = null, updated_at = clock_timestamp() where d.id = due.id;
    end;
  end loop;
  return published;
end
$$;
revoke all on function private.publish_due_drafts from public, anon, authenticated, service_role;
comment on function private.publish_due_drafts() is 'Publishes what was scheduled for now or earlier; returns what cannot be published. The number published.';
grant execute on function private.publish_due_drafts() to service_role;

create function public.publish_due_drafts() returns integer
  language sql volatile set search_path = '' as $$ select private.publish_due_drafts() $$;
revoke all on function public.publish_due_drafts from public, anon, authenticated, service_role;
comment on function public.publish_due_drafts() is 'Server: publish the drafts whose time has come; their number.';
grant execute on function public.publish_due_drafts() to service_role;

create function public.submit_draft(draft_id uuid, expected_version integer, publish_at timestamptz default null) returns text
  language sql volatile set search_path = '' as $$ select private.submit_draft(draft_id, expected_version, publish_at) $$;
revoke all on function public.submit_draft from public, anon, authenticated, service_role;
create function public.recall_draft(draft_id uuid, expected_version integer) returns void
  language sql volatile set search_path = '' as $$ select private.recall_draft(draft_id, expected_version) $$;
revoke all on function public.recall_draft from public, anon, authenticated, service_role;
create function public.withdraw_draft(draft_id uuid, expected_version integer) returns void
  language sql volatile set search_path = '' as $$ select private.withdraw_draft(draft_id, expected_version) $$;
revoke all on function public.withdraw_draft from public, anon, authenticated, service_role;
create function public.archive_draft(draft_id uuid, expected_version integer, archived boolean default true) returns void
  language sql volatile set search_path = '' as $$ select private.archive_draft(draft_id, expected_version, archived) $$;
revoke all on function public.archive_draft from public, anon, authenticated, service_role;
create function public.return_draft(draft_id uuid, expected_version integer, comments jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.return_draft(draft_id, expected_version, comments) $$;
revoke all on function public.return_draft from public, anon, authenticated, service_role;
create function public.publish_draft(draft_id uuid, expected_version integer, publish_at timestamptz default null) returns text
  language sql volatile set search_path = '' as $$ select private.publish_draft(draft_id, expected_version, publish_at) $$;
revoke all on function public.publish_draft from public, anon, authenticated, service_role;
create function public.set_trusted_mentor(member_id uuid, trusted boolean) returns void
  language sql volatile set search_path = '' as $$ select private.set_trusted_mentor(member_id, trusted) $$;
revoke all on function public.set_trusted_mentor from public, anon, authenticated, service_role;
comment on function public.submit_draft(uuid, integer, timestamptz) is 'Mentors: hand a draft in for review; trusted mentors publish it. The new status.';
comment on function public.recall_draft(uuid, integer) is 'Mentors: take a draft back from review or from its schedule.';
comment on function public.withdraw_draft(uuid, integer) is 'Mentors: hide published work from the library.';
comment on function public.archive_draft(uuid, integer, boolean) is 'Mentors: put a draft away, or take it out again.';
comment on function public.return_draft(uuid, integer, jsonb) is 'Administrators: send a submitted draft back with comments.';
comment on function public.publish_draft(uuid, integer, timestamptz) is 'Administrators: publish a submitted draft, or schedule it. The new status.';
comment on function public.set_trusted_mentor(uuid, boolean) is 'Administrators: let a mentor publish without a review, or no longer.';
grant execute on function public.submit_draft(uuid, integer, timestamptz), public.recall_draft(uuid, integer),
  public.withdraw_draft(uuid, integer), public.archive_draft(uuid, integer, boolean), public.return_draft(uuid, integer, jsonb),
  public.publish_draft(uuid, integer, timestamptz), public.set_trusted_mentor(uuid, boolean)
  to authenticated;
