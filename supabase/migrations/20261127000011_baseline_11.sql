-- Part 11 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- foundations/basics.sql

-- Every function that needs a signed-in caller begins with this.
create function private.require_caller() returns uuid
  language plpgsql stable set search_path = '' as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then
    perform private.fail('FF001', 'Please sign in first.');
  end if;
  return caller;
end
$$;
comment on function private.require_caller() is 'The calling account; raises FF001 without one.';
grant execute on function private.require_caller to authenticated;

-- Records what administrators and the operator do. Entries outlive the account they are about.
create table private.audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null default now(),
  actor uuid,
  action text not null,
  subject uuid,
  detail jsonb not null default '{}'
);
comment on table private.audit_log is 'Decisions made about accounts, oldest first; rows are only ever added.';
comment on column private.audit_log.actor is 'Account that acted; null for the operator, a scheduled function, or a deleted account.';
comment on column private.audit_log.subject is 'Account the entry is about. Has no foreign key, so that entries survive the account.';
create index audit_log_subject_idx on private.audit_log (subject, happened_at);
create index audit_log_happened_at_idx on private.audit_log (happened_at, id);
create index audit_log_actor_idx on private.audit_log (actor, happened_at, id);
create index audit_log_action_idx on private.audit_log (action, happened_at, id);
alter table private.audit_log enable row level security;

-- Accounts that a person has to review. No account is deleted automatically.
create table private.account_flags (
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (user_id, reason),
  constraint account_flags_reason_check
    check (reason in ('verification_attempts_exhausted', 'several_subscriptions', 'dispute_lost'))
);
comment on table private.account_flags is 'Accounts waiting for a human decision, and why.';
comment on column private.account_flags.closed_at is
  'When an administrator decided to keep the identity form closed. The flag then waits no more, and can still be reset.';
alter table private.account_flags enable row level security;

-- The only function that writes entries, so that all have the same shape.
create function private.audit(actor uuid, action text, subject uuid, detail jsonb default '{}') returns void
  language sql volatile set search_path = '' as $$
  insert into private.audit_log (actor, action, subject, detail) values (actor, action, subject, detail)
$$;
comment on function private.audit(uuid, text, uuid, jsonb) is 'Adds one entry to the audit log.';

-- Entries are never changed or deleted, by any role.
create function private.tg_audit_log__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log only grows';
end
$$;

create trigger audit_log__append_only before update or delete on private.audit_log
  for each row execute function private.tg_audit_log__append_only();

-- foundations/markdown-bounds.sql

-- Bounds of Markdown, so that no text takes its readers' browsers, or the server that renders it, more than a moment. The time of the
-- parser grows with the square of the signs in a paragraph, with every open list or quote on each line, and with the cells of tables.
create function private.markdown_issue(markdown text) returns jsonb
language sql immutable set search_path = '' as $$
  with lines as materialized (
    select l.place, l.line, char_length(l.line) - char_length(ltrim(l.line, E' \t')) as indentation
    from string_to_table(replace(replace(markdown, E'\r\n', E'\n'), E'\r', E'\n'), E'\n') with ordinality l (line, place)
    -- One more than there may be.
    limit 5001
  ), starts as (
    select l.place, l.line, l.indentation,
      l.indentation + 3 * (l.indentation - char_length(replace(left(l.line, l.indentation), E'\t', ''))) as columns,
      -- Lists, quotes and footnotes that begin on the line. More than are allowed fit into these characters, as names of footnotes have 999
      -- at most, or there are more spaces between them than are allowed.
      (regexp_match(
        substr(l.line, l.indentation + 1, 25000),
        '^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|[0-9]{1,9}[.)](?=[ \t]|$)|\[\^(?:\\?[^][\\ \t]|\\[][\\])+\]:))*'
      ))[1] as opened
    from lines l
  ), begins as (
    select s.place, s.line, s.indentation, s.columns,
      -- The signs of a footnote's name are none of lists.
      case when strpos(s.opened, '[') = 0 then s.opened
        else regexp_replace(s.opened, '\[\^(?:\\?[^][\\ \t]|\\[][\\])+\]:', '>', 'g') end as opened
    from starts s
  ), opens as (
    select b.place, b.line, b.indentation, b.columns,
      char_length(b.opened) - char_length(translate(b.opened, '>-+*.)', '')) as opened,
      char_length(b.opened) - char_length(translate(b.opened, E' \t', ''))
        + 3 * (char_length(b.opened) - char_length(replace(b.opened, E'\t', ''))) as columns_between
    from begins b
  ), measured as (
    -- Each but the first is a space away from the one before. What is indented further may be inside of what earlier lines began.
    select s.place, s.columns + greatest(s.columns_between - s.opened, 0) as columns, s.opened,
      char_length(s.line) - char_length(translate(s.line, '*_~[]<&`', '')) as signs,
      char_length(s.line) - char_length(replace(s.line, '|', '')) as pipes,
      -- A paragraph ends here, whatever it stands in.
      sum(case when s.indentation = char_length(s.line) or s.line ~ '^ {0,3}>( {0,4}>)*[ \t]*$' then 1 else 0 end)
        over (order by s.place) as part,
      -- The line below the heads of a table.
      translate(s.line, E' \t>|:-', '') = '' and strpos(s.line, '|') > 0 and strpos(s.line, '-') > 0 as is_rule
    from opens s
  ), totals as (
    select m.place, m.columns, m.opened, m.signs,
      sum(m.signs) over (order by m.place) as signs_so_far, sum(m.opened) over (order by m.place) as opened_so_far
    from measured m
  ), parts as (
    select min(m.place) filter (where m.signs > 0) as place, sum(m.signs) as signs from measured m group by m.part
  ), tables as (
    select min(m.place) filter (where m.pipes > 0) as place, (max(m.pipes) + 1) * count(*) as cells
    from measured m group by m.part having bool_or(m.is_rule)
  ), table_totals as (
    select t.place, sum(t.cells) over (order by t.place) as cells_so_far from tables t
  ), issues as (
    select l.place, 'The text has over 5,000 lines. Divide it into several texts.' as message
    from lines l where l.place > 5000
    union all
    select t.place, 'Lists, quotes and footnotes are nested too deeply here. Use at most 20 levels, and indent by 40 columns at most.'
    from totals t where t.opened > 0 and t.opened + t.columns / 2 > 20
    union all
    select t.place, 'The text has over 3,000 list items, quoted lines and footnotes up to here. Divide it into several texts.'
    from totals t where t.opened_so_far > 3000
    union all
    select p.place, 'This paragraph has over 2,000 of the signs * _ ~ [ ] < & `. Divide it with empty lines.'
    from parts p where p.signs > 2000
    union all
    select t.place, 'The text has over 12,000 of the signs * _ ~ [ ] < & ` up to here. Divide it into several texts.'
    from totals t where t.signs_so_far > 12000
    union all
    select t.place, 'The tables have over 10,000 cells up to here. Divide the text, or leave rows or columns out.'
    from table_totals t where t.cells_so_far > 10000
  )
  select jsonb_build_object('line', i.place, 'message', i.message) from issues i order by i.place limit 1
$$;
comment on function private.markdown_issue(text) is
  'The first line where a text is more than readers can be shown at once, with the reason; null for texts within the bounds. Takes time in proportion to the text.';

create function private.require_bounded_markdown(markdown text, name text) returns void
language plpgsql immutable set search_path = '' as $$
declare
  issue jsonb;
begin
  -- Columns have limits of their own for what is longer.
  if octet_length(markdown) > 204800 then
    return;
  end if;
  issue := private.markdown_issue(markdown);
  if issue is not null then
    perform private.fail('FF660', format('%s %s: %s', name, issue ->> 'line', issue ->> 'message'), issue ->> 'line');
  end if;
end
$$;
comment on function private.require_bounded_markdown(text, text) is
  'FF660 for a text over the bounds of Markdown. The message begins with the given name and the number of the line, which details hold too.';

create function private.tg_draft_versions__bound_markdown() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_bounded_markdown(new.content, 'Line');
  perform private.require_bounded_markdown(m.module ->> 'content', format('Lesson %s, line', m.place))
  from jsonb_array_elements(new.modules) with ordinality m (module, place);
  return null;
end
$$;
comment on function private.tg_draft_versions__bound_markdown() is 'Refuses texts that take too long to show: FF660.';

-- Articles and lessons of the library are also written by imports and by the server.
create function private.tg_articles__bound_markdown() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_bounded_markdown(new.content, 'Line');
  return null;
end
$$;
comment on function private.tg_articles__bound_markdown() is 'Refuses texts that take too long to show: FF660.';

create function private.tg_course_modules__bound_markdown() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_bounded_markdown(new.content, 'Line');
  return null;
end
$$;
comment on function private.tg_course_modules__bound_markdown() is 'Refuses texts that take too long to show: FF660.';

-- foundations/rate-limits.sql

-- Limits for each account and action. The owner may change them; a change applies at once.
create table private.rate_limits (
  action text primary key,
  max_count integer not null constraint rate_limits_max_count_check check (max_count > 0),
  period interval not null constraint rate_limits_period_check check (period > interval '0')
);
comment on table private.rate_limits is 'How many times an account may do something within any period of that length.';
alter table private.rate_limits enable row level security;

create table private.rate_usage (
  user_id uuid not null references auth.users (id) on delete cascade,
  action text not null,
  recent timestamptz[] not null default '{}',
  primary key (user_id, action)
);
comment on table private.rate_usage is 'Recent uses of limited actions, one row for each account and action.';
comment on column private.rate_usage.recent is 'Times of the uses within the period, oldest first, at most max_count.';
alter table private.rate_usage enable row level security;

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
    where private.claim_waits(c)
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

reset check_function_bodies;
