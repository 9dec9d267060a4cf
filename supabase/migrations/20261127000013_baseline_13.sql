-- Part 13 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- levels/requirements.sql

-- The preview of a requirement counts every room a member has opened, and a requirement above what there is is refused.
create function private.progress_count_uncapped(progress public.user_progress, kind text, category text) returns integer
  language sql stable set search_path = '' as $$
  select case progress_count_uncapped.kind
    when 'rooms' then (
      select count(*)::integer from private.progress_ledger l
      where l.user_id = progress.user_id and l.kind = 'room_opened'
    )
    else private.progress_count(progress, progress_count_uncapped.kind, category)
  end
$$;
comment on function private.progress_count_uncapped(public.user_progress, text, text) is
  'A member''s count for one kind of requirement as it would be without room_count_limit.';

-- levels/today.sql

-- What stands first on a member's dashboard, in one answer. Each part asks the rules of reading now.

-- The order is that of the requirements on the screen.
create function private.next_requirement(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed, 'done', c.done,
    'room', case when r.kind = 'rooms' then private.next_room(member) end
  )
  from public.level_requirements r
  cross join lateral (
    select coalesce((
      select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
    ), 0) as done
  ) c
  where r.level = coalesce((select l.current_level from public.user_levels l where l.user_id = member), 1) and c.done < r.needed
  order by array_position(array['rooms', 'submissions', 'articles', 'courses', 'engagements'], r.kind)
  limit 1
$$;
comment on function private.next_requirement(uuid) is
  'The first requirement of a member''s level that is not met, with the member''s count and, for rooms, the one to open; null when all are met.';

-- Likes, a new level and an approved document ask nothing of the member. Questions are counted by themselves, because they
-- wait until they are answered, not until they are seen.
create function private.caller_waiting() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  kinds constant text[] := array(select k.kind from private.notification_kinds k where k.asks);
  total constant integer := (
    select count(*) from (
      select distinct v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
      from private.visible_notifications(caller) v where v.read_at is null and v.kind = any (kinds)
    ) groups
  );
  page jsonb;
  before timestamptz;
  items jsonb := '[]';
begin
  while jsonb_array_length(items) < least(total, 3) loop
    page := private.my_notifications(before, 50) -> 'items';
    exit when page = '[]';
    items := items || coalesce((
      select jsonb_agg(i.item order by i.place) from jsonb_array_elements(page) with ordinality i (item, place)
      where (i.item -> 'unread')::boolean and i.item ->> 'kind' = any (kinds)
    ), '[]');
    before := page -> -1 ->> 'created_at';
  end loop;
  return jsonb_build_object(
    'count', least(total, 99), 'items', jsonb_path_query_array(items, '$[0 to 2]'),
    'questions', case when private.is_mentor(caller) then jsonb_array_length(private.waiting_questions()) else 0 end
  );
end
$$;
comment on function private.caller_waiting() is
  'Unread notifications that ask something of the caller: how many (at most 99), the newest three, and the questions to answer.';

-- A course is offered by when the member last enrolled in it or completed one of its lessons.
create function private.caller_next_lesson() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'course_id', c.id, 'course', c.title, 'progress', e.progress_percentage, 'module', m.slug, 'title', m.title,
    'category', s.main_category, 'subcategory', s.slug,
    'is_training', s.open_to_mentors and exists (select from public.profiles p where p.id = e.user_id and p.role = 'mentor')
  )
  from public.course_enrollments e
  join public.courses c on c.id = e.course_id
  join public.subcategories s on s.id = c.subcategory_id
  cross join lateral (
    select n.slug, n.title from public.course_modules n
    where n.course_id = c.id and n.is_published
      and not exists (select from public.module_completions d where d.user_id = e.user_id and d.module_id = n.id)
    order by n.module_order, n.id limit 1
  ) m
  where e.user_id = auth.uid() and e.completed_at is null and c.id in (select private.caller_enrolled_courses())
  order by greatest(e.created_at, (
    select max(d.created_at) from public.module_completions d join public.course_modules n on n.id = d.module_id
    where d.user_id = e.user_id and n.course_id = c.id
  )) desc, c.id
  limit 1
$$;
comment on function private.caller_next_lesson() is
  'The next lesson of the course the caller last worked on and has not completed; null when there is none.';

create function private.caller_last_article() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'article_id', a.id, 'title', a.title, 'minutes', a.estimated_read_time, 'category', s.main_category, 'subcategory', s.slug
  )
  from public.article_opens o
  join public.articles a on a.id = o.article_id
  join public.subcategories s on s.id = a.subcategory_id
  where o.user_id = auth.uid() and a.is_published and s.id in (select private.caller_subcategories())
    and not exists (select from public.article_reads r where r.user_id = o.user_id and r.article_id = a.id)
  order by o.last_opened_on desc, o.last_opened_at desc nulls last, a.id
  limit 1
$$;
comment on function private.caller_last_article() is
  'The article the caller opened last of those not marked as read and open to them now; null when there is none.';

create function private.caller_latest_room_messages() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  open_rooms constant text[] := private.caller_room_ids();
  hidden constant uuid[] := array(
    select b.blocked_id from private.member_blocks b where b.user_id = caller
  );
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'room_id', w.room_id, 'room', w.room, 'unread', private.unread_count(caller, w.room_id), 'said_at', w.created_at,
      'excerpt', w.excerpt, 'author_id', p.id, 'author', btrim(concat_ws(' ', p.first_name, p.last_name)), 'avatar_url', p.avatar_url
    ) order by w.created_at desc, w.room_id)
    from (
      select r.id as room_id, r.name as room, m.user_id, m.created_at, m.excerpt
      from public.chat_rooms r
      cross join lateral (
        select g.user_id, g.created_at, private.excerpt(g.content) as excerpt from public.chat_messages g
        where g.chat_room_id = r.id and g.deleted_at is null and g.user_id <> all (hidden)
        order by g.created_at desc, g.id limit 1
      ) m
      where r.id = any (open_rooms)
      order by m.created_at desc, r.id limit 3
    ) w
    join public.profiles p on p.id = w.user_id
  ), '[]');
end
$$;
comment on function private.caller_latest_room_messages() is
  'The three rooms open to the caller with the newest messages, each with its last one by nobody the caller has blocked.';

create function private.caller_pact() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', p.submission_id, 'title', s.title, 'due_on', p.due_on, 'is_overdue', private.is_overdue(p.due_on)
  )
  from private.pacts p join public.learning_submissions s on s.id = p.submission_id
  where s.user_id = auth.uid() and p.closed_at is null
  order by p.due_on, p.submission_id limit 1
$$;
comment on function private.caller_pact() is 'The open pact of the caller that is due next; null when there is none.';

-- @rpc authenticated
-- What stands first on the caller's dashboard, in one answer.
create function private.my_today() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  level constant integer := private.effective_level(caller);
begin
  return jsonb_build_object(
    'level', level,
    'next_step', case when level > 0 then private.next_requirement(caller) end,
    'waiting', private.caller_waiting(),
    'baseline_until', private.baseline_until(caller),
    'pact', case when level > 0 then private.caller_pact() end,
    'continue', jsonb_build_object('lesson', private.caller_next_lesson(), 'article', private.caller_last_article()),
    'rooms', private.caller_latest_room_messages()
  );
end
$$;
comment on function private.my_today() is
  'The caller''s next step, what waits, until when the start of the guarantee can be written down, what was left open and the newest words of rooms. Without a level only what is told of the account.';

-- library/access.sql

-- What the caller may read. Policies call each function once a statement; plpgsql caches the plans.
create function private.open_categories(level integer) returns text[]
  language sql immutable set search_path = '' as $$
  select array(
    select c from unnest(array['general', 'business', 'wealth']) c where private.category_level(c) <= level
  )
$$;
comment on function private.open_categories(integer) is 'Main categories a level opens.';

create function private.caller_subcategories() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  level integer := private.caller_effective_level();
  open_to_caller text[] := private.open_categories(level);
  is_mentor boolean := level > 0
    and exists (select from public.profiles p where p.id = auth.uid() and p.role = 'mentor');
begin
  return query
    select s.id from public.subcategories s
    where s.is_active and (s.main_category = any (open_to_caller) or (is_mentor and s.open_to_mentors));
end
$$;
comment on function private.caller_subcategories() is 'Active subcategories in the categories the caller''s level opens, and for mentors those open to all mentors.';
grant execute on function private.caller_subcategories to authenticated;

-- Mentors see their own articles and courses at any level, and the subcategories those belong to.
create function private.caller_studio_subcategories() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select private.caller_subcategories();
  return query select a.subcategory_id from public.articles a where a.author_id = auth.uid();
  return query select c.subcategory_id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_studio_subcategories() is 'Subcategories the caller may see: those of the caller''s level and those with the caller''s own work.';
grant execute on function private.caller_studio_subcategories to authenticated;

create function private.caller_enrolled_courses() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select c.id from public.course_enrollments e
    join public.courses c on c.id = e.course_id
    where e.user_id = auth.uid() and c.is_published and c.subcategory_id in (select private.caller_subcategories());
end
$$;
comment on function private.caller_enrolled_courses() is 'Published courses the caller is enrolled in and has the level for.';
grant execute on function private.caller_enrolled_courses to authenticated;

create function private.caller_own_courses() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select c.id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_own_courses() is 'Courses the caller wrote.';
grant execute on function private.caller_own_courses to authenticated;

-- library/content-pages.sql

-- Titles and minutes only: the lessons themselves are for who is enrolled.
-- @rpc authenticated (course_id)
-- What a course holds, also before one enrols: titles and minutes of its modules.
create function private.course_syllabus(course uuid) returns table (title text, minutes integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_caller();
  if not exists (
    select from public.courses c where c.id = course
      and (c.is_published and c.subcategory_id in (select private.caller_subcategories())
        or c.mentor_id = auth.uid() or private.caller_is_admin())
  ) then
    perform private.fail('FF404', 'This course is not open to you.');
  end if;
  return query
    select m.title, m.estimated_duration from public.course_modules m
    where m.course_id = course and m.is_published order by m.module_order, m.id;
end
$$;
comment on function private.course_syllabus(uuid) is 'Titles and minutes of the published modules of a course the caller may see, in order; FF404.';

-- The mentor reads the sentences without names. What could tell whose they are is left out: the day, their order within a month,
-- and gaps made by a block.
create function private.require_own_text(article uuid, course uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
begin
  if num_nonnulls(article, course) <> 1 or not exists (
    select from public.articles a where a.id = article and (a.author_id = caller or private.caller_is_admin())
    union all
    select from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin())
  ) then
    perform private.fail('FF740', 'There is no such text.');
  end if;
  return caller;
end
$$;
comment on function private.require_own_text(uuid, uuid) is
  'The caller, to whom the article or course belongs, any for administrators; raises FF650 or FF740.';

-- @rpc authenticated (article_id, course_id)
-- Mentors: the ratings of one of their articles or courses with the sentences.
create function private.ratings_of_text(article uuid default null, course uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_own_text(article, course);
  return (
    with ratings as materialized (
      select r.* from private.content_ratings r where r.article_id = article or r.course_id = course
    )
    select jsonb_build_object(
      'count', (select count(*) from ratings), 'average', (select round(avg(r.stars), 1) from ratings r),
      'distribution', (
        select jsonb_agg((select count(*) from ratings r where r.stars = s) order by s) from generate_series(1, 5) s
      ),
      'may_take_down', private.caller_is_verified_admin(),
      'sentences', coalesce((
        select jsonb_agg(jsonb_build_object('id', w.id, 'stars', w.stars, 'sentence', w.sentence, 'month', w.month)
          order by w.month desc, w.id)
        from (
          select r.id, r.stars, r.sentence, date_trunc('month', r.rated_at at time zone 'utc')::date as month
          from ratings r where r.sentence is not null order by month desc, r.id limit 100
        ) w
      ), '[]')
    )
  );
end
$$;
comment on function private.ratings_of_text(uuid, uuid) is
  'How many members gave one to five stars to a text of the caller, and a hundred sentences of the newest months. FF650, FF740.';

-- @rpc authenticated
-- Administrators: remove the sentence of a rating.
create function private.remove_rating_comment(rating_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  changed private.content_ratings;
begin
  update private.content_ratings r set sentence = null where r.id = rating_id and r.sentence is not null returning r.* into changed;
  if changed.id is null then
    perform private.fail('FF734', 'This sentence is no longer here.');
  end if;
  perform private.audit(admin, 'rating.sentence_removed', changed.user_id, jsonb_build_object(
    'rating_id', changed.id, 'article_id', changed.article_id, 'course_id', changed.course_id,
    'before', 'shown', 'after', 'removed'
  ));
end
$$;
comment on function private.remove_rating_comment(uuid) is 'Removes the sentence of a rating; its stars stay. FF005, FF734. Audited without its words.';

-- library/course-films.sql

-- A lesson names its film by the storage's path, without an origin, so that it stays right when the server moves.
create function private.film_stem(address text) returns text
  language sql immutable set search_path = '' as $$
  select substring(address from
    '^/storage/v1/object/authenticated/course-films/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[0-9]{1,20})\.(?:mp4|webm)$')
$$;
comment on function private.film_stem(text) is 'Name of an uploaded film without its extension, from the address in a lesson; null for other addresses.';

create function private.caller_is_mentor() returns boolean
  language sql stable security definer set search_path = '' as $$
  select auth.uid() is not null and private.is_mentor(auth.uid())
$$;
comment on function private.caller_is_mentor() is 'True for a mentor with a live membership, and for administrators.';
grant execute on function private.caller_is_mentor to authenticated;

-- Films of lessons the caller may read: as a member of the course, in the version that was begun, and as a buyer.
create function private.caller_films() returns setof text
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  return query
    select private.film_stem(m.video_url) from public.course_modules m
    where m.is_published and m.video_url like '/storage/%' and m.course_id in (select private.caller_enrolled_courses());
  return query
    select private.film_stem(l.lesson ->> 'video_url')
    from public.course_enrollments e
    join private.course_versions v on v.course_id = e.course_id and v.version = e.course_version
    cross join lateral jsonb_array_elements(v.modules) l (lesson)
    where e.user_id = caller and e.completed_at is null and l.lesson ->> 'video_url' like '/storage/%'
      and e.course_id in (select private.caller_enrolled_courses());
  return query
    select private.film_stem(l.lesson ->> 'video_url')
    from private.live_course_purchases p
    join public.courses c on c.id = p.course_id
    -- A buyer moves on to the newest version when they like, and reads it once the bought one is completed.
    cross join lateral (values (c.version), (private.bought_version(caller, c.id))) t (version)
    cross join lateral private.lessons_of_version(c.id, t.version, caller) l
    where p.user_id = caller and l.lesson ->> 'video_url' like '/storage/%';
end
$$;
comment on function private.caller_films() is 'Names without extension of the uploaded films in lessons that the caller may read.';
grant execute on function private.caller_films to authenticated;

-- Counted and added up under a lock for each account, and by the name, because the storage service of a hosted project
-- writes the row with its own role. P0001 is the code whose sentence the storage passes on.
create function private.tg_storage_objects__limit_films() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  mentor constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
  size constant bigint := coalesce((new.metadata ->> 'size')::bigint, 0);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if mentor is null or auth.uid() <> mentor or not exists (select from auth.users u where u.id = mentor) then
    return new;
  end if;
  if new.name like '%.vtt' and size > 262144 then
    perform private.fail('P0001', 'Captions can have at most 256 KB.');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('course-films:' || mentor, 0));
  if size + (
    select coalesce(sum((o.metadata ->> 'size')::bigint), 0) from storage.objects o
    where o.bucket_id = 'course-films' and o.name like mentor || '-%'
  ) > 1073741824 then
    perform private.fail('P0001', 'Your films have reached 1 GB together, which is the most. Unused ones are deleted after 30 days.');
  end if;
  begin
    perform private.enforce_rate_limit(mentor, 'film_upload');
  exception when sqlstate 'FF300' then
    perform private.fail('P0001', 'You can upload 60 files within an hour. Try again later.');
  end;
  return new;
end
$$;

create trigger storage_objects__limit_films before insert on storage.objects
  for each row when (new.bucket_id = 'course-films')
  execute function private.tg_storage_objects__limit_films();

-- There is no policy for update or delete, so no client replaces a film.
create policy insert_own_course_film on storage.objects for insert to authenticated
  with check (
    bucket_id = 'course-films'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(mp4|webm|vtt)$')
    and (select private.caller_is_mentor())
  );

-- A version keeps its film for thirty days after a newer one. What is or was published keeps it for good, also when its mentor's
-- account is deleted: members and buyers still have the course.
-- @rpc service_role
-- Server: films to delete now.
create function private.course_films_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  with used as (
    select private.film_stem(m.video_url) as stem from public.course_modules m where m.video_url like '/storage/%'
    union
    select private.film_stem(l.lesson ->> 'video_url')
    from private.course_versions v cross join lateral jsonb_array_elements(v.modules) l (lesson)
    where l.lesson ->> 'video_url' like '/storage/%'
    union
    select f.stem from private.draft_films f
    where not exists (
      select from public.draft_versions n
      where n.draft_id = f.draft_id and n.version > f.last_version and n.saved_at < now() - interval '30 days'
    )
  )
  select o.name from storage.objects o
  where o.bucket_id = 'course-films' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (select from used u where u.stem = split_part(o.name, '.', 1))
  order by o.name
  limit batch
$$;
comment on function private.course_films_to_purge(text, integer) is
  'Films and captions older than a day that no lesson and no version shows; by name, after the given one.';

-- library/courses.sql

-- Courses. Counts and progress sent by a client are replaced with the stored values.
create function private.tg_courses__keep_counts() returns trigger
  language plpgsql set search_path = '' as $$
begin
  return case when private.is_outside_caller() then old else new end;
end
$$;

create function private.tg_course_enrollments__keep_progress() returns trigger
  language plpgsql set search_path = '' as $$
begin
  return case when private.is_outside_caller() then old else new end;
end
$$;

create function private.tg_course_enrollments__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id = auth.uid() then
    if not exists (
      select from public.courses c
      where c.id = new.course_id and c.is_published and c.subcategory_id in (select private.caller_subcategories())
    ) then
      perform private.fail('FF404', 'This course is not open to you.');
    end if;
    new.enrolled_from := private.known_source(new.enrolled_from);
  end if;
  return new;
end
$$;

-- Courses are always locked in the same order, which rules out deadlocks.
create function private.tg_course_enrollments__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.courses c where c.id in (select course_id from changed) order by c.id for no key update;
  update public.courses c
  set enrollment_count = greatest(0, c.enrollment_count + case tg_op when 'INSERT' then n.members else -n.members end)
  from (select course_id, count(*)::integer as members from changed group by course_id) n
  where c.id = n.course_id;
  return null;
end
$$;

-- Progress is a share of the version the member takes.
create function private.refresh_progress(course uuid, member uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  category text := (
    select s.main_category from public.courses c join public.subcategories s on s.id = c.subcategory_id where c.id = course
  );
  mentor constant uuid := (select c.mentor_id from public.courses c where c.id = course);
  taken integer;
  modules uuid[];
  enrolment record;
begin
  -- Counted after the lock is taken.
  perform from public.course_enrollments e
  where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member)
  order by e.user_id for update;
  for taken in
    select distinct e.course_version from public.course_enrollments e
    where e.course_id = course and e.completed_at is null and (member is null or e.user_id = member) order by 1
  loop
    modules := array(select private.modules_of_version(course, taken));
    continue when cardinality(modules) = 0;
    for enrolment in
      select e.user_id, (
        select count(*) from public.module_completions d where d.user_id = e.user_id and d.module_id = any (modules)
      )::integer as done
      from public.course_enrollments e
      where e.course_id = course and e.completed_at is null and e.course_version = taken and (member is null or e.user_id = member)
      order by e.user_id
    loop
      update public.course_enrollments e
      set progress_percentage = round(100.0 * enrolment.done / cardinality(modules)),
        completed_at = case when enrolment.done = cardinality(modules) then clock_timestamp() end
      where e.course_id = course and e.user_id = enrolment.user_id;
      -- Mentors complete their own courses as members do, but nobody rises by their own text.
      if enrolment.done = cardinality(modules) and enrolment.user_id is distinct from mentor then
        perform private.record_progress_event(enrolment.user_id, 'course_completed', course::text, category);
      end if;
    end loop;
  end loop;
end
$$;
comment on function private.refresh_progress(uuid, uuid) is
  'Updates the progress of uncompleted enrolments of one member or of all; completes those with every module done.';

-- A lesson that is gone from the course is still completed by who takes the version it belongs to.
create function private.lock_enrollment(module uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  course uuid;
begin
  select m.course_id into course from public.course_modules m
  where m.id = module and (m.is_published or exists (
    select from public.course_enrollments e
    where e.user_id = caller and e.course_id = m.course_id and e.completed_at is null
      and m.id in (select private.modules_of_version(e.course_id, e.course_version))
  )) for key share;
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  perform from public.course_enrollments e where e.user_id = caller and e.course_id = course for update;
end
$$;
comment on function private.lock_enrollment(uuid) is 'Locks the caller''s enrolment in the course of a module; raises FF405 without one.';
grant execute on function private.lock_enrollment to authenticated;

create function private.tg_module_completions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() and new.user_id = auth.uid() then
    perform private.lock_enrollment(new.module_id);
  end if;
  return new;
end
$$;

create function private.tg_module_completions__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.refresh_progress(p.course_id, p.user_id)
  from (
    select distinct m.course_id, a.user_id from added a
    join public.course_modules m on m.id = a.module_id order by m.course_id, a.user_id
  ) p;
  return null;
end
$$;

-- Adding or removing a module changes the progress of every member who has not completed the course.
create function private.tg_course_modules__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  course uuid;
begin
  for course in select distinct c.course_id from changed c order by c.course_id loop
    perform from public.courses c where c.id = course for no key update;
    update public.courses c set module_count = m.modules
    from (
      select count(*)::integer as modules from public.course_modules m where m.course_id = course and m.is_published
    ) m
    where c.id = course and c.module_count <> m.modules;
    perform private.refresh_progress(course);
  end loop;
  return null;
end
$$;

-- library/pages.sql

-- One request for each page. These functions run with the caller's rights, so the policies apply.
create function private.category_access(category text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  needed integer := private.category_level(category);
  level integer := private.caller_effective_level();
begin
  if needed is null then
    perform private.fail('FF406', 'There is no such category.');
  end if;
  return jsonb_build_object(
    'category', category, 'required_level', needed, 'level', level, 'is_open', level >= needed
  );
end
$$;
comment on function private.category_access(text) is 'The category with its level, the caller''s level and whether it is open, for every page of the library.';
grant execute on function private.category_access to authenticated;

create function private.require_shelf(shelf text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if shelf is null or shelf not in ('articles', 'courses') then
    perform private.fail('FF407', 'A shelf holds articles or courses.');
  end if;
end
$$;
comment on function private.require_shelf(text) is 'Raises FF407 for anything but articles and courses.';
grant execute on function private.require_shelf to authenticated;

create function public.category_home(category text, shelf text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  gate jsonb := private.category_access(category);
  cards jsonb;
begin
  perform private.require_shelf(shelf);
  with items as (
    select a.subcategory_id, r.article_id is not null as done, false as free, false as begun
    from public.articles a
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where shelf = 'articles' and a.is_published
    union all
    select c.subcategory_id, e.completed_at is not null, c.is_free, e.course_id is not null
    from public.courses c
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where shelf = 'courses' and c.is_published
  ),
  counts as (
    select i.subcategory_id, count(*)::integer as items, (count(*) filter (where i.done))::integer as done,
      (count(*) filter (where i.free))::integer as free, (count(*) filter (where i.begun))::integer as begun
    from items i group by i.subcategory_id
  )
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', s.id, 'slug', s.slug, 'name', s.name, 'description', s.description, 'color', s.color, 'icon', s.icon,
      'item_count', coalesce(n.items, 0), 'done_count', coalesce(n.done, 0),
      'free_count', coalesce(n.free, 0), 'enrolled_count', coalesce(n.begun, 0),
      'progress', coalesce(round(100.0 * n.done / n.items), 0), 'is_complete', coalesce(n.done = n.items, false)
    ) order by s.display_order, s.name), '[]')
    into cards
  from public.subcategories s left join counts n on n.subcategory_id = s.id
  where s.main_category = category and s.is_active;
  return gate || jsonb_build_object('shelf', shelf, 'subcategories', cards);
end
$$;
comment on function public.category_home(text, text) is
  'The page of a category as one object: the category and a card for each subcategory with the caller''s counts.';
grant execute on function public.category_home to authenticated;

-- What a page about a text shows: whose it is, how it is rated, and what a course holds before one enrols.
create function private.article_cards(subcategory uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', a.id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt, 'featured_image_url', a.featured_image_url,
      'is_featured', a.is_featured, 'estimated_read_time', a.estimated_read_time, 'tags', a.tags,
      'read_count', a.read_count, 'created_at', a.created_at,
      'author_id', a.author_id, 'author_first_name', p.first_name, 'author_role', p.role,
      'rating_count', a.rating_count, 'rating', round(a.rating_sum::numeric / nullif(a.rating_count, 0), 1),
      'is_read', r.article_id is not null
    ) order by a.is_featured desc, a.created_at desc, a.display_order)
    from public.articles a
    left join public.profiles p on p.id = a.author_id
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where a.subcategory_id = subcategory and a.is_published
  ), '[]');
end
$$;
comment on function private.article_cards(uuid) is 'Cards of the published articles of a subcategory, featured first, then newest.';
grant execute on function private.article_cards to authenticated;

create function private.course_cards(subcategory uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'slug', c.slug, 'title', c.title, 'description', c.description, 'thumbnail_url', c.thumbnail_url,
      'is_featured', c.is_featured, 'is_free', c.is_free, 'price', c.price, 'estimated_duration', c.estimated_duration,
      'difficulty_level', c.difficulty_level, 'enrollment_count', c.enrollment_count, 'module_count', c.module_count,
      'created_at', c.created_at, 'mentor_id', c.mentor_id, 'mentor_first_name', p.first_name, 'mentor_role', p.role,
      'rating_count', c.rating_count, 'rating', round(c.rating_sum::numeric / nullif(c.rating_count, 0), 1),
      'is_enrolled', e.course_id is not null, 'progress_percentage', coalesce(e.progress_percentage, 0),
      'completed_at', e.completed_at
    ) order by c.is_featured desc, c.created_at desc, c.display_order)
    from public.courses c
    left join public.profiles p on p.id = c.mentor_id
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where c.subcategory_id = subcategory and c.is_published
  ), '[]');
end
$$;
comment on function private.course_cards(uuid) is 'Cards of the published courses of a subcategory, featured first, then newest.';
grant execute on function private.course_cards to authenticated;

create function public.subcategory_page(category text, slug text, shelf text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  gate jsonb := private.category_access(category);
  found_shelf public.subcategories;
begin
  perform private.require_shelf(shelf);
  select s.* into found_shelf from public.subcategories s
  where s.main_category = category and s.slug = subcategory_page.slug and s.is_active;
  if not found then
    return gate || jsonb_build_object('shelf', shelf, 'subcategory', null, 'items', '[]'::jsonb);
  end if;
  return gate || jsonb_build_object(
    'shelf', shelf,
    'subcategory', jsonb_build_object(
      'id', found_shelf.id, 'slug', found_shelf.slug, 'name', found_shelf.name,
      'description', found_shelf.description, 'color', found_shelf.color, 'icon', found_shelf.icon
    ),
    'items', case shelf when 'articles' then private.article_cards(found_shelf.id) else private.course_cards(found_shelf.id) end
  );
end
$$;
comment on function public.subcategory_page(text, text, text) is
  'The page of a subcategory as one object: the category, the subcategory (null when the caller sees none) and its cards.';
grant execute on function public.subcategory_page to authenticated;

-- library/question-reading.sql

-- Reading questions, what is told of them, and the export of their data.

-- Open questions come first for those who may answer them, so that none is lost behind the page's 100.
-- @rpc authenticated (article_id, module_id)
-- Questions under one article or one lesson, with what the caller may do there.
create function private.questions_of(article uuid default null, module uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  answers constant boolean := private.may_answer(caller, article, module);
  is_admin constant boolean := private.caller_is_admin();
begin
  if num_nonnulls(article, module) <> 1 or not private.may_read_text(caller, article, module) then
    perform private.fail('FF720', 'This text is not open to you.');
  end if;
  return jsonb_build_object(
    'may_ask', private.caller_is_member() and private.text_author(article, module) is distinct from caller,
    'may_answer', answers,
    'may_remove', is_admin,
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', q.id, 'question', q.question, 'created_at', q.created_at, 'is_own', q.user_id = caller,
        'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.user_id),
        'answer', q.answer, 'answered_at', q.answered_at,
        'answerer', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.answered_by)
      ) order by q.is_waiting desc, q.created_at desc, q.id)
      from (
        select o.*, (answers and o.answer is null) as is_waiting from private.content_questions o
        where (o.article_id = article or o.module_id = module)
          and (is_admin or not private.is_blocked_between(caller, o.user_id))
        order by is_waiting desc, o.created_at desc, o.id limit 100
      ) q
    ), '[]')
  );
end
$$;
comment on function private.questions_of(uuid, uuid) is 'The newest 100 questions under a text the caller may read; raises FF720 otherwise.';

-- A text whose mentor is gone or no longer pays is answered by administrators, as those of the house are.
create function private.tg_content_questions__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  author constant uuid := private.text_author(new.article_id, new.module_id);
  has_mentor constant boolean := coalesce(private.is_mentor(author), false);
begin
  if tg_op = 'INSERT' then
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'question', new.user_id, new.id, new.id from public.profiles r
    where r.id <> new.user_id and case when has_mentor then r.id = author else r.role = 'admin' end
    for key share skip locked
    on conflict do nothing;
  else
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'answer', new.answered_by, new.id, new.id from public.profiles r
    where r.id = new.user_id and r.id <> new.answered_by
    for key share skip locked
    on conflict do nothing;
  end if;
  return null;
end
$$;

-- Where a question stands, in the parts of an address of the library.
create function private.question_place(question_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('category', s.main_category, 'subcategory', s.slug,
    'shelf', case when q.article_id is null then 'courses' else 'articles' end,
    'item_id', coalesce(a.id, c.id), 'module', m.slug, 'title', coalesce(a.title, m.title))
  from private.content_questions q
  left join public.articles a on a.id = q.article_id
  left join public.course_modules m on m.id = q.module_id
  left join public.courses c on c.id = m.course_id
  join public.subcategories s on s.id = coalesce(a.subcategory_id, c.subcategory_id)
  where q.id = question_id
$$;
comment on function private.question_place(uuid) is 'Category, subcategory, shelf, item, lesson and title of the text a question is under.';

-- Whom one answered and who answered are other persons: of an answer stays what the account itself wrote.
create function private.export_part_questions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('content_questions', coalesce((
    select jsonb_agg(
      to_jsonb(q) - 'user_id' - 'answered_by'
        - case when q.user_id = member then '' else 'question' end
      order by q.created_at, q.id
    ) from private.content_questions q where member in (q.user_id, q.answered_by)
  ), '[]'))
$$;
comment on function private.export_part_questions(uuid) is
  'Questions one account asked with their answers, and answers it gave without the questions.';

-- @rpc authenticated
-- Questions that wait for the caller: under their own texts, or all of them for administrators.
create function private.waiting_questions() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', w.id, 'question', w.question, 'created_at', w.created_at, 'place', private.question_place(w.id),
      'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = w.user_id)
    ) order by w.created_at, w.id)
    from (
      select q.* from private.content_questions q
      where q.answer is null
        and (is_admin or private.text_author(q.article_id, q.module_id) = caller
          and not private.is_blocked_between(caller, q.user_id))
      order by q.created_at, q.id limit 100
    ) w
  ), '[]');
end
$$;
comment on function private.waiting_questions() is 'The oldest 100 questions the caller may answer that have no answer; FF650 for members who are no mentors.';

create function private.notification_part_questions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  return query
  select n.id, jsonb_build_object(
    'excerpt', private.excerpt(case n.kind when 'question' then q.question else q.answer end), 'place', private.question_place(q.id)
  )
  from private.newest_notifications(member, array['question', 'answer']) n
  join private.content_questions q on q.id = n.subject_id
  where private.may_read_text(member, q.article_id, q.module_id)
    and case n.kind when 'answer' then q.answer is not null else private.may_answer(member, q.article_id, q.module_id) end;
end
$$;
comment on function private.notification_part_questions(uuid) is
  'Questions the member may answer, and answers to their own, under texts they may read.';

-- library/questions.sql

create function private.text_author(article uuid, module uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select a.author_id from public.articles a where a.id = article
  union all
  select c.mentor_id from public.course_modules m join public.courses c on c.id = m.course_id where m.id = module
$$;
comment on function private.text_author(uuid, uuid) is 'Who wrote an article or lesson; null for those of the house.';

reset check_function_bodies;
