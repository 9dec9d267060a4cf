-- One line for each draft says how it stands, beside that it is published. Reviewers are not named, as in the studio.
create function private.tg_drafts__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  told constant text := case
    -- Only the server sends back what is scheduled.
    when new.status = 'returned' and old.status = 'scheduled' then 'draft_not_published'
    when new.status = 'returned' then 'draft_returned'
    when new.status = 'scheduled' then 'draft_scheduled'
    when new.status = 'published' and new.published_at is distinct from old.published_at then 'draft_published'
    -- A draft that is recalled is what it was before, published or not.
    when old.status in ('submitted', 'scheduled') and new.status in ('draft', 'published', 'withdrawn') then 'draft_recalled'
  end;
begin
  -- The line about a recall goes as soon as its owner acts on it, and does not come back with a later state.
  delete from public.notifications n
  where n.user_id = new.owner_id and n.subject_id = new.id and (
    n.kind = told or n.kind = 'draft_recalled'
    or told is not null and n.kind in ('draft_returned', 'draft_not_published', 'draft_scheduled')
  );
  if told is null or new.owner_id is not distinct from auth.uid() then
    return null;
  end if;
  -- Who is being deleted is not waited for.
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, told, new.id from public.profiles r where r.id = new.owner_id
  for key share of r skip locked on conflict do nothing;
  return null;
end
$$;
create trigger drafts__notify after update of status on public.drafts
  for each row execute function private.tg_drafts__notify();

-- In the studio or in the console.
create function private.notify_of_withdrawal(item uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  delete from public.notifications n using public.drafts d
  where n.user_id = d.owner_id and n.subject_id = d.id and n.kind = 'draft_withdrawn' and item in (d.article_id, d.course_id);
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'draft_withdrawn', d.id from public.drafts d join public.profiles r on r.id = d.owner_id
  where item in (d.article_id, d.course_id) and d.owner_id <> auth.uid()
  for key share of r skip locked on conflict do nothing;
end
$$;
comment on function private.notify_of_withdrawal(uuid) is 'Tells the mentor of an article or a course that an administrator withdrew it.';

create function private.tg_articles__notify_withdrawal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_of_withdrawal(new.id);
  return null;
end
$$;
create trigger articles__notify_withdrawal after update of is_published on public.articles
  for each row when (old.is_published and not new.is_published) execute function private.tg_articles__notify_withdrawal();

create function private.tg_courses__notify_withdrawal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_of_withdrawal(new.id);
  return null;
end
$$;
create trigger courses__notify_withdrawal after update of is_published on public.courses
  for each row when (old.is_published and not new.is_published) execute function private.tg_courses__notify_withdrawal();

create function private.notification_part_studio(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('draft_id', d.id, 'draft_kind', d.kind, 'draft', case
    when n.kind in ('draft_published', 'draft_withdrawn') then (
      select v.title from public.draft_versions v where v.draft_id = d.id and v.version = d.published_version
    ) else d.title end)
  from private.newest_notifications(member, array[
    'draft_returned', 'draft_not_published', 'draft_scheduled', 'draft_published', 'draft_recalled', 'draft_withdrawn'
  ]) n
  join public.drafts d on d.id = n.subject_id and d.owner_id = member
  where case n.kind
    when 'draft_published' then private.is_in_library(d)
    when 'draft_withdrawn' then not private.is_in_library(d)
    when 'draft_scheduled' then d.status = 'scheduled'
    when 'draft_recalled' then d.status in ('draft', 'published', 'withdrawn')
    else d.status = 'returned'
  end
$$;
comment on function private.notification_part_studio(uuid) is
  'How the reviews of a member''s own drafts ended and what an administrator took back, as long as the draft stands so.';
