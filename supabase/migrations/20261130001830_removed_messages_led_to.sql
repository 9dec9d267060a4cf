create or replace function private.tell_author_of_removal (
  what        text,
  subject     uuid,
  author      uuid,
  decision    text,
  explanation text
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  place constant jsonb := (private.reported(what, subject)).place;
begin
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'moderated', concat_ws(':', what, decision, subject, pg_current_xact_id()), jsonb_strip_nulls(jsonb_build_object(
    'room', place -> 'room_name', 'title', place -> 'title', 'written_at', place -> 'written_at', 'words', place -> 'words',
    'excerpt', explanation, 'chat_room_id', place -> 'room_id', 'message_id', case when place ? 'room_id' then subject end
  ))
  from public.profiles r where r.id = author
  for key share of r skip locked
  on conflict do nothing;
end
$function$;
