drop function "private"."resolve_report"(bigint, text);

drop function "public"."resolve_report"(bigint, text);

alter table "private"."reports"
  add column "explanation" text;

alter table "public"."notifications"
  add column "facts" jsonb;

create or replace function private.export_part_reports (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object('reports', coalesce((
    select jsonb_agg(
      to_jsonb(r) - '{user_id,author_id,subject_id,profile_id}'::text[] - case when r.user_id = member then '{snapshot,explanation}' else '{reason}' end::text[]
      order by r.id
    )
    from private.reports r
    join private.report_kinds() k on k.kind = r.kind
    where r.user_id = member or r.author_id = member and not k.is_between_two
  ), '[]'))
$function$;

create or replace function private.notification_part_reports (
  member uuid
)
  returns table (
    id    bigint,
    place jsonb
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select n.id, coalesce(n.facts, '{}')
    || jsonb_build_object('what', split_part(n.detail, ':', 1), 'is_kept', split_part(n.detail, ':', 2) = 'keep')
  from private.newest_notifications(member, array['report_decided', 'moderated']) n
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
    jsonb_build_object('submission_id', s.id, 'title', s.title, 'written_at', c.created_at)
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
  select m.user_id, jsonb_build_object('content', m.content),
    jsonb_build_object('is_deleted', m.deleted_at is not null, 'written_at', m.created_at)
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
    jsonb_build_object('room_id', c.id, 'room_name', c.name, 'is_deleted', m.deleted_at is not null, 'written_at', m.created_at)
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
  select p.user_id, jsonb_build_object('content', p.title || E'\n\n' || p.details),
    jsonb_build_object('title', p.title, 'written_at', p.created_at)
  from private.collaboration_posts p where p.id = subject
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
    jsonb_build_object('submission_id', s.id, 'title', s.title, 'written_at', s.created_at)
  from public.learning_submissions s where s.id = subject
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
  why constant text := private.trimmed_message(explanation);
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
  if decision <> 'keep' and (why is null or private.is_blank(why) or char_length(why) > 500) then
    perform private.fail('FF344', 'Tell the author in at most 500 characters why it is taken away.');
  end if;
  execute format('select private.%I($1)', 'lock_reported_' || asked.kind) using asked.subject_id;
  if asked.author_id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.reports r
  set resolved_at = clock_timestamp(), decision = resolve_report.decision,
    explanation = case when resolve_report.decision <> 'keep' then why end,
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
declare
  place constant jsonb := (private.reported(new.kind, new.subject_id)).place;
  of_author constant jsonb := jsonb_strip_nulls(jsonb_build_object(
    'room', place -> 'room_name', 'title', place -> 'title', 'written_at', place -> 'written_at', 'excerpt', new.explanation
  ));
begin
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, told.kind, concat_ws(':', new.kind, new.decision, told.act), told.facts
  from (
    values (new.user_id, 'report_decided', new.id::text, null),
      (new.author_id, 'moderated', new.subject_id || ':' || pg_current_xact_id(), of_author)
  ) told (member, kind, act, facts)
  join public.profiles r on r.id = told.member
  where told.kind = 'report_decided' or new.decision <> 'keep'
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$function$;

create or replace function public.resolve_report (
  report_id   bigint,
  decision    text,
  explanation text   default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.resolve_report(report_id, decision, explanation) $function$;

alter table "private"."reports"
  add constraint "reports_explanation_check"
    check (((char_length(explanation) >= 1) AND (char_length(explanation) <= 500))) not valid;

comment on column "private"."reports"."explanation" is 'Why it was taken away, in the administrator''s words to the author.';

comment on column "public"."notifications"."facts" is 'What the line says of something that may be gone by the time it is read.';

comment on function "private"."notification_part_reports"(uuid) is 'What became of a member''s reports, and what of the member''s own was taken away by one, and why.';

comment on function "private"."resolve_report"(bigint, text, text) is 'Keeps or takes away what was reported, and closes all its reports; audited. FF319, FF320, FF344 or FF513.';

comment on function "public"."resolve_report"(bigint, text, text) is 'Administrators: keep what was reported, or remove (a profile: clear) it, with an explanation for its author.';

revoke all on function "private"."resolve_report"(bigint, text, text) from public;

grant execute on function "private"."resolve_report"(bigint, text, text) to "authenticated", "postgres";

revoke all on function "public"."resolve_report"(bigint, text, text) from public;

grant execute on function "public"."resolve_report"(bigint, text, text) to "authenticated", "postgres";
