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
create or replace trigger storage_objects__keep_content before update on storage.objects
  for each row when (
    old.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
    or new.bucket_id in ('verification-documents', 'learning-images', 'profile-pictures', 'message-pictures')
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

-- Documents are deleted thirty days after the decision, which is kept. The storage service deletes the files, because
-- deleting rows here would leave the bytes behind. The database lists what is due and records what was deleted.

-- Scans the bucket, which holds at most one month of documents and those that wait for a review.
-- @rpc service_role
-- Server: identity documents to delete now.
create function private.verification_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  left join public.user_verifications v on v.document_url = o.name
  where o.bucket_id = 'verification-documents' and o.name > after
    -- Uploads that were never submitted, or whose account is gone, have no decision to wait for.
    and case when v.id is null then o.created_at else v.reviewed_at end < now() - interval '30 days'
  order by o.name
  limit batch
$$;
comment on function private.verification_documents_to_purge(text,integer) is 'Documents whose decision is more than 30 days old, or whose upload if they were never submitted; by name, after the given one.';

-- @rpc service_role
-- Server: these identity documents were deleted.
create function private.record_deleted_documents(documents text[]) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit(
    null, 'verification.document_deleted', v.user_id,
    jsonb_strip_nulls(jsonb_build_object('verification_id', v.id, 'document', d.name))
  )
  from unnest(documents) as d (name)
  left join public.user_verifications v on v.document_url = d.name;
end
$$;
comment on function private.record_deleted_documents(text[]) is 'Adds an entry to the audit log for each document that was removed.';

-- Every look of an administrator at a member's document is recorded. The storage shows administrators nothing: the edge
-- function open-verification-document calls this with the administrator's token and hands out the bytes itself, so there
-- is no way to them around the record, and no link that could be kept or passed on.
-- @rpc authenticated
-- Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.
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
comment on function private.open_verification_document(uuid) is
  'Records that the calling administrator opens the document. Returns the name of its file.';
