-- `detail` is what it was, the decision, and what makes it one act: a report, or all reports of a thing that were decided together.
create function private.tell_report_outcome(reporter uuid, report bigint, author uuid, what text, thing uuid, decision text) returns void
  language plpgsql set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, told.kind, concat_ws(':', what, decision, told.act)
  from (
    values (reporter, 'report_decided', report::text), (author, 'moderated', thing || ':' || pg_current_xact_id())
  ) told (member, kind, act)
  join public.profiles r on r.id = told.member
  where told.kind = 'report_decided' or decision <> 'keep'
  for key share of r skip locked
  on conflict do nothing;
end
$$;
comment on function private.tell_report_outcome(uuid, bigint, uuid, text, uuid, text) is
  'Tells who reported what was decided and, unless it is kept, the author.';

create function private.tg_message_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_report_outcome(
    new.user_id, new.id, (select m.user_id from public.chat_messages m where m.id = new.message_id), 'message', new.message_id, new.decision
  );
  return null;
end
$$;
create trigger message_reports__notify after update of resolved_at on private.message_reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function private.tg_message_reports__notify();

create function private.tg_member_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  perform private.tell_report_outcome(new.user_id, new.id, new.member_id, 'profile', new.member_id, new.decision);
  return null;
end
$$;
create trigger member_reports__notify after update of resolved_at on private.member_reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function private.tg_member_reports__notify();

create function private.tg_text_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.message_id is null then
    perform private.tell_report_outcome(
      new.user_id, new.id, (select p.user_id from private.collaboration_posts p where p.id = new.post_id), 'post', new.post_id, new.decision
    );
  else
    perform private.tell_report_outcome(
      new.user_id, new.id, (select d.user_id from public.direct_messages d where d.id = new.message_id), 'direct_message', new.message_id,
      new.decision
    );
  end if;
  return null;
end
$$;
create trigger text_reports__notify after update of resolved_at on private.text_reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function private.tg_text_reports__notify();

create function private.tg_submission_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  if new.comment_id is null then
    perform private.tell_report_outcome(
      new.user_id, new.id, (select s.user_id from public.learning_submissions s where s.id = new.submission_id), 'submission',
      new.submission_id, new.decision
    );
  else
    perform private.tell_report_outcome(
      new.user_id, new.id, (select c.user_id from public.learning_submission_comments c where c.id = new.comment_id), 'comment',
      new.comment_id, new.decision
    );
  end if;
  return null;
end
$$;
create trigger submission_reports__notify after update of resolved_at on private.submission_reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function private.tg_submission_reports__notify();

create function private.notification_part_reports(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, jsonb_build_object('what', split_part(n.detail, ':', 1), 'is_kept', split_part(n.detail, ':', 2) = 'keep')
  from private.newest_notifications(member, array['report_decided', 'moderated']) n
$$;
comment on function private.notification_part_reports(uuid) is
  'What became of a member''s reports, and what of the member''s own was taken away by one.';

create function private.extend_report(reports regclass, report bigint, caller uuid, why text) returns void
  language plpgsql set search_path = ''
as $$
declare
  said text;
begin
  execute format('select r.reason from %s r where r.id = $1 for update', reports) into said using report;
  if position(why in said) > 0 then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  if char_length(said) + char_length(why) + 2 > 2000 then
    perform private.fail('FF317', 'You have said much about this already. An administrator will look at it.');
  end if;
  execute format('update %s r set reason = $2 where r.id = $1', reports) using report, said || E'\n\n' || why;
end
$$;
comment on function private.extend_report(regclass, bigint, uuid, text) is
  'Adds to the caller''s open report what it does not say yet; raises FF317 when it would be longer than 2000 characters.';
