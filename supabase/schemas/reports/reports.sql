-- Reports by members, whatever they are about. A kind of report is a column here, its line in private.report_kinds, and a file of its
-- own in this folder with four functions, which the functions here call by the name of the kind:
--
--   reportable_<kind>(subject, caller)  who may report it: raises the code of what the caller may not see or not report
--   reported_<kind>(subject)            whose it is, what a report keeps of it, and where it is; as it is now
--   lock_reported_<kind>(subject)       locks it before its reports, in the order in which its removal locks
--   remove_reported_<kind>(subject)     takes it away
create table private.reports (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id uuid not null,
  message_id uuid references public.chat_messages (id) on delete cascade,
  direct_message_id uuid references public.direct_messages (id) on delete cascade,
  post_id uuid references private.collaboration_posts (id) on delete cascade,
  submission_id uuid references public.learning_submissions (id) on delete cascade,
  comment_id uuid references public.learning_submission_comments (id) on delete cascade,
  profile_id uuid references public.profiles (id) on delete cascade,
  author_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  category text constraint reports_category_check check (
    category in ('spam', 'harassment', 'scam', 'danger', 'privacy', 'other')
  ),
  reason text,
  snapshot jsonb not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint reports_decision_check check (decision in ('keep', 'remove', 'clear')),
  explanation text constraint reports_explanation_check check (char_length(explanation) between 1 and 500),
  constraint reports_subject_check check (
    num_nonnulls(message_id, direct_message_id, post_id, submission_id, comment_id, profile_id) = 1
    and subject_id is not distinct from case kind
      when 'message' then message_id
      when 'direct_message' then direct_message_id
      when 'post' then post_id
      when 'submission' then submission_id
      when 'comment' then comment_id
      when 'profile' then profile_id
    end
  ),
  constraint reports_resolved_check check ((resolved_at is null) = (decision is null)),
  constraint reports_reason_check check (char_length(reason) between 1 and 2000),
  constraint reports_said_check check (num_nonnulls(category, reason) > 0)
);
comment on table private.reports is 'Reports; by one member of one thing only one is open. They go with what they are about and with either account.';
comment on column private.reports.subject_id is 'What it is about, also in the column of its kind, which refers to it.';
comment on column private.reports.author_id is
  'Whose it is, and goes with. No foreign key: it would lock the account after what is reported, and a deletion locks them the other way.';
comment on column private.reports.user_id is 'Who reported it.';
comment on column private.reports.category is 'What is wrong, as chosen from the list; null when the member only wrote it.';
comment on column private.reports.reason is 'What is wrong, in the member''s words; null when what was chosen says it.';
comment on column private.reports.snapshot is
  'What was reported as it was then, in case it is edited or deleted; emptied with the decision where report_kinds says so.';
comment on column private.reports.explanation is 'Why it was taken away, in the administrator''s words to the author.';
create unique index reports_open_key on private.reports (kind, subject_id, user_id) where resolved_at is null;
create index reports_waiting_idx on private.reports (created_at) where resolved_at is null;
create index reports_message_id_idx on private.reports (message_id);
create index reports_direct_message_id_idx on private.reports (direct_message_id);
create index reports_post_id_idx on private.reports (post_id);
create index reports_submission_id_idx on private.reports (submission_id);
create index reports_comment_id_idx on private.reports (comment_id);
create index reports_profile_id_idx on private.reports (profile_id);
create index reports_author_id_idx on private.reports (author_id);
create index reports_user_id_idx on private.reports (user_id);
alter table private.reports enable row level security;

-- What is copied of direct messages and posts does not outlive the decision. A direct message is between two, so that a report of it
-- would name its reporter to its author.
create function private.report_kinds()
  returns table (kind text, removal text, removed text, is_forgotten boolean, is_between_two boolean)
  language sql immutable set search_path = '' as $$
  values
    ('message', 'remove', 'removed', false, false),
    ('direct_message', 'remove', 'removed', true, true),
    ('post', 'remove', 'removed', true, false),
    ('submission', 'remove', 'removed', false, false),
    ('comment', 'remove', 'removed', false, false),
    ('profile', 'clear', 'cleared', false, false)
$$;
comment on function private.report_kinds() is
  'The kinds of reports: what the decision against one is called, how the audit log calls it, and whether its copy goes with the decision.';

create type private.reported as (author_id uuid, snapshot jsonb, place jsonb);
comment on type private.reported is 'Whose something is, what a report keeps of it, and what a link to it needs.';

create function private.require_report_kind(kind text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if not exists (select from private.report_kinds() k where k.kind = require_report_kind.kind) then
    perform private.fail('FF343', 'This can''t be reported.');
  end if;
  return kind;
end
$$;
comment on function private.require_report_kind(text) is 'The kind of a report, if there is such a kind; raises FF343 otherwise.';

create function private.reported(kind text, subject uuid) returns private.reported
  language plpgsql stable set search_path = '' as $$
declare
  found_subject private.reported;
begin
  execute format('select * from private.%I($1)', 'reported_' || private.require_report_kind(kind)) into found_subject using subject;
  return found_subject;
end
$$;
comment on function private.reported(text, uuid) is 'What a report of something would hold now.';

create function private.require_report_category(category text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if category not in ('spam', 'harassment', 'scam', 'danger', 'privacy', 'other') then
    perform private.fail('FF345', 'Choose one of the reasons in the list, or say in your own words what is wrong.');
  end if;
  return category;
end
$$;
comment on function private.require_report_category(text) is 'What was chosen from the list, or null; raises FF345 for what is not in it.';

-- On a phone a choice is enough; what the list does not hold has to be said.
create function private.require_report_reason(reason text, category text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why constant text := case when not private.is_blank(reason) then private.trimmed_message(reason) end;
begin
  if why is null and (category is null or category = 'other') or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  return why;
end
$$;
comment on function private.require_report_reason(text, text) is
  'The trimmed words of a report, or null where the category says enough; raises FF317 when they are missing or too long.';

-- @rpc authenticated (kind, subject_id, reason, category)
-- Reports something of another member to the administrators, for a reason of a list, in own words, or both. Repeating it while it is open adds what it did not say yet.
create function private.report(kind text, subject uuid, reason text default null, category text default null) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
  known constant text := private.require_report_kind(kind);
  chosen constant text := private.require_report_category(category);
  why constant text := private.require_report_reason(reason, category);
  it private.reported;
  earlier private.reports;
  is_said boolean;
begin
  execute format('select * from private.%I($1, $2)', 'reportable_' || known) into it using subject, caller;
  if it.author_id = caller then
    perform private.fail('FF318', 'You can delete what you wrote; there is no need to report it.');
  end if;
  select r.* into earlier from private.reports r
  where r.kind = known and r.subject_id = subject and r.user_id = caller and r.resolved_at is null for update;
  if not found then
    perform private.enforce_rate_limit(caller, 'report');
    execute format(
      'insert into private.reports (kind, subject_id, %I, author_id, user_id, category, reason, snapshot)
       values ($1, $2, $2, $3, $4, $5, $6, $7) on conflict do nothing', known || '_id'
    ) using known, subject, it.author_id, caller, chosen, why, it.snapshot;
    return;
  end if;
  is_said := why is null or position(why in coalesce(earlier.reason, '')) > 0;
  if is_said and coalesce(chosen = earlier.category, chosen is null) then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  if not is_said and char_length(earlier.reason) + char_length(why) + 2 > 2000 then
    perform private.fail('FF317', 'You have told us a lot about this already. An administrator will look at it.');
  end if;
  update private.reports r
  set category = coalesce(chosen, earlier.category),
    reason = case when is_said then earlier.reason else concat_ws(E'\n\n', earlier.reason, why) end
  where r.id = earlier.id;
end
$$;
comment on function private.report(text, uuid, text, text) is
  'Reports something to the administrators, once while it is open: repeating it adds what it does not say yet, up to 2000 characters, and the newest category stands.';

create function private.require_removal_explanation(explanation text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why constant text := private.trimmed_message(explanation);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF344', 'Tell the author in at most 500 characters why it is taken away.');
  end if;
  return why;
end
$$;
comment on function private.require_removal_explanation(text) is 'The trimmed explanation for an author; raises FF344 when it is empty or too long.';

-- The own ones without what others wrote and, of a profile, whose it was. Those about the member without who and why.
create function private.export_part_reports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('reports', coalesce((
    select jsonb_agg(
      to_jsonb(r) - '{user_id,author_id,subject_id,profile_id}'::text[]
        - case when r.user_id = member then '{snapshot,explanation}' else '{category,reason}' end::text[]
      order by r.id
    )
    from private.reports r
    join private.report_kinds() k on k.kind = r.kind
    where r.user_id = member or r.author_id = member and not k.is_between_two
  ), '[]'))
$$;
comment on function private.export_part_reports(uuid) is
  'Reports by one account and about what it wrote, without the other persons and what they wrote.';
