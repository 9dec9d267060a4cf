-- Part 10 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- emails/causes.sql

-- Each payment, refund and state of a dispute is recorded once, whatever the number of its events. One that is found after
-- a month is an old one, which an operator's import or a repair brings up: nobody waits for its e-mail. Administrators are told
-- of every dispute, also of one that was decided before it was read.
create function private.tg_payment_records__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  bought constant private.course_purchases := (
    select p from private.billing_charges c join private.course_purchases p on p.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  told constant text := case
    when new.kind = 'payment' and new.status = 'succeeded' and new.amount > 0 then 'receipt'
    when new.kind = 'refund' and new.status = 'succeeded' then 'payment_refunded'
    when new.kind = 'dispute' and new.status = 'won' then 'dispute_won'
    when new.kind = 'dispute' and new.status not in ('lost', 'prevented') and new.status not like 'warning%' then 'payment_disputed'
  end;
  template constant text := case when bought.id is null then told else case told
    when 'receipt' then 'course_receipt' when 'payment_refunded' then 'course_refunded'
    when 'payment_disputed' then 'course_disputed' when 'dispute_won' then 'course_dispute_won'
  end end;
  facts constant jsonb := jsonb_build_object(
    'amount', new.amount, 'currency', new.currency, 'happened_at', new.happened_at, 'number', new.charge_id
  ) || jsonb_strip_nulls(jsonb_build_object(
    'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = new.subscription_id),
    'course', bought.course_title, 'purchase_id', bought.id,
    'invoice_id', (select c.invoice_id from private.billing_charges c where c.charge_id = new.charge_id),
    -- The first payment confirms the contract, so that its e-mail names the terms and how to withdraw.
    'terms_version', case when told = 'receipt' and not exists (
      select from private.payment_records r
      where r.subscription_id = new.subscription_id and r.kind = 'payment' and r.status = 'succeeded' and r.amount > 0 and r.id <> new.id
    ) then coalesce(
      (select max(t.version) from private.terms_acceptances t where t.user_id = member and bought.id is null),
      (select max(t.version) from public.legal_texts t where t.kind = 'terms')
    ) end
  ));
begin
  if member is not null and template is not null then
    perform private.enqueue_email(member, template, template || ':' || new.provider_id, facts);
  end if;
  if new.kind = 'dispute' and new.status <> 'prevented' and new.status not like 'warning%' then
    perform private.enqueue_email(
      p.id, 'dispute_opened', concat_ws(':', 'dispute_opened', new.provider_id, p.id),
      facts || jsonb_build_object('reason', new.reason, 'dispute', new.provider_id)
    )
    from public.profiles p where p.role = 'admin';
  end if;
  return null;
end
$$;

create trigger payment_records__email after insert on private.payment_records
  for each row when (new.happened_at > now() - interval '30 days')
  execute function private.tg_payment_records__email();

-- Subscriptions change by readings of the provider, each newer than the last (billing_apply). A change that is read
-- twice is a change once: the second reading finds the row as it is.
create function private.tg_stripe_subscriptions__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  plan constant text := private.plan_name(new.price_id);
  was_live constant boolean := tg_op = 'UPDATE' and old.status in ('active', 'trialing');
  is_live constant boolean := new.status in ('active', 'trialing');
  ends_at constant timestamptz := to_timestamp(new.current_period_end);
  -- Seconds since the epoch; null while it runs at the provider.
  ended constant bigint := (select r.ended_at_provider from private.billing_sync_versions r where r.subscription_id = new.subscription_id);
  -- Judged by when it ended, because another reading may have written the end first. One that ended long ago is not told.
  has_ended constant boolean := new.status = 'canceled' and (
    coalesce(to_timestamp(ended) > now() - interval '30 days', new.hold is not null)
    or tg_op = 'UPDATE' and old.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
  );
  -- The reading that changed the row. Two changes of the same kind are two causes, such as cancelling again.
  reading constant text := coalesce(
    (select r.ticket::text from private.billing_sync_versions r where r.subscription_id = new.subscription_id), pg_current_xact_id()::text
  );
begin
  if plan is null or member is null then
    return null;
  end if;
  if is_live and not was_live then
    perform private.enqueue_email(member, 'welcome', 'welcome:' || member, jsonb_build_object('plan', plan));
  end if;
  -- A subscription that gave way to another one, which ran when it ended, has not ended the membership.
  if has_ended and not exists (
    select from public.stripe_subscriptions s
    join private.plan_prices o on o.price_id = s.price_id
    left join private.billing_sync_versions r on r.subscription_id = s.subscription_id
    where s.customer_id = new.customer_id and s.id <> new.id and case
      when ended is null or r.created_at_provider is null then s.status in ('active', 'trialing')
      else s.status not in ('incomplete', 'incomplete_expired')
        and r.created_at_provider < ended and coalesce(r.ended_at_provider > ended, true)
    end
  ) then
    perform private.enqueue_email(
      member, 'membership_ended', 'membership_ended:' || new.subscription_id, jsonb_build_object(
        'plan', plan,
        'why', coalesce(new.hold, case when tg_op = 'UPDATE' and old.status in ('past_due', 'unpaid') then 'unpaid' end)
      )
    );
  end if;
  if tg_op = 'INSERT' then
    return null;
  end if;
  if new.status = 'past_due' and was_live then
    perform private.enqueue_email(
      member, 'payment_failed', concat_ws(':', 'payment_failed', new.subscription_id, new.current_period_start),
      jsonb_build_object('plan', plan, 'subscription_id', new.subscription_id, 'card_last4', new.payment_method_last4)
    );
  end if;
  if is_live and new.cancel_at_period_end and not old.cancel_at_period_end then
    perform private.enqueue_email(
      member, 'membership_cancelled', concat_ws(':', 'membership_cancelled', new.subscription_id, reading),
      jsonb_build_object('plan', plan, 'ends_at', ends_at)
    );
  end if;
  if was_live and is_live and private.plan_name(old.price_id) <> plan then
    perform private.enqueue_email(
      member, 'plan_changed', concat_ws(':', 'plan_changed', new.subscription_id, reading),
      jsonb_build_object('from', private.plan_name(old.price_id), 'plan', plan, 'renews_at', ends_at)
    );
  end if;
  return null;
end
$$;

create trigger stripe_subscriptions__email after insert or update of status, price_id, cancel_at_period_end on public.stripe_subscriptions
  for each row execute function private.tg_stripe_subscriptions__email();

-- Each document is decided once.
create function private.tg_user_verifications__email() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.enqueue_email(
    new.user_id, 'identity_' || new.status, concat_ws(':', 'identity', new.id, new.status),
    jsonb_build_object('document_type', new.document_type, 'reason', new.rejected_reason)
  );
  return null;
end
$$;

-- emails/digests.sql

create function private.digest_moment(frequency text, at timestamptz) returns timestamptz
  language sql immutable set search_path = '' as $$
  select (date_trunc(case frequency when 'daily' then 'day' else 'week' end, at at time zone 'utc' - interval '7 hours')
    + interval '7 hours') at time zone 'utc'
$$;
comment on function private.digest_moment(text, timestamptz) is
  'The last time a digest was due: seven in the morning UTC, of every day or of Mondays. The same for all members.';

-- As before, and for announcements: they are rows of no member.
-- @rpc service_role
-- Server: queue the digests that are due.
create function private.queue_digests() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    d.user_id, 'digest', concat_ws(':', 'digest', d.user_id, (d.until at time zone 'utc')::date),
    jsonb_build_object('since', d.since, 'until', d.until)
  )) into queued
  from (
    select w.user_id, m.until, greatest(m.until - interval '7 days', s.told_until) as since, s.is_pending
    from (
      select n.user_id from public.notifications n where n.read_at is null and n.created_at > now() - interval '14 days'
      union
      select p.id from public.profiles p where p.onboarding_complete and (
        exists (select from private.room_announcements a where a.created_at > now() - interval '14 days')
        or exists (select from private.room_openings o where o.created_at > now() - interval '14 days')
      )
    ) w
    left join public.digest_choices c on c.user_id = w.user_id
    cross join lateral (select private.digest_moment(coalesce(c.frequency, 'weekly'), now()) as until) m
    cross join lateral (
      select max((o.data ->> 'until')::timestamptz) as told_until, coalesce(bool_or(o.status = 'pending'), false) as is_pending
      from private.email_outbox o
      where o.user_id = w.user_id and o.template = 'digest' and o.status in ('pending', 'sent')
    ) s
    where c.frequency is distinct from 'off'
  ) d
  where not d.is_pending and private.effective_level(d.user_id) > 0 and (exists (
    select from public.notifications n
    where n.user_id = d.user_id and n.read_at is null and n.created_at > d.since and n.created_at <= d.until
  ) or (
    exists (select from private.room_announcements r where r.created_at > d.since and r.created_at <= d.until)
    or exists (select from private.room_openings r where r.created_at > d.since and r.created_at <= d.until)
  ) and exists (
    select from private.unread_for_everyone(d.user_id) e where e.created_at > d.since and e.created_at <= d.until
  ));
  return queued;
end
$$;
comment on function private.queue_digests() is
  'Queues the digest of each member with unread notifications, announcements or openings of rooms of the time before the last digest moment, once for each; their number.';

-- emails/outbox.sql

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
  last_error text
);
comment on table private.email_outbox is 'E-mails to send and, for 90 days, those that were sent, skipped or given up; welcomes are kept.';
comment on column private.email_outbox.cause_key is 'What the e-mail is about, such as receipt:ch_1. Each cause has one e-mail.';
comment on column private.email_outbox.data is 'Values of the template. The address and the name are read when it is sent.';
comment on column private.email_outbox.status is
  'skipped: the account may not have it, or it is no longer true. failed: given up after the last attempt.';
comment on column private.email_outbox.next_attempt_at is 'While a sender has the e-mail: when its lease ends and another may take it.';
comment on column private.email_outbox.claim is 'The last claim. Only its sender may report the result.';
comment on column private.email_outbox.last_error is 'Why the last attempt failed, or why the e-mail was skipped.';
create index email_outbox_due_idx on private.email_outbox (next_attempt_at, id) where status = 'pending';
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
  insert into private.email_outbox as o (user_id, template, cause_key, data)
  values (enqueue_email.user_id, enqueue_email.template, enqueue_email.cause_key, jsonb_strip_nulls(enqueue_email.data))
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
      select jsonb_agg(to_jsonb(o) - 'claim' order by o.created_at, o.id) from private.email_outbox o where o.user_id = member
    ), '[]'),
    'notification_preferences', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.kind) from public.notification_preferences n where n.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_email(uuid) is 'E-mails to one account and its choices about them.';

-- emails/pauses.sql

-- No e-mail leaves a database that was restored from a backup until an operator says so: what was pending at the backup may have
-- been sent since, and a copy that is restored for practice must not write to members at all. docs/subsystems/email.md.
create table private.email_pauses (
  only_one boolean primary key default true constraint email_pauses_only_one_check check (only_one),
  reason text not null,
  paused_at timestamptz not null default now()
);
comment on table private.email_pauses is 'While it has a row, no e-mail of the outbox is sent. New ones are still queued.';
comment on column private.email_pauses.only_one is 'There is one row at most.';
alter table private.email_pauses enable row level security;

create function private.pause_emails(reason text) returns void
  language sql volatile set search_path = '' as $$
  insert into private.email_pauses (reason) values (pause_emails.reason) on conflict do nothing
$$;
comment on function private.pause_emails(text) is 'Stops the sending of e-mails until private.resume_emails; for the operator and after a restore.';

create function private.resume_emails(send_waiting boolean) returns integer
  language plpgsql volatile set search_path = '' as $$
declare
  waiting integer;
begin
  if not send_waiting then
    update private.email_outbox set status = 'skipped', last_error = 'discarded by the operator' where status = 'pending';
  else
    perform from private.email_outbox where status = 'pending';
  end if;
  get diagnostics waiting = row_count;
  delete from private.email_pauses;
  return waiting;
end
$$;
comment on function private.resume_emails(boolean) is
  'Lets e-mails be sent again, those that waited too, or without them; returns the number of those. For the operator.';

-- The host calls this in every database that it restores, before the first start.
create function hooks.after_restore() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.pause_emails('restored from a backup');
  insert into private.billing_checks as k (customer_id, checked_at)
  select c.customer_id, '-infinity' from public.stripe_customers c where c.deleted_at is null
  on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at;
end
$$;
comment on function hooks.after_restore() is
  'Called by its owner after a restore from a backup: pauses the e-mails, and has every customer compared with the card provider.';

-- emails/reminders.sql

-- E-mails that no change causes but the calendar.
-- @rpc service_role
-- Server: queue the e-mails about cards that expire soon.
create function private.queue_card_reminders() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'card_expiring', concat_ws(':', 'card_expiring', due.subscription_id, due.last4, due.expires),
    jsonb_build_object('card_last4', due.last4, 'expires', due.expires)
  )) into queued
  from (
    select c.user_id, s.subscription_id, s.payment_method_last4 as last4, s.payment_method_expires as expires
    from public.stripe_subscriptions s
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    where s.deleted_at is null and s.status in ('active', 'trialing') and not s.cancel_at_period_end
      and s.payment_method_last4 is not null
      -- A card is valid to the end of its month.
      and (to_date(s.payment_method_expires, 'YYYY-MM') + interval '1 month') between now() and now() + interval '31 days'
  ) due;
  return queued;
end
$$;
comment on function private.queue_card_reminders() is
  'Queues an e-mail about each card that pays for a membership and expires within a month, once for each card; their number.';

-- @rpc service_role
-- Server: queue e-mails about trials that end soon.
create function private.queue_trial_reminders() returns integer
language plpgsql security definer set search_path = '' as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'trial_ending', 'trial_ending:' || due.subscription_id,
    jsonb_build_object('plan', due.plan, 'ends_at', due.ends_at, 'amount', due.amount_pence, 'currency', lower(due.currency))
  )) into queued
  from (
    select c.user_id, s.subscription_id, private.plan_name(s.price_id) as plan, e.ends_at, o.amount_pence, o.currency
    from public.stripe_subscriptions s
    cross join lateral (select to_timestamp(s.current_period_end), to_timestamp(s.current_period_start)) e (ends_at, began_at)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- An older price of the plan may be another amount, which is then not named.
    left join public.plans o on o.price_id = s.price_id
    where s.deleted_at is null and s.status = 'trialing' and not s.cancel_at_period_end and e.ends_at > now()
      -- A day early, so that seven whole days are left however late the run is; three of a shorter trial.
      and e.ends_at - now() <= case when e.ends_at - e.began_at > interval '8 days' then interval '8 days' else interval '4 days' end
  ) due;
  return queued;
end
$$;
comment on function private.queue_trial_reminders() is 'Queues an e-mail about each trial that ends within eight days, or four when the whole trial is no longer than eight, once for each; their number.';

-- @rpc service_role
-- Server: queue e-mails about renewals to come.
create function private.queue_renewal_reminders() returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'renewal_coming', concat_ws(':', 'renewal_coming', due.subscription_id, due.current_period_end),
    jsonb_build_object('plan', due.plan, 'renews_at', due.renews_at, 'amount', due.amount_pence, 'currency', lower(due.currency))
  )) into queued
  from (
    select c.user_id, s.subscription_id, s.current_period_end, to_timestamp(s.current_period_end) as renews_at,
      private.plan_name(n.price_id) as plan, o.amount_pence, o.currency
    from public.billing_rules b
    join public.stripe_subscriptions s on b.renewal_reminder_days > 0 and s.deleted_at is null and s.status = 'active'
      and not s.cancel_at_period_end and s.hold is null
    cross join lateral (select coalesce(s.pending_price_id, s.price_id)) n (price_id)
    join public.stripe_customers c on c.customer_id = s.customer_id and c.deleted_at is null
    -- An older price of the plan may be another amount, which is then not named.
    left join public.plans o on o.price_id = n.price_id
    where to_timestamp(s.current_period_end) > now()
      and to_timestamp(s.current_period_end) - now() <= make_interval(days => b.renewal_reminder_days)
  ) due;
  return queued;
end
$$;
comment on function private.queue_renewal_reminders() is 'Queues an e-mail about each membership that renews within the days of the rule, once for each period; their number.';

-- emails/texts.sql

-- Texts of e-mails that administrators may change. The defaults are in supabase/functions/_shared/emails.
create table private.email_texts (
  template text not null references private.email_templates (name),
  key text not null,
  placeholders text[] not null default '{}',
  text text,
  primary key (template, key)
);
comment on table private.email_texts is 'Every text of an e-mail that may be changed in the console.';
comment on column private.email_texts.key is 'subject, heading, or the name of a paragraph.';
comment on column private.email_texts.placeholders is 'Names that may stand in braces, such as plan.';
comment on column private.email_texts.text is 'Plain text in place of the default; null for the default.';
alter table private.email_texts enable row level security;

create function private.changed_email_texts(template text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(t.key, t.text), '{}') from private.email_texts t
  where t.template = changed_email_texts.template and t.text is not null
$$;
comment on function private.changed_email_texts(text) is 'The texts of an e-mail that differ from the defaults, by key.';

-- @rpc authenticated
-- Administrators with a second factor: the texts of e-mails that may be changed.
create function private.email_text_overview()
  returns table (template text, key text, placeholders text[], text text)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select t.template, t.key, t.placeholders, t.text from private.email_texts t order by t.template, t.key;
end
$$;
comment on function private.email_text_overview() is 'Every text that may be changed; text is null for the default.';

-- @rpc authenticated (template, key, new_text)
-- Administrators with a second factor: replace a text of an e-mail; null brings the default back.
create function private.set_email_text(template text, key text, wanted text default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  stored private.email_texts;
  new_text text := btrim(wanted);
  longest integer := case key when 'subject' then 78 when 'heading' then 100 else 1000 end;
  unknown text;
begin
  select t.* into stored from private.email_texts t
  where t.template = set_email_text.template and t.key = set_email_text.key for update;
  if not found then
    perform private.fail('FF442', 'There is no such text.');
  end if;
  if new_text is not null then
    if new_text = '' or char_length(new_text) > longest or new_text ~ '[[:cntrl:]\u2028\u2029]' then
      perform private.fail('FF443', format('This text is one line of 1 to %s characters.', longest));
    end if;
    -- What is left of braces after the known names is a name nothing would fill in.
    select m[1] into unknown from regexp_matches(new_text, '\{[^{}]*\}?|\}', 'g') with ordinality x (m, place)
    where m[1] <> all (array(select '{' || p || '}' from unnest(stored.placeholders) p)) order by place limit 1;
    if unknown is not null then
      perform private.fail('FF444', 'The text names a value this e-mail does not have.', unknown);
    end if;
  end if;
  update private.email_texts t set text = new_text where t.template = stored.template and t.key = stored.key;
  perform private.audit_change(
    admin, 'email_text.edited', jsonb_build_object('template', stored.template, 'key', stored.key),
    jsonb_build_object('text', stored.text), jsonb_build_object('text', new_text)
  );
end
$$;
comment on function private.set_email_text(text, text, text) is
  'Replaces a text of an e-mail, or brings the default back (null). Checks length and placeholders. Audited.';

-- emails/unsubscribe.sql

-- @rpc service_role
-- Server: take the next e-mail to send.
create function private.claim_email(lease interval default '00:05:00')
returns table (
  id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb,
  user_id uuid, kind text
)
language plpgsql
security definer
set search_path = ''
as $function$
declare
  taken private.email_outbox;
  refusal text;
begin
  if exists (select from private.email_pauses) then
    return;
  end if;
  loop
    select o.* into taken from private.email_outbox o
    where o.status = 'pending' and o.next_attempt_at <= clock_timestamp()
    order by o.next_attempt_at, o.id limit 1 for update skip locked;
    if not found then
      return;
    end if;
    refusal := private.email_refusal(taken);
    exit when refusal is null and taken.attempts < private.max_email_attempts();
    update private.email_outbox o set
      status = case when refusal is null then 'failed' else 'skipped' end,
      last_error = coalesce(refusal, o.last_error, 'no sender reported a result')
    where o.id = taken.id;
  end loop;
  update private.email_outbox o
  set attempts = o.attempts + 1, claim = gen_random_uuid(), next_attempt_at = clock_timestamp() + lease
  where o.id = taken.id returning o.* into taken;
  return query
    select taken.id, taken.claim, left(encode(sha256(convert_to(taken.cause_key, 'UTF8')), 'hex'), 32), u.email::text,
      p.first_name, taken.template,
      case taken.template
        when 'digest' then private.digest_content(taken)
        when 'payment_failed' then taken.data || private.failed_payment_facts(taken.data ->> 'subscription_id')
        else taken.data
      end,
      private.changed_email_texts(taken.template), taken.user_id, t.kind
    from auth.users u
    left join public.profiles p on p.id = u.id
    left join private.email_templates t on t.name = taken.template
    where u.id = taken.user_id;
end
$function$;
comment on function private.claim_email(interval) is 'Takes the e-mail that is due for longest and nobody else has, for the length of the lease; no row when none is due or they are paused.';

-- @rpc service_role
-- Server: switch off the e-mails of one kind for one account.
create function private.switch_off_emails(member uuid, kind text)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
begin
  if kind = 'digest' then
    insert into public.digest_choices as d (user_id, frequency)
    select u.id, 'off' from auth.users u where u.id = member
    on conflict (user_id) do update set frequency = 'off' where d.frequency <> 'off';
  elsif kind in ('tips', 'reminders') then
    insert into public.notification_preferences as p (user_id, kind, email)
    select u.id, switch_off_emails.kind, false from auth.users u where u.id = member
    on conflict on constraint notification_preferences_pkey do update set email = false where p.email;
  end if;
end
$function$;
comment on function private.switch_off_emails(uuid, text) is 'Switches off the e-mails of one kind for one account. Does nothing for kinds that cannot be switched off.';

-- export/account.sql

-- Without passwords, keys and tokens. Of the log only what the account itself did: its details may name others.
create function private.export_part_account(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'email_change', nullif(u.email_change, ''), 'phone', u.phone,
        'created_at', u.created_at, 'updated_at', u.updated_at, 'email_confirmed_at', u.email_confirmed_at,
        'last_sign_in_at', u.last_sign_in_at, 'recovery_sent_at', u.recovery_sent_at, 'banned_until', u.banned_until,
        'user_metadata', u.raw_user_meta_data, 'app_metadata', u.raw_app_meta_data
      ) from auth.users u where u.id = member
    ),
    'identities', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', i.id, 'user_id', i.user_id, 'provider', i.provider, 'identity_data', i.identity_data, 'created_at', i.created_at,
        'updated_at', i.updated_at, 'last_sign_in_at', i.last_sign_in_at
      ) order by i.created_at) from auth.identities i where i.user_id = member
    ), '[]'),
    'sessions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', s.id, 'user_id', s.user_id, 'created_at', s.created_at, 'updated_at', s.updated_at,
        'refreshed_at', s.refreshed_at, 'user_agent', s.user_agent, 'ip', s.ip, 'aal', s.aal
      ) order by s.created_at) from auth.sessions s where s.user_id = member
    ), '[]'),
    'second_factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', f.id, 'user_id', f.user_id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type,
        'status', f.status, 'created_at', f.created_at, 'updated_at', f.updated_at
      ) order by f.created_at) from auth.mfa_factors f where f.user_id = member
    ), '[]'),
    'recovery_codes', coalesce((
      select jsonb_agg(to_jsonb(c) - 'code_hash' order by c.created_at)
      from private.recovery_codes c where c.user_id = member
    ), '[]'),
    'sign_in_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', e.id, 'created_at', e.created_at, 'action', e.payload ->> 'action', 'ip_address', e.ip_address
      ) order by e.created_at) from auth.audit_log_entries e where e.payload ->> 'actor_id' = member::text
    ), '[]'),
    'account_flags', coalesce((
      select jsonb_agg(to_jsonb(f) order by f.created_at) from private.account_flags f where f.user_id = member
    ), '[]'),
    'pending_admin', (select to_jsonb(p) from private.pending_admins p where p.user_id = member),
    'rate_usage', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.action) from private.rate_usage r where r.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_account(uuid) is 'Account, sign-in methods, sessions, sign-in log and flags of one account.';

-- Who decided is another person, and so is whom an administrator decided about.
create function private.export_part_decisions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'audit_log', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', a.id, 'happened_at', a.happened_at, 'action', a.action,
        'actor', case when a.actor = member then a.actor end,
        'subject', case when a.subject = member then a.subject end,
        'detail', case when a.subject = member then a.detail end
      ) order by a.id) from private.audit_log a where member in (a.actor, a.subject)
    ), '[]'),
    'document_pins', coalesce((
      select jsonb_agg(to_jsonb(p) order by v.submitted_at) from private.document_pins p
      join public.user_verifications v on v.id = p.verification_id where v.user_id = member
    ), '[]'),
    'room_leases', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.chat_room_id) from private.room_leases l where l.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_decisions(uuid) is 'Administrative acts about one account, without the other persons in them, and the rooms it is in.';

create function private.export_part_billing(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  with customers as (
    select c.customer_id from public.stripe_customers c where c.user_id = member
  )
  select jsonb_build_object(
    'billing_attempts', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at) from private.billing_attempts a where a.user_id = member
    ), '[]'),
    'billing_charges', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.charge_id) from private.billing_charges g
      join customers c using (customer_id)
    ), '[]'),
    'billing_checks', coalesce((
      select jsonb_agg(to_jsonb(k)) from private.billing_checks k join customers c using (customer_id)
    ), '[]'),
    'grace_periods', coalesce((
      select jsonb_agg(to_jsonb(g) order by g.subscription_id) from public.grace_periods g
      join public.stripe_subscriptions s using (subscription_id) join customers c on c.customer_id = s.customer_id
    ), '[]'),
    'payment_records', coalesce((
      select jsonb_agg(to_jsonb(p) order by p.id) from private.payment_records p join customers c using (customer_id)
    ), '[]')
  )
$$;
comment on function private.export_part_billing(uuid) is 'Purchases, charges and payments of one account.';

-- The bytes come from the storage API, which lets an account read its own files.
create function private.export_part_files(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('files', coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', o.id, 'bucket', o.bucket_id, 'name', o.name, 'created_at', o.created_at, 'updated_at', o.updated_at,
      'size', o.metadata -> 'size', 'mimetype', o.metadata -> 'mimetype', 'user_metadata', o.user_metadata
    ) order by o.bucket_id, o.name)
    from storage.objects o
    where o.owner_id = member::text or left(o.name, 37) = member::text || '-'
  ), '[]'))
$$;
comment on function private.export_part_files(uuid) is 'The stored files of one account.';

-- Exports are packed in the member's browser, and a refused answer of the database leaves no trace. So the page says how each one
-- ended, and the overview counts the accounts whose latest export failed.
create table private.failed_exports (
  user_id uuid primary key references auth.users (id) on delete cascade,
  step text not null constraint failed_exports_step_check check (step in ('rows', 'files')),
  failed_at timestamptz not null default now()
);
alter table private.failed_exports enable row level security;
comment on table private.failed_exports is 'Accounts whose latest data export failed or was incomplete; removed by the next one that is whole.';
comment on column private.failed_exports.step is 'rows: no archive was made; files: some or all stored files could not be read.';

-- @rpc authenticated
-- How the caller's data export ended: failed_step rows or files, or none when it is whole; raises FF302 for another and FF300 above the
-- limit.
create function private.note_my_export(failed_step text default null) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if failed_step is not null and failed_step not in ('rows', 'files') then
    perform private.fail('FF302', 'An export has no such step.');
  end if;
  perform private.enforce_rate_limit(caller, 'export_note');
  if failed_step is null then
    delete from private.failed_exports f where f.user_id = caller;
  else
    insert into private.failed_exports as f (user_id, step) values (caller, failed_step)
    on conflict (user_id) do update set step = excluded.step, failed_at = excluded.failed_at;
  end if;
end
$$;
comment on function private.note_my_export(text) is 'How the caller''s export ended: at which step it failed, or null when it is whole.';

create function private.export_part_failed_exports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('failed_export', (select to_jsonb(f) from private.failed_exports f where f.user_id = member))
$$;
comment on function private.export_part_failed_exports(uuid) is 'The failed export of one account.';

-- export/versions.sql

-- Keys are read first, and texts only for the rows of the page.
create function private.export_versions(kind text, after_id uuid, after_version integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  key record;
  item jsonb;
  items jsonb[] := '{}';
  bytes integer := 0;
  last jsonb;
  is_full boolean := false;
begin
  if export_versions.kind is null or export_versions.kind not in ('draft', 'course') then
    perform private.fail('FF303', 'There are no such versions.');
  end if;
  perform private.enforce_rate_limit(caller, 'export_versions');
  for key in
    (
      select v.draft_id as id, v.version
      from public.drafts d join public.draft_versions v on v.draft_id = d.id
      where export_versions.kind = 'draft' and d.owner_id = caller and d.id >= after_id
        and (v.draft_id, v.version) > (after_id, after_version)
      order by v.draft_id, v.version limit 500
    )
    union all
    (
      select v.course_id, v.version
      from public.courses c join private.course_versions v on v.course_id = c.id
      where export_versions.kind = 'course' and c.mentor_id = caller and c.id >= after_id
        and (v.course_id, v.version) > (after_id, after_version)
      order by v.course_id, v.version limit 500
    )
    order by id, version
  loop
    if export_versions.kind = 'draft' then
      select to_jsonb(v) - 'saved_by' into strict item
      from public.draft_versions v where v.draft_id = key.id and v.version = key.version;
    else
      select to_jsonb(v) into strict item
      from private.course_versions v where v.course_id = key.id and v.version = key.version;
    end if;
    is_full := bytes > 0 and bytes + octet_length(item::text) > 2097152;
    exit when is_full;
    bytes := bytes + octet_length(item::text);
    items := items || item;
    last := jsonb_build_object('id', key.id, 'version', key.version);
  end loop;
  return jsonb_build_object(
    'items', to_jsonb(items), 'next', case when is_full or cardinality(items) = 500 then last end
  );
end
$$;
comment on function private.export_versions(text, uuid, integer) is
  'Versions of the caller''s drafts, or replaced ones of the caller''s courses, after one of them: items of at most 2 MB together, one at least, and next, which is null after the last. FF300, FF303.';
grant execute on function private.export_versions to authenticated;

create function public.export_my_versions(
  kind text, after_id uuid default '00000000-0000-0000-0000-000000000000', after_version integer default 0
) returns jsonb
  language sql volatile set search_path = '' as $$ select private.export_versions(kind, after_id, after_version) $$;
comment on function public.export_my_versions(text, uuid, integer) is
  'A page of what the caller saved in the studio (draft), or published and replaced (course). Call it again with next until there is none.';
grant execute on function public.export_my_versions to authenticated;

-- foundations/basics.sql

-- Triggers use this to decide whether to trust a write. A request cannot influence the result.
create function private.is_outside_caller() returns boolean
  language sql stable set search_path = '' as $$
  select current_user in ('anon', 'authenticated')
$$;
comment on function private.is_outside_caller() is
  'True while a statement runs as an API role; false inside a SECURITY DEFINER function and for the server role.';
grant execute on function private.is_outside_caller to authenticated, service_role;

-- Every error that a client handles in its own way has a stable code. docs/error-codes.md lists them.
create function private.fail(code text, message text, detail text default null) returns void
  language plpgsql stable set search_path = '' as $$
begin
  if detail is null then
    raise exception using errcode = code, message = message;
  end if;
  raise exception using errcode = code, message = message, detail = detail;
end
$$;
comment on function private.fail(text, text, text) is 'Raises an error whose SQLSTATE is one of the codes in docs/error-codes.md.';
grant execute on function private.fail to authenticated;

reset check_function_bodies;
