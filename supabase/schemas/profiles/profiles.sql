-- What members see of each other. All columns are visible, so e-mail, payment and document data never go here.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  role text not null default 'student' check (role in ('student', 'mentor', 'admin')),
  onboarding_complete boolean not null default false,
  first_name text constraint profiles_first_name_check
    check (char_length(first_name) <= 100 and first_name !~ '[[:cntrl:]]'),
  last_name text constraint profiles_last_name_check
    check (char_length(last_name) <= 100 and last_name !~ '[[:cntrl:]]'),
  occupation text constraint profiles_occupation_check
    check (char_length(occupation) <= 150 and occupation !~ '[[:cntrl:]]'),
  bio text constraint profiles_bio_check check (char_length(bio) <= 2000),
  updated_at timestamptz not null default now(),
  -- Members see the column of each other. Nothing but set_my_picture and admin_remove_picture writes it.
  avatar_url text,
  constraint profiles_avatar_url_check check (
    char_length(avatar_url) <= 600
    and avatar_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/profile-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'
  )
);
grant select, insert, update, delete on public.profiles to service_role;
-- The app sends all of these columns. The triggers below decide which of them take effect.
grant select (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at, avatar_url),
  insert (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at),
  update (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at)
  on public.profiles to authenticated;
comment on table public.profiles is
  'Profile of an account. Members see all columns of those they may see at all, so nothing private belongs here.';
comment on column public.profiles.role is 'Set by the server: mentor by the webhook, admin by the operator.';
comment on column public.profiles.onboarding_complete is 'Becomes true once, when all required steps are done.';
comment on column public.profiles.avatar_url is
  'Public URL of an object of the account in the bucket profile-pictures; without the origin when the server''s address was not known.';
create index profiles_role_idx on public.profiles (role) where role <> 'student';
alter table public.profiles enable row level security;

-- Policies call these about the caller. They take no account as argument, so a client cannot ask about another one.
-- plpgsql caches the plan; an SQL function would be planned again by each statement.
create function private.caller_is_admin()
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
grant execute on function private.caller_is_admin to authenticated;

create function private.caller_is_member()
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
grant execute on function private.caller_is_member to authenticated;

create function private.caller_plan_role() returns text
  language sql stable security definer set search_path = '' as $$
  select private.plan_role(auth.uid())
$$;
comment on function private.caller_plan_role() is 'Role the calling account pays for.';
grant execute on function private.caller_plan_role to authenticated;

-- Every function for administrators begins with this.
create function private.require_admin()
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

-- Accounts see themselves. Members see onboarded accounts and administrators. Administrators see all accounts.
create policy select_self_or_member on public.profiles for select to authenticated using (
    id = (select auth.uid())
    or (select private.caller_is_admin())
    or (
      (select private.caller_is_member())
      and (
        role = 'admin'
        or (onboarding_complete and id not in (select private.caller_hidden_members()))
      )
    )
  );

create policy insert_self on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));

create policy update_self on public.profiles for update to authenticated
  using (id = (select auth.uid()));

-- Also runs for the row an upsert proposes, so it must not reset the role and onboarding state of the existing row.
create function private.tg_profiles__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  existing public.profiles;
begin
  new.updated_at := now();
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.id is distinct from auth.uid() then
    return new;
  end if;
  select p.* into existing from public.profiles p where p.id = new.id;
  if not found then
    new.role := private.caller_plan_role();
    new.onboarding_complete := false;
    return new;
  end if;
  new.role := existing.role;
  if existing.onboarding_complete then
    new.onboarding_complete := true;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;
create trigger profiles__guard_insert before insert on public.profiles
  for each row execute function private.tg_profiles__guard_insert();

-- Members edit names, occupation and bio. The other columns keep their stored values.
create function private.tg_profiles__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if not private.is_outside_caller() then
    return new;
  end if;
  new.role := old.role;
  if old.onboarding_complete then
    new.onboarding_complete := true;
    -- A name that was given can be changed, not taken away. Profiles without one may stay so.
    if new.first_name is distinct from old.first_name then
      perform private.require_answer(7, 'first_name', new.first_name);
    end if;
    if new.last_name is distinct from old.last_name then
      perform private.require_answer(7, 'last_name', new.last_name);
    end if;
    if new.occupation is distinct from old.occupation then
      perform private.require_answer(7, 'occupation', new.occupation);
    end if;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;
create trigger profiles__guard_update before update on public.profiles
  for each row execute function private.tg_profiles__guard_update();

-- Called by the webhook and the reconcile job. Administrators keep their role whatever their plan is.
create function private.set_role_from_plan(member uuid, plan_role text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if plan_role is null or plan_role not in ('student', 'mentor') then
    raise exception 'a plan cannot give the role %', plan_role;
  end if;
  update public.profiles set role = plan_role
  where id = member and role <> 'admin' and role <> plan_role;
end
$$;
comment on function private.set_role_from_plan(uuid, text) is 'Sets student or mentor on an account that is not an administrator.';

-- Called by the operator's command line only.
create function private.make_admin(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, role) values (member, 'admin')
  on conflict (id) do update set role = 'admin';
  perform private.audit(null, 'account.made_admin', member);
end
$$;
comment on function private.make_admin(uuid) is 'Makes an account an administrator, with a profile if it has none; audited.';
