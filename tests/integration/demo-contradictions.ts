import type pg from "pg";

/** What each member did, when, and on which level it is possible. */
const acts = `
  select 'message' as act, m.user_id as member, m.created_at as at, r.min_level_required as level, p.created_at as after
  from public.chat_messages m join public.chat_rooms r on r.id = m.chat_room_id
  left join public.chat_messages p on p.id = m.parent_message_id
  union all
  select 'like', k.user_id, k.created_at, r.min_level_required, m.created_at
  from public.message_likes k join public.chat_messages m on m.id = k.message_id join public.chat_rooms r on r.id = m.chat_room_id
  union all
  select 'reaction', k.user_id, k.created_at, r.min_level_required, m.created_at
  from public.message_reactions k join public.chat_messages m on m.id = k.message_id join public.chat_rooms r on r.id = m.chat_room_id
  union all
  select 'submission', s.user_id, s.created_at, 1, null from public.learning_submissions s
  union all
  select 'submission like', k.user_id, k.created_at, 1, s.created_at
  from public.learning_submission_likes k join public.learning_submissions s on s.id = k.submission_id
  union all
  select 'comment', c.user_id, c.created_at, 1, s.created_at
  from public.learning_submission_comments c join public.learning_submissions s on s.id = c.submission_id
  union all
  select 'witness', w.user_id, w.answered_at, 1, w.asked_at from private.pact_witnesses w where w.accepted
  union all
  select 'outcome', s.user_id, p.closed_at, 1, o.created_at from private.pacts p
  join public.learning_submissions s on s.id = p.submission_id join public.learning_submissions o on o.id = p.outcome_id
  union all
  select 'reading', r.user_id, r.created_at, u.level, greatest(a.created_at, o.last_opened_at)
  from public.article_reads r join public.articles a on a.id = r.article_id
  join public.article_opens o on o.user_id = r.user_id and o.article_id = r.article_id
  join shelves u on u.subcategory_id = a.subcategory_id
  union all
  select 'lesson', d.user_id, d.created_at, u.level, e.created_at
  from public.module_completions d join public.course_modules m on m.id = d.module_id
  join public.courses c on c.id = m.course_id join shelves u on u.subcategory_id = c.subcategory_id
  left join public.course_enrollments e on e.user_id = d.user_id and e.course_id = c.id
  union all
  select 'rating', r.user_id, r.rated_at, 1, coalesce(x.created_at, e.completed_at) from private.content_ratings r
  left join public.article_reads x on x.user_id = r.user_id and x.article_id = r.article_id
  left join public.course_enrollments e on e.user_id = r.user_id and e.course_id = r.course_id
  union all
  select 'question', q.user_id, q.created_at, 1, null from private.content_questions q
  union all
  select 'answer', q.answered_by, q.answered_at, 1, q.created_at from private.content_questions q where q.answer is not null
  union all
  select 'direct message', d.user_id, d.created_at, 1, c.created_at
  from public.direct_messages d join private.direct_conversations c on c.id = d.conversation_id
  union all
  select 'offer or request', p.user_id, p.created_at, 1, null from private.collaboration_posts p
  union all
  select 'progress event', l.user_id, l.happened_at, 1, null from private.progress_ledger l
  union all
  select 'completed level', c.user_id, c.completed_at, c.level, null from public.level_completions c
  union all
  select 'achievement ' || a.key, a.user_id, a.earned_at, 1, null from private.achievements a
  union all
  select 'certificate', c.user_id, c.completed_at, 1, null from private.certificates c
  union all
  select 'notification ' || n.kind, n.user_id, n.created_at, 1, null from public.notifications n
  where n.kind not in ('identity_approved', 'identity_rejected')
  union all
  select 'read notification', n.user_id, n.read_at, 1, n.created_at from public.notifications n where n.read_at is not null`;

/** How much of each requirement of a level a member's own rows fulfil. */
const evidence = `
  select p.id as member, r.level, r.kind, r.needed, case r.kind
    when 'rooms' then (select count(*) from private.progress_ledger l where l.user_id = p.id and l.kind = 'room_opened')
    when 'submissions' then (select count(*) from public.learning_submissions s where s.user_id = p.id)
    when 'engagements' then (select count(*) from public.chat_messages m where m.user_id = p.id) + (
      select count(*) from (
        select k.message_id from public.message_likes k where k.user_id = p.id
        union select k.message_id from public.message_reactions k where k.user_id = p.id
      ) liked join public.chat_messages m on m.id = liked.message_id and m.user_id <> p.id
    )
    when 'articles' then (
      select count(*) from public.article_reads a join public.articles t on t.id = a.article_id
      join shelves u on u.subcategory_id = t.subcategory_id where a.user_id = p.id and u.category = r.category
    )
    when 'courses' then (
      select count(*) from public.course_enrollments e join public.courses t on t.id = e.course_id
      join shelves u on u.subcategory_id = t.subcategory_id
      where e.user_id = p.id and u.category = r.category and e.progress_percentage = 100 and e.completed_at is not null
        and not exists (
          select from public.course_modules m where m.course_id = t.id and m.is_published and not exists (
            select from public.module_completions d where d.user_id = p.id and d.module_id = m.id
          )
        )
    )
  end as amount
  from public.profiles p cross join public.level_requirements r`;

const findings = `
with shelves as (
  select s.id as subcategory_id, s.main_category as category, case s.main_category when 'general' then 2 when 'business' then 3 else 4 end as level
  from public.subcategories s
), acts as (${acts}), evidence as (${evidence}), members as (
  select p.id, p.first_name as name, p.role, u.created_at as joined_at, l.current_level
  from public.profiles p join auth.users u on u.id = p.id join public.user_levels l on l.user_id = p.id
), levels_done as (
  select e.member, e.level, bool_and(e.amount >= e.needed) as is_done from evidence e group by e.member, e.level
)
select format('%s is at level %s without the evidence', m.name, m.current_level) as finding from members m
where m.current_level <> 1 + (
  select count(*) from levels_done d where d.member = m.id and d.level < 4 and d.is_done
    and not exists (select from levels_done b where b.member = m.id and b.level < d.level and not b.is_done)
)
union all
select format('%s: level %s is done with %s of %s %s', m.name, e.level, e.amount, e.needed, e.kind)
from public.level_completions c join evidence e on e.member = c.user_id and e.level = c.level and e.amount < e.needed
join members m on m.id = c.user_id
union all
select format('%s: %s at %s is ahead or has no time', m.name, a.act, a.at) from acts a join members m on m.id = a.member
where a.at is null or a.at >= now()
union all
select format('%s: %s at %s is older than the account', m.name, a.act, a.at) from acts a join members m on m.id = a.member
where a.at < m.joined_at
union all
select format('%s: %s at %s comes before what it follows', m.name, a.act, a.at) from acts a join members m on m.id = a.member
where a.at < a.after
union all
select format('%s: %s at %s needs level %s', m.name, a.act, a.at, a.level) from acts a join members m on m.id = a.member
where m.role <> 'admin' and a.level > 1 + (
  select count(*) from public.level_completions c where c.user_id = a.member and c.completed_at < a.at
)
and not (a.act in ('completed level') and a.level = m.current_level - 1)
union all
select format('written twice: %s', left(t.text, 80)) from (
  select m.content as text from public.chat_messages m
  union all select s.content from public.learning_submissions s
  union all select s.title from public.learning_submissions s
  union all select c.content from public.learning_submission_comments c
  union all select d.content from public.direct_messages d
  union all select p.details from private.collaboration_posts p
  union all select q.question from private.content_questions q
  union all select q.answer from private.content_questions q where q.answer is not null
  union all select p.bio from public.profiles p
) t group by t.text having count(*) > 1`;

/** What contradicts itself in the rows of the demo; nothing when the story is whole. */
export async function findDemoContradictions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ finding: string }>(findings);
  return rows.map(({ finding }) => finding);
}
