-- The profile of an author names courses of the mentors' training to mentors at every level, as Today does.
create or replace function private.written_texts(author uuid, reader uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  level constant integer := private.effective_level(reader);
  open_to_reader constant text[] := private.open_categories(level);
  is_mentor constant boolean := level > 0
    and exists (select from public.profiles p where p.id = reader and p.role = 'mentor');
begin
  return (
    with texts as materialized (
      select a.id, 'article' as kind, a.title, s.main_category as category, s.slug as subcategory, a.estimated_read_time as minutes,
        null as sale_slug, false as is_training, a.created_at
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
      where c.mentor_id = author and c.is_published and (access.is_training or access.is_open or o.slug is not null)
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
comment on function private.written_texts(uuid, uuid) is
  'How many articles and courses of an author the reader may open, or buy where only the level is missing, and the newest five. Mentors open courses of their training at every level.';
