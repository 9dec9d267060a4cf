-- Claims under the guarantee: the rules decide first, by the figures on record, and an administrator second.
create table private.guarantee_claims (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint guarantee_claims_user_id_key unique references auth.users (id) on delete cascade,
  monthly_pence bigint not null constraint guarantee_claims_monthly_pence_check check (monthly_pence between 0 and 100000000),
  statement text not null constraint guarantee_claims_statement_check check (char_length(statement) between 1 and 2000),
  lines jsonb not null,
  state text not null constraint guarantee_claims_state_check check (state in ('filed', 'declined', 'appealed', 'granted', 'refused')),
  filed_at timestamptz not null default now(),
  reason text constraint guarantee_claims_reason_check check (char_length(reason) between 1 and 500),
  decided_at timestamptz,
  decided_by uuid references public.profiles (id) on delete set null,
  appeal text constraint guarantee_claims_appeal_check check (char_length(appeal) between 1 and 2000),
  appealed_at timestamptz,
  renewal_stopped_at timestamptz,
  constraint guarantee_claims_appealed_check check ((appeal is null) = (appealed_at is null))
);
create index guarantee_claims_decided_by_idx on private.guarantee_claims (decided_by);
create index guarantee_claims_waiting_idx on private.guarantee_claims (filed_at) where state in ('filed', 'appealed');
comment on table private.guarantee_claims is 'A member''s one claim under the guarantee. Read by the member, and by administrators while they decide.';
comment on column private.guarantee_claims.monthly_pence is 'Income a month at the end, as the member states it.';
comment on column private.guarantee_claims.statement is 'What the member says about it, and where the evidence is.';
comment on column private.guarantee_claims.lines is 'What the terms ask for and what was on record when the claim was filed, as guarantee_claim_lines counts it.';
comment on column private.guarantee_claims.state is
  'filed and appealed wait for an administrator. declined can be appealed against once; refused is the answer to an appeal.';
comment on column private.guarantee_claims.reason is 'Why the last decision was made. Null while the rules alone declined.';
comment on column private.guarantee_claims.decided_by is 'Null when the rules declined.';
comment on column private.guarantee_claims.renewal_stopped_at is
  'When the card provider no longer renewed the membership of a granted claim. What is bought after it is no part of the guarantee.';
alter table private.guarantee_claims enable row level security;

-- The income counts as the higher of what is claimed and what the last check-in says, so that a claim does not contradict the record.
create function private.guarantee_claim_lines(baseline private.guarantee_baselines, claimed bigint)
  returns table (line text, needed bigint, held bigint, met boolean)
  language sql stable security definer set search_path = '' as $$
  select l.line, l.needed::bigint, l.held::bigint, l.met from private.guarantee_lines(baseline.user_id, private.guarantee_end(baseline)) l
  union all
  select 'income', i.target, i.held, i.held < i.target
  from (
    select (baseline.terms ->> 'income_multiple')::bigint
        * greatest(baseline.monthly_pence, (baseline.terms ->> 'least_base_pence')::bigint) as target,
      greatest(claimed, (
        select c.monthly_pence from private.guarantee_check_ins c
        where c.user_id = baseline.user_id order by c.month_number desc limit 1
      )) as held
  ) i
$$;
comment on function private.guarantee_claim_lines(private.guarantee_baselines, bigint) is
  'The lines of a record at its end, and the income: a claim holds while it is below the aim.';

create function private.guarantee_appeal_end(claim private.guarantee_claims) returns timestamptz
  language sql stable set search_path = '' as $$
  select private.end_of_day(claim.decided_at, 30)
$$;
comment on function private.guarantee_appeal_end(private.guarantee_claims) is
  'Until when a decided claim could be appealed against: the end of the last day. Null before the decision.';

create function private.claim_answer(claim private.guarantee_claims) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', claim.id, 'state', claim.state, 'monthly_pence', claim.monthly_pence, 'statement', claim.statement,
    'lines', claim.lines, 'filed_at', claim.filed_at, 'reason', claim.reason, 'decided_at', claim.decided_at,
    'appeal_until', private.guarantee_appeal_end(claim),
    'appeal', claim.appeal, 'appealed_at', claim.appealed_at
  )
$$;
comment on function private.claim_answer(private.guarantee_claims) is 'A claim as it is answered, without who decided.';

create function private.require_statement(said text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if coalesce(char_length(btrim(said)), 0) not between 1 and 2000 then
    perform private.fail('FF676', 'Write something, up to 2,000 characters.');
  end if;
  return btrim(said);
end
$$;
comment on function private.require_statement(text) is 'The text without spaces around it; FF676 when it is empty or too long.';

-- @rpc authenticated
-- Makes the caller's claim under the guarantee; its state and lines.
create function private.file_guarantee_claim(monthly_pence bigint, statement text) returns jsonb
  language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.file_guarantee_claim(bigint, text) is
  'Makes the caller''s claim. Declined at once when a line is not met; waits for an administrator otherwise. FF674, FF676–FF678.';

-- @rpc authenticated
-- Appeals once against a declined claim.
create function private.appeal_guarantee_claim(appeal text) returns jsonb
  language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.appeal_guarantee_claim(text) is 'The caller''s one appeal against a declined claim, within 30 days (FF679).';

-- @rpc authenticated
-- The caller's claim under the guarantee; null when none was made.
create function private.my_guarantee_claim() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select private.claim_answer(c) from private.guarantee_claims c where c.user_id = private.require_caller()
$$;
comment on function private.my_guarantee_claim() is 'The caller''s claim; null when none was made.';
