-- What a member wrote stands on their profile: published articles and courses, as far as the reader's level opens them. A course that the
-- reader's level does not open is named while it is on sale, because its public page is open to everyone.
create function private.written_texts(author uuid, reader uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  open_to_reader constant text[] := private.open_categories(private.effective_level(reader));
begin
  return (
    with texts as materialized (
      select a.id, 'article' as kind, a.title, s.main_category as category, s.slug as subcategory, a.estimated_read_time as minutes,
        null as sale_slug, a.created_at
      from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.author_id = author and a.is_published and s.is_active and s.main_category = any (open_to_reader)
      union all
      select c.id, 'course', c.title, s.main_category, s.slug, c.estimated_duration,
        case when s.is_active and s.main_category = any (open_to_reader) then null else o.slug end, c.created_at
      from public.courses c join public.subcategories s on s.id = c.subcategory_id
      left join private.open_course_offers o on o.course_id = c.id
      where c.mentor_id = author and c.is_published
        and (s.is_active and s.main_category = any (open_to_reader) or o.slug is not null)
    )
    select jsonb_build_object(
      'count', (select count(*) from texts),
      'newest', coalesce((
        select jsonb_agg(to_jsonb(n) - 'created_at' order by n.created_at desc, n.id)
        from (select t.* from texts t order by t.created_at desc, t.id limit 5) n
      ), '[]')
    )
  );
end
$$;
revoke all on function private.written_texts from public, anon, authenticated, service_role;
comment on function private.written_texts(uuid, uuid) is
  'How many articles and courses of an author the reader may open, or buy where only the level is missing, and the newest five.';

create or replace function private.member_profile(member uuid) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  shown public.profiles;
  choices public.profile_choices;
  has_blocked boolean;
begin
  perform private.enforce_rate_limit(caller, 'people');
  select p.* into shown from public.profiles p join auth.users u on u.id = p.id
  where p.id = member and private.effective_level(p.id) > 0
    and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
    and not exists (select from private.member_blocks b where b.user_id = p.id and b.blocked_id = caller);
  if not found then
    return null;
  end if;
  has_blocked := exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = shown.id);
  if has_blocked then
    return jsonb_build_object(
      'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role, 'is_blocked', true
    );
  end if;
  select c.* into choices from public.profile_choices c where c.user_id = shown.id;
  return jsonb_build_object(
    'id', shown.id, 'name', btrim(concat_ws(' ', shown.first_name, shown.last_name)), 'role', shown.role,
    'occupation', shown.occupation, 'bio', shown.bio, 'avatar_url', shown.avatar_url, 'is_blocked', false,
    'level', private.effective_level(shown.id), 'topics', to_jsonb(coalesce(choices.topics, '{}')),
    'joined_on', (select (u.created_at at time zone 'utc')::date from auth.users u where u.id = shown.id),
    'submissions', case when coalesce(choices.shows_submissions, true) then (
      select jsonb_build_object(
        'count', (select count(*) from public.learning_submissions s where s.user_id = shown.id),
        'newest', coalesce((
          select jsonb_agg(jsonb_build_object(
            'id', n.id, 'type', n.submission_type, 'title', n.title, 'created_at', n.created_at
          ) order by n.created_at desc, n.id desc)
          from (
            select s.* from public.learning_submissions s where s.user_id = shown.id
            order by s.created_at desc, s.id desc limit 5
          ) n
        ), '[]')
      )
    ) end,
    'kept_pacts', case when coalesce(choices.shows_submissions, true) then private.kept_pacts(shown.id) end,
    'achievements', case when coalesce(choices.shows_achievements, true) then private.earned_achievements(shown.id) end,
    'texts', private.written_texts(shown.id, caller)
  );
end
$$;
