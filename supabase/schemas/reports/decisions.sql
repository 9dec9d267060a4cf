-- What administrators see of reports, and how they decide.

-- Of each report its category and its words stand in the same place of the two lists, null and empty where there are none.
-- Every kind by one function of the same name. Of what is reported several times, the first report says how it was. What was said
-- around a message of a room is read with it: administrators may read rooms, but of a conversation of two only what the report kept.
-- @rpc authenticated
-- Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.
create function private.report_queue(kind text default null) returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'kind', o.kind, 'subject_id', o.subject_id,
      'author', private.describe_member(o.author_id) || jsonb_build_object(
        'is_suspended', exists (select from auth.users u where u.id = o.author_id and u.banned_until > now())
      ),
      'snapshot', case when o.snapshot ? 'context' then o.snapshot || jsonb_build_object('context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.snapshot -> 'context') e
      )) else o.snapshot end,
      -- The words are those of the report, and not what was edited since.
      'place', n.place - 'words',
      'around', case when o.kind = 'message' then private.around_message(o.subject_id) end,
      -- What the copy holds besides, such as what came before, cannot be edited.
      'is_changed', exists (
        select from jsonb_each(n.snapshot) e where coalesce(o.snapshot -> e.key, 'null') <> e.value
      ),
      'reports', o.reports, 'categories', o.categories, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.kind, r.subject_id, r.author_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.category order by r.id) as categories, jsonb_agg(coalesce(r.reason, '') order by r.id) as reasons,
        min(r.created_at) as first_reported_at,
        (array_agg(r.snapshot order by r.id))[1] as snapshot
      from private.reports r
      where r.resolved_at is null and (report_queue.kind is null or r.kind = report_queue.kind)
      group by r.kind, r.subject_id, r.author_id
    ) o
    cross join lateral private.reported(o.kind, o.subject_id) n
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.report_queue(text) is 'What is reported and waits for a decision, oldest report first, as it was reported.';

-- One decision closes all open reports of the same thing: of two at the same time the second finds none, because the thing is locked
-- before its reports. What is removed may take its reports with it; the audit log keeps the decision without the text.
-- @rpc authenticated (report_id, decision, explanation)
-- Administrators: keep what was reported, or remove (a profile: clear) it, with an explanation for its author.
create function private.resolve_report(report bigint, decision text, explanation text default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  asked private.reports;
  known record;
  why text;
begin
  if decision is null or decision not in ('keep', 'remove', 'clear') then
    perform private.fail('FF319', 'The decision must be keep, or remove or clear.');
  end if;
  select r.* into asked from private.reports r where r.id = report;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  select k.* into strict known from private.report_kinds() k where k.kind = asked.kind;
  if decision not in ('keep', known.removal) then
    perform private.fail('FF319', format('The decision must be keep or %s.', known.removal));
  end if;
  if decision <> 'keep' then
    why := private.require_removal_explanation(explanation);
  end if;
  execute format('select private.%I($1)', 'lock_reported_' || asked.kind) using asked.subject_id;
  if asked.author_id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.reports r
  set resolved_at = clock_timestamp(), decision = resolve_report.decision, explanation = why,
    snapshot = case when known.is_forgotten then '{}' else r.snapshot end
  where r.kind = asked.kind and r.subject_id = asked.subject_id and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, asked.kind || '.' || case decision when 'keep' then 'kept' else known.removed end, asked.author_id,
    -- Without the id of what is forgotten; of a profile it stands beside it already.
    case when known.is_forgotten or asked.subject_id = asked.author_id then '{}'
      else jsonb_build_object(asked.kind || '_id', asked.subject_id) end
    || jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision <> 'keep' then
    execute format('select private.%I($1)', 'remove_reported_' || asked.kind) using asked.subject_id;
  end if;
end
$$;
comment on function private.resolve_report(bigint, text, text) is
  'Keeps or takes away what was reported, and closes all its reports; audited. FF319, FF320, FF344 or FF513.';

create function private.report_counts() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(w.kind, w.waiting), '{}') from (
    select r.kind, count(distinct r.subject_id) as waiting from private.reports r where r.resolved_at is null group by r.kind
  ) w
$$;
comment on function private.report_counts() is 'How many things of each kind wait; what is reported several times waits once.';
