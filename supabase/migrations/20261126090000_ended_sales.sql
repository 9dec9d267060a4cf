-- Administrators end the sale of a course, for fraud or after a complaint. Buyers keep it. docs/subsystems/selling.md.

alter table private.course_offers add column ended_at timestamptz;
alter table private.course_offers add column ended_reason text;
alter table private.course_offers add constraint course_offers_ended_at_check check (ended_at is null or not is_on_sale) not valid;
alter table private.course_offers add constraint course_offers_ended_reason_check check (
  (ended_at is null) = (ended_reason is null) and char_length(ended_reason) between 1 and 500
) not valid;
comment on column private.course_offers.ended_at is
  'When an administrator ended the sale; until one allows it again its mentor cannot put the course on sale. Null for a sale that the mentor ended.';
comment on column private.course_offers.ended_reason is 'Why, as the mentor reads it.';

create or replace function private.save_course_offer(course uuid, slug text, outcomes text[], free_module uuid, is_on_sale boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  address constant text := lower(btrim(slug));
  lines constant text[] := (
    select array_agg(btrim(l.line) order by l.place) from unnest(outcomes) with ordinality l (line, place) where btrim(l.line) <> ''
  );
  sold public.courses;
begin
  perform private.enforce_rate_limit(caller, 'save_course_offer');
  select c.* into sold from public.courses c where c.id = course and c.mentor_id = caller for update;
  if not found or private.effective_level(caller) < 1
    or not exists (select from public.profiles p where p.id = caller and p.role in ('mentor', 'admin')) then
    perform private.fail('FF850', 'Only the mentor who wrote a course can sell it.');
  end if;
  if is_on_sale and exists (select from private.course_offers o where o.course_id = course and o.ended_at is not null) then
    perform private.fail('FF857', 'An administrator ended this sale. It can''t go on again until they allow it.');
  end if;
  if is_on_sale and (not sold.is_published or sold.price not between 1 and 5000) then
    perform private.fail('FF851', 'Publish the course with a price between £1 and £5,000 first.');
  end if;
  if address is null or address !~ '^[a-z0-9]+(-[a-z0-9]+)*$' or char_length(address) not between 3 and 80 then
    perform private.fail('FF852', 'Use 3 to 80 lower-case letters, digits and hyphens for the address.');
  end if;
  if exists (
    select from private.course_offers o where o.slug = address and o.course_id <> course
    union all
    select from private.course_addresses a where a.slug = address and a.course_id is distinct from course
  ) then
    perform private.fail('FF853', 'Another course has this address. Choose another one.');
  end if;
  if coalesce(cardinality(lines), 0) not between 1 and 8 or exists (select from unnest(lines) l (line) where char_length(l.line) > 160) then
    perform private.fail('FF854', 'Write one to eight lines about what one learns, each at most 160 characters.');
  end if;
  if not exists (select from public.course_modules m where m.id = free_module and m.course_id = course and m.is_published) then
    perform private.fail('FF855', 'Choose a lesson of this course that everyone may read.');
  end if;
  perform private.ensure_affiliate(caller);
  insert into private.course_offers as o (course_id, slug, outcomes, free_module_id, is_on_sale)
  values (course, address, lines, free_module, coalesce(save_course_offer.is_on_sale, false))
  on conflict (course_id) do update set
    slug = excluded.slug, outcomes = excluded.outcomes, free_module_id = excluded.free_module_id,
    is_on_sale = excluded.is_on_sale, changed_at = now();
exception when unique_violation then
  perform private.fail('FF853', 'Another course has this address. Choose another one.');
end
$$;

comment on function private.save_course_offer(uuid, text, text[], uuid, boolean) is
  'A mentor begins, changes or ends the sale of a course. FF850 to FF855, FF857.';

create or replace function private.my_course_offers() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return jsonb_build_object(
    'terms', (select to_jsonb(t) - 'id' from private.selling_terms t),
    'pending_days', (select t.pending_days from private.affiliate_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object(
        'course_id', c.id, 'title', c.title, 'price_pence', (c.price * 100)::integer, 'is_published', c.is_published,
        'suggested_slug', c.slug, 'slug', o.slug, 'outcomes', to_jsonb(coalesce(o.outcomes, '{}')), 'free_module_id', o.free_module_id,
        'is_on_sale', coalesce(o.is_on_sale, false),
        'ended_at', o.ended_at, 'ended_reason', o.ended_reason,
        'is_open', exists (select from private.open_course_offers x where x.course_id = c.id),
        'modules', coalesce((
          select jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title) order by m.module_order)
          from public.course_modules m where m.course_id = c.id and m.is_published
        ), '[]'),
        'sales', f.sales, 'taken_back', f.taken_back, 'earned_pence', f.earned_pence
      ) order by c.title, c.id)
      from public.courses c
      left join private.course_offers o on o.course_id = c.id
      cross join lateral (
        select count(*) as sales, count(*) filter (where coalesce(m.amount_pence, 0) = 0) as taken_back,
          coalesce(sum(m.amount_pence), 0) as earned_pence
        from private.affiliates a
        join private.commissions k on k.affiliate_id = a.affiliate_id and k.kind = 'course_sale' and k.course_id = c.id
        left join private.commission_amounts m on m.charge_id = k.charge_id and m.affiliate_id = k.affiliate_id
        where a.user_id = caller
      ) f
      where c.mentor_id = caller and (c.price > 0 or o.course_id is not null)
    ), '[]')
  );
end
$$;


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
revoke all on function private.lock_course_offer from public, anon, authenticated, service_role;
comment on function private.lock_course_offer(uuid) is 'The sale of a course, locked; all null when there is none.';

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
revoke all on function private.end_course_sale from public, anon, authenticated, service_role;
comment on function private.end_course_sale(uuid, text) is
  'Administrators with a second factor: takes a course off sale until one allows it again; audited. FF511 without a reason, FF858.';
grant execute on function private.end_course_sale(uuid, text) to authenticated;
create function public.end_course_sale(course uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.end_course_sale(course, reason) $$;
revoke all on function public.end_course_sale from public, anon, authenticated, service_role;
comment on function public.end_course_sale(uuid, text) is
  'Administrators: take a course off sale, with a reason that its mentor reads. Buyers keep it.';
grant execute on function public.end_course_sale(uuid, text) to authenticated;

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
revoke all on function private.allow_course_sale from public, anon, authenticated, service_role;
comment on function private.allow_course_sale(uuid, text) is
  'Administrators with a second factor: lets the mentor put a course on sale again; audited. FF511, FF513 for one''s own, FF858.';
grant execute on function private.allow_course_sale(uuid, text) to authenticated;
create function public.allow_course_sale(course uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.allow_course_sale(course, reason) $$;
revoke all on function public.allow_course_sale from public, anon, authenticated, service_role;
comment on function public.allow_course_sale(uuid, text) is
  'Administrators: let the mentor put a course on sale again that an administrator took off. It is not on sale by that.';
grant execute on function public.allow_course_sale(uuid, text) to authenticated;

-- Nothing here that the mentor and the public page do not say, so the role alone may read it, as the rest of the content.
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
revoke all on function private.content_sale from public, anon, authenticated, service_role;
comment on function private.content_sale(uuid) is 'The sale of a course for administrators; null when it was never offered.';
grant execute on function private.content_sale(uuid) to authenticated;
create function public.content_sale(course uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.content_sale(course) $$;
revoke all on function public.content_sale from public, anon, authenticated, service_role;
comment on function public.content_sale(uuid) is 'Administrators: the sale of a course, null when it was never offered.';
grant execute on function public.content_sale(uuid) to authenticated;

-- The mentor finds it in the bell. A second end of one sale is news again.
insert into private.notification_kinds (kind, topic) values ('sale_ended', 'account');
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
revoke all on function private.tg_course_offers__notify_end from public, anon, authenticated, service_role;
create trigger course_offers__notify_end after update of ended_at on private.course_offers
  for each row when (old.ended_at is null and new.ended_at is not null) execute function private.tg_course_offers__notify_end();

create function private.notification_part_selling(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = '' as $$
  select n.id, jsonb_build_object('excerpt', c.title)
  from private.newest_notifications(member, array['sale_ended']) n
  join private.course_offers o on o.course_id = n.subject_id and o.ended_at is not null
  join public.courses c on c.id = o.course_id and c.mentor_id = member
$$;
revoke all on function private.notification_part_selling from public, anon, authenticated, service_role;
comment on function private.notification_part_selling(uuid) is 'Sales of the member''s courses that an administrator ended, until they are allowed again.';
