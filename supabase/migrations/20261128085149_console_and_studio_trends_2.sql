create or replace function private.my_reading_trend (
  days integer default 30
)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
  today constant date := (now() at time zone 'UTC')::date;
  since constant date := today - least(greatest(coalesce(days, 30), 1), 365) + 1;
  articles constant uuid[] := array(select a.id from public.articles a where a.author_id = caller or is_admin);
  courses constant uuid[] := array(select c.id from public.courses c where c.mentor_id = caller or is_admin);
  lessons constant uuid[] := array(select m.id from public.course_modules m where m.course_id = any (courses));
begin
  return (
    with opened as materialized (
      select o.user_id, o.last_opened_on as day from public.article_opens o
      where o.article_id = any (articles) and o.last_opened_on > today - 365
    ), figures as materialized (
      select f.content_id, f.event, f.amount from private.content_figures(articles || courses || lessons) f where f.day >= since
    )
    select jsonb_build_object(
      'today', today,
      'readers_this_week', (select count(distinct o.user_id) from opened o where o.day > today - 7),
      'readers', (select count(distinct o.user_id) from opened o where o.day >= since),
      'reads', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'read'),
      'enrolments', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'enrolment'),
      'lessons', (select coalesce(sum(f.amount), 0) from figures f where f.event = 'completion' and f.content_id = any (lessons)),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object('day', d.day, 'readers', d.readers) order by d.day), '[]')
        from (
          select o.day, count(distinct o.user_id) as readers from opened o where o.day >= since group by o.day
        ) d
      ),
      'stop', private.usual_stop(courses)
    )
  );
end
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
    union all
    select 6, 'payouts', count(*), min(y.due_since), null from private.due_payouts() y
    union all
    select 7, 'claims', count(*), min(coalesce(c.appealed_at, c.filed_at)), null
    from private.guarantee_claims c where private.claim_waits(c)
  ) q
$function$;

create or replace function private.usual_stop (
  ids uuid[]
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  with lessons as materialized (
    select m.id, m.course_id, row_number() over (partition by m.course_id order by m.module_order, m.id) as place
    from public.course_modules m where m.course_id = any (ids) and m.is_published
  ), stands as (
    select e.course_id, min(l.place) as place
    from public.course_enrollments e
    join lessons l on l.course_id = e.course_id
    where e.completed_at is null
      and not exists (select from public.module_completions d where d.user_id = e.user_id and d.module_id = l.id)
    group by e.course_id, e.user_id
  )
  select jsonb_build_object('course_id', c.id, 'title', c.title, 'module', s.place, 'members', count(*))
  from stands s join public.courses c on c.id = s.course_id
  group by c.id, c.title, s.place order by count(*) desc, c.created_at, s.place limit 1
$function$;

create or replace function public.admin_money_trend()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.admin_money_trend() $function$;

create or replace function public.my_reading_trend (
  days integer default 30
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.my_reading_trend(days) $function$;

comment on function "private"."admin_money_trend"() is 'Twelve months (UTC) with what was left in pounds, members at the beginning and how many of them were lost; revenue a month; reasons given when cancelling.';

comment on function "private"."claim_waits"(private.guarantee_claims) is 'Whether a claim waits for a decision, or a granted one for its renewal to be stopped or payments to be refunded.';

comment on function "private"."due_payouts"() is 'Affiliates who can be paid now, and since when something is owed to them.';

comment on function "private"."money_happened"() is 'Charges, refunds, lost disputes and the VAT of documents, each with its moment and currency.';

comment on function "private"."my_reading_trend"(integer) is 'Of the caller''s texts, everyone''s for administrators: figures of at most 365 days and readers by the day on which each last opened an article. FF650 for other callers.';

comment on function "private"."usual_stop"(uuid[]) is 'The lesson at which most members of some courses stand, with its place; null without any.';

comment on function "public"."admin_money_trend"() is 'Administrators: twelve months of money in pounds and of members, what is earned a month now, and why members cancelled.';

comment on function "public"."my_reading_trend"(integer) is 'Mentors: what happened to their articles and courses in the last days, and readers by day.';

revoke all on function "private"."admin_money_trend"() from public;

grant execute on function "private"."admin_money_trend"() to "authenticated", "postgres";

revoke all on function "private"."claim_waits"(private.guarantee_claims) from public;

grant execute on function "private"."claim_waits"(private.guarantee_claims) to "postgres";

revoke all on function "private"."due_payouts"() from public;

grant execute on function "private"."due_payouts"() to "postgres";

revoke all on function "private"."money_happened"() from public;

grant execute on function "private"."money_happened"() to "postgres";

revoke all on function "private"."my_reading_trend"(integer) from public;

grant execute on function "private"."my_reading_trend"(integer) to "authenticated", "postgres";

revoke all on function "private"."usual_stop"(uuid[]) from public;

grant execute on function "private"."usual_stop"(uuid[]) to "postgres";

revoke all on function "public"."admin_money_trend"() from public;

grant execute on function "public"."admin_money_trend"() to "authenticated", "postgres";

revoke all on function "public"."my_reading_trend"(integer) from public;

grant execute on function "public"."my_reading_trend"(integer) to "authenticated", "postgres";
