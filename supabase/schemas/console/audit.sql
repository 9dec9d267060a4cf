-- The administrators' view of the audit log: a page at a time by any filter, and as CSV. There is no way to change it.
create type public.audit_entry as (
  id bigint, happened_at timestamptz, actor uuid, actor_name text, action text, subject uuid, subject_name text, detail jsonb
);
comment on type public.audit_entry is
  'An entry of the audit log. Names are those of today; null for the system and for accounts that are gone.';

create function private.is_uuid(value text) returns boolean
  language sql immutable set search_path = '' as $$
  select value ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;
comment on function private.is_uuid(text) is 'True for the text of a uuid.';

-- Written as text, so that each combination of filters gets its own plan. Every value is quoted.
create function private.audit_rows(actor uuid, by_system boolean, action text, about text, since date, until date, after_id bigint, max_rows integer) returns setof public.audit_entry
  language plpgsql stable set search_path = '' as $$
declare
  rules text[] := array['true'];
  wanted text := btrim(coalesce(about, ''));
  after private.audit_log;
begin
  if by_system then
    rules := rules || 'a.actor is null'::text;
  elsif actor is not null then
    rules := rules || format('a.actor = %L', actor);
  end if;
  if action is not null then
    rules := rules || format('a.action = %L', action);
  end if;
  if private.is_uuid(wanted) then
    rules := rules || format('a.subject = %L', wanted);
  elsif wanted <> '' then
    rules := rules || format('a.subject = any (%L::uuid[])', array(
      select d.user_id from private.member_search_index d
      where d.search_key like '%' || regexp_replace(private.search_key(left(wanted, 200)), '([\\%_])', '\\\1', 'g') || '%'
      limit 1000
    ));
  end if;
  if since is not null then
    rules := rules || format('a.happened_at >= %L', since::timestamp at time zone 'utc');
  end if;
  if until is not null then
    rules := rules || format('a.happened_at < %L', (until + 1)::timestamp at time zone 'utc');
  end if;
  if after_id is not null then
    select a.* into after from private.audit_log a where a.id = after_id;
    if not found then
      return;
    end if;
    rules := rules || format('(a.happened_at, a.id) < (%L, %L)', after.happened_at, after.id);
  end if;
  return query execute format(
    'select a.id, a.happened_at, a.actor, private.account_label(a.actor), a.action, a.subject,
       private.account_label(a.subject), a.detail
     from (select a.* from private.audit_log a where %s order by a.happened_at desc, a.id desc limit %s) a
     order by a.happened_at desc, a.id desc',
    array_to_string(rules, ' and '), max_rows
  );
end
$$;
comment on function private.audit_rows(uuid, boolean, text, text, date, date, bigint, integer) is
  'The newest entries that match every filter that is not null: of an actor or the system, of an action, about an account (its id, or part of its name or address), between two days (UTC), before another entry.';

create function private.audit_page(
    actor uuid, by_system boolean, action text, about text, since date, until date, after_id bigint, page_size integer
  ) returns setof public.audit_entry
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select * from private.audit_rows(
    actor, by_system, action, about, since, until, after_id, least(greatest(coalesce(page_size, 50), 1), 100)
  );
end
$$;
comment on function private.audit_page(uuid, boolean, text, text, date, date, bigint, integer) is 'One page of the audit log, newest first.';
grant execute on function private.audit_page to authenticated;

create function public.audit_page(
  actor uuid default null, by_system boolean default false, action text default null, about text default null,
  since date default null, until date default null, after_id bigint default null, page_size integer default 50
) returns setof public.audit_entry
  language sql stable set search_path = '' as $$
  select * from private.audit_page(actor, by_system, action, about,
    private.calendar_date(since), private.calendar_date(until), after_id, page_size)
$$;
comment on function public.audit_page(uuid, boolean, text, text, date, date, bigint, integer) is
  'Administrators: entries of the audit log, newest first, a page at a time.';
grant execute on function public.audit_page to authenticated;

-- Each value is looked up in the index from the one before it: a log of millions has a few dozen actions.
-- @rpc authenticated
-- Administrators: what the audit log can be filtered by.
create function private.audit_choices() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    with recursive actions (action) as (
      (select a.action from private.audit_log a order by a.action limit 1)
      union all
      select (select a.action from private.audit_log a where a.action > n.action order by a.action limit 1)
      from actions n where n.action is not null
    ), actors (actor) as (
      (select a.actor from private.audit_log a where a.actor is not null order by a.actor limit 1)
      union all
      select (select a.actor from private.audit_log a where a.actor > n.actor order by a.actor limit 1)
      from actors n where n.actor is not null
    )
    select jsonb_build_object(
      'actions', coalesce((select jsonb_agg(n.action) from actions n where n.action is not null), '[]'),
      'actors', coalesce((
        select jsonb_agg(jsonb_build_object('id', n.actor, 'name', private.account_label(n.actor)))
        from actors n where n.actor is not null
      ), '[]')
    )
  );
end
$$;
comment on function private.audit_choices() is 'The actions and actors that occur in the audit log, for its filters.';

-- A spreadsheet would run a cell that begins with one of these signs, and a member chooses their own name.
create function private.csv_cell(cell text) returns text
  language sql immutable set search_path = '' as $$
  select '"' || replace(case when cell ~ '^[=+\-@\t\r]' then '''' || cell else coalesce(cell, '') end, '"', '""') || '"'
$$;
comment on function private.csv_cell(text) is 'A quoted cell of a CSV file, which no spreadsheet takes for a formula.';

create function private.export_audit_log(
    actor uuid, by_system boolean, action text, about text, since date, until date
  ) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  max_rows constant integer := 5000;
  lines text;
  count integer;
begin
  select string_agg(concat_ws(',',
      e.id, private.csv_cell(to_char(e.happened_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')),
      private.csv_cell(e.actor::text), private.csv_cell(e.actor_name), private.csv_cell(e.action),
      private.csv_cell(e.subject::text), private.csv_cell(e.subject_name), private.csv_cell(e.detail::text)
    ), E'\r\n' order by e.happened_at desc, e.id desc), count(*)::integer
  into lines, count
  from private.audit_rows(actor, by_system, action, about, since, until, null, max_rows) e;
  perform private.audit(admin, 'audit.exported', null, jsonb_strip_nulls(jsonb_build_object(
    'rows', count, 'actor', actor, 'by_system', nullif(by_system, false), 'action', action,
    -- A part of a name would outlive the account.
    'about', case when private.is_uuid(btrim(about)) then btrim(about) when about <> '' then 'a name' end,
    'since', since, 'until', until
  )));
  return jsonb_build_object(
    'csv', concat_ws(E'\r\n', 'id,happened_at,actor,actor_name,action,subject,subject_name,detail', lines) || E'\r\n',
    'rows', count, 'is_complete', count < max_rows
  );
end
$$;
comment on function private.export_audit_log(uuid, boolean, text, text, date, date) is
  'The newest 5,000 entries that match, as CSV. The export is an entry itself.';
grant execute on function private.export_audit_log to authenticated;

create function public.export_audit_log(
  actor uuid default null, by_system boolean default false, action text default null, about text default null,
  since date default null, until date default null
) returns jsonb
  language sql set search_path = '' as $$
  select private.export_audit_log(actor, by_system, action, about,
    private.calendar_date(since), private.calendar_date(until))
$$;
comment on function public.export_audit_log(uuid, boolean, text, text, date, date) is
  'Administrators: the newest 5,000 matching entries of the audit log as CSV. Recorded.';
grant execute on function public.export_audit_log to authenticated;

-- A date of the console is one of a calendar: arithmetic on the ends of Postgres' range fails, and infinity is no day.
create function private.calendar_date(given date) returns date
  language sql immutable parallel safe set search_path = '' as $$
  select case when given is not null then least(greatest(given, date '0001-01-01'), date '9999-12-30') end
$$;
comment on function private.calendar_date(date) is 'The nearest date from year 1 to 9999; null stays null.';
grant execute on function private.calendar_date to authenticated;
