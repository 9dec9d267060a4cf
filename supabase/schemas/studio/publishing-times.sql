-- The time of a publication: never one that has passed, and the reviewer has the last word about it.
create function private.require_time_to_come(publish_at timestamptz) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if publish_at <= now() or publish_at > now() + interval '1 year' then
    perform private.fail('FF655', 'Choose a time in the future, within a year.');
  end if;
end
$$;
comment on function private.require_time_to_come(timestamptz) is 'Raises FF655 for a time that has passed or is more than a year away.';

-- @rpc authenticated (draft_id)
-- Mentors: whether submit_draft publishes this draft of one's own without a review.
create function private.may_publish_draft(draft uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select from public.drafts d where d.id = draft and d.owner_id = auth.uid() and private.caller_is_trusted(d)
  );
end
$$;
comment on function private.may_publish_draft(uuid) is 'True when the caller wrote this draft and publishes it without a review.';

-- @rpc authenticated
-- Administrators: let a mentor publish without a review, or no longer. Needs a reason.
create function private.set_trusted_mentor(member uuid, trusted boolean, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
begin
  if trusted is null or not exists (
    select from public.profiles p where p.id = member and (p.role = 'mentor' or not trusted) for key share
  ) then
    perform private.fail('FF657', 'Only mentors can be trusted.');
  end if;
  if trusted then
    insert into private.trusted_mentors (user_id) values (member) on conflict do nothing;
  else
    -- What they scheduled waits for a review, with its time as a wish.
    update public.drafts d set status = 'submitted', submitted_at = clock_timestamp(), updated_at = clock_timestamp()
    where d.owner_id = member and d.status = 'scheduled' and d.approved_by is null;
    delete from private.trusted_mentors t where t.user_id = member;
  end if;
  if found then
    perform private.audit(admin, 'mentor.trusted', member, jsonb_build_object(
      'reason', why, 'before', jsonb_build_object('trusted', not trusted), 'after', jsonb_build_object('trusted', trusted)
    ));
  end if;
end
$$;
comment on function private.set_trusted_mentor(uuid, boolean, text) is
  'Lets a mentor publish without a review, or no longer; FF657 for others, FF511 without a reason. Audited.';

-- What is scheduled comes out only while nothing speaks against it, and one draft never holds back the others.

-- A withdrawal is later than the approval of what is scheduled, which therefore waits for a review again, with its time as a wish.
create function private.review_withdrawn(item uuid) returns void
  language sql volatile set search_path = '' as $$
  with held as (
    update public.drafts d
    set status = 'submitted', submitted_at = clock_timestamp(), approved_by = null, updated_at = clock_timestamp()
    where (d.article_id = item or d.course_id = item) and d.status = 'scheduled'
    returning d.id, d.version
  )
  insert into public.draft_comments (draft_id, version, comment)
  select h.id, h.version,
    'An administrator withdrew this from the library after the new version was scheduled. It is reviewed before it comes back.'
  from held h
$$;
comment on function private.review_withdrawn(uuid) is
  'Hands what was scheduled over an article or a course in for review again, with a comment that says why.';

-- @rpc service_role
-- Server: publish or return one draft whose time has come: published, returned, or null when none is due.
create function private.publish_due_draft() returns text
language plpgsql security definer set search_path = '' as $$
declare
  due record;
begin
  -- Mentors take turns, so that many drafts of one don't keep others waiting.
  select d.id, d.version into due from public.drafts d
  where d.status = 'scheduled' and d.publish_at <= now() and (d.approved_by is not null or private.is_mentor(d.owner_id))
    and not exists (select from auth.users u where u.id = d.owner_id and u.banned_until > now())
  order by (
    select max(o.updated_at) from public.drafts o where o.owner_id = d.owner_id and o.status in ('published', 'returned')
  ) nulls first, d.publish_at, d.id
  limit 1 for update of d skip locked;
  if not found then
    return null;
  end if;
  begin
    perform private.publish_draft_version(due.id, null);
    return 'published';
  -- `query_canceled` is the time limit of the statement, which each draft has for itself.
  exception when query_canceled or others then
    -- What has nothing to do with the draft: it is tried again. An error of another kind would come again, and hold up all others.
    if left(sqlstate, 2) in ('08', '25', '40', '53', '55', '58') or (left(sqlstate, 2) = '57' and sqlstate <> '57014') then
      raise;
    end if;
    insert into public.draft_comments (draft_id, version, comment)
    values (due.id, due.version, 'This could not be published at its time. ' || case
      when sqlstate = 'FF654' then 'Check the address and the subcategory, then submit it again.'
      when sqlstate = 'FF660' then sqlerrm
      when sqlstate = '57014' then 'It took too long. Divide it into shorter texts, then submit it again.'
      when left(sqlstate, 2) in ('22', '23', '54')
        then 'The library refused one of its fields. Shorten what is very long, then submit it again.'
      else 'The library could not take it. Look it through, then submit it again.'
    end);
    update public.drafts d set status = 'returned', publish_at = null, updated_at = clock_timestamp() where d.id = due.id;
    return 'returned';
  end;
end
$$;
comment on function private.publish_due_draft() is 'Publishes one draft that was scheduled for now or earlier, except of suspended mentors, or returns what cannot be published to its mentor. published, returned, or null when none is due. The mentor served longest ago comes first.';
