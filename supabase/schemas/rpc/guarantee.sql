-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.file_guarantee_claim(monthly_pence bigint, statement text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.file_guarantee_claim(monthly_pence, statement) $$;
comment on function public.file_guarantee_claim is 'Makes the caller''s claim under the guarantee; its state and lines.';
grant execute on function private.file_guarantee_claim, public.file_guarantee_claim to authenticated;

create function public.appeal_guarantee_claim(appeal text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.appeal_guarantee_claim(appeal) $$;
comment on function public.appeal_guarantee_claim is 'Appeals once against a declined claim.';
grant execute on function private.appeal_guarantee_claim, public.appeal_guarantee_claim to authenticated;

create function public.my_guarantee_claim() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_guarantee_claim() $$;
comment on function public.my_guarantee_claim is 'The caller''s claim under the guarantee; null when none was made.';
grant execute on function private.my_guarantee_claim, public.my_guarantee_claim to authenticated;

create function public.guarantee_queue() returns jsonb
  language sql stable set search_path = '' as $$ select private.guarantee_queue() $$;
comment on function public.guarantee_queue is 'Administrators: claims under the guarantee that wait.';
grant execute on function private.guarantee_queue, public.guarantee_queue to authenticated;

create function public.decide_guarantee_claim(claim_id uuid, is_granted boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.decide_guarantee_claim(claim_id, is_granted, reason) $$;
comment on function public.decide_guarantee_claim is 'Administrators: grant or decline a claim, with a reason.';
grant execute on function private.decide_guarantee_claim, public.decide_guarantee_claim to authenticated;

create function public.guarantee_settlement(claim_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.guarantee_settlement(claim_id) $$;
comment on function public.guarantee_settlement is 'Administrators: what a granted claim is still owed; the function admin-settle-guarantee asks the card provider.';
grant execute on function private.guarantee_settlement, public.guarantee_settlement to authenticated;

create function public.record_guarantee_baseline(monthly_pence bigint, source text, document_name text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_baseline(monthly_pence, source, document_name) $$;
comment on function public.record_guarantee_baseline is 'Writes down what the caller earns a month, in the first week, with a document that shows it when there is one.';
grant execute on function private.record_guarantee_baseline, public.record_guarantee_baseline to authenticated;

create function public.open_guarantee_document(claim_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_guarantee_document(claim_id) $$;
comment on function public.open_guarantee_document is 'Administrators: record the opening of the document of a claim. The edge function of that name also hands out its bytes.';
grant execute on function private.open_guarantee_document, public.open_guarantee_document to authenticated;

create function public.guarantee_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.guarantee_documents_to_purge(after, batch) $$;
comment on function public.guarantee_documents_to_purge is 'Server: documents of baselines to delete now.';
grant execute on function private.guarantee_documents_to_purge, public.guarantee_documents_to_purge to service_role;

create function public.record_deleted_guarantee_documents(documents text[]) returns void
  language sql volatile set search_path = '' as $$ select private.record_deleted_guarantee_documents(documents) $$;
comment on function public.record_deleted_guarantee_documents is 'Server: these documents of baselines were deleted.';
grant execute on function private.record_deleted_guarantee_documents, public.record_deleted_guarantee_documents to service_role;

create function public.guarantee_figures() returns table(decided bigint, granted bigint)
  language sql stable set search_path = '' as $$ select * from private.guarantee_figures() $$;
comment on function public.guarantee_figures is 'Server: how many claims under the guarantee were decided, and how many granted. Function guarantee-figures gives it to visitors.';
grant execute on function private.guarantee_figures, public.guarantee_figures to service_role;

create function public.my_guarantee() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_guarantee() $$;
comment on function public.my_guarantee is 'The caller''s record of the guarantee. Null for an account that never had a paid membership.';
grant execute on function private.my_guarantee, public.my_guarantee to authenticated;

create function public.record_guarantee_check_in(monthly_pence bigint) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_check_in(monthly_pence) $$;
comment on function public.record_guarantee_check_in is 'Writes down what the caller earned in the running month.';
grant execute on function private.record_guarantee_check_in, public.record_guarantee_check_in to authenticated;

create function public.queue_guarantee_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_guarantee_reminders() $$;
comment on function public.queue_guarantee_reminders is 'Server: queue the e-mails about check-ins and claims under the guarantee.';
grant execute on function private.queue_guarantee_reminders, public.queue_guarantee_reminders to service_role;

create function public.billing_claims_to_settle() returns setof uuid
  language sql stable set search_path = '' as $$ select * from private.billing_claims_to_settle() $$;
comment on function public.billing_claims_to_settle is 'Server: granted claims under the guarantee that are not settled.';
grant execute on function private.billing_claims_to_settle, public.billing_claims_to_settle to service_role;

create function public.billing_owed_refunds(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_owed_refunds(member) $$;
comment on function public.billing_owed_refunds is 'Server: what an account still has to get back.';
grant execute on function private.billing_owed_refunds, public.billing_owed_refunds to service_role;

create function public.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_claim_settlement(claim_id) $$;
comment on function public.billing_claim_settlement is 'Server: what a granted claim is still owed.';
grant execute on function private.billing_claim_settlement, public.billing_claim_settlement to service_role;

create function public.billing_claim_renewal_stopped(claim_id uuid, admin uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_claim_renewal_stopped(claim_id, admin) $$;
comment on function public.billing_claim_renewal_stopped is 'Server: the membership of a granted claim no longer renews.';
grant execute on function private.billing_claim_renewal_stopped, public.billing_claim_renewal_stopped to service_role;

create function public.billing_begin_claim_refund(claim_id uuid, payment text, admin uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_claim_refund(claim_id, payment, admin) $$;
comment on function public.billing_begin_claim_refund is 'Server: record a refund of a granted claim before it is made.';
grant execute on function private.billing_begin_claim_refund, public.billing_begin_claim_refund to service_role;
