-- Part 20 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/draft-limits.sql

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

create function private.tg_draft_versions__note_files() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.note_version_files(new);
  return null;
end
$$;

-- studio/drafts.sql

create table private.trusted_mentors (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.trusted_mentors is 'Mentors who publish without a review. Set by administrators.';
alter table private.trusted_mentors enable row level security;

-- Who wrote a draft always reads it, at every level and without a membership.
create function private.caller_drafts() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select d.id from public.drafts d where d.owner_id = auth.uid();
end
$$;
comment on function private.caller_drafts() is 'Drafts the caller wrote.';
grant execute on function private.caller_drafts to authenticated;

-- The export has how much the versions take; the versions themselves come from private.export_versions.
create function private.export_part_studio(member uuid) returns jsonb
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

-- Mentors choose among all subcategories, also of levels they have not reached themselves.
-- @rpc authenticated
-- Mentors: the subcategories something can be published in.
create function private.studio_subcategories() returns table (id uuid, main_category text, slug text, name text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_mentor();
  return query
    select s.id, s.main_category, s.slug, s.name from public.subcategories s where s.is_active
    order by s.main_category, s.display_order, s.name;
end
$$;
comment on function private.studio_subcategories() is 'The subcategories something can be published in; FF650 for other callers than mentors.';

-- studio/files.sql

-- @rpc authenticated
-- Mentors: make a draft of a file, or name the one that is there already; draft_id and is_new.
create function private.import_draft(kind text, fields jsonb, again boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  target uuid;
begin
  perform private.enforce_rate_limit(caller, 'import_draft');
  -- The same import in two tabs: the second one finds the drafts of the first.
  perform pg_advisory_xact_lock(hashtextextended('import_draft:' || caller::text, 0));
  if again is not true then
    target := private.find_duplicate_draft(caller, kind, written);
    if target is not null then
      return jsonb_build_object('draft_id', target, 'is_new', false);
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, import_draft.kind, written.title) returning id into target;
  perform private.add_draft_version(target, 1, written);
  return jsonb_build_object('draft_id', target, 'is_new', true);
end
$$;
comment on function private.import_draft(text, jsonb, boolean) is
  'Creates a draft from a file of the caller, unless there is one with its address or title and again is not set: draft_id and is_new.';

-- The export of the studio names covers, so that their pictures are files beside the texts.
create function private.published_work(author uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(w.work order by w.display_order, w.slug), '[]') from (
    select a.display_order, a.slug, jsonb_build_object(
      'kind', 'article', 'subcategory_id', a.subcategory_id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt,
      'content', a.content, 'tags', a.tags, 'difficulty_level', 'beginner', 'price', 0, 'modules', '[]'::jsonb,
      'cover', a.featured_image_url, 'is_featured', a.is_featured, 'display_order', a.display_order,
      'has_published_version', false
    ) as work
    from public.articles a where a.author_id = author and a.is_published
    union all
    select c.display_order, c.slug, jsonb_build_object(
      'kind', 'course', 'subcategory_id', c.subcategory_id, 'slug', c.slug, 'title', c.title, 'excerpt', c.description,
      'content', '', 'tags', '[]'::jsonb, 'difficulty_level', c.difficulty_level, 'price', c.price,
      'cover', c.thumbnail_url, 'is_featured', c.is_featured, 'display_order', c.display_order,
      'has_published_version', false, 'modules', coalesce((
        select jsonb_agg(jsonb_build_object('slug', m.slug, 'title', m.title, 'content', m.content,
          'minutes', m.estimated_duration, 'video_url', m.video_url) order by m.module_order, m.slug)
        from public.course_modules m where m.course_id = c.id and m.is_published
      ), '[]')
    )
    from public.courses c where c.mentor_id = author and c.is_published
  ) w
$$;
comment on function private.published_work(uuid) is 'Articles and courses of an account as members read them, changes of the console included.';

-- Who wrote something takes it along, also without a membership.
-- @rpc authenticated
-- Mentors: everything one wrote, to be put into files.
create function private.export_studio() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  perform private.enforce_rate_limit(caller, 'export_studio');
  return jsonb_build_object(
    'subcategories', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'main_category', s.main_category, 'slug', s.slug, 'name', s.name, 'description', s.description,
        'color', s.color, 'icon', s.icon, 'open_to_mentors', s.open_to_mentors,
        'display_order', s.display_order
      ) order by s.main_category, s.display_order, s.slug), '[]')
      from public.subcategories s
      where s.id in (
        select a.subcategory_id from public.articles a where a.author_id = caller
        union all
        select c.subcategory_id from public.courses c where c.mentor_id = caller
        union all
        select v.subcategory_id from public.draft_versions v join public.drafts d on d.id = v.draft_id and d.version = v.version
        where d.owner_id = caller
      )
    ),
    'published', private.published_work(caller),
    'drafts', (
      select coalesce(jsonb_agg(
        to_jsonb(v) - '{draft_id,version,saved_by,saved_at}'::text[]
          || jsonb_build_object('kind', d.kind, 'is_featured', false, 'display_order', null,
            'has_published_version', private.is_in_library(d))
        order by d.created_at, d.id
      ), '[]')
      from public.drafts d join public.draft_versions v on v.draft_id = d.id and v.version = d.version
      where d.owner_id = caller and not (private.is_in_library(d) and d.published_version = d.version)
    )
  );
end
$$;
comment on function private.export_studio() is
  'Everything the caller wrote: published work, and the newest versions of drafts that differ from it, with their subcategories.';

-- studio/notifications.sql

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

create function private.tg_courses__notify_withdrawal() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.notify_of_withdrawal(new.id);
  return null;
end
$$;

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

-- studio/pictures.sql

-- Works name their picture by the storage's path, without an origin, so that it stays right when the server moves.
create function private.content_picture_name(address text) returns text
  language sql immutable set search_path = '' as $$
  select substring(address from
    '^/storage/v1/object/public/content-pictures/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))$')
$$;
comment on function private.content_picture_name(text) is
  'Name of the object in the bucket content-pictures, from the address a text shows; null for other addresses.';

-- Counted and added up under a lock for each account, and by the name, because the storage service of a hosted project
-- writes the row with its own role. P0001 is the code whose sentence the storage passes on.
create function private.tg_storage_objects__limit_content_pictures() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  mentor constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if mentor is null or auth.uid() <> mentor or not exists (select from auth.users u where u.id = mentor) then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('content-pictures:' || mentor, 0));
  if coalesce((new.metadata ->> 'size')::bigint, 0) + (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
    where o.bucket_id = 'content-pictures' and o.name like mentor || '-%'
  ) > 209715200 then
    perform private.fail('P0001', 'Your pictures have reached 200 MB together, which is the most. Unused ones are deleted after a day.');
  end if;
  begin
    perform private.enforce_rate_limit(mentor, 'content_picture');
  exception when sqlstate 'FF300' then
    perform private.fail('P0001', 'You can upload 60 pictures within an hour. Try again later.');
  end;
  return new;
end
$$;

create trigger storage_objects__limit_content_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'content-pictures')
  execute function private.tg_storage_objects__limit_content_pictures();

-- There is no policy for update or delete, so no client replaces a picture.
create policy insert_own_content_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'content-pictures'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(jpg|png)$')
    and (select private.caller_is_mentor())
  );

create policy select_own_content_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'content-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_admin()))
  );

-- A picture stays as long as its draft, so that every version can be restored with it.
-- @rpc service_role
-- Server: pictures of articles and courses to delete now.
create function private.content_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.image_name(a.featured_image_url) as name from public.articles a where a.featured_image_url is not null
    union
    select private.image_name(c.thumbnail_url) from public.courses c where c.thumbnail_url is not null
    union
    select private.text_picture_names(a.content) from public.articles a
    union
    select private.text_picture_names(m.content) from public.course_modules m
    union
    select private.text_picture_names(v.modules::text) from private.course_versions v
  )
  select o.name from storage.objects o
  where o.bucket_id = 'content-pictures' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.name = o.name)
    and not exists (select from private.draft_pictures p where p.name = o.name)
  order by o.name
  limit batch
$$;
comment on function private.content_pictures_to_purge(text, integer) is
  'Pictures older than a day that no article, no course and no version of either shows; by name, after the given one.';

-- Pictures inside articles and lessons: images of the mentor in the bucket content-pictures, checked when a draft is submitted or
-- published, and kept as long as any text names them.
create function private.text_picture_pattern() returns text
  language sql immutable set search_path = '' as $$
  select '!\[([^][\\`<>\n]*)\]\(/storage/v1/object/public/content-pictures/'
    || '([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))'
    || '(?:#[1-9][0-9]{0,3}x[1-9][0-9]{0,3})?\)'
$$;
comment on function private.text_picture_pattern() is
  'A picture in Markdown as the editor writes it: description, name in the bucket content-pictures, and its size in pixels after #.';

create function private.text_picture_names(markdown text) returns setof text
  language sql immutable set search_path = '' as $$
  -- However a text names a picture, it keeps it.
  select distinct m.match[1]
  from regexp_matches(
    markdown, '/content-pictures/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20}\.(?:jpg|png))', 'g'
  ) m (match)
  where strpos(markdown, '/content-pictures/') > 0
$$;
comment on function private.text_picture_names(text) is 'Names of the objects in the bucket content-pictures that a text mentions.';

-- studio/publishing-times.sql

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

-- studio/publishing.sql

-- Publishing a draft writes the rows the library reads, exactly as an import of files does (tools/content/apply.ts).
create function private.reading_minutes(markdown text) returns integer
  language sql immutable set search_path = '' as $$
  select greatest(1, ceil(count(*) / 200.0))::integer
  from regexp_split_to_table(markdown collate pg_catalog."und-x-icu", '\s+') w (word)
  where w.word ~ '[[:alnum:]]'
$$;
comment on function private.reading_minutes(text) is 'Minutes to read a text at 200 words a minute, rounded up; as tools/content/markdown.ts computes them.';

-- The text without the white space around it, as JavaScript trims.
create function private.trim_markdown(markdown text) returns text
  language sql immutable set search_path = '' as $$
  select regexp_replace(markdown, '^\s+|\s+$', '', 'g')
$$;
comment on function private.trim_markdown(text) is 'A text without white space before and after it.';

create function private.is_slug(slug text) returns boolean
  language sql immutable set search_path = '' as $$
  select slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80
$$;
comment on function private.is_slug(text) is 'True for what may be part of an address of the library.';

-- New modules are added before old ones are hidden; otherwise members might complete a course in between.
create function private.publish_modules(course uuid, modules jsonb) returns void
  language sql volatile set search_path = '' as $$
  insert into public.course_modules as t (course_id, slug, title, content, module_order, estimated_duration, video_url,
    is_published)
  select course, m.module ->> 'slug', btrim(m.module ->> 'title'), private.trim_markdown(m.module ->> 'content'), m.place,
    coalesce((m.module ->> 'minutes')::integer, private.reading_minutes(m.module ->> 'content')), m.module ->> 'video_url',
    true
  from jsonb_array_elements(modules) with ordinality m (module, place)
  on conflict (course_id, slug) do update set title = excluded.title, content = excluded.content,
    module_order = excluded.module_order, estimated_duration = excluded.estimated_duration,
    video_url = excluded.video_url, is_published = true;
  update public.course_modules t set is_published = false
  where t.course_id = course and t.is_published
    and not exists (select from jsonb_array_elements(modules) m where m ->> 'slug' = t.slug);
  update public.courses c set estimated_duration = (
    select coalesce(sum(m.estimated_duration), 0) from public.course_modules m where m.course_id = course and m.is_published
  ) where c.id = course
$$;
comment on function private.publish_modules(uuid, jsonb) is 'Writes the modules of a course. Modules that are gone are hidden; completions stay.';

create function private.publish_draft_version(draft uuid, publisher uuid) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  d public.drafts;
  v public.draft_versions;
  issues jsonb;
begin
  select t.* into strict d from public.drafts t where t.id = draft for update;
  select t.* into strict v from public.draft_versions t where t.draft_id = draft and t.version = d.version;
  -- One publication after another in a subcategory, so that order and address are unique.
  perform from public.subcategories s where s.id = v.subcategory_id for no key update;
  issues := private.draft_issues(d, v);
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
  if d.kind = 'article' then
    d.article_id := private.publish_article(d, v);
  else
    d.course_id := private.publish_course(d, v);
  end if;
  update public.drafts t
  set status = 'published', published_version = v.version, published_at = clock_timestamp(), publish_at = null,
    article_id = d.article_id, course_id = d.course_id, updated_at = clock_timestamp()
  where t.id = draft;
  perform private.audit(publisher, 'draft.published', d.owner_id, jsonb_build_object(
    'draft', draft, 'version', v.version,
    'before', jsonb_build_object('status', d.status, 'published_version', d.published_version),
    'after', jsonb_build_object('status', 'published', 'published_version', v.version)
  ));
end
$$;
comment on function private.publish_draft_version(uuid, uuid) is 'Publishes the newest version of a draft; FF654 with the issues in details. Audited.';

-- studio/reading-sources.sql

-- From where members came to an article or a course: one word of a fixed list, beside the row that is written anyway.
create function private.known_source(source text) returns text
  language sql immutable set search_path = '' as $$
  select case when source in ('category', 'search', 'room', 'today', 'profile') then source else 'other' end
$$;
comment on function private.known_source(text) is 'The source, or other for everything that is not on the list.';
grant execute on function private.known_source to authenticated;

create function private.record_open(article uuid, source text) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  is_first_of_day boolean;
begin
  insert into public.article_opens as o (user_id, article_id, last_opened_on, opened_from)
  values (caller, article, (now() at time zone 'UTC')::date, private.known_source(source))
  on conflict (user_id, article_id) do update set last_opened_on = excluded.last_opened_on
    where o.last_opened_on < excluded.last_opened_on;
  is_first_of_day := found;
  update public.article_opens o set last_opened_at = clock_timestamp()
  where o.user_id = caller and o.article_id = article;
  return is_first_of_day;
end
$$;
comment on function private.record_open(uuid, text) is
  'Records that the caller opened an article, and from where the first time; true for the first time on a day.';
grant execute on function private.record_open to authenticated;

-- @rpc authenticated (article_id, course_id)
-- Mentors: from where the readers of one of their articles or courses came.
create function private.sources_of_text(article uuid default null, course uuid default null)
  returns table (source text, members bigint, finished bigint)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_own_text(article, course);
  return query
    select coalesce(o.opened_from, 'unknown'), count(*), count(r.article_id)
    from public.article_opens o
    left join public.article_reads r on r.article_id = o.article_id and r.user_id = o.user_id
    where o.article_id = article group by 1
    union all
    select coalesce(e.enrolled_from, 'unknown'), count(*), count(e.completed_at)
    from public.course_enrollments e where e.course_id = course group by 1
    order by 2 desc, 1;
end
$$;
comment on function private.sources_of_text(uuid, uuid) is
  'From where readers of an article or students of a course came, and how many of them finished. unknown: before it was kept. FF650, FF740.';

create function private.article_analytics(article uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
begin
  perform private.require_own_text(article, null);
  return (
    with figures as materialized (
      select f.event, f.day, f.amount from private.content_figures(array[article]) f
    )
    select jsonb_build_object(
      'id', a.id, 'title', a.title, 'is_published', a.is_published, 'today', today,
      'readers', (select count(*) from public.article_opens o where o.article_id = a.id),
      'reads', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'read'),
      'questions', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'question'),
      'open_questions', (select count(*) from private.content_questions q where q.article_id = a.id and q.answer is null),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'reads', d.reads) order by d.day), '[]')
        from (
          select f.day, sum(f.amount) as reads from figures f where f.event = 'read' and f.day > today - 90 group by f.day
        ) d
      ),
      'comparison', private.article_comparison(a)
    )
    from public.articles a where a.id = article
  );
end
$$;
comment on function private.article_analytics(uuid) is
  'Everything the analytics of one article show but its sources and ratings: figures, 90 days, comparison. FF650, FF740.';

-- studio/review.sql

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

-- studio/saving.sql

-- Writing drafts: create, save with optimistic concurrency, restore.
create function private.is_mentor(account uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $function$
  select exists (
    select from public.profiles p
    where p.id = account
      and (private.is_verified_admin(p.id) or p.role = 'mentor' and p.onboarding_complete and private.has_live_membership(p.id))
  )
$function$;
comment on function private.is_mentor(uuid) is 'True for mentors with a live membership, and for administrators with a second factor.';

create function private.require_mentor() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not private.is_mentor(caller) then
    perform private.fail('FF650', 'Only mentors may do this.');
  end if;
  return caller;
end
$$;
comment on function private.require_mentor() is 'The calling mentor or administrator; FF001 or FF650 for other callers.';

-- Unknown fields are dropped; missing ones get the values of an empty draft.
create function private.draft_modules(modules jsonb) returns jsonb
  language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', coalesce(m.module ->> 'slug', ''), 'title', coalesce(m.module ->> 'title', ''),
    'content', coalesce(m.module ->> 'content', ''), 'minutes', (m.module ->> 'minutes')::integer,
    'video_url', nullif(m.module ->> 'video_url', '')
  ) order by m.place), '[]')
  from jsonb_array_elements(case jsonb_typeof(modules) when 'array' then modules else '[]' end)
    with ordinality m (module, place)
$$;
comment on function private.draft_modules(jsonb) is 'Modules of a draft with exactly the known fields. minutes is null when they are to be computed.';

reset check_function_bodies;
