drop function "private"."delete_message"(uuid);

drop function "public"."delete_message"(uuid);

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
    why := private.require_removal_explanation(explanation);
    update private.reports r set resolved_at = clock_timestamp(), decision = 'remove', explanation = why
    where r.kind = 'message' and r.subject_id = message and r.resolved_at is null;
    perform private.tell_author_of_removal('message', message, gone.user_id, 'remove', why);
    perform private.audit(
      caller, 'message.deleted', gone.user_id,
      jsonb_build_object('message_id', gone.id, 'chat_room_id', gone.chat_room_id, 'reason', why)
    );
  end if;
  perform private.erase_message(message);
end
$function$;

create or replace function private.erase_message (
  message uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  update public.chat_messages m
  set content = '', deleted_at = clock_timestamp(),
    picture = null, picture_width = null, picture_height = null, picture_alt = null
  where m.id = message and m.deleted_at is null
$function$;

create or replace function private.first_words (
  content text
)
  returns text
  language sql
  immutable
  set search_path to ''
  AS $function$
  select nullif(case when char_length(w.words) > 60 then left(w.words, 59) || '…' else w.words end, '')
  from (select btrim(regexp_replace(content, '\s+', ' ', 'g')) as words) w
$function$;

create or replace function private.remove_reported_message (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select private.erase_message(subject)
$function$;

create or replace function private.reported_comment (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select c.user_id, jsonb_build_object('content', c.content),
    jsonb_build_object('submission_id', s.id, 'title', s.title, 'written_at', c.created_at, 'words', private.first_words(c.content))
  from public.learning_submission_comments c join public.learning_submissions s on s.id = c.submission_id where c.id = subject
$function$;

create or replace function private.reported_message (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select m.user_id, jsonb_build_object('content', m.content, 'picture', m.picture, 'picture_alt', m.picture_alt),
    jsonb_build_object(
      'room_id', c.id, 'room_name', c.name, 'is_deleted', m.deleted_at is not null, 'written_at', m.created_at,
      'words', private.first_words(m.content)
    )
  from public.chat_messages m join public.chat_rooms c on c.id = m.chat_room_id where m.id = subject
$function$;

create or replace function private.require_removal_explanation (
  explanation text
)
  returns text
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
declare
  why constant text := private.trimmed_message(explanation);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF344', 'Tell the author in at most 500 characters why it is taken away.');
  end if;
  return why;
end
$function$;

create or replace function private.resolve_report (
  report      bigint,
  decision    text,
  explanation text   default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin constant uuid := private.require_verified_admin();
  asked private.reports;
  known record;
  why text;
begin
  if decision is null or decision not in ('keep', 'remove', 'clear') then
    perform private.fail('FF319', 'The decision must be keep, or remove or clear.');
  end if;
  select r.* into asked from private.reports r where r.id = report;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  select k.* into strict known from private.report_kinds() k where k.kind = asked.kind;
  if decision not in ('keep', known.removal) then
    perform private.fail('FF319', format('The decision must be keep or %s.', known.removal));
  end if;
  if decision <> 'keep' then
    why := private.require_removal_explanation(explanation);
  end if;
  execute format('select private.%I($1)', 'lock_reported_' || asked.kind) using asked.subject_id;
  if asked.author_id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.reports r
  set resolved_at = clock_timestamp(), decision = resolve_report.decision, explanation = why,
    snapshot = case when known.is_forgotten then '{}' else r.snapshot end
  where r.kind = asked.kind and r.subject_id = asked.subject_id and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, asked.kind || '.' || case decision when 'keep' then 'kept' else known.removed end, asked.author_id,
    -- Without the id of what is forgotten; of a profile it stands beside it already.
    case when known.is_forgotten or asked.subject_id = asked.author_id then '{}'
      else jsonb_build_object(asked.kind || '_id', asked.subject_id) end
    || jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision <> 'keep' then
    execute format('select private.%I($1)', 'remove_reported_' || asked.kind) using asked.subject_id;
  end if;
end
$function$;

create or replace function private.tell_author_of_removal (
  what        text,
  subject     uuid,
  author      uuid,
  decision    text,
  explanation text
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  place constant jsonb := (private.reported(what, subject)).place;
begin
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'moderated', concat_ws(':', what, decision, subject, pg_current_xact_id()), jsonb_strip_nulls(jsonb_build_object(
    'room', place -> 'room_name', 'title', place -> 'title', 'written_at', place -> 'written_at', 'words', place -> 'words',
    'excerpt', explanation
  ))
  from public.profiles r where r.id = author
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
    perform private.tell_author_of_removal(new.kind, new.subject_id, new.author_id, new.decision, new.explanation);
  end if;
  return null;
end
$function$;

create or replace function public.delete_message (
  message_id  uuid,
  explanation text default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.delete_message(message_id, explanation) $function$;

comment on function "private"."delete_message"(uuid, text) is 'Deletes the text of the caller''s own message, or of any for administrators with a second factor (FF005) and an explanation (FF344), audited. Repeating it does nothing.';

comment on function "private"."erase_message"(uuid) is 'Deletes the text and the picture of a message.';

comment on function "private"."first_words"(text) is 'By what its author knows a text again: its beginning in one line; null without any.';

comment on function "private"."notification_part_reports"(uuid) is 'What became of a member''s reports, and what of the member''s own was taken away, and why.';

comment on function "private"."require_removal_explanation"(text) is 'The trimmed explanation for an author; raises FF344 when it is empty or too long.';

comment on function "private"."tell_author_of_removal"(text, uuid, uuid, text, text) is 'Tells an author which of theirs an administrator takes away, and why; once in a transaction.';

comment on function "public"."delete_message"(uuid, text) is 'Deletes the caller''s own message; administrators delete any, with an explanation for its author.';

revoke all on function "private"."delete_message"(uuid, text) from public;

grant execute on function "private"."delete_message"(uuid, text) to "authenticated", "postgres";

revoke all on function "private"."erase_message"(uuid) from public;

grant execute on function "private"."erase_message"(uuid) to "postgres";

revoke all on function "private"."first_words"(text) from public;

grant execute on function "private"."first_words"(text) to "postgres";

revoke all on function "private"."require_removal_explanation"(text) from public;

grant execute on function "private"."require_removal_explanation"(text) to "postgres";

revoke all on function "private"."tell_author_of_removal"(text, uuid, uuid, text, text) from public;

grant execute on function "private"."tell_author_of_removal"(text, uuid, uuid, text, text) to "postgres";

revoke all on function "public"."delete_message"(uuid, text) from public;

grant execute on function "public"."delete_message"(uuid, text) to "authenticated", "postgres";
