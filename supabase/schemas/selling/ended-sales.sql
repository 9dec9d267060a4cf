-- The lock on the course is the one of save_course_offer, so a mentor who saves at the same moment is first or refused.
create function private.lock_course_offer(course uuid) returns private.course_offers
  language plpgsql volatile set search_path = '' as $$
declare
  offer private.course_offers;
begin
  perform from public.courses c where c.id = course for no key update;
  select o.* into offer from private.course_offers o where o.course_id = course for no key update;
  return offer;
end
$$;
comment on function private.lock_course_offer(uuid) is 'The sale of a course, locked; all null when there is none.';

-- @rpc authenticated
-- Administrators: take a course off sale, with a reason that its mentor reads. Buyers keep it.
create function private.end_course_sale(course uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  was constant private.course_offers := private.lock_course_offer(course);
  becomes private.course_offers;
begin
  if was.course_id is null or was.ended_at is not null then
    perform private.fail('FF858', 'There is no sale of this course to end.');
  end if;
  update private.course_offers o set is_on_sale = false, ended_at = now(), ended_reason = why, changed_at = now()
  where o.course_id = was.course_id returning o.* into becomes;
  perform private.audit(admin, 'course.sale_ended', (select c.mentor_id from public.courses c where c.id = course), jsonb_build_object(
    'course', course, 'reason', why,
    'before', jsonb_build_object('is_on_sale', was.is_on_sale, 'ended_at', was.ended_at),
    'after', jsonb_build_object('is_on_sale', becomes.is_on_sale, 'ended_at', becomes.ended_at)
  ));
end
$$;
comment on function private.end_course_sale(uuid, text) is
  'Administrators with a second factor: takes a course off sale until one allows it again; audited. FF511 without a reason, FF858.';

-- @rpc authenticated
-- Administrators: let the mentor put a course on sale again that an administrator took off. It is not on sale by that.
create function private.allow_course_sale(course uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  was constant private.course_offers := private.lock_course_offer(course);
  seller constant uuid := (select c.mentor_id from public.courses c where c.id = course);
begin
  if was.ended_at is null then
    perform private.fail('FF858', 'No administrator has ended the sale of this course.');
  end if;
  if seller = admin then
    perform private.fail('FF513', 'Another administrator has to do this for your own course.');
  end if;
  update private.course_offers o set ended_at = null, ended_reason = null, changed_at = now() where o.course_id = was.course_id;
  perform private.audit(admin, 'course.sale_allowed', seller, jsonb_build_object(
    'course', course, 'reason', why, 'before', jsonb_build_object('ended_at', was.ended_at),
    'after', jsonb_build_object('ended_at', null)
  ));
end
$$;
comment on function private.allow_course_sale(uuid, text) is
  'Administrators with a second factor: lets the mentor put a course on sale again; audited. FF511, FF513 for one''s own, FF858.';

-- Nothing here that the mentor and the public page do not say, so the role alone may read it, as the rest of the content.
-- @rpc authenticated
-- Administrators: the sale of a course, null when it was never offered.
create function private.content_sale(course uuid) returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return (
    select jsonb_build_object(
      'slug', o.slug, 'is_on_sale', o.is_on_sale,
      'is_open', exists (select from private.open_course_offers x where x.course_id = o.course_id),
      'ended_at', o.ended_at, 'ended_reason', o.ended_reason
    )
    from private.course_offers o where o.course_id = course
  );
end
$$;
comment on function private.content_sale(uuid) is 'The sale of a course for administrators; null when it was never offered.';

create function private.tg_course_offers__notify_end() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.notifications (user_id, kind, subject_id)
  select r.id, 'sale_ended', new.course_id
  from public.courses c join public.profiles r on r.id = c.mentor_id where c.id = new.course_id
  for key share of r skip locked
  on conflict (user_id, kind, subject_id, actor_id, detail) do update set created_at = now(), read_at = null;
  return null;
end
$$;
create trigger course_offers__notify_end after update of ended_at on private.course_offers
  for each row when (old.ended_at is null and new.ended_at is not null) execute function private.tg_course_offers__notify_end();

create function private.notification_part_selling(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('excerpt', c.title)
  from private.newest_notifications(member, array['sale_ended']) n
  join private.course_offers o on o.course_id = n.subject_id and o.ended_at is not null
  join public.courses c on c.id = o.course_id and c.mentor_id = member
$$;
comment on function private.notification_part_selling(uuid) is 'Sales of the member''s courses that an administrator ended, until they are allowed again.';
