-- Every look of an administrator at a member's document is recorded. The storage shows administrators nothing: the edge
-- function open-verification-document calls this with the administrator's token and hands out the bytes itself, so there
-- is no way to them around the record, and no link that could be kept or passed on.
create function private.open_verification_document(verification_id uuid) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  reader uuid := private.require_verified_admin();
  opened public.user_verifications;
  version text;
begin
  select v.* into opened from public.user_verifications v where v.id = open_verification_document.verification_id;
  if not found then
    perform private.fail('FF127', 'There is no such document.');
  end if;
  select s.version into version from storage.objects s
  where s.bucket_id = 'verification-documents' and s.name = opened.document_url;
  insert into private.document_openings as o (admin_id, verification_id, version, opened_at)
  values (reader, opened.id, version, clock_timestamp())
  on conflict on constraint document_openings_pkey do update set version = excluded.version, opened_at = excluded.opened_at;
  perform private.audit(
    reader, 'verification.document_opened', opened.user_id,
    jsonb_build_object('verification_id', opened.id, 'status', opened.status)
  );
  return opened.document_url;
end
$$;
revoke all on function private.open_verification_document from public, anon, authenticated, service_role;
comment on function private.open_verification_document(uuid) is
  'Records that the calling administrator opens the document. Returns the name of its file.';
grant execute on function private.open_verification_document(uuid) to authenticated;
create function public.open_verification_document(verification_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_verification_document(verification_id) $$;
revoke all on function public.open_verification_document from public, anon, authenticated, service_role;
comment on function public.open_verification_document(uuid) is
  'Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.';
grant execute on function public.open_verification_document(uuid) to authenticated;
