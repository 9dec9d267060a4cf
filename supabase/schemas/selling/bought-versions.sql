create function private.tg_course_purchases__begin_version() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  new.course_version := coalesce((select c.version from public.courses c where c.id = new.course_id), 1);
  return new;
end
$$;
create trigger course_purchases__begin_version before insert on private.course_purchases
  for each row execute function private.tg_course_purchases__begin_version();

create function private.lessons_of_version(course uuid, wanted integer, member uuid)
  returns table (id uuid, place integer, lesson jsonb, completed_at timestamptz)
  language sql stable set search_path = '' as $$
  select l.id, l.place, l.lesson, least(
    (select b.completed_at from private.bought_lessons b where b.user_id = member and b.module_id = l.id),
    (select d.created_at from public.module_completions d where d.user_id = member and d.module_id = l.id)
  )
  from (
    select m.id, m.module_order as place, jsonb_build_object(
      'id', m.id, 'slug', m.slug, 'title', m.title, 'content', m.content, 'module_order', m.module_order,
      'video_url', m.video_url, 'estimated_duration', m.estimated_duration
    ) as lesson
    from public.courses c join public.course_modules m on m.course_id = c.id
    where c.id = course and c.version = wanted and m.is_published
    union all
    select (m.lesson ->> 'id')::uuid, (m.lesson ->> 'module_order')::integer, m.lesson
    from private.course_versions v cross join lateral jsonb_array_elements(v.modules) m (lesson)
    where v.course_id = course and v.version = wanted
  ) l
$$;
comment on function private.lessons_of_version(uuid, integer, uuid) is
  'The lessons of one version of a course, with when one account completed them as a buyer or as a member.';

create function private.bought_version(member uuid, course uuid) returns integer
  language sql stable set search_path = '' as $$
  select p.course_version from private.live_course_purchases l join private.course_purchases p on p.id = l.id
  where l.user_id = member and l.course_id = course order by p.created_at desc limit 1
$$;
comment on function private.bought_version(uuid, uuid) is 'The version of a course that its buyer takes; null for anybody else.';

-- @rpc authenticated
-- A buyer takes the newest version of a course.
create function private.take_newest_bought_version(course uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_bought_course(course);
begin
  perform from public.courses c where c.id = course for key share;
  update private.course_purchases p set course_version = c.version
  from public.courses c where c.id = course and p.course_id = course and p.user_id = caller;
end
$$;
comment on function private.take_newest_bought_version(uuid) is 'Moves a buyer to the newest version of a course; what was completed stays. FF856.';
