-- Part 21 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/student-nudges.sql
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

-- @rpc service_role
-- Server: these identity documents were deleted.
create function private.record_deleted_documents(documents text[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(
    null, 'verification.document_deleted', v.user_id,
    jsonb_strip_nulls(jsonb_build_object('verification_id', v.id, 'document', d.name))
  )
  from unnest(documents) as d (name)
  left join public.user_verifications v on v.document_url = d.name;
end
$$;
comment on function private.record_deleted_documents(text[]) is 'Adds an entry to the audit log for each document that was removed.';

-- Every look of an administrator at a member's document is recorded. The storage shows administrators nothing: the edge
-- function open-verification-document calls this with the administrator's token and hands out the bytes itself, so there
-- is no way to them around the record, and no link that could be kept or passed on.
-- @rpc authenticated
-- Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.
create function private.open_verification_document(verification_id uuid) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  reader uuid := private.require_verified_admin();
  opened public.user_verifications;
  version text;
begin
  select v.* into opened from public.user_verifications v where v.id = open_verification_document.verification_id;
  if not found then
    perform private.fail('FF127', 'There is no such document.');
  end if;
  select s.version into version from storage.objects s
  where s.bucket_id = 'verification-documents' and s.name = opened.document_url;
  insert into private.document_openings as o (admin_id, verification_id, version, opened_at)
  values (reader, opened.id, version, clock_timestamp())
  on conflict on constraint document_openings_pkey do update set version = excluded.version, opened_at = excluded.opened_at;
  perform private.audit(
    reader, 'verification.document_opened', opened.user_id,
    jsonb_build_object('verification_id', opened.id, 'status', opened.status)
  );
  return opened.document_url;
end
$$;
comment on function private.open_verification_document(uuid) is
  'Records that the calling administrator opens the document. Returns the name of its file.';

-- verification/flagged.sql

-- Accounts that wait for an administrator. After five rejected documents one decides whether the member may try again;
-- the rejected documents stay on record, a reset only takes them out of the count and out of what the member reads.
-- An account with several subscriptions is put right at the card provider, and its flag is resolved here.
-- @rpc authenticated
-- Administrators: accounts that wait for a decision, and those kept closed, oldest first.
create function private.flagged_accounts()
  returns table (
    user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamptz, closed_at timestamptz,
    rejections integer, last_reason text, subscriptions jsonb
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_verified_admin();
  return query
    select f.user_id, u.email::text, p.first_name, p.last_name, f.reason, f.created_at, f.closed_at,
      (select count(*)::integer from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' and v.attempts_reset_at is null),
      (select v.rejected_reason from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' order by v.submitted_at desc limit 1),
      case when f.reason in ('several_subscriptions', 'dispute_lost') then coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', s.subscription_id, 'plan', private.plan_name(s.price_id), 'status', s.status,
          'since', s.created_at, 'is_current', s.deleted_at is null
        ) order by s.id)
        from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
        where c.user_id = f.user_id and s.status not in ('not_started', 'incomplete_expired', 'canceled')
      ), '[]') end
    from private.account_flags f
    join auth.users u on u.id = f.user_id
    left join public.profiles p on p.id = f.user_id
    order by coalesce(f.closed_at, f.created_at), f.user_id, f.reason;
end
$$;
comment on function private.flagged_accounts() is
  'Flagged accounts with what they are flagged for, oldest first; those whose form was kept closed have closed_at.';

-- What every decision about a flag asks first. Returns the reason as it is stored.
create function private.require_decision(decider uuid, member uuid, reason text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 1000 then
    perform private.fail('FF123', 'A decision needs a reason of at most 1000 characters.');
  end if;
  if member = decider then
    perform private.fail('FF124', 'Another administrator has to decide about your own account.');
  end if;
  return why;
end
$$;
comment on function private.require_decision(uuid, uuid, text) is
  'The trimmed reason of a decision about another account; raises FF123 or FF124 otherwise.';

-- A form that was kept closed can be reset later, by an administrator who has learned more.
-- @rpc authenticated
-- Administrators: let a member with five rejections try again (reset) or not (keep_closed).
create function private.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  decider uuid := private.require_verified_admin();
  why text;
  flag private.account_flags;
  before text;
begin
  if decision is null or decision not in ('reset', 'keep_closed') then
    perform private.fail('FF122', 'The decision must be reset or keep_closed.');
  end if;
  why := private.require_decision(decider, member, reason);
  select f.* into flag from private.account_flags f
  where f.user_id = member and f.reason = 'verification_attempts_exhausted' for update;
  if not found or (decision = 'keep_closed' and flag.closed_at is not null) then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  before := case when flag.closed_at is null then 'waiting' else 'kept_closed' end;
  if decision = 'reset' then
    delete from private.account_flags f where f.user_id = member and f.reason = flag.reason;
    update public.user_verifications v set attempts_reset_at = now()
    where v.user_id = member and v.status = 'rejected' and v.attempts_reset_at is null;
    -- The member is told by e-mail and on the open page. The rows that changed are hidden from the member, so that the
    -- change itself reaches no page; hence the broadcast on the member's own channel.
    perform private.enqueue_email(
      member, 'identity_attempts_reset', concat_ws(':', 'identity_attempts_reset', member, extract(epoch from now()))
    );
    perform realtime.send('{}', 'attempts_reset', 'identity:' || member, true);
  else
    update private.account_flags f set closed_at = now() where f.user_id = member and f.reason = flag.reason;
  end if;
  perform private.audit(
    decider, case decision when 'reset' then 'verification.attempts_reset' else 'verification.kept_closed' end, member,
    jsonb_build_object('before', before, 'after', case decision when 'reset' then 'open' else 'kept_closed' end, 'reason', why)
  );
end
$$;
comment on function private.decide_flagged_verification(uuid, text, text) is
  'Decides about an account with five rejections: reset the count, also later, or keep the form closed. Audited.';

-- verification/verifications.sql

-- Identity documents. Members submit them, administrators decide.
create table public.user_verifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  document_type text not null constraint user_verifications_document_type_check
    check (document_type in ('passport', 'drivers_license', 'national_id')),
  document_url text not null unique,
  status text not null default 'pending' constraint user_verifications_status_check
    check (status in ('pending', 'approved', 'rejected')),
  rejected_reason text,
  submitted_at timestamptz not null default now(),
  verified_at timestamptz,
  reviewed_at timestamptz,
  attempts_reset_at timestamptz constraint user_verifications_reset_check check (attempts_reset_at is null or status = 'rejected'),
  constraint user_verifications_reason_check
    check ((status = 'rejected') = (rejected_reason is not null) and char_length(rejected_reason) <= 1000)
);
grant select, insert, update, delete on public.user_verifications to service_role;
-- Clients may not send the columns of the outcome. The app sends the status, so it is accepted and set to pending.
grant select (id, user_id, document_type, document_url, status, rejected_reason, submitted_at, verified_at, reviewed_at,
    attempts_reset_at),
  insert (user_id, document_type, document_url, status)
  on public.user_verifications to authenticated;
comment on table public.user_verifications is 'Submitted identity documents and the decisions about them. @deletes_reach user_id';
comment on column public.user_verifications.document_url is 'Name of the object in the private bucket verification-documents.';
comment on column public.user_verifications.verified_at is 'When the document was approved.';
comment on column public.user_verifications.reviewed_at is 'When the document was approved or rejected.';
comment on column public.user_verifications.attempts_reset_at is
  'When an administrator took this rejection out of the count of attempts; members do not see such rows.';
create unique index user_verifications_one_open on public.user_verifications (user_id)
  where status in ('pending', 'approved');
create index user_verifications_user_id_idx on public.user_verifications (user_id, submitted_at desc);
create index user_verifications_queue_idx on public.user_verifications (submitted_at) where status = 'pending';
alter table public.user_verifications enable row level security;

-- The decision about a document reaches the member's page live. The policy asks for a live session, because Realtime
-- does not pass through the check before API requests.
alter publication supabase_realtime add table public.user_verifications;

create policy select_own_or_admin on public.user_verifications for select to authenticated using (
  ((user_id = (select auth.uid()) and attempts_reset_at is null) or (select private.caller_is_verified_admin()))
  and (select private.session_is_live())
);

create policy insert_own on public.user_verifications for insert to authenticated
  with check (user_id = (select auth.uid()));

-- A document counts when the caller stored it under the name that belongs to the caller.
create function private.caller_has_document(document text) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name = document
      and o.name ~ ('^' || auth.uid()::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
  )
$$;
comment on function private.caller_has_document(text) is 'True when an object of that name exists and belongs to the caller.';

reset check_function_bodies;
