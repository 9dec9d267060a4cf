-- Accounts that wait for an administrator. After five rejected documents one decides whether the member may try again;
-- the rejected documents stay on record, a reset only takes them out of the count and out of what the member reads.
-- An account with several subscriptions is put right at the card provider, and its flag is resolved here.
-- @rpc authenticated
-- Administrators: accounts that wait for a decision, and those kept closed, oldest first.
create function private.flagged_accounts()
  returns table (
    user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamptz, closed_at timestamptz,
    rejections integer, last_reason text, subscriptions jsonb
  )
  language plpgsql stable security definer set search_path = ''
as $$
begin
  perform private.require_verified_admin();
  return query
    select f.user_id, u.email::text, p.first_name, p.last_name, f.reason, f.created_at, f.closed_at,
      (select count(*)::integer from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' and v.attempts_reset_at is null),
      (select v.rejected_reason from public.user_verifications v
        where v.user_id = f.user_id and v.status = 'rejected' order by v.submitted_at desc limit 1),
      case when f.reason in ('several_subscriptions', 'dispute_lost') then coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', s.subscription_id, 'plan', private.plan_name(s.price_id), 'status', s.status,
          'since', s.created_at, 'is_current', s.deleted_at is null
        ) order by s.id)
        from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
        where c.user_id = f.user_id and s.status not in ('not_started', 'incomplete_expired', 'canceled')
      ), '[]') end
    from private.account_flags f
    join auth.users u on u.id = f.user_id
    left join public.profiles p on p.id = f.user_id
    order by coalesce(f.closed_at, f.created_at), f.user_id, f.reason;
end
$$;
comment on function private.flagged_accounts() is
  'Flagged accounts with what they are flagged for, oldest first; those whose form was kept closed have closed_at.';

-- What every decision about a flag asks first. Returns the reason as it is stored.
create function private.require_decision(decider uuid, member uuid, reason text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 1000 then
    perform private.fail('FF123', 'A decision needs a reason of at most 1000 characters.');
  end if;
  if member = decider then
    perform private.fail('FF124', 'Another administrator has to decide about your own account.');
  end if;
  return why;
end
$$;
comment on function private.require_decision(uuid, uuid, text) is
  'The trimmed reason of a decision about another account; raises FF123 or FF124 otherwise.';

-- A form that was kept closed can be reset later, by an administrator who has learned more.
-- @rpc authenticated
-- Administrators: let a member with five rejections try again (reset) or not (keep_closed).
create function private.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  decider uuid := private.require_verified_admin();
  why text;
  flag private.account_flags;
  before text;
begin
  if decision is null or decision not in ('reset', 'keep_closed') then
    perform private.fail('FF122', 'The decision must be reset or keep_closed.');
  end if;
  why := private.require_decision(decider, member, reason);
  select f.* into flag from private.account_flags f
  where f.user_id = member and f.reason = 'verification_attempts_exhausted' for update;
  if not found or (decision = 'keep_closed' and flag.closed_at is not null) then
    perform private.fail('FF121', 'This account is not waiting for a decision.');
  end if;
  before := case when flag.closed_at is null then 'waiting' else 'kept_closed' end;
  if decision = 'reset' then
    delete from private.account_flags f where f.user_id = member and f.reason = flag.reason;
    update public.user_verifications v set attempts_reset_at = now()
    where v.user_id = member and v.status = 'rejected' and v.attempts_reset_at is null;
    -- The member is told by e-mail and on the open page. The rows that changed are hidden from the member, so that the
    -- change itself reaches no page; hence the broadcast on the member's own channel.
    perform private.enqueue_email(
      member, 'identity_attempts_reset', concat_ws(':', 'identity_attempts_reset', member, extract(epoch from now()))
    );
    perform realtime.send('{}', 'attempts_reset', 'identity:' || member, true);
  else
    update private.account_flags f set closed_at = now() where f.user_id = member and f.reason = flag.reason;
  end if;
  perform private.audit(
    decider, case decision when 'reset' then 'verification.attempts_reset' else 'verification.kept_closed' end, member,
    jsonb_build_object('before', before, 'after', case decision when 'reset' then 'open' else 'kept_closed' end, 'reason', why)
  );
end
$$;
comment on function private.decide_flagged_verification(uuid, text, text) is
  'Decides about an account with five rejections: reset the count, also later, or keep the form closed. Audited.';
