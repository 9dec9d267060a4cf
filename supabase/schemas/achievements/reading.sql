-- @rpc authenticated
-- Sets what the caller may be asked about (up to eight topics), whether the directory lists them and what their profile shows.
create function private.set_profile_choices(
    topics text[], is_listed boolean, shows_submissions boolean, shows_achievements boolean default null
  ) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  tidied text[] := private.require_topics(topics);
begin
  perform private.enforce_rate_limit(caller, 'profile_choices');
  insert into public.profile_choices as c (user_id, topics, is_listed, shows_submissions, shows_achievements)
  values (
    caller, tidied, coalesce(set_profile_choices.is_listed, true), coalesce(set_profile_choices.shows_submissions, true),
    coalesce(set_profile_choices.shows_achievements, true)
  )
  on conflict (user_id) do update set
    topics = excluded.topics, is_listed = excluded.is_listed, shows_submissions = excluded.shows_submissions,
    shows_achievements = coalesce(set_profile_choices.shows_achievements, c.shows_achievements), updated_at = now();
end
$$;
comment on function private.set_profile_choices(text[], boolean, boolean, boolean) is
  'Stores what the caller may be asked about and what their profile shows.';

create function private.earned_achievements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'key', k.key, 'measure', k.measure, 'title', k.title, 'line', k.line, 'earned_on', (a.earned_at at time zone 'utc')::date
  ) order by k.position), '[]')
  from private.achievements a join private.achievement_kinds k using (key) where a.user_id = member
$$;
comment on function private.earned_achievements(uuid) is 'The achievements of an account, in the order of the kinds.';

-- @rpc authenticated
-- The caller's achievements, the next of each measure, the streak of weeks, certificates, and what of it is shared.
create function private.my_achievements() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  this_week constant date := private.week_of(now());
begin
  return jsonb_build_object(
    'earned', private.earned_achievements(caller),
    'next', coalesce((
      select jsonb_agg(jsonb_build_object(
        'key', n.key, 'measure', n.measure, 'title', n.title, 'needed', n.needed,
        'count', private.achievement_count(caller, n.measure)
      ) order by n.position)
      from (
        select distinct on (k.measure) k.* from private.achievement_kinds k
        where not exists (select from private.achievements a where a.user_id = caller and a.key = k.key)
        order by k.measure, k.needed
      ) n
    ), '[]'),
    'streak', jsonb_build_object(
      'weeks', private.week_streak(caller, this_week),
      'is_active_this_week', exists (select from private.active_weeks w where w.user_id = caller and w.week = this_week)
    ),
    'is_shown', coalesce((select c.shows_achievements from public.profile_choices c where c.user_id = caller), true),
    'certificates', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'course_id', c.course_id, 'course', c.course_title, 'is_revoked', c.revoked_at is not null,
        'completed_on', (c.completed_at at time zone 'utc')::date
      ) order by c.completed_at desc, c.id)
      from private.certificates c where c.user_id = caller
    ), '[]'),
    'shared', coalesce((
      select jsonb_agg(jsonb_build_object('code', s.code, 'achievement', s.achievement, 'certificate_id', s.certificate_id))
      from private.shared_cards s where s.user_id = caller
    ), '[]')
  );
end
$$;
comment on function private.my_achievements() is 'Everything on the caller''s page of achievements.';

-- Courses of members by the mentor's name: the mentor reads that the name stands there, not where.
create function private.export_part_achievements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'achievements', coalesce((
      select jsonb_agg(to_jsonb(a) order by a.earned_at, a.key) from private.achievements a where a.user_id = member
    ), '[]'),
    'active_weeks', coalesce((
      select jsonb_agg(to_jsonb(w) order by w.week) from private.active_weeks w where w.user_id = member
    ), '[]'),
    'certificates', coalesce((
      select jsonb_agg(to_jsonb(c) - 'revoked_by' - 'mentor_id' order by c.completed_at, c.id)
      from private.certificates c where c.user_id = member
    ), '[]'),
    'certificates_signed', coalesce((
      select jsonb_agg(jsonb_build_object('course_title', c.course_title, 'mentor_name', c.mentor_name) order by c.completed_at, c.id)
      from private.certificates c where c.mentor_id = member and c.user_id <> member
    ), '[]'),
    'shared_cards', coalesce((
      select jsonb_agg(to_jsonb(s) order by s.shared_at, s.code) from private.shared_cards s where s.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_achievements(uuid) is 'Achievements, weeks, certificates and shared cards of one account.';
