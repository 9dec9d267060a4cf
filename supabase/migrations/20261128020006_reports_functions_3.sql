set check_function_bodies = off;

create or replace function private.reportable_submission (
  subject uuid,
  caller  uuid
)
  returns private.reported
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform private.require_member();
  perform from public.learning_submissions s where s.id = subject for key share;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  return private.reported_submission(subject);
end
$function$;

create or replace function private.reported (
  kind    text,
  subject uuid
)
  returns private.reported
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  found_subject private.reported;
begin
  execute format('select * from private.%I($1)', 'reported_' || private.require_report_kind(kind)) into found_subject using subject;
  return found_subject;
end
$function$;

create or replace function private.reported_comment (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select c.user_id, jsonb_build_object('content', c.content), jsonb_build_object('submission_id', s.id, 'title', s.title)
  from public.learning_submission_comments c join public.learning_submissions s on s.id = c.submission_id where c.id = subject
$function$;

create or replace function private.reported_direct_message (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select m.user_id, jsonb_build_object('content', m.content), jsonb_build_object('is_deleted', m.deleted_at is not null)
  from public.direct_messages m where m.id = subject
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
    jsonb_build_object('room_id', c.id, 'room_name', c.name, 'is_deleted', m.deleted_at is not null)
  from public.chat_messages m join public.chat_rooms c on c.id = m.chat_room_id where m.id = subject
$function$;

create or replace function private.reported_post (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select p.user_id, jsonb_build_object('content', p.title || E'\n\n' || p.details), '{}'::jsonb
  from private.collaboration_posts p where p.id = subject
$function$;

create or replace function private.reported_profile (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select p.id, jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'bio', p.bio,
    'topics', coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = p.id), '[]')
  ), '{}'::jsonb
  from public.profiles p where p.id = subject
$function$;

create or replace function private.reported_submission (
  subject uuid
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select s.user_id, jsonb_build_object('title', s.title, 'content', s.content),
    jsonb_build_object('submission_id', s.id, 'title', s.title)
  from public.learning_submissions s where s.id = subject
$function$;

create or replace function private.require_report_kind (
  kind text
)
  returns text
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
begin
  if not exists (select from private.report_kinds() k where k.kind = require_report_kind.kind) then
    perform private.fail('FF343', 'This can''t be reported.');
  end if;
  return kind;
end
$function$;

create or replace function private.resolve_report (
  report   bigint,
  decision text
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
  execute format('select private.%I($1)', 'lock_reported_' || asked.kind) using asked.subject_id;
  if asked.author_id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.reports r
  set resolved_at = clock_timestamp(), decision = resolve_report.decision,
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

create or replace function private.tg_reports__notify()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, told.kind, concat_ws(':', new.kind, new.decision, told.act)
  from (
    values (new.user_id, 'report_decided', new.id::text),
      (new.author_id, 'moderated', new.subject_id || ':' || pg_current_xact_id())
  ) told (member, kind, act)
  join public.profiles r on r.id = told.member
  where told.kind = 'report_decided' or new.decision <> 'keep'
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

create or replace function public.report (
  kind       text,
  subject_id uuid,
  reason     text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.report(kind, subject_id, reason) $function$;

create or replace function public.report_queue (
  kind text default null::text
)
  returns SETOF jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.report_queue(kind) $function$;

create or replace function public.resolve_report (
  report_id bigint,
  decision  text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.resolve_report(report_id, decision) $function$;

reset check_function_bodies;
