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
