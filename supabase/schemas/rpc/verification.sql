-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.verification_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.verification_documents_to_purge(after, batch) $$;
comment on function public.verification_documents_to_purge is 'Server: identity documents to delete now.';
grant execute on function private.verification_documents_to_purge, public.verification_documents_to_purge to service_role;

create function public.record_deleted_documents(documents text[]) returns void
  language sql volatile set search_path = '' as $$ select private.record_deleted_documents(documents) $$;
comment on function public.record_deleted_documents is 'Server: these identity documents were deleted.';
grant execute on function private.record_deleted_documents, public.record_deleted_documents to service_role;

create function public.open_verification_document(verification_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_verification_document(verification_id) $$;
comment on function public.open_verification_document is 'Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.';
grant execute on function private.open_verification_document, public.open_verification_document to authenticated;

create function public.flagged_accounts() returns table(user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamp with time zone, closed_at timestamp with time zone, rejections integer, last_reason text, subscriptions jsonb)
  language sql stable set search_path = '' as $$ select * from private.flagged_accounts() $$;
comment on function public.flagged_accounts is 'Administrators: accounts that wait for a decision, and those kept closed, oldest first.';
grant execute on function private.flagged_accounts, public.flagged_accounts to authenticated;

create function public.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.decide_flagged_verification(member, decision, reason) $$;
comment on function public.decide_flagged_verification is 'Administrators: let a member with five rejections try again (reset) or not (keep_closed).';
grant execute on function private.decide_flagged_verification, public.decide_flagged_verification to authenticated;

create function public.review_verification(verification_id uuid, decision text, reason text default NULL::text, document_version text default NULL::text, document_sha256 text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.review_verification(verification_id, decision, reason, document_version, document_sha256) $$;
comment on function public.review_verification is 'Administrators: approve or reject a pending identity document; an approval names the reviewed version.';
grant execute on function private.review_verification, public.review_verification to authenticated;

create function public.verification_queue() returns table(id uuid, user_id uuid, email text, first_name text, last_name text, document_type text, document_url text, submitted_at timestamp with time zone, rejections integer, document_version text, document_state text)
  language sql stable set search_path = '' as $$ select * from private.verification_queue() $$;
comment on function public.verification_queue is 'Administrators: identity documents waiting for a review, oldest first.';
grant execute on function private.verification_queue, public.verification_queue to authenticated;
