-- Who says more about what they have reported is kept, too: the text joins the open report. A message whose reports were
-- decided can be reported anew, as everything else.
alter table private.message_reports drop constraint message_reports_reason_check,
  add constraint message_reports_reason_check check (char_length(reason) between 1 and 2000);
alter table private.member_reports drop constraint member_reports_reason_check,
  add constraint member_reports_reason_check check (char_length(reason) between 1 and 2000);
alter table private.text_reports drop constraint text_reports_reason_check,
  add constraint text_reports_reason_check check (char_length(reason) between 1 and 2000);
alter table private.submission_reports drop constraint submission_reports_reason_check,
  add constraint submission_reports_reason_check check (char_length(reason) between 1 and 2000);

alter table private.message_reports drop constraint message_reports_once;
create unique index message_reports_open_key on private.message_reports (message_id, user_id) where resolved_at is null;
create index message_reports_message_id_idx on private.message_reports (message_id);
comment on table private.message_reports is 'Reports of messages; by one member of one message only one is open.';

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
revoke all on function private.extend_report(regclass, bigint, uuid, text) from public, anon, authenticated, service_role;
comment on function private.extend_report(regclass, bigint, uuid, text) is
  'Adds to the caller''s open report what it does not say yet; raises FF317 when it would be longer than 2000 characters.';

create or replace function private.report_message(message uuid, reason text) returns void
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

create or replace function private.report_member(member uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller uuid := private.require_member();
  why text := private.trimmed_message(reason);
  other public.profiles := private.require_other_member(caller, member);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  select r.id into open_report from private.member_reports r
  where r.member_id = other.id and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.member_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.member_reports (member_id, user_id, reason, profile)
  values (other.id, caller, why, jsonb_build_object(
    'name', btrim(concat_ws(' ', other.first_name, other.last_name)), 'occupation', other.occupation, 'bio', other.bio,
    'topics', coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = other.id), '[]')
  ))
  on conflict do nothing;
end
$$;

create or replace function private.report_direct_message(message uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller constant uuid := private.require_member();
  why constant text := private.require_report_reason(reason);
  reported public.direct_messages;
begin
  select m.* into reported from public.direct_messages m
  where m.id = message and m.deleted_at is null and exists (
    select from private.direct_conversations c where c.id = m.conversation_id and caller in (c.first_id, c.second_id)
  );
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF318', 'You can delete your own message; there is no need to report it.');
  end if;
  select r.id into open_report from private.text_reports r
  where r.message_id = message and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.text_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.text_reports (message_id, user_id, reason, content, context)
  values (message, caller, why, reported.content, coalesce((
    select jsonb_agg(jsonb_build_object(
      'author_id', e.user_id, 'content', e.content, 'created_at', e.created_at
    ) order by e.created_at, e.id desc)
    from (
      select m.* from public.direct_messages m
      where m.conversation_id = reported.conversation_id and m.deleted_at is null
        and (m.created_at < reported.created_at or (m.created_at = reported.created_at and m.id > reported.id))
      order by m.created_at desc, m.id limit 5
    ) e
  ), '[]'))
  on conflict do nothing;
end
$$;

create or replace function private.report_collaboration_post(post uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller constant uuid := private.require_member();
  why constant text := private.require_report_reason(reason);
  reported private.collaboration_posts;
begin
  select p.* into reported from private.collaboration_posts p
  where p.id = post and private.is_open_post(p.created_at, p.closed_at) and private.effective_level(p.user_id) > 0
    and not exists (select from private.member_blocks b where b.user_id = p.user_id and b.blocked_id = caller)
    and not exists (select from auth.users u where u.id = p.user_id and u.banned_until > now());
  if not found then
    perform private.fail('FF833', 'This post is no longer there.');
  end if;
  if reported.user_id = caller then
    perform private.fail('FF834', 'You can close your own post; there is no need to report it.');
  end if;
  select r.id into open_report from private.text_reports r
  where r.post_id = post and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.text_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.text_reports (post_id, user_id, reason, content)
  values (post, caller, why, reported.title || E'\n\n' || reported.details) on conflict do nothing;
end
$$;

create or replace function private.keep_submission_report(caller uuid, submission uuid, comment uuid, author uuid, reason text, title text, content text) returns void
  language plpgsql set search_path = ''
as $$
declare
  open_report bigint;
  why constant text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  if author = caller then
    perform private.fail('FF318', 'You can delete what you wrote; there is no need to report it.');
  end if;
  select r.id into open_report from private.submission_reports r
  where (r.submission_id = submission or r.comment_id = comment) and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.submission_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.submission_reports (submission_id, comment_id, user_id, reason, title, content)
  values (submission, comment, caller, why, title, content) on conflict do nothing;
end
$$;

comment on function private.report_message(uuid, text) is
  'Reports a message the caller can see. Repeating it while it is open adds what it did not say yet.';
comment on function private.report_member(uuid, text) is
  'Reports a member to the administrators. Repeating it while it is open adds what it did not say yet.';
comment on function private.report_direct_message(uuid, text) is
  'Reports a message to the caller, with up to five messages before it, also after blocking its author. Repeating it while it is open adds what it did not say yet.';
comment on function private.report_collaboration_post(uuid, text) is
  'Reports an open post of another member, also after blocking them. Repeating it while it is open adds what it did not say yet.';
comment on function private.keep_submission_report(uuid, uuid, uuid, uuid, text, text, text) is
  'Keeps a report of a submission or a comment by another member. Repeating it while it is open adds what it did not say yet.';
