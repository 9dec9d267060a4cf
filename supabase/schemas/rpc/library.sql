-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.course_syllabus(course_id uuid) returns table(title text, minutes integer)
  language sql stable set search_path = '' as $$ select * from private.course_syllabus(course_id) $$;
comment on function public.course_syllabus is 'What a course holds, also before one enrols: titles and minutes of its modules.';
grant execute on function private.course_syllabus, public.course_syllabus to authenticated;

create function public.ratings_of_text(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.ratings_of_text(article_id, course_id) $$;
comment on function public.ratings_of_text is 'Mentors: the ratings of one of their articles or courses with the sentences.';
grant execute on function private.ratings_of_text, public.ratings_of_text to authenticated;

create function public.remove_rating_comment(rating_id uuid, explanation text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.remove_rating_comment(rating_id, explanation) $$;
comment on function public.remove_rating_comment is 'Administrators: remove the sentence of a rating, with an explanation for who wrote it.';
grant execute on function private.remove_rating_comment, public.remove_rating_comment to authenticated;

create function public.course_films_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.course_films_to_purge(after, batch) $$;
comment on function public.course_films_to_purge is 'Server: films to delete now.';
grant execute on function private.course_films_to_purge, public.course_films_to_purge to service_role;

create function public.questions_of(article_id uuid default NULL::uuid, module_id uuid default NULL::uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.questions_of(article_id, module_id) $$;
comment on function public.questions_of is 'Questions under one article or one lesson, with what the caller may do there.';
grant execute on function private.questions_of, public.questions_of to authenticated;

create function public.waiting_questions() returns jsonb
  language sql stable set search_path = '' as $$ select private.waiting_questions() $$;
comment on function public.waiting_questions is 'Questions that wait for the caller: under their own texts, or all of them for administrators.';
grant execute on function private.waiting_questions, public.waiting_questions to authenticated;

create function public.answer_question(question_id uuid, answer text) returns void
  language sql volatile set search_path = '' as $$ select private.answer_question(question_id, answer) $$;
comment on function public.answer_question is 'The mentor of a text, or an administrator, answers a question.';
grant execute on function private.answer_question, public.answer_question to authenticated;

create function public.mark_answer_helpful(question_id uuid, is_helpful boolean) returns void
  language sql volatile set search_path = '' as $$ select private.mark_answer_helpful(question_id, is_helpful) $$;
comment on function public.mark_answer_helpful is 'Marks the answer to one''s own question as helpful, or takes the mark back.';
grant execute on function private.mark_answer_helpful, public.mark_answer_helpful to authenticated;

create function public.delete_question(question_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_question(question_id) $$;
comment on function public.delete_question is 'Deletes one''s own question with its answer.';
grant execute on function private.delete_question, public.delete_question to authenticated;

create function public.remove_question(question_id uuid, explanation text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.remove_question(question_id, explanation) $$;
comment on function public.remove_question is 'Administrators: remove a question with its answer, with an explanation for who asked and who answered.';
grant execute on function private.remove_question, public.remove_question to authenticated;

create function public.delete_rating(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_rating(article_id, course_id) $$;
comment on function public.delete_rating is 'Takes back one''s own rating of an article or a course.';
grant execute on function private.delete_rating, public.delete_rating to authenticated;

create function public.rating_of(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.rating_of(article_id, course_id) $$;
comment on function public.rating_of is 'The ratings of one article or course as its readers see them.';
grant execute on function private.rating_of, public.rating_of to authenticated;
