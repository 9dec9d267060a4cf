-- Part 21 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/saving.sql

-- @rpc authenticated
-- Mentors: begin an article or a course; its id.
create function private.create_draft(kind text, fields jsonb default '{}') returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  created uuid;
begin
  perform private.enforce_rate_limit(caller, 'create_draft');
  -- A new one that nothing was written in is opened again, instead of a second one without a title.
  if fields = '{}' then
    select d.id into created from public.drafts d
    join public.draft_versions v on v.draft_id = d.id and v.version = d.version
    where d.owner_id = caller and d.kind = create_draft.kind and d.status = 'draft' and d.version = 1
      and private.is_same_version(v, written)
    order by d.created_at desc limit 1 for update of d;
    if found then
      update public.drafts d set updated_at = clock_timestamp() where d.id = created;
      return created;
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, create_draft.kind, written.title) returning id into created;
  perform private.add_draft_version(created, 1, written);
  return created;
end
$$;
comment on function private.create_draft(text, jsonb) is 'Creates a draft with its first version; its id. Without fields, a draft that nothing was written in is given again.';

-- A request that is sent again after its answer was lost finds its own version and is no conflict.
-- @rpc authenticated (draft_id, expected_version, fields)
-- Mentors: save a new version of a draft; its number.
create function private.save_draft(draft uuid, expected_version integer, fields jsonb) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  target public.drafts;
  newest public.draft_versions;
  written public.draft_versions;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select d.* into target from public.drafts d where d.id = draft and d.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if target.status in ('submitted', 'scheduled', 'archived') then
    perform private.fail('FF653', 'The draft is in another state.', target.status);
  end if;
  written := private.draft_from(target.kind, fields);
  select v.* into newest from public.draft_versions v where v.draft_id = draft and v.version = target.version;
  if private.is_same_version(newest, written)
    and (expected_version = target.version or expected_version = target.version - 1 and newest.saved_by = caller) then
    return target.version;
  end if;
  if expected_version is distinct from target.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', target.version::text);
  end if;
  perform private.add_draft_version(draft, target.version + 1, written);
  return target.version + 1;
end
$$;
comment on function private.save_draft(uuid, integer, jsonb) is
  'Saves a new version of the caller''s draft; its number. FF652 when the newest version is not the expected one.';

-- @rpc authenticated (draft_id, version, expected_version)
-- Mentors: make an earlier version the newest one.
create function private.restore_draft_version(draft uuid, version integer, expected_version integer) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  old_version public.draft_versions;
begin
  select v.* into old_version from public.draft_versions v
  where v.draft_id = draft and v.version = restore_draft_version.version and v.draft_id in (select private.caller_drafts());
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  return private.save_draft(draft, expected_version, to_jsonb(old_version));
end
$$;
comment on function private.restore_draft_version(uuid, integer, integer) is 'Saves an earlier version as the newest one; its number.';

-- studio/student-nudges.sql

create function private.may_take_course(member uuid, course uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  level constant integer := private.effective_level(member);
  allowed constant text[] := private.open_categories(level);
begin
  return exists (
    select from public.courses c join public.subcategories s on s.id = c.subcategory_id
    where c.id = course and c.is_published and s.is_active
      and (s.main_category = any (allowed)
        or s.open_to_mentors and level > 0 and exists (select from public.profiles p where p.id = member and p.role = 'mentor'))
  );
end
$$;
comment on function private.may_take_course(uuid, uuid) is 'True when the course is open to the account now.';

create function private.last_course_activity(member uuid, course uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select greatest(e.created_at, e.completed_at, (
    select max(d.created_at) from public.module_completions d
    where d.user_id = member and d.module_id in (select m.id from public.course_modules m where m.course_id = course)
  ))
  from public.course_enrollments e where e.user_id = member and e.course_id = course
$$;
comment on function private.last_course_activity(uuid, uuid) is 'When a student enrolled, completed a lesson or the course last.';

create function private.has_paused(last_active_at timestamptz) returns boolean
  language sql stable set search_path = '' as $$ select last_active_at <= now() - interval '7 days' $$;
comment on function private.has_paused(timestamptz) is 'True a week after the last activity.';

create function private.may_nudge_again(nudged_at timestamptz) returns boolean
  language sql stable set search_path = '' as $$ select coalesce(nudged_at <= now() - interval '14 days', true) $$;
comment on function private.may_nudge_again(timestamptz) is 'True two weeks after the last reminder, or without one.';

-- Who is not listed, blocked by the mentor or has finished is answered as an account that never enrolled. A student whose
-- membership has lapsed or who has blocked the mentor is told nothing, and the mentor learns nothing of either.
-- @rpc authenticated (course_id, student_id)
-- Mentors: remind a student who paused one of their courses.
create function private.nudge_student(course uuid, student uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform private.require_own_course(course);
  if student = caller or not exists (
    select from public.course_enrollments e left join public.profile_choices c on c.user_id = e.user_id
    where e.course_id = course and e.user_id = student and e.completed_at is null
      and coalesce(c.is_listed, true)
      and not exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = student)
  ) then
    perform private.fail('FF741', 'This student cannot be reminded.');
  end if;
  if not private.has_paused(private.last_course_activity(student, course)) then
    perform private.fail('FF742', 'This student was active in the last seven days.');
  end if;
  perform private.enforce_rate_limit(caller, 'nudge');
  insert into private.student_nudges as n (course_id, student_id) values (course, student)
  on conflict (course_id, student_id) do update set nudged_at = excluded.nudged_at
    where private.may_nudge_again(n.nudged_at);
  if not found then
    perform private.fail('FF743', 'This student was reminded in the last 14 days.');
  end if;
  if private.may_take_course(student, course) then
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id, detail)
    select p.id, 'nudge', caller, course, course, (now() at time zone 'UTC')::date::text
    from public.profiles p where p.id = student for key share of p skip locked on conflict do nothing;
  end if;
end
$$;
comment on function private.nudge_student(uuid, uuid) is
  'Reminds a student of the caller''s course who paused it; raises FF650, FF740, FF741, FF742, FF743 or FF300.';

create function private.notification_part_nudges(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  return query
  select n.id, jsonb_build_object('place', jsonb_build_object(
    'category', s.main_category, 'shelf', 'courses', 'subcategory', s.slug, 'item_id', c.id, 'module', null, 'title', c.title
  ))
  from private.newest_notifications(member, array['nudge']) n
  join public.course_enrollments e on e.course_id = n.group_id and e.user_id = member and e.completed_at is null
  join public.courses c on c.id = n.group_id
  join public.subcategories s on s.id = c.subcategory_id
  -- A student whom the mentor has blocked keeps the line, because its going would tell them.
  where private.may_take_course(member, c.id)
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = n.actor_id);
end
$$;
comment on function private.notification_part_nudges(uuid) is
  'Reminders of courses that the member still takes and may open now, from nobody whom the member has blocked.';

create function private.export_part_nudges(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('student_nudges', coalesce((
    select jsonb_agg(to_jsonb(n) - 'student_id' order by n.nudged_at, n.course_id)
    from private.student_nudges n where n.student_id = member
  ), '[]'))
$$;
comment on function private.export_part_nudges(uuid) is 'When one account was reminded of courses.';

-- @rpc authenticated (course_id, after_time, after_id)
-- Mentors: the students of one of their courses with progress, last activity and whom one may remind, fifty at a time.
create function private.my_students(course uuid, after_time timestamptz default null, after_id uuid default null) returns table (
    user_id uuid, name text, progress integer, enrolled_at timestamptz, last_active_at timestamptz, completed_at timestamptz,
    nudged_at timestamptz, may_nudge boolean
  )
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  caller constant uuid := auth.uid();
begin
  perform private.require_own_course(course);
  return query
    select n.user_id, n.name, n.progress_percentage, n.created_at, a.at, n.completed_at, g.nudged_at,
      n.user_id <> caller and n.completed_at is null and private.has_paused(a.at) and private.may_nudge_again(g.nudged_at)
    from (
      select e.user_id, btrim(concat_ws(' ', p.first_name, p.last_name)) as name, e.progress_percentage, e.created_at, e.completed_at
      from public.course_enrollments e
      join public.profiles p on p.id = e.user_id
      left join public.profile_choices c on c.user_id = e.user_id
      where e.course_id = course and coalesce(c.is_listed, true)
        and (after_time is null or (e.created_at, e.user_id) < (after_time, after_id))
        -- The caller's own blocks alone: a student who goes from the list would tell of theirs.
        and not exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = e.user_id)
      order by e.created_at desc, e.user_id desc limit 50
    ) n
    cross join lateral (select private.last_course_activity(n.user_id, course) as at) a
    left join private.student_nudges g on g.course_id = course and g.student_id = n.user_id
    order by n.created_at desc, n.user_id desc;
end
$$;
comment on function private.my_students(uuid, timestamptz, uuid) is
  'Fifty students of a course of the caller who may be named, the last enrolled first, after one of them. FF650, FF740.';

-- studio/written-texts.sql

-- The profile of an author names courses of the mentors' training to mentors at every level, as Today does.
create function private.written_texts(author uuid, reader uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with texts as materialized (select t.* from private.listed_texts(author, reader) t)
  select jsonb_build_object(
    'count', (select count(*) from texts),
    'newest', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc, n.id)
      from (select t.* from texts t order by t.created_at desc, t.id limit 5) n
    ), '[]')
  )
$$;
comment on function private.written_texts(uuid, uuid) is
  'How many articles and courses of an author the reader may open, or buy where only the level is missing, and the newest five. Mentors open courses of their training at every level.';

-- Everything a member wrote can be paged through from the profile, not only the newest five. A page has what the profile has: the
-- texts the reader may open, and courses on sale. Who sees no profile sees no texts either.
create function private.has_profile_for(member uuid, reader uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.effective_level(member) > 0
    and exists (
      select from auth.users u
      where u.id = member and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
    )
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = reader)
$$;
comment on function private.has_profile_for(uuid, uuid) is
  'True while a member has a profile that the reader may see: a membership, not suspended, and no block of the reader.';

create function private.listed_texts(author uuid, reader uuid)
  returns table (
    id uuid, kind text, title text, category text, subcategory text, minutes integer, sale_slug text, is_training boolean,
    created_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  level constant integer := private.effective_level(reader);
  open_to_reader constant text[] := private.open_categories(level);
  is_mentor constant boolean := level > 0
    and exists (select from public.profiles p where p.id = reader and p.role = 'mentor');
begin
  return query
  select a.id, 'article', a.title, s.main_category, s.slug, a.estimated_read_time, null, false, a.created_at
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.author_id = author and a.is_published and s.is_active and s.main_category = any (open_to_reader)
  union all
  select c.id, 'course', c.title, s.main_category, s.slug, c.estimated_duration,
    case when access.is_training or access.is_open then null else o.slug end, access.is_training, c.created_at
  from public.courses c join public.subcategories s on s.id = c.subcategory_id
  cross join lateral (
    select s.is_active and s.main_category = any (open_to_reader) as is_open,
      s.is_active and s.open_to_mentors and is_mentor as is_training
  ) access
  left join private.open_course_offers o on o.course_id = c.id
  where c.mentor_id = author and c.is_published and (access.is_training or access.is_open or o.slug is not null);
end
$$;
comment on function private.listed_texts(uuid, uuid) is
  'The articles and courses of an author that the reader may open, or buy where only the level is missing.';

-- @rpc authenticated
-- Articles and courses of a member that the caller may open or buy, page by page; at most 50 a page.
create function private.written_texts_page(
  author uuid, before timestamptz default null, after_id uuid default null, page_size integer default 24
) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  perform private.enforce_rate_limit(caller, 'people');
  if not private.has_profile_for(author, caller)
    or exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = author) then
    return '[]';
  end if;
  return coalesce((
    select jsonb_agg(to_jsonb(n) order by n.created_at desc, n.id)
    from (
      select t.* from private.listed_texts(author, caller) t
      where before is null or t.created_at < before or t.created_at = before and t.id > after_id
      order by t.created_at desc, t.id limit least(greatest(coalesce(page_size, 24), 1), 50)
    ) n
  ), '[]');
end
$$;
comment on function private.written_texts_page(uuid, timestamptz, uuid, integer) is
  'A page of what a member wrote, newest first, after the text with this time and id; empty where the caller sees no profile. FF700 or FF300.';

-- submissions/edits.sql

create function private.edit_submission(submission uuid, new_title text, new_content text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  kept_title text := private.trimmed_message(new_title);
  kept_content text := private.trimmed_message(new_content);
  edited public.learning_submissions;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  if kept_title is null or kept_content is null or private.is_blank(kept_title) or private.is_blank(kept_content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  if char_length(kept_title) > 150 or char_length(kept_content) > 10000 then
    perform private.fail('FF760', 'A title has at most 150 characters, a text at most 10,000.');
  end if;
  select s.* into edited from public.learning_submissions s
  where s.id = submission and s.user_id = caller for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  -- Its witnesses accepted these words.
  if exists (select from private.pacts p where p.submission_id = submission) then
    perform private.fail('FF762', 'A pact stays as it was made.');
  end if;
  if edited.title = kept_title and edited.content = kept_content then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'edit_submission');
  update public.learning_submissions s set title = kept_title, content = kept_content, edited_at = clock_timestamp(), is_featured = false
  where s.id = submission;
end
$$;
comment on function private.edit_submission(uuid, text, text) is
  'Changes title and text of the caller''s own submission, which is then no longer featured. The same text again changes nothing.';
grant execute on function private.edit_submission to authenticated;

-- submissions/retention.sql

-- The data export of levels and submissions, and the deletion of unused pictures.
create function private.export_part_levels(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level_completions', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.level) from public.level_completions c where c.user_id = member
    ), '[]'),
    'progress_events', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.id) from private.progress_ledger l where l.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_levels(uuid) is 'Completed levels and progress events of one account.';

create function private.export_part_submissions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at, s.id)
      from public.learning_submissions s where s.user_id = member
    ), '[]'),
    'submission_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.submission_id)
      from public.learning_submission_likes l where l.user_id = member
    ), '[]'),
    'submission_comments', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at, c.id)
      from public.learning_submission_comments c where c.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_submissions(uuid) is 'Submissions, likes of submissions and comments of one account.';

-- A picture that no submission uses a day after its upload is deleted: it was never shared, or its submission is gone.
-- @rpc service_role
-- Server: pictures of submissions to delete now.
create function private.learning_images_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'learning-images' and o.name > after and o.created_at < now() - interval '1 day'
    and not exists (
      select from public.learning_submissions s
      where s.image_url is not null and private.image_name(s.image_url) = o.name
    )
  order by o.name
  limit batch
$$;
comment on function private.learning_images_to_purge(text,integer) is 'Pictures older than a day that no submission shows; by name, after the given one.';

-- submissions/rules.sql

-- Limits uploads to twenty an hour; unused pictures are deleted after a day. A trigger counts them, serialised for each
-- account, for the reasons given in verification_documents.
create function private.tg_storage_objects__limit_images() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member text := left(new.name, 36);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('learning-images:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'learning-images' and o.name like member || '-%'
      and o.created_at > now() - interval '1 hour'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end if;
  return new;
end
$$;

create trigger storage_objects__limit_images before insert on storage.objects
  for each row when (new.bucket_id = 'learning-images')
  execute function private.tg_storage_objects__limit_images();

-- There is no policy for select, update or delete, so no client lists the bucket or replaces a picture.
create policy insert_own_learning_image on storage.objects for insert to authenticated
  with check (
    bucket_id = 'learning-images'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
    and (select private.caller_effective_level()) >= 1
  );

create function private.caller_has_image(image text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from storage.objects o
    where o.bucket_id = 'learning-images' and o.name = image
      and o.name ~ ('^' || auth.uid()::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
  )
$$;
comment on function private.caller_has_image(text) is 'True when a picture of that name exists and belongs to the caller.';
grant execute on function private.caller_has_image to authenticated;

-- Trims title and content, and accepts only a picture the author uploaded.
create function private.tg_learning_submissions__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  image text;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.title := private.trimmed_message(new.title);
  new.content := private.trimmed_message(new.content);
  if private.is_blank(new.title) or private.is_blank(new.content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  new.created_at := clock_timestamp();
  if new.image_url is not null then
    -- Clients send the object's public URL. Only its name is kept, because the URL could point to another server.
    image := private.image_name(new.image_url);
    if not private.caller_has_image(image) then
      perform private.fail('FF331', 'The picture has not been uploaded.');
    end if;
    new.image_url := coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/learning-images/' || image;
  end if;
  return new;
end
$$;

create function private.tg_learning_submissions__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'submission');
  end if;
  return new;
end
$$;

create function private.tg_learning_submission_likes__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'like');
  end if;
  return new;
end
$$;

create function private.tg_learning_submission_comments__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    new.content := private.trimmed_message(new.content);
    new.created_at := clock_timestamp();
    if private.is_blank(new.content) then
      perform private.fail('FF330', 'A comment needs some text.');
    end if;
  end if;
  return new;
end
$$;

create function private.tg_learning_submission_comments__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'comment');
  end if;
  return new;
end
$$;

-- Authors delete their own submissions; administrators delete any, audited. Likes and comments are locked before the
-- submission, in the same order as when a like or a comment is deleted.
-- @rpc authenticated
-- Deletes a submission with its likes and comments.
create function private.delete_submission(submission_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  author uuid;
begin
  select s.user_id into author from public.learning_submissions s where s.id = submission_id;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  if author <> caller then
    perform private.require_aal2();
  end if;
  perform from public.learning_submission_likes l
    where l.submission_id = delete_submission.submission_id order by l.user_id for update;
  perform from public.learning_submission_comments c
    where c.submission_id = delete_submission.submission_id order by c.id for update;
  delete from public.learning_submissions s where s.id = delete_submission.submission_id;
  if author <> caller then
    perform private.audit(
      caller, 'submission.deleted', author, jsonb_build_object('submission_id', delete_submission.submission_id)
    );
  end if;
end
$function$;
comment on function private.delete_submission(uuid) is 'Deletes the caller''s own submission, or any for administrators with a second factor (FF005), audited.';

-- @rpc authenticated
-- Deletes a comment.
create function private.delete_comment(comment_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  author uuid;
begin
  select c.user_id into author from public.learning_submission_comments c where c.id = comment_id for update;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  if author <> caller then
    perform private.require_aal2();
  end if;
  delete from public.learning_submission_comments c where c.id = comment_id;
  if author <> caller then
    perform private.audit(caller, 'comment.deleted', author, jsonb_build_object('comment_id', comment_id));
  end if;
end
$function$;
comment on function private.delete_comment(uuid) is 'Deletes the caller''s own comment, or any for administrators with a second factor (FF005), audited.';

-- The audit log says what was before, as for every act of the console.
-- @rpc authenticated
-- Administrators: set or clear the featured mark of a submission.
create function private.feature_submission(submission_id uuid, featured boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_admin();
  wanted boolean := coalesce(featured, false);
  before public.learning_submissions;
begin
  select s.* into before from public.learning_submissions s where s.id = submission_id for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  update public.learning_submissions s set is_featured = wanted where s.id = submission_id;
  perform private.audit(caller, 'submission.featured', before.user_id, jsonb_build_object(
    'submission_id', submission_id,
    'before', jsonb_build_object('featured', before.is_featured), 'after', jsonb_build_object('featured', wanted)
  ));
end
$$;
comment on function private.feature_submission(uuid, boolean) is 'Sets or clears the featured mark; administrators only, audited.';

-- Likes from other members; your own likes do not count.
create function private.likes_received(member uuid) returns integer
  language sql stable set search_path = '' as $$
  select (
    (select coalesce(sum(m.like_count), 0) from public.chat_messages m
      where m.user_id = member and m.deleted_at is null)
    + (select coalesce(sum(s.like_count), 0) from public.learning_submissions s where s.user_id = member)
    - (select count(*) from public.message_likes l join public.chat_messages m on m.id = l.message_id
      where l.user_id = member and m.user_id = member and m.deleted_at is null)
    - (select count(*) from public.learning_submission_likes l
      join public.learning_submissions s on s.id = l.submission_id
      where l.user_id = member and s.user_id = member)
  )::integer
$$;
comment on function private.likes_received(uuid) is 'Likes of an account''s messages and submissions by others.';

-- submissions/submissions.sql

-- Learning submissions of members, with likes and comments.

-- The index of pictures calls it, so that everyone who may write a row may call it.
create function private.image_name(image_url text) returns text
  language sql immutable set search_path = '' as $$
  select regexp_replace(regexp_replace(image_url, '[?#].*$', ''), '^.*/', '')
$$;
comment on function private.image_name(text) is 'Name of the object in a public URL: its last part, without query.';
grant execute on function private.image_name to authenticated, service_role;

create table public.learning_submissions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  submission_type text not null constraint learning_submissions_submission_type_check
    check (submission_type in ('pact', 'progress_report', 'before_after', 'failure', 'success')),
  title text not null constraint learning_submissions_title_check
    check (char_length(title) between 1 and 150),
  content text not null constraint learning_submissions_content_check
    check (char_length(content) between 1 and 10000),
  image_url text constraint learning_submissions_image_url_check check (
    char_length(image_url) <= 600
    and image_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/learning-images/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'
  ),
  is_featured boolean not null default false,
  like_count integer not null default 0
    constraint learning_submissions_like_count_check check (like_count >= 0),
  comment_count integer not null default 0
    constraint learning_submissions_comment_count_check check (comment_count >= 0),
  created_at timestamptz not null default now(),
  -- Authors change the title and the text of a submission. Type, picture and times stay as they were shared. The featured
  -- mark goes: an administrator gave it to other words.
  edited_at timestamptz,
  mentioned uuid[] constraint learning_submissions_mentioned_check check (mentioned is null)
);
grant select, insert, update, delete on public.learning_submissions to service_role;
grant select (id, user_id, submission_type, title, content, image_url, is_featured, like_count, comment_count, created_at,
    edited_at, mentioned),
  insert (id, user_id, submission_type, title, content, image_url, mentioned)
  on public.learning_submissions to authenticated;
comment on table public.learning_submissions is 'Learning submissions of members.';
comment on column public.learning_submissions.image_url is
  'Public URL of an object of the author in the bucket learning-images; without the origin when the server''s address was not known.';
comment on column public.learning_submissions.is_featured is 'Set by administrators.';
comment on column public.learning_submissions.like_count is 'Kept by a trigger on the likes.';
comment on column public.learning_submissions.comment_count is 'Kept by a trigger on the comments.';
comment on column public.learning_submissions.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.learning_submissions.edited_at is 'When the author last changed title or text; null when never.';
create index learning_submissions_feed_idx on public.learning_submissions (created_at desc, id desc);
create index learning_submissions_type_idx on public.learning_submissions (submission_type, created_at desc, id desc);
create index learning_submissions_user_id_idx on public.learning_submissions (user_id);
create index learning_submissions_image_name_idx on public.learning_submissions (private.image_name(image_url))
  where image_url is not null;
alter table public.learning_submissions enable row level security;

create policy select_own_or_member on public.learning_submissions for select to authenticated using (
  (user_id = (select auth.uid()) or (select private.caller_effective_level()) >= 1) and (select private.session_is_live())
);

-- The policy's rule for many accounts at once: Realtime calls it to deliver a submission to every open feed.
create function private.learning_submission_authorized_users(submission public.learning_submissions, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select asked.id from unnest(user_ids) as asked(id)
    where asked.id = submission.user_id
      or exists (select from private.effective_levels l where l.user_id = asked.id and l.level >= 1)
  );
end
$$;
comment on function private.learning_submission_authorized_users(public.learning_submissions, uuid[]) is
  'The given accounts that may read the submission now.';
comment on policy select_own_or_member on public.learning_submissions is
  'The author, and every member. @authorizer private.learning_submission_authorized_users';

create policy insert_own on public.learning_submissions for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1);

alter publication supabase_realtime add table public.learning_submissions;

-- user_id references the account and not the profile, so that a submission embeds one profile: its author.
create table public.learning_submission_likes (
  user_id uuid not null references auth.users (id) on delete cascade,
  submission_id uuid not null references public.learning_submissions (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, submission_id)
);
grant select, insert, update, delete on public.learning_submission_likes to service_role;
grant delete,
  select (user_id, submission_id, created_at),
  insert (user_id, submission_id)
  on public.learning_submission_likes to authenticated;
comment on table public.learning_submission_likes is 'Likes of submissions; members see only their own.';
create index learning_submission_likes_submission_id_idx on public.learning_submission_likes (submission_id);
alter table public.learning_submission_likes enable row level security;

create policy select_own on public.learning_submission_likes for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.learning_submission_likes for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1);

create policy delete_own on public.learning_submission_likes for delete to authenticated
  using (user_id = (select auth.uid()));

create table public.learning_submission_comments (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  submission_id uuid not null references public.learning_submissions (id) on delete cascade,
  content text not null constraint learning_submission_comments_content_check
    check (char_length(content) between 1 and 2000),
  created_at timestamptz not null default now(),
  mentioned uuid[] constraint learning_submission_comments_mentioned_check check (mentioned is null)
);
grant select, insert, update, delete on public.learning_submission_comments to service_role;
grant select (id, user_id, submission_id, content, created_at, mentioned),
  insert (id, user_id, submission_id, content, mentioned)
  on public.learning_submission_comments to authenticated;
comment on table public.learning_submission_comments is 'Comments on submissions.';
comment on column public.learning_submission_comments.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
create index learning_submission_comments_page_idx
  on public.learning_submission_comments (submission_id, created_at, id);
create index learning_submission_comments_user_id_idx on public.learning_submission_comments (user_id);
alter table public.learning_submission_comments enable row level security;

create policy select_own_or_member on public.learning_submission_comments for select to authenticated
  using (user_id = (select auth.uid()) or (select private.caller_effective_level()) >= 1);

create policy insert_own on public.learning_submission_comments for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1);

-- Keep the counts in step with the rows. Submissions are locked in the order of their ids, so that two statements over
-- several submissions cannot deadlock.
create function private.tg_learning_submission_likes__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.learning_submissions s where s.id in (select c.submission_id from changed c)
    order by s.id for no key update;
  update public.learning_submissions s set like_count = s.like_count + sign * t.changes
  from (select c.submission_id, count(*)::integer as changes from changed c group by c.submission_id) t
  where s.id = t.submission_id;
  return null;
end
$$;

create trigger learning_submission_likes__count_added after insert on public.learning_submission_likes
  referencing new table as changed for each statement execute function private.tg_learning_submission_likes__count();

create trigger learning_submission_likes__count_removed after delete on public.learning_submission_likes
  referencing old table as changed for each statement execute function private.tg_learning_submission_likes__count();

create function private.tg_learning_submission_comments__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.learning_submissions s where s.id in (select c.submission_id from changed c)
    order by s.id for no key update;
  update public.learning_submissions s set comment_count = s.comment_count + sign * t.changes
  from (select c.submission_id, count(*)::integer as changes from changed c group by c.submission_id) t
  where s.id = t.submission_id;
  return null;
end
$$;

create trigger learning_submission_comments__count_added after insert on public.learning_submission_comments
  referencing new table as changed for each statement execute function private.tg_learning_submission_comments__count();

create trigger learning_submission_comments__count_removed after delete on public.learning_submission_comments
  referencing old table as changed for each statement execute function private.tg_learning_submission_comments__count();

-- Sharing a submission is a progress event, whichever role writes the row.
create function private.tg_learning_submissions__record_progress_event() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'submission', new.id::text);
  return null;
end
$$;

create trigger learning_submissions__record_progress_event after insert on public.learning_submissions
  for each row execute function private.tg_learning_submissions__record_progress_event();

-- verification/documents.sql

-- The storage service of a hosted project writes the row with its own role, which bypasses policies, and a signed upload
-- URL may be used two hours after the policy was checked. So a trigger checks at the time of the write. It reads the
-- account from the object's name, which the policy below ties to the caller.
create function private.tg_storage_objects__limit_documents() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member text := split_part(new.name, '-verification-', 1);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  -- Uploads of one account are serialised, so that concurrent ones cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('verification-documents:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name like member || '-verification-%'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty identity documents, which is the most.');
  end if;
  if exists (select from public.user_verifications v where v.document_url = new.name) then
    perform private.fail('42501', 'A document of this name was handed in before.');
  end if;
  return new;
end
$$;

create trigger storage_objects__limit_documents before insert on storage.objects
  for each row when (new.bucket_id = 'verification-documents')
  execute function private.tg_storage_objects__limit_documents();

-- Stored documents and pictures are never changed, by any role: a decision is about exactly these bytes.
create function private.tg_storage_objects__keep_content() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if (new.id, new.bucket_id, new.name, new.owner, new.owner_id, new.version, new.metadata)
    is distinct from (old.id, old.bucket_id, old.name, old.owner, old.owner_id, old.version, old.metadata)
  then
    raise exception using errcode = '42501', message = 'A stored document or picture is never changed.';
  end if;
  return new;
end
$$;

create or replace trigger storage_objects__keep_content before update on storage.objects
  for each row when (
    old.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
    or new.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
  )
  execute function private.tg_storage_objects__keep_content();

-- Members upload documents under their own name. The storage shows a document to its owner only.
-- There is no policy for update or delete, so documents cannot be replaced.
create policy insert_own_verification_document on storage.objects for insert to authenticated
  with check (
    bucket_id = 'verification-documents'
    and name ~ ('^' || (select auth.uid())::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
  );

create policy select_own_verification_document on storage.objects for select to authenticated
  using (bucket_id = 'verification-documents' and starts_with(name, (select auth.uid())::text || '-verification-'));

-- Documents are deleted thirty days after the decision, which is kept. The storage service deletes the files, because
-- deleting rows here would leave the bytes behind. The database lists what is due and records what was deleted.

-- Scans the bucket, which holds at most one month of documents and those that wait for a review.
-- @rpc service_role
-- Server: identity documents to delete now.
create function private.verification_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  left join public.user_verifications v on v.document_url = o.name
  where o.bucket_id = 'verification-documents' and o.name > after
    -- Uploads that were never submitted, or whose account is gone, have no decision to wait for.
    and case when v.id is null then o.created_at else v.reviewed_at end < now() - interval '30 days'
  order by o.name
  limit batch
$$;
comment on function private.verification_documents_to_purge(text,integer) is 'Documents whose decision is more than 30 days old, or whose upload if they were never submitted; by name, after the given one.';

reset check_function_bodies;
