-- Part 11 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- foundations/rate-limits.sql

-- The row is locked, so that two concurrent uses cannot both be the last. A refused use is rolled back and not counted.
create function private.enforce_rate_limit(member uuid, action text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  allowed private.rate_limits;
  used timestamptz[];
  at timestamptz;
begin
  select l.* into allowed from private.rate_limits l where l.action = enforce_rate_limit.action;
  if not found then
    raise exception 'there is no limit called %', enforce_rate_limit.action;
  end if;
  select u.recent into used from private.rate_usage u
  where u.user_id = member and u.action = enforce_rate_limit.action for update;
  if not found then
    insert into private.rate_usage (user_id, action) values (member, enforce_rate_limit.action) on conflict do nothing;
    select u.recent into used from private.rate_usage u
    where u.user_id = member and u.action = enforce_rate_limit.action for update;
  end if;
  at := clock_timestamp();
  used := array(select t from unnest(used) t where t > at - allowed.period order by t);
  if cardinality(used) >= allowed.max_count then
    perform private.fail(
      'FF300', 'You are going too fast. Wait a moment and try again.',
      ceil(extract(epoch from used[cardinality(used) - allowed.max_count + 1] + allowed.period - at))::text
    );
  end if;
  update private.rate_usage u set recent = used || at
  where u.user_id = member and u.action = enforce_rate_limit.action;
end
$$;
comment on function private.enforce_rate_limit(uuid, text) is
  'Counts one use of a limited action; raises FF300 above the limit, with the seconds to wait as detail.';

-- For edge functions, which verify the caller themselves and have no shared memory of their own.
-- @rpc service_role
-- Server: count one call of an edge function by an account; raises FF300 above the limit.
create function private.enforce_function_rate_limit(member uuid, action text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if action is null or action not in (
    'create_customer', 'purchase', 'change_renewal', 'change_plan', 'update_card', 'delete_account', 'preview_code'
  ) then
    raise exception 'no function has a limit called %', action;
  end if;
  perform private.enforce_rate_limit(member, action);
end
$$;
comment on function private.enforce_function_rate_limit(uuid, text) is 'Counts one call of an edge function by an account; raises FF300 above the limit.';

-- foundations/restores.sql

-- Marks of a trial installation. Only the operator's tools write them, so that no caller can make an installation look
-- like a trial.
create table private.install_marks (
  mark text primary key check (mark in ('demo_accounts', 'card_sandbox')),
  made_at timestamptz not null default now()
);
comment on table private.install_marks is 'Marks of a local trial; production refuses a database that has any.';
alter table private.install_marks enable row level security;

-- The picture of a submission is stored with its full public URL, as the specification says, so that every client can
-- show it. The origin is the server's own, taken from the issuer that the server signed into the caller's token. What
-- the client sends is never used for it.
create function private.caller_api_origin() returns text
  language sql stable set search_path = '' as $$
  select substring(
    nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'iss' from '^(https?://[^/?#\s]{1,255})/auth/v1$'
  )
$$;
comment on function private.caller_api_origin() is
  'Origin of this API, from the issuer of the caller''s token; null when the issuer names none.';
grant execute on function private.caller_api_origin to authenticated;

-- Not part of a member's request: it writes every row with a picture.
create function private.move_image_urls(origin text) returns integer
  language plpgsql set search_path = '' as $$
declare
  moved_images integer;
  moved_pictures integer;
begin
  if origin is null or origin !~ '^https?://[^/?#\s]{1,255}$' then
    raise exception 'not the origin of an address: %', origin;
  end if;
  update public.learning_submissions s
  set image_url = origin || '/storage/v1/object/public/learning-images/' || private.image_name(s.image_url)
  where s.image_url is not null and s.image_url not like origin || '/%';
  get diagnostics moved_images = row_count;
  update public.profiles p
  set avatar_url = origin || '/storage/v1/object/public/profile-pictures/' || private.image_name(p.avatar_url)
  where p.avatar_url is not null and p.avatar_url not like origin || '/%';
  get diagnostics moved_pictures = row_count;
  return moved_images + moved_pictures;
end
$$;
comment on function private.move_image_urls(text) is
  'For the owner, after the server''s address has changed: moves the URLs of all pictures there and returns their number.';

-- guarantee/claims.sql

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
  if now() < ended or now() >= ended + (baseline.terms ->> 'claim_days')::integer * interval '1 day' then
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
  where c.user_id = caller and c.state = 'declined' and c.decided_at > now() - interval '30 days'
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

-- guarantee/decisions.sql

-- Claims in the console: what waits, the decision, and the refunds that a granted claim is owed.
-- @rpc authenticated
-- Administrators: claims under the guarantee that wait.
create function private.guarantee_queue() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
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
    where c.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(c)) or exists (select from private.claim_renewals(c))
  );
end
$$;
comment on function private.guarantee_queue() is
  'Claims that wait for a decision, and granted ones with a renewal to stop or payments to refund, oldest first. For administrators with a second factor.';

-- The administrator who declined does not decide about the appeal. The membership comes before the money, so that nobody is locked out in between.
-- @rpc authenticated
-- Administrators: grant or decline a claim, with a reason.
create function private.decide_guarantee_claim(claim_id uuid, is_granted boolean, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_fresh_second_factor();
  why constant text := private.require_act_reason(reason);
  claim private.guarantee_claims;
  -- The plan that was paid for: a complimentary membership of another may run beside it, and gives the role meanwhile.
  plan constant text := (
    select coalesce((
      select o.plan_id from public.stripe_customers s
      join public.stripe_subscriptions b on b.customer_id = s.customer_id
      join private.plan_prices o on o.price_id = b.price_id
      where s.user_id = c.user_id limit 1
    ), (
      select l.id from public.profiles p join public.plans l on l.role = case p.role when 'mentor' then 'mentor' else 'student' end
      where p.id = c.user_id
    ))
    from private.guarantee_claims c where c.id = claim_id
  );
  outcome text;
begin
  select c.* into claim from private.guarantee_claims c where c.id = claim_id for update;
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  if claim.user_id = admin then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  if claim.state not in ('filed', 'appealed') then
    perform private.fail('FF682', 'This claim has been decided already.');
  end if;
  if claim.state = 'appealed' and claim.decided_by = admin then
    perform private.fail('FF683', 'Another administrator has to decide about the appeal.');
  end if;
  outcome := case when is_granted then 'granted' when claim.state = 'appealed' then 'refused' else 'declined' end;
  update private.guarantee_claims c set state = outcome, reason = why, decided_at = now(), decided_by = admin where c.id = claim_id;
  if is_granted then
    -- One that was given for some days has its end. One of another plan makes room for the one that is owed.
    update public.complimentary_memberships m set ended_at = least(m.ends_at, now())
    where m.user_id = claim.user_id and m.ended_at is null and (m.ends_at <= now() or m.ends_at > now() and m.plan_id <> plan);
    update public.complimentary_memberships m set ends_at = null where m.user_id = claim.user_id and m.ended_at is null;
    if not found then
      insert into public.complimentary_memberships (user_id, plan_id, reason) values (claim.user_id, plan, 'Guarantee');
    end if;
    perform private.set_role_from_plan(claim.user_id, private.plan_role(claim.user_id));
  end if;
  perform private.audit(admin, 'guarantee.decided', claim.user_id, jsonb_build_object(
    'claim', claim_id, 'before', jsonb_build_object('state', claim.state), 'after', jsonb_build_object('state', outcome), 'reason', why
  ));
end
$$;
comment on function private.decide_guarantee_claim(uuid, boolean, text) is
  'Grants or declines a claim, with a fresh code of the second factor. Granted: an open-ended membership at once; the refunds follow. FF680–FF683. Audited.';

-- @rpc authenticated
-- Administrators: what a granted claim is still owed; the function admin-settle-guarantee asks the card provider.
create function private.guarantee_settlement(claim_id uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_fresh_second_factor();
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
begin
  if claim.user_id = admin then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  return private.claim_settlement(claim);
end
$$;
comment on function private.guarantee_settlement(uuid) is
  'What a granted claim is still owed, for an administrator with a fresh code. FF680, FF681.';

-- guarantee/documents.sql

create function private.is_baseline_open(member uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(now() < private.guarantee_start(member) + t.baseline_days * interval '1 day', false) from private.guarantee_terms t
$$;
comment on function private.is_baseline_open(uuid) is 'True in the first week of an account''s guarantee, while the baseline can be written down.';

create function private.caller_baseline_is_open() returns boolean
  language sql stable security definer set search_path = '' as $$ select private.is_baseline_open(auth.uid()) $$;
comment on function private.caller_baseline_is_open() is 'Whether the caller can still write down where they start. For the policy of the bucket.';
grant execute on function private.caller_baseline_is_open to authenticated;

-- The storage service of a hosted project writes the row with its own role, and a signed upload may be used two hours later, so a
-- trigger decides at the write. It reads the account from the name, which the policy ties to the caller.
create function private.tg_storage_objects__limit_guarantee_documents() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant text := split_part(new.name, '-baseline-', 1);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  -- Uploads of one account are serialised, so that concurrent ones cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('guarantee-documents:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'guarantee-documents' and o.name like member || '-baseline-%'
  ) >= 5 then
    perform private.fail('42501', 'This account has stored five documents, which is the most.');
  end if;
  if exists (select from private.guarantee_baselines b where b.document_name = new.name) then
    perform private.fail('42501', 'A document of this name was added before.');
  end if;
  return new;
end
$$;

create trigger storage_objects__limit_guarantee_documents before insert on storage.objects
  for each row when (new.bucket_id = 'guarantee-documents')
  execute function private.tg_storage_objects__limit_guarantee_documents();

-- There is no policy for update or delete, so documents cannot be replaced.
create policy insert_own_guarantee_document on storage.objects for insert to authenticated
  with check (
    bucket_id = 'guarantee-documents'
    and name ~ ('^' || (select auth.uid())::text || '-baseline-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
    and (select private.caller_baseline_is_open())
  );

create policy select_own_guarantee_document on storage.objects for select to authenticated
  using (bucket_id = 'guarantee-documents' and starts_with(name, (select auth.uid())::text || '-baseline-'));

-- @rpc authenticated
-- Writes down what the caller earns a month, in the first week, with a document that shows it when there is one.
create function private.record_guarantee_baseline(monthly_pence bigint, source text, document_name text default null) returns void
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
  if not private.is_baseline_open(caller) then
    perform private.fail('FF671', 'The first week is over, so where you started can no longer be written down.');
  end if;
  perform private.require_income(monthly_pence);
  if coalesce(char_length(btrim(source)), 0) not between 1 and 200 then
    perform private.fail('FF673', 'Say in up to 200 characters where the income comes from.');
  end if;
  if document_name is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'guarantee-documents' and o.name = record_guarantee_baseline.document_name
      and starts_with(o.name, caller::text || '-baseline-')
  ) then
    perform private.fail('FF684', 'The document isn''t there any more. Please add it again.');
  end if;
  perform private.enforce_rate_limit(caller, 'guarantee');
  insert into private.guarantee_baselines as b (user_id, started_at, monthly_pence, source, terms, document_name)
  values (
    caller, started_at, record_guarantee_baseline.monthly_pence, btrim(record_guarantee_baseline.source), to_jsonb(terms),
    record_guarantee_baseline.document_name
  )
  on conflict (user_id) do update
    set monthly_pence = excluded.monthly_pence, source = excluded.source, recorded_at = now(),
      document_name = coalesce(excluded.document_name, b.document_name);
end
$$;
comment on function private.record_guarantee_baseline(bigint, text, text) is
  'Writes down where the caller starts, with the terms of the day and an uploaded document (FF684). It can be corrected until the first week is over (FF671).';

-- Who opens the document of a baseline, and when it is deleted.

-- As for identity documents: the edge function open-guarantee-document calls this with the administrator's token and hands out
-- the bytes itself, so there is no way to them around the record.
-- @rpc authenticated
-- Administrators: record the opening of the document of a claim. The edge function of that name also hands out its bytes.
create function private.open_guarantee_document(claim_id uuid) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  reader constant uuid := private.require_verified_admin();
  opened record;
begin
  select c.id, c.user_id, c.state, b.document_name into opened
  from private.guarantee_claims c join private.guarantee_baselines b on b.user_id = c.user_id
  where c.id = claim_id and c.state in ('filed', 'appealed') and b.document_name is not null;
  if not found then
    perform private.fail('FF685', 'No claim that waits has such a document.');
  end if;
  if opened.user_id = reader then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  perform private.audit(
    reader, 'guarantee.document_opened', opened.user_id, jsonb_build_object('claim', opened.id, 'state', opened.state)
  );
  return opened.document_name;
end
$$;
comment on function private.open_guarantee_document(uuid) is
  'Records that the calling administrator opens the document of a claim that waits (FF685). Returns the name of its file.';

-- @rpc service_role
-- Server: documents of baselines to delete now.
create function private.guarantee_documents_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name
  from storage.objects o
  left join private.guarantee_baselines b on b.document_name = o.name
  left join private.guarantee_claims c on c.user_id = b.user_id
  where o.bucket_id = 'guarantee-documents' and o.name > after
    and case
      -- Chosen and never recorded, or recorded no more, or of an account that is gone.
      when b.user_id is null then o.created_at < now() - interval '1 day'
      when c.id is null then now() >= private.guarantee_end(b) + (b.terms ->> 'claim_days')::integer * interval '1 day'
      -- A declined claim can be appealed against for thirty days.
      else c.state not in ('filed', 'appealed') and c.decided_at < now() - interval '30 days'
    end
  order by o.name
  limit batch
$$;
comment on function private.guarantee_documents_to_purge(text, integer) is
  'Documents of baselines to delete, by name after the given one: unused for a day, no claim in its time, or thirty days after the decision.';

-- @rpc service_role
-- Server: these documents of baselines were deleted.
create function private.record_deleted_guarantee_documents(documents text[]) returns void
  language sql volatile security definer set search_path = '' as $$
  with forgotten as (
    update private.guarantee_baselines b set document_name = null where b.document_name = any (documents) returning b.user_id
  )
  select private.audit(null, 'guarantee.document_deleted', f.user_id) from forgotten f
$$;
comment on function private.record_deleted_guarantee_documents(text[]) is 'Takes documents that were deleted from their baselines. Audited.';

-- guarantee/figures.sql

-- How claims under the guarantee ended, for visitors too: two counts, and none at all while they are so few that a member
-- could be told apart. Function guarantee-figures gives them out; nobody calls the database for them. docs/subsystems/guarantee.md.
-- @rpc service_role
-- Server: how many claims under the guarantee were decided, and how many granted. Function guarantee-figures gives it to visitors.
create function private.guarantee_figures() returns table (decided bigint, granted bigint)
  language plpgsql stable security definer set search_path = '' as $$
declare
  fewest_shown constant bigint := 5;
begin
  return query
    select f.decided, f.granted
    from (
      select count(*) filter (where c.decided_at is not null) as decided, count(*) filter (where c.state = 'granted') as granted
      from private.guarantee_claims c
    ) f
    where f.decided >= fewest_shown;
end
$$;
comment on function private.guarantee_figures() is
  'How many claims were decided so far, by the rules or an administrator, and how many were granted; no row while fewer than five were decided.';

-- guarantee/record.sql

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
    'baseline_until', started_at + terms.baseline_days * interval '1 day',
    'is_baseline_open', now() < started_at + terms.baseline_days * interval '1 day',
    'terms', to_jsonb(terms) - 'id' - 'opened_at',
    'baseline', case when baseline.user_id is null then null else jsonb_build_object(
      'monthly_pence', baseline.monthly_pence, 'source', baseline.source, 'document_name', baseline.document_name,
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

-- guarantee/reminders.sql

-- A claim is declined and granted once each, and refused once, so each has one e-mail.
create function private.tg_guarantee_claims__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_email(
    new.user_id, case when new.state = 'granted' then 'guarantee_granted' else 'guarantee_declined' end,
    concat_ws(':', 'guarantee', new.id, new.state),
    jsonb_build_object('reason', new.reason, 'appeal_until', case when new.state = 'declined' then new.decided_at + interval '30 days' end)
  );
  return null;
end
$$;

-- Members whose membership has ended are left alone, and so are those who could not claim with what is on record.
-- @rpc service_role
-- Server: queue the e-mails about check-ins and claims under the guarantee.
create function private.queue_guarantee_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.member, d.template, concat_ws(':', d.template, d.member, d.occurrence), jsonb_build_object('until', d.until)
  )) into queued
  from private.guarantee_reminders_due() d;
  insert into public.notifications (user_id, kind, detail)
  select r.id, case d.template when 'guarantee_check_in' then 'check_in_due' else 'baseline_due' end, d.occurrence::text
  from private.guarantee_reminders_due() d join public.profiles r on r.id = d.member
  where d.template in ('guarantee_check_in', 'guarantee_baseline')
  -- Who is being deleted is not waited for.
  for key share of r skip locked on conflict do nothing;
  return queued;
end
$$;
comment on function private.queue_guarantee_reminders() is
  'Queues the e-mails of private.guarantee_reminders_due, each once; their number. The bell asks for the start and the check-in too.';

create function private.baseline_until(member uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select private.guarantee_start(member) + t.baseline_days * interval '1 day'
  from private.guarantee_terms t
  where private.is_baseline_open(member)
    and private.has_live_membership(member)
    and not exists (select from private.guarantee_baselines b where b.user_id = member)
$$;
comment on function private.baseline_until(uuid) is
  'Until when a member still has to write down where they start; null when it is on record, the first week is over, or without a membership.';

create function private.baseline_reminder(member uuid) returns integer
  language sql stable security definer set search_path = '' as $$
  select max(d.day) from unnest('{1,4,6}'::integer[]) d (day)
  where now() >= private.guarantee_start(member) + d.day * interval '1 day' and private.baseline_until(member) is not null
$$;
comment on function private.baseline_reminder(uuid) is
  'The day of the newest reminder that a member without a baseline was due: 1, 4 or 6 after the start; null before the first.';

create function private.guarantee_reminders_due() returns table (member uuid, template text, occurrence integer, until timestamptz)
  language sql stable security definer set search_path = '' as $$
  select d.* from (
    select b.user_id, 'guarantee_check_in', m.month_number,
      ((b.started_at at time zone 'utc') + m.month_number * interval '1 month') at time zone 'utc' as until
    from private.guarantee_baselines b, private.guarantee_month(b.started_at, now()) m (month_number)
    where now() < private.guarantee_end(b)
      and not exists (
        select from private.guarantee_check_ins c where c.user_id = b.user_id and c.month_number = m.month_number
      )
    union all
    select b.user_id, 'guarantee_claim_open', null, private.guarantee_end(b) + (b.terms ->> 'claim_days')::integer * interval '1 day'
    from private.guarantee_baselines b
    where now() >= private.guarantee_end(b)
      and not exists (select from private.guarantee_claims c where c.user_id = b.user_id)
      and not exists (select from private.guarantee_lines(b.user_id, private.guarantee_end(b)) l where not l.met)
    union all
    select s.user_id, 'guarantee_baseline', private.baseline_reminder(s.user_id), private.baseline_until(s.user_id)
    from (
      -- Who can still be in the first week: new members, and everybody while the record itself is new.
      select distinct p.user_id from private.membership_periods p, private.guarantee_terms t
      where greatest(p.started_at, t.opened_at) > now() - t.baseline_days * interval '1 day'
    ) s
    where private.baseline_reminder(s.user_id) is not null
  ) d (member, template, occurrence, until)
  where d.until > now() and (d.template <> 'guarantee_check_in' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.member)
$$;
comment on function private.guarantee_reminders_due() is
  'Members in the last week of a month without a check-in, those who can make a claim, and those who have to write down where they start. The occurrence is the month of the check-in or the day of the reminder. Members whose membership has ended are left alone.';

-- guarantee/settlement.sql

-- Without an administrator beside it, a refund that the bank gave back or the provider refused waits longer each time.
create function private.is_claim_refund_due(payment text, is_scheduled boolean) returns boolean
  language sql stable security definer set search_path = '' as $$
  select not exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.state = 'started' and q.last_tried_at > now() - interval '2 minutes'
  ) and (not is_scheduled or not exists (
    select from private.refund_requests q
    where q.charge_id = payment and q.last_tried_at > now() - interval '5 minutes' * (power(4, least(5, (
      select count(*) from private.refund_requests f where f.charge_id = payment and f.state in ('failed', 'refused')
    ))) - 1)
  ))
$$;
comment on function private.is_claim_refund_due(text, boolean) is
  'Whether a refund may be asked for now: no other call is at it (two minutes), and for the scheduled run a wait from 15 minutes to 4 days after each failure.';

-- @rpc service_role
-- Server: granted claims under the guarantee that are not settled.
create function private.billing_claims_to_settle() returns setof uuid
  language sql stable security definer set search_path = '' as $$
  select c.id from private.guarantee_claims c
  where c.state = 'granted' and (
    c.renewal_stopped_at is null
    or exists (select from private.guarantee_refunds(c) r where private.is_claim_refund_due(r.payment_id, true))
  )
  order by c.decided_at, c.id limit 100
$$;
comment on function private.billing_claims_to_settle() is 'Granted claims with a renewal to stop or a refund to make; a hundred of the oldest.';

-- @rpc service_role
-- Server: what a granted claim is still owed.
create function private.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select private.claim_settlement(private.require_granted_claim(claim_id))
$$;
comment on function private.billing_claim_settlement(uuid) is 'What a granted claim is still owed. FF680.';

-- @rpc service_role
-- Server: the membership of a granted claim no longer renews.
create function private.billing_claim_renewal_stopped(claim_id uuid, admin uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
begin
  update private.guarantee_claims c set renewal_stopped_at = clock_timestamp() where c.id = claim_id and c.renewal_stopped_at is null;
  if found then
    perform private.audit(coalesce(admin, claim.decided_by), 'account.renewal_stopped', claim.user_id, jsonb_build_object(
      'claim', claim_id, 'subscriptions', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r), 'reason', 'Guarantee',
      'before', jsonb_build_object('renews', true), 'after', jsonb_build_object('renews', false)
    ));
  end if;
end
$$;
comment on function private.billing_claim_renewal_stopped(uuid, uuid) is
  'Writes down that the membership of a granted claim no longer renews. Without an administrator the one who granted stands in the log. Audited once.';

-- @rpc service_role
-- Server: record a refund of a granted claim before it is made.
create function private.billing_begin_claim_refund(claim_id uuid, payment text, admin uuid) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
  owed record;
  is_new boolean;
begin
  -- The lock lets one request of a payment begin at a time.
  perform from private.billing_charges b where b.charge_id = payment for update;
  select r.* into owed from private.guarantee_refunds(claim) r where r.payment_id = payment;
  if not found or not private.is_claim_refund_due(payment, admin is null) then
    return null;
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (owed.request_id, payment, owed.amount_pence, owed.reason)
  on conflict (id) do update set state = 'started', last_tried_at = clock_timestamp()
  returning xmax = 0 into is_new;
  if is_new then
    perform private.audit(coalesce(admin, claim.decided_by), 'payment.refund_started', claim.user_id, jsonb_build_object(
      'request', owed.request_id, 'payment', payment, 'claim', claim_id,
      'after', jsonb_build_object('refunded_pence', owed.amount_pence), 'reason', owed.reason
    ));
  end if;
  return to_jsonb(owed);
end
$$;
comment on function private.billing_begin_claim_refund(uuid, text, uuid) is
  'Records a refund of a granted claim before the card provider is asked; null when nothing is owed or another call is at it. Audited.';

create function private.notification_part_guarantee(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if not private.has_live_membership(member) then
    return;
  end if;
  return query
  select n.id, '{}'::jsonb
  from private.newest_notifications(member, array['check_in_due']) n
  join private.guarantee_baselines b on b.user_id = member
  where n.detail = private.guarantee_month(b.started_at, now())::text and now() < private.guarantee_end(b)
    and not exists (
      select from private.guarantee_check_ins c where c.user_id = member and c.month_number::text = n.detail
    )
  union all
  -- The newest reminder takes the place of the one before.
  (
    select n.id, jsonb_build_object('deadline', private.baseline_until(member))
    from private.newest_notifications(member, array['baseline_due']) n
    where private.baseline_until(member) is not null
    order by n.id desc limit 1
  );
end
$$;
comment on function private.notification_part_guarantee(uuid) is
  'A start that is still to be written down, until it is or the first week is over; a check-in that is due, until it is made or its month is over.';

-- guarantee/terms.sql

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

reset check_function_bodies;
