create or replace function private.member_figures()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  with members as materialized (
    select u.id, u.created_at, coalesce(p.onboarding_complete, false) as onboarded, l.current_level,
      coalesce(s.status, 'none') as status, coalesce(s.cancel_at_period_end, false) as cancels, n.role,
      -- What a month of it is worth.
      coalesce(o.amount_pence, n.amount_pence) / case o."interval" when 'year' then 12.0 else 1.0 end as monthly_pence,
      coalesce(d.status, 'never_paid') as membership
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join public.user_levels l on l.user_id = u.id
    left join private.membership_statuses d on d.user_id = u.id
    left join public.stripe_customers c on c.user_id = u.id and c.deleted_at is null
    left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null and s.status <> 'not_started'
    left join private.plan_prices o on o.price_id = s.price_id
    left join public.plans n on n.id = o.plan_id
    where u.deleted_at is null and p.role is distinct from 'admin'
  ), live as (
    select * from members m where m.status in ('active', 'trialing') and m.role is not null
  ), paused_then as (
    select c.user_id from public.membership_pauses a
    join public.stripe_subscriptions s on s.subscription_id = a.subscription_id
    join public.stripe_customers c on c.customer_id = s.customer_id
    where a.confirmed_at is not null and a.begins_at <= now() - interval '30 days'
      and (a.ended_at is null or a.ended_at > now() - interval '30 days')
  ), periods as (
    select q.user_id, min(q.started_at) as first_started_at,
      max(q.ended_at) filter (where q.ended_at > now() - interval '30 days') as recently_ended_at,
      max(q.ended_at) filter (
        where q.ended_at > now() - interval '60 days' and q.ended_at <= now() - interval '30 days'
      ) as formerly_ended_at,
      bool_or(q.ended_at is null) as is_subscribed,
      -- Who pauses is not lost.
      bool_or(q.ended_at is null or m.membership = 'paused') as is_live,
      bool_or(q.started_at <= now() - interval '30 days'
        and (q.ended_at is null or q.ended_at > now() - interval '30 days')) as was_live,
      q.user_id in (select t.user_id from paused_then t) as was_paused,
      bool_or(q.started_at <= now() - interval '60 days'
        and (q.ended_at is null or q.ended_at > now() - interval '60 days')) as was_live_before
    from private.membership_periods q join members m on m.id = q.user_id group by q.user_id
  ), joined as (
    select m.created_at > now() - interval '30 days' as is_recent, q.user_id is not null as has_joined,
      q.user_id is not null and m.onboarded as has_onboarded
    from members m left join periods q on q.user_id = m.id
  )
  select jsonb_build_object(
    'accounts', (select count(*) from members),
    'by_status', (
      select coalesce(jsonb_object_agg(t.membership, t.n), '{}')
      from (select m.membership, count(*) as n from members m group by m.membership) t
    ),
    'by_level', (
      select jsonb_agg((
        select count(*) from members v where v.membership in ('paying', 'complimentary')
          and case when v.onboarded then coalesce(v.current_level, 1) else 0 end = g.level
      ) order by g.level)
      from generate_series(0, 4) as g (level)
    ),
    'paying_students', (select count(*) from live v where v.role = 'student' and v.status = 'active'),
    'paying_mentors', (select count(*) from live v where v.role = 'mentor' and v.status = 'active'),
    'on_trial', (select count(*) from live v where v.status = 'trialing'),
    'cancelling', (select count(*) from live v where v.cancels),
    'new_30_days', (select count(*) from periods q where q.first_started_at > now() - interval '30 days'),
    'lost_30_days', (select count(*) from periods q where q.recently_ended_at is not null and not q.is_live),
    -- Those who were members thirty days ago, and how many of them are not any more.
    'churn', (
      select jsonb_build_object('members', count(*), 'lost', count(*) filter (where not q.is_live)) from periods q where q.was_live
    ),
    -- The same thirty days ago. What each member paid then, and who was about to leave, is not kept.
    'subscribed', (select count(*) from periods q where q.is_subscribed),
    'first_member_at', (select min(q.first_started_at) from periods q),
    'before', (
      select jsonb_build_object(
        'subscribed', count(*) filter (where q.was_live),
        'new', count(*) filter (
          where q.first_started_at > now() - interval '60 days' and q.first_started_at <= now() - interval '30 days'
        ),
        'lost', count(*) filter (where q.formerly_ended_at is not null and not q.was_live and not q.was_paused),
        'churn', jsonb_build_object(
          'members', count(*) filter (where q.was_live_before),
          'lost', count(*) filter (where q.was_live_before and not q.was_live and not q.was_paused)
        )
      ) from periods q
    ),
    'funnel', (
      select jsonb_build_object(
        'all', jsonb_build_array(count(*), count(*) filter (where j.has_joined), count(*) filter (where j.has_onboarded)),
        'recent', jsonb_build_array(
          count(*) filter (where j.is_recent), count(*) filter (where j.is_recent and j.has_joined),
          count(*) filter (where j.is_recent and j.has_onboarded)
        )
      ) from joined j
    ),
    'monthly_revenue_pence', (select round(coalesce(sum(v.monthly_pence), 0))::bigint from live v where v.status = 'active')
  )
$function$;

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
  length constant integer := least(greatest(coalesce(days, 30), 1), 365);
  since constant date := today - length + 1;
  articles constant uuid[] := array(select a.id from public.articles a where a.author_id = caller or is_admin);
  courses constant uuid[] := array(select c.id from public.courses c where c.mentor_id = caller or is_admin);
  lessons constant uuid[] := array(select m.id from public.course_modules m where m.course_id = any (courses));
begin
  return (
    with opened as materialized (
      select o.user_id, o.last_opened_on as day from public.article_opens o
      where o.article_id = any (articles) and o.last_opened_on > today - 365
    ), figures as materialized (
      select f.content_id, f.event, f.amount, f.day < since as is_before
      from private.content_figures(articles || courses || lessons) f where f.day >= since - length
    ), sums as (
      select f.is_before, coalesce(sum(f.amount) filter (where f.event = 'read'), 0) as reads,
        coalesce(sum(f.amount) filter (where f.event = 'enrolment'), 0) as enrolments,
        coalesce(sum(f.amount) filter (where f.event = 'completion' and f.content_id = any (lessons)), 0) as lessons
      from figures f group by f.is_before
    )
    select jsonb_build_object(
      'today', today,
      'readers_this_week', (select count(distinct o.user_id) from opened o where o.day > today - 7),
      'readers', (select count(distinct o.user_id) from opened o where o.day >= since),
      'reads', coalesce((select s.reads from sums s where not s.is_before), 0),
      'enrolments', coalesce((select s.enrolments from sums s where not s.is_before), 0),
      'lessons', coalesce((select s.lessons from sums s where not s.is_before), 0),
      -- Of readers only the last day is kept, so that those of earlier days are not known.
      'before', jsonb_build_object(
        'reads', coalesce((select s.reads from sums s where s.is_before), 0),
        'enrolments', coalesce((select s.enrolments from sums s where s.is_before), 0),
        'lessons', coalesce((select s.lessons from sums s where s.is_before), 0)
      ),
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

comment on function "private"."member_figures"() is 'Figures about all accounts but the administrators; status and level are those of the list of members (private.membership_statuses), complimentary members included; before has what was true thirty days ago, of plans with trials; the funnel counts signed up, joined a plan at least once (trials included), and joined and onboarded.';

comment on function "private"."my_reading_trend"(integer) is 'Of the caller''s texts, everyone''s for administrators: figures of at most 365 days, of as many days before them, and readers by the day on which each last opened an article. FF650 for other callers.';
