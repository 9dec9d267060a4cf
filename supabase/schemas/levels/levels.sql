-- The level each member has reached. The app inserts the first row; only the level engine raises it.
create table public.user_levels (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_level integer not null default 1
    constraint user_levels_current_level_check check (current_level between 1 and 4),
  unlocked_levels integer[] not null default '{0,1}' constraint user_levels_unlocked_levels_check
    check (unlocked_levels <@ array[0, 1, 2, 3, 4] and cardinality(unlocked_levels) <= 5),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.user_levels to service_role;
grant select (user_id, current_level, unlocked_levels, updated_at),
  insert (user_id, current_level, unlocked_levels, updated_at),
  update (user_id, current_level, unlocked_levels, updated_at)
  on public.user_levels to authenticated;
comment on table public.user_levels is 'Level reached, one row for each member. effective_level also requires a live membership and decides access. @deletes_reach user_id';
comment on column public.user_levels.unlocked_levels is 'Every level up to the current one; 0 is content without a level.';
alter table public.user_levels enable row level security;

create policy select_own on public.user_levels for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

create policy insert_own on public.user_levels for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.user_levels for update to authenticated
  using (user_id = (select auth.uid()));

-- Also runs for the row an upsert proposes: repeating the last onboarding step must not lower a level.
create function private.tg_user_levels__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  existing public.user_levels;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  select l.* into existing from public.user_levels l where l.user_id = new.user_id;
  if found then
    return existing;
  end if;
  new.current_level := 1;
  new.unlocked_levels := '{0,1}';
  new.updated_at := now();
  return new;
end
$$;
create trigger user_levels__guard_insert before insert on public.user_levels
  for each row execute function private.tg_user_levels__guard_insert();

-- An update by a client keeps the stored row.
create function private.tg_user_levels__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  new.updated_at := now();
  return new;
end
$$;
create trigger user_levels__guard_update before update on public.user_levels
  for each row execute function private.tg_user_levels__guard_update();

-- The counters behind a level, kept by the server. Clients may send their own sums, which are ignored.
create table public.user_progress (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_level integer not null default 1
    constraint user_progress_current_level_check check (current_level between 1 and 4),
  chat_rooms_opened text[] not null default '{}',
  learning_submissions integer not null default 0
    constraint user_progress_learning_submissions_check check (learning_submissions >= 0),
  message_engagements integer not null default 0
    constraint user_progress_message_engagements_check check (message_engagements >= 0),
  articles_read_by_category jsonb not null default '{"general": [], "business": [], "wealth": []}',
  courses_completed_by_category jsonb not null default '{"general": [], "business": [], "wealth": []}',
  level_completed_at timestamptz,
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.user_progress to service_role;
grant select (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category,
    courses_completed_by_category, level_completed_at, updated_at),
  insert (user_id),
  update (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category,
    courses_completed_by_category, level_completed_at, updated_at)
  on public.user_progress to authenticated;
comment on table public.user_progress is 'Progress towards the next level, one row for each member, kept by the server. @deletes_reach user_id';
comment on column public.user_progress.chat_rooms_opened is 'Ids of rooms opened, at most room_count_limit (five by default).';
comment on column public.user_progress.articles_read_by_category is 'Ids of articles read, by main category.';
comment on column public.user_progress.courses_completed_by_category is 'Ids of courses completed, by main category.';
comment on column public.user_progress.level_completed_at is 'When the member last completed a level; null before the first.';
alter table public.user_progress enable row level security;

create policy select_own on public.user_progress for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

create policy insert_own on public.user_progress for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.user_progress for update to authenticated
  using (user_id = (select auth.uid()));

create function private.tg_user_progress__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  -- clock_timestamp, because clients treat the row with the later updated_at as the newer one.
  new.updated_at := clock_timestamp();
  return new;
end
$$;
create trigger user_progress__guard_update before update on public.user_progress
  for each row execute function private.tg_user_progress__guard_update();
-- Members receive changes of their own progress through realtime.
alter publication supabase_realtime add table public.user_progress;

-- The level an account may use now: none before onboarding or after the membership lapsed, all for administrators.
create or replace view private.effective_levels with (security_invoker = true) as
select p.id as user_id,
  case
    when p.role = 'admin' then case when private.is_verified_admin(p.id) then 4 else 0 end
    when p.onboarding_complete and exists (select from private.live_memberships m where m.user_id = p.id)
      then coalesce((select l.current_level from public.user_levels l where l.user_id = p.id), 1)
    else 0
  end as level
from public.profiles p;
comment on view private.effective_levels is 'Level each account may use now: 0 without onboarding or live membership, 4 for administrators with a second factor.';

-- plpgsql caches the plan. Policies call this for every subscriber of every change.
create function private.effective_level(member uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select l.level from private.effective_levels l where l.user_id = member), 0);
end
$$;
comment on function private.effective_level(uuid) is 'Level an account may use now; 0 when there is no such account.';

create function private.caller_effective_level() returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return private.effective_level(private.require_caller());
end
$$;
comment on function private.caller_effective_level() is 'Level the calling account may use now.';
grant execute on function private.caller_effective_level to authenticated;

create function public.effective_level() returns integer
  language sql stable set search_path = '' as $$
  select private.caller_effective_level()
$$;
comment on function public.effective_level() is 'Level the caller may use now: 0 without onboarding or live membership, 4 for administrators.';
grant execute on function public.effective_level to authenticated;
