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
