-- Part 12 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- guarantee/terms.sql
comment on function private.export_part_guarantee(uuid) is 'Baseline, check-ins and claim of one account.';

-- landing/console.sql

create function private.optional_text(given text) returns text
  language sql immutable set search_path = '' as $$
  select case when given is null or private.is_blank(given) then null else btrim(given) end
$$;
comment on function private.optional_text(text) is 'The text without blanks around it; null when nothing can be seen of it.';

-- @rpc authenticated
-- Administrators: what the landing page says and shows, and who can be its host.
create function private.landing_settings() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    select jsonb_build_object(
      'version', coalesce(t.version, 0), 'headline', t.headline, 'lead', t.lead,
      'host_id', t.host_id, 'host_about', t.host_about, 'published_at', t.published_at,
      'outcomes', (select coalesce(jsonb_agg(o), '[]') from private.landing_outcomes() o),
      'unanswered', (
        select count(*) from public.learning_submissions s
        where s.is_featured and not exists (select from public.submission_consents c where c.submission_id = s.id)
      ),
      'hosts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'picture', p.avatar_url
        ) order by p.first_name, p.id), '[]')
        from public.profiles p
        where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
      )
    )
    from (select) nothing
    left join (select x.* from private.landing_texts x order by x.version desc limit 1) t on true
  );
end
$$;
comment on function private.landing_settings() is 'The landing page for administrators with a second factor.';

-- @rpc authenticated
-- Administrators: publish other words for the landing page. An empty one is as the product comes.
create function private.publish_landing_text(headline text, lead text, host uuid, host_about text) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  former private.landing_texts;
  current private.landing_texts;
begin
  -- One at a time: each takes the next number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('landing_texts'));
  select t.* into former from private.landing_texts t order by t.version desc limit 1;
  current.version := coalesce(former.version, 0) + 1;
  current.headline := private.optional_text(headline);
  current.lead := private.optional_text(lead);
  current.host_about := private.optional_text(host_about);
  current.host_id := host;
  current.published_at := now();
  if char_length(current.headline) > 120 or char_length(current.lead) > 500 or char_length(current.host_about) > 1500 then
    perform private.fail('FF280', 'A headline has at most 120 characters, the text below it 500, and the text about the host 1,500.');
  end if;
  if host is not null and not exists (select from public.profiles p where p.id = host and p.role = 'admin') then
    perform private.fail('FF281', 'The host has to be an administrator.');
  end if;
  insert into private.landing_texts values (current.*);
  perform private.audit_change(
    admin, 'landing_text.published', jsonb_build_object('version', current.version),
    coalesce(to_jsonb(former), '{"headline": null, "lead": null, "host_id": null, "host_about": null}') - '{version,published_at}'::text[],
    to_jsonb(current) - '{version,published_at}'::text[]
  );
  return current.version;
end
$$;
comment on function private.publish_landing_text(text, text, uuid, text) is
  'Shows other words on the landing page; the number of the version. Raises FF280 or FF281. Audited.';

-- landing/page.sql

create function private.export_part_landing(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'submission_consents', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.agreed_at, c.submission_id) from public.submission_consents c where c.user_id = member
    ), '[]'),
    'landing_texts', coalesce((
      select jsonb_agg(to_jsonb(t) order by t.version) from private.landing_texts t where t.host_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_landing(uuid) is 'Submissions that one account lets visitors read, and texts of the landing page that introduce it.';

create function private.is_banned(account uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from auth.users u where u.id = account and (u.banned_until > now() or u.deleted_at is not null))
$$;
comment on function private.is_banned(uuid) is 'Whether the account is suspended or deleted.';

create function private.landing_outcomes() returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', p.first_name, 'occupation', p.occupation, 'picture', p.avatar_url,
    'title', s.title, 'text', left(s.content, 1000), 'type', s.submission_type
  )
  from public.submission_consents c
  join public.learning_submissions s on s.id = c.submission_id and s.user_id = c.user_id
  join public.profiles p on p.id = s.user_id
  where s.is_featured and not private.is_blank(coalesce(p.first_name, '')) and not private.is_banned(p.id)
  order by s.created_at desc, s.id limit 3
$$;
comment on function private.landing_outcomes() is 'The newest three submissions that are featured and that their authors let visitors read.';

create function private.landing_host() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url, 'about', t.host_about
  )
  from (select x.host_id, x.host_about from private.landing_texts x order by x.version desc limit 1) t
  join public.profiles p on p.id = t.host_id
  where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
$$;
comment on function private.landing_host() is 'Whom the landing page introduces; null while nobody is named, or when that account is no administrator any more.';

-- Mentors whose course is on sale are named on its public page already; the others are counted and not shown.
create function private.landing_mentors() returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url
  )
  from public.profiles p
  where p.id in (select o.mentor_id from private.open_course_offers o) and not private.is_blank(concat(p.first_name, p.last_name))
  order by p.first_name, p.id limit 6
$$;
comment on function private.landing_mentors() is 'Up to six mentors who sell a course to visitors.';

create function private.landing_page() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'headline', t.headline, 'lead', t.lead, 'host', private.landing_host(),
    'outcomes', (select coalesce(jsonb_agg(o), '[]') from private.landing_outcomes() o),
    'is_trial', exists (select from private.install_marks m where m.mark = 'demo_accounts'),
    'rooms', (select count(*) from public.chat_rooms r where r.is_active),
    'articles', (
      select count(*) from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and s.is_active
    ),
    'courses', (
      select count(*) from public.courses c join public.subcategories s on s.id = c.subcategory_id
      where c.is_published and s.is_active
    ),
    'mentors', (select count(*) from public.profiles p where p.role = 'mentor' and private.effective_level(p.id) >= 1),
    'portraits', (select coalesce(jsonb_agg(m), '[]') from private.landing_mentors() m),
    'free_lesson', (
      select jsonb_build_object(
        'slug', o.slug, 'course', o.title, 'lesson', m.title,
        'mentor', btrim(concat_ws(' ', p.first_name, p.last_name))
      )
      from private.open_course_offers o
      join private.course_offers x on x.course_id = o.course_id
      join public.course_modules m on m.id = o.free_module_id
      join public.profiles p on p.id = o.mentor_id
      order by x.changed_at desc, o.slug limit 1
    ),
    'claims', (select to_jsonb(f) from private.guarantee_figures() f),
    'seller', (select to_jsonb(b) - 'id' from public.business_details b)
  )
  from (select) nothing
  left join (select x.headline, x.lead from private.landing_texts x order by x.version desc limit 1) t on true
$$;
comment on function private.landing_page() is 'What the landing page shows of the database. The server renders it; no client asks.';

-- legal/texts.sql

-- Terms, privacy and refunds as versioned Markdown that an owner edits in the console, who sells here, and which terms each
-- account accepted before it paid.
create table public.legal_texts (
  kind text not null constraint legal_texts_kind_check check (kind in ('terms', 'privacy', 'refunds')),
  version integer not null constraint legal_texts_version_check check (version > 0),
  body text not null constraint legal_texts_body_check check (char_length(body) between 1 and 50000),
  summary text constraint legal_texts_summary_check check (char_length(summary) between 1 and 300),
  published_at timestamptz not null default now(),
  primary key (kind, version)
);
alter table public.legal_texts enable row level security;
grant select, insert, update, delete on public.legal_texts to service_role;
grant select (kind, version, body, summary, published_at) on public.legal_texts to anon, authenticated;

create policy select_everyone on public.legal_texts for select to anon, authenticated using (true);
comment on table public.legal_texts is 'Every version of the terms, the privacy notice and the refund terms; the newest of a kind is in force. Rows are only ever added.';
comment on column public.legal_texts.body is 'Markdown.';
comment on column public.legal_texts.summary is 'What changed, in a sentence members read; null for the first version.';

create table public.business_details (
  id boolean primary key default true constraint business_details_id_check check (id),
  legal_name text constraint business_details_legal_name_check check (char_length(legal_name) between 1 and 200),
  address text constraint business_details_address_check check (char_length(address) between 1 and 500),
  company_number text constraint business_details_company_number_check check (char_length(company_number) between 1 and 40),
  vat_number text constraint business_details_vat_number_check check (char_length(vat_number) between 1 and 40)
);
alter table public.business_details enable row level security;
grant select, insert, update, delete on public.business_details to service_role;
grant select (legal_name, address, company_number, vat_number) on public.business_details to anon, authenticated;

create policy select_everyone on public.business_details for select to anon, authenticated using (true);
comment on table public.business_details is 'Who sells here, as the law asks a seller to say: one row. Null is not said.';
comment on column public.business_details.id is 'Always true, so that there is one row.';
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

reset check_function_bodies;
