drop function "private"."report"(text, uuid, text);

drop function "private"."require_report_reason"(text);

drop function "public"."report"(text, uuid, text);

alter table "private"."reports"
  add column "category" text;

-- Nobody but functions of this schema reads the column, and they come with this migration.
alter table "private"."reports"
  -- squawk-ignore ban-drop-not-null
  alter column "reason" drop not null;

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
      to_jsonb(r) - '{user_id,author_id,subject_id,profile_id}'::text[]
        - case when r.user_id = member then '{snapshot,explanation}' else '{category,reason}' end::text[]
      order by r.id
    )
    from private.reports r
    join private.report_kinds() k on k.kind = r.kind
    where r.user_id = member or r.author_id = member and not k.is_between_two
  ), '[]'))
$function$;

create or replace function private.member_conduct (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  with reports as (
    select r.id, r.kind, r.subject_id, r.category, coalesce(r.reason, '') as reason,
      coalesce(r.snapshot ->> 'content', r.snapshot ->> 'bio', '') as content,
      r.decision, r.created_at, r.user_id as reporter, r.author_id as author
    from private.reports r
    where r.user_id = member or r.author_id = member
  )
  select jsonb_build_object(
    'submission_count', (select count(*) from public.learning_submissions s where s.user_id = member),
    'submissions', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc) from (
        select s.id, s.submission_type, s.title, s.is_featured, s.like_count, s.comment_count, s.created_at
        from public.learning_submissions s where s.user_id = member order by s.created_at desc, s.id limit 10
      ) n
    ), '[]'),
    'reports_made', (select count(*) from reports r where r.reporter = member),
    'reports_received', (select count(*) from reports r where r.author = member),
    'reports', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'is_about_member', n.author = member, 'other_id', case when n.author = member then n.reporter else n.author end,
        'other_name', private.account_label(case when n.author = member then n.reporter else n.author end),
        'kind', n.kind, 'category', n.category, 'reason', n.reason, 'content', left(n.content, 300), 'decision', n.decision,
        'room', (private.reported(n.kind, n.subject_id)).place ->> 'room_name', 'created_at', n.created_at
      ) order by n.id desc) from (select r.* from reports r order by r.id desc limit 20) n
    ), '[]')
  )
$function$;

create or replace function private.report (
  kind     text,
  subject  uuid,
  reason   text default null::text,
  category text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  known constant text := private.require_report_kind(kind);
  chosen constant text := private.require_report_category(category);
  why constant text := private.require_report_reason(reason, category);
  it private.reported;
  earlier private.reports;
  is_said boolean;
begin
  execute format('select * from private.%I($1, $2)', 'reportable_' || known) into it using subject, caller;
  if it.author_id = caller then
    perform private.fail('FF318', 'You can delete what you wrote; there is no need to report it.');
  end if;
  select r.* into earlier from private.reports r
  where r.kind = known and r.subject_id = subject and r.user_id = caller and r.resolved_at is null for update;
  if not found then
    perform private.enforce_rate_limit(caller, 'report');
    execute format(
      'insert into private.reports (kind, subject_id, %I, author_id, user_id, category, reason, snapshot)
       values ($1, $2, $2, $3, $4, $5, $6, $7) on conflict do nothing', known || '_id'
    ) using known, subject, it.author_id, caller, chosen, why, it.snapshot;
    return;
  end if;
  is_said := why is null or position(why in coalesce(earlier.reason, '')) > 0;
  if is_said and coalesce(chosen = earlier.category, chosen is null) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  if not is_said and char_length(earlier.reason) + char_length(why) + 2 > 2000 then
    perform private.fail('FF317', 'You have told us a lot about this already. An administrator will look at it.');
  end if;
  update private.reports r
  set category = coalesce(chosen, earlier.category),
    reason = case when is_said then earlier.reason else concat_ws(E'\n\n', earlier.reason, why) end
  where r.id = earlier.id;
end
$function$;

create or replace function private.report_queue (
  kind text default null::text
)
  returns SETOF jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'kind', o.kind, 'subject_id', o.subject_id, 'author', private.describe_member(o.author_id),
      'snapshot', case when o.snapshot ? 'context' then o.snapshot || jsonb_build_object('context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.snapshot -> 'context') e
      )) else o.snapshot end,
      -- The words are those of the report, and not what was edited since.
      'place', n.place - 'words',
      'around', case when o.kind = 'message' then private.around_message(o.subject_id) end,
      -- What the copy holds besides, such as what came before, cannot be edited.
      'is_changed', exists (
        select from jsonb_each(n.snapshot) e where coalesce(o.snapshot -> e.key, 'null') <> e.value
      ),
      'reports', o.reports, 'categories', o.categories, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.kind, r.subject_id, r.author_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.category order by r.id) as categories, jsonb_agg(coalesce(r.reason, '') order by r.id) as reasons,
        min(r.created_at) as first_reported_at,
        (array_agg(r.snapshot order by r.id))[1] as snapshot
      from private.reports r
      where r.resolved_at is null and (report_queue.kind is null or r.kind = report_queue.kind)
      group by r.kind, r.subject_id, r.author_id
    ) o
    cross join lateral private.reported(o.kind, o.subject_id) n
    order by o.first_reported_at, o.report_id;
end
$function$;

create or replace function private.require_report_category (
  category text
)
  returns text
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
begin
  if category not in ('spam', 'harassment', 'scam', 'danger', 'privacy', 'other') then
    perform private.fail('FF345', 'Choose one of the reasons in the list, or say in your own words what is wrong.');
  end if;
  return category;
end
$function$;

create or replace function private.require_report_reason (
  reason   text,
  category text
)
  returns text
  language plpgsql
  immutable
  set search_path to ''
  AS $function$
declare
  why constant text := case when not private.is_blank(reason) then private.trimmed_message(reason) end;
begin
  if why is null and (category is null or category = 'other') or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  return why;
end
$function$;

create or replace function private.tg_reports__notify()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  -- Who reported several things knows by their own words which it was. Nothing of what was reported is repeated.
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'report_decided', concat_ws(':', new.kind, new.decision, new.id), jsonb_strip_nulls(jsonb_build_object(
    'room', (private.reported(new.kind, new.subject_id)).place -> 'room_name', 'excerpt', private.first_words(new.reason),
    'why', new.category
  ))
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

create or replace function public.report (
  kind       text,
  subject_id uuid,
  reason     text default null::text,
  category   text default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.report(kind, subject_id, reason, category) $function$;

alter table "private"."reports"
  add constraint "reports_category_check"
    check
    ((category = ANY (ARRAY['spam'::text, 'harassment'::text, 'scam'::text, 'danger'::text, 'privacy'::text,
    'other'::text]))) not valid;

alter table "private"."reports"
  add constraint "reports_said_check" check ((num_nonnulls(category, reason) > 0)) not valid;

comment on column "private"."reports"."category" is 'What is wrong, as chosen from the list; null when the member only wrote it.';

comment on column "private"."reports"."reason" is 'What is wrong, in the member''s words; null when what was chosen says it.';

comment on function "private"."report"(text, uuid, text, text) is 'Reports something to the administrators, once while it is open: repeating it adds what it does not say yet, up to 2000 characters, and the newest category stands.';

comment on function "private"."require_report_category"(text) is 'What was chosen from the list, or null; raises FF345 for what is not in it.';

comment on function "private"."require_report_reason"(text, text) is 'The trimmed words of a report, or null where the category says enough; raises FF317 when they are missing or too long.';

comment on function "public"."report"(text, uuid, text, text) is 'Reports something of another member to the administrators, for a reason of a list, in own words, or both. Repeating it while it is open adds what it did not say yet.';

revoke all on function "private"."report"(text, uuid, text, text) from public;

grant execute on function "private"."report"(text, uuid, text, text) to "authenticated", "postgres";

revoke all on function "private"."require_report_category"(text) from public;

grant execute on function "private"."require_report_category"(text) to "postgres";

revoke all on function "private"."require_report_reason"(text, text) from public;

grant execute on function "private"."require_report_reason"(text, text) to "postgres";

revoke all on function "public"."report"(text, uuid, text, text) from public;

grant execute on function "public"."report"(text, uuid, text, text) to "authenticated", "postgres";
