-- The guarantee promises something to members who stay for its months, and its lines never asked whether they did.
-- A baseline written down before keeps its own terms, which did not ask.
alter table private.guarantee_terms
  add column membership_months integer not null default 6,
  add column membership_days integer not null default 20;
comment on column private.guarantee_terms.membership_months is 'Months of the record in which the membership ran.';
comment on column private.guarantee_terms.membership_days is 'Days on which it ran, from which a month counts.';

create function private.membership_months(baseline private.guarantee_baselines, at_time timestamptz) returns integer
  language sql stable security definer set search_path = '' as $$
  with live as (
    select range_agg(r.during) as ranges from (
      select tstzrange(p.started_at, p.ended_at) from private.membership_periods p where p.user_id = baseline.user_id
      union all
      select tstzrange(
        c.granted_at,
        -- greatest() passes over nulls, and one without an end has none.
        case when coalesce(c.ends_at, c.ended_at) is not null then greatest(c.granted_at, least(c.ends_at, c.ended_at)) end
      )
      from public.complimentary_memberships c where c.user_id = baseline.user_id
    ) r (during)
  )
  select count(*)::integer
  from generate_series(1, (baseline.terms ->> 'months')::integer) as m (number), live
  where (
    select coalesce(sum(upper(d.part) - lower(d.part)), interval '0')
    from unnest(live.ranges * tstzmultirange(tstzrange(
      ((baseline.started_at at time zone 'utc') + (m.number - 1) * interval '1 month') at time zone 'utc',
      greatest(
        ((baseline.started_at at time zone 'utc') + (m.number - 1) * interval '1 month') at time zone 'utc',
        least(((baseline.started_at at time zone 'utc') + m.number * interval '1 month') at time zone 'utc', at_time)
      )
    ))) d (part)
  ) >= (baseline.terms ->> 'membership_days')::integer * interval '1 day'
$$;
revoke all on function private.membership_months from public, anon, authenticated, service_role;
comment on function private.membership_months(private.guarantee_baselines, timestamptz) is
  'In how many months of a record the membership, paid or complimentary, ran for the days that its terms ask for.';

create or replace function private.guarantee_lines(member uuid, at_time timestamptz)
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
