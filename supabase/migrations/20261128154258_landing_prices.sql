create or replace function private.landing_page()
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'headline', t.headline, 'lead', t.lead, 'host', private.landing_host(),
    'outcomes', (select coalesce(jsonb_agg(o), '[]') from private.landing_outcomes() o),
    'is_trial', exists (select from private.install_marks m where m.mark = 'demo_accounts'),
    'rooms', (select count(*) from public.chat_rooms r where r.is_active),
    'articles', (
      select count(*) from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and s.is_active
    ),
    'courses', (
      select count(*) from public.courses c join public.subcategories s on s.id = c.subcategory_id
      where c.is_published and s.is_active
    ),
    'mentors', (select count(*) from public.profiles p where p.role = 'mentor' and private.effective_level(p.id) >= 1),
    'portraits', (select coalesce(jsonb_agg(m), '[]') from private.landing_mentors() m),
    'free_lesson', (
      select jsonb_build_object(
        'slug', o.slug, 'course', o.title, 'lesson', m.title,
        'mentor', btrim(concat_ws(' ', p.first_name, p.last_name))
      )
      from private.open_course_offers o
      join private.course_offers x on x.course_id = o.course_id
      join public.course_modules m on m.id = o.free_module_id
      join public.profiles p on p.id = o.mentor_id
      order by x.changed_at desc, o.slug limit 1
    ),
    'claims', (select to_jsonb(f) from private.guarantee_figures() f),
    'seller', (select to_jsonb(b) - 'id' from public.business_details b),
    'plans', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'role', p.role, 'name', p.name, 'currency', p.currency, 'monthly_pence', p.amount_pence, 'yearly_pence', p.yearly_amount_pence
      ) order by p.amount_pence, p.id), '[]')
      from public.plans p where p.is_active
    )
  )
  from (select) nothing
  left join (select x.headline, x.lead from private.landing_texts x order by x.version desc limit 1) t on true
$function$;
