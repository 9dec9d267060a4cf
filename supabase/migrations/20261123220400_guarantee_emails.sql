-- E-mails of the guarantee: what became of a claim, and what the calendar asks for.

insert into private.email_templates (name, kind) values
  ('guarantee_granted', 'money'), ('guarantee_declined', 'money'),
  ('guarantee_check_in', 'reminders'), ('guarantee_claim_open', 'reminders');
insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders
from (values
  ('guarantee_granted', '{subject,heading,opening,closing}'::text[], '{}'::text[]),
  ('guarantee_declined', '{subject,heading,opening}', '{}'),
  ('guarantee_check_in', '{subject,heading,opening,closing}', '{until}'),
  ('guarantee_claim_open', '{subject,heading,opening,closing}', '{until}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;

-- A claim is declined and granted once each, and refused once, so each has one e-mail.
create function private.tg_guarantee_claims__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_email(
    new.user_id, case when new.state = 'granted' then 'guarantee_granted' else 'guarantee_declined' end,
    concat_ws(':', 'guarantee', new.id, new.state),
    jsonb_build_object('reason', new.reason, 'appeal_until', case when new.state = 'declined' then new.decided_at + interval '30 days' end)
  );
  return null;
end
$$;
revoke all on function private.tg_guarantee_claims__email from public, anon, authenticated, service_role;
create trigger guarantee_claims__email after insert or update of state on private.guarantee_claims
  for each row when (new.state in ('granted', 'declined', 'refused'))
  execute function private.tg_guarantee_claims__email();

-- Members whose membership has ended are left alone, and so are those who could not claim with what is on record.
create function private.queue_guarantee_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.user_id, d.template, concat_ws(':', d.template, d.user_id, d.month_number), jsonb_build_object('until', d.until)
  )) into queued
  from (
    select b.user_id, 'guarantee_check_in' as template, m.month_number,
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
  ) d
  where d.until > now() and (d.template = 'guarantee_claim_open' or d.until < now() + interval '7 days')
    and private.has_live_membership(d.user_id);
  return queued;
end
$$;
revoke all on function private.queue_guarantee_reminders from public, anon, authenticated, service_role;
comment on function private.queue_guarantee_reminders() is
  'Queues an e-mail in the last week of a month without a check-in, and one when a claim can be made; their number.';
grant execute on function private.queue_guarantee_reminders() to service_role;

create function public.queue_guarantee_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_guarantee_reminders() $$;
revoke all on function public.queue_guarantee_reminders from public, anon, authenticated, service_role;
comment on function public.queue_guarantee_reminders() is 'Server: queue the e-mails about check-ins and claims under the guarantee.';
grant execute on function public.queue_guarantee_reminders() to service_role;
