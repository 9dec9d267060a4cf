-- Courses that their mentors sell beyond the membership: what the public page shows. docs/subsystems/selling.md.
create table private.course_offers (
  course_id uuid primary key references public.courses (id) on delete cascade,
  slug text not null unique constraint course_offers_slug_check
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) between 3 and 80),
  outcomes text[] not null constraint course_offers_outcomes_check check (cardinality(outcomes) between 1 and 8),
  free_module_id uuid not null references public.course_modules (id) on delete cascade,
  is_on_sale boolean not null,
  changed_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_reason text,
  constraint course_offers_ended_at_check check (ended_at is null or not is_on_sale),
  constraint course_offers_ended_reason_check check (
    (ended_at is null) = (ended_reason is null) and char_length(ended_reason) between 1 and 500
  )
);
comment on table private.course_offers is 'Courses with a sale page at /c/{slug}. The price is the course''s.';
comment on column private.course_offers.outcomes is 'What one learns, a line each.';
comment on column private.course_offers.free_module_id is 'The lesson that visitors read in full.';
comment on column private.course_offers.ended_at is
  'When an administrator ended the sale; until one allows it again its mentor cannot put the course on sale. Null for a sale that the mentor ended.';
comment on column private.course_offers.ended_reason is 'Why, as the mentor reads it.';
create index course_offers_free_module_id_idx on private.course_offers (free_module_id);
alter table private.course_offers enable row level security;

create table private.selling_terms (
  id boolean primary key default true constraint selling_terms_id_check check (id),
  share_basis_points integer not null constraint selling_terms_share_check check (share_basis_points between 0 and 9000),
  referral_basis_points integer not null constraint selling_terms_referral_check check (referral_basis_points between 0 and 5000),
  refund_days integer not null constraint selling_terms_refund_check check (refund_days between 14 and 60),
  constraint selling_terms_sum_check check (share_basis_points + referral_basis_points <= 10000)
);
comment on table private.selling_terms is 'How the price of a sold course is shared. The owner may change it; what was sold before keeps its rates.';
comment on column private.selling_terms.id is 'Always true, so that there is one row.';
comment on column private.selling_terms.share_basis_points is 'The mentor''s share, in hundredths of a per cent of what was paid.';
comment on column private.selling_terms.referral_basis_points is 'What the member earns whose link brought the buyer, likewise.';
comment on column private.selling_terms.refund_days is 'For how long after a purchase the price is refunded on request.';
alter table private.selling_terms enable row level security;

-- Addresses under which a course has been on sale. Nobody else's course ever takes the links that were given away.
create table private.course_addresses (
  slug text primary key,
  course_id uuid references public.courses (id) on delete set null
);
comment on table private.course_addresses is 'Addresses that sale pages have had. Rows are only ever added.';
comment on column private.course_addresses.course_id is 'The course that may have it again; null once the course is gone.';
create index course_addresses_course_id_idx on private.course_addresses (course_id);
alter table private.course_addresses enable row level security;

create function private.tg_course_offers__keep_address() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  insert into private.course_addresses (slug, course_id) values (new.slug, new.course_id) on conflict do nothing;
  return null;
end
$$;
create trigger course_offers__keep_address after insert or update of slug, is_on_sale on private.course_offers
  for each row when (new.is_on_sale) execute function private.tg_course_offers__keep_address();

-- A sale pauses while the course is withdrawn or free, its subcategory or its free lesson is hidden, or its mentor is suspended or no
-- mentor with a live membership.
create view private.open_course_offers with (security_invoker = true) as
select o.course_id, o.slug, o.outcomes, o.free_module_id, c.mentor_id, c.title, (c.price * 100)::integer as price_pence
from private.course_offers o
join public.courses c on c.id = o.course_id
join public.profiles p on p.id = c.mentor_id
where o.is_on_sale and c.is_published and c.price between 1 and 5000
  and p.role in ('mentor', 'admin') and private.effective_level(p.id) >= 1
  and exists (select from public.subcategories s where s.id = c.subcategory_id and s.is_active)
  and exists (select from public.course_modules m where m.id = o.free_module_id and m.course_id = o.course_id and m.is_published)
  and not exists (select from auth.users u where u.id = p.id and (u.banned_until > now() or u.deleted_at is not null));
comment on view private.open_course_offers is 'Offers that can be bought now.';

-- The newest, however many stars they have: a choice of the best would mislead.
create function private.quoted_reviews(course uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('stars', q.stars, 'sentence', q.sentence, 'name', q.first_name)
    order by q.rated_at desc), '[]')
  from (
    select r.stars, r.sentence, r.rated_at, p.first_name
    from private.content_ratings r
    join public.profiles p on p.id = r.user_id
    where r.course_id = course and r.may_quote and r.sentence is not null and p.first_name is not null
      and not exists (select from auth.users u where u.id = r.user_id and (u.banned_until > now() or u.deleted_at is not null))
    order by r.rated_at desc limit 3
  ) q
$$;
comment on function private.quoted_reviews(uuid) is
  'The three newest sentences about a course whose members agreed to be quoted, with stars and first names.';

-- @rpc service_role
-- Server: the public page of a course. Function course-offer gives it to visitors.
create function private.course_offer(slug text) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'slug', o.slug, 'title', c.title, 'description', c.description, 'outcomes', to_jsonb(o.outcomes),
    'price_pence', o.price_pence, 'minutes', c.estimated_duration, 'difficulty', c.difficulty_level,
    'thumbnail_url', c.thumbnail_url, 'category', s.main_category, 'topic', s.slug, 'course_slug', c.slug,
    'mentor', btrim(concat_ws(' ', p.first_name, p.last_name)), 'mentor_picture', p.avatar_url,
    'mentor_occupation', p.occupation, 'rating_count', c.rating_count, 'rating_sum', c.rating_sum,
    'subject', s.name, 'refund_days', t.refund_days,
    'reviews', private.quoted_reviews(c.id),
    'lessons', (
      select jsonb_agg(jsonb_build_object('title', m.title, 'minutes', m.estimated_duration, 'is_free', m.id = o.free_module_id)
        order by m.module_order)
      from public.course_modules m where m.course_id = c.id and m.is_published
    ),
    'free_lesson', (
      select jsonb_build_object('title', m.title, 'content', m.content, 'has_film', m.video_url is not null)
      from public.course_modules m where m.id = o.free_module_id and m.course_id = c.id and m.is_published
    )
  )
  from private.open_course_offers o
  join public.courses c on c.id = o.course_id
  join public.subcategories s on s.id = c.subcategory_id
  join public.profiles p on p.id = c.mentor_id
  cross join private.selling_terms t
  where o.slug = lower(btrim(course_offer.slug))
$$;
comment on function private.course_offer(text) is 'What the public page of a course shows, one lesson in full; null when it is not on sale.';

-- The row of the ledger that a mentor's shares are booked to.
create function private.ensure_affiliate(member uuid) returns uuid
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_id uuid;
begin
  loop
    select a.affiliate_id into found_id from private.affiliates a where a.user_id = member;
    exit when found;
    insert into private.affiliates (user_id, code) values (member, private.new_affiliate_code()) on conflict do nothing;
  end loop;
  return found_id;
end
$$;
comment on function private.ensure_affiliate(uuid) is 'The account''s id in the ledger, made when there is none.';

-- @rpc authenticated
-- Mentors: the sale page of a course of one's own.
create function private.save_course_offer(course uuid, slug text, outcomes text[], free_module uuid, is_on_sale boolean) returns void
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

-- For members who recommend courses by their link.
-- @rpc authenticated
-- Members: courses that one's link can bring buyers to.
create function private.courses_on_sale() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  if private.effective_level(caller) < 1 then
    perform private.fail('FF630', 'You get your link once your membership is active.');
  end if;
  return jsonb_build_object(
    'referral_basis_points', (select t.referral_basis_points from private.selling_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object('slug', o.slug, 'title', o.title, 'price_pence', o.price_pence) order by o.title, o.slug)
      from (
        select x.slug, x.title, x.price_pence from private.open_course_offers x where x.mentor_id <> caller order by x.title, x.slug limit 200
      ) o
    ), '[]')
  );
end
$$;
comment on function private.courses_on_sale() is 'Courses of other mentors that can be bought now, and what a recommendation earns. FF630 for who is no member.';
