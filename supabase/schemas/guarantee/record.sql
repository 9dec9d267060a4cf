-- The member sees that there is one, and so does an administrator in a claim.
-- @rpc authenticated
-- The caller's record of the guarantee. Null for an account that never had a paid membership.
create function private.my_guarantee() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  terms private.guarantee_terms;
  baseline private.guarantee_baselines;
  started_at timestamptz := private.guarantee_start(caller);
  month_now integer;
begin
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller;
  if found then
    started_at := baseline.started_at;
    terms := jsonb_populate_record(null::private.guarantee_terms, baseline.terms);
  else
    select t.* into terms from private.guarantee_terms t;
  end if;
  if started_at is null then
    return null;
  end if;
  month_now := private.guarantee_month(started_at, now());
  return jsonb_build_object(
    'started_at', started_at,
    'baseline_until', private.end_of_day(started_at, terms.baseline_days),
    'is_baseline_open', now() < private.end_of_day(started_at, terms.baseline_days),
    'terms', to_jsonb(terms) - 'id' - 'opened_at',
    'baseline', case when baseline.user_id is null then null else jsonb_build_object(
      'monthly_pence', baseline.monthly_pence, 'source', baseline.source, 'document_name', baseline.document_name,
      'target_pence', terms.income_multiple * greatest(baseline.monthly_pence, terms.least_base_pence),
      'ends_at', private.guarantee_end(baseline),
      'claim_until', private.guarantee_claim_end(baseline),
      'month', least(month_now, terms.months + 1)
    ) end,
    'check_ins', coalesce((
      select jsonb_agg(jsonb_build_object('month', c.month_number, 'monthly_pence', c.monthly_pence) order by c.month_number)
      from private.guarantee_check_ins c where c.user_id = caller
    ), '[]'),
    'lines', coalesce((select jsonb_agg(to_jsonb(l)) from private.guarantee_lines(caller, now()) l), '[]')
  );
end
$$;
comment on function private.my_guarantee() is
  'The caller''s record: start, terms, baseline, check-ins and lines. Null for an account that never had a paid membership.';

create function private.require_income(monthly_pence bigint) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if monthly_pence is null or monthly_pence not between 0 and 100000000 then
    perform private.fail('FF672', 'An income a month is between £0 and £1,000,000.');
  end if;
end
$$;
comment on function private.require_income(bigint) is 'FF672 for an income outside of what a record takes.';

-- The month is the database's: nobody catches up on a month that is over.
-- @rpc authenticated
-- Writes down what the caller earned in the running month.
create function private.record_guarantee_check_in(monthly_pence bigint) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  baseline private.guarantee_baselines;
begin
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller;
  if not found then
    perform private.fail('FF674', 'There is no record of where you started.');
  end if;
  if now() >= private.guarantee_end(baseline) then
    perform private.fail('FF675', 'The months of your record are over.');
  end if;
  perform private.require_income(monthly_pence);
  perform private.enforce_rate_limit(caller, 'guarantee');
  insert into private.guarantee_check_ins as c (user_id, month_number, monthly_pence)
  values (caller, private.guarantee_month(baseline.started_at, now()), record_guarantee_check_in.monthly_pence)
  on conflict (user_id, month_number) do update set monthly_pence = excluded.monthly_pence, recorded_at = now();
end
$$;
comment on function private.record_guarantee_check_in(bigint) is
  'Writes down what the caller earned in the month that is running. It can be corrected until that month is over.';

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
comment on function private.membership_months(private.guarantee_baselines, timestamptz) is
  'In how many months of a record the membership, paid or complimentary, ran for the days that its terms ask for.';
