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
create trigger learning_submissions__guard_insert before insert on public.learning_submissions
  for each row execute function private.tg_learning_submissions__guard_insert();

create function private.tg_learning_submissions__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'submission');
  end if;
  return new;
end
$$;
create trigger learning_submissions__limit_rate before insert on public.learning_submissions
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submissions__limit_rate();

create function private.tg_learning_submission_likes__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'like');
  end if;
  return new;
end
$$;
create trigger learning_submission_likes__limit_rate before insert on public.learning_submission_likes
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submission_likes__limit_rate();

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
create trigger learning_submission_comments__guard_insert before insert on public.learning_submission_comments
  for each row execute function private.tg_learning_submission_comments__guard_insert();

create function private.tg_learning_submission_comments__limit_rate() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id = auth.uid() then
    perform private.enforce_rate_limit(new.user_id, 'comment');
  end if;
  return new;
end
$$;
create trigger learning_submission_comments__limit_rate before insert on public.learning_submission_comments
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submission_comments__limit_rate();

-- Authors delete their own submissions; administrators delete any, audited, and tell the author why. Likes and comments are locked
-- before the submission, in the same order as when a like or a comment is deleted.
-- @rpc authenticated
-- Deletes the caller's own submission with its likes and comments; administrators delete any, with an explanation for its author.
create function private.delete_submission(submission_id uuid, explanation text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  author uuid;
  why text;
begin
  select s.user_id into author from public.learning_submissions s where s.id = submission_id;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  if author <> caller then
    perform private.require_aal2();
  end if;
  perform private.lock_reported_submission(submission_id);
  if author <> caller then
    why := private.explain_removal('submission', submission_id, private.reported_submission(submission_id), explanation);
    perform private.audit(
      caller, 'submission.deleted', author, jsonb_build_object('submission_id', submission_id, 'reason', why)
    );
  end if;
  delete from public.learning_submissions s where s.id = delete_submission.submission_id;
end
$function$;
comment on function private.delete_submission(uuid, text) is
  'Deletes the caller''s own submission, or any for administrators with a second factor (FF005) and an explanation (FF344), audited.';

-- @rpc authenticated
-- Deletes the caller's own comment; administrators delete any, with an explanation for its author.
create function private.delete_comment(comment_id uuid, explanation text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  author uuid;
  why text;
begin
  select c.user_id into author from public.learning_submission_comments c where c.id = comment_id for update;
  if author is null or not (author = caller or private.caller_is_admin()) then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  if author <> caller then
    perform private.require_aal2();
  end if;
  if author <> caller then
    why := private.explain_removal('comment', comment_id, private.reported_comment(comment_id), explanation);
    perform private.audit(caller, 'comment.deleted', author, jsonb_build_object('comment_id', comment_id, 'reason', why));
  end if;
  delete from public.learning_submission_comments c where c.id = comment_id;
end
$function$;
comment on function private.delete_comment(uuid, text) is
  'Deletes the caller''s own comment, or any for administrators with a second factor (FF005) and an explanation (FF344), audited.';

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
