-- Part 14 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- library/pages.sql

-- What a page about a text shows: whose it is, how it is rated, and what a course holds before one enrols.
create function private.article_cards(subcategory uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', a.id, 'slug', a.slug, 'title', a.title, 'excerpt', a.excerpt, 'featured_image_url', a.featured_image_url,
      'is_featured', a.is_featured, 'estimated_read_time', a.estimated_read_time, 'tags', a.tags,
      'read_count', a.read_count, 'created_at', a.created_at,
      'author_id', a.author_id, 'author_first_name', p.first_name, 'author_role', p.role,
      'rating_count', a.rating_count, 'rating', round(a.rating_sum::numeric / nullif(a.rating_count, 0), 1),
      'is_read', r.article_id is not null
    ) order by a.is_featured desc, a.created_at desc, a.display_order)
    from public.articles a
    left join public.profiles p on p.id = a.author_id
    left join public.article_reads r on r.article_id = a.id and r.user_id = auth.uid()
    where a.subcategory_id = subcategory and a.is_published
  ), '[]');
end
$$;
comment on function private.article_cards(uuid) is 'Cards of the published articles of a subcategory, featured first, then newest.';
grant execute on function private.article_cards to authenticated;

create function private.course_cards(subcategory uuid) returns jsonb
  language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', c.id, 'slug', c.slug, 'title', c.title, 'description', c.description, 'thumbnail_url', c.thumbnail_url,
      'is_featured', c.is_featured, 'is_free', c.is_free, 'price', c.price, 'estimated_duration', c.estimated_duration,
      'difficulty_level', c.difficulty_level, 'enrollment_count', c.enrollment_count, 'module_count', c.module_count,
      'created_at', c.created_at, 'mentor_id', c.mentor_id, 'mentor_first_name', p.first_name, 'mentor_role', p.role,
      'rating_count', c.rating_count, 'rating', round(c.rating_sum::numeric / nullif(c.rating_count, 0), 1),
      'is_enrolled', e.course_id is not null, 'progress_percentage', coalesce(e.progress_percentage, 0),
      'completed_at', e.completed_at
    ) order by c.is_featured desc, c.created_at desc, c.display_order)
    from public.courses c
    left join public.profiles p on p.id = c.mentor_id
    left join public.course_enrollments e on e.course_id = c.id and e.user_id = auth.uid()
    where c.subcategory_id = subcategory and c.is_published
  ), '[]');
end
$$;
comment on function private.course_cards(uuid) is 'Cards of the published courses of a subcategory, featured first, then newest.';
grant execute on function private.course_cards to authenticated;

create function public.subcategory_page(category text, slug text, shelf text) returns jsonb
  language plpgsql stable set search_path = '' as $$
declare
  gate jsonb := private.category_access(category);
  found_shelf public.subcategories;
begin
  perform private.require_shelf(shelf);
  select s.* into found_shelf from public.subcategories s
  where s.main_category = category and s.slug = subcategory_page.slug and s.is_active;
  if not found then
    return gate || jsonb_build_object('shelf', shelf, 'subcategory', null, 'items', '[]'::jsonb);
  end if;
  return gate || jsonb_build_object(
    'shelf', shelf,
    'subcategory', jsonb_build_object(
      'id', found_shelf.id, 'slug', found_shelf.slug, 'name', found_shelf.name,
      'description', found_shelf.description, 'color', found_shelf.color, 'icon', found_shelf.icon
    ),
    'items', case shelf when 'articles' then private.article_cards(found_shelf.id) else private.course_cards(found_shelf.id) end
  );
end
$$;
comment on function public.subcategory_page(text, text, text) is
  'The page of a subcategory as one object: the category, the subcategory (null when the caller sees none) and its cards.';
grant execute on function public.subcategory_page to authenticated;

-- library/question-reading.sql

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
begin
  if num_nonnulls(article, module) <> 1 or not private.may_read_text(caller, article, module) then
    perform private.fail('FF720', 'This text is not open to you.');
  end if;
  return jsonb_build_object(
    'may_ask', private.caller_is_member() and private.text_author(article, module) is distinct from caller,
    'may_answer', answers,
    'may_remove', is_admin,
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', q.id, 'question', q.question, 'created_at', q.created_at, 'is_own', q.user_id = caller,
        'asker', (select concat_ws(' ', p.first_name, p.last_name) from public.profiles p where p.id = q.user_id),
        'answer', q.answer, 'answered_at', q.answered_at,
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

-- Where a question stands, in the parts of an address of the library.
create function private.question_place(question_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('category', s.main_category, 'subcategory', s.slug,
    'shelf', case when q.article_id is null then 'courses' else 'articles' end,
    'item_id', coalesce(a.id, c.id), 'module', m.slug, 'title', coalesce(a.title, m.title))
  from private.content_questions q
  left join public.articles a on a.id = q.article_id
  left join public.course_modules m on m.id = q.module_id
  left join public.courses c on c.id = m.course_id
  join public.subcategories s on s.id = coalesce(a.subcategory_id, c.subcategory_id)
  where q.id = question_id
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
    'excerpt', private.excerpt(case n.kind when 'question' then q.question else q.answer end), 'place', private.question_place(q.id)
  )
  from private.newest_notifications(member, array['question', 'answer']) n
  join private.content_questions q on q.id = n.subject_id
  where private.may_read_text(member, q.article_id, q.module_id)
    and case n.kind when 'answer' then q.answer is not null else private.may_answer(member, q.article_id, q.module_id) end;
end
$$;
comment on function private.notification_part_questions(uuid) is
  'Questions the member may answer, and answers to their own, under texts they may read.';

-- library/questions.sql

create function private.text_author(article uuid, module uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select a.author_id from public.articles a where a.id = article
  union all
  select c.mentor_id from public.course_modules m join public.courses c on c.id = m.course_id where m.id = module
$$;
comment on function private.text_author(uuid, uuid) is 'Who wrote an article or lesson; null for those of the house.';

-- Mentors ask under what is open to all mentors, whatever their level, as the policies of articles and modules let them read it.
create function private.may_read_text(member uuid, article uuid, module uuid) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
declare
  level constant integer := private.effective_level(member);
  allowed constant text[] := private.open_categories(level);
  is_mentor constant boolean := level > 0
    and exists (select from public.profiles p where p.id = member and p.role = 'mentor');
begin
  return private.text_author(article, module) = member is true
    or exists (select from public.profiles p where p.id = member and p.role = 'admin')
      and (exists (select from public.articles a where a.id = article)
        or exists (select from public.course_modules m where m.id = module))
    or exists (
      select from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.id = article and a.is_published and s.is_active
        and (s.main_category = any (allowed) or is_mentor and s.open_to_mentors)
    )
    or exists (
      select from public.course_modules m
      join public.courses c on c.id = m.course_id
      join public.subcategories s on s.id = c.subcategory_id
      join public.course_enrollments e on e.course_id = c.id and e.user_id = member
      where m.id = module and m.is_published and c.is_published and s.is_active
        and (s.main_category = any (allowed) or is_mentor and s.open_to_mentors)
    );
end
$$;
comment on function private.may_read_text(uuid, uuid, uuid) is 'True when the account may read the article or lesson now.';

create function private.may_answer(member uuid, article uuid, module uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.is_mentor(member) and (
    private.text_author(article, module) = member is true
    or exists (select from public.profiles p where p.id = member and p.role = 'admin')
  )
$$;
comment on function private.may_answer(uuid, uuid, uuid) is 'True for the mentor of a text while the membership lives, and for administrators.';

create function private.require_question_text(content text, longest integer) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  trimmed text := private.trimmed_message(content);
begin
  if trimmed is null or private.is_blank(trimmed) or char_length(trimmed) > longest then
    perform private.fail('FF721', format('Write between 1 and %s characters.', longest));
  end if;
  return trimmed;
end
$$;
comment on function private.require_question_text(text, integer) is 'The trimmed text; raises FF721 when it is empty or too long.';

-- A text that is closed to the caller and one that does not exist are answered alike.
create function private.ask_question(article uuid, module uuid, content text) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  trimmed text := private.require_question_text(content, 1000);
  asked uuid;
begin
  if num_nonnulls(article, module) <> 1 or not private.caller_is_member()
    or not private.may_read_text(caller, article, module) then
    perform private.fail('FF720', 'This text is not open to you.');
  end if;
  if private.text_author(article, module) = caller then
    perform private.fail('FF722', 'This is your own text.');
  end if;
  perform private.enforce_rate_limit(caller, 'ask');
  insert into private.content_questions (user_id, article_id, module_id, question)
  values (caller, article, module, trimmed) returning id into asked;
  return asked;
end
$$;
comment on function private.ask_question(uuid, uuid, text) is 'Asks under an article or lesson the caller may read; raises FF720, FF721, FF722 or FF300.';
grant execute on function private.ask_question to authenticated;

create function public.ask_question(question text, article_id uuid default null, module_id uuid default null) returns uuid
  language sql volatile set search_path = '' as $$ select private.ask_question(article_id, module_id, question) $$;
comment on function public.ask_question(text, uuid, uuid) is 'Asks the mentor of one article or one lesson.';
grant execute on function public.ask_question to authenticated;

-- An answer that is given again replaces the one before. A question of a member one has blocked, or who has blocked one, is hidden, and
-- can be answered as little as one that is gone.
-- @rpc authenticated (question_id, answer)
-- The mentor of a text, or an administrator, answers a question.
create function private.answer_question(question_id uuid, content text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  trimmed text := private.require_question_text(content, 4000);
begin
  if not exists (
    select from private.content_questions q
    where q.id = question_id and private.may_answer(caller, q.article_id, q.module_id)
      and (private.caller_is_admin() or not private.is_blocked_between(caller, q.user_id))
  ) then
    perform private.fail('FF723', 'This question is not yours to answer.');
  end if;
  perform private.enforce_rate_limit(caller, 'answer');
  update private.content_questions q
  set answer = trimmed, answered_by = caller, answered_at = clock_timestamp() where q.id = question_id;
end
$$;
comment on function private.answer_question(uuid, text) is 'Answers a question under the caller''s own text, or any as an administrator; raises FF721, FF723 or FF300.';

-- Somebody else's question is not touched, and the caller learns nothing of it.
-- @rpc authenticated
-- Deletes one's own question with its answer.
create function private.delete_question(question_id uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  delete from private.content_questions q where q.id = question_id and q.user_id = caller;
end
$$;
comment on function private.delete_question(uuid) is 'Deletes a question of the caller with its answer.';

-- @rpc authenticated
-- Administrators: remove a question with its answer.
create function private.remove_question(question_id uuid)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  gone private.content_questions;
begin
  delete from private.content_questions q where q.id = question_id returning q.* into gone;
  if gone.id is null then
    perform private.fail('FF724', 'This question is no longer here.');
  end if;
  perform private.audit(admin, 'question.removed', gone.user_id, jsonb_build_object(
    'question_id', gone.id, 'article_id', gone.article_id, 'module_id', gone.module_id,
    'before', case when gone.answer is null then 'open' else 'answered' end, 'after', 'removed'
  ));
end
$function$;
comment on function private.remove_question(uuid) is 'Removes a question with its answer; FF724 when there is none, FF005 without a second factor. Audited without its words.';

-- library/ratings.sql

-- Counted anew after the rows are locked, always in the same order: two ratings at once are both in the sum.
create function private.tg_content_ratings__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.articles a where a.id in (select c.article_id from changed c) order by a.id for no key update;
  perform from public.courses o where o.id in (select c.course_id from changed c) order by o.id for no key update;
  update public.articles a set rating_count = n.amount, rating_sum = n.stars
  from (
    select t.id, count(r.id)::integer as amount, coalesce(sum(r.stars), 0)::integer as stars
    from (select distinct c.article_id as id from changed c) t
    left join private.content_ratings r on r.article_id = t.id group by t.id
  ) n where a.id = n.id;
  update public.courses o set rating_count = n.amount, rating_sum = n.stars
  from (
    select t.id, count(r.id)::integer as amount, coalesce(sum(r.stars), 0)::integer as stars
    from (select distinct c.course_id as id from changed c) t
    left join private.content_ratings r on r.course_id = t.id group by t.id
  ) n where o.id = n.id;
  return null;
end
$$;

create function private.rated_text_author(article uuid, course uuid) returns uuid
  language sql stable security definer set search_path = '' as $$
  select a.author_id from public.articles a where a.id = article
  union all
  select c.mentor_id from public.courses c where c.id = course
$$;
comment on function private.rated_text_author(uuid, uuid) is 'Who wrote an article or course; null for those of the house.';

create function private.has_finished_text(member uuid, article uuid, course uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.article_reads r where r.user_id = member and r.article_id = article)
    or exists (
      select from public.course_enrollments e where e.user_id = member and e.course_id = course and e.completed_at is not null
    )
$$;
comment on function private.has_finished_text(uuid, uuid, uuid) is 'True when the member has read the article to its end, or completed the course.';

-- Also for its mentor, whose own text may not be published. A text that is closed and one that does not exist are answered alike.
create function private.require_open_text(article uuid, course uuid) returns void
  language plpgsql stable security definer set search_path = '' as $$
begin
  if num_nonnulls(article, course) <> 1 or not exists (
    select from public.articles a where a.id = article
      and (a.is_published and a.subcategory_id in (select private.caller_subcategories())
        or a.author_id = auth.uid() or private.caller_is_admin())
    union all
    select from public.courses c where c.id = course
      and (c.is_published and c.subcategory_id in (select private.caller_subcategories())
        or c.mentor_id = auth.uid() or private.caller_is_admin())
  ) then
    perform private.fail('FF730', 'This text is not open to you.');
  end if;
end
$$;
comment on function private.require_open_text(uuid, uuid) is 'Raises FF730 unless the caller may read the article or see the course now.';

-- A rating that is given again replaces the one before.
create function private.rate_text(article uuid, course uuid, stars integer, sentence text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  words text := private.trimmed_message(sentence);
begin
  perform private.require_open_text(article, course);
  if private.rated_text_author(article, course) = caller then
    perform private.fail('FF732', 'This is your own text.');
  end if;
  if not private.caller_is_member() or not private.has_finished_text(caller, article, course) then
    perform private.fail('FF731', 'You can rate this once you have finished it.');
  end if;
  if words is not null and (words = '' or private.is_blank(words)) then
    words := null;
  end if;
  if stars is null or stars not between 1 and 5 or char_length(words) > 280 then
    perform private.fail('FF733', 'Give 1 to 5 stars, and a sentence of at most 280 characters.');
  end if;
  perform private.enforce_rate_limit(caller, 'rate_text');
  insert into private.content_ratings as r (user_id, article_id, course_id, stars, sentence)
  values (caller, article, course, rate_text.stars, words)
  on conflict on constraint content_ratings_once
  do update set stars = excluded.stars, sentence = excluded.sentence, rated_at = excluded.rated_at;
end
$$;
comment on function private.rate_text(uuid, uuid, integer, text) is
  'Rates a text the caller has finished; raises FF730, FF731, FF732, FF733 or FF300.';
grant execute on function private.rate_text to authenticated;

create function public.rate_text(
    stars integer, sentence text default null, article_id uuid default null, course_id uuid default null
  ) returns void
  language sql volatile set search_path = '' as $$ select private.rate_text(article_id, course_id, stars, sentence) $$;
comment on function public.rate_text(integer, text, uuid, uuid) is 'Rates an article that one has read to its end, or a course that one has completed.';
grant execute on function public.rate_text to authenticated;

-- @rpc authenticated (article_id, course_id)
-- Takes back one's own rating of an article or a course.
create function private.delete_rating(article uuid default null, course uuid default null) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  delete from private.content_ratings r
  where r.user_id = caller and (r.article_id = article or r.course_id = course);
end
$$;
comment on function private.delete_rating(uuid, uuid) is 'Takes back the caller''s rating of a text.';

-- @rpc authenticated (article_id, course_id)
-- The ratings of one article or course as its readers see them.
create function private.rating_of(article uuid default null, course uuid default null) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform private.require_open_text(article, course);
  return (
    select jsonb_build_object(
      'count', t.rating_count, 'average', round(t.rating_sum::numeric / nullif(t.rating_count, 0), 1),
      'may_rate', private.caller_is_member() and private.has_finished_text(caller, article, course)
        and t.author is distinct from caller,
      'own', (
        select jsonb_build_object('stars', r.stars, 'sentence', r.sentence) from private.content_ratings r
        where r.user_id = caller and (r.article_id = article or r.course_id = course)
      )
    )
    from (
      select a.rating_count, a.rating_sum, a.author_id as author from public.articles a where a.id = article
      union all
      select c.rating_count, c.rating_sum, c.mentor_id from public.courses c where c.id = course
    ) t
  );
end
$$;
comment on function private.rating_of(uuid, uuid) is 'Average and number of ratings of a text, whether the caller may rate it, and the caller''s own. FF730.';

create function private.export_part_ratings(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('content_ratings', coalesce((
    select jsonb_agg(to_jsonb(r) - 'user_id' order by r.rated_at, r.id) from private.content_ratings r where r.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_ratings(uuid) is 'Ratings one account gave, with their sentences.';

-- library/reading.sql

-- The update that fires this has locked the row, so the sum stays exact.
create function private.tg_articles__count_open() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if not private.is_outside_caller() then
    return new;
  end if;
  if private.record_open(old.id, new.opened_from) then
    old.read_count := old.read_count + 1;
  end if;
  return old;
end
$$;

-- One request opens one article at most. This also prevents deadlocks between requests over several articles.
create function private.tg_articles__one_at_a_time() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if (select count(*) from opened) > 1 then
    perform private.fail('FF402', 'Open one article at a time.');
  end if;
  return null;
end
$$;

create function private.require_readable(article uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.articles a
    where a.id = article and a.is_published and a.subcategory_id in (select private.caller_subcategories())
  ) then
    perform private.fail('FF401', 'This article is not open to you.');
  end if;
  if not exists (select from public.article_opens o where o.user_id = caller and o.article_id = article) then
    perform private.fail('FF403', 'Open the article before you mark it as read.');
  end if;
  perform private.enforce_rate_limit(caller, 'article_read');
end
$$;
comment on function private.require_readable(uuid) is
  'Raises FF401, FF403 or FF300 unless the caller may mark the article as read now.';
grant execute on function private.require_readable to authenticated;

create function private.tg_article_reads__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next. The primary key refuses a second one.
  if private.is_outside_caller() and new.user_id = auth.uid()
    and not exists (
      select from public.article_reads r where r.user_id = new.user_id and r.article_id = new.article_id
    )
  then
    perform private.require_readable(new.article_id);
  end if;
  return new;
end
$$;

-- Authors read their own articles as members do, but nobody rises by their own text.
create function private.tg_article_reads__record() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(new.user_id, 'article_read', new.article_id::text, s.main_category)
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.id = new.article_id and a.author_id is distinct from new.user_id;
  return null;
end
$$;

-- library/retention.sql

-- The imports of the library, so that a start reads its files only when they have changed.
create table private.content_imports (
  id bigint generated always as identity primary key,
  imported_at timestamptz not null default now(),
  source text not null check (source in ('shipped', 'operator')),
  digest text not null,
  changes integer not null
);
comment on table private.content_imports is 'Imports of the library, oldest first.';
comment on column private.content_imports.source is
  'shipped: the product''s own library, updated at each start. operator: an import by the operator, which a start does not replace.';
comment on column private.content_imports.digest is 'Hash of the files.';
alter table private.content_imports enable row level security;

-- The data export of the library: what the member read, completed and wrote.
create function private.export_part_library(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'article_opens', coalesce((
      select jsonb_agg(to_jsonb(o) order by o.last_opened_on, o.article_id)
      from public.article_opens o where o.user_id = member
    ), '[]'),
    'article_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.created_at, r.article_id)
      from public.article_reads r where r.user_id = member
    ), '[]'),
    'course_enrollments', coalesce((
      select jsonb_agg(to_jsonb(e) order by e.created_at, e.course_id)
      from public.course_enrollments e where e.user_id = member
    ), '[]'),
    'module_completions', coalesce((
      select jsonb_agg(to_jsonb(d) order by d.created_at, d.module_id)
      from public.module_completions d where d.user_id = member
    ), '[]'),
    'articles_written', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.created_at, a.id) from public.articles a where a.author_id = member
    ), '[]'),
    'courses_written', coalesce((
      select jsonb_agg(to_jsonb(c) || jsonb_build_object('modules', (
        select coalesce(jsonb_agg(to_jsonb(m) order by m.module_order), '[]')
        from public.course_modules m where m.course_id = c.id
      )) order by c.created_at, c.id)
      from public.courses c where c.mentor_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_library(uuid) is
  'Opened and read articles, enrolments, completed modules, and articles and courses written by one account.';

-- library/tables.sql

-- The library: articles and courses in three categories, each of which opens at its own level.

-- The only definition of which level opens which category.
create function private.category_level(category text) returns integer
  language sql immutable set search_path = '' as $$
  select case category when 'general' then 2 when 'business' then 3 when 'wealth' then 4 end
$$;
comment on function private.category_level(text) is 'Level that opens a main category: general 2, business 3, wealth 4.';
grant execute on function private.category_level to authenticated;

create table public.subcategories (
  id uuid primary key default gen_random_uuid(),
  main_category text not null constraint subcategories_main_category_check
    check (main_category in ('general', 'business', 'wealth')),
  slug text not null constraint subcategories_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  name text not null constraint subcategories_name_check check (char_length(name) between 1 and 80),
  description text not null default '' constraint subcategories_description_check check (char_length(description) <= 300),
  color text not null default '#64748b' constraint subcategories_color_check check (color ~ '^#[0-9a-f]{6}$'),
  icon text not null default 'book-open' constraint subcategories_icon_check check (icon ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  display_order integer not null default 0,
  is_active boolean not null default true,
  -- Subcategories that mentors read from their first day, whatever their level: what they need for teaching is there.
  open_to_mentors boolean not null default false,
  unique (main_category, slug)
);
grant select, insert, update, delete on public.subcategories to service_role;
grant select (id, main_category, slug, name, description, color, icon, display_order, is_active, open_to_mentors)
  on public.subcategories to authenticated;
comment on table public.subcategories is 'Subcategories of the library, each in one main category.';
comment on column public.subcategories.color is 'Colour of the bar on its card, as #rrggbb.';
comment on column public.subcategories.icon is 'Name of an icon of the app; unknown names fall back to one.';
comment on column public.subcategories.is_active is 'False hides the subcategory with its articles and courses.';
alter table public.subcategories enable row level security;
comment on column public.subcategories.open_to_mentors is 'Mentors with a live membership read it at every level. Set by the importer from the front matter of the subcategory.';

-- messages/conversations.sql

-- Direct messages: conversations of two members, who may write to whom, and who may read.
create table public.message_choices (
  user_id uuid primary key references auth.users (id) on delete cascade,
  accepts text not null constraint message_choices_accepts_check check (accepts in ('everyone', 'known', 'nobody')),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.message_choices to service_role;
grant select (user_id, accepts) on public.message_choices to authenticated;
comment on table public.message_choices is 'Who may write to a member; without a row every member. Written by set_message_choice.';
comment on column public.message_choices.accepts is
  'everyone: every member. known: mentors, administrators and members one has written to. nobody: no direct messages at all, in either direction.';
alter table public.message_choices enable row level security;

create policy select_own on public.message_choices for select to authenticated using (user_id = (select auth.uid()));

-- Administrators are members like others here: they read their own conversations only. A conversation with a member one
-- has blocked is closed for the one who blocked, and stays as it was for the blocked one, who must not learn of it.
create function private.caller_conversation_ids() returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.caller_is_member() then
    return '{}';
  end if;
  return array(
    select c.id from private.direct_conversations c
    where auth.uid() in (c.first_id, c.second_id) and not exists (
      select from private.member_blocks b where b.user_id = auth.uid() and b.blocked_id in (c.first_id, c.second_id)
    )
  );
end
$$;
comment on function private.caller_conversation_ids() is 'Conversations the calling member may read now; none without a live membership.';
grant execute on function private.caller_conversation_ids to authenticated;

-- The private channel direct:<conversation> says who is typing. Only the database sends on it.
create function private.caller_may_use_conversation_channel(topic text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  return starts_with(topic, 'direct:') and substr(topic, 8) = any (private.caller_conversation_ids()::text[]);
end
$$;
comment on function private.caller_may_use_conversation_channel(text) is
  'True when the topic is that of a conversation the calling member may read now.';
grant execute on function private.caller_may_use_conversation_channel to authenticated;

create policy select_open_conversation on realtime.messages for select to authenticated using (
  extension = 'broadcast' and (select private.caller_may_use_conversation_channel((select realtime.topic())))
);

create function private.conversation_between(one uuid, other uuid) returns uuid
  language sql stable set search_path = '' as $$
  select c.id from private.direct_conversations c where c.first_id = least(one, other) and c.second_id = greatest(one, other)
$$;
comment on function private.conversation_between(uuid, uuid) is 'The conversation of two accounts; null when there is none.';

create function private.accepted_messages(member uuid) returns text
  language sql stable set search_path = '' as $$
  select coalesce((select m.accepts from public.message_choices m where m.user_id = member), 'everyone')
$$;
comment on function private.accepted_messages(uuid) is 'What the account chose about who may write to it.';

-- One answer to everything the other's side may be about, so that a block looks like a choice or a lapse. Who takes no
-- messages cannot write either, because an answer could not come back.
create function private.direct_message_permission(sender uuid, recipient uuid) returns text
  language plpgsql stable set search_path = '' as $$
begin
  if exists (select from private.member_blocks b where b.user_id = sender and b.blocked_id = recipient) then
    return 'blocked';
  end if;
  if private.accepted_messages(sender) = 'nobody' then
    return 'own';
  end if;
  if sender = recipient or private.effective_level(recipient) = 0
    or exists (select from auth.users u where u.id = recipient and (u.banned_until > now() or u.deleted_at is not null))
    or private.is_blocked_between(sender, recipient)
  then
    return 'closed';
  end if;
  return case private.accepted_messages(recipient)
    when 'everyone' then 'open'
    when 'known' then case when exists (
      select from public.profiles p where p.id = sender and p.role in ('mentor', 'admin')
    ) or exists (
      select from public.direct_messages m
      where m.conversation_id = private.conversation_between(sender, recipient) and m.user_id = recipient
    ) then 'open' else 'closed' end
    else 'closed'
  end;
end
$$;
comment on function private.direct_message_permission(uuid, uuid) is
  'open when the sender may write to the recipient now; own when the sender takes no messages, blocked when the sender has blocked the recipient, else closed.';

create function private.require_direct_message_permission(sender uuid, recipient uuid) returns void
  language plpgsql stable set search_path = '' as $$
begin
  case private.direct_message_permission(sender, recipient)
    when 'open' then
      return;
    when 'own' then
      perform private.fail('FF811', 'You take no messages at the moment, so you cannot send any.');
    when 'blocked' then
      perform private.fail('FF812', 'You have blocked this member.');
    else
      perform private.fail('FF810', 'This member is not taking messages from you.');
  end case;
end
$$;
comment on function private.require_direct_message_permission(uuid, uuid) is 'Raises FF810, FF811 or FF812 unless the sender may write to the recipient now.';

-- @rpc authenticated
-- Sets who may write to the caller: everyone, known (mentors, administrators and members the caller has written to) or nobody.
create function private.set_message_choice(accepts text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  if accepts is null or accepts not in ('everyone', 'known', 'nobody') then
    perform private.fail('FF813', 'The choice must be everyone, known or nobody.');
  end if;
  perform private.enforce_rate_limit(caller, 'message_choice');
  insert into public.message_choices as c (user_id, accepts) values (caller, set_message_choice.accepts)
  on conflict (user_id) do update set accepts = excluded.accepts, updated_at = now();
end
$$;
comment on function private.set_message_choice(text) is 'Stores who may write to the caller; FF813 for an unknown choice.';

-- messages/export.sql

-- Own words only: whom they wrote to and what the other wrote are not theirs.
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
    ), '[]')
  )
$$;
comment on function private.export_part_direct(uuid) is
  'Direct messages, read positions, posts and the choice of one account, without what others wrote.';

-- messages/messages.sql

-- Writing direct messages, and where one has read to. They are no progress events: levels move by rooms alone.
create function private.other_member(conversation uuid, member uuid) returns uuid
  language sql stable set search_path = '' as $$
  select case when c.first_id = member then c.second_id else c.first_id end
  from private.direct_conversations c where c.id = conversation and member in (c.first_id, c.second_id)
$$;
comment on function private.other_member(uuid, uuid) is 'The other account of a conversation; null for who is not in it.';

create function private.require_conversation(conversation uuid) returns uuid
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  if conversation is null or conversation <> all (private.caller_conversation_ids()) then
    perform private.fail('FF814', 'There is no such conversation of yours.');
  end if;
  return caller;
end
$$;
comment on function private.require_conversation(uuid) is 'The calling member, if the conversation is open to them; FF700 or FF814 otherwise.';

-- @rpc authenticated (conversation_id, up_to)
-- Saves how far the caller has read in a conversation.
create function private.mark_conversation_read(conversation uuid, up_to timestamptz) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_conversation(conversation);
  read_at constant timestamptz := least(up_to, clock_timestamp());
begin
  if up_to is null then
    return;
  end if;
  insert into private.direct_reads as r (user_id, conversation_id, last_read_at) values (caller, conversation, read_at)
  on conflict (user_id, conversation_id) do update set last_read_at = excluded.last_read_at
  where r.last_read_at < excluded.last_read_at;
  update public.notifications n set read_at = clock_timestamp()
  where n.user_id = caller and n.kind = 'direct_message' and n.group_id = conversation and n.read_at is null
    and n.created_at <= mark_conversation_read.up_to;
end
$$;
comment on function private.mark_conversation_read(uuid, timestamptz) is
  'Moves how far the caller has read forward, never beyond now, and marks what the bell says of it as read.';

reset check_function_bodies;
