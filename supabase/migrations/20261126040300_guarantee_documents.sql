-- The optional document of a baseline: private, added in the first week, never replaced, opened by administrators in a claim
-- alone, and deleted when the guarantee's time is over. docs/subsystems/guarantee.md.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'guarantee-documents', 'guarantee-documents', false, 10485760,
  array['image/jpeg', 'image/png', 'application/pdf']
)
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

alter table private.guarantee_baselines add column document_name text;
alter table private.guarantee_baselines add constraint guarantee_baselines_document_name_check
  check (starts_with(document_name, user_id::text || '-baseline-')) not valid;
comment on column private.guarantee_baselines.document_name is
  'Name of an object in the private bucket guarantee-documents; null without a document, and after it was deleted.';

create function private.is_baseline_open(member uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select coalesce(now() < private.guarantee_start(member) + t.baseline_days * interval '1 day', false) from private.guarantee_terms t
$$;
revoke all on function private.is_baseline_open from public, anon, authenticated, service_role;
comment on function private.is_baseline_open(uuid) is 'True in the first week of an account''s guarantee, while the baseline can be written down.';

create function private.caller_baseline_is_open() returns boolean
  language sql stable security definer set search_path = '' as $$ select private.is_baseline_open(auth.uid()) $$;
revoke all on function private.caller_baseline_is_open from public, anon, authenticated, service_role;
comment on function private.caller_baseline_is_open() is 'Whether the caller can still write down where they start. For the policy of the bucket.';
grant execute on function private.caller_baseline_is_open() to authenticated;

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
revoke all on function private.tg_storage_objects__limit_guarantee_documents from public, anon, authenticated, service_role;
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

-- A correction without a document keeps the one there is.
drop function public.record_guarantee_baseline(bigint, text);
drop function private.record_guarantee_baseline(bigint, text);
create function private.record_guarantee_baseline(monthly_pence bigint, source text, document_name text) returns void
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
    perform private.fail('FF671', 'The first week is over, so where you started can no longer be written down.');
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
revoke all on function private.record_guarantee_baseline from public, anon, authenticated, service_role;
comment on function private.record_guarantee_baseline(bigint, text, text) is
  'Writes down where the caller starts, with the terms of the day and an uploaded document (FF684). It can be corrected until the first week is over (FF671).';
grant execute on function private.record_guarantee_baseline(bigint, text, text) to authenticated;
create function public.record_guarantee_baseline(monthly_pence bigint, source text, document_name text default null) returns void
  language sql volatile set search_path = '' as $$ select private.record_guarantee_baseline(monthly_pence, source, document_name) $$;
revoke all on function public.record_guarantee_baseline from public, anon, authenticated, service_role;
comment on function public.record_guarantee_baseline(bigint, text, text) is
  'Writes down what the caller earns a month, in the first week, with a document that shows it when there is one.';
grant execute on function public.record_guarantee_baseline(bigint, text, text) to authenticated;
