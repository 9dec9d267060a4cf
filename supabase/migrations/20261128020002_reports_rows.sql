-- What the four former tables hold. No report gets the number of an earlier one: the audit log and what was told name them.
select setval(pg_get_serial_sequence('private.reports', 'id'), (
  select max(r.id) + 1 from (
    select 0 as id union all
    select m.id from private.message_reports m union all
    select t.id from private.text_reports t union all
    select s.id from private.submission_reports s union all
    select p.id from private.member_reports p
  ) r
));

insert into private.reports
  (kind, subject_id, message_id, author_id, user_id, reason, snapshot, created_at, resolved_at, decision)
select 'message', r.message_id, r.message_id, m.user_id, r.user_id, r.reason,
  jsonb_build_object('content', r.content, 'picture', r.picture, 'picture_alt', r.picture_alt),
  r.created_at, r.resolved_at, r.decision
from private.message_reports r join public.chat_messages m on m.id = r.message_id order by r.id;

insert into private.reports
  (kind, subject_id, direct_message_id, author_id, user_id, reason, snapshot, created_at, resolved_at, decision)
select 'direct_message', r.message_id, r.message_id, m.user_id, r.user_id, r.reason,
  case when r.resolved_at is null then jsonb_build_object('content', r.content, 'context', r.context) else '{}' end,
  r.created_at, r.resolved_at, r.decision
from private.text_reports r join public.direct_messages m on m.id = r.message_id order by r.id;

insert into private.reports
  (kind, subject_id, post_id, author_id, user_id, reason, snapshot, created_at, resolved_at, decision)
select 'post', r.post_id, r.post_id, p.user_id, r.user_id, r.reason,
  case when r.resolved_at is null then jsonb_build_object('content', r.content) else '{}' end,
  r.created_at, r.resolved_at, r.decision
from private.text_reports r join private.collaboration_posts p on p.id = r.post_id order by r.id;

insert into private.reports
  (kind, subject_id, submission_id, author_id, user_id, reason, snapshot, created_at, resolved_at, decision)
select 'submission', r.submission_id, r.submission_id, s.user_id, r.user_id, r.reason,
  jsonb_build_object('title', r.title, 'content', r.content), r.created_at, r.resolved_at, r.decision
from private.submission_reports r join public.learning_submissions s on s.id = r.submission_id order by r.id;

insert into private.reports
  (kind, subject_id, comment_id, author_id, user_id, reason, snapshot, created_at, resolved_at, decision)
select 'comment', r.comment_id, r.comment_id, c.user_id, r.user_id, r.reason,
  jsonb_build_object('content', r.content), r.created_at, r.resolved_at, r.decision
from private.submission_reports r join public.learning_submission_comments c on c.id = r.comment_id order by r.id;

insert into private.reports
  (kind, subject_id, profile_id, author_id, user_id, reason, snapshot, created_at, resolved_at, decision)
select 'profile', r.member_id, r.member_id, r.member_id, r.user_id, r.reason, r.profile, r.created_at, r.resolved_at, r.decision
from private.member_reports r order by r.id;
