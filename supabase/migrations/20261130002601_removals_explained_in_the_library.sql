drop function "private"."remove_question"(uuid);

drop function "private"."remove_rating_comment"(uuid);

drop function "public"."remove_question"(uuid);

drop function "public"."remove_rating_comment"(uuid);

create or replace function private.text_place (
  article uuid,
  module  uuid,
  course  uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object('category', s.main_category, 'subcategory', s.slug,
    'shelf', case when article is null then 'courses' else 'articles' end,
    'item_id', coalesce(a.id, c.id), 'module', m.slug, 'title', coalesce(a.title, m.title, c.title))
  from (select article as article_id, module as module_id) t
  left join public.articles a on a.id = t.article_id
  left join public.course_modules m on m.id = t.module_id
  left join public.courses c on c.id = coalesce(course, m.course_id)
  join public.subcategories s on s.id = coalesce(a.subcategory_id, c.subcategory_id)
$function$;

create or replace function private.described_question (
  asked private.content_questions
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select asked.user_id, null::jsonb, jsonb_build_object(
    'text', p.place, 'title', p.place -> 'title', 'written_at', asked.created_at, 'words', private.first_words(asked.question)
  )
  from (select private.text_place(asked.article_id, asked.module_id, null) as place) p
$function$;

create or replace function private.described_rating (
  given private.content_ratings
)
  returns private.reported
  language sql
  stable
  set search_path to ''
  AS $function$
  select given.user_id, null::jsonb, jsonb_build_object(
    'text', p.place, 'title', p.place -> 'title', 'written_at', given.rated_at, 'words', private.first_words(given.sentence)
  )
  from (select private.text_place(given.article_id, null, given.course_id) as place) p
$function$;

create or replace function private.question_place (
  question_id uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select private.text_place(q.article_id, q.module_id, null) from private.content_questions q where q.id = question_id
$function$;

create or replace function private.remove_question (
  question_id uuid,
  explanation text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin uuid := private.require_verified_admin();
  gone private.content_questions;
  why text;
begin
  select q.* into gone from private.content_questions q where q.id = question_id for update;
  if not found then
    perform private.fail('FF724', 'This question is no longer here.');
  end if;
  if gone.user_id <> admin then
    why := private.explain_removal('question', question_id, private.described_question(gone), explanation);
  end if;
  delete from private.content_questions q where q.id = question_id;
  perform private.audit(admin, 'question.removed', gone.user_id, jsonb_build_object(
    'question_id', gone.id, 'article_id', gone.article_id, 'module_id', gone.module_id,
    'before', case when gone.answer is null then 'open' else 'answered' end, 'after', 'removed'
  ) || case when why is null then '{}' else jsonb_build_object('reason', why) end);
end
$function$;

create or replace function private.remove_rating_comment (
  rating_id   uuid,
  explanation text default null::text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  admin constant uuid := private.require_verified_admin();
  changed private.content_ratings;
  why text;
begin
  select r.* into changed from private.content_ratings r where r.id = rating_id and r.sentence is not null for no key update;
  if not found then
    perform private.fail('FF734', 'This sentence is no longer here.');
  end if;
  if changed.user_id <> admin then
    why := private.explain_removal('rating', rating_id, private.described_rating(changed), explanation);
  end if;
  update private.content_ratings r set sentence = null where r.id = rating_id;
  perform private.audit(admin, 'rating.sentence_removed', changed.user_id, jsonb_build_object(
    'rating_id', changed.id, 'article_id', changed.article_id, 'course_id', changed.course_id,
    'before', 'shown', 'after', 'removed'
  ) || case when why is null then '{}' else jsonb_build_object('reason', why) end);
end
$function$;

create or replace function public.remove_question (
  question_id uuid,
  explanation text default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.remove_question(question_id, explanation) $function$;

create or replace function public.remove_rating_comment (
  rating_id   uuid,
  explanation text default null::text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.remove_rating_comment(rating_id, explanation) $function$;

comment on function "private"."described_question"(private.content_questions) is 'By what its author knows a question again, and the text it is under.';

comment on function "private"."described_rating"(private.content_ratings) is 'By what its author knows the sentence of a rating again, and its text.';

comment on function "private"."remove_question"(uuid, text) is 'Removes a question with its answer; FF724 when there is none, FF005 without a second factor, FF344 without an explanation for another member. Audited without its words.';

comment on function "private"."remove_rating_comment"(uuid, text) is 'Removes the sentence of a rating; its stars stay. FF005, FF734, FF344 without an explanation for another member. Audited without its words.';

comment on function "private"."text_place"(uuid, uuid, uuid) is 'Category, subcategory, shelf, item, lesson and title of one text.';

comment on function "public"."remove_question"(uuid, text) is 'Administrators: remove a question with its answer, with an explanation for who asked.';

comment on function "public"."remove_rating_comment"(uuid, text) is 'Administrators: remove the sentence of a rating, with an explanation for who wrote it.';

revoke all on function "private"."described_question"(private.content_questions) from public;

grant execute on function "private"."described_question"(private.content_questions) to "postgres";

revoke all on function "private"."described_rating"(private.content_ratings) from public;

grant execute on function "private"."described_rating"(private.content_ratings) to "postgres";

revoke all on function "private"."remove_question"(uuid, text) from public;

grant execute on function "private"."remove_question"(uuid, text) to "authenticated", "postgres";

revoke all on function "private"."remove_rating_comment"(uuid, text) from public;

grant execute on function "private"."remove_rating_comment"(uuid, text) to "authenticated", "postgres";

revoke all on function "private"."text_place"(uuid, uuid, uuid) from public;

grant execute on function "private"."text_place"(uuid, uuid, uuid) to "postgres";

revoke all on function "public"."remove_question"(uuid, text) from public;

grant execute on function "public"."remove_question"(uuid, text) to "authenticated", "postgres";

revoke all on function "public"."remove_rating_comment"(uuid, text) from public;

grant execute on function "public"."remove_rating_comment"(uuid, text) to "authenticated", "postgres";
