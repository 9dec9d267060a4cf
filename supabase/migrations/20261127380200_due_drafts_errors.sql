-- One more kind of draft that must not hold up all others that are due: one on which the database fails in a way nobody thought of.

create or replace function private.publish_due_draft() returns text
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
