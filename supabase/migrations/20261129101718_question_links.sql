create or replace function private.notification_part_questions (
  member uuid
)
  returns table (
    id    bigint,
    place jsonb
  )
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  return query
  select n.id, jsonb_build_object(
    'excerpt', private.excerpt(case n.kind when 'question' then q.question else q.answer end),
    'place', private.question_place(q.id), 'question_id', q.id
  )
  from private.newest_notifications(member, array['question', 'answer']) n
  join private.content_questions q on q.id = n.subject_id
  where private.may_read_text(member, q.article_id, q.module_id)
    and case n.kind when 'answer' then q.answer is not null else private.may_answer(member, q.article_id, q.module_id) end;
end
$function$;
