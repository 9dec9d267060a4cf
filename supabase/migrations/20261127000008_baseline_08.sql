-- Part 8 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- chat/reading.sql

-- A generic plan serves every room: planning for each room costs more than reading the page.
create function public.room_page(
  room_id text, before_created_at timestamptz default null, before_id uuid default null, page_size integer default 50
) returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
declare
  size integer := least(greatest(coalesce(page_size, 50), 1), 100);
  page public.chat_messages[];
begin
  perform private.require_room(room_id);
  if before_created_at is null then
    page := array(
      select m from public.chat_messages m where m.chat_room_id = room_id
      order by m.created_at desc, m.id limit size
    );
  else
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and m.created_at <= before_created_at
        and (m.created_at < before_created_at or m.id > before_id)
      order by m.created_at desc, m.id limit size
    );
  end if;
  return query select * from private.present_messages(page);
end
$$;
comment on function public.room_page(text, timestamptz, uuid, integer) is
  'Up to 100 messages of a room, newest first; the next page starts after created_at and id of the last one.';
grant execute on function public.room_page to authenticated;

-- changed_at is set before the transaction commits, so a change may become visible after a later one was read. The
-- first page therefore starts 15 seconds earlier, which is longer than a member's statement may run.
create function public.room_changes_since(
  room_id text, since timestamptz, after_id uuid default null, page_size integer default 100
) returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
declare
  size integer := least(greatest(coalesce(page_size, 100), 1), 100);
  page public.chat_messages[];
begin
  perform private.require_room(room_id);
  if after_id is null then
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and m.changed_at >= since - interval '15 seconds'
      order by m.changed_at, m.id limit size
    );
  else
    page := array(
      select m from public.chat_messages m
      where m.chat_room_id = room_id and (m.changed_at, m.id) > (since, after_id)
      order by m.changed_at, m.id limit size
    );
  end if;
  return query select * from private.present_messages(page);
end
$$;
comment on function public.room_changes_since(text, timestamptz, uuid, integer) is
  'Messages of a room that changed since, oldest change first; some may repeat. The next page starts after changed_at and id of the last one.';
grant execute on function public.room_changes_since to authenticated;

-- chat/rooms.sql

-- The chat rooms. docs/subsystems/chat.md explains how members join and how they are counted.
create table public.chat_rooms (
  id text primary key constraint chat_rooms_id_check check (id ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(id) <= 60),
  name text not null constraint chat_rooms_name_check check (char_length(name) between 1 and 80),
  description text not null default '' constraint chat_rooms_description_check check (char_length(description) <= 300),
  min_level_required integer not null
    constraint chat_rooms_min_level_required_check check (min_level_required between 1 and 4),
  participant_count integer not null default 0
    constraint chat_rooms_participant_count_check check (participant_count >= 0),
  is_active boolean not null default true,
  display_order integer not null default 0
    constraint chat_rooms_display_order_check check (display_order between 0 and 10000)
);
grant select, insert, update, delete on public.chat_rooms to service_role;
-- Members see every room, including those of higher levels.
grant select (id, name, description, min_level_required, participant_count, is_active, display_order) on public.chat_rooms to authenticated;
comment on table public.chat_rooms is 'Chat rooms and the level each one opens at.';
comment on column public.chat_rooms.id is 'Slug in the URL, such as accountability.';
comment on column public.chat_rooms.participant_count is 'Members in the room now: the number of its leases, kept by triggers.';
comment on column public.chat_rooms.is_active is 'A room that is not active is not listed and cannot be entered.';
comment on column public.chat_rooms.display_order is 'Place among the rooms of its level; rooms with the same place are listed by name.';
alter table public.chat_rooms enable row level security;

-- Every rule about rooms calls one of these two functions, so that reading and writing follow the same rule. This one
-- runs once for each statement and each subscriber of a change; plpgsql caches its plan.
create function private.caller_room_ids() returns text[]
  language plpgsql stable security definer set search_path = '' as $$
declare
  allowed integer := private.effective_level(auth.uid());
begin
  return array(select r.id from public.chat_rooms r where r.is_active and r.min_level_required <= allowed);
end
$$;
comment on function private.caller_room_ids() is 'Rooms the calling account may read and write in now.';
grant execute on function private.caller_room_ids to authenticated;

-- Who is refused because the membership is over is told so, and not that the room is another level's.
create function private.require_room(room text) returns uuid
  language plpgsql stable security definer set search_path = ''
as $$
declare
  caller uuid := private.require_caller();
  needed integer;
begin
  select r.min_level_required into needed from public.chat_rooms r where r.id = room and r.is_active;
  if not found then
    perform private.fail('FF310', 'There is no such room.');
  end if;
  if private.effective_level(caller) < needed then
    perform private.fail('FF311', case
      when private.has_live_membership(caller) then 'This room is not open to you.'
      else 'Your membership is not active now, so the rooms are closed to you.'
    end, needed::text);
  end if;
  return caller;
end
$$;
comment on function private.require_room(text) is 'The calling account if it may use the room now; raises FF310 or FF311 otherwise.';
grant execute on function private.require_room to authenticated;

-- The members in a room. A lease that is not renewed expires, so a crashed browser is not counted for ever.
create table private.room_leases (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  expires_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
comment on table private.room_leases is 'Members in rooms, one row each; chat_rooms.participant_count is their number.';
create index room_leases_chat_room_id_idx on private.room_leases (chat_room_id);
create index room_leases_expires_at_idx on private.room_leases (expires_at);
alter table private.room_leases enable row level security;

-- Rooms are locked in the order of their ids, so that two statements over several rooms cannot deadlock.
create function private.tg_room_leases__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_rooms r where r.id in (select c.chat_room_id from changed c)
    order by r.id for no key update;
  update public.chat_rooms r set participant_count = r.participant_count + sign * t.leases
  from (select c.chat_room_id, count(*)::integer as leases from changed c group by c.chat_room_id) t
  where r.id = t.chat_room_id;
  return null;
end
$$;

create trigger room_leases__count_joined after insert on private.room_leases
  referencing new table as changed for each statement execute function private.tg_room_leases__count();

create trigger room_leases__count_left after delete on private.room_leases
  referencing old table as changed for each statement execute function private.tg_room_leases__count();

create function private.tg_room_leases__record_progress_event() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'room_opened', new.chat_room_id);
  return null;
end
$$;

create trigger room_leases__record_progress_event after insert on private.room_leases
  for each row execute function private.tg_room_leases__record_progress_event();

create function private.join_room(room text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  insert into private.room_leases (user_id, chat_room_id, expires_at)
  values (caller, room, clock_timestamp() + interval '90 seconds')
  on conflict (user_id, chat_room_id) do update set expires_at = excluded.expires_at;
end
$$;
comment on function private.join_room(text) is 'Counts the caller in the room for the next 90 seconds.';
grant execute on function private.join_room to authenticated;

-- Leaving needs no level, so that members whose level or membership ended meanwhile can leave.
create function private.leave_room(room text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.room_leases l where l.user_id = private.require_caller() and l.chat_room_id = room;
end
$$;
comment on function private.leave_room(text) is 'Ends the caller''s own lease; nothing happens when there is none.';
grant execute on function private.leave_room to authenticated;

create function public.increment_participant_count(room_id text) returns void
  language sql volatile set search_path = '' as $$ select private.join_room(room_id) $$;
comment on function public.increment_participant_count(text) is 'The caller is in the room for the next 90 seconds; call again every 30 to stay.';
grant execute on function public.increment_participant_count to authenticated;

create function public.decrement_participant_count(room_id text) returns void
  language sql volatile set search_path = '' as $$ select private.leave_room(room_id) $$;
comment on function public.decrement_participant_count(text) is 'The caller leaves the room. Further calls do nothing.';
grant execute on function public.decrement_participant_count to authenticated;

-- Skips rows that another process has locked.
-- @rpc service_role
-- Server: delete expired room leases; returns their number.
create function private.expire_room_leases() returns integer
  language sql volatile security definer set search_path = '' as $$
  with due as materialized (
    select l.user_id, l.chat_room_id from private.room_leases l where l.expires_at < clock_timestamp()
    order by l.user_id, l.chat_room_id limit 10000 for update skip locked
  ), gone as (
    delete from private.room_leases l using due d
    where l.user_id = d.user_id and l.chat_room_id = d.chat_room_id returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.expire_room_leases() is 'Deletes the expired leases and returns their number.';

create policy select_signed_in on public.chat_rooms for select to authenticated
  using (is_active and (select private.session_is_live()));
comment on policy select_signed_in on public.chat_rooms is 'Names, purposes and levels of rooms, for every signed-in account.';

-- console/audit.sql

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

-- console/figures.sql

-- The figures on a member's dashboard. Earnings that the product does not offer yet are 0.
-- @rpc authenticated
-- The caller's own dashboard figures, one row; money in pence.
create function private.dashboard_figures()
  returns table (
    level integer, effective_level integer, onboarding_complete boolean, member_since timestamptz,
    likes_received integer, lessons_completed integer, affiliate_links integer, profits_pence integer
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return query
    select
      coalesce((select l.current_level from public.user_levels l where l.user_id = caller), 0),
      private.effective_level(caller),
      coalesce((select p.onboarding_complete from public.profiles p where p.id = caller), false),
      (select u.created_at from auth.users u where u.id = caller),
      private.likes_received(caller),
      (select count(*)::integer from public.module_completions c where c.user_id = caller),
      (select count(*)::integer from private.affiliates a join private.referrals r on r.affiliate_id = a.affiliate_id where a.user_id = caller),
      coalesce((
        select (b.pending_pence + b.payable_pence + b.paid_pence)::integer
        from private.affiliates a join private.affiliate_balances b on b.affiliate_id = a.affiliate_id where a.user_id = caller
      ), 0);
end
$$;
comment on function private.dashboard_figures() is 'One row of figures about the calling account.';

-- What these tables keep about the caller, read with the caller's own rights so that it can never show more than that.
create function private.export_account_data() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return jsonb_build_object(
    'exported_at', now(),
    'account', jsonb_build_object('id', caller, 'email', auth.jwt() ->> 'email'),
    'profile', (select to_jsonb(p) from public.profiles p where p.id = caller),
    'customers', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.created_at) from public.stripe_customers c where c.user_id = caller
    ), '[]'),
    'subscriptions', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.created_at) from public.stripe_subscriptions s
      join public.stripe_customers c on c.customer_id = s.customer_id where c.user_id = caller
    ), '[]'),
    'onboarding_progress', (select to_jsonb(o) from public.onboarding_progress o where o.user_id = caller),
    'onboarding_responses', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.page_number, r.question)
      from public.onboarding_responses r where r.user_id = caller
    ), '[]'),
    'verifications', coalesce((
      select jsonb_agg(to_jsonb(v) order by v.submitted_at) from public.user_verifications v where v.user_id = caller
    ), '[]'),
    'level', (select to_jsonb(l) from public.user_levels l where l.user_id = caller),
    'progress', (select to_jsonb(g) from public.user_progress g where g.user_id = caller)
  );
end
$$;
comment on function private.export_account_data() is 'Account, membership, onboarding, verification and level of the caller.';
grant execute on function private.export_account_data to authenticated;

-- console/levels.sql

-- A member completes a level at their next progress event, as the level engine does not run by itself.
-- @rpc authenticated
-- Administrators with a second factor: what a new figure of a level's requirement would mean.
create function private.preview_level_requirement(level integer, kind text, needed integer) returns table (
  current_needed integer, available integer, members integer, ready_before integer, ready_after integer
)
  language plpgsql security definer set search_path = '' as $$
declare
  stored public.level_requirements;
begin
  perform private.require_verified_admin();
  stored := private.require_requirement(level, kind, needed);
  return query
    with members as (
      -- The next progress event brings the counter of rooms up to the ledger and the new figure.
      select private.progress_count_uncapped(p, stored.kind, stored.category) as done,
        (select bool_and(private.progress_count_uncapped(p, r.kind, r.category) >= r.needed) from public.level_requirements r
          where r.level = stored.level and r.kind <> stored.kind) is not false as has_rest
      from public.user_progress p join public.profiles f on f.id = p.user_id
      where p.current_level = stored.level and f.onboarding_complete and f.role <> 'admin'
        and not exists (select from public.level_completions d where d.user_id = p.user_id and d.level = stored.level)
    )
    select stored.needed,
      (select s.available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind),
      count(*)::integer,
      (count(*) filter (where m.has_rest and m.done >= stored.needed))::integer,
      (count(*) filter (where m.has_rest and m.done >= preview_level_requirement.needed))::integer
    from members m;
end
$$;
comment on function private.preview_level_requirement(integer, text, integer) is
  'What a new figure means: members at the level, and how many of them would complete it with their next progress event.';

-- @rpc authenticated
-- Administrators with a second factor: change what a level asks for.
create function private.set_level_requirement(level integer, kind text, needed integer) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  stored public.level_requirements := private.require_requirement(level, kind, needed);
  available integer;
begin
  select s.available into available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind;
  if set_level_requirement.needed > available then
    perform private.fail('FF445', 'A level cannot ask for more than there is.', available::text);
  end if;
  update public.level_requirements r set needed = set_level_requirement.needed
  where r.level = stored.level and r.kind = stored.kind;
  perform private.audit_change(
    admin, 'level_requirement.edited', jsonb_build_object('level', stored.level, 'kind', stored.kind),
    jsonb_build_object('needed', stored.needed), jsonb_build_object('needed', needed)
  );
end
$$;
comment on function private.set_level_requirement(integer, text, integer) is
  'Changes what a level asks for, from each member''s next progress event; FF445 above what there is. No level is lowered. Audited.';

-- @rpc authenticated
-- Administrators: the plans on sale and the state of the link to the card provider.
create function private.plan_overview()
  returns table (
    id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text,
    is_active boolean, members integer, former_price_members integer, last_event_at timestamptz, last_check_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select p.id, p.name, p.role, p.amount_pence, p.currency, p."interval", p.price_id, p.is_active,
      coalesce(sold.all_prices, 0), coalesce(sold.former_prices, 0),
      (select max(e.applied_at) from private.billing_events e), (select max(k.checked_at) from private.billing_checks k)
    from public.plans p
    left join lateral (
      select count(*)::integer as all_prices, (count(*) filter (where s.price_id <> p.price_id))::integer as former_prices
      from public.stripe_subscriptions s join private.plan_prices o on o.price_id = s.price_id
      where o.plan_id = p.id and s.deleted_at is null and s.status in ('active', 'trialing')
    ) sold on true
    order by p.amount_pence, p.id;
end
$$;
comment on function private.plan_overview() is
  'The plans with their members, and when the card provider was last heard from and compared with; null for never.';

-- console/library-items.sql

-- Articles and courses of the console: find them, publish, withdraw, feature. A completion is never taken away.
-- @rpc authenticated
-- Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).
create function private.admin_library_items(shelf text, search text default ''::text, category text default NULL::text, subcategory uuid default NULL::uuid, status text default NULL::text, page_size integer default 50, skip integer default 0)
  returns table(id uuid, title text, slug text, main_category text, subcategory_id uuid, subcategory_name text, subcategory_is_active boolean, author_name text, is_published boolean, is_featured boolean, readers integer, created_at timestamp with time zone) language plpgsql stable security definer set search_path = '' as $$
declare
  wanted constant text := private.search_key(left(coalesce(search, ''), 200));
begin
  perform private.require_admin();
  perform private.require_shelf(shelf);
  return query
    with items as (
      select a.id, a.title, a.slug, a.subcategory_id, a.author_id, a.is_published, a.is_featured, a.created_at,
        (select count(*)::integer from public.article_reads r where r.article_id = a.id) as readers
      from public.articles a where shelf = 'articles'
      union all
      select c.id, c.title, c.slug, c.subcategory_id, c.mentor_id, c.is_published, c.is_featured, c.created_at,
        (select count(*)::integer from public.course_enrollments e where e.course_id = c.id and e.completed_at is not null)
      from public.courses c where shelf = 'courses'
    )
    select i.id, i.title, i.slug, s.main_category, s.id, s.name, s.is_active,
      nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), ''), i.is_published, i.is_featured, i.readers, i.created_at
    from items i
    join public.subcategories s on s.id = i.subcategory_id
    left join public.profiles p on p.id = i.author_id
    where (wanted = '' or position(wanted in private.search_key(i.title)) > 0 or position(wanted in i.slug) > 0)
      and (category is null or s.main_category = category)
      and (subcategory is null or s.id = subcategory)
      and case status
        when 'published' then i.is_published
        when 'withdrawn' then not i.is_published
        when 'featured' then i.is_featured
        else true
      end
    order by private.category_level(s.main_category), s.display_order, s.name, i.created_at desc, i.title, i.id
    limit least(greatest(coalesce(page_size, 50), 1), 200) offset greatest(coalesce(skip, 0), 0);
end
$$;
comment on function private.admin_library_items(text,text,text,uuid,text,integer,integer) is 'Articles or courses, withdrawn ones too, in the order of the library; at most 200. readers: members who read or completed it.';

-- Drafts are locked before the rows of the library, as publishing locks them.
-- @rpc authenticated (shelf, item_id, is_published, is_featured)
-- Administrators: publish, withdraw or feature an article or a course.
create function private.edit_content_item(
  shelf text, item uuid, is_published boolean default null, is_featured boolean default null
)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  was jsonb;
  becomes jsonb;
begin
  perform private.require_shelf(shelf);
  perform from public.drafts d where d.article_id = item or d.course_id = item for no key update;
  if shelf = 'articles' then
    select jsonb_build_object('is_published', a.is_published, 'is_featured', a.is_featured) into was
    from public.articles a where a.id = item for no key update;
  else
    select jsonb_build_object('is_published', c.is_published, 'is_featured', c.is_featured) into was
    from public.courses c where c.id = item for no key update;
  end if;
  if was is null then
    perform private.fail('FF430', 'There is no such article or course.');
  end if;
  becomes := was || jsonb_strip_nulls(jsonb_build_object('is_published', is_published, 'is_featured', is_featured));
  if not private.audit_change(
    admin, case shelf when 'articles' then 'article.edited' else 'course.edited' end,
    jsonb_build_object(case shelf when 'articles' then 'article' else 'course' end, item), was, becomes
  ) then
    return;
  end if;
  if shelf = 'articles' then
    update public.articles a
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where a.id = item;
  else
    update public.courses c
    set is_published = (becomes ->> 'is_published')::boolean, is_featured = (becomes ->> 'is_featured')::boolean
    where c.id = item;
  end if;
  perform private.keep_console_edits(item, array(
    select o.key from jsonb_each(was) o where o.value is distinct from becomes -> o.key
  ));
  if (was ->> 'is_published')::boolean and not (becomes ->> 'is_published')::boolean then
    perform private.review_withdrawn(item);
  end if;
end
$function$;
comment on function private.edit_content_item(text,uuid,boolean,boolean) is 'Publishes, withdraws or features an article or a course; null keeps a mark. A withdrawal has what is scheduled over it reviewed again. Reads and completions stay. FF005 without a second factor. Audited.';

-- What a level asks for and what there is: a level that asks for more can be completed by no new member.
create function private.level_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language sql stable security definer set search_path = '' as $$
  select r.level, r.kind, r.category, r.needed, case r.kind
    when 'rooms' then (
      select count(*)::integer from public.chat_rooms c where c.is_active and c.min_level_required <= r.level
    )
    when 'articles' then (
      select count(*)::integer from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and s.is_active and s.main_category = r.category
    )
    when 'courses' then (
      select count(*)::integer from public.courses c join public.subcategories s on s.id = c.subcategory_id
      where c.is_published and s.is_active and s.main_category = r.category and c.module_count > 0
    )
  end
  from public.level_requirements r order by r.level, r.kind
$$;
comment on function private.level_supply() is
  'Every requirement with the number of rooms, articles or courses there are for it; null where members make them.';

-- @rpc authenticated
-- Administrators: what each level asks for, and how much of it there is.
create function private.admin_level_supply()
  returns table (level integer, kind text, category text, needed integer, available integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query select * from private.level_supply();
end
$$;
comment on function private.admin_level_supply() is 'level_supply for administrators.';

-- console/library.sql

-- The library of the console: subcategories, and what of the articles and courses members see.

-- An import of files sets everything it has a file for, except what was decided here.
create table private.console_edits (
  row_id uuid not null,
  column_name text not null,
  primary key (row_id, column_name)
);
comment on table private.console_edits is 'Columns of the library an administrator set in the console. An import keeps them.';
comment on column private.console_edits.row_id is 'Id of a subcategory, an article or a course.';
alter table private.console_edits enable row level security;

create function private.keep_console_edits(id uuid, columns text[]) returns void
  language sql volatile set search_path = '' as $$
  insert into private.console_edits (row_id, column_name) select keep_console_edits.id, c from unnest(columns) c
  on conflict do nothing
$$;
comment on function private.keep_console_edits(uuid, text[]) is 'Remembers that imports have to keep these columns of a row.';

-- @rpc authenticated
-- Administrators: all subcategories of the library.
create function private.admin_subcategories()
  returns table (
    id uuid, main_category text, slug text, name text, description text, color text, icon text, display_order integer,
    is_active boolean, article_count integer, course_count integer
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select s.id, s.main_category, s.slug, s.name, s.description, s.color, s.icon, s.display_order, s.is_active,
      (select count(*)::integer from public.articles a where a.subcategory_id = s.id and a.is_published),
      (select count(*)::integer from public.courses c where c.subcategory_id = s.id and c.is_published)
    from public.subcategories s
    order by private.category_level(s.main_category), s.display_order, s.name, s.id;
end
$$;
comment on function private.admin_subcategories() is 'All subcategories with the number of their published articles and courses.';

-- @rpc authenticated
-- Administrators: create a subcategory; its id.
create function private.create_subcategory(
  main_category text, slug text, name text, description text default '', color text default '#64748b',
  icon text default 'book-open', display_order integer default 0
) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  created public.subcategories;
begin
  insert into public.subcategories (main_category, slug, name, description, color, icon, display_order)
  values (create_subcategory.main_category, create_subcategory.slug, btrim(create_subcategory.name),
    btrim(create_subcategory.description), create_subcategory.color, create_subcategory.icon,
    create_subcategory.display_order)
  returning * into created;
  perform private.keep_console_edits(created.id, '{name,description,color,icon,display_order,is_active}');
  perform private.audit(
    admin, 'subcategory.created', null,
    jsonb_build_object('subcategory', created.id, 'before', null, 'after', to_jsonb(created) - 'id')
  );
  return created.id;
end
$$;
comment on function private.create_subcategory(text, text, text, text, text, text, integer) is 'Creates a subcategory; its id. Audited.';

-- @rpc authenticated (subcategory_id, name, description, color, icon, display_order, is_active)
-- Administrators: change the given fields of a subcategory. One that is not active hides its articles and courses.
create function private.edit_subcategory(
  id uuid, name text default null, description text default null, color text default null,
  icon text default null, display_order integer default null, is_active boolean default null
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_admin();
  old_row public.subcategories;
  new_row public.subcategories;
begin
  select s.* into old_row from public.subcategories s where s.id = edit_subcategory.id for no key update;
  if not found then
    perform private.fail('FF430', 'There is no such subcategory.');
  end if;
  update public.subcategories s set
    name = coalesce(btrim(edit_subcategory.name), s.name),
    description = coalesce(btrim(edit_subcategory.description), s.description),
    color = coalesce(edit_subcategory.color, s.color),
    icon = coalesce(edit_subcategory.icon, s.icon),
    display_order = coalesce(edit_subcategory.display_order, s.display_order),
    is_active = coalesce(edit_subcategory.is_active, s.is_active)
  where s.id = old_row.id returning s.* into new_row;
  if private.audit_change(
    admin, 'subcategory.edited', jsonb_build_object('subcategory', old_row.id), to_jsonb(old_row), to_jsonb(new_row)
  ) then
    perform private.keep_console_edits(old_row.id, array(
      select o.key from jsonb_each(to_jsonb(old_row)) o where o.value is distinct from to_jsonb(new_row) -> o.key
    ));
  end if;
end
$$;
comment on function private.edit_subcategory(uuid, text, text, text, text, integer, boolean) is
  'Changes the given fields of a subcategory; null keeps a field. Audited.';

-- console/member-detail.sql

-- Everything administrators see of one member, read with one call. Each function below gives one part of it.

-- Notes are for administrators. The member gets them with the data export, without their authors.
create table private.member_notes (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  author uuid not null,
  note text not null constraint member_notes_note_check check (char_length(note) between 1 and 2000),
  created_at timestamptz not null default now()
);
comment on table private.member_notes is 'Notes of administrators about members. Rows are only added; they go with their account.';
comment on column private.member_notes.author is 'Administrator who wrote it. Has no foreign key, so that the note survives that account.';
create index member_notes_user_id_idx on private.member_notes (user_id, id desc);
alter table private.member_notes enable row level security;

create function private.tg_member_notes__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'notes about members are only ever added';
end
$$;

create trigger member_notes__append_only before update or delete on private.member_notes
  for each row execute function private.tg_member_notes__append_only();

create function private.require_account(member uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = member and u.deleted_at is null) then
    perform private.fail('FF510', 'There is no such account.');
  end if;
end
$$;
comment on function private.require_account(uuid) is 'Raises FF510 unless the account exists.';

-- @rpc authenticated
-- Administrators: add a note about a member. Notes cannot be changed.
create function private.add_member_note(member uuid, note text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  written text := private.trimmed_message(note);
  added bigint;
begin
  if written is null or private.is_blank(written) or char_length(written) > 2000 then
    perform private.fail('FF518', 'A note has between 1 and 2000 characters.');
  end if;
  perform private.require_account(member);
  insert into private.member_notes (user_id, author, note) values (member, admin, written) returning id into added;
  -- Without the text: the entry outlives the account.
  perform private.audit(admin, 'account.note_added', member, jsonb_build_object('note_id', added));
end
$$;
comment on function private.add_member_note(uuid, text) is 'Adds a note about an account; raises FF510 or FF518. Audited.';

create function private.export_part_notes(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('notes', coalesce((
    select jsonb_agg(to_jsonb(n) - 'author' order by n.id) from private.member_notes n where n.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_notes(uuid) is 'Notes about one account, without who wrote them.';

create function private.account_label(account uuid) returns text
  language sql stable security definer set search_path = '' as $$
  select coalesce(nullif(d.name, ''), d.email) from private.member_search_index d where d.user_id = account
$$;
comment on function private.account_label(uuid) is 'Name of an account, or its address without one; null when it is gone.';

reset check_function_bodies;
