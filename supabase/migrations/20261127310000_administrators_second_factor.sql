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
revoke all on function private.is_verified_admin(uuid) from public, anon, authenticated, service_role;
comment on function private.is_verified_admin(uuid) is 'True for administrators who have a second factor. Whether the session has used it is asked of the session.';

create or replace function private.caller_is_admin()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (select from public.profiles p where p.id = auth.uid() and p.role = 'admin')
    and private.caller_has_second_factor();
end
$function$;
comment on function private.caller_is_admin() is 'True when the calling account is an administrator and a code was entered in the session.';

create or replace function private.require_admin()
returns uuid
language plpgsql
stable
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
begin
  if not exists (select from public.profiles p where p.id = caller and p.role = 'admin') then
    perform private.fail('FF002', 'Only administrators may do this.');
  end if;
  perform private.require_aal2();
  return caller;
end
$function$;
comment on function private.require_admin() is 'The calling administrator with a second factor; FF001, FF002 or FF005 for other callers.';

create or replace function private.caller_is_member()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (
    select from public.profiles p
    where p.id = auth.uid()
      and case p.role
        when 'admin' then private.caller_has_second_factor()
        else p.onboarding_complete and private.has_live_membership(p.id)
      end
  );
end
$function$;
comment on function private.caller_is_member() is 'True when the calling account is onboarded and paying, or an administrator with a second factor.';

create or replace view private.effective_levels with (security_invoker = true) as
select p.id as user_id,
  case
    when p.role = 'admin' then case when private.is_verified_admin(p.id) then 4 else 0 end
    when p.onboarding_complete and exists (select from private.live_memberships m where m.user_id = p.id)
      then coalesce((select l.current_level from public.user_levels l where l.user_id = p.id), 1)
    else 0
  end as level
from public.profiles p;
comment on view private.effective_levels is 'Level each account may use now: 0 without onboarding or live membership, 4 for administrators with a second factor.';

create or replace function private.is_mentor(account uuid)
returns boolean
language sql
stable
security definer
set search_path = ''
as $function$
  select exists (
    select from public.profiles p
    where p.id = account
      and (private.is_verified_admin(p.id) or p.role = 'mentor' and p.onboarding_complete and private.has_live_membership(p.id))
  )
$function$;
comment on function private.is_mentor(uuid) is 'True for mentors with a live membership, and for administrators with a second factor.';

-- the first second factor

alter table private.pending_admins add column promoted_at timestamptz;
comment on table private.pending_admins is 'Accounts that become administrators when they choose a password before expires_at, until they have a second factor.';
comment on column private.pending_admins.promoted_at is 'When the password was chosen. The session that did it, which is older, may set up the first second factor for a day.';

create or replace function private.appoint_admin(member uuid, expires_at timestamptz)
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

create or replace function private.tg_users__promote_pending_admin()
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
revoke all on function private.may_set_up_first_factor(uuid, uuid) from public, anon, authenticated, service_role;
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
revoke all on function private.tg_mfa_factors__note_first() from public, anon, authenticated, service_role;
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
revoke all on function private.tg_sessions__guard_first_factor() from public, anon, authenticated, service_role;
create trigger sessions__guard_first_factor after update of factor_id on auth.sessions
  for each row when (new.factor_id is not null)
  execute function private.tg_sessions__guard_first_factor();

-- the door

create or replace function private.session_state()
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

create or replace function private.require_live_session()
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
