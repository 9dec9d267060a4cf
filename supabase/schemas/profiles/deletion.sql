-- The audit log records that an account existed and when it was deleted. Its data is deleted with it.
create function private.tg_profiles__record_deletion() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(null, 'profile.deleted', old.id, jsonb_build_object('role', old.role));
  return old;
end
$$;
create trigger profiles__record_deletion after delete on public.profiles
  for each row execute function private.tg_profiles__record_deletion();

-- Removes data of an account outside its own rows. docs/subsystems/access.md lists what is kept, and why.

-- The auth service logs every sign-in with account id and e-mail address. Entries that contain either are deleted.
create function private.erase_auth_records(member uuid, address text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from auth.audit_log_entries e
  where (
      position(member::text in e.payload::text) > 0
      or (address <> '' and position(lower(address) in lower(e.payload::text)) > 0)
    )
    and jsonb_path_exists(
      e.payload::jsonb, '$.** ? (@ == $member || @ == $address)',
      jsonb_build_object('member', member, 'address', address)
    );
  -- Has no foreign key to the account where the auth service created the table.
  delete from auth.flow_state f where f.user_id = member;
end
$$;
comment on function private.erase_auth_records(uuid, text) is 'Deletes a removed account from the auth service''s audit log and sign-in flows.';

create function private.tg_users__erase() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.erase_auth_records(old.id, coalesce(old.email, ''));
  return null;
end
$$;
create trigger users__erase after delete on auth.users
  for each row execute function private.tg_users__erase();
