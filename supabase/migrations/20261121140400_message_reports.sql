-- Reports of messages, which administrators decide about.
create table private.message_reports (
  id bigint generated always as identity primary key,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null constraint message_reports_reason_check check (char_length(reason) between 1 and 500),
  content text not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint message_reports_decision_check check (decision in ('keep', 'remove')),
  constraint message_reports_once unique (message_id, user_id),
  constraint message_reports_resolved_check check ((resolved_at is null) = (decision is null))
);
revoke all on table private.message_reports from public, anon, authenticated, service_role;
revoke all on sequence private.message_reports_id_seq from public, anon, authenticated, service_role;
comment on table private.message_reports is 'Reports of messages, one for each member and message.';
comment on column private.message_reports.user_id is 'Who reported it.';
comment on column private.message_reports.content is 'The text as it was when it was reported, in case it is edited.';
create index message_reports_user_id_idx on private.message_reports (user_id);
create index message_reports_open_idx on private.message_reports (created_at) where resolved_at is null;
alter table private.message_reports enable row level security;

create function private.report_message(message uuid, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
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
  if exists (select from private.message_reports r where r.message_id = message and r.user_id = caller) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.message_reports (message_id, user_id, reason, content)
  values (message, caller, why, reported.content) on conflict do nothing;
end
$$;
revoke all on function private.report_message from public, anon, authenticated, service_role;
comment on function private.report_message(uuid, text) is 'Reports a message the caller can see. Repeating it does nothing.';
grant execute on function private.report_message(uuid, text) to authenticated;
create function public.report_message(message_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.report_message(message_id, reason) $$;
revoke all on function public.report_message from public, anon, authenticated, service_role;
comment on function public.report_message(uuid, text) is 'Reports a message to the administrators.';
grant execute on function public.report_message(uuid, text) to authenticated;

create function private.moderation_queue()
  returns table (
    report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text,
    author_id uuid, author_first_name text, author_last_name text, author_role text,
    reports integer, reasons text[], first_reported_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select o.report_id, m.id, m.chat_room_id, c.name, m.content, o.reported_content,
      m.user_id, p.first_name, p.last_name, p.role, o.reports, o.reasons, o.first_reported_at
    from (
      select r.message_id as reported_id, min(r.id) as report_id, count(*)::integer as reports,
        array_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.content order by r.id))[1] as reported_content
      from private.message_reports r where r.resolved_at is null group by r.message_id
    ) o
    join public.chat_messages m on m.id = o.reported_id
    join public.chat_rooms c on c.id = m.chat_room_id
    join public.profiles p on p.id = m.user_id
    order by o.first_reported_at, o.report_id;
end
$$;
revoke all on function private.moderation_queue from public, anon, authenticated, service_role;
comment on function private.moderation_queue() is 'Reported messages that wait for a decision, oldest report first.';
grant execute on function private.moderation_queue() to authenticated;
create function public.moderation_queue()
  returns table (
    report_id bigint, message_id uuid, chat_room_id text, room_name text, content text, reported_content text,
    author_id uuid, author_first_name text, author_last_name text, author_role text,
    reports integer, reasons text[], first_reported_at timestamptz
  )
  language sql stable set search_path = '' as $$ select * from private.moderation_queue() $$;
revoke all on function public.moderation_queue from public, anon, authenticated, service_role;
comment on function public.moderation_queue() is 'Administrators: reported messages waiting for a decision, oldest first.';
grant execute on function public.moderation_queue() to authenticated;

-- One decision closes all reports of the same message.
create function private.resolve_report(report bigint, decision text) returns void
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
  update private.message_reports r set resolved_at = clock_timestamp(), decision = resolve_report.decision
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
revoke all on function private.resolve_report from public, anon, authenticated, service_role;
comment on function private.resolve_report(bigint, text) is 'Keeps or removes a reported message and closes all its reports; audited.';
grant execute on function private.resolve_report(bigint, text) to authenticated;
create function public.resolve_report(report_id bigint, decision text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_report(report_id, decision) $$;
revoke all on function public.resolve_report from public, anon, authenticated, service_role;
comment on function public.resolve_report(bigint, text) is 'Administrators: keep or remove a reported message.';
grant execute on function public.resolve_report(bigint, text) to authenticated;
