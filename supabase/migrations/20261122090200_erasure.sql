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
revoke all on function private.erase_auth_records from public, anon, authenticated, service_role;
comment on function private.erase_auth_records(uuid, text) is 'Deletes a removed account from the auth service''s audit log and sign-in flows.';

create function private.tg_users__erase() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.erase_auth_records(old.id, coalesce(old.email, ''));
  return null;
end
$$;
revoke all on function private.tg_users__erase from public, anon, authenticated, service_role;
create trigger users__erase after delete on auth.users
  for each row execute function private.tg_users__erase();
