create or replace function private.tg_profiles__let_go_of_answers()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  update public.chat_messages m set parent_message_id = null
  from public.chat_messages p
  where p.user_id = old.id and m.parent_message_id = p.id;
  return old;
end
$function$;

create trigger profiles__let_go_of_answers
  before delete on public.profiles
  for each row
  execute function private.tg_profiles__let_go_of_answers();

revoke all on function "private"."tg_profiles__let_go_of_answers"() from public;

grant execute on function "private"."tg_profiles__let_go_of_answers"() to "postgres";
