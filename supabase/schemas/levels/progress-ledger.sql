-- The requirements of each level. The owner may change them; a change applies from a member's next progress event.
create table public.level_requirements (
  level integer not null constraint level_requirements_level_check check (level between 1 and 4),
  kind text not null constraint level_requirements_kind_check
    check (kind in ('rooms', 'submissions', 'engagements', 'articles', 'courses')),
  category text constraint level_requirements_category_check check (category in ('general', 'business', 'wealth')),
  needed integer not null constraint level_requirements_needed_check check (needed > 0),
  primary key (level, kind),
  constraint level_requirements_shelf_check check ((kind in ('articles', 'courses')) = (category is not null))
);
grant select, insert, update, delete on public.level_requirements to service_role;
grant select (level, kind, category, needed) on public.level_requirements to authenticated;
comment on table public.level_requirements is 'What a member has to do to complete a level.';
comment on column public.level_requirements.category is 'Main category that counts, for articles and courses only.';
alter table public.level_requirements enable row level security;

create policy select_all on public.level_requirements for select to authenticated using (true);

-- Every progress event that counts, once. Counters and levels can be rebuilt from it.
create table private.progress_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null constraint progress_ledger_kind_check
    check (kind in ('room_opened', 'submission', 'message', 'like', 'article_read', 'course_completed')),
  category text constraint progress_ledger_category_check check (category in ('general', 'business', 'wealth')),
  reference text not null constraint progress_ledger_reference_check check (char_length(reference) between 1 and 100),
  happened_at timestamptz not null default now(),
  constraint progress_ledger_once unique (user_id, kind, reference),
  constraint progress_ledger_shelf_check
    check ((kind in ('article_read', 'course_completed')) = (category is not null))
);
comment on table private.progress_ledger is 'Progress events of members, oldest first. Rows are only added; they go with their account.';
comment on column private.progress_ledger.reference is 'Id of the room, submission, message, article or course.';
create index progress_ledger_user_id_idx on private.progress_ledger (user_id, id desc);
alter table private.progress_ledger enable row level security;

-- Rows are never rewritten: deleting the message behind an event does not undo the event.
create function private.tg_progress_ledger__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'the progress ledger only grows';
end
$$;
create trigger progress_ledger__append_only before update or delete on private.progress_ledger
  for each row execute function private.tg_progress_ledger__append_only();

-- Each level is completed once.
create table public.level_completions (
  user_id uuid not null references auth.users (id) on delete cascade,
  level integer not null constraint level_completions_level_check check (level between 1 and 4),
  completed_at timestamptz not null default now(),
  primary key (user_id, level)
);
grant select, insert, update, delete on public.level_completions to service_role;
grant select (user_id, level, completed_at) on public.level_completions to authenticated;
comment on table public.level_completions is 'When each level was completed. A row for level 4 means that all levels are complete.';
alter table public.level_completions enable row level security;

create policy select_own on public.level_completions for select to authenticated
  using (user_id = (select auth.uid()));

-- The number of members for each number of engagements. A rank is a sum over these rows instead of all members.
create table private.engagement_histogram (
  bucket integer primary key,
  members integer not null constraint engagement_histogram_members_check check (members >= 0)
);
comment on table private.engagement_histogram is 'Members by engagements; kept by triggers on user_progress.';
comment on column private.engagement_histogram.bucket is 'Result of engagement_bucket for the number of engagements.';
alter table private.engagement_histogram enable row level security;

create function private.engagement_bucket(engagements integer) returns integer
  language sql immutable set search_path = '' as $$
  select case
    when engagements <= 512 then engagements
    else 512 + floor(64 * ln(engagements / 512.0::double precision) / ln(2::double precision))::integer
  end
$$;
comment on function private.engagement_bucket(integer) is
  'Bucket of a number of engagements: one for each number up to 512, then 64 for each doubling, which limits their number.';

create function private.tg_user_progress__count_engagements() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  left_bucket integer := case when tg_op <> 'INSERT' then private.engagement_bucket(old.message_engagements) end;
  new_bucket integer := case when tg_op <> 'DELETE' then private.engagement_bucket(new.message_engagements) end;
begin
  if left_bucket is not distinct from new_bucket then
    return null;
  end if;
  -- Engagements only grow, so every transaction locks these rows in ascending order, which rules out deadlocks.
  if left_bucket is not null then
    update private.engagement_histogram h set members = h.members - 1 where h.bucket = left_bucket;
  end if;
  if new_bucket is not null then
    insert into private.engagement_histogram as h (bucket, members) values (new_bucket, 1)
    on conflict (bucket) do update set members = h.members + 1;
  end if;
  return null;
end
$$;
-- Deferred to the end of the transaction, to keep the lock on a shared row short.
create constraint trigger user_progress__count_engagements
  after insert or delete or update of message_engagements on public.user_progress
  deferrable initially deferred for each row execute function private.tg_user_progress__count_engagements();
