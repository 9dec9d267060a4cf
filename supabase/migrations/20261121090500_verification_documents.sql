-- Passports and the like: never public, never overwritten, at most 10 MB.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'verification-documents', 'verification-documents', false, 10485760,
  array['image/jpeg', 'image/png', 'application/pdf']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- Names are the caller's to choose, so their number is bounded, or one account could fill the disk.
create function private.caller_may_add_document() returns boolean
  language sql stable security definer set search_path = '' as $$
  select count(*) < 20 from storage.objects o
  where o.bucket_id = 'verification-documents' and o.name like auth.uid()::text || '-verification-%'
$$;
comment on function private.caller_may_add_document() is 'True while the caller has stored fewer than twenty documents.';
grant execute on function private.caller_may_add_document() to authenticated;

-- A document goes in under its owner's name and is read by its owner and by administrators.
-- There is no policy for update or delete: what was handed in stays as it was.
create policy insert_own_verification_document on storage.objects for insert to authenticated
  with check (
    bucket_id = 'verification-documents'
    and name ~ ('^' || (select auth.uid())::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
    and (select private.caller_may_add_document())
  );
create policy select_own_verification_document_or_admin on storage.objects for select to authenticated
  using (
    bucket_id = 'verification-documents'
    and (
      starts_with(name, (select auth.uid())::text || '-verification-')
      or (select private.caller_is_verified_admin())
    )
  );
