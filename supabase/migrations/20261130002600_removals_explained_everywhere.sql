drop function "private"."delete_comment"(uuid);

drop function "private"."delete_submission"(uuid);

drop function "private"."tell_author_of_removal"(text, uuid, uuid, text, text);

drop function "public"."delete_comment"(uuid);

drop function "public"."delete_submission"(uuid);

create or replace function private.admin_remove_picture (
  member uuid,
  reason text
)
  returns text
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  why text;
  account auth.users := private.require_other_account(admin, member);
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = account.id for no key update;
  if former is null then
    perform private.fail('FF342', 'This account has no picture.');
  end if;
  why := private.explain_removal('picture', member, row(member, null, '{}')::private.reported, reason);
  update public.profiles p set avatar_url = null where p.id = account.id;
  perform private.audit(admin, 'account.picture_removed', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('picture', former), 'after', jsonb_build_object('picture', null)
  ));
  return former;
end
$function$;

create or replace function private.delete_comment (
  comment_id  uuid,
  explanation text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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

create or replace function private.delete_message (
  message     uuid,
  explanation text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller uuid := private.require_caller();
  gone public.chat_messages;
  why text;
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
  if gone.user_id <> caller then
    why := private.explain_removal('message', message, private.reported_message(message), explanation);
    perform private.audit(
      caller, 'message.deleted', gone.user_id,
      jsonb_build_object('message_id', gone.id, 'chat_room_id', gone.chat_room_id, 'reason', why)
    );
  end if;
  perform private.erase_message(message);
end
$function$;

create or replace function private.delete_submission (
  submission_id uuid,
  explanation   text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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

create or replace function private.explain_removal (
  what        text,
  subject     uuid,
  it          private.reported,
  explanation text
)
  returns text
  language plpgsql
  set search_path to ''
  AS $function$
declare
  why constant text := private.require_removal_explanation(explanation);
begin
  update private.reports r set resolved_at = clock_timestamp(), decision = 'remove', explanation = why
  where r.kind = what and r.subject_id = subject and r.resolved_at is null;
  perform private.tell_author_of_removal(what, subject, it, 'remove', why);
  return why;
end
$function$;

create or replace function private.remove_reported_comment (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  delete from public.learning_submission_comments c where c.id = subject
$function$;

create or replace function private.remove_reported_submission (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  delete from public.learning_submissions s where s.id = subject
$function$;

create or replace function private.tell_author_of_removal (
  what        text,
  subject     uuid,
  it          private.reported,
  decision    text,
  explanation text
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  place constant jsonb := it.place;
begin
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'moderated', concat_ws(':', what, decision, subject, pg_current_xact_id()), jsonb_strip_nulls(jsonb_build_object(
    'room', place -> 'room_name', 'title', place -> 'title', 'written_at', place -> 'written_at', 'words', place -> 'words',
    'excerpt', explanation, 'chat_room_id', place -> 'room_id', 'message_id', case when place ? 'room_id' then subject end
  )) || case when place ? 'text' then jsonb_build_object('place', place -> 'text') else '{}' end
  from public.profiles r where r.id = it.author_id
  for key share of r skip locked
  on conflict do nothing;
end
$function$;

create or replace function private.tg_reports__notify()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'report_decided', concat_ws(':', new.kind, new.decision, new.id)
  from public.profiles r where r.id = new.user_id
  for key share of r skip locked
  on conflict do nothing;
  if new.decision <> 'keep' then
    perform private.tell_author_of_removal(
      new.kind, new.subject_id, private.reported(new.kind, new.subject_id), new.decision, new.explanation
    );
  end if;
  return null;
end
$function$;

create or replace function public.delete_comment (
  comment_id  uuid,
  explanation text default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.delete_comment(comment_id, explanation) $function$;

create or replace function public.delete_submission (
  submission_id uuid,
  explanation   text default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.delete_submission(submission_id, explanation) $function$;

comment on function "private"."delete_comment"(uuid, text) is 'Deletes the caller''s own comment, or any for administrators with a second factor (FF005) and an explanation (FF344), audited.';

comment on function "private"."delete_submission"(uuid, text) is 'Deletes the caller''s own submission, or any for administrators with a second factor (FF005) and an explanation (FF344), audited.';

comment on function "private"."explain_removal"(text, uuid, private.reported, text) is 'Tells an author why an administrator takes something away, and decides its open reports; the trimmed explanation. FF344 without one.';

comment on function "private"."tell_author_of_removal"(text, uuid, private.reported, text, text) is
  'Tells an author which of theirs an administrator takes away, and why; once in a transaction.';

comment on function "public"."admin_remove_picture"(uuid, text) is 'Administrators: take a member''s picture off their profile, with a reason that the member reads; returns the name of its object.';

comment on function "public"."delete_comment"(uuid, text) is 'Deletes the caller''s own comment; administrators delete any, with an explanation for its author.';

comment on function "public"."delete_submission"(uuid, text) is 'Deletes the caller''s own submission with its likes and comments; administrators delete any, with an explanation for its author.';

revoke all on function "private"."delete_comment"(uuid, text) from public;

grant execute on function "private"."delete_comment"(uuid, text) to "authenticated", "postgres";

revoke all on function "private"."delete_submission"(uuid, text) from public;

grant execute on function "private"."delete_submission"(uuid, text) to "authenticated", "postgres";

revoke all on function "private"."explain_removal"(text, uuid, private.reported, text) from public;

grant execute on function "private"."explain_removal"(text, uuid, private.reported, text) to "postgres";

revoke all on function "private"."tell_author_of_removal"(text, uuid, private.reported, text, text) from public;

grant execute on function "private"."tell_author_of_removal"(text, uuid, private.reported, text, text) to "postgres";

revoke all on function "public"."delete_comment"(uuid, text) from public;

grant execute on function "public"."delete_comment"(uuid, text) to "authenticated", "postgres";

revoke all on function "public"."delete_submission"(uuid, text) from public;

grant execute on function "public"."delete_submission"(uuid, text) to "authenticated", "postgres";
