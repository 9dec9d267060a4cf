-- Achievements follow from events alone: triggers write them, nobody has a privilege on the tables, and a row stays when
-- what it was earned with is deleted.
create table private.achievement_kinds (
  key text primary key constraint achievement_kinds_key_check check (key ~ '^[a-z]+(_[a-z0-9]+)*$'),
  measure text not null constraint achievement_kinds_measure_check
    check (measure in ('rooms', 'messages', 'submissions', 'articles', 'courses', 'pacts', 'weeks', 'levels')),
  needed integer not null constraint achievement_kinds_needed_check check (needed > 0),
  title text not null,
  line text not null,
  is_told boolean not null,
  position integer not null unique,
  unique (measure, needed)
);
comment on table private.achievement_kinds is 'What there is to achieve, and its words on pages, cards and in the bell.';
comment on column private.achievement_kinds.measure is 'What private.achievement_count counts.';
comment on column private.achievement_kinds.line is 'What the member did, in one sentence without a subject.';
comment on column private.achievement_kinds.is_told is 'Whether the bell tells it. It does not tell what a member has just done themselves, or what it says already.';
alter table private.achievement_kinds enable row level security;

create table private.achievements (
  user_id uuid not null references auth.users (id) on delete cascade,
  key text not null references private.achievement_kinds (key),
  earned_at timestamptz not null default clock_timestamp(),
  primary key (user_id, key)
);
comment on table private.achievements is 'What members have achieved; written by triggers, once each. Rows go with their account.';
create index achievements_key_idx on private.achievements (key);
alter table private.achievements enable row level security;

create table private.active_weeks (
  user_id uuid not null references auth.users (id) on delete cascade,
  week date not null constraint active_weeks_week_check check (extract(isodow from week) = 1),
  primary key (user_id, week)
);
comment on table private.active_weeks is 'ISO weeks in which a member did something that counts; written by triggers.';
comment on column private.active_weeks.week is 'The Monday, in UTC.';
alter table private.active_weeks enable row level security;

create function private.week_of(moment timestamptz) returns date
  language sql stable set search_path = '' as $$ select date_trunc('week', moment at time zone 'utc')::date $$;
comment on function private.week_of(timestamptz) is 'The Monday of the ISO week, in UTC.';

-- The longest run of weeks that ends now in which no four weeks in a row have two missed ones. Only active weeks count. The week
-- that has begun is not missed before it is over.
create function private.week_streak(member uuid, this_week date) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  active date;
  later date := this_week;
  later_missed date;
  missed date;
  weeks integer := 0;
begin
  for active in select w.week from private.active_weeks w where w.user_id = member and w.week <= this_week order by w.week desc loop
    exit when later - active > 14;
    if later - active = 14 then
      missed := active + 7;
      exit when later_missed - missed < 28;
      later_missed := missed;
    end if;
    weeks := weeks + 1;
    later := active;
  end loop;
  return weeks;
end
$$;
comment on function private.week_streak(uuid, date) is
  'Active weeks of the streak that includes the given week. One missed week in any four is forgiven, two end the streak.';

-- A pact counts when another member had accepted to witness it, so nobody keeps pacts before themselves.
create function private.achievement_count(member uuid, measure text) returns integer
  language plpgsql stable set search_path = '' as $$
declare
  counted constant text := case measure
    when 'rooms' then 'room_opened' when 'messages' then 'message' when 'submissions' then 'submission'
    when 'articles' then 'article_read' when 'courses' then 'course_completed'
  end;
begin
  if counted is not null then
    return (
      select count(*) from (
        select from private.progress_ledger l where l.user_id = member and l.kind = counted limit 1000
      ) l
    );
  end if;
  return case measure
    when 'pacts' then (
      select count(*) from private.pacts p join public.learning_submissions s on s.id = p.submission_id
      where s.user_id = member and p.outcome = 'success'
        and exists (select from private.pact_witnesses w where w.submission_id = p.submission_id and w.accepted)
    )
    when 'weeks' then private.week_streak(member, private.week_of(now()))
    when 'levels' then greatest(
      coalesce((select l.current_level from public.user_levels l where l.user_id = member), 1) - 1,
      coalesce((select max(c.level) from public.level_completions c where c.user_id = member), 0)
    )
  end;
end
$$;
comment on function private.achievement_count(uuid, text) is 'How far an account is in one measure; events are counted up to 1,000.';

-- Counts nothing once everything of a measure is earned, so that a message costs one look.
create function private.award_achievements(member uuid, measures text[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  kind private.achievement_kinds;
  counted text;
  reached integer;
begin
  for kind in
    select k.* from private.achievement_kinds k
    where k.measure = any (measures)
      and not exists (select from private.achievements a where a.user_id = member and a.key = k.key)
    order by k.measure, k.needed
  loop
    if counted is distinct from kind.measure then
      counted := kind.measure;
      reached := private.achievement_count(member, counted);
    end if;
    if reached >= kind.needed then
      insert into private.achievements (user_id, key) values (member, kind.key) on conflict do nothing;
    end if;
  end loop;
end
$$;
comment on function private.award_achievements(uuid, text[]) is 'Stores what an account has achieved in the given measures. For triggers only.';

create function private.tg_progress_ledger__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  measures text[] := case new.kind
    when 'room_opened' then array['rooms'] when 'message' then array['messages'] when 'submission' then array['submissions']
    when 'article_read' then array['articles'] when 'course_completed' then array['courses'] else array[]::text[]
  end;
begin
  insert into private.active_weeks (user_id, week) values (new.user_id, private.week_of(new.happened_at)) on conflict do nothing;
  if found then
    measures := measures || 'weeks'::text;
  end if;
  perform private.award_achievements(new.user_id, measures);
  return null;
end
$$;
create trigger progress_ledger__award after insert on private.progress_ledger
  for each row execute function private.tg_progress_ledger__award();

-- A lesson is a week's work before its course is finished, unless the course is one's own.
create function private.tg_module_completions__note_week() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.course_modules m join public.courses c on c.id = m.course_id
    where m.id = new.module_id and c.mentor_id = new.user_id
  ) then
    return null;
  end if;
  insert into private.active_weeks (user_id, week) values (new.user_id, private.week_of(now())) on conflict do nothing;
  if found then
    perform private.award_achievements(new.user_id, array['weeks']);
  end if;
  return null;
end
$$;
create trigger module_completions__note_week after insert on public.module_completions
  for each row execute function private.tg_module_completions__note_week();

create function private.tg_user_levels__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.award_achievements(new.user_id, array['levels']);
  return null;
end
$$;
create trigger user_levels__award after insert or update of current_level on public.user_levels
  for each row when (new.current_level > 1) execute function private.tg_user_levels__award();

create function private.tg_level_completions__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.award_achievements(new.user_id, array['levels']);
  return null;
end
$$;
create trigger level_completions__award after insert on public.level_completions
  for each row execute function private.tg_level_completions__award();

create function private.tg_pacts__award() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.award_achievements(s.user_id, array['pacts'])
  from public.learning_submissions s where s.id = new.submission_id;
  return null;
end
$$;
create trigger pacts__award after update of outcome on private.pacts
  for each row when (old.outcome is null and new.outcome = 'success') execute function private.tg_pacts__award();
