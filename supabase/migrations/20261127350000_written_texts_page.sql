-- Everything a member wrote can be paged through from the profile, not only the newest five. A page has what the profile has: the
-- texts the reader may open, and courses on sale. Who sees no profile sees no texts either.
create function private.has_profile_for(member uuid, reader uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.effective_level(member) > 0
    and exists (
      select from auth.users u
      where u.id = member and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
    )
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = reader)
$$;
revoke all on function private.has_profile_for from public, anon, authenticated, service_role;
comment on function private.has_profile_for(uuid, uuid) is
  'True while a member has a profile that the reader may see: a membership, not suspended, and no block of the reader.';

create function private.listed_texts(author uuid, reader uuid)
  returns table (
    id uuid, kind text, title text, category text, subcategory text, minutes integer, sale_slug text, is_training boolean,
    created_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  level constant integer := private.effective_level(reader);
  open_to_reader constant text[] := private.open_categories(level);
  is_mentor constant boolean := level > 0
    and exists (select from public.profiles p where p.id = reader and p.role = 'mentor');
begin
  return query
  select a.id, 'article', a.title, s.main_category, s.slug, a.estimated_read_time, null, false, a.created_at
  from public.articles a join public.subcategories s on s.id = a.subcategory_id
  where a.author_id = author and a.is_published and s.is_active and s.main_category = any (open_to_reader)
  union all
  select c.id, 'course', c.title, s.main_category, s.slug, c.estimated_duration,
    case when access.is_training or access.is_open then null else o.slug end, access.is_training, c.created_at
  from public.courses c join public.subcategories s on s.id = c.subcategory_id
  cross join lateral (
    select s.is_active and s.main_category = any (open_to_reader) as is_open,
      s.is_active and s.open_to_mentors and is_mentor as is_training
  ) access
  left join private.open_course_offers o on o.course_id = c.id
  where c.mentor_id = author and c.is_published and (access.is_training or access.is_open or o.slug is not null);
end
$$;
revoke all on function private.listed_texts from public, anon, authenticated, service_role;
comment on function private.listed_texts(uuid, uuid) is
  'The articles and courses of an author that the reader may open, or buy where only the level is missing.';

create or replace function private.written_texts(author uuid, reader uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  with texts as materialized (select t.* from private.listed_texts(author, reader) t)
  select jsonb_build_object(
    'count', (select count(*) from texts),
    'newest', coalesce((
      select jsonb_agg(to_jsonb(n) order by n.created_at desc, n.id)
      from (select t.* from texts t order by t.created_at desc, t.id limit 5) n
    ), '[]')
  )
$$;

create or replace function private.member_profile(member uuid)
  returns jsonb language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_member();
  shown public.profiles;
  choices public.profile_choices;
  has_blocked boolean;
begin
  perform private.enforce_rate_limit(caller, 'people');
  select p.* into shown from public.profiles p where p.id = member and private.has_profile_for(p.id, caller);
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

create function private.written_texts_page(author uuid, before timestamptz, after_id uuid, page_size integer) returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
begin
  perform private.enforce_rate_limit(caller, 'people');
  if not private.has_profile_for(author, caller)
    or exists (select from private.member_blocks b where b.user_id = caller and b.blocked_id = author) then
    return '[]';
  end if;
  return coalesce((
    select jsonb_agg(to_jsonb(n) order by n.created_at desc, n.id)
    from (
      select t.* from private.listed_texts(author, caller) t
      where before is null or t.created_at < before or t.created_at = before and t.id > after_id
      order by t.created_at desc, t.id limit least(greatest(coalesce(page_size, 24), 1), 50)
    ) n
  ), '[]');
end
$$;
revoke all on function private.written_texts_page from public, anon, authenticated, service_role;
grant execute on function private.written_texts_page to authenticated;
comment on function private.written_texts_page(uuid, timestamptz, uuid, integer) is
  'A page of what a member wrote, newest first, after the text with this time and id; empty where the caller sees no profile. FF700 or FF300.';

create function public.written_texts_page(
  author uuid, before timestamptz default null, after_id uuid default null, page_size integer default 24
) returns jsonb
  language sql volatile set search_path = '' as $$ select private.written_texts_page(author, before, after_id, page_size) $$;
revoke all on function public.written_texts_page from public, anon, authenticated, service_role;
grant execute on function public.written_texts_page to authenticated;
comment on function public.written_texts_page(uuid, timestamptz, uuid, integer) is
  'Articles and courses of a member that the caller may open or buy, page by page; at most 50 a page.';
