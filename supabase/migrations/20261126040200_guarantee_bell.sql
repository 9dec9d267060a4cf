-- The bell asks for the check-in as the e-mail does, and stops once it is made.
insert into private.notification_kinds (kind, topic) values ('check_in_due', 'progress');

create function private.guarantee_reminders_due() returns table (member uuid, template text, month_number integer, until timestamptz)
  language sql stable security definer set search_path = '' as $$
  select d.* from (
    select b.user_id, 'guarantee_check_in', m.month_number,
      ((b.started_at at time zone 'utc') + m.month_number * interval '1 month') at time zone 'utc' as until
    from private.guarantee_baselines b, private.guarantee_month(b.started_at, now()) m (month_number)
    where now() < private.guarantee_end(b)
      and not exists (
        select from private.guarantee_check_ins c where c.user_id = b.user_id and c.month_number = m.month_number
      )
    union all
    select b.user_id, 'guarantee_claim_open', null, private.guarantee_end(b) + (b.terms ->> 'claim_days')::integer * interval '1 day'
    from private.guarantee_baselines b
    where now() >= private.guarantee_end(b)
      and not exists (select from private.guarantee_claims c where c.user_id = b.user_id)
      and not exists (select from private.guarantee_lines(b.user_id, private.guarantee_end(b)) l where not l.met)
  ) d (member, template, month_number, until)
  where d.until > now() and (d.template = 'guarantee_claim_open' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.member)
$$;
revoke all on function private.guarantee_reminders_due from public, anon, authenticated, service_role;
comment on function private.guarantee_reminders_due() is
  'Members in the last week of a month without a check-in, and those who can make a claim. Members whose membership has ended are left alone.';

create or replace function private.queue_guarantee_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.member, d.template, concat_ws(':', d.template, d.member, d.month_number), jsonb_build_object('until', d.until)
  )) into queued
  from private.guarantee_reminders_due() d;
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'check_in_due', d.month_number::text
  from private.guarantee_reminders_due() d join public.profiles r on r.id = d.member
  where d.template = 'guarantee_check_in'
  -- Who is being deleted is not waited for.
  for key share of r skip locked on conflict do nothing;
  return queued;
end
$$;
comment on function private.queue_guarantee_reminders() is
  'Queues an e-mail in the last week of a month without a check-in, and one when a claim can be made; their number. The bell asks for the check-in too.';

create function private.notification_part_guarantee(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if not private.has_live_membership(member) then
    return;
  end if;
  return query
  select n.id, '{}'::jsonb
  from private.newest_notifications(member, array['check_in_due']) n
  join private.guarantee_baselines b on b.user_id = member
  where n.detail = private.guarantee_month(b.started_at, now())::text and now() < private.guarantee_end(b)
    and not exists (
      select from private.guarantee_check_ins c where c.user_id = member and c.month_number::text = n.detail
    );
end
$$;
revoke all on function private.notification_part_guarantee from public, anon, authenticated, service_role;
comment on function private.notification_part_guarantee(uuid) is 'A check-in that is due, until it is made or its month is over.';
