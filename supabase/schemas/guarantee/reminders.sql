-- A claim is declined and granted once each, and refused once, so each has one e-mail.
create function private.tg_guarantee_claims__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_email(
    new.user_id, case when new.state = 'granted' then 'guarantee_granted' else 'guarantee_declined' end,
    concat_ws(':', 'guarantee', new.id, new.state),
    jsonb_build_object('reason', new.reason, 'appeal_until', case when new.state = 'declined' then private.guarantee_appeal_end(new) end)
  );
  return null;
end
$$;
create trigger guarantee_claims__email after insert or update of state on private.guarantee_claims
  for each row when (new.state in ('granted', 'declined', 'refused'))
  execute function private.tg_guarantee_claims__email();

-- Members whose membership has ended are left alone, and so are those who could not claim with what is on record.
-- @rpc service_role
-- Server: queue the e-mails about check-ins and claims under the guarantee.
create function private.queue_guarantee_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.member, d.template, concat_ws(':', d.template, d.member, d.occurrence), jsonb_build_object('until', d.until)
  )) into queued
  from private.guarantee_reminders_due() d;
  insert into public.notifications (user_id, kind, detail)
  select r.id, case d.template when 'guarantee_check_in' then 'check_in_due' else 'baseline_due' end, d.occurrence::text
  from private.guarantee_reminders_due() d join public.profiles r on r.id = d.member
  where d.template in ('guarantee_check_in', 'guarantee_baseline')
  -- Who is being deleted is not waited for.
  for key share of r skip locked on conflict do nothing;
  return queued;
end
$$;
comment on function private.queue_guarantee_reminders() is
  'Queues the e-mails of private.guarantee_reminders_due, each once; their number. The bell asks for the start and the check-in too.';

create function private.baseline_until(member uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select private.end_of_day(private.guarantee_start(member), t.baseline_days)
  from private.guarantee_terms t
  where private.is_baseline_open(member)
    and private.has_live_membership(member)
    and not exists (select from private.guarantee_baselines b where b.user_id = member)
$$;
comment on function private.baseline_until(uuid) is
  'Until when a member still has to write down where they start; null when it is on record, the first week is over, or without a membership.';

create function private.baseline_reminder(member uuid) returns integer
  language sql stable security definer set search_path = '' as $$
  select max(d.day) from unnest('{1,4,6}'::integer[]) d (day)
  where now() >= private.guarantee_start(member) + d.day * interval '1 day' and private.baseline_until(member) is not null
$$;
comment on function private.baseline_reminder(uuid) is
  'The day of the newest reminder that a member without a baseline was due: 1, 4 or 6 after the start; null before the first.';

create function private.guarantee_reminders_due() returns table (member uuid, template text, occurrence integer, until timestamptz)
  language sql stable security definer set search_path = '' as $$
  select d.* from (
    select b.user_id, 'guarantee_check_in', m.month_number,
      -- The month ends at an hour of that day: the day before is the last whole one.
      private.end_of_day(((b.started_at at time zone 'utc') + m.month_number * interval '1 month') at time zone 'utc', -1) as until
    from private.guarantee_baselines b, private.guarantee_month(b.started_at, now()) m (month_number)
    where now() < private.guarantee_end(b)
      and not exists (
        select from private.guarantee_check_ins c where c.user_id = b.user_id and c.month_number = m.month_number
      )
    union all
    select b.user_id, 'guarantee_claim_open', null, private.guarantee_claim_end(b)
    from private.guarantee_baselines b
    where now() >= private.guarantee_end(b)
      and not exists (select from private.guarantee_claims c where c.user_id = b.user_id)
      and not exists (select from private.guarantee_lines(b.user_id, private.guarantee_end(b)) l where not l.met)
    union all
    select s.user_id, 'guarantee_baseline', private.baseline_reminder(s.user_id), private.baseline_until(s.user_id)
    from (
      -- Who can still be in the first week: new members, and everybody while the record itself is new.
      select distinct p.user_id from private.membership_periods p, private.guarantee_terms t
      where private.end_of_day(greatest(p.started_at, t.opened_at), t.baseline_days) > now()
    ) s
    where private.baseline_reminder(s.user_id) is not null
  ) d (member, template, occurrence, until)
  where d.until > now() and (d.template <> 'guarantee_check_in' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.member)
$$;
comment on function private.guarantee_reminders_due() is
  'Members in the last week of a month without a check-in, those who can make a claim, and those who have to write down where they start. The occurrence is the month of the check-in or the day of the reminder. Members whose membership has ended are left alone.';
