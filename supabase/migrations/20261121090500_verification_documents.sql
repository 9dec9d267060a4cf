-- Identity documents: private, never overwritten, at most 10 MB.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'verification-documents', 'verification-documents', false, 10485760,
  array['image/jpeg', 'image/png', 'application/pdf']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

-- The storage service of a hosted project writes the row with its own role, which bypasses policies, and a signed upload
-- URL may be used two hours after the policy was checked. So a trigger checks at the time of the write. It reads the
-- account from the object's name, which the policy below ties to the caller.
create function private.tg_storage_objects__limit_documents() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member text := split_part(new.name, '-verification-', 1);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  -- Uploads of one account are serialised, so that concurrent ones cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('verification-documents:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'verification-documents' and o.name like member || '-verification-%'
  ) >= 20 then
    perform private.fail('42501', 'This account has stored twenty identity documents, which is the most.');
  end if;
  if exists (select from public.user_verifications v where v.document_url = new.name) then
    perform private.fail('42501', 'A document of this name was handed in before.');
  end if;
  return new;
end
$$;
revoke all on function private.tg_storage_objects__limit_documents from public, anon, authenticated, service_role;
create trigger storage_objects__limit_documents before insert on storage.objects
  for each row when (new.bucket_id = 'verification-documents')
  execute function private.tg_storage_objects__limit_documents();

-- Stored documents and pictures are never changed, by any role: a decision is about exactly these bytes.
create function private.tg_storage_objects__keep_content() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if (new.id, new.bucket_id, new.name, new.owner, new.owner_id, new.version, new.metadata)
    is distinct from (old.id, old.bucket_id, old.name, old.owner, old.owner_id, old.version, old.metadata)
  then
    raise exception using errcode = '42501', message = 'A stored document or picture is never changed.';
  end if;
  return new;
end
$$;
revoke all on function private.tg_storage_objects__keep_content from public, anon, authenticated, service_role;
create trigger storage_objects__keep_content before update on storage.objects
  for each row when (
    old.bucket_id in ('verification-documents', 'learning-images')
    or new.bucket_id in ('verification-documents', 'learning-images')
  )
  execute function private.tg_storage_objects__keep_content();

-- Members upload documents under their own name. The storage shows a document to its owner only.
-- There is no policy for update or delete, so documents cannot be replaced.
create policy insert_own_verification_document on storage.objects for insert to authenticated
  with check (
    bucket_id = 'verification-documents'
    and name ~ ('^' || (select auth.uid())::text || '-verification-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
  );
create policy select_own_verification_document on storage.objects for select to authenticated
  using (bucket_id = 'verification-documents' and starts_with(name, (select auth.uid())::text || '-verification-'));
