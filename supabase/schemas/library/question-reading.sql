-- Reading questions, what is told of them, and the export of their data.

-- Open questions come first for those who may answer them, so that none is lost behind the page's 100.
-- @rpc authenticated (article_id, module_id)
-- Questions under one article or one lesson, with what the caller may do there.
create function private.questions_of(article uuid default null, module uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  answers constant boolean := private.may_answer(caller, article, module);
  is_admin constant boolean := private.caller_is_admin();
  is_member constant boolean := private.caller_is_member();
begin
  if num_nonnulls(article, module) <> 1 or not private.may_read_text(caller, article, module) then
    perform private.fail('FF720', 'This text is not open to you.');
  end if;
  return jsonb_build_object(
    'may_ask', is_member and private.text_author(article, module) is distinct from caller,
    'may_answer', answers,
    'may_remove', is_admin,
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', q.id, 'question', q.question, 'created_at', q.created_at, 'is_own', q.user_id = caller,
        'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.user_id),
        'answer', q.answer, 'answered_at', q.answered_at, 'is_helpful', q.helpful_at is not null,
        'may_mark', q.user_id = caller and q.answer is not null and q.answered_by is distinct from caller and is_member,
        'answerer', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.answered_by)
      ) order by q.is_waiting desc, q.created_at desc, q.id)
      from (
        select o.*, (answers and o.answer is null) as is_waiting from private.content_questions o
        where (o.article_id = article or o.module_id = module)
          and (is_admin or not private.is_blocked_between(caller, o.user_id))
        order by is_waiting desc, o.created_at desc, o.id limit 100
      ) q
    ), '[]')
  );
end
$$;
comment on function private.questions_of(uuid, uuid) is 'The newest 100 questions under a text the caller may read; raises FF720 otherwise.';

-- A text whose mentor is gone or no longer pays is answered by administrators, as those of the house are.
create function private.tg_content_questions__notify() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  author constant uuid := private.text_author(new.article_id, new.module_id);
  has_mentor constant boolean := coalesce(private.is_mentor(author), false);
begin
  if tg_op = 'INSERT' then
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'question', new.user_id, new.id, new.id from public.profiles r
    where r.id <> new.user_id and case when has_mentor then r.id = author else r.role = 'admin' end
    for key share skip locked
    on conflict do nothing;
  else
    insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
    select r.id, 'answer', new.answered_by, new.id, new.id from public.profiles r
    where r.id = new.user_id and r.id <> new.answered_by
    for key share skip locked
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger content_questions__notify_question after insert on private.content_questions
  for each row execute function private.tg_content_questions__notify();

create trigger content_questions__notify_answer after update of answer on private.content_questions
  for each row when (old.answer is null and new.answer is not null) execute function private.tg_content_questions__notify();

create function private.tg_content_questions__notify_helpful() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select r.id, 'answer_helpful', new.user_id, new.id, new.id from public.profiles r
  where r.id = new.answered_by and r.id <> new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$$;
create trigger content_questions__notify_helpful after update of helpful_at on private.content_questions
  for each row when (old.helpful_at is null and new.helpful_at is not null) execute function private.tg_content_questions__notify_helpful();

create function private.question_place(question_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select private.text_place(q.article_id, q.module_id, null) from private.content_questions q where q.id = question_id
$$;
comment on function private.question_place(uuid) is 'Category, subcategory, shelf, item, lesson and title of the text a question is under.';

-- Whom one answered and who answered are other persons: of an answer stays what the account itself wrote.
create function private.export_part_questions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('content_questions', coalesce((
    select jsonb_agg(
      to_jsonb(q) - 'user_id' - 'answered_by'
        - case when q.user_id = member then '' else 'question' end
      order by q.created_at, q.id
    ) from private.content_questions q where member in (q.user_id, q.answered_by)
  ), '[]'))
$$;
comment on function private.export_part_questions(uuid) is
  'Questions one account asked with their answers, and answers it gave without the questions.';

-- @rpc authenticated
-- Questions that wait for the caller: under their own texts, or all of them for administrators.
create function private.waiting_questions() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller uuid := private.require_mentor();
  is_admin constant boolean := private.caller_is_admin();
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', w.id, 'question', w.question, 'created_at', w.created_at, 'place', private.question_place(w.id),
      'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = w.user_id)
    ) order by w.created_at, w.id)
    from (
      select q.* from private.content_questions q
      where q.answer is null
        and (is_admin or private.text_author(q.article_id, q.module_id) = caller
          and not private.is_blocked_between(caller, q.user_id))
      order by q.created_at, q.id limit 100
    ) w
  ), '[]');
end
$$;
comment on function private.waiting_questions() is 'The oldest 100 questions the caller may answer that have no answer; FF650 for members who are no mentors.';

create function private.notification_part_questions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  return query
  select n.id, jsonb_build_object(
    'excerpt', private.excerpt(case n.kind when 'answer' then q.answer else q.question end),
    'place', private.question_place(q.id), 'question_id', q.id
  )
  from private.newest_notifications(member, array['question', 'answer', 'answer_helpful']) n
  join private.content_questions q on q.id = n.subject_id
  where private.may_read_text(member, q.article_id, q.module_id)
    and case n.kind
      when 'answer' then q.answer is not null
      when 'answer_helpful' then q.helpful_at is not null and q.answered_by is not distinct from member
      else private.may_answer(member, q.article_id, q.module_id)
    end;
end
$$;
comment on function private.notification_part_questions(uuid) is
  'Questions the member may answer, answers to their own, and answers of theirs that helped, under texts they may read.';
