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
