-- The counter of rooms opened stops at the most any level requires, instead of always at five. It is filled from the ledger,
-- so that after a higher requirement the rooms opened before it count as well.
create function private.room_count_limit() returns integer
  language sql stable set search_path = '' as $$
  select greatest(5, max(r.needed)) from public.level_requirements r where r.kind = 'rooms'
$$;
revoke all on function private.room_count_limit from public, anon, authenticated, service_role;
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
revoke all on function private.count_opened_rooms from public, anon, authenticated, service_role;
comment on function private.count_opened_rooms(uuid) is
  'Brings the counter of rooms opened up to the ledger, at most room_count_limit. Never lowers it.';

comment on column public.user_progress.chat_rooms_opened is 'Ids of rooms opened, at most room_count_limit (five by default).';
