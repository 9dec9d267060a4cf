-- Part 10 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- emails/outbox.sql
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

-- Every function that needs a signed-in caller begins with this.
create function private.require_caller() returns uuid
  language plpgsql stable set search_path = '' as $$
declare
  caller uuid := auth.uid();
begin
  if caller is null then
    perform private.fail('FF001', 'Please sign in first.');
  end if;
  return caller;
end
$$;
comment on function private.require_caller() is 'The calling account; raises FF001 without one.';
grant execute on function private.require_caller to authenticated;

-- Records what administrators and the operator do. Entries outlive the account they are about.
create table private.audit_log (
  id bigint generated always as identity primary key,
  happened_at timestamptz not null default now(),
  actor uuid,
  action text not null,
  subject uuid,
  detail jsonb not null default '{}'
);
comment on table private.audit_log is 'Decisions made about accounts, oldest first; rows are only ever added.';
comment on column private.audit_log.actor is 'Account that acted; null for the operator, a scheduled function, or a deleted account.';
comment on column private.audit_log.subject is 'Account the entry is about. Has no foreign key, so that entries survive the account.';
create index audit_log_subject_idx on private.audit_log (subject, happened_at);
create index audit_log_happened_at_idx on private.audit_log (happened_at, id);
create index audit_log_actor_idx on private.audit_log (actor, happened_at, id);
create index audit_log_action_idx on private.audit_log (action, happened_at, id);
alter table private.audit_log enable row level security;

-- Accounts that a person has to review. No account is deleted automatically.
create table private.account_flags (
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (user_id, reason),
  constraint account_flags_reason_check
    check (reason in ('verification_attempts_exhausted', 'several_subscriptions', 'dispute_lost'))
);
comment on table private.account_flags is 'Accounts waiting for a human decision, and why.';
comment on column private.account_flags.closed_at is
  'When an administrator decided to keep the identity form closed. The flag then waits no more, and can still be reset.';
alter table private.account_flags enable row level security;

-- The only function that writes entries, so that all have the same shape.
create function private.audit(actor uuid, action text, subject uuid, detail jsonb default '{}') returns void
  language sql volatile set search_path = '' as $$
  insert into private.audit_log (actor, action, subject, detail) values (actor, action, subject, detail)
$$;
comment on function private.audit(uuid, text, uuid, jsonb) is 'Adds one entry to the audit log.';

-- Entries are never changed or deleted, by any role.
create function private.tg_audit_log__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  raise exception 'the audit log only grows';
end
$$;

create trigger audit_log__append_only before update or delete on private.audit_log
  for each row execute function private.tg_audit_log__append_only();

-- foundations/markdown-bounds.sql

-- Bounds of Markdown, so that no text takes its readers' browsers, or the server that renders it, more than a moment. The time of the
-- parser grows with the square of the signs in a paragraph, with every open list or quote on each line, and with the cells of tables.
create function private.markdown_issue(markdown text) returns jsonb
language sql immutable set search_path = '' as $$
  with lines as materialized (
    select l.place, l.line, char_length(l.line) - char_length(ltrim(l.line, E' \t')) as indentation
    from string_to_table(replace(replace(markdown, E'\r\n', E'\n'), E'\r', E'\n'), E'\n') with ordinality l (line, place)
    -- One more than there may be.
    limit 5001
  ), starts as (
    select l.place, l.line, l.indentation,
      l.indentation + 3 * (l.indentation - char_length(replace(left(l.line, l.indentation), E'\t', ''))) as columns,
      -- Lists, quotes and footnotes that begin on the line. More than are allowed fit into these characters, as names of footnotes have 999
      -- at most, or there are more spaces between them than are allowed.
      (regexp_match(
        substr(l.line, l.indentation + 1, 25000),
        '^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|[0-9]{1,9}[.)](?=[ \t]|$)|\[\^(?:\\?[^][\\ \t]|\\[][\\])+\]:))*'
      ))[1] as opened
    from lines l
  ), begins as (
    select s.place, s.line, s.indentation, s.columns,
      -- The signs of a footnote's name are none of lists.
      case when strpos(s.opened, '[') = 0 then s.opened
        else regexp_replace(s.opened, '\[\^(?:\\?[^][\\ \t]|\\[][\\])+\]:', '>', 'g') end as opened
    from starts s
  ), opens as (
    select b.place, b.line, b.indentation, b.columns,
      char_length(b.opened) - char_length(translate(b.opened, '>-+*.)', '')) as opened,
      char_length(b.opened) - char_length(translate(b.opened, E' \t', ''))
        + 3 * (char_length(b.opened) - char_length(replace(b.opened, E'\t', ''))) as columns_between
    from begins b
  ), measured as (
    -- Each but the first is a space away from the one before. What is indented further may be inside of what earlier lines began.
    select s.place, s.columns + greatest(s.columns_between - s.opened, 0) as columns, s.opened,
      char_length(s.line) - char_length(translate(s.line, '*_~[]<&`', '')) as signs,
      char_length(s.line) - char_length(replace(s.line, '|', '')) as pipes,
      -- A paragraph ends here, whatever it stands in.
      sum(case when s.indentation = char_length(s.line) or s.line ~ '^ {0,3}>( {0,4}>)*[ \t]*$' then 1 else 0 end)
        over (order by s.place) as part,
      -- The line below the heads of a table.
      translate(s.line, E' \t>|:-', '') = '' and strpos(s.line, '|') > 0 and strpos(s.line, '-') > 0 as is_rule
    from opens s
  ), totals as (
    select m.place, m.columns, m.opened, m.signs,
      sum(m.signs) over (order by m.place) as signs_so_far, sum(m.opened) over (order by m.place) as opened_so_far
    from measured m
  ), parts as (
    select min(m.place) filter (where m.signs > 0) as place, sum(m.signs) as signs from measured m group by m.part
  ), tables as (
    select min(m.place) filter (where m.pipes > 0) as place, (max(m.pipes) + 1) * count(*) as cells
    from measured m group by m.part having bool_or(m.is_rule)
  ), table_totals as (
    select t.place, sum(t.cells) over (order by t.place) as cells_so_far from tables t
  ), issues as (
    select l.place, 'The text has over 5,000 lines. Divide it into several texts.' as message
    from lines l where l.place > 5000
    union all
    select t.place, 'Lists, quotes and footnotes are nested too deeply here. Use at most 20 levels, and indent by 40 columns at most.'
    from totals t where t.opened > 0 and t.opened + t.columns / 2 > 20
    union all
    select t.place, 'The text has over 3,000 list items, quoted lines and footnotes up to here. Divide it into several texts.'
    from totals t where t.opened_so_far > 3000
    union all
    select p.place, 'This paragraph has over 2,000 of the signs * _ ~ [ ] < & `. Divide it with empty lines.'
    from parts p where p.signs > 2000
    union all
    select t.place, 'The text has over 12,000 of the signs * _ ~ [ ] < & ` up to here. Divide it into several texts.'
    from totals t where t.signs_so_far > 12000
    union all
    select t.place, 'The tables have over 10,000 cells up to here. Divide the text, or leave rows or columns out.'
    from table_totals t where t.cells_so_far > 10000
  )
  select jsonb_build_object('line', i.place, 'message', i.message) from issues i order by i.place limit 1
$$;
comment on function private.markdown_issue(text) is
  'The first line where a text is more than readers can be shown at once, with the reason; null for texts within the bounds. Takes time in proportion to the text.';

create function private.require_bounded_markdown(markdown text, name text) returns void
language plpgsql immutable set search_path = '' as $$
declare
  issue jsonb;
begin
  -- Columns have limits of their own for what is longer.
  if octet_length(markdown) > 204800 then
    return;
  end if;
  issue := private.markdown_issue(markdown);
  if issue is not null then
    perform private.fail('FF660', format('%s %s: %s', name, issue ->> 'line', issue ->> 'message'), issue ->> 'line');
  end if;
end
$$;
comment on function private.require_bounded_markdown(text, text) is
  'FF660 for a text over the bounds of Markdown. The message begins with the given name and the number of the line, which details hold too.';

create function private.tg_draft_versions__bound_markdown() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_bounded_markdown(new.content, 'Line');
  perform private.require_bounded_markdown(m.module ->> 'content', format('Lesson %s, line', m.place))
  from jsonb_array_elements(new.modules) with ordinality m (module, place);
  return null;
end
$$;
comment on function private.tg_draft_versions__bound_markdown() is 'Refuses texts that take too long to show: FF660.';

-- Articles and lessons of the library are also written by imports and by the server.
create function private.tg_articles__bound_markdown() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_bounded_markdown(new.content, 'Line');
  return null;
end
$$;
comment on function private.tg_articles__bound_markdown() is 'Refuses texts that take too long to show: FF660.';

create function private.tg_course_modules__bound_markdown() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_bounded_markdown(new.content, 'Line');
  return null;
end
$$;
comment on function private.tg_course_modules__bound_markdown() is 'Refuses texts that take too long to show: FF660.';

-- foundations/rate-limits.sql

-- Limits for each account and action. The owner may change them; a change applies at once.
create table private.rate_limits (
  action text primary key,
  max_count integer not null constraint rate_limits_max_count_check check (max_count > 0),
  period interval not null constraint rate_limits_period_check check (period > interval '0')
);
comment on table private.rate_limits is 'How many times an account may do something within any period of that length.';
alter table private.rate_limits enable row level security;

create table private.rate_usage (
  user_id uuid not null references auth.users (id) on delete cascade,
  action text not null,
  recent timestamptz[] not null default '{}',
  primary key (user_id, action)
);
comment on table private.rate_usage is 'Recent uses of limited actions, one row for each account and action.';
comment on column private.rate_usage.recent is 'Times of the uses within the period, oldest first, at most max_count.';
alter table private.rate_usage enable row level security;

reset check_function_bodies;
