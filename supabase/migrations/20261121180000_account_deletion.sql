-- The audit log records that an account existed and when it was deleted. Its data is deleted with it.
create function private.tg_profiles__record_deletion() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(null, 'profile.deleted', old.id, jsonb_build_object('role', old.role));
  return old;
end
$$;
revoke all on function private.tg_profiles__record_deletion from public, anon, authenticated, service_role;
create trigger profiles__record_deletion after delete on public.profiles
  for each row execute function private.tg_profiles__record_deletion();
