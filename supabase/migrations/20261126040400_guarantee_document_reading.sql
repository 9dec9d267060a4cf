-- Who opens the document of a baseline, and when it is deleted.

-- As for identity documents: the edge function open-guarantee-document calls this with the administrator's token and hands out
-- the bytes itself, so there is no way to them around the record.
create function private.open_guarantee_document(claim_id uuid) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  reader constant uuid := private.require_verified_admin();
  opened record;
begin
  select c.id, c.user_id, c.state, b.document_name into opened
  from private.guarantee_claims c join private.guarantee_baselines b on b.user_id = c.user_id
  where c.id = claim_id and c.state in ('filed', 'appealed') and b.document_name is not null;
  if not found then
    perform private.fail('FF685', 'No claim that waits has such a document.');
  end if;
  if opened.user_id = reader then
    perform private.fail('FF681', 'Another administrator has to decide about your own claim.');
  end if;
  perform private.audit(
    reader, 'guarantee.document_opened', opened.user_id, jsonb_build_object('claim', opened.id, 'state', opened.state)
  );
  return opened.document_name;
end
$$;
revoke all on function private.open_guarantee_document from public, anon, authenticated, service_role;
comment on function private.open_guarantee_document(uuid) is
  'Records that the calling administrator opens the document of a claim that waits (FF685). Returns the name of its file.';
grant execute on function private.open_guarantee_document(uuid) to authenticated;
create function public.open_guarantee_document(claim_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_guarantee_document(claim_id) $$;
revoke all on function public.open_guarantee_document from public, anon, authenticated, service_role;
comment on function public.open_guarantee_document(uuid) is
  'Administrators: record the opening of the document of a claim. The edge function of that name also hands out its bytes.';
grant execute on function public.open_guarantee_document(uuid) to authenticated;

create function private.guarantee_documents_to_purge(after text, batch integer) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name
  from storage.objects o
  left join private.guarantee_baselines b on b.document_name = o.name
  left join private.guarantee_claims c on c.user_id = b.user_id
  where o.bucket_id = 'guarantee-documents' and o.name > after
    and case
      -- Chosen and never recorded, or recorded no more, or of an account that is gone.
      when b.user_id is null then o.created_at < now() - interval '1 day'
      when c.id is null then now() >= private.guarantee_end(b) + (b.terms ->> 'claim_days')::integer * interval '1 day'
      -- A declined claim can be appealed against for thirty days.
      else c.state not in ('filed', 'appealed') and c.decided_at < now() - interval '30 days'
    end
  order by o.name
  limit batch
$$;
revoke all on function private.guarantee_documents_to_purge from public, anon, authenticated, service_role;
comment on function private.guarantee_documents_to_purge(text, integer) is
  'Documents of baselines to delete, by name after the given one: unused for a day, no claim in its time, or thirty days after the decision.';
grant execute on function private.guarantee_documents_to_purge(text, integer) to service_role;

create function private.record_deleted_guarantee_documents(documents text[]) returns void
  language sql volatile security definer set search_path = '' as $$
  with forgotten as (
    update private.guarantee_baselines b set document_name = null where b.document_name = any (documents) returning b.user_id
  )
  select private.audit(null, 'guarantee.document_deleted', f.user_id) from forgotten f
$$;
revoke all on function private.record_deleted_guarantee_documents from public, anon, authenticated, service_role;
comment on function private.record_deleted_guarantee_documents(text[]) is 'Takes documents that were deleted from their baselines. Audited.';
grant execute on function private.record_deleted_guarantee_documents(text[]) to service_role;

create function public.guarantee_documents_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select private.guarantee_documents_to_purge(after, batch) $$;
revoke all on function public.guarantee_documents_to_purge from public, anon, authenticated, service_role;
comment on function public.guarantee_documents_to_purge(text, integer) is 'Server: documents of baselines to delete now.';
create function public.record_deleted_guarantee_documents(documents text[]) returns void
  language sql volatile set search_path = '' as $$ select private.record_deleted_guarantee_documents(documents) $$;
revoke all on function public.record_deleted_guarantee_documents from public, anon, authenticated, service_role;
comment on function public.record_deleted_guarantee_documents(text[]) is 'Server: these documents of baselines were deleted.';
grant execute on function public.guarantee_documents_to_purge(text, integer), public.record_deleted_guarantee_documents(text[])
  to service_role;

-- The member sees that there is one, and so does an administrator in a claim.
create or replace function private.my_guarantee() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  terms private.guarantee_terms;
  baseline private.guarantee_baselines;
  started_at timestamptz := private.guarantee_start(caller);
  month_now integer;
begin
  select b.* into baseline from private.guarantee_baselines b where b.user_id = caller;
  if found then
    started_at := baseline.started_at;
    terms := jsonb_populate_record(null::private.guarantee_terms, baseline.terms);
  else
    select t.* into terms from private.guarantee_terms t;
  end if;
  if started_at is null then
    return null;
  end if;
  month_now := private.guarantee_month(started_at, now());
  return jsonb_build_object(
    'started_at', started_at,
    'baseline_until', started_at + terms.baseline_days * interval '1 day',
    'is_baseline_open', now() < started_at + terms.baseline_days * interval '1 day',
    'terms', to_jsonb(terms) - 'id' - 'opened_at',
    'baseline', case when baseline.user_id is null then null else jsonb_build_object(
      'monthly_pence', baseline.monthly_pence, 'source', baseline.source, 'document_name', baseline.document_name,
      'target_pence', terms.income_multiple * greatest(baseline.monthly_pence, terms.least_base_pence),
      'ends_at', private.guarantee_end(baseline),
      'claim_until', private.guarantee_end(baseline) + terms.claim_days * interval '1 day',
      'month', least(month_now, terms.months + 1)
    ) end,
    'check_ins', coalesce((
      select jsonb_agg(jsonb_build_object('month', c.month_number, 'monthly_pence', c.monthly_pence) order by c.month_number)
      from private.guarantee_check_ins c where c.user_id = caller
    ), '[]'),
    'lines', coalesce((select jsonb_agg(to_jsonb(l)) from private.guarantee_lines(caller, now()) l), '[]')
  );
end
$$;

create or replace function private.guarantee_queue() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    select coalesce(jsonb_agg(private.claim_answer(c) || jsonb_build_object(
      'user_id', c.user_id, 'first_name', p.first_name, 'last_name', p.last_name, 'email', u.email,
      'baseline', (
        select jsonb_build_object(
          'monthly_pence', b.monthly_pence, 'source', b.source, 'started_at', b.started_at,
          'has_document', c.state in ('filed', 'appealed') and b.document_name is not null,
          'check_ins', (
            select coalesce(jsonb_agg(jsonb_build_object('month', k.month_number, 'monthly_pence', k.monthly_pence)
              order by k.month_number), '[]')
            from private.guarantee_check_ins k where k.user_id = c.user_id
          )
        )
        from private.guarantee_baselines b where b.user_id = c.user_id
      ),
      'to_refund', (select count(*) from private.guarantee_refunds(c) r),
      'renews', exists (select from private.claim_renewals(c))
    ) order by coalesce(c.appealed_at, c.filed_at), c.id), '[]')
    from private.guarantee_claims c
    join public.profiles p on p.id = c.user_id
    join auth.users u on u.id = c.user_id
    where c.state in ('filed', 'appealed') or exists (select from private.guarantee_refunds(c)) or exists (select from private.claim_renewals(c))
  );
end
$$;
