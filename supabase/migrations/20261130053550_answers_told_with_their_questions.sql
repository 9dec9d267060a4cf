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

comment on function "public"."remove_question"(uuid, text) is 'Administrators: remove a question with its answer, with an explanation for who asked and who answered.';
