create or replace function private.tg_chat_messages__announce_last_words()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  if not exists (
    select from public.chat_messages m where m.chat_room_id = new.chat_room_id and m.created_at > new.created_at
  ) then
    perform realtime.send(jsonb_build_object('id', new.chat_room_id), 'changed', 'rooms', true);
  end if;
  return null;
end
$function$;

create trigger chat_messages__announce_last_words
  after update on public.chat_messages
  for each row
  when ((old.content IS DISTINCT FROM new.content))
  execute function private.tg_chat_messages__announce_last_words();

comment on function "private"."tg_chat_messages__announce_last_words"() is 'Broadcasts the id of a room whose newest message was edited or deleted.';

revoke all on function "private"."tg_chat_messages__announce_last_words"() from public;

grant execute on function "private"."tg_chat_messages__announce_last_words"() to "postgres";
