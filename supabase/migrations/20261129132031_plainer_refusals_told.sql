create or replace function private.make_pact (
  pact      uuid,
  promise   text,
  proof     text,
  due       date,
  witnesses uuid[] default '{}'::uuid[]
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_member();
  headline constant text := private.trimmed_message(promise);
  details constant text := private.trimmed_message(proof);
  today constant date := (now() at time zone 'utc')::date;
begin
  perform pg_advisory_xact_lock(hashtextextended('pact:' || pact, 0));
  if exists (
    select from private.pacts p join public.learning_submissions s on s.id = p.submission_id
    where p.submission_id = pact and s.user_id = caller
  ) then
    return;
  end if;
  if headline is null or details is null or private.is_blank(headline) or private.is_blank(details)
    or char_length(headline) > 150 or char_length(details) > 10000 then
    perform private.fail('FF770', 'Say in up to 150 characters what you will do, and in up to 10,000 how you will know that it is done.');
  end if;
  if due is null or due < today or due > today + 366 then
    perform private.fail('FF771', 'A pact is due within a year.');
  end if;
  perform private.enforce_rate_limit(caller, 'submission');
  insert into public.learning_submissions (id, user_id, submission_type, title, content, created_at)
  values (coalesce(pact, gen_random_uuid()), caller, 'pact', headline, details, clock_timestamp())
  on conflict do nothing returning id into pact;
  if not found then
    perform private.fail('FF776', 'There is no such pact of yours.');
  end if;
  insert into private.pacts (submission_id, due_on) values (pact, due);
  perform private.ask_witnesses(pact, witnesses);
end
$function$;

create or replace function private.my_affiliate()
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  affiliate private.affiliates;
begin
  select a.* into affiliate from private.affiliates a where a.user_id = caller;
  if not found then
    if private.effective_level(caller) < 1 then
      perform private.fail('FF630', 'You get your link once your membership is active.');
    end if;
    loop
      insert into private.affiliates (user_id, code) values (caller, private.new_affiliate_code())
      on conflict do nothing;
      select a.* into affiliate from private.affiliates a where a.user_id = caller;
      exit when found;
    end loop;
  end if;
  return (
    select jsonb_build_object(
      'code', affiliate.code,
      'is_open', private.effective_level(caller) >= 1,
      'terms', (select to_jsonb(t) - 'id' from private.affiliate_terms t),
      'visits', (select count(*) from private.affiliate_visits v where v.affiliate_id = affiliate.affiliate_id),
      'sign_ups', (select count(*) from private.referrals r where r.affiliate_id = affiliate.affiliate_id),
      'members', (
        select count(*) from private.referrals r
        where r.affiliate_id = affiliate.affiliate_id and private.has_live_membership(r.user_id)
      ),
      'pending_pence', coalesce(b.pending_pence, 0), 'payable_pence', coalesce(b.payable_pence, 0),
      'paid_pence', coalesce(b.paid_pence, 0),
      'months', coalesce((
        select jsonb_agg(to_jsonb(m) order by m.month desc) from (
          select to_char(t.recorded_at at time zone 'utc', 'YYYY-MM') as month,
            coalesce(sum(e.amount_pence) filter (where t.kind = 'commission' and e.amount_pence > 0), 0) as earned_pence,
            coalesce(-sum(e.amount_pence) filter (where t.kind = 'commission' and e.amount_pence < 0), 0) as taken_back_pence,
            coalesce(sum(e.amount_pence) filter (where t.kind = 'payout' and e.account = 'paid'), 0) as paid_pence
          from private.ledger_transactions t
          join private.ledger_entries e on e.transaction_id = t.id and e.account <> 'house'
          where t.affiliate_id = affiliate.affiliate_id and t.kind <> 'release'
          group by 1 order by 1 desc limit 36
        ) m
      ), '[]'),
      'payouts', coalesce((
        select jsonb_agg(jsonb_build_object('id', p.id, 'amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at)
          order by p.paid_at desc, p.id desc)
        from private.affiliate_payouts p where p.affiliate_id = affiliate.affiliate_id
      ), '[]')
    )
    from (values (1)) one left join private.affiliate_balances b on b.affiliate_id = affiliate.affiliate_id
  );
end
$function$;

create or replace function private.record_guarantee_baseline (
  monthly_pence bigint,
  source        text,
  document_name text   default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
    perform private.fail('FF671', 'Your first week is over, so you can no longer write down where you started.');
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
$function$;

create or replace function private.report (
  kind    text,
  subject uuid,
  reason  text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  known constant text := private.require_report_kind(kind);
  why constant text := private.require_report_reason(reason);
  it private.reported;
  earlier private.reports;
begin
  execute format('select * from private.%I($1, $2)', 'reportable_' || known) into it using subject, caller;
  if it.author_id = caller then
    perform private.fail('FF318', 'You can delete what you wrote; there is no need to report it.');
  end if;
  select r.* into earlier from private.reports r
  where r.kind = known and r.subject_id = subject and r.user_id = caller and r.resolved_at is null for update;
  if not found then
    perform private.enforce_rate_limit(caller, 'report');
    execute format(
      'insert into private.reports (kind, subject_id, %I, author_id, user_id, reason, snapshot) values ($1, $2, $2, $3, $4, $5, $6)
       on conflict do nothing', known || '_id'
    ) using known, subject, it.author_id, caller, why, it.snapshot;
  elsif position(why in earlier.reason) = 0 then
    perform private.enforce_rate_limit(caller, 'report');
    if char_length(earlier.reason) + char_length(why) + 2 > 2000 then
      perform private.fail('FF317', 'You have told us a lot about this already. An administrator will look at it.');
    end if;
    update private.reports r set reason = earlier.reason || E'\n\n' || why where r.id = earlier.id;
  end if;
end
$function$;

create or replace function private.require_direct_message_permission (
  sender    uuid,
  recipient uuid
)
  returns void
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  case private.direct_message_permission(sender, recipient)
    when 'open' then
      return;
    when 'own' then
      perform private.fail('FF811', 'You have turned direct messages off. Turn them on again to write to members.');
    when 'blocked' then
      perform private.fail('FF812', 'You have blocked this member.');
    else
      perform private.fail('FF810', 'This member is not taking messages from you.');
  end case;
end
$function$;
