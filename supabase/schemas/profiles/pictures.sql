-- Owners delete their pictures, so uploads are counted and not what is stored. The account is read from the name, because
-- the storage service of a hosted project writes the row with its own role.
create function private.tg_storage_objects__limit_profile_pictures() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if member is null or auth.uid() <> member or not exists (select from auth.users u where u.id = member) then
    return new;
  end if;
  begin
    perform private.enforce_rate_limit(member, 'profile_picture');
  exception when sqlstate 'FF300' then
    -- The storage service knows only SQL's own codes.
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end;
  return new;
end
$$;
create trigger storage_objects__limit_profile_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'profile-pictures')
  execute function private.tg_storage_objects__limit_profile_pictures();

-- There is no policy for update, so no client replaces a picture. Deleting needs to see the row.
create policy insert_own_profile_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'profile-pictures'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
    and (select private.caller_is_member())
  );

create policy select_own_profile_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'profile-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_verified_admin()))
  );

create policy delete_own_profile_picture on storage.objects for delete to authenticated
  using (
    bucket_id = 'profile-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_verified_admin()))
  );

-- The upload must be recent, so that the hourly deletion of unused pictures cannot take it at the same moment.
-- @rpc authenticated
-- Sets the caller's profile picture to an object of theirs, or removes it; returns the name of the former object.
create function private.set_my_picture(name text default null) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = caller for no key update;
  if set_my_picture.name is not distinct from former then
    return null;
  end if;
  if set_my_picture.name is null then
    update public.profiles p set avatar_url = null where p.id = caller;
    return former;
  end if;
  if not private.caller_is_member() then
    perform private.fail('FF341', 'Only members can have a picture.');
  end if;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'profile-pictures' and o.name = set_my_picture.name
      and o.name ~ ('^' || caller::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
      and o.created_at > now() - interval '30 minutes'
  ) then
    perform private.fail('FF340', 'The picture has not been uploaded within the last half hour.');
  end if;
  update public.profiles p set avatar_url =
    coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/profile-pictures/' || set_my_picture.name
  where p.id = caller;
  return former;
end
$$;
comment on function private.set_my_picture(text) is
  'Shows an uploaded picture of the caller on their profile, null none; returns the name of the former one, to delete.';

-- @rpc authenticated
-- Administrators: take a member's picture off their profile, with a reason that the member reads; returns the name of its object.
create function private.admin_remove_picture(member uuid, reason text) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text;
  account auth.users := private.require_other_account(admin, member);
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = account.id for no key update;
  if former is null then
    perform private.fail('FF342', 'This account has no picture.');
  end if;
  why := private.explain_removal('picture', member, row(member, null, '{}')::private.reported, reason);
  update public.profiles p set avatar_url = null where p.id = account.id;
  perform private.audit(admin, 'account.picture_removed', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('picture', former), 'after', jsonb_build_object('picture', null)
  ));
  return former;
end
$$;
comment on function private.admin_remove_picture(uuid, text) is
  'Takes the picture off a profile; returns the name of its object, to delete. Audited.';

-- @rpc service_role
-- Server: profile pictures to delete now.
create function private.profile_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'profile-pictures' and o.name > after and o.created_at < now() - interval '1 hour'
    and not exists (
      select from public.profiles p where p.avatar_url is not null and private.image_name(p.avatar_url) = o.name
    )
  order by o.name
  limit batch
$$;
comment on function private.profile_pictures_to_purge(text, integer) is
  'Pictures older than an hour that no profile shows; by name, after the given one.';
