set check_function_bodies = off;

create or replace function private.export_part_chat (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.chat_messages m where m.user_id = member
    ), '[]'),
    'message_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.message_id)
      from public.message_likes l where l.user_id = member
    ), '[]'),
    'room_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.chat_room_id) from public.chat_room_reads r where r.user_id = member
    ), '[]')
  )
$function$;

create or replace function private.export_part_decisions (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'audit_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', a.id, 'happened_at', a.happened_at, 'action', a.action,
        'actor', case when a.actor = member then a.actor end,
        'subject', case when a.subject = member then a.subject end,
        'detail', case when a.subject = member then a.detail end
      ) order by a.id) from private.audit_log a where member in (a.actor, a.subject)
    ), '[]'),
    'document_pins', coalesce((
      select jsonb_agg(to_jsonb(p) order by v.submitted_at) from private.document_pins p
      join public.user_verifications v on v.id = p.verification_id where v.user_id = member
    ), '[]'),
    'room_leases', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.chat_room_id) from private.room_leases l where l.user_id = member
    ), '[]')
  )
$function$;

create or replace function private.export_part_direct (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'direct_messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.direct_messages m where m.user_id = member
    ), '[]'),
    'direct_conversations', coalesce((
      select jsonb_agg(to_jsonb(c) - 'first_id' - 'second_id' order by c.created_at, c.id)
      from private.direct_conversations c where member in (c.first_id, c.second_id)
    ), '[]'),
    'direct_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.conversation_id) from private.direct_reads r where r.user_id = member
    ), '[]'),
    'message_choices', (select to_jsonb(c) from public.message_choices c where c.user_id = member),
    'collaboration_posts', coalesce((
      select jsonb_agg(to_jsonb(p) - 'search_key' - 'topic_keys' order by p.created_at, p.id)
      from private.collaboration_posts p where p.user_id = member
    ), '[]')
  )
$function$;

create or replace function private.export_part_people (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'profile_choices', (select to_jsonb(c) from public.profile_choices c where c.user_id = member),
    'member_blocks', coalesce((
      select jsonb_agg(to_jsonb(b) - 'blocked_id' order by b.created_at)
      from private.member_blocks b where b.user_id = member
    ), '[]')
  )
$function$;

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
      to_jsonb(r) - '{user_id,author_id,subject_id,profile_id}'::text[] - case when r.user_id = member then 'snapshot' else 'reason' end
      order by r.id
    )
    from private.reports r
    join private.report_kinds() k on k.kind = r.kind
    where r.user_id = member or r.author_id = member and not k.is_between_two
  ), '[]'))
$function$;

create or replace function private.is_reported_picture (
  name text
)
  returns boolean
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select exists (
    select from private.reports r
    where r.message_id = private.message_of_picture(name) and r.snapshot ->> 'picture' = name and r.resolved_at is null
  )
$function$;

create or replace function private.lock_reported_comment (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select from public.learning_submission_comments c where c.id = subject for update
$function$;

create or replace function private.lock_reported_direct_message (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select from public.direct_messages m where m.id = subject for no key update
$function$;

create or replace function private.lock_reported_message (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select from public.chat_messages m where m.id = subject for no key update
$function$;

create or replace function private.lock_reported_post (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select from private.collaboration_posts p where p.id = subject for no key update
$function$;

create or replace function private.lock_reported_profile (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select from public.profiles p where p.id = subject for no key update
$function$;

create or replace function private.lock_reported_submission (
  subject uuid
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  perform from public.learning_submission_likes l where l.submission_id = subject order by l.user_id for update;
  perform from public.learning_submission_comments c where c.submission_id = subject order by c.id for update;
  perform from public.learning_submissions s where s.id = subject for update;
end
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
    select r.id, r.kind, r.subject_id, r.reason, coalesce(r.snapshot ->> 'content', r.snapshot ->> 'bio', '') as content,
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
        'kind', n.kind, 'reason', n.reason, 'content', left(n.content, 300), 'decision', n.decision,
        'room', (private.reported(n.kind, n.subject_id)).place ->> 'room_name', 'created_at', n.created_at
      ) order by n.id desc) from (select r.* from reports r order by r.id desc limit 20) n
    ), '[]')
  )
$function$;

create or replace function private.queue_counts()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object('kinds', q.kinds))
      || jsonb_build_object('queue', q.name, 'waiting', q.waiting, 'oldest_at', q.oldest_at) order by q.place
  )
  from (
    select 1 as place, 'identity' as name, count(*) as waiting, min(v.submitted_at) as oldest_at, null::jsonb as kinds
    from public.user_verifications v where v.status = 'pending'
    union all
    select 2, 'reports', count(distinct (r.kind, r.subject_id)), min(r.created_at), private.report_counts()
    from private.reports r where r.resolved_at is null
    union all
    select 3, 'accounts', count(*), min(f.created_at), null from private.account_flags f where f.closed_at is null
    union all
    select 4, 'disputes', count(*), min(d.opened_at), null from private.open_disputes() d
    union all
    select 5, 'review', count(*), min(d.submitted_at), null from public.drafts d where d.status = 'submitted'
  ) q
$function$;

create or replace function private.remove_reported_comment (
  subject uuid
)
  returns void
  language sql
  set search_path to ''
  AS $function$
  select private.delete_comment(subject)
$function$;

reset check_function_bodies;
