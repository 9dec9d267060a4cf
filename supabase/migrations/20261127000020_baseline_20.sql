-- Part 20 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/content-days.sql

create function private.content_events(since timestamptz, until timestamptz)
  returns table (content_id uuid, event text, day date, amount integer)
  language sql stable set search_path = '' as $$
  select v.content_id, v.event, (v.happened_at at time zone 'UTC')::date, count(*)::integer
  from (
    select r.article_id as content_id, 'read' as event, r.created_at as happened_at
    from public.article_reads r where r.created_at >= since and r.created_at < until
    union all
    select e.course_id, 'enrolment', e.created_at
    from public.course_enrollments e where e.created_at >= since and e.created_at < until
    union all
    select e.course_id, 'completion', e.completed_at
    from public.course_enrollments e where e.completed_at >= since and e.completed_at < until
    union all
    select d.module_id, 'completion', d.created_at
    from public.module_completions d where d.created_at >= since and d.created_at < until
    union all
    select coalesce(q.article_id, q.module_id), 'question', q.created_at
    from private.content_questions q where q.created_at >= since and q.created_at < until
  ) v
  group by 1, 2, 3
$$;
comment on function private.content_events(timestamptz, timestamptz) is 'Events of all texts in a span of time by text and day (UTC), from the events themselves.';

create function private.lock_content_days(is_counting boolean) returns date
  language plpgsql volatile set search_path = '' as $$
declare
  lock_key constant bigint := hashtextextended('private.content_days', 0);
begin
  if is_counting then
    perform pg_advisory_xact_lock(lock_key);
  else
    perform pg_advisory_xact_lock_shared(lock_key);
  end if;
  -- Read after the lock was given.
  return (select s.counted_until from private.content_days_state s);
end
$$;
comment on function private.lock_content_days(boolean) is
  'Keeps deletions of events and the counting of days apart until the transaction ends; the first day that is not counted.';

-- A day is finished an hour after its end: by then every transaction that began in it has ended.
create function private.count_content_days(since date default null) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  counted_until constant date := private.lock_content_days(true);
  first constant date := least(coalesce(since, counted_until), counted_until);
  last constant date := greatest(((now() - interval '1 hour') at time zone 'UTC')::date, counted_until);
  written integer;
begin
  delete from private.content_days d where d.day >= first;
  insert into private.content_days (content_id, event, day, amount)
  select v.content_id, v.event, v.day, v.amount
  from private.content_events(first::timestamp at time zone 'UTC', last::timestamp at time zone 'UTC') v;
  get diagnostics written = row_count;
  update private.content_days_state set counted_until = last;
  return written;
end
$$;
comment on function private.count_content_days(date) is
  'Counts the finished days that are not counted yet, and those from a day on again; the number of rows written.';
grant execute on function private.count_content_days to service_role;

create function public.count_content_days() returns integer
  language sql volatile set search_path = '' as $$ select private.count_content_days() $$;
comment on function public.count_content_days() is 'Server: count the finished days that are not counted yet; the number of rows written.';
grant execute on function public.count_content_days to service_role;

-- Events that go away (a deleted account, a question taken back) go away from the day they were counted in.
create function private.tg_article_reads__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.article_id, 'read', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;

create function private.tg_course_enrollments__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.course_id, v.event, (v.happened_at at time zone 'UTC')::date, -count(*)
  from gone g
  cross join lateral (values ('enrolment', g.created_at), ('completion', g.completed_at)) as v (event, happened_at)
  where v.happened_at < counted_until group by 1, 2, 3;
  return null;
end
$$;

create function private.tg_module_completions__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.module_id, 'completion', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;

create function private.tg_content_questions__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select coalesce(g.article_id, g.module_id), 'question', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;

-- studio/course-versions.sql

create function private.modules_of_version(course uuid, wanted integer) returns setof uuid
  language sql stable set search_path = '' as $$
  select m.id from public.courses c join public.course_modules m on m.course_id = c.id
  where c.id = course and c.version = wanted and m.is_published
  union all
  select (m ->> 'id')::uuid from private.course_versions v cross join lateral jsonb_array_elements(v.modules) m
  where v.course_id = course and v.version = wanted
$$;
comment on function private.modules_of_version(uuid, integer) is 'Ids of the lessons of one version of a course.';

-- Titles, texts, films and their order make the version; minutes do not.
create function private.keep_course_version(course uuid, modules jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  current public.courses;
  kept jsonb;
begin
  select c.* into current from public.courses c where c.id = course for no key update;
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'slug', m.slug, 'title', m.title, 'content', m.content, 'module_order', m.module_order,
      'video_url', m.video_url, 'estimated_duration', m.estimated_duration
    ) order by m.module_order, m.id), '[]') into kept
  from public.course_modules m where m.course_id = course and m.is_published;
  if kept = '[]' or (
    select jsonb_agg(jsonb_build_array(k -> 'slug', k -> 'title', k -> 'content', k -> 'video_url') order by k.place)
    from jsonb_array_elements(kept) with ordinality k (k, place)
  ) = (
    select jsonb_agg(jsonb_build_array(
      n -> 'slug', btrim(n ->> 'title'), private.trim_markdown(n ->> 'content'), n -> 'video_url'
    ) order by n.place)
    from jsonb_array_elements(modules) with ordinality n (n, place)
  ) then
    return;
  end if;
  insert into private.course_versions (course_id, version, modules) values (course, current.version, kept);
  update public.courses c set version = c.version + 1 where c.id = course;
end
$$;
comment on function private.keep_course_version(uuid, jsonb) is
  'Keeps the published lessons as a version and begins the next one, when these modules differ from them.';

create function private.tg_course_enrollments__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;

-- @rpc authenticated (course_id)
-- The lessons of a course as they were when one began it, when a newer version has come out.
create function private.enrolled_course_version(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  return (
    select jsonb_agg(m.module || jsonb_build_object('completions', case when d.module_id is null then '[]'::jsonb
      else jsonb_build_array(jsonb_build_object('module_id', d.module_id)) end) order by m.place)
    from public.course_enrollments e
    join private.course_versions v on v.course_id = e.course_id and v.version = e.course_version
    cross join lateral jsonb_array_elements(v.modules) with ordinality m (module, place)
    left join public.module_completions d on d.user_id = caller and d.module_id = (m.module ->> 'id')::uuid
    where e.user_id = caller and e.course_id = course and e.completed_at is null
  );
end
$$;
comment on function private.enrolled_course_version(uuid) is
  'The lessons of the replaced version the caller takes, in order, with what is completed; null when it is the newest. FF405.';

-- @rpc authenticated (course_id)
-- Moves one's enrolment to the newest version of a course.
create function private.take_newest_version(course uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  -- In the order of all locks: the course first, so that no version comes out in between.
  perform from public.courses c where c.id = course for key share;
  update public.course_enrollments e set course_version = c.version
  from public.courses c where c.id = course and e.course_id = course and e.user_id = caller;
  perform private.refresh_progress(course, caller);
end
$$;
comment on function private.take_newest_version(uuid) is
  'Moves the caller to the newest version of a course; what was completed stays. FF405.';

-- Every save is a version, so that a mentor's history fills the limit of all versions together. They make room themselves.
-- @rpc authenticated (draft_id)
-- Mentors: delete all but the last version of each day of a draft, except those of the last day, the published one and those with
-- comments; how many.
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
comment on function private.keep_daily_versions(uuid) is
  'Deletes versions of the caller''s draft that are older than a day, but not the last of each day (UTC), the newest, the published one and those with comments; how many.';

-- studio/draft-limits.sql

-- Every save is kept, so that what the versions of one mentor take together has a limit. It is counted with each save.
create table private.draft_usage (
  user_id uuid primary key references auth.users (id) on delete cascade,
  bytes bigint not null
);
comment on table private.draft_usage is 'How many bytes the versions take that an account saved in the studio.';
alter table private.draft_usage enable row level security;

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

reset check_function_bodies;
