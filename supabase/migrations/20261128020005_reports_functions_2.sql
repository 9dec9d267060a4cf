set check_function_bodies = off;

create or replace function private.remove_reported_direct_message (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select private.erase_direct_message(subject)
$function$;

create or replace function private.remove_reported_message (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select private.delete_message(subject)
$function$;

create or replace function private.remove_reported_post (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  delete from private.collaboration_posts p where p.id = subject
$function$;

create or replace function private.remove_reported_profile (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  update public.profiles p set bio = null where p.id = subject;
  update public.profile_choices c set topics = '{}', updated_at = now() where c.user_id = subject
$function$;

create or replace function private.remove_reported_submission (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select private.delete_submission(subject)
$function$;

create or replace function private.report (
  kind    text,
  subject uuid,
  reason  text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  known constant text := private.require_report_kind(kind);
  why constant text := private.require_report_reason(reason);
  it private.reported;
  earlier private.reports;
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
      'insert into private.reports (kind, subject_id, %I, author_id, user_id, reason, snapshot) values ($1, $2, $2, $3, $4, $5, $6)
       on conflict do nothing', known || '_id'
    ) using known, subject, it.author_id, caller, why, it.snapshot;
  elsif position(why in earlier.reason) = 0 then
    perform private.enforce_rate_limit(caller, 'report');
    if char_length(earlier.reason) + char_length(why) + 2 > 2000 then
      perform private.fail('FF317', 'You have said much about this already. An administrator will look at it.');
    end if;
    update private.reports r set reason = earlier.reason || E'\n\n' || why where r.id = earlier.id;
  end if;
end
$function$;

create or replace function private.report_counts()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(jsonb_object_agg(w.kind, w.waiting), '{}') from (
    select r.kind, count(distinct r.subject_id) as waiting from private.reports r where r.resolved_at is null group by r.kind
  ) w
$function$;

create or replace function private.report_kinds()
  returns table (
    kind           text,
    removal        text,
    removed        text,
    is_forgotten   boolean,
    is_between_two boolean
  )
  language sql
  immutable
  set search_path to ''
  AS $function$
  values
    ('message', 'remove', 'removed', false, false),
    ('direct_message', 'remove', 'removed', true, true),
    ('post', 'remove', 'removed', true, false),
    ('submission', 'remove', 'removed', false, false),
    ('comment', 'remove', 'removed', false, false),
    ('profile', 'clear', 'cleared', false, false)
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
      'place', n.place,
      -- What the copy holds besides, such as what came before, cannot be edited.
      'is_changed', exists (
        select from jsonb_each(n.snapshot) e where coalesce(o.snapshot -> e.key, 'null') <> e.value
      ),
      'reports', o.reports, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.kind, r.subject_id, r.author_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.snapshot order by r.id))[1] as snapshot
      from private.reports r
      where r.resolved_at is null and (report_queue.kind is null or r.kind = report_queue.kind)
      group by r.kind, r.subject_id, r.author_id
    ) o
    cross join lateral private.reported(o.kind, o.subject_id) n
    order by o.first_reported_at, o.report_id;
end
$function$;

create or replace function private.reportable_comment (
  subject uuid,
  caller  uuid
)
  returns private.reported
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform private.require_member();
  perform from public.learning_submission_comments c where c.id = subject for key share;
  if not found then
    perform private.fail('FF333', 'There is no such comment.');
  end if;
  return private.reported_comment(subject);
end
$function$;

create or replace function private.reportable_direct_message (
  subject uuid,
  caller  uuid
)
  returns private.reported
  language plpgsql
  set search_path to ''
  AS $function$
declare
  it private.reported;
  asked public.direct_messages;
begin
  perform private.require_member();
  select m.* into asked from public.direct_messages m
  where m.id = subject and m.deleted_at is null and exists (
    select from private.direct_conversations c where c.id = m.conversation_id and caller in (c.first_id, c.second_id)
  );
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  it := private.reported_direct_message(subject);
  it.snapshot := it.snapshot || jsonb_build_object('context', coalesce((
    select jsonb_agg(jsonb_build_object(
      'author_id', e.user_id, 'content', e.content, 'created_at', e.created_at
    ) order by e.created_at, e.id desc)
    from (
      select m.* from public.direct_messages m
      where m.conversation_id = asked.conversation_id and m.deleted_at is null
        and (m.created_at < asked.created_at or (m.created_at = asked.created_at and m.id > asked.id))
      order by m.created_at desc, m.id limit 5
    ) e
  ), '[]'));
  return it;
end
$function$;

create or replace function private.reportable_message (
  subject uuid,
  caller  uuid
)
  returns private.reported
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform private.require_visible_message(subject);
  return private.reported_message(subject);
end
$function$;

create or replace function private.reportable_post (
  subject uuid,
  caller  uuid
)
  returns private.reported
  language plpgsql
  set search_path to ''
  AS $function$
declare
  it private.reported;
begin
  perform private.require_member();
  perform from private.collaboration_posts p
  where p.id = subject and private.is_open_post(p.created_at, p.closed_at) and private.effective_level(p.user_id) > 0
    and not exists (select from private.member_blocks b where b.user_id = p.user_id and b.blocked_id = caller)
    and not exists (select from auth.users u where u.id = p.user_id and u.banned_until > now());
  if not found then
    perform private.fail('FF833', 'This post is no longer there.');
  end if;
  it := private.reported_post(subject);
  if it.author_id = caller then
    perform private.fail('FF834', 'You can close your own post; there is no need to report it.');
  end if;
  return it;
end
$function$;

create or replace function private.reportable_profile (
  subject uuid,
  caller  uuid
)
  returns private.reported
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform private.require_member();
  perform private.require_other_member(caller, subject);
  return private.reported_profile(subject);
end
$function$;

reset check_function_bodies;
