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
revoke all on function private.review_withdrawn from public, anon, authenticated, service_role;
comment on function private.review_withdrawn(uuid) is
  'Hands what was scheduled over an article or a course in for review again, with a comment that says why.';

-- Drafts are locked before the rows of the library, as publishing locks them.
create or replace function private.edit_content_item(shelf text, item uuid, is_published boolean, is_featured boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  was jsonb;
  becomes jsonb;
begin
  perform private.require_shelf(shelf);
  perform from public.drafts d where d.article_id = item or d.course_id = item for no key update;
  if shelf = 'articles' then
    select jsonb_build_object('is_published', a.is_published, 'is_featured', a.is_featured) into was
    from public.articles a where a.id = item for no key update;
  else
    select jsonb_build_object('is_published', c.is_published, 'is_featured', c.is_featured) into was
    from public.courses c where c.id = item for no key update;
  end if;
  if was is null then
    perform private.fail('FF430', 'There is no such article or course.');
  end if;
  becomes := was || jsonb_strip_nulls(jsonb_build_object('is_published', is_published, 'is_featured', is_featured));
  if not private.audit_change(
    admin, case shelf when 'articles' then 'article.edited' else 'course.edited' end,
    jsonb_build_object(case shelf when 'articles' then 'article' else 'course' end, item), was, becomes
  ) then
    return;
  end if;
  if shelf = 'articles' then
    update public.articles a
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where a.id = item;
  else
    update public.courses c
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where c.id = item;
  end if;
  perform private.keep_console_edits(item, array(
    select o.key from jsonb_each(was) o where o.value is distinct from becomes -> o.key
  ));
  if (was ->> 'is_published')::boolean and not (becomes ->> 'is_published')::boolean then
    perform private.review_withdrawn(item);
  end if;
end
$$;
comment on function private.edit_content_item(text, uuid, boolean, boolean) is
  'Publishes, withdraws or features an article or a course; null keeps a mark. A withdrawal has what is scheduled over it reviewed again. Reads and completions stay. Audited.';

-- The library takes addresses of at most 500 characters, and everything else the importer takes.
create or replace function private.course_issues(v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with modules as (
    select m.place, m.module ->> 'slug' as slug, m.module ->> 'title' as title, m.module ->> 'content' as content,
      (m.module ->> 'minutes')::integer as minutes, m.module ->> 'video_url' as video_url
    from jsonb_array_elements(v.modules) with ordinality m (module, place)
  )
  select 'excerpt', 'Write a description of at most 300 characters.' where char_length(v.excerpt) not between 1 and 300
  union all
  select 'modules', 'Add a module.' where not exists (select from modules)
  union all
  select 'modules', 'Give every module an address of its own.'
  where (select count(*) from modules) <> (select count(distinct m.slug) from modules m)
  union all
  select 'modules.' || m.place, i.message
  from modules m cross join lateral (
    select 'Write a title of at most 90 characters on one line.' as message
    where char_length(btrim(m.title)) not between 1 and 90 or m.title ~ '[[:cntrl:]]'
    union all
    select 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(m.slug)
    union all
    select 'Write the lesson.' where private.trim_markdown(m.content) = ''
    union all
    select 'The lesson has at most 200 KB of text.' where octet_length(m.content) > 204800
    union all
    select 'The lesson needs a heading “Exercise”.' where m.content !~ '(^|\n)## +Exercise *(\n|$)'
    union all
    select 'A module takes 1 to 600 minutes.' where m.minutes not between 1 and 600
    union all
    select 'Use a YouTube (no-cookie) or Vimeo player address, or a file of this site.'
    where m.video_url
      !~ '^(https://(www\.youtube-nocookie\.com/embed|player\.vimeo\.com/video)/[\w-]+|/(?!/)[\w./-]+\.(mp4|webm))$'
    union all
    select 'The address of a film has at most 500 characters.' where char_length(m.video_url) > 500
  ) i
$$;

-- Whatever the library refuses is set aside and told, so that it is not tried again each minute. Mentors who lapsed or are
-- suspended keep their schedule; what is due comes out once they are back.
create or replace function private.publish_due_drafts() returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  due record;
  published integer := 0;
begin
  for due in
    select d.id, d.version from public.drafts d
    where d.status = 'scheduled' and d.publish_at <= now() and (d.approved_by is not null or private.is_mentor(d.owner_id))
      and not exists (select from auth.users u where u.id = d.owner_id and u.banned_until > now())
    order by d.publish_at, d.id for update skip locked
  loop
    begin
      perform private.publish_draft_version(due.id, null);
      published := published + 1;
    exception when sqlstate 'FF654' or integrity_constraint_violation or data_exception then
      insert into public.draft_comments (draft_id, version, comment)
      values (due.id, due.version, 'This could not be published at its time. ' || case sqlstate
        when 'FF654' then 'Check the address and the subcategory, then submit it again.'
        else 'The library refused one of its fields. Shorten what is very long, then submit it again.'
      end);
      update public.drafts d set status = 'returned', publish_at = null, updated_at = clock_timestamp() where d.id = due.id;
    end;
  end loop;
  return published;
end
$$;
comment on function private.publish_due_drafts() is
  'Publishes what was scheduled for now or earlier, except of suspended mentors; returns what cannot be published. The number published.';
