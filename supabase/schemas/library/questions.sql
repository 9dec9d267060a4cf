-- Questions under articles and lessons. Members who may read the text ask; its mentor answers, and administrators do.
-- Nobody has a privilege on the table: what one may see and do is decided by the functions below.
create table private.content_questions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  article_id uuid references public.articles (id) on delete cascade,
  module_id uuid references public.course_modules (id) on delete cascade,
  question text not null constraint content_questions_question_check check (char_length(question) between 1 and 1000),
  created_at timestamptz not null default clock_timestamp(),
  answer text constraint content_questions_answer_check check (char_length(answer) between 1 and 4000),
  answered_by uuid references public.profiles (id) on delete set null,
  answered_at timestamptz,
  helpful_at timestamptz,
  constraint content_questions_text_check check (num_nonnulls(article_id, module_id) = 1),
  constraint content_questions_answered_check check ((answer is null) = (answered_at is null)),
  constraint content_questions_helpful_check check (helpful_at is null or answer is not null)
);
comment on table private.content_questions is 'Questions of members under an article or a lesson, each with its answer.';
comment on column private.content_questions.user_id is 'Who asked.';
comment on column private.content_questions.module_id is 'The lesson of a course; null under an article.';
comment on column private.content_questions.answered_by is 'Who answered; null when that account is gone.';
comment on column private.content_questions.helpful_at is 'When who asked marked the answer as helpful; null without the mark.';
create index content_questions_user_id_idx on private.content_questions (user_id);
create index content_questions_article_id_idx on private.content_questions (article_id, created_at);
create index content_questions_module_id_idx on private.content_questions (module_id, created_at);
create index content_questions_answered_by_idx on private.content_questions (answered_by);
create index content_questions_waiting_idx on private.content_questions (created_at) where answer is null;
alter table private.content_questions enable row level security;

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
  set answer = trimmed, answered_by = caller, answered_at = clock_timestamp(),
    helpful_at = case when q.answered_by = caller then q.helpful_at end
  where q.id = question_id;
end
$$;
comment on function private.answer_question(uuid, text) is 'Answers a question under the caller''s own text, or any as an administrator; raises FF721, FF723 or FF300.';

-- Only who asked knows whether the answer helped. The mark stays on an answer that its author changes, and goes with one that another replaces.
-- @rpc authenticated
-- Marks the answer to one's own question as helpful, or takes the mark back.
create function private.mark_answer_helpful(question_id uuid, is_helpful boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  perform private.enforce_rate_limit(caller, 'like');
  update private.content_questions q
  set helpful_at = case when is_helpful then coalesce(q.helpful_at, clock_timestamp()) end
  where q.id = question_id and q.user_id = caller and q.answer is not null and q.answered_by is distinct from caller
    and private.caller_is_member() and private.may_read_text(caller, q.article_id, q.module_id);
  if not found then
    perform private.fail('FF725', 'There is no answer here for you to mark.');
  end if;
end
$$;
comment on function private.mark_answer_helpful(uuid, boolean) is
  'Sets or takes back the mark of who asked on an answer; raises FF725 for everyone else and without an answer, and FF300.';

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

-- Where an article, a lesson or a course stands, in the parts of an address of the library.
create function private.text_place(article uuid, module uuid, course uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('category', s.main_category, 'subcategory', s.slug,
    'shelf', case when article is null then 'courses' else 'articles' end,
    'item_id', coalesce(a.id, c.id), 'module', m.slug, 'title', coalesce(a.title, m.title, c.title))
  from (select article as article_id, module as module_id) t
  left join public.articles a on a.id = t.article_id
  left join public.course_modules m on m.id = t.module_id
  left join public.courses c on c.id = coalesce(course, m.course_id)
  join public.subcategories s on s.id = coalesce(a.subcategory_id, c.subcategory_id)
$$;
comment on function private.text_place(uuid, uuid, uuid) is 'Category, subcategory, shelf, item, lesson and title of one text.';

create function private.described_question(asked private.content_questions) returns private.reported
  language sql stable set search_path = '' as $$
  select asked.user_id, null::jsonb, jsonb_build_object(
    'text', p.place, 'title', p.place -> 'title', 'written_at', asked.created_at, 'words', private.first_words(asked.question)
  )
  from (select private.text_place(asked.article_id, asked.module_id, null) as place) p
$$;
comment on function private.described_question(private.content_questions) is 'By what its author knows a question again, and the text it is under.';

-- An answer goes with its question, as comments go with a submission: who asked is told, and who answered, whose work it was.
-- @rpc authenticated
-- Administrators: remove a question with its answer, with an explanation for who asked and who answered.
create function private.remove_question(question_id uuid, explanation text default null)
returns void
language plpgsql
security definer
set search_path = ''
as $function$
declare
  admin uuid := private.require_verified_admin();
  gone private.content_questions;
  it private.reported;
  why text;
begin
  select q.* into gone from private.content_questions q where q.id = question_id for update;
  if not found then
    perform private.fail('FF724', 'This question is no longer here.');
  end if;
  if gone.user_id <> admin then
    it := private.described_question(gone);
    why := private.explain_removal('question', question_id, it, explanation);
    if gone.answered_by <> admin then
      it.author_id := gone.answered_by;
      perform private.tell_author_of_removal('answer', question_id, it, 'remove', why);
    end if;
  end if;
  delete from private.content_questions q where q.id = question_id;
  perform private.audit(admin, 'question.removed', gone.user_id, jsonb_build_object(
    'question_id', gone.id, 'article_id', gone.article_id, 'module_id', gone.module_id,
    'before', case when gone.answer is null then 'open' else 'answered' end, 'after', 'removed'
  ) || case when why is null then '{}' else jsonb_build_object('reason', why) end);
end
$function$;
comment on function private.remove_question(uuid, text) is
  'Removes a question with its answer; FF724 when there is none, FF005 without a second factor, FF344 without an explanation for another member. Audited without its words.';
