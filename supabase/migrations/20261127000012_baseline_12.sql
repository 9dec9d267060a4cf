-- Part 12 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- legal/texts.sql
comment on column public.business_details.address is 'Lines of an address.';

create table private.terms_acceptances (
  user_id uuid not null references auth.users on delete cascade,
  version integer not null,
  accepted_at timestamptz not null default now(),
  primary key (user_id, version)
);
alter table private.terms_acceptances enable row level security;
comment on table private.terms_acceptances is 'Which version of the terms each account accepted, and when first: before a membership is paid for.';

-- @rpc service_role
-- Server: an account accepts the terms before it pays.
create function private.billing_accept_terms(member uuid, version integer) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if version is distinct from (select max(t.version) from public.legal_texts t where t.kind = 'terms') then
    return false;
  end if;
  insert into private.terms_acceptances (user_id, version) values (member, billing_accept_terms.version) on conflict do nothing;
  return true;
end
$$;
comment on function private.billing_accept_terms(uuid, integer) is 'Records that the account accepted the terms in force; false when that version is not in force.';

create function private.export_part_terms(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('terms_accepted', coalesce((
    select jsonb_agg(to_jsonb(t) order by t.version) from private.terms_acceptances t where t.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_terms(uuid) is 'Terms that one account accepted.';

-- @rpc authenticated
-- Administrators: put a new version of the terms, the privacy notice or the refund terms into force.
create function private.publish_legal_text(kind text, body text, summary text) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  said text := btrim(coalesce(body, ''));
  why text := btrim(coalesce(summary, ''));
  current public.legal_texts;
begin
  -- One at a time: each takes the next number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('legal_texts'));
  select t.* into current from public.legal_texts t where t.kind = publish_legal_text.kind order by t.version desc limit 1;
  if not found then
    perform private.fail('FF270', 'There is no such text.');
  end if;
  if private.is_blank(said) or char_length(said) > 50000 then
    perform private.fail('FF271', 'The text needs between 1 and 50,000 characters.');
  end if;
  if private.is_blank(why) or char_length(why) > 300 then
    perform private.fail('FF272', 'Say in at most 300 characters what changed. Members read it.');
  end if;
  perform private.require_bounded_markdown(said, 'Line');
  insert into public.legal_texts (kind, version, body, summary) values (current.kind, current.version + 1, said, why);
  perform private.audit_change(
    admin, 'legal_text.published', jsonb_build_object('kind', current.kind, 'summary', why),
    jsonb_build_object('version', current.version), jsonb_build_object('version', current.version + 1)
  );
  delete from public.notifications n where n.kind = 'legal_changed' and n.detail = current.kind;
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'legal_changed', current.kind from public.profiles r where r.id <> admin
  for key share of r skip locked on conflict do nothing;
  return current.version + 1;
end
$$;
comment on function private.publish_legal_text(text, text, text) is
  'Puts a new version of a legal text into force and tells every account; its number. Raises FF270, FF271, FF272 or FF660. Audited.';

create function private.notification_part_legal(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, jsonb_build_object('what', n.detail) from private.newest_notifications(member, array['legal_changed']) n
$$;
comment on function private.notification_part_legal(uuid) is 'A new version of a legal text; always.';

-- @rpc authenticated
-- Administrators: say who sells here.
create function private.set_business_details(legal_name text, address text, company_number text, vat_number text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - 'id' from public.business_details b);
  given constant text[] := array[
    nullif(btrim(legal_name), ''), nullif(btrim(address), ''), nullif(btrim(company_number), ''), nullif(btrim(vat_number), '')
  ];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 or char_length(given[4]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  update public.business_details b
  set legal_name = given[1], address = given[2], company_number = given[3], vat_number = given[4] where b.id;
  perform private.require_vat_seller();
  perform private.audit_change(
    admin, 'business_details.edited', '{}', before, (select to_jsonb(b) - 'id' from public.business_details b)
  );
end
$$;
comment on function private.set_business_details(text, text, text, text) is 'Changes who sells here; FF273 when something is too long, FF275 when VAT invoices lack something. Audited.';

-- levels/level-engine.sql

-- The level engine turns progress events into counters, and counters into levels. Nothing else writes either.

-- The level is stored in two tables because clients read both. user_levels is authoritative.
create function private.tg_user_progress__start() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.current_level := coalesce(
    (select l.current_level from public.user_levels l where l.user_id = new.user_id), new.current_level
  );
  return new;
end
$$;

create function private.tg_user_levels__mirror() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.user_progress p set current_level = new.current_level
  where p.user_id = new.user_id and p.current_level <> new.current_level;
  return null;
end
$$;

-- Raises the level repeatedly: a member who already meets the next level's requirements passes both at once.
create function private.raise_level(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  progress public.user_progress;
  started integer;
  reached integer;
  completed boolean := false;
begin
  select p.* into progress from public.user_progress p where p.user_id = member for update;
  select l.current_level into started from public.user_levels l where l.user_id = member for update;
  started := coalesce(started, 1);
  reached := started;
  while private.meets_level(progress, reached) loop
    insert into public.level_completions (user_id, level) values (member, reached) on conflict do nothing;
    completed := completed or found;
    exit when reached = 4;
    reached := reached + 1;
  end loop;
  if completed then
    update public.user_progress set level_completed_at = now() where user_id = member;
  end if;
  if reached > started then
    insert into public.user_levels as l (user_id, current_level, unlocked_levels)
    values (member, reached, array(select generate_series(0, reached)))
    on conflict (user_id) do update set
      current_level = excluded.current_level, unlocked_levels = excluded.unlocked_levels;
  end if;
end
$$;
comment on function private.raise_level(uuid) is 'Raises a member past every level whose requirements are met; records each completion once.';

-- Called by triggers on the tables members write to. Events of one member are serialised: the row of counters is locked
-- first, so that of two concurrent events the second one sees the first.
create function private.record_progress_event(
  member uuid, kind text, reference text, category text default null
) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.user_progress p where p.user_id = member for update;
  if not found then
    insert into public.user_progress (user_id) values (member) on conflict do nothing;
    perform from public.user_progress p where p.user_id = member for update;
  end if;
  insert into private.progress_ledger (user_id, kind, reference, category)
  values (member, record_progress_event.kind, record_progress_event.reference, record_progress_event.category)
  on conflict on constraint progress_ledger_once do nothing;
  if not found then
    return false;
  end if;
  case record_progress_event.kind
    when 'room_opened' then
      null; -- Counted below, with the rooms of the ledger.
    when 'submission' then
      update public.user_progress p set learning_submissions = p.learning_submissions + 1 where p.user_id = member;
    when 'article_read' then
      update public.user_progress p
      set articles_read_by_category = private.append_to_list(p.articles_read_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    when 'course_completed' then
      update public.user_progress p
      set courses_completed_by_category =
        private.append_to_list(p.courses_completed_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    else
      update public.user_progress p set message_engagements = p.message_engagements + 1 where p.user_id = member;
  end case;
  perform private.count_opened_rooms(member);
  perform private.raise_level(member);
  return true;
end
$$;
comment on function private.record_progress_event(uuid, text, text, text) is
  'Records a progress event and updates counters and level; false when it was recorded before. For triggers only.';

create function private.append_to_list(lists jsonb, key text, entry text) returns jsonb
  language sql immutable set search_path = '' as $$
  select jsonb_set(lists, array[key], coalesce(lists -> key, '[]') || to_jsonb(entry))
$$;
comment on function private.append_to_list(jsonb, text, text) is 'The map of lists with an entry appended to one list.';

-- levels/levels.sql

-- The level each member has reached. The app inserts the first row; only the level engine raises it.
create table public.user_levels (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_level integer not null default 1
    constraint user_levels_current_level_check check (current_level between 1 and 4),
  unlocked_levels integer[] not null default '{0,1}' constraint user_levels_unlocked_levels_check
    check (unlocked_levels <@ array[0, 1, 2, 3, 4] and cardinality(unlocked_levels) <= 5),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.user_levels to service_role;
grant select (user_id, current_level, unlocked_levels, updated_at),
  insert (user_id, current_level, unlocked_levels, updated_at),
  update (user_id, current_level, unlocked_levels, updated_at)
  on public.user_levels to authenticated;
comment on table public.user_levels is 'Level reached, one row for each member. effective_level also requires a live membership and decides access. @deletes_reach user_id';
comment on column public.user_levels.unlocked_levels is 'Every level up to the current one; 0 is content without a level.';
alter table public.user_levels enable row level security;

create policy select_own on public.user_levels for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

create policy insert_own on public.user_levels for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.user_levels for update to authenticated
  using (user_id = (select auth.uid()));

-- Also runs for the row an upsert proposes: repeating the last onboarding step must not lower a level.
create function private.tg_user_levels__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  existing public.user_levels;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  select l.* into existing from public.user_levels l where l.user_id = new.user_id;
  if found then
    return existing;
  end if;
  new.current_level := 1;
  new.unlocked_levels := '{0,1}';
  new.updated_at := now();
  return new;
end
$$;

create trigger user_levels__guard_insert before insert on public.user_levels
  for each row execute function private.tg_user_levels__guard_insert();

-- An update by a client keeps the stored row.
create function private.tg_user_levels__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  new.updated_at := now();
  return new;
end
$$;

create trigger user_levels__guard_update before update on public.user_levels
  for each row execute function private.tg_user_levels__guard_update();

-- The counters behind a level, kept by the server. Clients may send their own sums, which are ignored.
create table public.user_progress (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_level integer not null default 1
    constraint user_progress_current_level_check check (current_level between 1 and 4),
  chat_rooms_opened text[] not null default '{}',
  learning_submissions integer not null default 0
    constraint user_progress_learning_submissions_check check (learning_submissions >= 0),
  message_engagements integer not null default 0
    constraint user_progress_message_engagements_check check (message_engagements >= 0),
  articles_read_by_category jsonb not null default '{"general": [], "business": [], "wealth": []}',
  courses_completed_by_category jsonb not null default '{"general": [], "business": [], "wealth": []}',
  level_completed_at timestamptz,
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.user_progress to service_role;
grant select (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category,
    courses_completed_by_category, level_completed_at, updated_at),
  insert (user_id),
  update (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category,
    courses_completed_by_category, level_completed_at, updated_at)
  on public.user_progress to authenticated;
comment on table public.user_progress is 'Progress towards the next level, one row for each member, kept by the server. @deletes_reach user_id';
comment on column public.user_progress.chat_rooms_opened is 'Ids of rooms opened, at most room_count_limit (five by default).';
comment on column public.user_progress.articles_read_by_category is 'Ids of articles read, by main category.';
comment on column public.user_progress.courses_completed_by_category is 'Ids of courses completed, by main category.';
comment on column public.user_progress.level_completed_at is 'When the member last completed a level; null before the first.';
alter table public.user_progress enable row level security;

create policy select_own on public.user_progress for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

create policy insert_own on public.user_progress for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.user_progress for update to authenticated
  using (user_id = (select auth.uid()));

create function private.tg_user_progress__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  -- clock_timestamp, because clients treat the row with the later updated_at as the newer one.
  new.updated_at := clock_timestamp();
  return new;
end
$$;

create trigger user_progress__guard_update before update on public.user_progress
  for each row execute function private.tg_user_progress__guard_update();

-- Members receive changes of their own progress through realtime.
alter publication supabase_realtime add table public.user_progress;

-- plpgsql caches the plan. Policies call this for every subscriber of every change.
create function private.effective_level(member uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select l.level from private.effective_levels l where l.user_id = member), 0);
end
$$;
comment on function private.effective_level(uuid) is 'Level an account may use now; 0 when there is no such account.';

create function private.caller_effective_level() returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return private.effective_level(private.require_caller());
end
$$;
comment on function private.caller_effective_level() is 'Level the calling account may use now.';
grant execute on function private.caller_effective_level to authenticated;

create function public.effective_level() returns integer
  language sql stable set search_path = '' as $$
  select private.caller_effective_level()
$$;
comment on function public.effective_level() is 'Level the caller may use now: 0 without onboarding or live membership, 4 for administrators.';
grant execute on function public.effective_level to authenticated;

-- levels/progress-ledger.sql

-- The requirements of each level. The owner may change them; a change applies from a member's next progress event.
create table public.level_requirements (
  level integer not null constraint level_requirements_level_check check (level between 1 and 4),
  kind text not null constraint level_requirements_kind_check
    check (kind in ('rooms', 'submissions', 'engagements', 'articles', 'courses')),
  category text constraint level_requirements_category_check check (category in ('general', 'business', 'wealth')),
  needed integer not null constraint level_requirements_needed_check check (needed > 0),
  primary key (level, kind),
  constraint level_requirements_shelf_check check ((kind in ('articles', 'courses')) = (category is not null))
);
grant select, insert, update, delete on public.level_requirements to service_role;
grant select (level, kind, category, needed) on public.level_requirements to authenticated;
comment on table public.level_requirements is 'What a member has to do to complete a level.';
comment on column public.level_requirements.category is 'Main category that counts, for articles and courses only.';
alter table public.level_requirements enable row level security;

create policy select_all on public.level_requirements for select to authenticated using (true);

-- Every progress event that counts, once. Counters and levels can be rebuilt from it.
create table private.progress_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null constraint progress_ledger_kind_check
    check (kind in ('room_opened', 'submission', 'message', 'like', 'article_read', 'course_completed')),
  category text constraint progress_ledger_category_check check (category in ('general', 'business', 'wealth')),
  reference text not null constraint progress_ledger_reference_check check (char_length(reference) between 1 and 100),
  happened_at timestamptz not null default now(),
  constraint progress_ledger_once unique (user_id, kind, reference),
  constraint progress_ledger_shelf_check
    check ((kind in ('article_read', 'course_completed')) = (category is not null))
);
comment on table private.progress_ledger is 'Progress events of members, oldest first. Rows are only added; they go with their account.';
comment on column private.progress_ledger.reference is 'Id of the room, submission, message, article or course.';
create index progress_ledger_user_id_idx on private.progress_ledger (user_id, id desc);
alter table private.progress_ledger enable row level security;

-- Rows are never rewritten: deleting the message behind an event does not undo the event.
create function private.tg_progress_ledger__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'the progress ledger only grows';
end
$$;

create trigger progress_ledger__append_only before update or delete on private.progress_ledger
  for each row execute function private.tg_progress_ledger__append_only();

-- Each level is completed once.
create table public.level_completions (
  user_id uuid not null references auth.users (id) on delete cascade,
  level integer not null constraint level_completions_level_check check (level between 1 and 4),
  completed_at timestamptz not null default now(),
  primary key (user_id, level)
);
grant select, insert, update, delete on public.level_completions to service_role;
grant select (user_id, level, completed_at) on public.level_completions to authenticated;
comment on table public.level_completions is 'When each level was completed. A row for level 4 means that all levels are complete.';
alter table public.level_completions enable row level security;

create policy select_own on public.level_completions for select to authenticated
  using (user_id = (select auth.uid()));

-- The number of members for each number of engagements. A rank is a sum over these rows instead of all members.
create table private.engagement_histogram (
  bucket integer primary key,
  members integer not null constraint engagement_histogram_members_check check (members >= 0)
);
comment on table private.engagement_histogram is 'Members by engagements; kept by triggers on user_progress.';
comment on column private.engagement_histogram.bucket is 'Result of engagement_bucket for the number of engagements.';
alter table private.engagement_histogram enable row level security;

create function private.engagement_bucket(engagements integer) returns integer
  language sql immutable set search_path = '' as $$
  select case
    when engagements <= 512 then engagements
    else 512 + floor(64 * ln(engagements / 512.0::double precision) / ln(2::double precision))::integer
  end
$$;
comment on function private.engagement_bucket(integer) is
  'Bucket of a number of engagements: one for each number up to 512, then 64 for each doubling, which limits their number.';

create function private.tg_user_progress__count_engagements() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  left_bucket integer := case when tg_op <> 'INSERT' then private.engagement_bucket(old.message_engagements) end;
  new_bucket integer := case when tg_op <> 'DELETE' then private.engagement_bucket(new.message_engagements) end;
begin
  if left_bucket is not distinct from new_bucket then
    return null;
  end if;
  -- Engagements only grow, so every transaction locks these rows in ascending order, which rules out deadlocks.
  if left_bucket is not null then
    update private.engagement_histogram h set members = h.members - 1 where h.bucket = left_bucket;
  end if;
  if new_bucket is not null then
    insert into private.engagement_histogram as h (bucket, members) values (new_bucket, 1)
    on conflict (bucket) do update set members = h.members + 1;
  end if;
  return null;
end
$$;

-- Deferred to the end of the transaction, to keep the lock on a shared row short.
create constraint trigger user_progress__count_engagements
  after insert or delete or update of message_engagements on public.user_progress
  deferrable initially deferred for each row execute function private.tg_user_progress__count_engagements();

-- levels/progress-reports.sql

-- What members see of their own progress: rank, history, and the events behind each counter.
create function private.engagement_label(engagements integer, percentile numeric) returns text
  language sql immutable set search_path = '' as $$
  select case
    when percentile >= 95 then 'Top 5% Elite'
    when percentile >= 90 then 'Top 10% Engager'
    when percentile >= 75 then 'Top 25% Active'
    when percentile >= 50 then 'Above Average'
    when percentile >= 25 then 'Active Member'
    when engagements > 0 then 'Getting Started'
    else 'New Member'
  end
$$;
comment on function private.engagement_label(integer, numeric) is 'Name of an engagement rank.';

-- The share of all members, the caller included, who have fewer engagements. Equal counts give equal ranks. A member
-- without engagements ranks above no other member.
-- @rpc authenticated
-- The caller's engagements, the percentage of all members with fewer, the number of members, and the rank's name.
create function private.engagement_rank()
  returns table (engagements integer, percentile numeric, members integer, label text)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  own_bucket integer;
  below bigint;
begin
  select p.message_engagements into engagements from public.user_progress p where p.user_id = caller;
  own_bucket := private.engagement_bucket(engagements);
  select coalesce(sum(h.members) filter (where h.bucket < own_bucket), 0),
    coalesce(sum(h.members), 0)
  into below, members
  from private.engagement_histogram h;
  -- A caller without a row is not counted in the histogram yet.
  if engagements is null then
    engagements := 0;
    members := members + 1;
  end if;
  -- Truncated, not rounded, so that the percentage never reaches a label's threshold too early.
  percentile := trunc(100.0 * below / greatest(members, 1), 2);
  label := private.engagement_label(engagements, percentile);
  return next;
end
$$;
comment on function private.engagement_rank() is 'Where the caller stands among all members by engagements, one row.';

-- @rpc authenticated
-- Number of the caller's progress events on each of the last days (UTC, at most 366), oldest first.
create function private.progress_history(days integer default 90)
  returns table (day date, rooms integer, submissions integer, engagements integer, articles integer, courses integer)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  first_day date := (now() at time zone 'utc')::date - least(greatest(coalesce(days, 90), 1), 366) + 1;
begin
  return query
    select (l.happened_at at time zone 'utc')::date,
      count(*) filter (where l.kind = 'room_opened')::integer,
      count(*) filter (where l.kind = 'submission')::integer,
      count(*) filter (where l.kind in ('message', 'like'))::integer,
      count(*) filter (where l.kind = 'article_read')::integer,
      count(*) filter (where l.kind = 'course_completed')::integer
    from private.progress_ledger l
    where l.user_id = caller and l.happened_at >= first_day::timestamp at time zone 'utc'
    group by 1 order by 1;
end
$$;
comment on function private.progress_history(integer) is 'The caller''s progress events by day (UTC), oldest first, only days with any.';

-- One page of progress events with their subjects. A subject that was deleted, or that the caller may not read, is null.
create type public.progress_event as (
  id bigint, kind text, category text, reference text, label text, path text, happened_at timestamptz
);
comment on type public.progress_event is 'A progress event with the title and the path of its subject; both are null when the subject was deleted.';

create function private.progress_event_subject(caller uuid, allowed integer, kind text, reference text)
  returns table (label text, path text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  case progress_event_subject.kind
    when 'room_opened' then
      return query select r.name, '/chats/' || r.id from public.chat_rooms r where r.id = reference;
    when 'submission' then
      return query select s.title, '/learning/submissions'
        from public.learning_submissions s where s.id = reference::uuid;
    when 'message', 'like' then
      return query select left(m.content, 140), '/chats/' || m.chat_room_id
        from public.chat_messages m join public.chat_rooms r on r.id = m.chat_room_id
        where m.id = reference::uuid and m.deleted_at is null
          and (m.user_id = caller or (r.is_active and r.min_level_required <= allowed));
    when 'article_read' then
      return query select a.title, private.shelf_path(c.main_category, 'foundations', c.slug) || '/' || a.id
        from public.articles a join public.subcategories c on c.id = a.subcategory_id
        where a.id = reference::uuid and a.is_published and c.is_active
          and private.category_level(c.main_category) <= allowed;
    when 'course_completed' then
      return query select o.title, private.shelf_path(c.main_category, 'courses', c.slug) || '/' || o.id
        from public.courses o join public.subcategories c on c.id = o.subcategory_id
        where o.id = reference::uuid and o.is_published and c.is_active
          and private.category_level(c.main_category) <= allowed;
  end case;
end
$$;
comment on function private.progress_event_subject(uuid, integer, text, text) is
  'Title and path of the subject of a progress event; no row when it was deleted or the caller''s level is too low.';

create function private.shelf_path(category text, shelf text, slug text) returns text
  language sql immutable set search_path = '' as $$
  select '/' || case category when 'general' then 'knowledge' else category end || '/' || shelf || '/' || slug
$$;
comment on function private.shelf_path(text, text, text) is 'Path in the app of a subcategory''s articles or courses.';

-- @rpc authenticated
-- The progress events behind one of the caller's counters (rooms, submissions, engagements, articles, courses), newest first, paged by
-- id.
create function private.progress_evidence(
    kind text, category text default null, before_id bigint default null, page_size integer default 30
  )
  returns setof public.progress_event
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  allowed integer := private.effective_level(caller);
  wanted text[] := case progress_evidence.kind
    when 'rooms' then array['room_opened']
    when 'submissions' then array['submission']
    when 'engagements' then array['message', 'like']
    when 'articles' then array['article_read']
    when 'courses' then array['course_completed']
  end;
begin
  if wanted is null then
    perform private.fail('FF301', 'There is no such kind of progress.');
  end if;
  return query
    with page as (
      select l.* from private.progress_ledger l
      where l.user_id = caller and l.kind = any (wanted)
        and (progress_evidence.category is null or l.category = progress_evidence.category)
        and (before_id is null or l.id < before_id)
      order by l.id desc limit least(greatest(coalesce(page_size, 30), 1), 100)
    )
    select p.id, p.kind, p.category, p.reference, s.label, s.path, p.happened_at
    from page p left join lateral private.progress_event_subject(caller, allowed, p.kind, p.reference) s on true
    order by p.id desc;
end
$$;
comment on function private.progress_evidence(text, text, bigint, integer) is 'The caller''s progress events of one kind, newest first.';

-- levels/requirements.sql

-- The counter of rooms opened stops at the most any level requires, and at five at least. It is filled from the ledger,
-- so that after a higher requirement the rooms opened before it count as well.
create function private.room_count_limit() returns integer
  language sql stable set search_path = '' as $$
  select greatest(5, max(r.needed)) from public.level_requirements r where r.kind = 'rooms'
$$;
comment on function private.room_count_limit() is 'How many opened rooms are counted: five, or more if a level requires more.';

create function private.count_opened_rooms(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  opened text[];
begin
  perform from public.user_progress p
  where p.user_id = member and cardinality(p.chat_rooms_opened) < private.room_count_limit();
  if not found then
    return;
  end if;
  opened := array(
    select l.reference from private.progress_ledger l
    where l.user_id = member and l.kind = 'room_opened' order by l.id limit private.room_count_limit()
  );
  update public.user_progress p set chat_rooms_opened = opened
  where p.user_id = member and cardinality(p.chat_rooms_opened) < cardinality(opened);
end
$$;
comment on function private.count_opened_rooms(uuid) is
  'Brings the counter of rooms opened up to the ledger, at most room_count_limit. Never lowers it.';

-- The preview of a requirement counts every room a member has opened, and a requirement above what there is is refused.
create function private.progress_count_uncapped(progress public.user_progress, kind text, category text) returns integer
  language sql stable set search_path = '' as $$
  select case progress_count_uncapped.kind
    when 'rooms' then (
      select count(*)::integer from private.progress_ledger l
      where l.user_id = progress.user_id and l.kind = 'room_opened'
    )
    else private.progress_count(progress, progress_count_uncapped.kind, category)
  end
$$;
comment on function private.progress_count_uncapped(public.user_progress, text, text) is
  'A member''s count for one kind of requirement as it would be without room_count_limit.';

-- levels/today.sql

-- What stands first on a member's dashboard, in one answer. Each part asks the rules of reading now.

-- The order is that of the requirements on the screen.
create function private.next_requirement(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed, 'done', c.done,
    'room', case when r.kind = 'rooms' then private.next_room(member) end
  )
  from public.level_requirements r
  cross join lateral (
    select coalesce((
      select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
    ), 0) as done
  ) c
  where r.level = coalesce((select l.current_level from public.user_levels l where l.user_id = member), 1) and c.done < r.needed
  order by array_position(array['rooms', 'submissions', 'articles', 'courses', 'engagements'], r.kind)
  limit 1
$$;
comment on function private.next_requirement(uuid) is
  'The first requirement of a member''s level that is not met, with the member''s count and, for rooms, the one to open; null when all are met.';

-- Likes, a new level and an approved document ask nothing of the member. Questions are counted by themselves, because they
-- wait until they are answered, not until they are seen.
create function private.caller_waiting() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  kinds constant text[] := array(select k.kind from private.notification_kinds k where k.asks);
  total constant integer := (
    select count(*) from (
      select distinct v.kind, v.group_id, v.detail, case when v.group_id is null then v.id end
      from private.visible_notifications(caller) v where v.read_at is null and v.kind = any (kinds)
    ) groups
  );
  page jsonb;
  before timestamptz;
  items jsonb := '[]';
begin
  while jsonb_array_length(items) < least(total, 3) loop
    page := private.my_notifications(before, 50) -> 'items';
    exit when page = '[]';
    items := items || coalesce((
      select jsonb_agg(i.item order by i.place) from jsonb_array_elements(page) with ordinality i (item, place)
      where (i.item -> 'unread')::boolean and i.item ->> 'kind' = any (kinds)
    ), '[]');
    before := page -> -1 ->> 'created_at';
  end loop;
  return jsonb_build_object(
    'count', least(total, 99), 'items', jsonb_path_query_array(items, '$[0 to 2]'),
    'questions', case when private.is_mentor(caller) then jsonb_array_length(private.waiting_questions()) else 0 end
  );
end
$$;
comment on function private.caller_waiting() is
  'Unread notifications that ask something of the caller: how many (at most 99), the newest three, and the questions to answer.';

-- A course is offered by when the member last enrolled in it or completed one of its lessons.
create function private.caller_next_lesson() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'course_id', c.id, 'course', c.title, 'progress', e.progress_percentage, 'module', m.slug, 'title', m.title,
    'category', s.main_category, 'subcategory', s.slug,
    'is_training', s.open_to_mentors and exists (select from public.profiles p where p.id = e.user_id and p.role = 'mentor')
  )
  from public.course_enrollments e
  join public.courses c on c.id = e.course_id
  join public.subcategories s on s.id = c.subcategory_id
  cross join lateral (
    select n.slug, n.title from public.course_modules n
    where n.course_id = c.id and n.is_published
      and not exists (select from public.module_completions d where d.user_id = e.user_id and d.module_id = n.id)
    order by n.module_order, n.id limit 1
  ) m
  where e.user_id = auth.uid() and e.completed_at is null and c.id in (select private.caller_enrolled_courses())
  order by greatest(e.created_at, (
    select max(d.created_at) from public.module_completions d join public.course_modules n on n.id = d.module_id
    where d.user_id = e.user_id and n.course_id = c.id
  )) desc, c.id
  limit 1
$$;
comment on function private.caller_next_lesson() is
  'The next lesson of the course the caller last worked on and has not completed; null when there is none.';

create function private.caller_last_article() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'article_id', a.id, 'title', a.title, 'minutes', a.estimated_read_time, 'category', s.main_category, 'subcategory', s.slug
  )
  from public.article_opens o
  join public.articles a on a.id = o.article_id
  join public.subcategories s on s.id = a.subcategory_id
  where o.user_id = auth.uid() and a.is_published and s.id in (select private.caller_subcategories())
    and not exists (select from public.article_reads r where r.user_id = o.user_id and r.article_id = a.id)
  order by o.last_opened_on desc, o.last_opened_at desc nulls last, a.id
  limit 1
$$;
comment on function private.caller_last_article() is
  'The article the caller opened last of those not marked as read and open to them now; null when there is none.';

create function private.caller_latest_room_messages() returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  open_rooms constant text[] := private.caller_room_ids();
  hidden constant uuid[] := array(
    select b.blocked_id from private.member_blocks b where b.user_id = caller
  );
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'room_id', w.room_id, 'room', w.room, 'unread', private.unread_count(caller, w.room_id), 'said_at', w.created_at,
      'excerpt', w.excerpt, 'author_id', p.id, 'author', btrim(concat_ws(' ', p.first_name, p.last_name)), 'avatar_url', p.avatar_url
    ) order by w.created_at desc, w.room_id)
    from (
      select r.id as room_id, r.name as room, m.user_id, m.created_at, m.excerpt
      from public.chat_rooms r
      cross join lateral (
        select g.user_id, g.created_at, private.excerpt(g.content) as excerpt from public.chat_messages g
        where g.chat_room_id = r.id and g.deleted_at is null and g.user_id <> all (hidden)
        order by g.created_at desc, g.id limit 1
      ) m
      where r.id = any (open_rooms)
      order by m.created_at desc, r.id limit 3
    ) w
    join public.profiles p on p.id = w.user_id
  ), '[]');
end
$$;
comment on function private.caller_latest_room_messages() is
  'The three rooms open to the caller with the newest messages, each with its last one by nobody the caller has blocked.';

create function private.caller_pact() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', p.submission_id, 'title', s.title, 'due_on', p.due_on, 'is_overdue', private.is_overdue(p.due_on)
  )
  from private.pacts p join public.learning_submissions s on s.id = p.submission_id
  where s.user_id = auth.uid() and p.closed_at is null
  order by p.due_on, p.submission_id limit 1
$$;
comment on function private.caller_pact() is 'The open pact of the caller that is due next; null when there is none.';

-- @rpc authenticated
-- What stands first on the caller's dashboard, in one answer.
create function private.my_today() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  level constant integer := private.effective_level(caller);
begin
  return jsonb_build_object(
    'level', level,
    'next_step', case when level > 0 then private.next_requirement(caller) end,
    'waiting', private.caller_waiting(),
    'baseline_until', private.baseline_until(caller),
    'pact', case when level > 0 then private.caller_pact() end,
    'continue', jsonb_build_object('lesson', private.caller_next_lesson(), 'article', private.caller_last_article()),
    'rooms', private.caller_latest_room_messages()
  );
end
$$;
comment on function private.my_today() is
  'The caller''s next step, what waits, until when the start of the guarantee can be written down, what was left open and the newest words of rooms. Without a level only what is told of the account.';

-- library/access.sql

-- What the caller may read. Policies call each function once a statement; plpgsql caches the plans.
create function private.open_categories(level integer) returns text[]
  language sql immutable set search_path = '' as $$
  select array(
    select c from unnest(array['general', 'business', 'wealth']) c where private.category_level(c) <= level
  )
$$;
comment on function private.open_categories(integer) is 'Main categories a level opens.';

create function private.caller_subcategories() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  level integer := private.caller_effective_level();
  open_to_caller text[] := private.open_categories(level);
  is_mentor boolean := level > 0
    and exists (select from public.profiles p where p.id = auth.uid() and p.role = 'mentor');
begin
  return query
    select s.id from public.subcategories s
    where s.is_active and (s.main_category = any (open_to_caller) or (is_mentor and s.open_to_mentors));
end
$$;
comment on function private.caller_subcategories() is 'Active subcategories in the categories the caller''s level opens, and for mentors those open to all mentors.';
grant execute on function private.caller_subcategories to authenticated;

-- Mentors see their own articles and courses at any level, and the subcategories those belong to.
create function private.caller_studio_subcategories() returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  return query select private.caller_subcategories();
  return query select a.subcategory_id from public.articles a where a.author_id = auth.uid();
  return query select c.subcategory_id from public.courses c where c.mentor_id = auth.uid();
end
$$;
comment on function private.caller_studio_subcategories() is 'Subcategories the caller may see: those of the caller''s level and those with the caller''s own work.';
grant execute on function private.caller_studio_subcategories to authenticated;

reset check_function_bodies;
