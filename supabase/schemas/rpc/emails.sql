-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.queue_digests() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_digests() $$;
comment on function public.queue_digests is 'Server: queue the digests that are due.';
grant execute on function private.queue_digests, public.queue_digests to service_role;

create function public.enqueue_email(user_id uuid, template text, cause_key text, data jsonb default '{}'::jsonb) returns boolean
  language sql volatile set search_path = '' as $$ select private.enqueue_email(user_id, template, cause_key, data) $$;
comment on function public.enqueue_email is 'Server: put an e-mail into the outbox, once for each cause.';
grant execute on function private.enqueue_email, public.enqueue_email to service_role;

create function public.record_email_result(email uuid, claim uuid, error text default NULL::text) returns text
  language sql volatile set search_path = '' as $$ select private.record_email_result(email, claim, error) $$;
comment on function public.record_email_result is 'Server: an e-mail was sent, or could not be.';
grant execute on function private.record_email_result, public.record_email_result to service_role;

create function public.release_email(email uuid, claim uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.release_email(email, claim) $$;
comment on function public.release_email is 'Server: an e-mail was not tried after all.';
grant execute on function private.release_email, public.release_email to service_role;

create function public.purge_emails() returns void
  language sql volatile set search_path = '' as $$ select private.purge_emails() $$;
comment on function public.purge_emails is 'Server: delete old e-mails.';
grant execute on function private.purge_emails, public.purge_emails to service_role;

create function public.queue_card_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_card_reminders() $$;
comment on function public.queue_card_reminders is 'Server: queue the e-mails about cards that expire soon.';
grant execute on function private.queue_card_reminders, public.queue_card_reminders to service_role;

create function public.queue_trial_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_trial_reminders() $$;
comment on function public.queue_trial_reminders is 'Server: queue e-mails about trials that end soon.';
grant execute on function private.queue_trial_reminders, public.queue_trial_reminders to service_role;

create function public.queue_renewal_reminders() returns integer
  language sql volatile set search_path = '' as $$ select private.queue_renewal_reminders() $$;
comment on function public.queue_renewal_reminders is 'Server: queue e-mails about renewals to come.';
grant execute on function private.queue_renewal_reminders, public.queue_renewal_reminders to service_role;

create function public.email_text_overview() returns table(template text, key text, placeholders text[], text text)
  language sql stable set search_path = '' as $$ select * from private.email_text_overview() $$;
comment on function public.email_text_overview is 'Administrators with a second factor: the texts of e-mails that may be changed.';
grant execute on function private.email_text_overview, public.email_text_overview to authenticated;

create function public.set_email_text(template text, key text, new_text text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.set_email_text(template, key, new_text) $$;
comment on function public.set_email_text is 'Administrators with a second factor: replace a text of an e-mail; null brings the default back.';
grant execute on function private.set_email_text, public.set_email_text to authenticated;

create function public.claim_email(lease interval default '00:05:00'::interval) returns table(id uuid, claim uuid, message_id text, address text, first_name text, template text, data jsonb, texts jsonb, user_id uuid, kind text)
  language sql volatile set search_path = '' as $$ select * from private.claim_email(lease) $$;
comment on function public.claim_email is 'Server: take the next e-mail to send.';
grant execute on function private.claim_email, public.claim_email to service_role;

create function public.switch_off_emails(member uuid, kind text) returns void
  language sql volatile set search_path = '' as $$ select private.switch_off_emails(member, kind) $$;
comment on function public.switch_off_emails is 'Server: switch off the e-mails of one kind for one account.';
grant execute on function private.switch_off_emails, public.switch_off_emails to service_role;
