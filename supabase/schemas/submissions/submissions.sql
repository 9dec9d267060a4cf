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
