-- What an administrator does to the work of others, and cannot take back, needs a second factor (FF005): a stolen
-- password alone deletes nothing, publishes or withdraws nothing, and opens no room to lower levels.

create or replace function private.withdraw_draft(draft uuid, expected_version integer)
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

create or replace function private.publish_draft(draft uuid, expected_version integer, publish_at timestamptz)
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

create or replace function private.return_draft(draft uuid, expected_version integer, comments jsonb)
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

create or replace function private.edit_content_item(shelf text, item uuid, is_published boolean, is_featured boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
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
$function$;
comment on function private.edit_content_item(text,uuid,boolean,boolean) is 'Publishes, withdraws or features an article or a course; null keeps a mark. A withdrawal has what is scheduled over it reviewed again. Reads and completions stay. FF005 without a second factor. Audited.';

create or replace function private.remove_question(question_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  gone private.content_questions;
begin
  delete from private.content_questions q where q.id = question_id returning q.* into gone;
  if gone.id is null then
    perform private.fail('FF724', 'This question is no longer here.');
  end if;
  perform private.audit(admin, 'question.removed', gone.user_id, jsonb_build_object(
    'question_id', gone.id, 'article_id', gone.article_id, 'module_id', gone.module_id,
    'before', case when gone.answer is null then 'open' else 'answered' end, 'after', 'removed'
  ));
end
$function$;
comment on function private.remove_question(uuid) is 'Removes a question with its answer; FF724 when there is none, FF005 without a second factor. Audited without its words.';

create or replace function private.edit_room(room text, name text, description text, min_level_required integer, display_order integer, is_active boolean)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_admin();
  old_room public.chat_rooms;
  new_room public.chat_rooms;
begin
  select r.* into old_room from public.chat_rooms r where r.id = room for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such room.');
  end if;
  -- New members of the room read what was written there, and that cannot be taken back.
  if edit_room.min_level_required < old_room.min_level_required then
    perform private.require_aal2();
  end if;
  update public.chat_rooms r set
    name = coalesce(btrim(edit_room.name), r.name),
    description = coalesce(btrim(edit_room.description), r.description),
    min_level_required = coalesce(edit_room.min_level_required, r.min_level_required),
    display_order = coalesce(edit_room.display_order, r.display_order),
    is_active = coalesce(edit_room.is_active, r.is_active)
  where r.id = room returning r.* into new_room;
  perform private.audit_change(
    admin, 'room.edited', jsonb_build_object('room', room),
    to_jsonb(old_room) - 'participant_count', to_jsonb(new_room) - 'participant_count'
  );
  -- Members in a room they may not enter any more are not counted in it.
  delete from private.room_leases l
  where l.chat_room_id = room
    and (not new_room.is_active or private.effective_level(l.user_id) < new_room.min_level_required);
end
$function$;
comment on function private.edit_room(text,text,text,integer,integer,boolean) is 'Changes the given fields of a room; null keeps a field. Ends the leases of members it closes for. A lower level needs a second factor (FF005). Audited.';

create or replace function private.delete_message(message uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
  gone public.chat_messages;
begin
  select m.* into gone from public.chat_messages m
  where m.id = message and (m.user_id = caller or private.caller_is_admin()) for no key update;
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if gone.user_id <> caller then
    perform private.require_aal2();
  end if;
  if gone.deleted_at is not null then
    return;
  end if;
  update public.chat_messages m
  set content = '', deleted_at = clock_timestamp(),
    picture = null, picture_width = null, picture_height = null, picture_alt = null
  where m.id = message;
  if gone.user_id <> caller then
    perform private.audit(
      caller, 'message.deleted', gone.user_id,
      jsonb_build_object('message_id', gone.id, 'chat_room_id', gone.chat_room_id)
    );
  end if;
end
$function$;
comment on function private.delete_message(uuid) is 'Deletes the text of the caller''s own message, or of any message for administrators with a second factor (FF005), audited. Repeating it does nothing.';

create or replace function private.delete_submission(submission_id uuid)
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

create or replace function private.delete_comment(comment_id uuid)
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
