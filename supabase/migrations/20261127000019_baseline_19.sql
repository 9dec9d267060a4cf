-- Part 19 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- selling/offers.sql

-- The row of the ledger that a mentor's shares are booked to.
create function private.ensure_affiliate(member uuid) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_id uuid;
begin
  loop
    select a.affiliate_id into found_id from private.affiliates a where a.user_id = member;
    exit when found;
    insert into private.affiliates (user_id, code) values (member, private.new_affiliate_code()) on conflict do nothing;
  end loop;
  return found_id;
end
$$;
comment on function private.ensure_affiliate(uuid) is 'The account''s id in the ledger, made when there is none.';

-- @rpc authenticated
-- Mentors: the sale page of a course of one's own.
create function private.save_course_offer(course uuid, slug text, outcomes text[], free_module uuid, is_on_sale boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  address constant text := lower(btrim(slug));
  lines constant text[] := (
    select array_agg(btrim(l.line) order by l.place) from unnest(outcomes) with ordinality l (line, place) where btrim(l.line) <> ''
  );
  sold public.courses;
begin
  perform private.enforce_rate_limit(caller, 'save_course_offer');
  select c.* into sold from public.courses c where c.id = course and c.mentor_id = caller for update;
  if not found or private.effective_level(caller) < 1
    or not exists (select from public.profiles p where p.id = caller and p.role in ('mentor', 'admin')) then
    perform private.fail('FF850', 'Only the mentor who wrote a course can sell it.');
  end if;
  if is_on_sale and exists (select from private.course_offers o where o.course_id = course and o.ended_at is not null) then
    perform private.fail('FF857', 'An administrator ended this sale. It can''t go on again until they allow it.');
  end if;
  if is_on_sale and (not sold.is_published or sold.price not between 1 and 5000) then
    perform private.fail('FF851', 'Publish the course with a price between £1 and £5,000 first.');
  end if;
  if address is null or address !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(address) not between 3 and 80 then
    perform private.fail('FF852', 'Use 3 to 80 lower-case letters, digits and hyphens for the address.');
  end if;
  if exists (
    select from private.course_offers o where o.slug = address and o.course_id <> course
    union all
    select from private.course_addresses a where a.slug = address and a.course_id is distinct from course
  ) then
    perform private.fail('FF853', 'Another course has this address. Choose another one.');
  end if;
  if coalesce(cardinality(lines), 0) not between 1 and 8 or exists (select from unnest(lines) l (line) where char_length(l.line) > 160) then
    perform private.fail('FF854', 'Write one to eight lines about what one learns, each at most 160 characters.');
  end if;
  if not exists (select from public.course_modules m where m.id = free_module and m.course_id = course and m.is_published) then
    perform private.fail('FF855', 'Choose a lesson of this course that everyone may read.');
  end if;
  perform private.ensure_affiliate(caller);
  insert into private.course_offers as o (course_id, slug, outcomes, free_module_id, is_on_sale)
  values (course, address, lines, free_module, coalesce(save_course_offer.is_on_sale, false))
  on conflict (course_id) do update set
    slug = excluded.slug, outcomes = excluded.outcomes, free_module_id = excluded.free_module_id,
    is_on_sale = excluded.is_on_sale, changed_at = now();
exception when unique_violation then
  perform private.fail('FF853', 'Another course has this address. Choose another one.');
end
$$;
comment on function private.save_course_offer(uuid, text, text[], uuid, boolean) is
  'A mentor begins, changes or ends the sale of a course. FF850 to FF855, FF857.';

-- For members who recommend courses by their link.
-- @rpc authenticated
-- Members: courses that one's link can bring buyers to.
create function private.courses_on_sale() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if private.effective_level(caller) < 1 then
    perform private.fail('FF630', 'Your link opens with your membership.');
  end if;
  return jsonb_build_object(
    'referral_basis_points', (select t.referral_basis_points from private.selling_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('slug', o.slug, 'title', o.title, 'price_pence', o.price_pence) order by o.title, o.slug)
      from (
        select x.slug, x.title, x.price_pence from private.open_course_offers x where x.mentor_id <> caller order by x.title, x.slug limit 200
      ) o
    ), '[]')
  );
end
$$;
comment on function private.courses_on_sale() is 'Courses of other mentors that can be bought now, and what a recommendation earns. FF630 for who is no member.';

-- selling/purchases.sql

create function private.note_payment_records(snapshot jsonb, kinds text[]) returns void
  language sql volatile set search_path = '' as $$
  insert into private.payment_records (
    kind, provider_id, status, charge_id, customer_id, subscription_id, amount, currency, reason, happened_at, respond_by
  )
  select r ->> 'kind', r ->> 'id', r ->> 'status', snapshot ->> 'charge_id', snapshot ->> 'customer_id', snapshot ->> 'subscription_id',
    (r ->> 'amount')::bigint, snapshot ->> 'currency', r ->> 'reason', to_timestamp((r ->> 'created')::bigint), to_timestamp((r ->> 'respond_by')::bigint)
  from jsonb_array_elements(snapshot -> 'records') r where r ->> 'kind' = any (kinds)
  on conflict on constraint payment_records_once do nothing
$$;
comment on function private.note_payment_records(jsonb, text[]) is 'Keeps what a reading says of a payment, its refunds and disputes, each state once.';

-- @rpc service_role
-- Server: open an attempt at buying a course.
create function private.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid default null) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  offer private.open_course_offers;
  held private.course_purchases;
  joined private.course_purchases;
  begun uuid;
begin
  perform private.lock_billing(member);
  select o.* into offer from private.open_course_offers o where o.slug = lower(btrim(billing_begin_course_purchase.slug));
  if not found then
    return jsonb_build_object('state', 'not_on_sale');
  end if;
  if offer.mentor_id = member then
    return jsonb_build_object('state', 'own_course');
  end if;
  select p.* into held from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = offer.course_id order by p.created_at desc limit 1;
  if found then
    -- The late second of two clicks, or the answer to the first was lost.
    return jsonb_build_object('state', case when held.created_at > clock_timestamp() - interval '15 minutes' then 'paid' else 'owned' end);
  end if;
  -- The bank may decide for the seller, and the buyer would have paid twice.
  if exists (
    select from private.course_purchases p join private.billing_charges b on b.payment_intent_id = p.payment_intent_id
    where p.user_id = member and p.course_id = offer.course_id and b.dispute = 'open' and not b.is_refunded
  ) then
    return jsonb_build_object('state', 'disputed');
  end if;
  if private.has_live_membership(member) or exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    return jsonb_build_object('state', 'included');
  end if;
  select a.* into held from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'purchase_id', held.id);
  end if;
  select a.* into joined from private.course_purchases a
  where a.id = joining and a.user_id = member and a.course_id = offer.course_id and a.state = 'needs_action'
    and a.amount_pence = expected_pence;
  if found then
    return jsonb_build_object('state', 'joined', 'payment_intent_id', joined.payment_intent_id);
  end if;
  -- Nobody pays a price that they did not see.
  if offer.price_pence is distinct from expected_pence then
    return jsonb_build_object('state', 'price_changed');
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.course_purchases a
      where a.user_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.course_purchases a set state = 'abandoned', checked_at = clock_timestamp() where a.id = held.id;
  insert into private.course_purchases as a (
    user_id, course_id, course_title, amount_pence, seller_id, share_basis_points, referral_basis_points
  )
  select member, offer.course_id, offer.title, offer.price_pence, private.ensure_affiliate(offer.mentor_id),
    t.share_basis_points, t.referral_basis_points
  from private.selling_terms t returning a.id into begun;
  return jsonb_build_object(
    'state', 'begun', 'purchase_id', begun, 'amount', offer.price_pence, 'title', offer.title,
    'leftovers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'purchase_id', a.id, 'payment_intent_id', a.payment_intent_id, 'is_same', a.course_id = offer.course_id
      )), '[]')
      from private.course_purchases a where a.user_id = member and a.state = 'abandoned'
    )
  );
end
$$;
comment on function private.billing_begin_course_purchase(uuid, text, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';

-- @rpc service_role
-- Server: claim a payment for an attempt before confirming it.
create function private.billing_record_course_payment(purchase uuid, payment_intent text) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  update private.course_purchases a
  set payment_intent_id = payment_intent, lease_until = clock_timestamp() + interval '60 seconds', checked_at = clock_timestamp()
  where a.id = purchase and a.state = 'working' and coalesce(a.payment_intent_id, payment_intent) = payment_intent
    -- Who became a member meanwhile, or is becoming one now, has the course with the membership.
    and not private.has_live_membership(a.user_id)
    and not exists (
      select from private.billing_attempts m
      where m.user_id = a.user_id and m.state = 'working' and m.lease_until > clock_timestamp()
    );
  return found;
end
$$;
comment on function private.billing_record_course_payment(uuid, text) is 'True when the attempt still counts and may confirm this payment.';

-- @rpc service_role
-- Server: close an attempt at buying a course.
create function private.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.course_purchases a set state = outcome, checked_at = clock_timestamp()
  where a.id = purchase and outcome in ('unknown', 'needs_action', 'paid', 'failed') and a.state <> 'failed'
    and (a.state in ('working', 'unknown', 'needs_action') or outcome in ('paid', 'failed'))
$$;
comment on function private.billing_end_course_purchase(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

-- @rpc service_role
-- Server: purchases to finish before the account is deleted.
create function private.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', a.id, 'payment_intent_id', a.payment_intent_id) order by a.created_at), '[]')
  from private.course_purchases a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action', 'abandoned')
$$;
comment on function private.billing_open_course_purchases(uuid) is 'Purchases of an account whose payment may still be made.';

-- Unfinished ones after their time, and paid ones once a day for as long as a card payment can be disputed.
-- @rpc service_role
-- Server: purchases of courses to compare with the provider.
create function private.billing_take_course_purchases() returns jsonb
  language sql volatile security definer set search_path = '' as $$
  with due as (
    select a.id from private.course_purchases a
    where a.state = 'working' and a.lease_until < now()
      or a.state = 'abandoned' and a.checked_at < now() - interval '5 minutes'
      or a.state in ('unknown', 'needs_action') and a.checked_at < now() - interval '1 hour'
      or a.state = 'paid' and a.checked_at < now() - interval '1 day' and a.created_at > now() - interval '200 days'
    order by a.checked_at limit 100 for update skip locked
  ), taken as (
    update private.course_purchases a set checked_at = now() from due where a.id = due.id
    returning a.id, a.payment_intent_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', t.id, 'payment_intent_id', t.payment_intent_id)), '[]') from taken t
$$;
comment on function private.billing_take_course_purchases() is 'Purchases of courses to compare with the provider, the longest unchecked first.';

-- studio/analytics-of-articles.sql

-- @rpc authenticated (course_id)
-- Mentors: the analytics of one of their courses as one object.
create function private.my_course_analytics(course uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.course_analytics(course);
end
$$;
comment on function private.my_course_analytics(uuid) is 'The analytics of a course of the caller; FF650, FF740 or FF300.';

-- @rpc authenticated (article_id)
-- Mentors: the analytics of one of their articles as one object.
create function private.my_article_analytics(article uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_rate_limit(private.require_mentor(), 'analytics');
  return private.article_analytics(article);
end
$$;
comment on function private.my_article_analytics(uuid) is 'The analytics of an article of the caller; FF650, FF740 or FF300.';

-- studio/analytics.sql

-- What mentors read about their own articles and courses. A caller who is not the mentor of a course, nor an administrator, is
-- answered as for a course that does not exist.

-- The variables make plans for the day and the texts at hand: few events are newer than the counted days.
create function private.content_figures(ids uuid[])
  returns table (content_id uuid, event text, day date, amount bigint)
  language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan' as $$
declare
  since constant timestamptz :=
    (select s.counted_until from private.content_days_state s)::timestamp at time zone 'UTC';
begin
  return query
    select v.content_id, v.event, v.day, sum(v.amount)::bigint
    from (
      select d.content_id, d.event, d.day, d.amount::bigint from private.content_days d where d.content_id = any (ids)
      union all
      select r.article_id, 'read', (r.created_at at time zone 'UTC')::date, count(*)
      from public.article_reads r where r.article_id = any (ids) and r.created_at >= since group by 1, 3
      union all
      select e.course_id, 'enrolment', (e.created_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.created_at >= since group by 1, 3
      union all
      select e.course_id, 'completion', (e.completed_at at time zone 'UTC')::date, count(*)
      from public.course_enrollments e where e.course_id = any (ids) and e.completed_at >= since group by 1, 3
      union all
      select m.module_id, 'completion', (m.created_at at time zone 'UTC')::date, count(*)
      from public.module_completions m where m.module_id = any (ids) and m.created_at >= since group by 1, 3
      union all
      select coalesce(q.article_id, q.module_id), 'question', (q.created_at at time zone 'UTC')::date, count(*)
      from private.content_questions q
      where (q.article_id = any (ids) or q.module_id = any (ids)) and q.created_at >= since group by 1, 3
    ) v
    group by 1, 2, 3 having sum(v.amount) <> 0;
end
$$;
comment on function private.content_figures(uuid[]) is 'Events of some texts by day (UTC), exact at this moment.';

-- @rpc authenticated
-- Mentors: their articles and courses with readers, reads, enrolments, completions and questions.
create function private.my_content_figures() returns table (
    content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint,
    enrolments bigint, completions bigint, questions bigint, open_questions bigint
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return query
    with texts as materialized (
      select a.id, 'article' as kind, a.title, a.subcategory_id, a.is_published, a.created_at, 0 as enrolled
      from public.articles a where a.author_id = caller or is_admin
      union all
      select c.id, 'course', c.title, c.subcategory_id, c.is_published, c.created_at, c.enrollment_count
      from public.courses c where c.mentor_id = caller or is_admin
    ),
    -- Questions stand under the lessons of a course.
    parts as materialized (
      select t.id as text_id, t.id as part_id from texts t
      union all
      select m.course_id, m.id from public.course_modules m join texts t on t.id = m.course_id
    ),
    figures as (
      select p.text_id, sum(f.amount) filter (where f.event = 'read') as reads,
        sum(f.amount) filter (where f.event = 'completion' and p.part_id = p.text_id) as completions,
        sum(f.amount) filter (where f.event = 'question') as questions
      from private.content_figures((select array_agg(part_id) from parts)) f
      join parts p on p.part_id = f.content_id group by p.text_id
    ),
    waiting as (
      select p.text_id, count(*) as questions from private.content_questions q
      join parts p on p.part_id = coalesce(q.article_id, q.module_id) where q.answer is null group by p.text_id
    )
    select t.id, t.kind, t.title, s.main_category, t.is_published,
      case t.kind when 'article' then (select count(*) from public.article_opens o where o.article_id = t.id) else 0 end,
      coalesce(f.reads, 0)::bigint, t.enrolled::bigint, coalesce(f.completions, 0)::bigint,
      coalesce(f.questions, 0)::bigint, coalesce(w.questions, 0)
    from texts t
    join public.subcategories s on s.id = t.subcategory_id
    left join figures f on f.text_id = t.id
    left join waiting w on w.text_id = t.id
    order by t.created_at desc, t.id;
end
$$;
comment on function private.my_content_figures() is
  'The caller''s articles and courses with their figures, newest first; everyone''s for administrators. FF650 for other callers.';

create function private.course_analytics(course uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  own constant public.courses := private.require_own_course(course);
  today constant date := (now() at time zone 'UTC')::date;
  first_week constant date := date_trunc('week', today)::date - 77;
begin
  return (
    with lessons as materialized (
      select m.id, m.title, m.module_order, m.is_published from public.course_modules m where m.course_id = course
    ), figures as materialized (
      select f.* from private.content_figures(array(select id from lessons) || course) f
    ), totals as materialized (
      select f.content_id, f.event, sum(f.amount) as amount from figures f group by f.content_id, f.event
    ), days as (
      select f.day, sum(f.amount) filter (where f.event = 'enrolment') as enrolments,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id <> course) as lessons,
        sum(f.amount) filter (where f.event = 'completion' and f.content_id = course) as completions
      from figures f where f.day > today - 90 group by f.day
    )
    select jsonb_build_object(
      'id', own.id, 'title', own.title, 'is_published', own.is_published, 'enrolments', count(*), 'completions', count(e.completed_at),
      'median_days', round((percentile_cont(0.5) within group (
        order by extract(epoch from e.completed_at - e.created_at) / 86400
      ))::numeric, 1),
      'questions', (select coalesce(sum(t.amount), 0) from totals t where t.event = 'question'),
      'open_questions', (
        select count(*) from private.content_questions q where q.module_id in (select id from lessons) and q.answer is null
      ),
      'modules', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', m.id, 'title', m.title, 'is_published', m.is_published, 'completions', coalesce(t.amount, 0)
        ) order by m.module_order, m.id), '[]')
        from lessons m left join totals t on t.content_id = m.id and t.event = 'completion'
      ),
      'days', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'day', d.day, 'enrolments', coalesce(d.enrolments, 0), 'lessons', coalesce(d.lessons, 0),
          'completions', coalesce(d.completions, 0)
        ) order by d.day), '[]') from days d
      ),
      'cohorts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'week', k.week, 'enrolments', k.members, 'completions', k.completions
        ) order by k.week desc), '[]')
        from (
          select date_trunc('week', n.created_at at time zone 'UTC')::date as week, count(*) as members,
            count(n.completed_at) as completions
          from public.course_enrollments n
          where n.course_id = course and n.created_at >= first_week::timestamp at time zone 'UTC' group by 1
        ) k
      ),
      'today', today,
      'comparison', private.course_comparison(own)
    )
    from public.course_enrollments e where e.course_id = course
  );
end
$$;
comment on function private.course_analytics(uuid) is
  'Everything the analytics of one course show: lessons in order, 90 days, cohorts of twelve weeks, comparison. FF650, FF740.';

-- studio/content-days.sql

-- What happened with each article, course and lesson on each finished day. Days that are not finished are counted from the
-- events themselves, so the sum of both is exact at any moment.
create table private.content_days (
  id bigint generated always as identity primary key,
  content_id uuid not null,
  event text not null constraint content_days_event_check check (event in ('read', 'enrolment', 'completion', 'question')),
  day date not null,
  amount integer not null constraint content_days_amount_check check (amount <> 0)
);
comment on table private.content_days is 'Events of finished days by article, course or lesson. Written by count_content_days.';
comment on column private.content_days.content_id is 'An article, a course or a lesson; without a reference, because rows of what is gone are never read.';
comment on column private.content_days.event is 'read: an article marked as read. completion: of a course, or of a lesson.';
comment on column private.content_days.day is 'Day in UTC.';
comment on column private.content_days.amount is 'Number of events; negative for events that were deleted after their day was counted.';
create index content_days_content_id_idx on private.content_days (content_id, event, day) include (amount);
create index content_days_day_idx on private.content_days (day);
alter table private.content_days enable row level security;

-- Until the first run everything is counted from the events.
create table private.content_days_state (
  is_only boolean primary key default true constraint content_days_state_is_only_check check (is_only),
  counted_until date not null
);
comment on table private.content_days_state is 'How far content_days reaches, in one row.';
comment on column private.content_days_state.counted_until is 'The first day that is not in content_days.';
alter table private.content_days_state enable row level security;

create function private.content_events(since timestamptz, until timestamptz)
  returns table (content_id uuid, event text, day date, amount integer)
  language sql stable set search_path = '' as $$
  select v.content_id, v.event, (v.happened_at at time zone 'UTC')::date, count(*)::integer
  from (
    select r.article_id as content_id, 'read' as event, r.created_at as happened_at
    from public.article_reads r where r.created_at >= since and r.created_at < until
    union all
    select e.course_id, 'enrolment', e.created_at
    from public.course_enrollments e where e.created_at >= since and e.created_at < until
    union all
    select e.course_id, 'completion', e.completed_at
    from public.course_enrollments e where e.completed_at >= since and e.completed_at < until
    union all
    select d.module_id, 'completion', d.created_at
    from public.module_completions d where d.created_at >= since and d.created_at < until
    union all
    select coalesce(q.article_id, q.module_id), 'question', q.created_at
    from private.content_questions q where q.created_at >= since and q.created_at < until
  ) v
  group by 1, 2, 3
$$;
comment on function private.content_events(timestamptz, timestamptz) is 'Events of all texts in a span of time by text and day (UTC), from the events themselves.';

create function private.lock_content_days(is_counting boolean) returns date
  language plpgsql volatile set search_path = '' as $$
declare
  lock_key constant bigint := hashtextextended('private.content_days', 0);
begin
  if is_counting then
    perform pg_advisory_xact_lock(lock_key);
  else
    perform pg_advisory_xact_lock_shared(lock_key);
  end if;
  -- Read after the lock was given.
  return (select s.counted_until from private.content_days_state s);
end
$$;
comment on function private.lock_content_days(boolean) is
  'Keeps deletions of events and the counting of days apart until the transaction ends; the first day that is not counted.';

-- A day is finished an hour after its end: by then every transaction that began in it has ended.
create function private.count_content_days(since date default null) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  counted_until constant date := private.lock_content_days(true);
  first constant date := least(coalesce(since, counted_until), counted_until);
  last constant date := greatest(((now() - interval '1 hour') at time zone 'UTC')::date, counted_until);
  written integer;
begin
  delete from private.content_days d where d.day >= first;
  insert into private.content_days (content_id, event, day, amount)
  select v.content_id, v.event, v.day, v.amount
  from private.content_events(first::timestamp at time zone 'UTC', last::timestamp at time zone 'UTC') v;
  get diagnostics written = row_count;
  update private.content_days_state set counted_until = last;
  return written;
end
$$;
comment on function private.count_content_days(date) is
  'Counts the finished days that are not counted yet, and those from a day on again; the number of rows written.';
grant execute on function private.count_content_days to service_role;

create function public.count_content_days() returns integer
  language sql volatile set search_path = '' as $$ select private.count_content_days() $$;
comment on function public.count_content_days() is 'Server: count the finished days that are not counted yet; the number of rows written.';
grant execute on function public.count_content_days to service_role;

-- Events that go away (a deleted account, a question taken back) go away from the day they were counted in.
create function private.tg_article_reads__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.article_id, 'read', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;

create function private.tg_course_enrollments__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.course_id, v.event, (v.happened_at at time zone 'UTC')::date, -count(*)
  from gone g
  cross join lateral (values ('enrolment', g.created_at), ('completion', g.completed_at)) as v (event, happened_at)
  where v.happened_at < counted_until group by 1, 2, 3;
  return null;
end
$$;

create function private.tg_module_completions__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select g.module_id, 'completion', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;

create function private.tg_content_questions__uncount() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  counted_until constant timestamptz := private.lock_content_days(false)::timestamp at time zone 'UTC';
begin
  insert into private.content_days (content_id, event, day, amount)
  select coalesce(g.article_id, g.module_id), 'question', (g.created_at at time zone 'UTC')::date, -count(*)
  from gone g where g.created_at < counted_until group by 1, 3;
  return null;
end
$$;

-- studio/course-versions.sql

create function private.modules_of_version(course uuid, wanted integer) returns setof uuid
  language sql stable set search_path = '' as $$
  select m.id from public.courses c join public.course_modules m on m.course_id = c.id
  where c.id = course and c.version = wanted and m.is_published
  union all
  select (m ->> 'id')::uuid from private.course_versions v cross join lateral jsonb_array_elements(v.modules) m
  where v.course_id = course and v.version = wanted
$$;
comment on function private.modules_of_version(uuid, integer) is 'Ids of the lessons of one version of a course.';

-- Titles, texts, films and their order make the version; minutes do not.
create function private.keep_course_version(course uuid, modules jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  current public.courses;
  kept jsonb;
begin
  select c.* into current from public.courses c where c.id = course for no key update;
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', m.id, 'slug', m.slug, 'title', m.title, 'content', m.content, 'module_order', m.module_order,
      'video_url', m.video_url, 'estimated_duration', m.estimated_duration
    ) order by m.module_order, m.id), '[]') into kept
  from public.course_modules m where m.course_id = course and m.is_published;
  if kept = '[]' or (
    select jsonb_agg(jsonb_build_array(k -> 'slug', k -> 'title', k -> 'content', k -> 'video_url') order by k.place)
    from jsonb_array_elements(kept) with ordinality k (k, place)
  ) = (
    select jsonb_agg(jsonb_build_array(
      n -> 'slug', btrim(n ->> 'title'), private.trim_markdown(n ->> 'content'), n -> 'video_url'
    ) order by n.place)
    from jsonb_array_elements(modules) with ordinality n (n, place)
  ) then
    return;
  end if;
  insert into private.course_versions (course_id, version, modules) values (course, current.version, kept);
  update public.courses c set version = c.version + 1 where c.id = course;
end
$$;
comment on function private.keep_course_version(uuid, jsonb) is
  'Keeps the published lessons as a version and begins the next one, when these modules differ from them.';

create function private.tg_course_enrollments__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;

-- @rpc authenticated (course_id)
-- The lessons of a course as they were when one began it, when a newer version has come out.
create function private.enrolled_course_version(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  return (
    select jsonb_agg(m.module || jsonb_build_object('completions', case when d.module_id is null then '[]'::jsonb
      else jsonb_build_array(jsonb_build_object('module_id', d.module_id)) end) order by m.place)
    from public.course_enrollments e
    join private.course_versions v on v.course_id = e.course_id and v.version = e.course_version
    cross join lateral jsonb_array_elements(v.modules) with ordinality m (module, place)
    left join public.module_completions d on d.user_id = caller and d.module_id = (m.module ->> 'id')::uuid
    where e.user_id = caller and e.course_id = course and e.completed_at is null
  );
end
$$;
comment on function private.enrolled_course_version(uuid) is
  'The lessons of the replaced version the caller takes, in order, with what is completed; null when it is the newest. FF405.';

-- @rpc authenticated (course_id)
-- Moves one's enrolment to the newest version of a course.
create function private.take_newest_version(course uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if course is null or course not in (select private.caller_enrolled_courses()) then
    perform private.fail('FF405', 'Enrol in the course first.');
  end if;
  -- In the order of all locks: the course first, so that no version comes out in between.
  perform from public.courses c where c.id = course for key share;
  update public.course_enrollments e set course_version = c.version
  from public.courses c where c.id = course and e.course_id = course and e.user_id = caller;
  perform private.refresh_progress(course, caller);
end
$$;
comment on function private.take_newest_version(uuid) is
  'Moves the caller to the newest version of a course; what was completed stays. FF405.';

-- Every save is a version, so that a mentor's history fills the limit of all versions together. They make room themselves.
-- @rpc authenticated (draft_id)
-- Mentors: delete all but the last version of each day of a draft, except those of the last day, the published one and those with
-- comments; how many.
create function private.keep_daily_versions(draft uuid) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  d public.drafts;
  deleted integer;
begin
  perform private.enforce_rate_limit(caller, 'save_draft');
  select t.* into d from public.drafts t where t.id = draft and t.owner_id = caller for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  -- The newest has no later one.
  delete from public.draft_versions v
  where v.draft_id = draft and v.version is distinct from d.published_version
    and v.saved_at < now() - interval '1 day'
    and not exists (select from public.draft_comments c where c.draft_id = v.draft_id and c.version = v.version)
    and exists (
      select from public.draft_versions later
      where later.draft_id = v.draft_id and later.version > v.version
        and (later.saved_at at time zone 'UTC')::date = (v.saved_at at time zone 'UTC')::date
    );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
comment on function private.keep_daily_versions(uuid) is
  'Deletes versions of the caller''s draft that are older than a day, but not the last of each day (UTC), the newest, the published one and those with comments; how many.';

-- studio/draft-limits.sql

-- Every save is kept, so that what the versions of one mentor take together has a limit. It is counted with each save.
create table private.draft_usage (
  user_id uuid primary key references auth.users (id) on delete cascade,
  bytes bigint not null
);
comment on table private.draft_usage is 'How many bytes the versions take that an account saved in the studio.';
alter table private.draft_usage enable row level security;

create function private.tg_draft_versions__count_added() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.draft_usage as u (user_id, bytes)
  select a.saved_by, sum(private.version_bytes(a)) from added a where a.saved_by is not null group by a.saved_by
  on conflict (user_id) do update set bytes = u.bytes + excluded.bytes;
  if exists (
    select from private.draft_usage u where u.user_id in (select a.saved_by from added a) and u.bytes > 524288000
  ) then
    perform private.fail('FF659', 'Your drafts with all their versions have reached 500 MB, which is the most.');
  end if;
  return null;
end
$$;

-- An account that is being deleted has no row any more, or one that goes with it.
create function private.tg_draft_versions__count_gone() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.draft_usage u set bytes = greatest(u.bytes - g.bytes, 0)
  from (
    select o.saved_by, sum(private.version_bytes(o)) as bytes from gone o where o.saved_by is not null group by o.saved_by
  ) g
  where u.user_id = g.saved_by;
  return null;
end
$$;

create function private.tg_draft_versions__note_files() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.note_version_files(new);
  return null;
end
$$;

-- studio/drafts.sql

create table private.trusted_mentors (
  user_id uuid primary key references auth.users (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.trusted_mentors is 'Mentors who publish without a review. Set by administrators.';
alter table private.trusted_mentors enable row level security;

-- Who wrote a draft always reads it, at every level and without a membership.
create function private.caller_drafts() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select d.id from public.drafts d where d.owner_id = auth.uid();
end
$$;
comment on function private.caller_drafts() is 'Drafts the caller wrote.';
grant execute on function private.caller_drafts to authenticated;

-- The export has how much the versions take; the versions themselves come from private.export_versions.
create function private.export_part_studio(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'drafts', coalesce((
      select jsonb_agg(to_jsonb(d) - 'approved_by' order by d.created_at, d.id)
      from public.drafts d where d.owner_id = member
    ), '[]'),
    'draft_comments', coalesce((
      select jsonb_agg(to_jsonb(c) - 'author_id' order by c.created_at, c.id)
      from public.draft_comments c join public.drafts d on d.id = c.draft_id
      where d.owner_id = member or c.author_id = member
    ), '[]'),
    'draft_usage', (select to_jsonb(u) from private.draft_usage u where u.user_id = member),
    'trusted_mentor', (select to_jsonb(t) from private.trusted_mentors t where t.user_id = member)
  )
$$;
comment on function private.export_part_studio(uuid) is
  'Drafts of one account and the comments on them, without the reviewers. Their versions: private.export_versions.';

-- Mentors choose among all subcategories, also of levels they have not reached themselves.
-- @rpc authenticated
-- Mentors: the subcategories something can be published in.
create function private.studio_subcategories() returns table (id uuid, main_category text, slug text, name text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_mentor();
  return query
    select s.id, s.main_category, s.slug, s.name from public.subcategories s where s.is_active
    order by s.main_category, s.display_order, s.name;
end
$$;
comment on function private.studio_subcategories() is 'The subcategories something can be published in; FF650 for other callers than mentors.';

-- studio/files.sql

-- @rpc authenticated
-- Mentors: make a draft of a file, or name the one that is there already; draft_id and is_new.
create function private.import_draft(kind text, fields jsonb, again boolean default false) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  written public.draft_versions := private.draft_from(kind, fields);
  target uuid;
begin
  perform private.enforce_rate_limit(caller, 'import_draft');
  -- The same import in two tabs: the second one finds the drafts of the first.
  perform pg_advisory_xact_lock(hashtextextended('import_draft:' || caller::text, 0));
  if again is not true then
    target := private.find_duplicate_draft(caller, kind, written);
    if target is not null then
      return jsonb_build_object('draft_id', target, 'is_new', false);
    end if;
  end if;
  insert into public.drafts (owner_id, kind, title) values (caller, import_draft.kind, written.title) returning id into target;
  perform private.add_draft_version(target, 1, written);
  return jsonb_build_object('draft_id', target, 'is_new', true);
end
$$;
comment on function private.import_draft(text, jsonb, boolean) is
  'Creates a draft from a file of the caller, unless there is one with its address or title and again is not set: draft_id and is_new.';

-- The export of the studio names covers, so that their pictures are files beside the texts.
create function private.published_work(author uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(w.work order by w.display_order, w.slug), '[]') from (
    select a.display_order, a.slug, jsonb_build_object(
      'kind', 'article', 'subcategory_id', a.subcategory_id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt,
      'content', a.content, 'tags', a.tags, 'difficulty_level', 'beginner', 'price', 0, 'modules', '[]'::jsonb,
      'cover', a.featured_image_url, 'is_featured', a.is_featured, 'display_order', a.display_order,
      'has_published_version', false
    ) as work
    from public.articles a where a.author_id = author and a.is_published
    union all
    select c.display_order, c.slug, jsonb_build_object(
      'kind', 'course', 'subcategory_id', c.subcategory_id, 'slug', c.slug, 'title', c.title, 'excerpt', c.description,
      'content', '', 'tags', '[]'::jsonb, 'difficulty_level', c.difficulty_level, 'price', c.price,
      'cover', c.thumbnail_url, 'is_featured', c.is_featured, 'display_order', c.display_order,
      'has_published_version', false, 'modules', coalesce((
        select jsonb_agg(jsonb_build_object('slug', m.slug, 'title', m.title, 'content', m.content,
          'minutes', m.estimated_duration, 'video_url', m.video_url) order by m.module_order, m.slug)
        from public.course_modules m where m.course_id = c.id and m.is_published
      ), '[]')
    )
    from public.courses c where c.mentor_id = author and c.is_published
  ) w
$$;
comment on function private.published_work(uuid) is 'Articles and courses of an account as members read them, changes of the console included.';

-- Who wrote something takes it along, also without a membership.
-- @rpc authenticated
-- Mentors: everything one wrote, to be put into files.
create function private.export_studio() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  perform private.enforce_rate_limit(caller, 'export_studio');
  return jsonb_build_object(
    'subcategories', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'main_category', s.main_category, 'slug', s.slug, 'name', s.name, 'description', s.description,
        'color', s.color, 'icon', s.icon, 'open_to_mentors', s.open_to_mentors,
        'display_order', s.display_order
      ) order by s.main_category, s.display_order, s.slug), '[]')
      from public.subcategories s
      where s.id in (
        select a.subcategory_id from public.articles a where a.author_id = caller
        union all
        select c.subcategory_id from public.courses c where c.mentor_id = caller
        union all
        select v.subcategory_id from public.draft_versions v join public.drafts d on d.id = v.draft_id and d.version = v.version
        where d.owner_id = caller
      )
    ),
    'published', private.published_work(caller),
    'drafts', (
      select coalesce(jsonb_agg(
        to_jsonb(v) - '{draft_id,version,saved_by,saved_at}'::text[]
          || jsonb_build_object('kind', d.kind, 'is_featured', false, 'display_order', null,
            'has_published_version', private.is_in_library(d))
        order by d.created_at, d.id
      ), '[]')
      from public.drafts d join public.draft_versions v on v.draft_id = d.id and v.version = d.version
      where d.owner_id = caller and not (private.is_in_library(d) and d.published_version = d.version)
    )
  );
end
$$;
comment on function private.export_studio() is
  'Everything the caller wrote: published work, and the newest versions of drafts that differ from it, with their subcategories.';

reset check_function_bodies;
