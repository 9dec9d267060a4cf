-- The decision about a document reaches the member's page live. The policy asks for a live session, because Realtime
-- does not pass through the check before API requests.
drop policy select_own_or_admin on public.user_verifications;
create policy select_own_or_admin on public.user_verifications for select to authenticated using (
  (user_id = (select auth.uid()) or (select private.caller_is_verified_admin())) and (select private.session_is_live())
);
alter publication supabase_realtime add table public.user_verifications;

-- The limits of submissions do not depend on what the caller may read.
create function private.caller_verification_counts(out open_count integer, out rejected_count integer)
  language sql stable security definer set search_path = '' as $$
  select count(*) filter (where v.status in ('pending', 'approved'))::integer,
    count(*) filter (where v.status = 'rejected')::integer
  from public.user_verifications v where v.user_id = auth.uid()
$$;
revoke all on function private.caller_verification_counts from public, anon, authenticated, service_role;
comment on function private.caller_verification_counts() is
  'How many documents of the calling account are pending or approved, and how many were rejected.';
grant execute on function private.caller_verification_counts() to authenticated;

create or replace function private.tg_user_verifications__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  counts record;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  new.status := 'pending';
  new.submitted_at := clock_timestamp();
  -- Some clients send the object's address; its last part is the name.
  new.document_url := regexp_replace(regexp_replace(new.document_url, '[?#].*$', ''), '^.*/', '');
  perform pg_advisory_xact_lock(hashtextextended('user_verifications:' || new.user_id::text, 0));
  select * into counts from private.caller_verification_counts();
  if counts.open_count > 0 then
    perform private.fail('FF111', 'An identity document is already being reviewed or was approved.');
  end if;
  if counts.rejected_count >= 5 then
    perform private.fail('FF112', 'Maximum verification attempts exceeded.');
  end if;
  if not private.caller_has_document(new.document_url) then
    perform private.fail('FF113', 'The identity document has not been uploaded.');
  end if;
  return new;
end
$$;
