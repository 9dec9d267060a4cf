create function private.is_baseline_open(member uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(now() < private.end_of_day(private.guarantee_start(member), t.baseline_days), false) from private.guarantee_terms t
$$;
comment on function private.is_baseline_open(uuid) is 'True in the first week of an account''s guarantee, while the baseline can be written down.';

create function private.caller_baseline_is_open() returns boolean
  language sql stable security definer set search_path = '' as $$ select private.is_baseline_open(auth.uid()) $$;
comment on function private.caller_baseline_is_open() is 'Whether the caller can still write down where they start. For the policy of the bucket.';
grant execute on function private.caller_baseline_is_open to authenticated;

-- The storage service of a hosted project writes the row with its own role, and a signed upload may be used two hours later, so a
-- trigger decides at the write. It reads the account from the name, which the policy ties to the caller.
create function private.tg_storage_objects__limit_guarantee_documents() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant text := split_part(new.name, '-baseline-', 1);
begin
  -- A row for another account is not changed: the policy refuses it next.
  if auth.uid() is not null and auth.uid()::text <> member then
    return new;
  end if;
  -- Uploads of one account are serialised, so that concurrent ones cannot exceed the limit.
  perform pg_advisory_xact_lock(hashtextextended('guarantee-documents:' || member, 0));
  if (
    select count(*) from storage.objects o
    where o.bucket_id = 'guarantee-documents' and o.name like member || '-baseline-%'
  ) >= 5 then
    perform private.fail('42501', 'This account has stored five documents, which is the most.');
  end if;
  if exists (select from private.guarantee_baselines b where b.document_name = new.name) then
    perform private.fail('42501', 'A document of this name was added before.');
  end if;
  return new;
end
$$;
create trigger storage_objects__limit_guarantee_documents before insert on storage.objects
  for each row when (new.bucket_id = 'guarantee-documents')
  execute function private.tg_storage_objects__limit_guarantee_documents();

create trigger storage_objects__keep_guarantee_documents before update on storage.objects
  for each row when (old.bucket_id = 'guarantee-documents' or new.bucket_id = 'guarantee-documents')
  execute function private.tg_storage_objects__keep_content();

-- There is no policy for update or delete, so documents cannot be replaced.
create policy insert_own_guarantee_document on storage.objects for insert to authenticated
  with check (
    bucket_id = 'guarantee-documents'
    and name ~ ('^' || (select auth.uid())::text || '-baseline-[0-9]{1,20}\.(jpg|jpeg|png|pdf)$')
    and (select private.caller_baseline_is_open())
  );

create policy select_own_guarantee_document on storage.objects for select to authenticated
  using (bucket_id = 'guarantee-documents' and starts_with(name, (select auth.uid())::text || '-baseline-'));

-- @rpc authenticated
-- Writes down what the caller earns a month, in the first week, with a document that shows it when there is one.
create function private.record_guarantee_baseline(monthly_pence bigint, source text, document_name text default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  terms private.guarantee_terms;
  started_at constant timestamptz := private.guarantee_start(caller);
begin
  select t.* into terms from private.guarantee_terms t;
  if started_at is null then
    perform private.fail('FF670', 'The guarantee starts with your membership.');
  end if;
  if not private.is_baseline_open(caller) then
    perform private.fail('FF671', 'Your first week is over, so you can no longer write down where you started.');
  end if;
  perform private.require_income(monthly_pence);
  if coalesce(char_length(btrim(source)), 0) not between 1 and 200 then
    perform private.fail('FF673', 'Say in up to 200 characters where the income comes from.');
  end if;
  if document_name is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'guarantee-documents' and o.name = record_guarantee_baseline.document_name
      and starts_with(o.name, caller::text || '-baseline-')
  ) then
    perform private.fail('FF684', 'The document isn''t there any more. Please add it again.');
  end if;
  perform private.enforce_rate_limit(caller, 'guarantee');
  insert into private.guarantee_baselines as b (user_id, started_at, monthly_pence, source, terms, document_name)
  values (
    caller, started_at, record_guarantee_baseline.monthly_pence, btrim(record_guarantee_baseline.source), to_jsonb(terms),
    record_guarantee_baseline.document_name
  )
  on conflict (user_id) do update
    set monthly_pence = excluded.monthly_pence, source = excluded.source, recorded_at = now(),
      document_name = coalesce(excluded.document_name, b.document_name);
end
$$;
comment on function private.record_guarantee_baseline(bigint, text, text) is
  'Writes down where the caller starts, with the terms of the day and an uploaded document (FF684). It can be corrected until the first week is over (FF671).';

-- Who opens the document of a baseline, and when it is deleted.

-- As for identity documents: the edge function open-guarantee-document calls this with the administrator's token and hands out
-- the bytes itself, so there is no way to them around the record.
-- @rpc authenticated
-- Administrators: record the opening of the document of a claim. The edge function of that name also hands out its bytes.
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
comment on function private.open_guarantee_document(uuid) is
  'Records that the calling administrator opens the document of a claim that waits (FF685). Returns the name of its file.';

-- @rpc service_role
-- Server: documents of baselines to delete now.
create function private.guarantee_documents_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name
  from storage.objects o
  left join private.guarantee_baselines b on b.document_name = o.name
  left join private.guarantee_claims c on c.user_id = b.user_id
  where o.bucket_id = 'guarantee-documents' and o.name > after
    and case
      -- Chosen and never recorded, or recorded no more, or of an account that is gone.
      when b.user_id is null then o.created_at < now() - interval '1 day'
      when c.id is null then now() >= private.guarantee_claim_end(b)
      -- A declined claim can be appealed against for thirty days.
      else c.state not in ('filed', 'appealed') and private.guarantee_appeal_end(c) <= now()
    end
  order by o.name
  limit batch
$$;
comment on function private.guarantee_documents_to_purge(text, integer) is
  'Documents of baselines to delete, by name after the given one: unused for a day, no claim in its time, or thirty days after the decision.';

-- @rpc service_role
-- Server: these documents of baselines were deleted.
create function private.record_deleted_guarantee_documents(documents text[]) returns void
  language sql volatile security definer set search_path = '' as $$
  with forgotten as (
    update private.guarantee_baselines b set document_name = null where b.document_name = any (documents) returning b.user_id
  )
  select private.audit(null, 'guarantee.document_deleted', f.user_id) from forgotten f
$$;
comment on function private.record_deleted_guarantee_documents(text[]) is 'Takes documents that were deleted from their baselines. Audited.';
