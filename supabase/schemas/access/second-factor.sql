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
