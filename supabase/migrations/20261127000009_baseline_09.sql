-- Part 9 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- console/member-detail.sql

-- As before, and with is_trusted.
create function private.member_account(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'email', d.email, 'name', d.name, 'occupation', p.occupation, 'role', coalesce(p.role, 'student'),
    'level', coalesce(l.current_level, 0), 'joined_at', d.joined_at, 'last_sign_in_at', u.last_sign_in_at,
    'is_confirmed', u.email_confirmed_at is not null, 'is_onboarded', coalesce(p.onboarding_complete, false),
    'is_trusted', exists (select from private.trusted_mentors t where t.user_id = u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())
    ),
    'suspension', case when u.banned_until > now() then jsonb_build_object(
      -- Without a limit, a suspension is stored as one of a hundred years.
      'until', case when u.banned_until < now() + interval '50 years' then u.banned_until end,
      'reason', (
        select a.detail ->> 'reason' from private.audit_log a
        where a.subject = u.id and a.action = 'account.suspended' order by a.happened_at desc, a.id desc limit 1
      )
    ) end
  )
  from auth.users u
  join private.member_search_index d on d.user_id = u.id
  left join public.profiles p on p.id = u.id
  left join public.user_levels l on l.user_id = u.id
  where u.id = member
$$;
comment on function private.member_account(uuid) is 'Account, profile, level, suspension and trust of a member, for administrators.';

-- Sums of money: of one currency, of refunds in their latest state, and of disputes by the definition of the queue.
create function private.member_billing(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with records as (
    select r.* from private.payment_records r join public.stripe_customers c using (customer_id) where c.user_id = member
  )
  select jsonb_build_object(
    'membership', (select m.status from private.membership_statuses m where m.user_id = member),
    'subscription', (
      select jsonb_build_object(
        'status', s.status, 'hold', s.hold, 'plan', private.plan_name(s.price_id),
        'pending_plan', private.plan_name(s.pending_price_id), 'period_ends_at', to_timestamp(s.current_period_end),
        'ends_with_period', s.cancel_at_period_end, 'card_brand', s.payment_method_brand, 'card_last4', s.payment_method_last4
      )
      from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = member and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    ),
    'paid_pence', coalesce((
      select sum(r.amount) from records r where r.kind = 'payment' and r.status = 'succeeded' and r.currency = 'gbp'
    ), 0),
    -- A refund that failed after it had succeeded leaves a record of each.
    'refunded_pence', coalesce((
      select sum(x.amount) from private.refunds_and_disputes x join public.stripe_customers c using (customer_id)
      where c.user_id = member and x.kind = 'refund' and x.status in ('succeeded', 'pending') and x.currency = 'gbp'
    ), 0),
    'records', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.happened_at desc, l.id desc) from (
        select r.id, r.kind, r.status, r.amount, r.currency, r.reason, r.happened_at
        from records r order by r.happened_at desc, r.id desc limit 10
      ) l
    ), '[]')
  )
$$;
comment on function private.member_billing(uuid) is
  'Membership of a member and a summary of the payments, for administrators; totals in pence, of payments in pounds.';

-- The newest events behind each counter, five of each kind and category.
create function private.member_progress(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'completions', coalesce((
      select jsonb_agg(jsonb_build_object('level', c.level, 'completed_at', c.completed_at) order by c.level)
      from public.level_completions c where c.user_id = member
    ), '[]'),
    'requirements', coalesce((
      select jsonb_agg(jsonb_build_object(
        'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed,
        'count', coalesce((
          select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
        ), 0)
      ) order by r.level, r.kind)
      from public.level_requirements r
    ), '[]'),
    'evidence', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'kind', e.counter, 'category', e.category, 'label', s.label, 'path', s.path, 'happened_at', e.happened_at
      ) order by e.id desc)
      from (
        select l.*, k.counter, row_number() over (partition by k.counter, l.category order by l.id desc) as place
        from private.progress_ledger l
        join (values
          ('room_opened', 'rooms'), ('submission', 'submissions'), ('message', 'engagements'), ('like', 'engagements'),
          ('article_read', 'articles'), ('course_completed', 'courses')
        ) k (kind, counter) on k.kind = l.kind
        where l.user_id = member
      ) e
      left join lateral private.progress_event_subject(member, 4, e.kind, e.reference) s on true
      where e.place <= 5
    ), '[]')
  )
$$;
comment on function private.member_progress(uuid) is 'Requirements of each level with a member''s counts and newest events, for administrators.';

create function private.member_conduct(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
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
$$;
comment on function private.member_conduct(uuid) is 'Submissions of a member, and reports by and about them, for administrators.';

-- @rpc authenticated
-- Administrators: billing, progress, submissions, reports, identity, notes and audit entries of one member.
create function private.member_detail(member uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  perform private.require_account(member);
  return jsonb_build_object(
    'account', private.member_account(member),
    'billing', private.member_billing(member),
    'progress', private.member_progress(member),
    'conduct', private.member_conduct(member),
    'identity', jsonb_build_object(
      'is_flagged', exists (
        select from private.account_flags f where f.user_id = member and f.reason = 'verification_attempts_exhausted'
          and f.closed_at is null
      ),
      'documents', coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', v.id, 'document_type', v.document_type, 'status', v.status, 'rejected_reason', v.rejected_reason,
          'submitted_at', v.submitted_at, 'reviewed_at', v.reviewed_at
        ) order by v.submitted_at desc) from public.user_verifications v where v.user_id = member
      ), '[]')
    ),
    'notes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', n.id, 'note', n.note, 'author', private.account_label(n.author), 'created_at', n.created_at
      ) order by n.id desc) from private.member_notes n where n.user_id = member
    ), '[]'),
    'audit', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.happened_at desc, e.id desc)
      from private.audit_rows(null, false, null, member::text, null, null, null, 20) e
    ), '[]')
  );
end
$$;
comment on function private.member_detail(uuid) is 'All parts of the administrators'' view of one account; raises FF510.';

-- console/members.sql

-- The list of members that administrators search. Names and addresses are in two tables, one of which the platform owns
-- on hosted projects, so a searchable copy is kept here by triggers.
create table private.member_search_index (
  user_id uuid primary key references auth.users (id) on delete cascade,
  email text not null,
  name text not null,
  search_key text collate "C" not null,
  joined_at timestamptz not null
);
comment on table private.member_search_index is 'Name and address of every account that was not deleted, for the administrators'' search. Kept by triggers.';
comment on column private.member_search_index.name is 'First and last name; empty without a profile.';
comment on column private.member_search_index.search_key is 'Result of search_key for name and address; also the order by name.';
create index member_search_index_search_key_idx on private.member_search_index using gin (search_key extensions.gin_trgm_ops);
create index member_search_index_joined_at_idx on private.member_search_index (joined_at, user_id);
create index member_search_index_order_idx on private.member_search_index (search_key, user_id);
alter table private.member_search_index enable row level security;

create function private.search_key(label text) returns text
  language sql immutable set search_path = '' as $$ select replace(private.fold_text(label), '''', '') $$;
comment on function private.search_key(text) is 'A name as searches compare it: folded, without apostrophes, so that jose finds José and O''Brien finds O’Brien.';

create function private.index_member_for_search(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.member_search_index as d (user_id, email, name, search_key, joined_at)
  select u.id, coalesce(u.email, ''), l.name, private.search_key(btrim(l.name || ' ' || coalesce(u.email, ''))),
    coalesce(u.created_at, now())
  from auth.users u
  left join public.profiles p on p.id = u.id
  cross join lateral (select btrim(concat_ws(' ', p.first_name, p.last_name)) as name) l
  where u.id = member and u.deleted_at is null
  on conflict (user_id) do update set
    email = excluded.email, name = excluded.name, search_key = excluded.search_key, joined_at = excluded.joined_at;
  if not found then
    delete from private.member_search_index d where d.user_id = member;
  end if;
end
$$;
comment on function private.index_member_for_search(uuid) is 'Writes the entry of one account in the member directory.';

-- As SECURITY DEFINER, because the auth service has no rights on the product's tables.
create function private.tg_users__list_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_member_for_search(new.id);
  return null;
end
$$;

create trigger users__list_member after insert or update of email, created_at, deleted_at on auth.users
  for each row execute function private.tg_users__list_member();

create function private.tg_profiles__index_member() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_member_for_search(new.id);
  return null;
end
$$;

-- As before, but one who paid for another product alone has never paid here.
create or replace view private.membership_statuses with (security_invoker = true) as
  select d.user_id, case
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status in ('active', 'trialing')
    ) then 'paying'
    when exists (select from private.current_complimentary_memberships m where m.user_id = d.user_id) then 'complimentary'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and c.deleted_at is null and s.deleted_at is null and s.status = 'past_due'
    ) then 'past_due'
    when exists (
      select from public.stripe_customers c join public.stripe_subscriptions s using (customer_id)
      where c.user_id = d.user_id and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
        and (s.price_id is null or exists (select from private.plan_prices o where o.price_id = s.price_id))
    ) then 'lapsed'
    else 'never_paid'
  end as status
  from private.member_search_index d;
comment on view private.membership_statuses is
  'paying (active or trialing), complimentary, past_due, lapsed (paid once, not now) or never_paid, for every account.';

create type public.member_row as (
  user_id uuid, email text, name text, role text, level integer, membership text, is_suspended boolean,
  joined_at timestamptz
);
comment on type public.member_row is 'One line of the administrators'' list of members. level is the one reached, 0 before onboarding.';

-- Written as text, so that each combination of filters gets its own plan. Every value is quoted.
create function private.member_page(search text, membership text, level integer, role text, joined_from date, joined_to date, sort text, after_id uuid, page_size integer)
  returns setof public.member_row language plpgsql stable security definer set search_path = '' as $$
declare
  rules text[] := array['true'];
  after private.member_search_index;
  direction text := case when sort in ('newest', 'name_desc') then 'desc' else 'asc' end;
  key text := case when sort in ('name', 'name_desc') then 'd.search_key' else 'd.joined_at' end;
begin
  perform private.require_verified_admin();
  if sort is null or sort not in ('newest', 'oldest', 'name', 'name_desc')
    or membership not in ('paying', 'complimentary', 'past_due', 'lapsed', 'never_paid', 'suspended')
    or role not in ('student', 'mentor', 'admin') or level not between 0 and 4 then
    perform private.fail('FF519', 'There is no such filter.');
  end if;
  -- What is longer than any name or address finds nobody.
  if char_length(search) > 200 then
    return;
  end if;
  -- Each word has to be part of the name or the address. Wildcards are ordinary characters.
  rules := rules || array(
    select format('d.search_key like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%')
    from string_to_table(private.search_key(coalesce(search, '')), ' ') word
    where word <> '' limit 8
  );
  if membership = 'suspended' then
    rules := rules || 'exists (select from auth.users u where u.id = d.user_id and u.banned_until > now())'::text;
  elsif membership is not null then
    rules := rules || format(
      '(select m.status from private.membership_statuses m where m.user_id = d.user_id) = %L', membership
    );
  end if;
  if membership = 'past_due' then
    -- The few of them are found by an index, instead of asking about every member.
    rules := rules || 'd.user_id in (select c.user_id from public.stripe_customers c
      join public.stripe_subscriptions s using (customer_id) where s.deleted_at is null and s.status = ''past_due'')'::text;
  end if;
  if level is not null then
    rules := rules || format(
      'coalesce((select l.current_level from public.user_levels l where l.user_id = d.user_id), 0) = %s', level
    );
  end if;
  if role is not null then
    rules := rules || format(
      'coalesce((select p.role from public.profiles p where p.id = d.user_id), ''student'') = %L', role
    );
  end if;
  if joined_from is not null then
    rules := rules || format('d.joined_at >= %L', joined_from::timestamp at time zone 'utc');
  end if;
  if joined_to is not null then
    rules := rules || format('d.joined_at < %L', (joined_to + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select d.* into after from private.member_search_index d where d.user_id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format(
      '(%s, d.user_id) %s (%L, %L)', key, case direction when 'desc' then '<' else '>' end,
      case when sort in ('name', 'name_desc') then after.search_key else after.joined_at::text end, after_id
    );
  end if;
  return query execute format(
    'select d.user_id, d.email, d.name, coalesce(p.role, ''student''), coalesce(l.current_level, 0), m.status,
       coalesce(u.banned_until > now(), false), d.joined_at
     from (select d.* from private.member_search_index d where %1$s order by %2$s %3$s, d.user_id %3$s limit %4$s) d
     join auth.users u on u.id = d.user_id
     join private.membership_statuses m on m.user_id = d.user_id
     left join public.profiles p on p.id = d.user_id
     left join public.user_levels l on l.user_id = d.user_id
     order by %2$s %3$s, d.user_id %3$s',
    array_to_string(rules, ' and '), key, direction, least(greatest(coalesce(page_size, 50), 1), 100)
  );
end
$$;
comment on function private.member_page(text, text, integer, text, date, date, text, uuid, integer) is
  'One page of the members that match every filter that is not null; raises FF519 for an unknown one.';
grant execute on function private.member_page to authenticated;

create function public.member_page(
  search text default null, membership text default null, level integer default null, role text default null,
  joined_from date default null, joined_to date default null, sort text default 'newest', after_id uuid default null,
  page_size integer default 50
) returns setof public.member_row
  language sql stable set search_path = '' as $$
  select * from private.member_page(search, membership, level, role,
    private.calendar_date(joined_from), private.calendar_date(joined_to), sort, after_id, page_size)
$$;
comment on function public.member_page(text, text, integer, text, date, date, text, uuid, integer) is
  'Administrators: members by part of name or address, membership, level, role and day of joining (UTC); the page after the account after_id.';
grant execute on function public.member_page to authenticated;

-- console/overview.sql

-- Read from private.membership_statuses, as the list of members is, so that the two never contradict each other.
create function private.member_figures() returns jsonb
  language sql stable set search_path = '' as $$
  with members as materialized (
    select u.id, u.created_at, coalesce(p.onboarding_complete, false) as onboarded, l.current_level,
      coalesce(s.status, 'none') as status, coalesce(s.cancel_at_period_end, false) as cancels, n.role, n.amount_pence,
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
  ), periods as (
    select q.user_id, min(q.started_at) as first_started_at,
      max(q.ended_at) filter (where q.ended_at > now() - interval '30 days') as recently_ended_at,
      bool_or(q.ended_at is null) as is_live,
      bool_or(q.started_at <= now() - interval '30 days'
        and (q.ended_at is null or q.ended_at > now() - interval '30 days')) as was_live
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
    'funnel', (
      select jsonb_build_object(
        'all', jsonb_build_array(count(*), count(*) filter (where j.has_joined), count(*) filter (where j.has_onboarded)),
        'recent', jsonb_build_array(
          count(*) filter (where j.is_recent), count(*) filter (where j.is_recent and j.has_joined),
          count(*) filter (where j.is_recent and j.has_onboarded)
        )
      ) from joined j
    ),
    'monthly_revenue_pence', (select coalesce(sum(v.amount_pence), 0) from live v where v.status = 'active')
  )
$$;
comment on function private.member_figures() is
  'Figures about all accounts but the administrators; status and level are those of the list of members (private.membership_statuses), complimentary members included; the funnel counts signed up, joined a plan at least once (trials included), and joined and onboarded.';

create function private.failure_figures() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'webhooks', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.first_failed_at)) from private.failed_billing_events f
      where f.last_failed_at > now() - interval '7 days'
    ),
    'emails', (
      select jsonb_build_object(
        'failed', count(*) filter (where o.status = 'failed'), 'retrying', count(*) filter (where o.status = 'pending'),
        'oldest_at', min(o.created_at)
      ) from private.email_outbox o
      where o.status = 'failed' and o.created_at > now() - interval '7 days'
        or o.status = 'pending' and o.attempts > 0 and o.last_error is not null
    ),
    'exports', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.failed_at)) from private.failed_exports f
      where f.failed_at > now() - interval '7 days'
    )
  )
$$;
comment on function private.failure_figures() is
  'Of the last seven days: webhook events that were not applied since, e-mails that were given up or are tried again, accounts whose latest export failed.';

-- Hosts of this repository write here each minute, as the owner; on hosted Supabase nobody does.
create table private.host_reports (
  host text primary key,
  checks jsonb not null,
  reported_at timestamptz not null default now()
);
alter table private.host_reports enable row level security;
comment on table private.host_reports is 'The state of the parts of each running host, as it last told; removed when it stops, and after a day.';
comment on column private.host_reports.checks is 'By the name of the part, such as disk: its state (ok, warning, failing) and a detail for operators.';

create function private.host_lights() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'host', r.host, 'checks', r.checks, 'reported_at', r.reported_at, 'is_silent', r.reported_at < now() - interval '5 minutes'
  ) order by r.host), '[]')
  from private.host_reports r where r.reported_at > now() - interval '1 day'
$$;
comment on function private.host_lights() is 'What the hosts of the last day told of themselves; a silent one has not for five minutes.';

-- @rpc authenticated
-- Administrators: figures about the community, its queues, its failures and its hosts; revenue in pence a month at today's prices, null without a
-- second factor.
create function private.admin_overview() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  figures jsonb;
begin
  perform private.require_admin();
  figures := private.member_figures();
  if not private.caller_has_second_factor() then
    figures := figures || '{"monthly_revenue_pence": null}';
  end if;
  return figures || jsonb_build_object(
    'queues', private.queue_counts(), 'failures', private.failure_figures(), 'hosts', private.host_lights()
  );
end
$$;
comment on function private.admin_overview() is 'Everything the overview of the console shows.';

-- console/queues.sql

-- What waits for an administrator: each queue with its count and its oldest item, and the disputes.

-- The latest state of each dispute; the records are added in the order in which the states became known.
create function private.open_disputes()
  returns table (
    dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text,
    reason text, status text, opened_at timestamptz, respond_by timestamptz
  )
  language sql stable set search_path = '' as $$
  select d.provider_id, c.user_id, u.email::text, p.first_name, p.last_name, d.amount, d.currency,
    d.reason, d.status, d.happened_at, d.respond_by
  from (
    select distinct on (r.provider_id) r.* from private.payment_records r
    where r.kind = 'dispute' order by r.provider_id, r.id desc
  ) d
  left join public.stripe_customers c on c.customer_id = d.customer_id
  left join auth.users u on u.id = c.user_id
  left join public.profiles p on p.id = c.user_id
  where d.status like '%needs_response' or d.status like '%under_review'
$$;
comment on function private.open_disputes() is 'Disputes the bank has not decided, inquiries included. No account once it was deleted.';

-- @rpc authenticated
-- Administrators: open disputes with their due dates; amounts in the smallest unit.
create function private.dispute_queue()
  returns table (
    dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text,
    reason text, status text, opened_at timestamptz, respond_by timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select d.* from private.open_disputes() d order by d.respond_by nulls last, d.opened_at, d.dispute_id;
end
$$;
comment on function private.dispute_queue() is 'Open disputes, those due first on top.';

-- Every queue of the console counts on its overview and on its tab. What is reported several times waits once, as in the queue itself.
create function private.queue_counts() returns jsonb
  language sql stable set search_path = '' as $$
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
$$;
comment on function private.queue_counts() is 'Each queue of the administrators: how many wait, and since when the oldest; of the reports, how many of each kind.';

-- @rpc authenticated
-- Administrators: how many items wait in each queue, and since when the oldest.
create function private.admin_queues() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return private.queue_counts();
end
$$;
comment on function private.admin_queues() is 'The counts of the queues, for administrators.';

-- console/rooms.sql

-- The rooms of the console: create, edit, order, deactivate. Messages, leases' progress events and levels stay.

-- Only what was changed is recorded, with its value before and after.
create function private.audit_change(actor uuid, action text, item jsonb, before jsonb, after jsonb) returns boolean
  language plpgsql volatile set search_path = '' as $$
declare
  was jsonb;
  becomes jsonb;
begin
  select jsonb_object_agg(b.key, b.value), jsonb_object_agg(b.key, after -> b.key) into was, becomes
  from jsonb_each(before) b where b.value is distinct from after -> b.key;
  if was is null then
    return false;
  end if;
  perform private.audit(actor, action, null, item || jsonb_build_object('before', was, 'after', becomes));
  return true;
end
$$;
comment on function private.audit_change(uuid, text, jsonb, jsonb, jsonb) is
  'Adds an entry with the values that differ, before and after; false and no entry when none differs.';

-- Members' lists follow at once. Counting participants changes rows often and is not announced.
create function private.tg_chat_rooms__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(jsonb_build_object('id', new.id), 'changed', 'rooms', true);
  return null;
end
$$;
comment on function private.tg_chat_rooms__announce() is 'Broadcasts the id of a room that was created or edited.';

create trigger chat_rooms__announce_created after insert on public.chat_rooms
  for each row execute function private.tg_chat_rooms__announce();

create trigger chat_rooms__announce_edited after update on public.chat_rooms
  for each row when (
    (old.name, old.description, old.min_level_required, old.display_order, old.is_active)
      is distinct from (new.name, new.description, new.min_level_required, new.display_order, new.is_active)
  ) execute function private.tg_chat_rooms__announce();

-- @rpc authenticated
-- Administrators: all rooms, those that are not active too.
create function private.admin_rooms()
  returns table (
    id text, name text, description text, min_level_required integer, display_order integer, is_active boolean,
    participant_count integer
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select r.id, r.name, r.description, r.min_level_required, r.display_order, r.is_active, r.participant_count
    from public.chat_rooms r order by r.min_level_required, r.display_order, r.name, r.id;
end
$$;
comment on function private.admin_rooms() is 'All rooms, those that are not active too.';

create function private.create_room(
  room text, name text, description text, min_level_required integer, display_order integer
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  created public.chat_rooms;
begin
  insert into public.chat_rooms (id, name, description, min_level_required, display_order)
  values (room, btrim(create_room.name), btrim(create_room.description), create_room.min_level_required,
    create_room.display_order)
  returning * into created;
  perform private.audit(
    admin, 'room.created', null,
    jsonb_build_object('room', room, 'before', null, 'after', to_jsonb(created) - 'participant_count' - 'id')
  );
end
$$;
comment on function private.create_room(text, text, text, integer, integer) is 'Creates a room. Audited.';
grant execute on function private.create_room to authenticated;

-- Leaving a field null keeps it, so that two administrators who edit different fields do not undo each other.
-- @rpc authenticated (room_id, name, description, min_level_required, display_order, is_active)
-- Administrators: change the given fields of a room. A room that is not active vanishes for members, with its messages kept.
create function private.edit_room(
  room text, name text default null, description text default null, min_level_required integer default null,
  display_order integer default null, is_active boolean default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_admin();
  old_room public.chat_rooms;
  new_room public.chat_rooms;
begin
  select r.* into old_room from public.chat_rooms r where r.id = room for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such room.');
  end if;
  -- New members of the room read what was written there, and that cannot be taken back.
  if edit_room.min_level_required < old_room.min_level_required then
    perform private.require_aal2();
  end if;
  update public.chat_rooms r set
    name = coalesce(btrim(edit_room.name), r.name),
    description = coalesce(btrim(edit_room.description), r.description),
    min_level_required = coalesce(edit_room.min_level_required, r.min_level_required),
    display_order = coalesce(edit_room.display_order, r.display_order),
    is_active = coalesce(edit_room.is_active, r.is_active)
  where r.id = room returning r.* into new_room;
  perform private.audit_change(
    admin, 'room.edited', jsonb_build_object('room', room),
    to_jsonb(old_room) - 'participant_count', to_jsonb(new_room) - 'participant_count'
  );
  -- Members in a room they may not enter any more are not counted in it.
  delete from private.room_leases l
  where l.chat_room_id = room
    and (not new_room.is_active or private.effective_level(l.user_id) < new_room.min_level_required);
end
$function$;
comment on function private.edit_room(text,text,text,integer,integer,boolean) is 'Changes the given fields of a room; null keeps a field. Ends the leases of members it closes for. A lower level needs a second factor (FF005). Audited.';

create function public.create_room(
  room_id text, name text, min_level_required integer, description text default '', display_order integer default 0
) returns void
  language sql volatile set search_path = '' as $$
  select private.create_room(room_id, name, description, min_level_required, display_order)
$$;
comment on function public.create_room(text, text, integer, text, integer) is 'Administrators: create a room.';
grant execute on function public.create_room to authenticated;

-- console/suspensions.sql

-- A fresh code proves the person only if its factor is older than the session: with a stolen session anyone could set up a
-- factor of their own and enter its code.
create function private.require_fresh_second_factor() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_verified_admin();
  session constant uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  if not exists (
    select from auth.mfa_amr_claims c
    where c.session_id = session and c.authentication_method in ('totp', 'phone', 'mfa/webauthn')
      and c.updated_at > now() - interval '5 minutes'
  ) then
    perform private.fail('FF006', 'Enter a code of your second factor again.');
  end if;
  if not exists (
    select from auth.sessions s join auth.mfa_factors f on f.id = s.factor_id
    where s.id = session and f.user_id = caller and f.status = 'verified' and f.created_at <= s.created_at
  ) then
    perform private.fail('FF007', 'This second factor was set up after you signed in. Sign in again with it first.');
  end if;
  return caller;
end
$$;
comment on function private.require_fresh_second_factor() is
  'The calling administrator who entered a code in this session within five minutes (FF006) of a factor older than the session (FF007).';

create function private.require_act_reason(reason text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF511', 'Give a reason of at most 500 characters.');
  end if;
  return why;
end
$$;
comment on function private.require_act_reason(text) is 'The reason without white space at its ends; raises FF511 without one.';

-- Locks the account, so that two administrators act one after the other.
create function private.require_other_account(caller uuid, member uuid) returns auth.users
  language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  if member = caller then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  select u.* into account from auth.users u where u.id = member and u.deleted_at is null for no key update;
  if not found then
    perform private.fail('FF510', 'There is no such account.');
  end if;
  return account;
end
$$;
comment on function private.require_other_account(uuid, uuid) is 'The account, locked; raises FF510 without one and FF513 for the caller''s own.';

-- Sessions are ended, not deleted: their renewal then answers user_banned, and session_expired after the suspension.
-- @rpc authenticated
-- Administrators: suspend a member with a reason, for 1 to 365 days or until it is lifted.
create function private.suspend_member(member uuid, reason text, days integer default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  ends_at timestamptz := now() + make_interval(days => days);
begin
  if days not between 1 and 365 then
    perform private.fail('FF515', 'A suspension lasts 1 to 365 days, or until it is lifted.');
  end if;
  if exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    perform private.fail('FF514', 'Take the administrator role away first.');
  end if;
  if account.banned_until > now() then
    perform private.fail('FF512', 'This account is suspended already.');
  end if;
  update auth.users u set banned_until = coalesce(ends_at, now() + interval '100 years') where u.id = member;
  update auth.sessions s set not_after = now() where s.user_id = member and (s.not_after is null or s.not_after > now());
  perform private.audit(admin, 'account.suspended', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('suspended', false),
    'after', jsonb_strip_nulls(jsonb_build_object('suspended', true, 'until', ends_at))
  ));
  perform private.enqueue_email(
    member, 'account_suspended', concat_ws(':', 'account_suspended', member, pg_current_xact_id()),
    jsonb_build_object('reason', why, 'until', ends_at)
  );
end
$$;
comment on function private.suspend_member(uuid, text, integer) is
  'Suspends an account for so many days, or until it is lifted (null), and ends its sessions. Audited, and told by e-mail.';

-- @rpc authenticated
-- Administrators: let a suspended member sign in again.
create function private.lift_suspension(member uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
begin
  if coalesce(account.banned_until <= now(), true) then
    perform private.fail('FF512', 'This account is not suspended.');
  end if;
  update auth.users u set banned_until = null where u.id = member;
  perform private.audit(admin, 'account.suspension_lifted', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('suspended', true), 'after', jsonb_build_object('suspended', false)
  ));
end
$$;
comment on function private.lift_suspension(uuid, text) is 'Ends the suspension of an account. Audited.';

-- @rpc authenticated
-- Administrators: sign a member out everywhere; returns how many sessions ended.
create function private.sign_out_member(member uuid, reason text) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  ended integer;
begin
  delete from auth.sessions s where s.user_id = account.id;
  get diagnostics ended = row_count;
  perform private.audit(admin, 'account.signed_out', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('sessions', ended), 'after', jsonb_build_object('sessions', 0)
  ));
  return ended;
end
$$;
comment on function private.sign_out_member(uuid, text) is 'Ends every session of an account; returns how many. Audited.';

-- One change of the role at a time. The caller is asked again under the lock, so that two administrators cannot take the
-- role from each other; the caller keeps it, so there is always one left.
-- @rpc authenticated
-- Administrators with a fresh second factor: make another account an administrator, or no longer one.
create function private.set_member_admin(member uuid, is_admin boolean, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_act_reason(reason);
  account auth.users;
  former text;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.set_member_admin', 0));
  perform private.require_fresh_second_factor();
  account := private.require_other_account(admin, member);
  select p.role into former from public.profiles p where p.id = member;
  if is_admin is null or (coalesce(former, 'student') = 'admin') = is_admin then
    perform private.fail('FF516', 'This account has that role already.');
  end if;
  if is_admin and (account.banned_until > now() or account.email_confirmed_at is null) then
    perform private.fail('FF517', 'A suspended account, or one with an unconfirmed address, cannot be an administrator.');
  end if;
  chosen := case when is_admin then 'admin' else private.plan_role(member) end;
  insert into public.profiles as p (id, role) values (member, chosen) on conflict (id) do update set role = excluded.role;
  if not is_admin then
    delete from private.pending_admins a where a.user_id = member;
  end if;
  perform private.audit(
    admin, case when is_admin then 'account.made_admin' else 'account.removed_admin' end, member,
    jsonb_build_object('reason', why, 'before', jsonb_build_object('role', former), 'after', jsonb_build_object('role', chosen))
  );
end
$$;
comment on function private.set_member_admin(uuid, boolean, text) is
  'Gives or takes the administrator role; a former administrator gets the role of the plan. Needs a code of the last five minutes. Audited.';

-- emails/causes.sql

-- What happened and which e-mail it causes. Each trigger names its cause, so that a repetition causes no second e-mail.
create function private.plan_name(price text) returns text
  language sql stable set search_path = '' as $$
  select p.name from private.plan_prices o join public.plans p on p.id = o.plan_id where o.price_id = price
$$;
comment on function private.plan_name(text) is 'Name of the plan a price was ever sold for; null for other prices.';

reset check_function_bodies;
