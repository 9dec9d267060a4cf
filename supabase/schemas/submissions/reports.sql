-- Reports of submissions and comments, which administrators decide about.
create table private.submission_reports (
  id bigint generated always as identity primary key,
  submission_id uuid references public.learning_submissions (id) on delete cascade,
  comment_id uuid references public.learning_submission_comments (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  title text,
  content text not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint submission_reports_decision_check check (decision in ('keep', 'remove')),
  constraint submission_reports_subject_check check (num_nonnulls(submission_id, comment_id) = 1),
  constraint submission_reports_resolved_check check ((resolved_at is null) = (decision is null)),
  constraint submission_reports_reason_check check (char_length(reason) between 1 and 2000)
);
comment on table private.submission_reports is 'Reports of submissions and comments; by one member of one of them only one is open. They go with what was removed.';
comment on column private.submission_reports.user_id is 'Who reported it.';
comment on column private.submission_reports.title is 'Of a submission, as it was when it was reported.';
comment on column private.submission_reports.content is 'The text as it was when it was reported, in case it is edited.';
create unique index submission_reports_submission_key on private.submission_reports (submission_id, user_id) where resolved_at is null;
create unique index submission_reports_comment_key on private.submission_reports (comment_id, user_id) where resolved_at is null;
create index submission_reports_submission_id_idx on private.submission_reports (submission_id);
create index submission_reports_comment_id_idx on private.submission_reports (comment_id);
create index submission_reports_user_id_idx on private.submission_reports (user_id);
create index submission_reports_waiting_idx on private.submission_reports (created_at) where resolved_at is null;
alter table private.submission_reports enable row level security;

create function private.keep_submission_report(caller uuid, submission uuid, comment uuid, author uuid, reason text, title text, content text) returns void
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
comment on function private.keep_submission_report(uuid, uuid, uuid, uuid, text, text, text) is
  'Keeps a report of a submission or a comment by another member. Repeating it while it is open adds what it did not say yet.';

-- @rpc authenticated (submission_id, reason)
-- Reports a submission to the administrators.
create function private.report_submission(submission uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  reported public.learning_submissions;
begin
  select s.* into reported from public.learning_submissions s where s.id = submission for key share;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  perform private.keep_submission_report(caller, submission, null, reported.user_id, reason, reported.title, reported.content);
end
$$;
comment on function private.report_submission(uuid, text) is 'Reports another member''s submission to the administrators.';

-- @rpc authenticated (comment_id, reason)
-- Reports a comment to the administrators.
create function private.report_comment(comment uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  reported public.learning_submission_comments;
begin
  select c.* into reported from public.learning_submission_comments c where c.id = comment for key share;
  if not found then
    perform private.fail('FF333', 'There is no such comment.');
  end if;
  perform private.keep_submission_report(caller, null, comment, reported.user_id, reason, null, reported.content);
end
$$;
comment on function private.report_comment(uuid, text) is 'Reports another member''s comment to the administrators.';

-- @rpc authenticated
-- Administrators: reported submissions and comments waiting for a decision, oldest first, as they were reported.
create function private.submission_report_queue()
  returns table (
    report_id bigint, submission_id uuid, comment_id uuid, title text, content text, is_changed boolean,
    author_id uuid, author_name text, author_role text, reports integer, reasons text[], first_reported_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select o.report_id, coalesce(s.id, c.submission_id), c.id, coalesce(o.title, t.title), o.content,
      (o.title, o.content) is distinct from (s.title, coalesce(s.content, c.content)),
      p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.role, o.reports, o.reasons, o.first_reported_at
    from (
      select r.submission_id as reported_submission, r.comment_id as reported_comment, min(r.id) as report_id,
        count(*)::integer as reports, array_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.title order by r.id))[1] as title, (array_agg(r.content order by r.id))[1] as content
      from private.submission_reports r where r.resolved_at is null group by r.submission_id, r.comment_id
    ) o
    left join public.learning_submissions s on s.id = o.reported_submission
    left join public.learning_submission_comments c on c.id = o.reported_comment
    left join public.learning_submissions t on t.id = c.submission_id
    join public.profiles p on p.id = coalesce(s.user_id, c.user_id)
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.submission_report_queue() is
  'Reported submissions and comments that wait for a decision, oldest report first, as they were reported. A comment has the title of its submission.';

-- One decision closes all open reports of the same submission or comment: of two at the same time the second finds none. What is
-- removed takes its reports with it, and the audit log keeps the decision without the text. Locked are likes, comments, submission and
-- then reports, in the order of delete_submission and of its cascade.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep or remove a reported submission or comment.
create function private.resolve_submission_report(report bigint, decision text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  asked private.submission_reports;
  author uuid;
begin
  if decision is null or decision not in ('keep', 'remove') then
    perform private.fail('FF319', 'The decision must be keep or remove.');
  end if;
  select r.* into asked from private.submission_reports r where r.id = report;
  if decision = 'remove' then
    perform from public.learning_submission_likes l where l.submission_id = asked.submission_id order by l.user_id for update;
    perform from public.learning_submission_comments c where c.submission_id = asked.submission_id order by c.id for update;
  end if;
  select s.user_id into author from public.learning_submissions s where s.id = asked.submission_id for update;
  if author is null then
    select c.user_id into author from public.learning_submission_comments c where c.id = asked.comment_id for update;
  end if;
  if author = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.submission_reports r
  set resolved_at = clock_timestamp(), decision = resolve_submission_report.decision
  where (r.submission_id = asked.submission_id or r.comment_id = asked.comment_id) and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin,
    case when asked.comment_id is null then 'submission.' else 'comment.' end || case decision when 'keep' then 'kept' else 'removed' end,
    author,
    jsonb_strip_nulls(jsonb_build_object(
      'submission_id', asked.submission_id, 'comment_id', asked.comment_id, 'report_id', report, 'before', 'reported', 'after', decision
    ))
  );
  if decision = 'remove' and asked.comment_id is null then
    perform private.delete_submission(asked.submission_id);
  elsif decision = 'remove' then
    perform private.delete_comment(asked.comment_id);
  end if;
end
$$;
comment on function private.resolve_submission_report(bigint, text) is
  'Keeps or removes a reported submission or comment and closes its reports; audited.';

-- Neither who reported nor whose text it was is told to the other.
create function private.export_part_submission_reports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('submission_reports', coalesce((
    select jsonb_agg(
      to_jsonb(r) - 'user_id' || case
        when r.user_id = member then jsonb_build_object('title', null, 'content', null)
        else jsonb_build_object('reason', null)
      end order by r.id
    )
    from private.submission_reports r
    where r.user_id = member
      or r.submission_id in (select s.id from public.learning_submissions s where s.user_id = member)
      or r.comment_id in (select c.id from public.learning_submission_comments c where c.user_id = member)
  ), '[]'))
$$;
comment on function private.export_part_submission_reports(uuid) is
  'Reports by one account and of what it shared, without the other persons and what they wrote.';
