-- The level engine turns progress events into counters, and counters into levels. Nothing else writes either.

-- The level is stored in two tables because clients read both. user_levels is authoritative.
create function private.tg_user_progress__start() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.current_level := coalesce(
    (select l.current_level from public.user_levels l where l.user_id = new.user_id), new.current_level
  );
  return new;
end
$$;
create trigger user_progress__start before insert on public.user_progress
  for each row execute function private.tg_user_progress__start();

create function private.tg_user_levels__mirror() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.user_progress p set current_level = new.current_level
  where p.user_id = new.user_id and p.current_level <> new.current_level;
  return null;
end
$$;
create trigger user_levels__mirror after insert or update of current_level on public.user_levels
  for each row execute function private.tg_user_levels__mirror();

create function private.progress_count(progress public.user_progress, kind text, category text) returns integer
  language sql immutable set search_path = '' as $$
  select case kind
    when 'rooms' then cardinality(progress.chat_rooms_opened)
    when 'submissions' then progress.learning_submissions
    when 'engagements' then progress.message_engagements
    when 'articles' then coalesce(jsonb_array_length(progress.articles_read_by_category -> category), 0)
    when 'courses' then coalesce(jsonb_array_length(progress.courses_completed_by_category -> category), 0)
  end
$$;
comment on function private.progress_count(public.user_progress, text, text) is 'A member''s count for one kind of requirement.';

-- A level without requirements is never met, so an empty table raises no level.
create function private.meets_level(progress public.user_progress, wanted integer) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(bool_and(private.progress_count(progress, r.kind, r.category) >= r.needed), false)
  from public.level_requirements r where r.level = wanted
$$;
comment on function private.meets_level(public.user_progress, integer) is 'True when all requirements of a level are met.';

-- Raises the level repeatedly: a member who already meets the next level's requirements passes both at once.
create function private.raise_level(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  progress public.user_progress;
  started integer;
  reached integer;
  completed boolean := false;
begin
  select p.* into progress from public.user_progress p where p.user_id = member for update;
  select l.current_level into started from public.user_levels l where l.user_id = member for update;
  started := coalesce(started, 1);
  reached := started;
  while private.meets_level(progress, reached) loop
    insert into public.level_completions (user_id, level) values (member, reached) on conflict do nothing;
    completed := completed or found;
    exit when reached = 4;
    reached := reached + 1;
  end loop;
  if completed then
    update public.user_progress set level_completed_at = now() where user_id = member;
  end if;
  if reached > started then
    insert into public.user_levels as l (user_id, current_level, unlocked_levels)
    values (member, reached, array(select generate_series(0, reached)))
    on conflict (user_id) do update set
      current_level = excluded.current_level, unlocked_levels = excluded.unlocked_levels;
  end if;
end
$$;
comment on function private.raise_level(uuid) is 'Raises a member past every level whose requirements are met; records each completion once.';

-- Called by triggers on the tables members write to. Events of one member are serialised: the row of counters is locked
-- first, so that of two concurrent events the second one sees the first.
create function private.record_progress_event(
  member uuid, kind text, reference text, category text default null
) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.user_progress p where p.user_id = member for update;
  if not found then
    insert into public.user_progress (user_id) values (member) on conflict do nothing;
    perform from public.user_progress p where p.user_id = member for update;
  end if;
  insert into private.progress_ledger (user_id, kind, reference, category)
  values (member, record_progress_event.kind, record_progress_event.reference, record_progress_event.category)
  on conflict on constraint progress_ledger_once do nothing;
  if not found then
    return false;
  end if;
  case record_progress_event.kind
    when 'room_opened' then
      null; -- Counted below, with the rooms of the ledger.
    when 'submission' then
      update public.user_progress p set learning_submissions = p.learning_submissions + 1 where p.user_id = member;
    when 'article_read' then
      update public.user_progress p
      set articles_read_by_category = private.append_to_list(p.articles_read_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    when 'course_completed' then
      update public.user_progress p
      set courses_completed_by_category =
        private.append_to_list(p.courses_completed_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    else
      update public.user_progress p set message_engagements = p.message_engagements + 1 where p.user_id = member;
  end case;
  perform private.count_opened_rooms(member);
  perform private.raise_level(member);
  return true;
end
$$;
comment on function private.record_progress_event(uuid, text, text, text) is
  'Records a progress event and updates counters and level; false when it was recorded before. For triggers only.';

create function private.append_to_list(lists jsonb, key text, entry text) returns jsonb
  language sql immutable set search_path = '' as $$
  select jsonb_set(lists, array[key], coalesce(lists -> key, '[]') || to_jsonb(entry))
$$;
comment on function private.append_to_list(jsonb, text, text) is 'The map of lists with an entry appended to one list.';
-- Members receive changes of their own level through realtime.
alter publication supabase_realtime add table public.user_levels;
