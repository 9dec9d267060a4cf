create or replace function private.answer_question (
  question_id uuid,
  content     text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.mark_answer_helpful (
  question_id uuid,
  is_helpful  boolean
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

comment on function "private"."mark_answer_helpful"(uuid, boolean) is 'Sets or takes back the mark of who asked on an answer; raises FF725 for everyone else and without an answer, and FF300.';
