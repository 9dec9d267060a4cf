-- Accounts with five rejections wait for an administrator, who may let the member try again. The rejected documents
-- stay on record; a reset only takes them out of the count, and out of what the member's own page reads.
alter table public.user_verifications add column attempts_reset_at timestamptz
  constraint user_verifications_reset_check check (attempts_reset_at is null or status = 'rejected');
comment on column public.user_verifications.attempts_reset_at is
  'When an administrator took this rejection out of the count of attempts; members do not see such rows.';
grant select (attempts_reset_at) on public.user_verifications to authenticated;
drop policy select_own_or_admin on public.user_verifications;
create policy select_own_or_admin on public.user_verifications for select to authenticated using (
  ((user_id = (select auth.uid()) and attempts_reset_at is null) or (select private.caller_is_verified_admin()))
  and (select private.session_is_live())
);

create or replace function private.caller_verification_counts(out open_count integer, out rejected_count integer)
  language sql stable security definer set search_path = '' as $$
  select count(*) filter (where v.status in ('pending', 'approved'))::integer,
    count(*) filter (where v.status = 'rejected' and v.attempts_reset_at is null)::integer
  from public.user_verifications v where v.user_id = auth.uid()
$$;

-- Each document is decided once, by another person, about the version that person saw. A rejection needs a reason.
create or replace function private.review_verification(
  verification_id uuid, decision text, reason text, document_version text, document_sha256 text
) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  reviewer uuid := private.require_verified_admin();
  reviewed public.user_verifications;
  why text := nullif(btrim(reason), '');
begin
  if decision is null or decision not in ('approved', 'rejected') then
    perform private.fail('FF122', 'The decision must be approved or rejected.');
  end if;
  if decision = 'rejected' and (why is null or char_length(why) > 1000) then
    perform private.fail('FF123', 'A rejection needs a reason of at most 1000 characters.');
  end if;
  select v.* into reviewed from public.user_verifications v where v.id = verification_id for update;
  if not found or reviewed.status <> 'pending' then
    perform private.fail('FF121', 'This document is not waiting for a review.');
  end if;
  if reviewed.user_id = reviewer then
    perform private.fail('FF124', 'Another administrator has to decide about your own document.');
  end if;
  -- A document that was changed or lost can still be rejected, so that the member may send another.
  if decision = 'approved' then
    if private.document_state(verification_id) <> 'unchanged' then
      perform private.fail('FF125', 'The document is not the one that was handed in. Reject it and ask for another.');
    end if;
    if document_version is distinct from (
      select p.version from private.document_pins p where p.verification_id = reviewed.id
    ) then
      perform private.fail('FF126', 'This is not the document you looked at. Open it again before you decide.');
    end if;
    update private.document_pins p set reviewed_sha256 = document_sha256 where p.verification_id = reviewed.id;
  end if;
  update public.user_verifications v
  set status = decision,
    rejected_reason = case when decision = 'rejected' then why end,
    verified_at = case when decision = 'approved' then now() end,
    reviewed_at = now()
  where v.id = verification_id;
  perform private.audit(
    reviewer, 'verification.' || decision, reviewed.user_id,
    jsonb_strip_nulls(jsonb_build_object(
      'verification_id', verification_id, 'reason', why,
      'document_version', document_version, 'document_sha256', document_sha256
    ))
  );
  if (select count(*) from public.user_verifications v
      where v.user_id = reviewed.user_id and v.status = 'rejected' and v.attempts_reset_at is null) >= 5 then
    insert into private.account_flags (user_id, reason)
    values (reviewed.user_id, 'verification_attempts_exhausted')
    on conflict do nothing;
  end if;
end
$$;

create or replace function private.verification_queue()
  returns table (
    id uuid, user_id uuid, email text, first_name text, last_name text, document_type text, document_url text,
    submitted_at timestamptz, rejections integer, document_version text, document_state text
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select v.id, v.user_id, u.email::text, p.first_name, p.last_name, v.document_type, v.document_url, v.submitted_at,
      (select count(*)::integer from public.user_verifications r where r.user_id = v.user_id and r.status = 'rejected'
        and r.attempts_reset_at is null),
      (select k.version from private.document_pins k where k.verification_id = v.id),
      private.document_state(v.id)
    from public.user_verifications v
    join auth.users u on u.id = v.user_id
    left join public.profiles p on p.id = v.user_id
    where v.status = 'pending'
    order by v.submitted_at, v.id;
end
$$;

create function private.flagged_verifications()
  returns table (
    user_id uuid, email text, first_name text, last_name text, flagged_at timestamptz, rejections integer, last_reason text
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select f.user_id, u.email::text, p.first_name, p.last_name, f.created_at,
      (select count(*)::integer from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' and v.attempts_reset_at is null),
      (select v.rejected_reason from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' order by v.submitted_at desc limit 1)
    from private.account_flags f
    join auth.users u on u.id = f.user_id
    left join public.profiles p on p.id = f.user_id
    where f.reason = 'verification_attempts_exhausted'
    order by f.created_at, f.user_id;
end
$$;
revoke all on function private.flagged_verifications from public, anon, authenticated, service_role;
comment on function private.flagged_verifications() is 'Accounts whose identity documents were rejected five times, oldest first.';
grant execute on function private.flagged_verifications() to authenticated;
create function public.flagged_verifications()
  returns table (
    user_id uuid, email text, first_name text, last_name text, flagged_at timestamptz, rejections integer, last_reason text
  )
  language sql stable set search_path = '' as $$ select * from private.flagged_verifications() $$;
revoke all on function public.flagged_verifications from public, anon, authenticated, service_role;
comment on function public.flagged_verifications() is 'Administrators: accounts with five rejected documents, oldest first.';
grant execute on function public.flagged_verifications() to authenticated;

-- Each flag is decided once, by another person and with a reason.
create function private.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  decider uuid := private.require_verified_admin();
  why text := nullif(btrim(reason), '');
begin
  if decision is null or decision not in ('reset', 'keep_closed') then
    perform private.fail('FF122', 'The decision must be reset or keep_closed.');
  end if;
  if why is null or char_length(why) > 1000 then
    perform private.fail('FF123', 'A decision needs a reason of at most 1000 characters.');
  end if;
  if member = decider then
    perform private.fail('FF124', 'Another administrator has to decide about your own account.');
  end if;
  delete from private.account_flags f where f.user_id = member and f.reason = 'verification_attempts_exhausted';
  if not found then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  if decision = 'reset' then
    update public.user_verifications v set attempts_reset_at = now()
    where v.user_id = member and v.status = 'rejected' and v.attempts_reset_at is null;
  end if;
  perform private.audit(
    decider, case decision when 'reset' then 'verification.attempts_reset' else 'verification.kept_closed' end, member,
    jsonb_build_object('reason', why)
  );
end
$$;
revoke all on function private.decide_flagged_verification from public, anon, authenticated, service_role;
comment on function private.decide_flagged_verification(uuid, text, text) is
  'Decides about an account with five rejections: reset the count, or keep the form closed. Audited.';
grant execute on function private.decide_flagged_verification(uuid, text, text) to authenticated;
create function public.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.decide_flagged_verification(member, decision, reason) $$;
revoke all on function public.decide_flagged_verification from public, anon, authenticated, service_role;
comment on function public.decide_flagged_verification(uuid, text, text) is
  'Administrators: let a member with five rejections try again (reset) or not (keep_closed).';
grant execute on function public.decide_flagged_verification(uuid, text, text) to authenticated;
