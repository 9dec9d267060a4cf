-- The guarantee's record: terms, where a member started, and a check-in each month. docs/subsystems/guarantee.md.
create table private.guarantee_terms (
  id boolean primary key default true constraint guarantee_terms_id_check check (id),
  opened_at timestamptz not null default now(),
  months integer not null,
  income_multiple integer not null,
  least_base_pence integer not null,
  baseline_days integer not null,
  claim_days integer not null,
  check_ins integer not null,
  submissions integer not null,
  messages integer not null,
  articles integer not null,
  -- The guarantee promises something to members who stay for its months, and its lines never asked whether they did.
  -- A baseline written down before keeps its own terms, which did not ask.
  membership_months integer not null default 6,
  membership_days integer not null default 20
);
comment on table private.guarantee_terms is 'What the guarantee asks for. The page /guarantee says the same; a test holds the two together.';
comment on column private.guarantee_terms.id is 'Always true, so that there is one row.';
comment on column private.guarantee_terms.opened_at is 'Members who joined before there was a record start on this day.';
comment on column private.guarantee_terms.income_multiple is 'How many times the base the income a month has to become.';
comment on column private.guarantee_terms.least_base_pence is 'A smaller income counts as this much a month: ten times nothing is nothing.';
comment on column private.guarantee_terms.baseline_days is 'From the start, for writing down the base.';
comment on column private.guarantee_terms.claim_days is 'From the end of the months, for a claim.';
comment on column private.guarantee_terms.membership_months is 'Months of the record in which the membership ran.';
comment on column private.guarantee_terms.membership_days is 'Days on which it ran, from which a month counts.';
alter table private.guarantee_terms enable row level security;

create table private.guarantee_baselines (
  user_id uuid primary key references auth.users (id) on delete cascade,
  started_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  monthly_pence bigint not null constraint guarantee_baselines_monthly_pence_check check (monthly_pence between 0 and 100000000),
  source text not null constraint guarantee_baselines_source_check check (char_length(source) between 1 and 200),
  terms jsonb not null,
  document_name text,
  constraint guarantee_baselines_document_name_check
    check (starts_with(document_name, user_id::text || '-baseline-'))
);
comment on table private.guarantee_baselines is 'What members earned when they started. Read by the member alone.';
comment on column private.guarantee_baselines.started_at is 'The six months are counted from here.';
comment on column private.guarantee_baselines.monthly_pence is 'Income a month.';
comment on column private.guarantee_baselines.source is 'Where the income came from, in the member''s words.';
comment on column private.guarantee_baselines.terms is 'The row of guarantee_terms that was in force. Later terms do not change it.';
comment on column private.guarantee_baselines.document_name is
  'Name of an object in the private bucket guarantee-documents; null without a document, and after it was deleted.';
alter table private.guarantee_baselines enable row level security;

create table private.guarantee_check_ins (
  user_id uuid not null references auth.users (id) on delete cascade,
  month_number integer not null constraint guarantee_check_ins_month_number_check check (month_number >= 1),
  monthly_pence bigint not null constraint guarantee_check_ins_monthly_pence_check check (monthly_pence between 0 and 100000000),
  recorded_at timestamptz not null default now(),
  primary key (user_id, month_number)
);
comment on table private.guarantee_check_ins is 'What members earned in each month since they started. Read by the member alone.';
comment on column private.guarantee_check_ins.month_number is '1 for the month that began with started_at.';
alter table private.guarantee_check_ins enable row level security;

create function private.guarantee_start(member uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select greatest(min(p.started_at), (select t.opened_at from private.guarantee_terms t))
  from private.membership_periods p where p.user_id = member having count(*) > 0
$$;
comment on function private.guarantee_start(uuid) is 'When the guarantee starts for an account: with its first membership. Null without one.';

-- Days are added in UTC, so that a month does not depend on who asks.
create function private.guarantee_month(started_at timestamptz, at_time timestamptz) returns integer
  language sql immutable set search_path = '' as $$
  select count(*)::integer from generate_series(0, 120) n
  where (started_at at time zone 'utc') + n * interval '1 month' <= at_time at time zone 'utc'
$$;
comment on function private.guarantee_month(timestamptz, timestamptz) is 'Which month since the start a moment is in: 1 for the first, 0 before it.';

create function private.guarantee_end(baseline private.guarantee_baselines) returns timestamptz
  language sql immutable set search_path = '' as $$
  select ((baseline.started_at at time zone 'utc') + (baseline.terms ->> 'months')::integer * interval '1 month') at time zone 'utc'
$$;
comment on function private.guarantee_end(private.guarantee_baselines) is 'When the months of a record are over.';

create function private.guarantee_claim_end(baseline private.guarantee_baselines) returns timestamptz
  language sql stable set search_path = '' as $$
  select private.end_of_day(private.guarantee_end(baseline), (baseline.terms ->> 'claim_days')::integer)
$$;
comment on function private.guarantee_claim_end(private.guarantee_baselines) is 'Until when a claim can be made: the end of the last day.';

-- The one place that decides what was done. Only what happened within the months counts.
create function private.guarantee_lines(member uuid, at_time timestamptz)
  returns table (line text, needed integer, held integer, met boolean)
  language sql stable security definer set search_path = '' as $$
  with record as (
    select b.terms, b.started_at, least(private.guarantee_end(b), at_time) as until,
      -- Baselines from before the terms asked for it don't need it.
      case when b.terms ? 'membership_months' then private.membership_months(b, at_time) end as membership_months
    from private.guarantee_baselines b where b.user_id = member
  ), events as (
    select l.kind, count(*)::integer as events
    from record r join private.progress_ledger l
      on l.user_id = member and l.happened_at >= r.started_at and l.happened_at < r.until
    group by l.kind
  ), lines as (
    select 1 as place, 'check_ins' as line, (r.terms ->> 'check_ins')::integer as needed, (
      select count(*)::integer from private.guarantee_check_ins c where c.user_id = member
    ) as held
    from record r
    union all
    select k.place, k.line, (r.terms ->> k.line)::integer, coalesce((select e.events from events e where e.kind = k.kind), 0)
    from record r, (values (2, 'submissions', 'submission'), (3, 'messages', 'message'), (4, 'articles', 'article_read')) k (place, line, kind)
    union all
    select 5, 'membership', (r.terms ->> 'membership_months')::integer, r.membership_months
    from record r where r.membership_months is not null
  )
  select l.line, l.needed, l.held, l.held >= l.needed from lines l order by l.place
$$;
comment on function private.guarantee_lines(uuid, timestamptz) is
  'What the terms of a member''s record ask for, what is on record by then, and whether it is enough: the work, and that the membership lasted. Nothing without a baseline.';

create function private.export_part_guarantee(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'guarantee_baseline', (select to_jsonb(b) from private.guarantee_baselines b where b.user_id = member),
    'guarantee_check_ins', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.month_number) from private.guarantee_check_ins c where c.user_id = member
    ), '[]'),
    'guarantee_claim', (select to_jsonb(c) - 'decided_by' from private.guarantee_claims c where c.user_id = member)
  )
$$;
comment on function private.export_part_guarantee(uuid) is 'Baseline, check-ins and claim of one account.';
