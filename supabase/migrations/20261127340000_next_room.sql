-- The next step of a member who has to open rooms leads to one they have not opened yet.

create function private.next_room(member uuid) returns text
  language sql stable set search_path = '' as $$
  select r.id from public.chat_rooms r
  where r.is_active and r.min_level_required <= private.effective_level(member)
    and not exists (
      select from private.progress_ledger l where l.user_id = member and l.kind = 'room_opened' and l.reference = r.id
    )
  order by r.min_level_required, r.display_order, r.name
  limit 1
$$;
revoke all on function private.next_room from public, anon, authenticated, service_role;
comment on function private.next_room(uuid) is
  'The first room, as they are listed, that is open to a member and was never opened by them; null when there is none.';

create function private.my_next_room() returns text
  language sql stable security definer set search_path = '' as $$ select private.next_room(private.require_caller()) $$;
revoke all on function private.my_next_room from public, anon, authenticated, service_role;
comment on function private.my_next_room() is
  'The first room that is open to the caller and was never opened by them; null when there is none.';
grant execute on function private.my_next_room() to authenticated;
create function public.my_next_room() returns text
  language sql stable set search_path = '' as $$ select private.my_next_room() $$;
revoke all on function public.my_next_room from public, anon, authenticated, service_role;
comment on function public.my_next_room() is 'Id of the room that the caller''s next step leads to; null when all open ones were opened.';
grant execute on function public.my_next_room() to authenticated;

create or replace function private.next_requirement(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'level', r.level, 'kind', r.kind, 'category', r.category, 'needed', r.needed, 'done', c.done,
    'room', case when r.kind = 'rooms' then private.next_room(member) end
  )
  from public.level_requirements r
  cross join lateral (
    select coalesce((
      select private.progress_count(g, r.kind, r.category) from public.user_progress g where g.user_id = member
    ), 0) as done
  ) c
  where r.level = coalesce((select l.current_level from public.user_levels l where l.user_id = member), 1) and c.done < r.needed
  order by array_position(array['rooms', 'submissions', 'articles', 'courses', 'engagements'], r.kind)
  limit 1
$$;
comment on function private.next_requirement(uuid) is
  'The first requirement of a member''s level that is not met, with the member''s count and, for rooms, the one to open; null when all are met.';
