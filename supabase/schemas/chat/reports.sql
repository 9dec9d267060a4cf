-- Reports of messages, which administrators decide about.
create table private.message_reports (
  id bigint generated always as identity primary key,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  content text not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint message_reports_decision_check check (decision in ('keep', 'remove')),
  picture text,
  picture_alt text,
  constraint message_reports_resolved_check check ((resolved_at is null) = (decision is null)),
  constraint message_reports_reason_check check (char_length(reason) between 1 and 2000)
);
comment on table private.message_reports is 'Reports of messages; by one member of one message only one is open.';
comment on column private.message_reports.user_id is 'Who reported it.';
comment on column private.message_reports.content is 'The text as it was when it was reported, in case it is edited.';
comment on column private.message_reports.picture is
  'The picture as it was when it was reported. It is kept until the decision, also when the author deletes the message.';
comment on column private.message_reports.picture_alt is 'Its description at that time.';
create index message_reports_user_id_idx on private.message_reports (user_id);
create index message_reports_open_idx on private.message_reports (created_at) where resolved_at is null;
create unique index message_reports_open_key on private.message_reports (message_id, user_id) where resolved_at is null;
create index message_reports_message_id_idx on private.message_reports (message_id);
alter table private.message_reports enable row level security;

-- @rpc authenticated (message_id, reason)
-- Reports a message to the administrators.
create function private.report_message(message uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller uuid := private.require_caller();
  why text := private.trimmed_message(reason);
  reported public.chat_messages := private.require_visible_message(message);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF318', 'You can delete your own message; there is no need to report it.');
  end if;
  select r.id into open_report from private.message_reports r
  where r.message_id = message and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.message_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.message_reports (message_id, user_id, reason, content, picture, picture_alt)
  values (message, caller, why, reported.content, reported.picture, reported.picture_alt) on conflict do nothing;
end
$$;
comment on function private.report_message(uuid, text) is
  'Reports a message the caller can see. Repeating it while it is open adds what it did not say yet.';

-- One decision closes all reports of the same message.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep or remove a reported message.
create function private.resolve_message_report(report bigint, decision text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  reported public.chat_messages;
begin
  if decision is null or decision not in ('keep', 'remove') then
    perform private.fail('FF319', 'The decision must be keep or remove.');
  end if;
  select m.* into reported from public.chat_messages m
  join private.message_reports r on r.message_id = m.id
  where r.id = report for no key update of m;
  update private.message_reports r set resolved_at = clock_timestamp(), decision = resolve_message_report.decision
  where r.message_id = reported.id and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, 'message.' || case decision when 'keep' then 'kept' else 'removed' end, reported.user_id,
    jsonb_build_object('message_id', reported.id, 'report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision = 'remove' then
    perform private.delete_message(reported.id);
  end if;
end
$$;
comment on function private.resolve_message_report(bigint,text) is 'Keeps or removes a reported message and closes all its reports; audited.';
