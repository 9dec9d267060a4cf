-- The landing page: the words an owner changes in the console, whose submissions visitors may read, and what is counted there.
create table private.landing_texts (
  version integer primary key constraint landing_texts_version_check check (version > 0),
  headline text constraint landing_texts_headline_check check (char_length(headline) between 1 and 120),
  lead text constraint landing_texts_lead_check check (char_length(lead) between 1 and 500),
  host_id uuid references public.profiles (id) on delete set null,
  host_about text constraint landing_texts_host_about_check check (char_length(host_about) between 1 and 1500),
  published_at timestamptz not null default now()
);
create index landing_texts_host_id_idx on private.landing_texts (host_id);
alter table private.landing_texts enable row level security;
comment on table private.landing_texts is 'Every version of the landing page''s words that an owner changed; the newest is shown. Rows are only ever added.';
comment on column private.landing_texts.headline is 'Null: as the product comes.';
comment on column private.landing_texts.lead is 'The paragraph under the headline. Null: as the product comes.';
comment on column private.landing_texts.host_id is 'The administrator who is introduced, with the name and picture of the profile. Null: nobody.';
comment on column private.landing_texts.host_about is 'What is said of the host. Plain text, a blank line between paragraphs.';

-- An administrator features a submission, and its author alone agrees that visitors read it: it takes both.
create table public.submission_consents (
  submission_id uuid primary key references public.learning_submissions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  agreed_at timestamptz not null default now()
);
create index submission_consents_user_id_idx on public.submission_consents (user_id);
alter table public.submission_consents enable row level security;
grant select, insert, update, delete on public.submission_consents to service_role;
grant delete, select (submission_id, user_id, agreed_at), insert (submission_id, user_id) on public.submission_consents to authenticated;
comment on table public.submission_consents is
  'Submissions that their authors let visitors read, with first name, occupation and picture. Taken back by deleting the row.';

create policy select_own on public.submission_consents for select to authenticated using (user_id = (select auth.uid()));

create policy insert_own on public.submission_consents for insert to authenticated with check (
  user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1
  and exists (select from public.learning_submissions s where s.id = submission_id and s.user_id = (select auth.uid()))
);

create policy delete_own on public.submission_consents for delete to authenticated using (user_id = (select auth.uid()));

create function private.export_part_landing(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'submission_consents', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.agreed_at, c.submission_id) from public.submission_consents c where c.user_id = member
    ), '[]'),
    'landing_texts', coalesce((
      select jsonb_agg(to_jsonb(t) order by t.version) from private.landing_texts t where t.host_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_landing(uuid) is 'Submissions that one account lets visitors read, and texts of the landing page that introduce it.';

create function private.is_banned(account uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from auth.users u where u.id = account and (u.banned_until > now() or u.deleted_at is not null))
$$;
comment on function private.is_banned(uuid) is 'Whether the account is suspended or deleted.';

create function private.landing_outcomes() returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', p.first_name, 'occupation', p.occupation, 'picture', p.avatar_url,
    'title', s.title, 'text', left(s.content, 1000), 'type', s.submission_type
  )
  from public.submission_consents c
  join public.learning_submissions s on s.id = c.submission_id and s.user_id = c.user_id
  join public.profiles p on p.id = s.user_id
  where s.is_featured and not private.is_blank(coalesce(p.first_name, '')) and not private.is_banned(p.id)
  order by s.created_at desc, s.id limit 3
$$;
comment on function private.landing_outcomes() is 'The newest three submissions that are featured and that their authors let visitors read.';

create function private.landing_host() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url, 'about', t.host_about
  )
  from (select x.host_id, x.host_about from private.landing_texts x order by x.version desc limit 1) t
  join public.profiles p on p.id = t.host_id
  where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
$$;
comment on function private.landing_host() is 'Whom the landing page introduces; null while nobody is named, or when that account is no administrator any more.';

-- Mentors whose course is on sale are named on its public page already; the others are counted and not shown.
create function private.landing_mentors() returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url
  )
  from public.profiles p
  where p.id in (select o.mentor_id from private.open_course_offers o) and not private.is_blank(concat(p.first_name, p.last_name))
  order by p.first_name, p.id limit 6
$$;
comment on function private.landing_mentors() is 'Up to six mentors who sell a course to visitors.';

create function private.landing_page() returns jsonb
  language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.landing_page() is 'What the landing page shows of the database. The server renders it; no client asks.';
