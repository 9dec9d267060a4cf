create or replace function private.end_of_day (
  moment     timestamp with time zone,
  days_later integer                  default 0
)
  returns timestamp with time zone
  language sql
  stable
  set search_path to ''
  AS $function$
  select (date_trunc('day', moment at time zone 'Europe/London') + (days_later + 1) * interval '1 day') at time zone 'Europe/London'
$function$;

create or replace function private.guarantee_appeal_end (
  claim private.guarantee_claims
)
  returns timestamp with time zone
  language sql
  stable
  set search_path to ''
  AS $function$
  select private.end_of_day(claim.decided_at, 30)
$function$;

create or replace function private.guarantee_claim_end (
  baseline private.guarantee_baselines
)
  returns timestamp with time zone
  language sql
  stable
  set search_path to ''
  AS $function$
  select private.end_of_day(private.guarantee_end(baseline), (baseline.terms ->> 'claim_days')::integer)
$function$;

create or replace function private.appeal_guarantee_claim (
  appeal text
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  said constant text := private.require_statement(appeal);
  appealed private.guarantee_claims;
begin
  perform private.enforce_rate_limit(caller, 'guarantee');
  update private.guarantee_claims c set state = 'appealed', appeal = said, appealed_at = now()
  where c.user_id = caller and c.state = 'declined' and private.guarantee_appeal_end(c) > now()
  returning c.* into appealed;
  if not found then
    perform private.fail('FF679', 'An appeal is made once, within 30 days after a claim was declined.');
  end if;
  return private.claim_answer(appealed);
end
$function$;

create or replace function private.baseline_until (
  member uuid
)
  returns timestamp with time zone
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select private.end_of_day(private.guarantee_start(member), t.baseline_days)
  from private.guarantee_terms t
  where private.is_baseline_open(member)
    and private.has_live_membership(member)
    and not exists (select from private.guarantee_baselines b where b.user_id = member)
$function$;

create or replace function private.claim_answer (
  claim private.guarantee_claims
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'id', claim.id, 'state', claim.state, 'monthly_pence', claim.monthly_pence, 'statement', claim.statement,
    'lines', claim.lines, 'filed_at', claim.filed_at, 'reason', claim.reason, 'decided_at', claim.decided_at,
    'appeal_until', private.guarantee_appeal_end(claim),
    'appeal', claim.appeal, 'appealed_at', claim.appealed_at
  )
$function$;

create or replace function private.end_of_withdrawal (
  began timestamp with time zone
)
  returns timestamp with time zone
  language sql
  stable
  set search_path to ''
  AS $function$
  -- Fourteen days after the day of the contract, in the seller's time: the last of them counts to its end.
  select private.end_of_day(began, 14)
$function$;

create or replace function private.file_guarantee_claim (
  monthly_pence bigint,
  statement     text
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  baseline private.guarantee_baselines;
  ended timestamptz;
  counted jsonb;
  filed private.guarantee_claims;
begin
  -- Of two claims at once the second finds the first.
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller for update;
  if not found then
    perform private.fail('FF674', 'There is no record of where you started.');
  end if;
  ended := private.guarantee_end(baseline);
  if now() < ended or now() >= private.guarantee_claim_end(baseline) then
    perform private.fail('FF677', 'A claim is made after the months are over, within the days the terms say.');
  end if;
  if exists (select from private.guarantee_claims c where c.user_id = caller) then
    perform private.fail('FF678', 'You have made your claim already.');
  end if;
  perform private.require_income(monthly_pence);
  perform private.enforce_rate_limit(caller, 'guarantee');
  select jsonb_agg(to_jsonb(l)) into counted
  from private.guarantee_claim_lines(baseline, file_guarantee_claim.monthly_pence) l;
  insert into private.guarantee_claims as c (user_id, monthly_pence, statement, lines, state, decided_at)
  select caller, file_guarantee_claim.monthly_pence, private.require_statement(file_guarantee_claim.statement), counted,
    case when v.all_met then 'filed' else 'declined' end, case when v.all_met then null else now() end
  from (select bool_and((l ->> 'met')::boolean) as all_met from jsonb_array_elements(counted) l) v
  returning c.* into filed;
  return private.claim_answer(filed);
end
$function$;

create or replace function private.guarantee_documents_to_purge (
  after text    default ''::text,
  batch integer default 100
)
  returns SETOF text
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select o.name
  from storage.objects o
  left join private.guarantee_baselines b on b.document_name = o.name
  left join private.guarantee_claims c on c.user_id = b.user_id
  where o.bucket_id = 'guarantee-documents' and o.name > after
    and case
      -- Chosen and never recorded, or recorded no more, or of an account that is gone.
      when b.user_id is null then o.created_at < now() - interval '1 day'
      when c.id is null then now() >= private.guarantee_claim_end(b)
      -- A declined claim can be appealed against for thirty days.
      else c.state not in ('filed', 'appealed') and private.guarantee_appeal_end(c) <= now()
    end
  order by o.name
  limit batch
$function$;

create or replace function private.guarantee_reminders_due()
  returns table (
    member     uuid,
    template   text,
    occurrence integer,
    until      timestamp with time zone
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select d.* from (
    select b.user_id, 'guarantee_check_in', m.month_number,
      -- The month ends at an hour of that day: the day before is the last whole one.
      private.end_of_day(((b.started_at at time zone 'utc') + m.month_number * interval '1 month') at time zone 'utc', -1) as until
    from private.guarantee_baselines b, private.guarantee_month(b.started_at, now()) m (month_number)
    where now() < private.guarantee_end(b)
      and not exists (
        select from private.guarantee_check_ins c where c.user_id = b.user_id and c.month_number = m.month_number
      )
    union all
    select b.user_id, 'guarantee_claim_open', null, private.guarantee_claim_end(b)
    from private.guarantee_baselines b
    where now() >= private.guarantee_end(b)
      and not exists (select from private.guarantee_claims c where c.user_id = b.user_id)
      and not exists (select from private.guarantee_lines(b.user_id, private.guarantee_end(b)) l where not l.met)
    union all
    select s.user_id, 'guarantee_baseline', private.baseline_reminder(s.user_id), private.baseline_until(s.user_id)
    from (
      -- Who can still be in the first week: new members, and everybody while the record itself is new.
      select distinct p.user_id from private.membership_periods p, private.guarantee_terms t
      where private.end_of_day(greatest(p.started_at, t.opened_at), t.baseline_days) > now()
    ) s
    where private.baseline_reminder(s.user_id) is not null
  ) d (member, template, occurrence, until)
  where d.until > now() and (d.template <> 'guarantee_check_in' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.member)
$function$;

create or replace function private.is_baseline_open (
  member uuid
)
  returns boolean
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(now() < private.end_of_day(private.guarantee_start(member), t.baseline_days), false) from private.guarantee_terms t
$function$;

create or replace function private.my_guarantee()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.tg_guarantee_claims__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  perform private.enqueue_email(
    new.user_id, case when new.state = 'granted' then 'guarantee_granted' else 'guarantee_declined' end,
    concat_ws(':', 'guarantee', new.id, new.state),
    jsonb_build_object('reason', new.reason, 'appeal_until', case when new.state = 'declined' then private.guarantee_appeal_end(new) end)
  );
  return null;
end
$function$;

comment on function "private"."end_of_day"(timestamp with time zone, integer) is 'The midnight at which the day of a moment ends in London, or that so many days later.';

comment on function "private"."guarantee_appeal_end"(private.guarantee_claims) is 'Until when a decided claim could be appealed against: the end of the last day. Null before the decision.';

comment on function "private"."guarantee_claim_end"(private.guarantee_baselines) is 'Until when a claim can be made: the end of the last day.';

revoke all on function "private"."end_of_day"(timestamp with time zone, integer) from public;

grant execute on function "private"."end_of_day"(timestamp with time zone, integer) to "postgres";

revoke all on function "private"."guarantee_appeal_end"(private.guarantee_claims) from public;

grant execute on function "private"."guarantee_appeal_end"(private.guarantee_claims) to "postgres";

revoke all on function "private"."guarantee_claim_end"(private.guarantee_baselines) from public;

grant execute on function "private"."guarantee_claim_end"(private.guarantee_baselines) to "postgres";
