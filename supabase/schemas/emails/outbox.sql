-- E-mails to members. What happened writes a row in the same transaction; the scheduled function send-emails sends it.
-- docs/subsystems/email.md explains when one is sent, repeated and given up.
create table private.email_templates (
  name text primary key,
  kind text not null,
  constraint email_templates_kind_check
    check (kind in ('money', 'identity', 'security', 'tips', 'reminders', 'digest'))
);
comment on table private.email_templates is 'The e-mails the product sends. Their texts are in supabase/functions/_shared/emails and private.email_texts.';
comment on column private.email_templates.kind is
  'tips and reminders can be switched off in notification_preferences, digest in digest_choices.';
alter table private.email_templates enable row level security;

create function private.email_priority(template text) returns smallint
  language sql stable set search_path = '' as $$
  select case t.kind when 'digest' then 3 when 'tips' then 2 when 'reminders' then 2 else 1 end
  from private.email_templates t where t.name = email_priority.template
$$;
comment on function private.email_priority(text) is
  'Which e-mails go out first: 1 security, money and identity, 2 tips and reminders, 3 digests. Null for an unknown template.';

create table private.email_outbox (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  template text not null references private.email_templates (name),
  cause_key text not null unique,
  data jsonb not null default '{}',
  status text not null default 'pending' constraint email_outbox_status_check
    check (status in ('pending', 'sent', 'skipped', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  claim uuid,
  created_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  last_error text,
  priority smallint not null default 2 constraint email_outbox_priority_check check (priority between 1 and 3)
);
comment on table private.email_outbox is 'E-mails to send and, for 90 days, those that were sent, skipped or given up; welcomes are kept.';
comment on column private.email_outbox.cause_key is 'What the e-mail is about, such as receipt:ch_1. Each cause has one e-mail.';
comment on column private.email_outbox.data is 'Values of the template. The address and the name are read when it is sent.';
comment on column private.email_outbox.status is
  'skipped: the account may not have it, or it is no longer true. failed: given up after the last attempt.';
comment on column private.email_outbox.next_attempt_at is 'While a sender has the e-mail: when its lease ends and another may take it.';
comment on column private.email_outbox.claim is 'The last claim. Only its sender may report the result.';
comment on column private.email_outbox.last_error is 'Why the last attempt failed, or why the e-mail was skipped.';
comment on column private.email_outbox.priority is 'Of its kind when it was queued: a lower one is sent first, however long others have waited.';
create index email_outbox_due_idx on private.email_outbox (priority, next_attempt_at, id) where status = 'pending';
create index email_outbox_user_id_idx on private.email_outbox (user_id);
create index email_outbox_template_idx on private.email_outbox (template);
create index email_outbox_created_at_idx on private.email_outbox (created_at) where status <> 'pending';
alter table private.email_outbox enable row level security;

-- Every e-mail starts here: in triggers and functions of the database, and by the wrapper below in edge functions.
-- @rpc service_role
-- Server: put an e-mail into the outbox, once for each cause.
create function private.enqueue_email(user_id uuid, template text, cause_key text, data jsonb default '{}') returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.email_outbox as o (user_id, template, cause_key, data, priority)
  values (
    enqueue_email.user_id, enqueue_email.template, enqueue_email.cause_key, jsonb_strip_nulls(enqueue_email.data),
    -- An unknown template is refused by the foreign key.
    coalesce(private.email_priority(enqueue_email.template), 2)
  )
  on conflict on constraint email_outbox_cause_key_key do nothing;
  return found;
end
$$;
comment on function private.enqueue_email(uuid, text, text, jsonb) is
  'Puts an e-mail into the outbox, once for each cause; false when it is there already.';

-- A suspension stops neither the subscription nor its payments, so a suspended member goes on hearing of money and security.
create function private.email_refusal(email private.email_outbox) returns text
  language sql stable set search_path = '' as $$
  select case
    when u.id is null then 'no account'
    when u.deleted_at is not null then 'the account is deleted'
    when u.is_anonymous or coalesce(u.email, '') = '' then 'the account has no address'
    when u.email_confirmed_at is null then 'the address is not confirmed'
    when u.banned_until > now() and t.kind not in ('money', 'security') then 'the account is suspended'
    when coalesce(u.banned_until <= now(), true) and email.template = 'account_suspended' then 'the suspension was lifted'
    when not coalesce(p.email, true) then 'switched off by the member'
    -- The member paid in the meantime.
    when email.template = 'payment_failed' and exists (
      select from public.stripe_subscriptions s
      where s.subscription_id = email.data ->> 'subscription_id' and s.status <> 'past_due'
    ) then 'the payment was made'
    when email.template in ('payment_disputed', 'course_disputed') and exists (
      select from private.billing_charges c where c.charge_id = email.data ->> 'number' and c.dispute is distinct from 'open'
    ) then 'the dispute is decided'
    when email.template = 'course_dispute_won' and exists (
      select from private.billing_charges c
      where c.charge_id = email.data ->> 'number' and (c.is_refunded or c.dispute is distinct from 'won')
    ) then 'the course is closed'
    when email.template = 'dispute_won' and not private.has_live_membership(email.user_id) then 'the membership has ended'
    when email.template = 'dispute_opened' and not exists (
      select from public.profiles p where p.id = email.user_id and p.role = 'admin'
    ) then 'no administrator'
    when email.template = 'digest' and exists (
      select from public.digest_choices d where d.user_id = email.user_id and d.frequency = 'off'
    ) then 'switched off by the member'
    when email.template = 'digest' and private.digest_content(email_refusal.email) -> 'lines' = '[]' then 'nothing waits'
  end
  from (select email.user_id) e
  left join auth.users u on u.id = e.user_id
  left join private.email_templates t on t.name = email.template
  left join public.notification_preferences p on p.user_id = e.user_id and p.kind = t.kind
$$;
comment on function private.email_refusal(private.email_outbox) is 'Why an e-mail must not be sent now; null when it may be.';

create function private.max_email_attempts() returns integer
  language sql immutable set search_path = '' as 'select 80';
comment on function private.max_email_attempts() is
  'How often an e-mail is tried before it is given up; with the pauses of record_email_result about three days.';

-- The pause doubles from a minute to an hour, so that an outage of an hour delays an e-mail by two at most.
-- @rpc service_role
-- Server: an e-mail was sent, or could not be.
create function private.record_email_result(email uuid, claim uuid, error text default null) returns text
  language plpgsql volatile security definer set search_path = '' as $$
declare
  new_status text;
begin
  update private.email_outbox o set
    status = case when error is null then 'sent' when o.attempts >= private.max_email_attempts() then 'failed' else 'pending' end,
    sent_at = case when error is null then clock_timestamp() end,
    last_error = left(error, 500),
    next_attempt_at = clock_timestamp() + least(interval '1 hour', interval '1 minute' * (2 ^ least(o.attempts - 1, 10))),
    claim = null
  where o.id = email and o.claim = record_email_result.claim and o.status = 'pending'
  returning o.status into new_status;
  return coalesce(new_status, 'not_yours');
end
$$;
comment on function private.record_email_result(uuid, uuid, text) is
  'Records that an e-mail was sent, or why not: sent, pending (tried again later), failed, or not_yours when the lease had ended.';

-- When the mail server takes fewer connections than there are senders, or goes while they work, one of them records it and the others
-- give their e-mails back, so that an outage costs one attempt and not one for each sender.
-- @rpc service_role
-- Server: an e-mail was not tried after all.
create function private.release_email(email uuid, claim uuid) returns boolean
  language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.email_outbox o set
    attempts = greatest(o.attempts - 1, 0), next_attempt_at = clock_timestamp() + interval '1 minute', claim = null
  where o.id = email and o.claim = release_email.claim and o.status = 'pending';
  return found;
end
$$;
comment on function private.release_email(uuid, uuid) is
  'Gives a claimed e-mail back as if it had not been tried, for a minute later; false when the lease had ended.';

-- A cause is a change that happens once, so it does not return after its row is gone. Only a membership can become active
-- again, and its welcome is kept for as long as the account.
-- @rpc service_role
-- Server: delete old e-mails.
create function private.purge_emails() returns void
  language sql volatile security definer set search_path = '' as $$
  delete from private.email_outbox o where o.status <> 'pending' and o.template <> 'welcome' and o.created_at < now() - interval '90 days'
$$;
comment on function private.purge_emails() is 'Deletes e-mails that were sent, skipped or given up, 90 days after their cause.';

create function private.export_part_email(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'emails', coalesce((
      select jsonb_agg(to_jsonb(o) - 'claim' - 'priority' order by o.created_at, o.id) from private.email_outbox o where o.user_id = member
    ), '[]'),
    'notification_preferences', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.kind) from public.notification_preferences n where n.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_email(uuid) is 'E-mails to one account and its choices about them.';
