-- Rate limits of the auth service. They are stored here, so that they survive a restart and apply across hosts.
-- Keys are keyed hashes: neither IP addresses nor e-mail addresses are stored.
create table host.auth_limits (
  key bytea primary key,
  used integer not null,
  expires_at timestamptz not null
);
comment on table host.auth_limits is 'Fixed windows: uses counted until expires_at.';
create index auth_limits_expires_at_idx on host.auth_limits (expires_at);

create table host.sign_in_failures (
  key bytea primary key,
  failures integer not null,
  locked_until timestamptz not null default '-infinity',
  expires_at timestamptz not null
);
comment on table host.sign_in_failures is 'Wrong passwords and second-factor codes, by account and network, by account and device, and by account.';
create index sign_in_failures_expires_at_idx on host.sign_in_failures (expires_at);

create table host.known_networks (
  key bytea primary key,
  expires_at timestamptz not null
);
comment on table host.known_networks is 'Networks an account signed in from; their wrong guesses are counted separately from those of unknown devices.';
create index known_networks_expires_at_idx on host.known_networks (expires_at);

-- All or nothing: one use is counted in every window, or in none if one of them is exhausted.
-- refused is the position of the first exhausted window, or 0; wait_seconds is the time until that window ends.
create function host.take_limits(keys bytea[], allowed integer[], seconds integer[],
  out refused integer, out wait_seconds double precision) language plpgsql set search_path = '' as $$
declare
  at timestamptz := clock_timestamp();
  counted integer;
  ends timestamptz;
begin
  -- An exhausted limit is rejected without a write.
  select w.place, extract(epoch from l.expires_at - at) into refused, wait_seconds
    from unnest(keys, allowed) with ordinality as w (key, allowed, place)
    join host.auth_limits l on l.key = w.key
    where l.expires_at > at and l.used >= w.allowed
    order by w.place limit 1;
  if found then return; end if;
  begin
    for place in 1 .. cardinality(keys) loop
      insert into host.auth_limits as l (key, used, expires_at)
        values (keys[place], 1, at + make_interval(secs => seconds[place]))
      on conflict (key) do update set
        used = case when l.expires_at <= at then 1 else l.used + 1 end,
        expires_at = case when l.expires_at <= at then excluded.expires_at else l.expires_at end
      returning l.used, l.expires_at into counted, ends;
      if counted > allowed[place] then
        refused := place;
        wait_seconds := extract(epoch from ends - at);
        raise exception using errcode = 'HL001', message = 'the limit is reached';
      end if;
    end loop;
    refused := 0;
    wait_seconds := 0;
  exception when sqlstate 'HL001' then
    null;
  end;
end
$$;
comment on function host.take_limits(bytea[], integer[], integer[]) is 'Counts one use in every window, or in none when one of them is exhausted.';

-- Counted before the password is checked, so that concurrent guesses count too. From the free-th failure on, each
-- attempt that is not locked starts a lock: 30 s, doubling to 15 min. All or nothing.
create function host.begin_sign_in(keys bytea[], free integer[], out wait_seconds double precision)
language plpgsql set search_path = '' as $$
declare
  at timestamptz := clock_timestamp();
  until timestamptz;
begin
  select extract(epoch from max(f.locked_until) - at) into wait_seconds
    from host.sign_in_failures f where f.key = any (keys) and f.locked_until > at;
  if wait_seconds is not null then return; end if;
  begin
    for place in 1 .. cardinality(keys) loop
      insert into host.sign_in_failures as f (key, failures, expires_at) values (keys[place], 1, at + interval '24 hours')
      on conflict (key) do update set
        failures = case when f.expires_at <= at then 1 else f.failures + 1 end,
        locked_until = case
          when f.expires_at <= at or f.failures + 1 < free[place] then '-infinity'
          else at + make_interval(secs => least(900, 30 * 2 ^ least(f.failures + 1 - free[place], 20))) end,
        expires_at = excluded.expires_at
        where f.locked_until <= at;
      if not found then
        select f.locked_until into until from host.sign_in_failures f where f.key = keys[place];
        wait_seconds := greatest(1, extract(epoch from until - at));
        raise exception using errcode = 'HL001', message = 'the account is locked';
      end if;
    end loop;
  exception when sqlstate 'HL001' then
    null;
  end;
end
$$;
comment on function host.begin_sign_in(bytea[], integer[]) is 'Counts a sign-in attempt; returns the seconds to wait while locked, else null.';

-- Deletes expired rows and, beyond max_rows per table, the least important ones.
create function host.purge_auth(max_rows integer) returns void language sql set search_path = '' as $$
  delete from auth.one_time_tokens where created_at < (now() at time zone 'utc') - interval '1 day';
  delete from auth.flow_state where created_at < now() - interval '1 day';
  delete from host.auth_limits where expires_at <= now();
  delete from host.sign_in_failures where expires_at <= now();
  delete from host.known_networks where expires_at <= now();
  delete from host.auth_limits where key in (
    select key from host.auth_limits order by used desc, expires_at desc offset max_rows);
  delete from host.sign_in_failures where key in (
    select key from host.sign_in_failures order by failures desc, expires_at desc offset max_rows);
  delete from host.known_networks where key in (
    select key from host.known_networks order by expires_at desc offset max_rows);
$$;
comment on function host.purge_auth(integer) is 'Deletes expired limits, links and PKCE flows; each host calls it every few minutes.';

-- Deletes old data of accounts in batches. Runs as the auth role: deleting an account cascades.
create index host_unconfirmed_users_idx on auth.users (created_at)
  where email_confirmed_at is null and phone_confirmed_at is null and last_sign_in_at is null;
create index host_revoked_tokens_idx on auth.refresh_tokens (updated_at) where revoked;
create function host.purge_accounts(max_rows integer) returns void language sql set search_path = '' as $$
  delete from auth.audit_log_entries where id in (
    select id from auth.audit_log_entries where created_at < now() - interval '90 days' order by created_at limit max_rows);
  delete from auth.refresh_tokens where id in (
    select id from auth.refresh_tokens where revoked and updated_at < now() - interval '7 days' order by updated_at limit max_rows);
  delete from auth.sessions where id in (
    select ranked.id from (
      select s.id, row_number() over (
        partition by s.user_id order by coalesce(s.refreshed_at at time zone 'utc', s.created_at) desc, s.id) as place
      from auth.sessions s
      where s.user_id in (select user_id from auth.sessions group by user_id having count(*) > 50)
    ) ranked where ranked.place > 50 limit max_rows);
  delete from auth.users where id in (
    select u.id from auth.users u
    where u.email_confirmed_at is null and u.phone_confirmed_at is null and u.last_sign_in_at is null
      and not u.is_sso_user and not u.is_anonymous and u.created_at < now() - interval '7 days'
      and greatest(u.invited_at, u.confirmation_sent_at, u.recovery_sent_at, u.created_at) < now() - interval '7 days'
    order by u.created_at limit max_rows);
$$;
comment on function host.purge_accounts(integer) is
  'Deletes old audit entries, used refresh tokens, sessions beyond 50 per account and accounts not confirmed within 7 days.';

-- An account that several sign-ups have claimed before its address was confirmed: only the password of the sign-up
-- whose own link is opened takes effect.
create table host.contested_sign_ups (
  user_id uuid primary key references auth.users (id) on delete cascade
);
comment on table host.contested_sign_ups is 'Unconfirmed accounts with more than one sign-up; a resent link confirms them without a password.';

-- One row for each address this install was ever served under.
create table host.issuers (
  issuer text primary key,
  first_used_at timestamptz not null default now()
);
comment on table host.issuers is 'Token issuers this install accepts: its own addresses, past and present.';

-- The auth service calls these on its own connections.
grant execute on function
  host.take_limits(bytea[], integer[], integer[]),
  host.begin_sign_in(bytea[], integer[]),
  host.purge_auth(integer)
  to supabase_auth_admin;
