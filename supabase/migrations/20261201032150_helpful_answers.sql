alter table "private"."content_questions"
  add column "helpful_at" timestamp with time zone;

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
  update private.content_questions q
  set helpful_at = case when is_helpful then coalesce(q.helpful_at, clock_timestamp()) end
  where q.id = question_id and q.user_id = caller and q.answer is not null and q.answered_by is distinct from caller
    and private.caller_is_member() and private.may_read_text(caller, q.article_id, q.module_id);
  if not found then
    perform private.fail('FF725', 'There is no answer here for you to mark.');
  end if;
end
$function$;

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
$function$;

create or replace function private.questions_of (
  article uuid default null::uuid,
  module  uuid default null::uuid
)
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.tg_content_questions__notify_helpful()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select r.id, 'answer_helpful', new.user_id, new.id, new.id from public.profiles r
  where r.id = new.answered_by and r.id <> new.user_id
  for key share skip locked
  on conflict do nothing;
  return null;
end
$function$;

create or replace function public.mark_answer_helpful (
  question_id uuid,
  is_helpful  boolean
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.mark_answer_helpful(question_id, is_helpful) $function$;

alter table "private"."content_questions"
  add constraint "content_questions_helpful_check" check (((helpful_at IS NULL) OR (answer IS NOT NULL))) not valid;

create trigger content_questions__notify_helpful
  after update of helpful_at on private.content_questions
  for each row
  when (((old.helpful_at IS NULL) AND (new.helpful_at IS NOT NULL)))
  execute function private.tg_content_questions__notify_helpful();

comment on column "private"."content_questions"."helpful_at" is 'When who asked marked the answer as helpful; null without the mark.';

comment on function "private"."mark_answer_helpful"(uuid, boolean) is 'Sets or takes back the mark of who asked on an answer; raises FF725 for everyone else and without an answer.';

comment on function "private"."notification_part_questions"(uuid) is 'Questions the member may answer, answers to their own, and answers of theirs that helped, under texts they may read.';

comment on function "public"."mark_answer_helpful"(uuid, boolean) is 'Marks the answer to one''s own question as helpful, or takes the mark back.';

revoke all on function "private"."mark_answer_helpful"(uuid, boolean) from public;

grant execute on function "private"."mark_answer_helpful"(uuid, boolean) to "authenticated", "postgres";

revoke all on function "private"."tg_content_questions__notify_helpful"() from public;

grant execute on function "private"."tg_content_questions__notify_helpful"() to "postgres";

revoke all on function "public"."mark_answer_helpful"(uuid, boolean) from public;

grant execute on function "public"."mark_answer_helpful"(uuid, boolean) to "authenticated", "postgres";

insert into private.notification_kinds (kind, topic, asks) values ('answer_helpful', 'learning', false);
