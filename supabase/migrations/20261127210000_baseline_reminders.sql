-- Without a baseline in the first week the guarantee does not apply, and nothing said so. The bell and an e-mail
-- ask for it on days 1, 4 and 6 after the membership begins, and Today counts the days.
insert into private.email_templates (name, kind) values ('guarantee_baseline', 'reminders');
insert into private.email_texts (template, key, placeholders)
select 'guarantee_baseline', k, '{until}' from unnest('{subject,heading,opening,closing}'::text[]) k;
-- The welcome names it too.
insert into private.email_texts (template, key, placeholders)
select 'welcome', 'guarantee', t.placeholders from private.email_texts t where t.template = 'welcome' and t.key = 'next';
insert into private.notification_kinds (kind, topic) values ('baseline_due', 'progress');

create function private.baseline_until(member uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select private.guarantee_start(member) + t.baseline_days * interval '1 day'
  from private.guarantee_terms t
  where private.is_baseline_open(member)
    and private.has_live_membership(member)
    and not exists (select from private.guarantee_baselines b where b.user_id = member)
$$;
revoke all on function private.baseline_until from public, anon, authenticated, service_role;
comment on function private.baseline_until(uuid) is
  'Until when a member still has to write down where they start; null when it is on record, the first week is over, or without a membership.';

create function private.baseline_reminder(member uuid) returns integer
  language sql stable security definer set search_path = '' as $$
  select max(d.day) from unnest('{1,4,6}'::integer[]) d (day)
  where now() >= private.guarantee_start(member) + d.day * interval '1 day' and private.baseline_until(member) is not null
$$;
revoke all on function private.baseline_reminder from public, anon, authenticated, service_role;
comment on function private.baseline_reminder(uuid) is
  'The day of the newest reminder that a member without a baseline was due: 1, 4 or 6 after the start; null before the first.';

drop function private.guarantee_reminders_due();
create function private.guarantee_reminders_due() returns table (member uuid, template text, occurrence integer, until timestamptz)
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
    union all
    select s.user_id, 'guarantee_baseline', private.baseline_reminder(s.user_id), private.baseline_until(s.user_id)
    from (
      -- Who can still be in the first week: new members, and everybody while the record itself is new.
      select distinct p.user_id from private.membership_periods p, private.guarantee_terms t
      where greatest(p.started_at, t.opened_at) > now() - t.baseline_days * interval '1 day'
    ) s
    where private.baseline_reminder(s.user_id) is not null
  ) d (member, template, occurrence, until)
  where d.until > now() and (d.template <> 'guarantee_check_in' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.member)
$$;
revoke all on function private.guarantee_reminders_due from public, anon, authenticated, service_role;
comment on function private.guarantee_reminders_due() is
  'Members in the last week of a month without a check-in, those who can make a claim, and those who have to write down where they start. The occurrence is the month of the check-in or the day of the reminder. Members whose membership has ended are left alone.';

create or replace function private.queue_guarantee_reminders() returns integer
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

create or replace function private.notification_part_guarantee(member uuid) returns table (id bigint, place jsonb)
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
    )
  union all
  -- The newest reminder takes the place of the one before.
  (
    select n.id, jsonb_build_object('deadline', private.baseline_until(member))
    from private.newest_notifications(member, array['baseline_due']) n
    where private.baseline_until(member) is not null
    order by n.id desc limit 1
  );
end
$$;
comment on function private.notification_part_guarantee(uuid) is
  'A start that is still to be written down, until it is or the first week is over; a check-in that is due, until it is made or its month is over.';

create or replace function private.my_today() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  level constant integer := private.effective_level(caller);
begin
  return jsonb_build_object(
    'level', level,
    'next_step', case when level > 0 then private.next_requirement(caller) end,
    'waiting', private.caller_waiting(),
    'baseline_until', private.baseline_until(caller),
    'pact', case when level > 0 then private.caller_pact() end,
    'continue', jsonb_build_object('lesson', private.caller_next_lesson(), 'article', private.caller_last_article()),
    'rooms', private.caller_latest_room_messages()
  );
end
$$;
comment on function private.my_today() is
  'The caller''s next step, what waits, until when the start of the guarantee can be written down, what was left open and the newest words of rooms. Without a level only what is told of the account.';
