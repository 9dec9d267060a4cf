-- Part 1 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- 00_schemas.sql

-- First of all files, because it decides what everything below may be used by before its own grants: nothing by nobody.
-- Postgres gives every new function to PUBLIC, and hosted Supabase gives new objects of `public` to the API's roles. With these
-- defaults an object is closed until the file that creates it says who may use it.
alter default privileges revoke all on schemas from public, anon, authenticated, service_role;

alter default privileges revoke all on tables from public, anon, authenticated, service_role;

alter default privileges revoke all on sequences from public, anon, authenticated, service_role;

alter default privileges revoke all on functions from public, anon, authenticated, service_role;

alter default privileges revoke all on types from public, anon, authenticated, service_role;

-- What hosted Supabase grants in one schema is revoked in that schema.
alter default privileges in schema public revoke all on tables from public, anon, authenticated, service_role;

alter default privileges in schema public revoke all on sequences from public, anon, authenticated, service_role;

alter default privileges in schema public revoke all on functions from public, anon, authenticated, service_role;

revoke all on schema public from public, anon, authenticated, service_role;
grant usage on schema public to anon, authenticated, service_role;

-- Rules and server-only data live in a schema the API does not expose.
create schema private;
comment on schema private is 'Rules and server-only data. Not exposed by the API; callers reach it through policies, triggers and wrappers.';
grant usage on schema private to authenticated, service_role;

-- What the platform calls has its own schema, because it also runs for visitors, who have no access to `private`.
create schema hooks;
comment on schema hooks is 'Functions that the platform calls: before a request, after a restore. Not exposed.';
grant usage on schema hooks to anon, authenticated, service_role;

create extension if not exists pg_trgm with schema extensions;

create extension if not exists fuzzystrmatch with schema extensions;

-- access/administrators.sql

-- A new administrator starts with a one-time password. The account has no administrator rights until another password
-- is chosen, so a leaked one-time password gives none.
create table private.pending_admins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  expires_at timestamptz not null,
  promoted_at timestamptz
);
comment on table private.pending_admins is 'Accounts that become administrators when they choose a password before expires_at, until they have a second factor.';
comment on column private.pending_admins.promoted_at is 'When the password was chosen. The session that did it, which is older, may set up the first second factor for a day.';
alter table private.pending_admins enable row level security;

-- The operator's command line calls this after it has set the one-time password.
create function private.appoint_admin(member uuid, expires_at timestamptz)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
begin
  insert into public.profiles (id) values (member) on conflict (id) do nothing;
  update public.profiles p set role = private.plan_role(member) where p.id = member and p.role = 'admin';
  insert into private.pending_admins as a (user_id, expires_at) values (member, appoint_admin.expires_at)
  on conflict (user_id) do update set expires_at = excluded.expires_at, promoted_at = null;
  perform private.audit(null, 'account.appointed_admin', member);
end
$function$;
comment on function private.appoint_admin(uuid, timestamptz) is
  'Makes an account an administrator once it chooses a password in time. Audited.';

-- The operator's command line calls this; in the console it is private.set_member_admin. Open sessions end, because it may be a stolen one
-- that has to go.
create function private.remove_admin(member uuid) returns boolean
  language plpgsql security definer set search_path = '' as $$
declare
  was_admin boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.set_member_admin', 0));
  was_admin := exists (select from public.profiles p where p.id = member and p.role = 'admin');
  delete from private.pending_admins a where a.user_id = member;
  if not found and not was_admin then
    return false;
  end if;
  update public.profiles p set role = private.plan_role(member) where p.id = member and p.role = 'admin';
  delete from auth.sessions s where s.user_id = member;
  perform private.audit(null, 'account.removed_admin', member);
  return true;
end
$$;
comment on function private.remove_admin(uuid) is
  'Takes the administrator role, or the appointment, from an account and ends its sessions; false when it had neither. Audited.';

create function private.tg_users__promote_pending_admin()
returns trigger
language plpgsql
security definer
set search_path = ''
as $function$
begin
  delete from private.pending_admins a where a.user_id = new.id and a.promoted_at is null and a.expires_at <= now();
  update private.pending_admins a set promoted_at = now() where a.user_id = new.id and a.promoted_at is null;
  if found then
    perform private.make_admin(new.id);
  end if;
  return null;
end
$function$;

create trigger users__promote_pending_admin after update of encrypted_password on auth.users
  for each row when (old.encrypted_password is distinct from new.encrypted_password)
  execute function private.tg_users__promote_pending_admin();

-- access/live-sessions.sql

-- An access token stays valid for an hour after its session ended. So every use is checked here: the account must exist
-- and not be banned, the session must not have ended, and an account with a second factor must have entered a code in
-- it. Each of the three is one look-up by primary key.
create function private.session_state()
returns text
language plpgsql
stable
security definer
set search_path = ''
as $function$
declare
  -- Read once: this runs before every request.
  claims jsonb := nullif(current_setting('request.jwt.claims', true), '')::jsonb;
  account uuid := (claims ->> 'sub')::uuid;
begin
  return (
    select case
      when exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') then
        case when claims ->> 'aal' is distinct from 'aal2' then 'second_factor_due' else 'live' end
      when not exists (select from public.profiles p where p.id = u.id and p.role = 'admin') then 'live'
      when private.may_set_up_first_factor(u.id, s.id) then 'first_factor_due'
      else 'first_factor_link_due'
    end
    from auth.users u join auth.sessions s on s.user_id = u.id
    where u.id = account and s.id = (claims ->> 'session_id')::uuid
      and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
      and (s.not_after is null or s.not_after > now())
  );
end
$function$;
comment on function private.session_state() is 'live; second_factor_due while a code must be entered first; first_factor_due and first_factor_link_due for administrators without a second factor, who may set one up now or after a link; null when the session or the account has ended.';

create function private.session_is_live() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(private.session_state() = 'live', false);
end
$$;
comment on function private.session_is_live() is
  'True while the calling session may be used. For policies outside the API: files and live updates.';
grant execute on function private.session_is_live to authenticated;

-- Raises PostgREST's error format with status 401, so that clients sign out instead of showing a database error.
create function private.refuse_session(code text, message text) returns void
  language plpgsql stable set search_path = '' as $$
begin
  raise exception using errcode = 'PGRST',
    message = json_build_object('code', code, 'message', message)::text,
    detail = json_build_object('status', 401, 'headers', json_build_object('www-authenticate', 'Bearer'))::text;
end
$$;
comment on function private.refuse_session(text, text) is 'Raises an error that the API returns with status 401 and a code from docs/error-codes.md.';

create function private.require_live_session()
returns void
language plpgsql
stable
security definer
set search_path = ''
as $function$
declare
  state text := private.session_state();
begin
  case state
    when 'live' then
      return;
    when 'second_factor_due' then
      perform private.refuse_session('FF004', 'Enter the code of your second factor first.');
    when 'first_factor_due' then
      perform private.refuse_session('FF008', 'Administrators need a second factor. Set yours up first.');
    when 'first_factor_link_due' then
      perform private.refuse_session('FF009', 'Administrators need a second factor. Open a sign-in link from your mailbox, then set yours up.');
    else
      perform private.refuse_session('FF003', 'Your session has ended. Please sign in again.');
  end case;
end
$function$;
comment on function private.require_live_session() is 'Raises FF003 when the session or the account has ended, FF004 while the second factor is due, FF008 or FF009 for administrators without one.';
grant execute on function private.require_live_session to authenticated;

-- PostgREST calls it before every request, as the caller and in the request's transaction.
create function hooks.check_request() returns void
  language plpgsql volatile set search_path = '' as $$
declare
  path constant text := current_setting('request.path', true);
begin
  if current_user <> 'authenticated' then
    return;
  end if;
  perform private.require_live_session();
  -- A name written with percent signs could be this table's too; the app writes none. Where the platform has made the
  -- transaction read-only before this hook, nothing can be counted.
  if (path ~ '^/profiles/?$' or path like '%\%%') and current_setting('request.method', true) in ('GET', 'HEAD')
    and current_setting('transaction_read_only') = 'off' then
    perform private.count_profile_read();
  end if;
end
$$;
comment on function hooks.check_request() is
  '@pre_request Lets visitors and the server pass; members need a live session, and their reads of profiles are counted.';
grant execute on function hooks.check_request to anon, authenticated, service_role;

-- A setting of a role is no object of the schema: `npm run gen` does not see it, so a change of it needs a migration by hand.
do $$
begin
  execute format('alter role authenticator in database %I set pgrst.db_pre_request = %L',
    current_database(), 'hooks.check_request');
  notify pgrst, 'reload config';
exception when insufficient_privilege then
  -- The comment above says the same to a host whose database login is no superuser.
  raise notice 'The API is told by the comment on hooks.check_request which function to call.';
end
$$;

-- Storage and realtime do not call check_request. Their policies check the session instead, as do the policies of the
-- tables that are published through realtime.
create policy all_live_sessions on storage.objects as restrictive for all to authenticated
  using ((select private.session_is_live())) with check ((select private.session_is_live()));

create policy all_live_sessions on realtime.messages as restrictive for all to authenticated
  using ((select private.session_is_live())) with check ((select private.session_is_live()));

-- Functions and policies on documents and money need a second factor, also from accounts that have not set one up.
create function private.caller_has_second_factor() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  -- The token alone does not count, because the factor may have been removed since.
  return auth.jwt() ->> 'aal' = 'aal2' and exists (
    select from auth.sessions s join auth.mfa_factors f on f.id = s.factor_id and f.user_id = s.user_id
    where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid()
      and s.aal = 'aal2' and f.status = 'verified'
  );
end
$$;
comment on function private.caller_has_second_factor() is
  'True when a code was entered in the calling session, for a factor the account still has.';

create function private.require_aal2() returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if private.caller_has_second_factor() is not true then
    perform private.fail('FF005', 'This needs a second factor. Set one up on your account page, or enter its code.');
  end if;
end
$$;
comment on function private.require_aal2() is 'Raises FF005 unless a code was entered in the calling session.';
grant execute on function private.require_aal2 to authenticated;

create function private.caller_is_verified_admin() returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return private.caller_is_admin() and private.caller_has_second_factor();
end
$$;
comment on function private.caller_is_verified_admin() is
  'True when the calling account is an administrator who entered a code in this session. For policies on documents and money.';
grant execute on function private.caller_is_verified_admin to authenticated;

create function private.require_verified_admin() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_admin();
begin
  perform private.require_aal2();
  return caller;
end
$$;
comment on function private.require_verified_admin() is
  'The calling administrator with a second factor; FF001, FF002 or FF005 for other callers. For functions on documents and money.';
grant execute on function private.require_verified_admin to authenticated;

-- access/my-sessions.sql

-- Lists and ends the caller's sessions. The auth service owns the sessions. Deleting one deletes its refresh tokens, and
-- live_sessions refuses its access token from then on.
-- @rpc authenticated
-- The caller's sessions, one row each.
create function private.my_sessions()
  returns table (
    id uuid, created_at timestamptz, last_seen_at timestamptz, user_agent text, address text,
    is_current boolean, has_second_factor boolean
  )
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  current_id text := auth.jwt() ->> 'session_id';
begin
  return query
    select s.id, s.created_at,
      greatest(s.created_at, s.refreshed_at at time zone 'utc'), s.user_agent, host(s.ip),
      s.id::text is not distinct from current_id, s.aal is not distinct from 'aal2'
    from auth.sessions s
    where s.user_id = caller and (s.not_after is null or s.not_after > now())
    order by s.id::text is not distinct from current_id desc,
      greatest(s.created_at, s.refreshed_at at time zone 'utc') desc, s.id;
end
$$;
comment on function private.my_sessions() is 'The sessions of the calling account, the calling one first, then the one seen last.';

-- @rpc authenticated
-- Signs the caller out of one device.
create function private.end_session(session_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  delete from auth.sessions s where s.id = end_session.session_id and s.user_id = caller;
  return found;
end
$$;
comment on function private.end_session(uuid) is 'Ends a session of the calling account; false when it has none with that id.';

-- access/recovery-codes.sql

-- Recovery codes for a lost second factor: ten codes, each of which removes the factors once. They are shown only when
-- they are generated.
create table private.recovery_codes (
  user_id uuid not null references auth.users (id) on delete cascade,
  code_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table private.recovery_codes is 'Recovery codes of accounts, hashed. Each has 80 random bits, so a plain hash is enough.';
comment on column private.recovery_codes.code_hash is 'SHA-256 of account and code.';
alter table private.recovery_codes enable row level security;

-- Codes may be typed from paper: case, spaces and dashes are ignored, O is read as zero and L as one.
create function private.recovery_code_hash(member uuid, code text) returns bytea
  language sql immutable set search_path = '' as $$
  select sha256(convert_to(
    member::text || ':' || translate(regexp_replace(lower(code), '[^0-9a-z]', '', 'g'), 'oil', '011'), 'utf8'
  ))
$$;
comment on function private.recovery_code_hash(uuid, text) is 'Hash of a recovery code, as stored.';

create function private.new_recovery_code() returns text
  language sql volatile set search_path = '' as $$
  select regexp_replace(
    string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(r.bytes, i) & 31) + 1, 1), '' order by i),
    '(....)(....)(....)(....)', '\1-\2-\3-\4'
  )
  from (select extensions.gen_random_bytes(16) as bytes) as r, generate_series(0, 15) as i
$$;
comment on function private.new_recovery_code() is 'Sixteen random characters of 5 bits each, in groups of four.';

-- @rpc authenticated
-- Ten new recovery codes, shown only now; earlier ones become invalid.
create function private.generate_recovery_codes() returns setof text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  codes text[];
begin
  perform private.require_aal2();
  perform private.enforce_rate_limit(caller, 'recovery_codes');
  codes := array(select private.new_recovery_code() from generate_series(1, 10));
  delete from private.recovery_codes c where c.user_id = caller;
  insert into private.recovery_codes (user_id, code_hash)
  select caller, private.recovery_code_hash(caller, code) from unnest(codes) as code;
  perform private.audit(caller, 'recovery_codes.generated', caller);
  return query select unnest(codes);
end
$$;
comment on function private.generate_recovery_codes() is 'Ten new codes for the calling account; earlier ones become invalid. Raises FF005 without a second factor.';

-- @rpc authenticated
-- Number of recovery codes the caller has left, one row.
create function private.recovery_code_status() returns table (codes_left integer, created_at timestamptz)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  return query
    select count(*) filter (where c.used_at is null)::integer, max(c.created_at)
    from private.recovery_codes c where c.user_id = caller;
end
$$;
comment on function private.recovery_code_status() is 'Number of unused codes of the calling account and when they were generated.';

-- A wrong code returns false instead of raising an error, which would roll back its count. In one transaction the code
-- is used, the factors become unverified and the other sessions end; those that waited for a code would need none now.
-- @rpc service_role
-- Server: use a recovery code of an account.
create function private.redeem_recovery_code(member uuid, code text, keep_session uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.recovery_codes c set used_at = now()
  where c.user_id = member and c.used_at is null and c.code_hash = private.recovery_code_hash(member, code);
  if not found then
    -- Only wrong codes are limited: an attacker's guesses must not block the owner's code, and cannot find 80 bits.
    perform private.enforce_rate_limit(member, 'recovery_code');
    return false;
  end if;
  update auth.mfa_factors f set status = 'unverified', updated_at = now()
  where f.user_id = member and f.status = 'verified';
  delete from auth.sessions s where s.user_id = member and s.id is distinct from keep_session;
  update auth.sessions s set aal = 'aal1', factor_id = null where s.user_id = member and s.aal <> 'aal1';
  perform private.audit(member, 'recovery_code.used', member);
  return true;
end
$$;
comment on function private.redeem_recovery_code(uuid, text, uuid) is
  'Uses a recovery code: disables the factors and ends all sessions but one. False when the code is wrong or used; FF300 after five wrong codes in an hour.';

-- access/second-factor.sql

-- An administrator without a second factor may do nothing but set one up, and with a password alone not even that: the
-- first one needs a link opened from the mailbox, or the session in which the one-time password of `npm run admin` was
-- replaced. A stolen password is then worth nothing.
create function private.is_verified_admin(member uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (select from public.profiles p where p.id = member and p.role = 'admin')
    and exists (select from auth.mfa_factors f where f.user_id = member and f.status = 'verified');
end
$function$;
comment on function private.is_verified_admin(uuid) is 'True for administrators who have a second factor. Whether the session has used it is asked of the session.';

create function private.may_set_up_first_factor(member uuid, session uuid)
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (
    select from auth.sessions s join auth.mfa_amr_claims a on a.session_id = s.id
    where s.id = session and s.user_id = member and a.authentication_method in ('otp', 'magiclink', 'recovery', 'invite')
      and a.created_at > now() - interval '15 minutes'
  ) or exists (
    select from auth.sessions s join private.pending_admins p on p.user_id = s.user_id
    where s.id = session and s.user_id = member and s.created_at < p.promoted_at
      and p.promoted_at > now() - interval '1 day'
  );
end
$function$;
comment on function private.may_set_up_first_factor(uuid,uuid) is 'True for a session that a link from the mailbox began within 15 minutes, and for the one that replaced the one-time password within a day. A new password ends all other sessions.';

-- The service verifies a factor first and raises the session after it, in one transaction. Only the second step knows the session.
create function private.tg_mfa_factors__note_first()
returns trigger
language plpgsql
security definer
set search_path = ''
as $function$
begin
  if exists (select from public.profiles p where p.id = new.user_id and p.role = 'admin') and not exists (
    select from auth.mfa_factors f where f.user_id = new.user_id and f.id <> new.id and f.status = 'verified'
  ) then
    perform set_config('private.first_factor', new.id::text, true);
  end if;
  return null;
end
$function$;

create trigger mfa_factors__note_first after update of status on auth.mfa_factors
  for each row when (new.status = 'verified' and old.status is distinct from new.status)
  execute function private.tg_mfa_factors__note_first();

create function private.tg_sessions__guard_first_factor()
returns trigger
language plpgsql
security definer
set search_path = ''
as $function$
begin
  if new.factor_id::text is distinct from current_setting('private.first_factor', true) then
    return null;
  end if;
  if not private.may_set_up_first_factor(new.user_id, new.id) then
    -- Status 403, as the API and the auth service of hosted projects read it.
    raise exception using errcode = 'PT403',
      message = 'A password alone does not set up the first second factor of an administrator. Open a sign-in link from your mailbox first.';
  end if;
  delete from private.pending_admins p where p.user_id = new.user_id;
  return null;
end
$function$;

create trigger sessions__guard_first_factor after update of factor_id on auth.sessions
  for each row when (new.factor_id is not null)
  execute function private.tg_sessions__guard_first_factor();

-- achievements/achievements.sql

-- Achievements follow from events alone: triggers write them, nobody has a privilege on the tables, and a row stays when
-- what it was earned with is deleted.
create table private.achievement_kinds (
  key text primary key constraint achievement_kinds_key_check check (key ~ '^[a-z]+(_[a-z0-9]+)*$'),
  measure text not null constraint achievement_kinds_measure_check
    check (measure in ('rooms', 'messages', 'submissions', 'articles', 'courses', 'pacts', 'weeks', 'levels')),
  needed integer not null constraint achievement_kinds_needed_check check (needed > 0),
  title text not null,
  line text not null,
  is_told boolean not null,
  position integer not null unique,
  unique (measure, needed)
);
comment on table private.achievement_kinds is 'What there is to achieve, and its words on pages, cards and in the bell.';
comment on column private.achievement_kinds.measure is 'What private.achievement_count counts.';
comment on column private.achievement_kinds.line is 'What the member did, in one sentence without a subject.';
comment on column private.achievement_kinds.is_told is 'Whether the bell tells it. It does not tell what a member has just done themselves, or what it says already.';
alter table private.achievement_kinds enable row level security;

create table private.achievements (
  user_id uuid not null references auth.users (id) on delete cascade,
  key text not null references private.achievement_kinds (key),
  earned_at timestamptz not null default clock_timestamp(),
  primary key (user_id, key)
);
comment on table private.achievements is 'What members have achieved; written by triggers, once each. Rows go with their account.';
create index achievements_key_idx on private.achievements (key);
alter table private.achievements enable row level security;

create table private.active_weeks (
  user_id uuid not null references auth.users (id) on delete cascade,
  week date not null constraint active_weeks_week_check check (extract(isodow from week) = 1),
  primary key (user_id, week)
);
comment on table private.active_weeks is 'ISO weeks in which a member did something that counts; written by triggers.';
comment on column private.active_weeks.week is 'The Monday, in UTC.';
alter table private.active_weeks enable row level security;

create function private.week_of(moment timestamptz) returns date
  language sql stable set search_path = '' as $$ select date_trunc('week', moment at time zone 'utc')::date $$;
comment on function private.week_of(timestamptz) is 'The Monday of the ISO week, in UTC.';

-- The longest run of weeks that ends now in which no four weeks in a row have two missed ones. Only active weeks count. The week
-- that has begun is not missed before it is over.
create function private.week_streak(member uuid, this_week date) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  active date;
  later date := this_week;
  later_missed date;
  missed date;
  weeks integer := 0;
begin
  for active in select w.week from private.active_weeks w where w.user_id = member and w.week <= this_week order by w.week desc loop
    exit when later - active > 14;
    if later - active = 14 then
      missed := active + 7;
      exit when later_missed - missed < 28;
      later_missed := missed;
    end if;
    weeks := weeks + 1;
    later := active;
  end loop;
  return weeks;
end
$$;
comment on function private.week_streak(uuid, date) is
  'Active weeks of the streak that includes the given week. One missed week in any four is forgiven, two end the streak.';

-- A pact counts when another member had accepted to witness it, so nobody keeps pacts before themselves.
create function private.achievement_count(member uuid, measure text) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  counted constant text := case measure
    when 'rooms' then 'room_opened' when 'messages' then 'message' when 'submissions' then 'submission'
    when 'articles' then 'article_read' when 'courses' then 'course_completed'
  end;
begin
  if counted is not null then
    return (
      select count(*) from (
        select from private.progress_ledger l where l.user_id = member and l.kind = counted limit 1000
      ) l
    );
  end if;
  return case measure
    when 'pacts' then (
      select count(*) from private.pacts p join public.learning_submissions s on s.id = p.submission_id
      where s.user_id = member and p.outcome = 'success'
        and exists (select from private.pact_witnesses w where w.submission_id = p.submission_id and w.accepted)
    )
    when 'weeks' then private.week_streak(member, private.week_of(now()))
    when 'levels' then greatest(
      coalesce((select l.current_level from public.user_levels l where l.user_id = member), 1) - 1,
      coalesce((select max(c.level) from public.level_completions c where c.user_id = member), 0)
    )
  end;
end
$$;
comment on function private.achievement_count(uuid, text) is 'How far an account is in one measure; events are counted up to 1,000.';

-- Counts nothing once everything of a measure is earned, so that a message costs one look.
create function private.award_achievements(member uuid, measures text[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  kind private.achievement_kinds;
  counted text;
  reached integer;
begin
  for kind in
    select k.* from private.achievement_kinds k
    where k.measure = any (measures)
      and not exists (select from private.achievements a where a.user_id = member and a.key = k.key)
    order by k.measure, k.needed
  loop
    if counted is distinct from kind.measure then
      counted := kind.measure;
      reached := private.achievement_count(member, counted);
    end if;
    if reached >= kind.needed then
      insert into private.achievements (user_id, key) values (member, kind.key) on conflict do nothing;
    end if;
  end loop;
end
$$;
comment on function private.award_achievements(uuid, text[]) is 'Stores what an account has achieved in the given measures. For triggers only.';

create function private.tg_progress_ledger__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  measures text[] := case new.kind
    when 'room_opened' then array['rooms'] when 'message' then array['messages'] when 'submission' then array['submissions']
    when 'article_read' then array['articles'] when 'course_completed' then array['courses'] else array[]::text[]
  end;
begin
  insert into private.active_weeks (user_id, week) values (new.user_id, private.week_of(new.happened_at)) on conflict do nothing;
  if found then
    measures := measures || 'weeks'::text;
  end if;
  perform private.award_achievements(new.user_id, measures);
  return null;
end
$$;

-- A lesson is a week's work before its course is finished, unless the course is one's own.
create function private.tg_module_completions__note_week() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.course_modules m join public.courses c on c.id = m.course_id
    where m.id = new.module_id and c.mentor_id = new.user_id
  ) then
    return null;
  end if;
  insert into private.active_weeks (user_id, week) values (new.user_id, private.week_of(now())) on conflict do nothing;
  if found then
    perform private.award_achievements(new.user_id, array['weeks']);
  end if;
  return null;
end
$$;

create function private.tg_user_levels__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.award_achievements(new.user_id, array['levels']);
  return null;
end
$$;

create function private.tg_level_completions__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.award_achievements(new.user_id, array['levels']);
  return null;
end
$$;

create function private.tg_pacts__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.award_achievements(s.user_id, array['pacts'])
  from public.learning_submissions s where s.id = new.submission_id;
  return null;
end
$$;

-- achievements/certificates.sql

-- Certificates of finished courses. What one says is what was true when the course was finished.

-- A hundred random bits, in letters and digits that are not mistaken for each other on paper.
create function private.new_public_code() returns text
  language sql volatile set search_path = '' as $$
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', get_byte(r.bytes, i) % 32 + 1, 1), '' order by i)
  from (select extensions.gen_random_bytes(20) as bytes) as r, generate_series(0, 19) as i
$$;
comment on function private.new_public_code() is 'A new code that opens something public: twenty characters, impossible to guess.';

create function private.tidy_public_code(typed text) returns text
  language sql immutable set search_path = '' as $$
  select translate(regexp_replace(lower(left(typed, 60)), '[\s-]', '', 'g'), 'oil', '011')
$$;
comment on function private.tidy_public_code(text) is 'The code as it is stored, from one that was typed from paper.';

create function private.tg_certificates__forget_mentor() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.mentor_name := null;
  return new;
end
$$;

create function private.display_name(member uuid) returns text
  language sql stable set search_path = '' as $$
  select nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), '') from public.profiles p where p.id = member
$$;
comment on function private.display_name(uuid) is 'First and last name of an account; null without either.';

create function private.issue_certificate(member uuid, course uuid, at timestamptz) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.certificates (user_id, course_id, mentor_id, member_name, course_title, mentor_name, completed_at)
  select member, c.id, m.id, coalesce(private.display_name(member), 'A member'), c.title, private.display_name(m.id), at
  from public.courses c left join public.profiles m on m.id = c.mentor_id
  -- Nobody certifies themselves.
  where c.id = course and c.mentor_id is distinct from member
  on conflict do nothing
$$;
comment on function private.issue_certificate(uuid, uuid, timestamptz) is
  'Issues the certificate of a member for a course of another that they finished, once.';

-- A completion is computed by refresh_progress alone, and what a client sends is coerced before.
create function private.tg_course_enrollments__certify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.issue_certificate(new.user_id, new.course_id, new.completed_at);
  return null;
end
$$;

-- Open to former members too: what they finished stays theirs.
-- @rpc authenticated (certificate_id)
-- What one of the caller's certificates says; null for any other.
create function private.my_certificate(certificate uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return (
    select jsonb_build_object(
      'id', c.id, 'code', c.code, 'name', c.member_name, 'course', c.course_title, 'mentor', c.mentor_name,
      'completed_on', (c.completed_at at time zone 'utc')::date, 'is_revoked', c.revoked_at is not null
    )
    from private.certificates c where c.id = certificate and c.user_id = caller
  );
end
$$;
comment on function private.my_certificate(uuid) is 'One certificate of the caller; null for any other.';

create function private.enforce_visitor_limit(visitor text, action text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  allowed constant private.rate_limits := (select l from private.rate_limits l where l.action = enforce_visitor_limit.action);
  at constant timestamptz := clock_timestamp();
  used timestamptz[];
begin
  delete from private.visitor_usage u where u.ctid in (
    select o.ctid from private.visitor_usage o where o.last_at < at - interval '1 hour' limit 100 for update skip locked
  );
  insert into private.visitor_usage as u (visitor, action, recent, last_at)
  values (enforce_visitor_limit.visitor, allowed.action, array[at], at)
  on conflict on constraint visitor_usage_pkey do update set
    recent = array(select t from unnest(u.recent) t where t > at - allowed.period order by t limit allowed.max_count) || at, last_at = at
  returning recent into used;
  if cardinality(used) > allowed.max_count then
    perform private.fail(
      'FF300', 'You are going too fast. Wait a moment and try again.',
      ceil(extract(epoch from used[1] + allowed.period - at))::text
    );
  end if;
end
$$;
comment on function private.enforce_visitor_limit(text, text) is 'Counts one use of a limited action by a visitor; FF300 above the limit. A refused use is not counted.';

-- The one answer about a certificate that is public. Visitors have no privilege: the edge function verify-certificate calls it.
-- @rpc service_role
-- Server: what the certificate with this code says.
create function private.verify_certificate(code text, visitor text) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.enforce_visitor_limit(visitor, 'public_code');
  return (
    select jsonb_build_object(
      'name', c.member_name, 'course', c.course_title, 'mentor', c.mentor_name,
      'completed_on', (c.completed_at at time zone 'utc')::date, 'is_revoked', c.revoked_at is not null
    )
    from private.certificates c where c.code = private.tidy_public_code(verify_certificate.code)
  );
end
$$;
comment on function private.verify_certificate(text, text) is 'What a certificate says, for everybody who knows its code; null for an unknown code, FF300 above thirty a minute.';

-- @rpc authenticated
-- Administrators: revokes the certificate with this code.
create function private.revoke_certificate(code text, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.trimmed_message(reason);
  revoked private.certificates;
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF861', 'Give a reason of up to 500 characters.');
  end if;
  update private.certificates c set revoked_at = now(), revoked_by = admin, revoked_reason = why
  where c.code = private.tidy_public_code(revoke_certificate.code) and c.revoked_at is null returning c.* into revoked;
  if not found then
    perform private.fail('FF862', 'No valid certificate has this code.');
  end if;
  perform private.audit(admin, 'certificate.revoked', revoked.user_id, jsonb_build_object(
    'certificate', revoked.id, 'reason', why, 'before', jsonb_build_object('revoked_at', null),
    'after', jsonb_build_object('revoked_at', revoked.revoked_at)
  ));
end
$$;
comment on function private.revoke_certificate(text, text) is 'Administrators with a second factor: revokes a certificate; audited. FF861 without a reason, FF862.';

-- achievements/notifications.sql

-- The account may be gone by the end of the transaction, and is not waited for.
create function private.tg_achievements__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'achievement', new.key
  from public.profiles r join private.achievement_kinds k on k.key = new.key and k.is_told
  where r.id = new.user_id
  for key share of r skip locked on conflict do nothing;
  return null;
end
$$;

create trigger achievements__notify after insert on private.achievements
  for each row execute function private.tg_achievements__notify();

create function private.tg_certificates__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'certificate', new.id from public.profiles r where r.id = new.user_id
  for key share of r skip locked on conflict do nothing;
  return null;
end
$$;

create function private.notification_part_achievements(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('achievement', k.title)
  from private.newest_notifications(member, array['achievement']) n join private.achievement_kinds k on k.key = n.detail
  union all
  select n.id, jsonb_build_object('certificate_id', c.id, 'excerpt', c.course_title)
  from private.newest_notifications(member, array['certificate']) n
  join private.certificates c on c.id = n.subject_id and c.revoked_at is null
$$;
comment on function private.notification_part_achievements(uuid) is 'Achievements, and certificates until they are revoked.';

reset check_function_bodies;
