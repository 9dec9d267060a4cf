-- The profile of an author names courses of the mentors' training to mentors at every level, as Today does.
create function private.written_texts(author uuid, reader uuid) returns jsonb
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
comment on function private.written_texts(uuid, uuid) is
  'How many articles and courses of an author the reader may open, or buy where only the level is missing, and the newest five. Mentors open courses of their training at every level.';

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
comment on function private.listed_texts(uuid, uuid) is
  'The articles and courses of an author that the reader may open, or buy where only the level is missing.';

-- @rpc authenticated
-- Articles and courses of a member that the caller may open or buy, page by page; at most 50 a page.
create function private.written_texts_page(
  author uuid, before timestamptz default null, after_id uuid default null, page_size integer default 24
) returns jsonb
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
comment on function private.written_texts_page(uuid, timestamptz, uuid, integer) is
  'A page of what a member wrote, newest first, after the text with this time and id; empty where the caller sees no profile. FF700 or FF300.';
