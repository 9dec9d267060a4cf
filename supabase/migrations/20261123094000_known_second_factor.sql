-- A fresh code proves the person only if its factor is older than the session: with a stolen session anyone could set up a
-- factor of their own and enter its code.
create or replace function private.require_fresh_second_factor() returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_verified_admin();
  session constant uuid := (auth.jwt() ->> 'session_id')::uuid;
begin
  if not exists (
    select from auth.mfa_amr_claims c
    where c.session_id = session and c.authentication_method in ('totp', 'phone', 'mfa/webauthn')
      and c.updated_at > now() - interval '5 minutes'
  ) then
    perform private.fail('FF006', 'Enter a code of your second factor again.');
  end if;
  if not exists (
    select from auth.sessions s join auth.mfa_factors f on f.id = s.factor_id
    where s.id = session and f.user_id = caller and f.status = 'verified' and f.created_at <= s.created_at
  ) then
    perform private.fail('FF007', 'This second factor was set up after you signed in. Sign in again with it first.');
  end if;
  return caller;
end
$$;
comment on function private.require_fresh_second_factor() is
  'The calling administrator who entered a code in this session within five minutes (FF006) of a factor older than the session (FF007).';
