-- Documents are deleted thirty days after the decision, which is kept. The storage service deletes the files, because
-- deleting rows here would leave the bytes behind. The database lists what is due and records what was deleted.

-- Scans the bucket, which holds at most one month of documents and those that wait for a review.
create function private.verification_documents_due(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  left join public.user_verifications v on v.document_url = o.name
  where o.bucket_id = 'verification-documents' and o.name > after
    -- Uploads that were never submitted, or whose account is gone, have no decision to wait for.
    and case when v.id is null then o.created_at else v.reviewed_at end < now() - interval '30 days'
  order by o.name
  limit batch
$$;
revoke all on function private.verification_documents_due from public, anon, authenticated, service_role;
comment on function private.verification_documents_due(text, integer) is
  'Documents whose decision is more than 30 days old, or whose upload if they were never submitted; by name, after the given one.';
grant execute on function private.verification_documents_due(text, integer) to service_role;

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
revoke all on function private.record_deleted_documents from public, anon, authenticated, service_role;
comment on function private.record_deleted_documents(text[]) is 'Adds an entry to the audit log for each document that was removed.';
grant execute on function private.record_deleted_documents(text[]) to service_role;

-- The API functions, for the server role only.
create function public.verification_documents_due(after text default '', batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select private.verification_documents_due(after, batch) $$;
revoke all on function public.verification_documents_due from public, anon, authenticated, service_role;
create function public.record_deleted_documents(documents text[]) returns void
  language sql volatile set search_path = '' as $$ select private.record_deleted_documents(documents) $$;
revoke all on function public.record_deleted_documents from public, anon, authenticated, service_role;
comment on function public.verification_documents_due(text, integer) is 'Server: identity documents to delete now.';
comment on function public.record_deleted_documents(text[]) is 'Server: these identity documents were deleted.';
grant execute on function public.verification_documents_due(text, integer), public.record_deleted_documents(text[])
  to service_role;
