-- The data export of a member. Each area adds a function private.export_part_<name>(member), whose result is merged
-- into the export, so that no area has to know the others.
create function private.export_parts() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  part text;
  added jsonb;
  whole jsonb := '{}';
begin
  perform private.enforce_rate_limit(caller, 'export');
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'export\_part\_%' order by 1
  loop
    execute format('select private.%I($1)', part) into added using caller;
    whole := whole || added;
  end loop;
  return whole;
end
$$;
comment on function private.export_parts() is 'The exports of all areas for the calling account, as one JSON object.';
grant execute on function private.export_parts to authenticated;

-- Contains the member's own messages even when the membership lapsed and the rooms cannot be read.
create function private.export_part_chat(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.chat_messages m where m.user_id = member
    ), '[]'),
    'message_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.message_id)
      from public.message_likes l where l.user_id = member
    ), '[]'),
    'room_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.chat_room_id) from public.chat_room_reads r where r.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_chat(uuid) is 'Messages, likes and read positions of one account.';

create function public.export_my_data() returns jsonb
  language sql volatile set search_path = '' as $$
  select private.export_account_data() || private.export_parts()
$$;
comment on function public.export_my_data() is 'Everything stored about the caller, as one JSON object; raises FF300 above the limit.';
grant execute on function public.export_my_data to authenticated;
