-- Questions and answers in the bell. As for all notifications, what may be read now decides.
alter table public.notifications validate constraint notifications_kind_fkey;

create function private.notification_part_questions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  return query
  select n.id, jsonb_build_object(
    'excerpt', private.excerpt(case n.kind when 'question' then q.question else q.answer end), 'place', private.question_place(q.id)
  )
  from private.newest_notifications(member, array['question', 'answer']) n
  join private.content_questions q on q.id = n.subject_id
  where private.may_read_text(member, q.article_id, q.module_id)
    and case n.kind when 'answer' then q.answer is not null else private.may_answer(member, q.article_id, q.module_id) end;
end
$$;
revoke all on function private.notification_part_questions from public, anon, authenticated, service_role;
comment on function private.notification_part_questions(uuid) is
  'Questions the member may answer, and answers to their own, under texts they may read.';
