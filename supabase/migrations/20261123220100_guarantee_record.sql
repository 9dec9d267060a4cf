-- What members write into their record of the guarantee, and what they see of it.

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
    'baseline_until', started_at + terms.baseline_days * interval '1 day',
    'is_baseline_open', now() < started_at + terms.baseline_days * interval '1 day',
    'terms', to_jsonb(terms) - 'id' - 'opened_at',
    'baseline', case when baseline.user_id is null then null else jsonb_build_object(
      'monthly_pence', baseline.monthly_pence, 'source', baseline.source,
      'target_pence', terms.income_multiple * greatest(baseline.monthly_pence, terms.least_base_pence),
      'ends_at', private.guarantee_end(baseline),
      'claim_until', private.guarantee_end(baseline) + terms.claim_days * interval '1 day',
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
revoke all on function private.my_guarantee from public, anon, authenticated, service_role;
comment on function private.my_guarantee() is
  'The caller''s record: start, terms, baseline, check-ins and lines. Null for an account that never had a paid membership.';
grant execute on function private.my_guarantee() to authenticated;
create function public.my_guarantee() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_guarantee() $$;
revoke all on function public.my_guarantee from public, anon, authenticated, service_role;
comment on function public.my_guarantee() is 'The caller''s record of the guarantee. Null for an account that never had a paid membership.';
grant execute on function public.my_guarantee() to authenticated;

create function private.require_income(monthly_pence bigint) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if monthly_pence is null or monthly_pence not between 0 and 100000000 then
    perform private.fail('FF672', 'An income a month is between £0 and £1,000,000.');
  end if;
end
$$;
revoke all on function private.require_income from public, anon, authenticated, service_role;
comment on function private.require_income(bigint) is 'FF672 for an income outside of what a record takes.';

create function private.record_guarantee_baseline(monthly_pence bigint, source text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  terms private.guarantee_terms;
  started_at constant timestamptz := private.guarantee_start(caller);
begin
  select t.* into terms from private.guarantee_terms t;
  if started_at is null then
    perform private.fail('FF670', 'The guarantee starts with your membership.');
  end if;
  if now() >= started_at + terms.baseline_days * interval '1 day' then
    perform private.fail('FF671', 'The first week is over, so where you started can no longer be written down.');
  end if;
  perform private.require_income(monthly_pence);
  if coalesce(char_length(btrim(source)), 0) not between 1 and 200 then
    perform private.fail('FF673', 'Say in up to 200 characters where the income comes from.');
  end if;
  perform private.enforce_rate_limit(caller, 'guarantee');
  insert into private.guarantee_baselines as b (user_id, started_at, monthly_pence, source, terms)
  values (caller, started_at, record_guarantee_baseline.monthly_pence, btrim(record_guarantee_baseline.source), to_jsonb(terms))
  on conflict (user_id) do update
    set monthly_pence = excluded.monthly_pence, source = excluded.source, recorded_at = now();
end
$$;
revoke all on function private.record_guarantee_baseline from public, anon, authenticated, service_role;
comment on function private.record_guarantee_baseline(bigint, text) is
  'Writes down where the caller starts, with the terms of the day. It can be corrected until the first week is over (FF671).';
grant execute on function private.record_guarantee_baseline(bigint, text) to authenticated;
create function public.record_guarantee_baseline(monthly_pence bigint, source text) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_baseline(monthly_pence, source) $$;
revoke all on function public.record_guarantee_baseline from public, anon, authenticated, service_role;
comment on function public.record_guarantee_baseline(bigint, text) is 'Writes down what the caller earns a month, in the first week.';
grant execute on function public.record_guarantee_baseline(bigint, text) to authenticated;

-- The month is the database's: nobody catches up on a month that is over.
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
revoke all on function private.record_guarantee_check_in from public, anon, authenticated, service_role;
comment on function private.record_guarantee_check_in(bigint) is
  'Writes down what the caller earned in the month that is running. It can be corrected until that month is over.';
grant execute on function private.record_guarantee_check_in(bigint) to authenticated;
create function public.record_guarantee_check_in(monthly_pence bigint) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_check_in(monthly_pence) $$;
revoke all on function public.record_guarantee_check_in from public, anon, authenticated, service_role;
comment on function public.record_guarantee_check_in(bigint) is 'Writes down what the caller earned in the running month.';
grant execute on function public.record_guarantee_check_in(bigint) to authenticated;
