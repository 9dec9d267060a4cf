create or replace function private.tg_reports__notify()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  -- Who reported several things knows by their own words which it was. Nothing of what was reported is repeated.
  insert into public.notifications (user_id, kind, detail, facts)
  select r.id, 'report_decided', concat_ws(':', new.kind, new.decision, new.id), jsonb_strip_nulls(jsonb_build_object(
    'room', (private.reported(new.kind, new.subject_id)).place -> 'room_name', 'excerpt', private.first_words(new.reason)
  ))
  from public.profiles r where r.id = new.user_id
  for key share of r skip locked
  on conflict do nothing;
  if new.decision <> 'keep' then
    perform private.tell_author_of_removal(
      new.kind, new.subject_id, private.reported(new.kind, new.subject_id), new.decision, new.explanation
    );
  end if;
  return null;
end
$function$;
