-- Every look of an administrator at a member's document is recorded. The storage shows a document to an administrator
-- only for a minute after it was opened through the function below, so there is no way to it around the record.
create table private.document_openings (
  admin_id uuid not null references auth.users (id) on delete cascade,
  verification_id uuid not null references public.user_verifications (id) on delete cascade,
  readable_until timestamptz not null,
  primary key (admin_id, verification_id)
);
revoke all on table private.document_openings from public, anon, authenticated, service_role;
comment on table private.document_openings is
  'Documents an administrator may read now. The record of every opening is the audit log (verification.document_opened).';
create index document_openings_verification_id_idx on private.document_openings (verification_id);
alter table private.document_openings enable row level security;

create function private.open_verification_document(verification_id uuid) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  reader uuid := private.require_verified_admin();
  opened public.user_verifications;
begin
  select v.* into opened from public.user_verifications v where v.id = open_verification_document.verification_id;
  if not found then
    perform private.fail('FF127', 'There is no such document.');
  end if;
  insert into private.document_openings as o (admin_id, verification_id, readable_until)
  values (reader, opened.id, clock_timestamp() + interval '1 minute')
  on conflict on constraint document_openings_pkey do update set readable_until = excluded.readable_until;
  perform private.audit(
    reader, 'verification.document_opened', opened.user_id,
    jsonb_build_object('verification_id', opened.id, 'status', opened.status)
  );
  return opened.document_url;
end
$$;
revoke all on function private.open_verification_document from public, anon, authenticated, service_role;
comment on function private.open_verification_document(uuid) is
  'Records that the calling administrator opens the document, and lets them read it for a minute. Returns its name.';
grant execute on function private.open_verification_document(uuid) to authenticated;
create function public.open_verification_document(verification_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_verification_document(verification_id) $$;
revoke all on function public.open_verification_document from public, anon, authenticated, service_role;
comment on function public.open_verification_document(uuid) is
  'Administrators: open a member''s identity document. Recorded; its file can be read for a minute.';
grant execute on function public.open_verification_document(uuid) to authenticated;

create function private.caller_open_documents() returns text[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.caller_is_verified_admin() then
    return '{}';
  end if;
  return array(
    select v.document_url from private.document_openings o
    join public.user_verifications v on v.id = o.verification_id
    where o.admin_id = auth.uid() and o.readable_until > clock_timestamp()
  );
end
$$;
revoke all on function private.caller_open_documents from public, anon, authenticated, service_role;
comment on function private.caller_open_documents() is 'Names of the documents the calling administrator has opened within the last minute.';
grant execute on function private.caller_open_documents() to authenticated;

drop policy select_own_verification_document_or_admin on storage.objects;
create policy select_own_verification_document_or_opened on storage.objects for select to authenticated
  using (
    bucket_id = 'verification-documents'
    and (
      starts_with(name, (select auth.uid())::text || '-verification-')
      or name = any ((select private.caller_open_documents())::text[])
    )
  );
