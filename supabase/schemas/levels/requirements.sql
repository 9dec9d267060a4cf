-- The counter of rooms opened stops at the most any level requires, and at five at least. It is filled from the ledger,
-- so that after a higher requirement the rooms opened before it count as well.
create function private.room_count_limit() returns integer
  language sql stable set search_path = '' as $$
  select greatest(5, max(r.needed)) from public.level_requirements r where r.kind = 'rooms'
$$;
comment on function private.room_count_limit() is 'How many opened rooms are counted: five, or more if a level requires more.';

create function private.count_opened_rooms(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  opened text[];
begin
  perform from public.user_progress p
  where p.user_id = member and cardinality(p.chat_rooms_opened) < private.room_count_limit();
  if not found then
    return;
  end if;
  opened := array(
    select l.reference from private.progress_ledger l
    where l.user_id = member and l.kind = 'room_opened' order by l.id limit private.room_count_limit()
  );
  update public.user_progress p set chat_rooms_opened = opened
  where p.user_id = member and cardinality(p.chat_rooms_opened) < cardinality(opened);
end
$$;
comment on function private.count_opened_rooms(uuid) is
  'Brings the counter of rooms opened up to the ledger, at most room_count_limit. Never lowers it.';

-- The preview of a requirement counts every room a member has opened, and a requirement above what there is is refused.
create function private.progress_count_uncapped(progress public.user_progress, kind text, category text) returns integer
  language sql stable set search_path = '' as $$
  select case progress_count_uncapped.kind
    when 'rooms' then (
      select count(*)::integer from private.progress_ledger l
      where l.user_id = progress.user_id and l.kind = 'room_opened'
    )
    else private.progress_count(progress, progress_count_uncapped.kind, category)
  end
$$;
comment on function private.progress_count_uncapped(public.user_progress, text, text) is
  'A member''s count for one kind of requirement as it would be without room_count_limit.';
