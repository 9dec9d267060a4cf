create or replace function private.admin_money_by_month (
  months integer default 24
)
  returns table (
    month          date,
    currency       text,
    charges        integer,
    charged_pence  bigint,
    refunds        integer,
    refunded_pence bigint,
    disputes       integer,
    disputed_pence bigint,
    vat_pence      bigint,
    net_pence      bigint
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  since timestamptz := (date_trunc('month', now() at time zone 'UTC')
    - make_interval(months => least(greatest(coalesce(months, 24), 1), 120) - 1)) at time zone 'UTC';
begin
  perform private.audit(admin, 'payments.exported', null, jsonb_build_object('since', since, 'by', 'month'));
  return query
  with summed as (
    select date_trunc('month', h.at at time zone 'UTC')::date as m, h.money,
      count(*) filter (where h.what = 'charge')::integer as c, coalesce(sum(h.amount) filter (where h.what = 'charge'), 0)::bigint as ca,
      count(*) filter (where h.what = 'refund')::integer as r, coalesce(sum(h.amount) filter (where h.what = 'refund'), 0)::bigint as ra,
      count(*) filter (where h.what = 'dispute')::integer as d, coalesce(sum(h.amount) filter (where h.what = 'dispute'), 0)::bigint as da,
      sum(h.vat)::bigint as v
    from private.money_happened() h where h.at >= since group by 1, 2
  )
  select s.m, s.money, s.c, s.ca, s.r, s.ra, s.d, s.da, s.v, s.ca - s.ra - s.da - s.v from summed s order by s.m desc, s.money;
end
$function$;

create or replace function private.admin_money_trend()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  this_month constant date := date_trunc('month', now() at time zone 'UTC')::date;
begin
  perform private.require_verified_admin();
  return (
    with months as materialized (
      select m::date as month, m at time zone 'UTC' as begins, least((m + interval '1 month') at time zone 'UTC', now()) as ends
      from generate_series((this_month - interval '11 months')::timestamp, this_month::timestamp, interval '1 month') m
    ), money as (
      select date_trunc('month', h.at at time zone 'UTC')::date as month,
        sum(case h.what when 'charge' then h.amount when 'vat' then -h.vat else -h.amount end) as net
      from private.money_happened() h
      where h.money = 'gbp' and h.at >= (select min(m.begins) from months m) group by 1
    ), members as (
      select m.month, q.user_id,
        bool_or(q.started_at < m.begins and coalesce(q.ended_at, 'infinity') >= m.begins) as at_begin,
        bool_or(q.started_at < m.ends and coalesce(q.ended_at, 'infinity') >= m.ends) as at_end
      from months m cross join private.membership_periods q
      join public.profiles p on p.id = q.user_id and p.role <> 'admin'
      group by m.month, q.user_id
    ), moved as (
      select m.month, count(*) filter (where m.at_begin) as members, count(*) filter (where m.at_begin and not m.at_end) as lost
      from members m group by m.month
    ), reasons as (
      select coalesce(r.reason, 'other') as reason, count(*) as members
      from (
        select distinct on (c.user_id, c.subscription_id) c.reason from private.cancellation_reasons c
        where c.cancelled_at >= (select min(m.begins) from months m) order by c.user_id, c.subscription_id, c.id desc
      ) r group by 1
    )
    select jsonb_build_object(
      'monthly_revenue_pence', private.member_figures() -> 'monthly_revenue_pence',
      'months', (
        select jsonb_agg(jsonb_build_object(
          'month', m.month, 'net_pence', coalesce(y.net, 0), 'members', coalesce(v.members, 0), 'lost', coalesce(v.lost, 0)
        ) order by m.month)
        from months m left join money y on y.month = m.month left join moved v on v.month = m.month
      ),
      'reasons', (
        select coalesce(jsonb_agg(jsonb_build_object('reason', r.reason, 'members', r.members) order by r.members desc, r.reason), '[]')
        from reasons r
      )
    )
  );
end
$function$;

create or replace function private.claim_waits (
  claim private.guarantee_claims
)
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  select claim.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(claim))
    or exists (select from private.claim_renewals(claim))
$function$;

create or replace function private.due_payouts()
  returns table (
    affiliate_id  uuid,
    payable_pence bigint,
    due_since     timestamp with time zone
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select b.affiliate_id, b.payable_pence, (
    select min(x.recorded_at) from private.ledger_transactions x
    join private.ledger_entries e on e.transaction_id = x.id and e.account = 'payable' and e.amount_pence > 0
    where x.affiliate_id = b.affiliate_id and x.id > coalesce((
      select max(p.id) from private.ledger_transactions p where p.affiliate_id = b.affiliate_id and p.kind = 'payout'
    ), 0)
  )
  from private.affiliate_balances b cross join private.affiliate_terms t
  where b.payable_pence > 0 and b.payable_pence >= t.least_payout_pence
$function$;

create or replace function private.guarantee_queue()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.require_verified_admin();
  return (
    select coalesce(jsonb_agg(private.claim_answer(c) || jsonb_build_object(
      'user_id', c.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
      'baseline', (
        select jsonb_build_object(
          'monthly_pence', b.monthly_pence, 'source', b.source, 'started_at', b.started_at,
          'has_document', c.state in ('filed', 'appealed') and b.document_name is not null,
          'check_ins', (
            select coalesce(jsonb_agg(jsonb_build_object('month', k.month_number, 'monthly_pence', k.monthly_pence)
              order by k.month_number), '[]')
            from private.guarantee_check_ins k where k.user_id = c.user_id
          )
        )
        from private.guarantee_baselines b where b.user_id = c.user_id
      ),
      'to_refund', (select count(*) from private.guarantee_refunds(c) r),
      'renews', exists (select from private.claim_renewals(c))
    ) order by coalesce(c.appealed_at, c.filed_at), c.id), '[]')
    from private.guarantee_claims c
    join public.profiles p on p.id = c.user_id
    join auth.users u on u.id = c.user_id
    where private.claim_waits(c)
  );
end
$function$;

create or replace function private.money_happened()
  returns table (
    at     timestamp with time zone,
    money  text,
    what   text,
    amount bigint,
    vat    bigint
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select y.paid_at, y.currency, 'charge', y.amount_pence, 0::bigint from private.payments y
  union all
  select x.happened_at, x.currency, x.kind, x.amount, 0 from private.refunds_and_disputes x
  where x.kind = 'refund' and x.status in ('succeeded', 'pending') or x.kind = 'dispute' and x.status = 'lost'
  union all
  select d.supplied_at, d.currency, 'vat', 0, case d.kind when 'credit_note' then -d.vat_pence else d.vat_pence end
  from private.vat_documents d
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
