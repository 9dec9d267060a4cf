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

-- A deadline that is told as a day lasts until that day is over: who reads "by 7 December" has the evening of the 7th, too.
create function private.end_of_day(moment timestamptz, days_later integer default 0) returns timestamptz
  language sql stable set search_path = '' as $$
  select (date_trunc('day', moment at time zone 'Europe/London') + (days_later + 1) * interval '1 day') at time zone 'Europe/London'
$$;
comment on function private.end_of_day(timestamptz, integer) is
  'The midnight at which the day of a moment ends in London, or that so many days later.';

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
