-- A fresh code proves the person only if its factor is older than the session: with a stolen session anyone could set up a
-- factor of their own and enter its code.
create function private.require_fresh_second_factor() returns uuid
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

create function private.require_act_reason(reason text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF511', 'Give a reason of at most 500 characters.');
  end if;
  return why;
end
$$;
comment on function private.require_act_reason(text) is 'The reason without white space at its ends; raises FF511 without one.';

-- Locks the account, so that two administrators act one after the other.
create function private.require_other_account(caller uuid, member uuid) returns auth.users
  language plpgsql volatile security definer set search_path = '' as $$
declare
  account auth.users;
begin
  if member = caller then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  select u.* into account from auth.users u where u.id = member and u.deleted_at is null for no key update;
  if not found then
    perform private.fail('FF510', 'There is no such account.');
  end if;
  return account;
end
$$;
comment on function private.require_other_account(uuid, uuid) is 'The account, locked; raises FF510 without one and FF513 for the caller''s own.';

-- Sessions are ended, not deleted: their renewal then answers user_banned, and session_expired after the suspension.
-- @rpc authenticated
-- Administrators: suspend a member with a reason, for 1 to 365 days or until it is lifted.
create function private.suspend_member(member uuid, reason text, days integer default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  ends_at timestamptz := now() + make_interval(days => days);
begin
  if days not between 1 and 365 then
    perform private.fail('FF515', 'A suspension lasts 1 to 365 days, or until it is lifted.');
  end if;
  if exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    perform private.fail('FF514', 'Take the administrator role away first.');
  end if;
  if account.banned_until > now() then
    perform private.fail('FF512', 'This account is suspended already.');
  end if;
  update auth.users u set banned_until = coalesce(ends_at, now() + interval '100 years') where u.id = member;
  update auth.sessions s set not_after = now() where s.user_id = member and (s.not_after is null or s.not_after > now());
  perform private.audit(admin, 'account.suspended', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('suspended', false),
    'after', jsonb_strip_nulls(jsonb_build_object('suspended', true, 'until', ends_at))
  ));
  perform private.enqueue_email(
    member, 'account_suspended', concat_ws(':', 'account_suspended', member, pg_current_xact_id()),
    jsonb_build_object('reason', why, 'until', ends_at)
  );
end
$$;
comment on function private.suspend_member(uuid, text, integer) is
  'Suspends an account for so many days, or until it is lifted (null), and ends its sessions. Audited, and told by e-mail.';

-- @rpc authenticated
-- Administrators: let a suspended member sign in again.
create function private.lift_suspension(member uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
begin
  if coalesce(account.banned_until <= now(), true) then
    perform private.fail('FF512', 'This account is not suspended.');
  end if;
  update auth.users u set banned_until = null where u.id = member;
  perform private.audit(admin, 'account.suspension_lifted', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('suspended', true), 'after', jsonb_build_object('suspended', false)
  ));
end
$$;
comment on function private.lift_suspension(uuid, text) is 'Ends the suspension of an account. Audited.';

-- @rpc authenticated
-- Administrators: sign a member out everywhere; returns how many sessions ended.
create function private.sign_out_member(member uuid, reason text) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  ended integer;
begin
  delete from auth.sessions s where s.user_id = account.id;
  get diagnostics ended = row_count;
  perform private.audit(admin, 'account.signed_out', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('sessions', ended), 'after', jsonb_build_object('sessions', 0)
  ));
  return ended;
end
$$;
comment on function private.sign_out_member(uuid, text) is 'Ends every session of an account; returns how many. Audited.';

-- One change of the role at a time. The caller is asked again under the lock, so that two administrators cannot take the
-- role from each other; the caller keeps it, so there is always one left.
-- @rpc authenticated
-- Administrators with a fresh second factor: make another account an administrator, or no longer one.
create function private.set_member_admin(member uuid, is_admin boolean, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_fresh_second_factor();
  why text := private.require_act_reason(reason);
  account auth.users;
  former text;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.set_member_admin', 0));
  perform private.require_fresh_second_factor();
  account := private.require_other_account(admin, member);
  select p.role into former from public.profiles p where p.id = member;
  if is_admin is null or (coalesce(former, 'student') = 'admin') = is_admin then
    perform private.fail('FF516', 'This account has that role already.');
  end if;
  if is_admin and (account.banned_until > now() or account.email_confirmed_at is null) then
    perform private.fail('FF517', 'A suspended account, or one with an unconfirmed address, cannot be an administrator.');
  end if;
  chosen := case when is_admin then 'admin' else private.plan_role(member) end;
  insert into public.profiles as p (id, role) values (member, chosen) on conflict (id) do update set role = excluded.role;
  if not is_admin then
    delete from private.pending_admins a where a.user_id = member;
  end if;
  perform private.audit(
    admin, case when is_admin then 'account.made_admin' else 'account.removed_admin' end, member,
    jsonb_build_object('reason', why, 'before', jsonb_build_object('role', former), 'after', jsonb_build_object('role', chosen))
  );
end
$$;
comment on function private.set_member_admin(uuid, boolean, text) is
  'Gives or takes the administrator role; a former administrator gets the role of the plan. Needs a code of the last five minutes. Audited.';
