-- Reports of direct messages and of Collaborate posts. Administrators read what was reported and no other conversation.
create table private.text_reports (
  id bigint generated always as identity primary key,
  message_id uuid references public.direct_messages (id) on delete cascade,
  post_id uuid references private.collaboration_posts (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  content text not null,
  context jsonb not null default '[]',
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint text_reports_decision_check check (decision in ('keep', 'remove')),
  constraint text_reports_subject_check check (num_nonnulls(message_id, post_id) = 1),
  constraint text_reports_resolved_check check ((resolved_at is null) = (decision is null)),
  constraint text_reports_reason_check check (char_length(reason) between 1 and 2000)
);
comment on table private.text_reports is 'Reports of direct messages and Collaborate posts; by one member of one text only one is open.';
comment on column private.text_reports.user_id is 'Who reported it.';
comment on column private.text_reports.content is 'The text as it was when it was reported, in case it is edited or deleted; emptied with the decision.';
comment on column private.text_reports.context is 'Up to five messages before a reported one, as they were; emptied with the decision.';
create unique index text_reports_message_key on private.text_reports (message_id, user_id) where resolved_at is null;
create unique index text_reports_post_key on private.text_reports (post_id, user_id) where resolved_at is null;
create index text_reports_message_id_idx on private.text_reports (message_id);
create index text_reports_post_id_idx on private.text_reports (post_id);
create index text_reports_user_id_idx on private.text_reports (user_id);
create index text_reports_waiting_idx on private.text_reports (created_at) where resolved_at is null;
alter table private.text_reports enable row level security;

create function private.require_report_reason(reason text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why constant text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  return why;
end
$$;
comment on function private.require_report_reason(text) is 'The trimmed reason of a report; raises FF317 when it is empty or too long.';

-- A block by the caller does not matter: one may block first and report then.
-- @rpc authenticated (message_id, reason)
-- Reports a direct message to the administrators, who then read it and up to five before it.
create function private.report_direct_message(message uuid, reason text) returns void
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
comment on function private.report_direct_message(uuid, text) is
  'Reports a message to the caller, with up to five messages before it, also after blocking its author. Repeating it while it is open adds what it did not say yet.';

-- @rpc authenticated (post_id, reason)
-- Reports an offer or a request to the administrators.
create function private.report_collaboration_post(post uuid, reason text) returns void
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
comment on function private.report_collaboration_post(uuid, text) is
  'Reports an open post of another member, also after blocking them. Repeating it while it is open adds what it did not say yet.';

-- @rpc authenticated
-- Administrators: reported direct messages (with up to five before each) and posts, oldest first.
create function private.text_report_queue() returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'subject', case when o.message_id is null then 'post' else 'message' end,
      'author', private.describe_member(coalesce(m.user_id, p.user_id)), 'content', o.content,
      'context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.context) e
      ),
      'is_changed', o.content is distinct from coalesce(m.content, p.title || E'\n\n' || p.details),
      'reports', o.reports, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.message_id, r.post_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.content order by r.id))[1] as content, (array_agg(r.context order by r.id))[1] as context
      from private.text_reports r where r.resolved_at is null group by r.message_id, r.post_id
    ) o
    left join public.direct_messages m on m.id = o.message_id
    left join private.collaboration_posts p on p.id = o.post_id
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.text_report_queue() is 'Reported direct messages and posts that wait for a decision, oldest report first.';

-- One decision closes all reports of the same text, and what was copied of it and around it is forgotten.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep or remove a reported direct message or post.
create function private.resolve_text_report(report bigint, decision text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  reported private.text_reports;
  author uuid;
begin
  if decision is null or decision not in ('keep', 'remove') then
    perform private.fail('FF319', 'The decision must be keep or remove.');
  end if;
  select r.* into reported from private.text_reports r where r.id = report;
  -- The text first, so that two decisions about it wait for each other.
  select m.user_id into author from public.direct_messages m where m.id = reported.message_id for no key update;
  if reported.post_id is not null then
    select p.user_id into author from private.collaboration_posts p where p.id = reported.post_id for no key update;
  end if;
  if author = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.text_reports r
  set resolved_at = clock_timestamp(), decision = resolve_text_report.decision, context = '[]', content = ''
  where r.resolved_at is null and (r.message_id = reported.message_id or r.post_id = reported.post_id);
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, case when reported.message_id is null then 'post.' else 'direct_message.' end
      || case decision when 'keep' then 'kept' else 'removed' end, author,
    jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision = 'remove' then
    perform private.erase_direct_message(reported.message_id);
    delete from private.collaboration_posts p where p.id = reported.post_id;
  end if;
end
$$;
comment on function private.resolve_text_report(bigint, text) is
  'Keeps a reported text, or deletes the message''s text or the post, and closes its reports; audited. FF319, FF320 or FF513.';

-- A conversation has two members, so that a report of a message in it names who reported it. The export holds one's own alone.
-- Own words only: whom they wrote to, what the other wrote, what was copied around a report and who reported them
-- are not theirs.
create function private.export_part_direct(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'direct_messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.direct_messages m where m.user_id = member
    ), '[]'),
    'direct_conversations', coalesce((
      select jsonb_agg(to_jsonb(c) - 'first_id' - 'second_id' order by c.created_at, c.id)
      from private.direct_conversations c where member in (c.first_id, c.second_id)
    ), '[]'),
    'direct_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.conversation_id) from private.direct_reads r where r.user_id = member
    ), '[]'),
    'message_choices', (select to_jsonb(c) from public.message_choices c where c.user_id = member),
    'collaboration_posts', coalesce((
      select jsonb_agg(to_jsonb(p) - 'search_key' - 'topic_keys' order by p.created_at, p.id)
      from private.collaboration_posts p where p.user_id = member
    ), '[]'),
    'text_reports', coalesce((
      select jsonb_agg(
        to_jsonb(r) - 'user_id' - 'context' - case when r.user_id = member then 'content' else 'reason' end order by r.id
      )
      from private.text_reports r
      left join private.collaboration_posts p on p.id = r.post_id
      where member in (r.user_id, p.user_id)
    ), '[]')
  )
$$;
comment on function private.export_part_direct(uuid) is
  'Direct messages, read positions, posts and the choice of one account, its own reports and those about its posts, without what others wrote.';
