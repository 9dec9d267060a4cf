/**
 * What the triggers have just recorded gets the time of what it came from. The ledger only grows otherwise; here its rows
 * are as new as their members.
 */
export const backdate = `
alter table private.progress_ledger disable trigger progress_ledger__append_only;
update private.progress_ledger l set happened_at = t.at
from (
  select 'room_opened' as kind, e.member, e.word as reference, e.at from demo_events e where e.kind = 'room'
  union all select 'submission', s.user_id, s.id::text, s.created_at from public.learning_submissions s
  union all select 'message', m.user_id, m.id::text, m.created_at from public.chat_messages m
  union all select 'like', k.user_id, k.message_id::text, k.created_at from public.message_likes k
  union all select 'article_read', r.user_id, r.article_id::text, r.created_at from public.article_reads r
  union all (
    select 'course_completed', d.user_id, m.course_id::text, max(d.created_at)
    from public.module_completions d join public.course_modules m on m.id = d.module_id group by d.user_id, m.course_id
  )
) t
where l.kind = t.kind and l.user_id = t.member and l.reference = t.reference;
alter table private.progress_ledger enable trigger progress_ledger__append_only;

update public.course_enrollments c set completed_at = l.happened_at
from private.progress_ledger l
where l.kind = 'course_completed' and l.user_id = c.user_id and l.reference = c.course_id::text and c.completed_at is not null;

-- A level is complete with the last of the events it needs.
update public.level_completions c set completed_at = (
  select max(done.happened_at) from public.level_requirements r
  cross join lateral (
    select l.happened_at from private.progress_ledger l
    where l.user_id = c.user_id and l.category is not distinct from r.category and l.kind = any (case r.kind
      when 'rooms' then array['room_opened'] when 'submissions' then array['submission']
      when 'engagements' then array['message', 'like'] when 'articles' then array['article_read']
      else array['course_completed'] end)
    order by l.happened_at, l.id offset r.needed - 1 limit 1
  ) done
  where r.level <= c.level
);
update public.user_progress p set level_completed_at = c.completed_at
from (select user_id, max(completed_at) as completed_at from public.level_completions group by user_id) c
where c.user_id = p.user_id;

update public.notifications n set created_at = c.completed_at
from public.level_completions c
where n.kind = 'level_up' and c.user_id = n.user_id and c.level = n.detail::integer - 1;
update public.notifications n
set created_at = case n.kind when 'witness_asked' then w.asked_at when 'witness_accepted' then w.answered_at else p.closed_at end
from private.pact_witnesses w join private.pacts p using (submission_id)
where n.kind in ('witness_asked', 'witness_accepted', 'pact_outcome') and w.submission_id = n.subject_id
  and w.user_id = case n.kind when 'witness_accepted' then n.actor_id else n.user_id end;
update public.notifications n set created_at = case n.kind when 'question' then q.created_at else q.answered_at end
from private.content_questions q where n.kind in ('question', 'answer') and q.id = n.subject_id;

-- Everybody joined when the story says; the accounts one can sign in as were created a moment ago.
update auth.users u set created_at = d.joined_at, email_confirmed_at = d.joined_at from demo_members d where d.member = u.id;
update private.member_search_index m set joined_at = d.joined_at from demo_members d where d.member = m.user_id;

-- Achievements, weeks and certificates follow from events, which have just got their times.
delete from private.active_weeks;
insert into private.active_weeks (user_id, week)
select l.user_id, private.week_of(l.happened_at) from private.progress_ledger l
union select c.user_id, private.week_of(c.created_at) from public.module_completions c;
insert into private.achievements (user_id, key, earned_at)
select w.user_id, 'weeks_4', (
  select min(l.happened_at) from private.progress_ledger l where l.user_id = w.user_id and private.week_of(l.happened_at) = w.week
)
from (select a.*, row_number() over (partition by a.user_id order by a.week) as place from private.active_weeks a) w
where w.place = 4 and private.week_streak(w.user_id, w.week) = 4;
update private.achievements a set earned_at = e.at
from (
  select l.user_id, m.measure, l.happened_at as at, row_number() over (partition by l.user_id, l.kind order by l.happened_at) as reached
  from private.progress_ledger l
  join (values ('room_opened', 'rooms'), ('message', 'messages'), ('submission', 'submissions'), ('article_read', 'articles'),
    ('course_completed', 'courses')) m (kind, measure) using (kind)
  union all
  select s.user_id, 'pacts', p.closed_at, row_number() over (partition by s.user_id order by p.closed_at)
  from private.pacts p join public.learning_submissions s on s.id = p.submission_id where p.outcome = 'success'
  union all
  select c.user_id, 'levels', c.completed_at, c.level from public.level_completions c
) e join private.achievement_kinds k on k.measure = e.measure and k.needed = e.reached
where a.user_id = e.user_id and a.key = k.key;
update private.certificates c set completed_at = e.completed_at
from public.course_enrollments e where e.user_id = c.user_id and e.course_id = c.course_id;
update public.notifications n set created_at = a.earned_at
from private.achievements a where n.kind = 'achievement' and a.user_id = n.user_id and a.key = n.detail;
update public.notifications n set created_at = c.completed_at
from private.certificates c where n.kind = 'certificate' and c.id = n.subject_id;

-- Everybody has read what is older than their last visit: up to an hour ago for the accounts one can sign in as.
update public.notifications n set read_at = n.created_at + interval '25 minutes'
from demo_members d where d.member = n.user_id and n.created_at + interval '25 minutes' < d.seen_at;
insert into public.chat_room_reads (user_id, chat_room_id, last_read_at)
select e.member, e.word, greatest(d.seen_at, e.at) from demo_events e join demo_members d using (member) where e.kind = 'room'
on conflict do nothing;

-- Members who answer a direct message have read it.
insert into private.direct_reads (user_id, conversation_id, last_read_at)
select d.member, c.id, greatest(d.seen_at - interval '25 minutes', (
  select max(m.created_at) from public.direct_messages m where m.conversation_id = c.id and m.user_id = d.member
))
from private.direct_conversations c join demo_members d on d.member in (c.first_id, c.second_id);
update public.notifications n set read_at = r.last_read_at
from private.direct_reads r
where n.kind = 'direct_message' and n.read_at is null and r.user_id = n.user_id and r.conversation_id = n.group_id
  and n.created_at <= r.last_read_at;

delete from private.room_leases;
select private.count_content_days(min(r.created_at)::date) from public.article_reads r;`;
