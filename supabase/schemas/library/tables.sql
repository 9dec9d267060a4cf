-- The library: articles and courses in three categories, each of which opens at its own level.

-- The only definition of which level opens which category.
create function private.category_level(category text) returns integer
  language sql immutable set search_path = '' as $$
  select case category when 'general' then 2 when 'business' then 3 when 'wealth' then 4 end
$$;
comment on function private.category_level(text) is 'Level that opens a main category: general 2, business 3, wealth 4.';
grant execute on function private.category_level to authenticated;

create table public.subcategories (
  id uuid primary key default gen_random_uuid(),
  main_category text not null constraint subcategories_main_category_check
    check (main_category in ('general', 'business', 'wealth')),
  slug text not null constraint subcategories_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  name text not null constraint subcategories_name_check check (char_length(name) between 1 and 80),
  description text not null default '' constraint subcategories_description_check check (char_length(description) <= 300),
  color text not null default '#64748b' constraint subcategories_color_check check (color ~ '^#[0-9a-f]{6}$'),
  icon text not null default 'book-open' constraint subcategories_icon_check check (icon ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  display_order integer not null default 0,
  is_active boolean not null default true,
  -- Subcategories that mentors read from their first day, whatever their level: what they need for teaching is there.
  open_to_mentors boolean not null default false,
  unique (main_category, slug)
);
grant select, insert, update, delete on public.subcategories to service_role;
grant select (id, main_category, slug, name, description, color, icon, display_order, is_active, open_to_mentors)
  on public.subcategories to authenticated;
comment on table public.subcategories is 'Subcategories of the library, each in one main category.';
comment on column public.subcategories.color is 'Colour of the bar on its card, as #rrggbb.';
comment on column public.subcategories.icon is 'Name of an icon of the app; unknown names fall back to one.';
comment on column public.subcategories.is_active is 'False hides the subcategory with its articles and courses.';
alter table public.subcategories enable row level security;

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  subcategory_id uuid not null references public.subcategories (id),
  slug text not null constraint articles_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint articles_title_check check (char_length(title) between 1 and 200),
  excerpt text not null default '' constraint articles_excerpt_check check (char_length(excerpt) <= 500),
  content text not null default '' constraint articles_content_check check (octet_length(content) <= 204800),
  featured_image_url text,
  author_id uuid references public.profiles (id) on delete set null,
  is_published boolean not null default false,
  is_featured boolean not null default false,
  estimated_read_time integer not null default 1 constraint articles_estimated_read_time_check check (estimated_read_time > 0),
  tags text[] not null default '{}' constraint articles_tags_check check (cardinality(tags) <= 10),
  read_count integer not null default 0 constraint articles_read_count_check check (read_count >= 0),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  -- Cards and readers show the average of all ratings. Nobody may write these columns.
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  -- The call that counts an opening names the source in this column; the trigger moves it to the opening.
  opened_from text,
  from_files boolean not null default false,
  unique (subcategory_id, slug),
  constraint articles_opened_from_check check (opened_from is null)
) with (fillfactor = 80);
grant select, insert, update, delete on public.articles to service_role;
-- The app sends a new read_count and enrollment_count. Triggers replace them with the stored values.
grant select (id, subcategory_id, slug, title, excerpt, content, featured_image_url, author_id, is_published, is_featured,
    estimated_read_time, tags, read_count, display_order, created_at, rating_count, rating_sum, opened_from, from_files),
  update (read_count, opened_from)
  on public.articles to authenticated;
comment on table public.articles is 'Articles of the library, in Markdown.';
comment on column public.articles.estimated_read_time is 'Minutes.';
comment on column public.articles.author_id is 'Whose name it carries; null for the product''s own.';
comment on column public.articles.read_count is 'Number of openings, one for each member and day; kept by the server.';
create index articles_author_id_idx on public.articles (author_id);
create index articles_list_idx on public.articles (subcategory_id, is_featured desc, created_at desc);
alter table public.articles enable row level security;

create table public.courses (
  id uuid primary key default gen_random_uuid(),
  subcategory_id uuid not null references public.subcategories (id),
  slug text not null constraint courses_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint courses_title_check check (char_length(title) between 1 and 200),
  description text not null default '' constraint courses_description_check check (char_length(description) <= 2000),
  thumbnail_url text,
  mentor_id uuid references public.profiles (id) on delete set null,
  is_published boolean not null default false,
  is_featured boolean not null default false,
  is_free boolean generated always as (price = 0) stored,
  price numeric(10, 2) not null default 0 constraint courses_price_check check (price >= 0),
  estimated_duration integer not null default 0 constraint courses_estimated_duration_check check (estimated_duration >= 0),
  difficulty_level text not null default 'beginner' constraint courses_difficulty_level_check
    check (difficulty_level in ('beginner', 'intermediate', 'advanced')),
  enrollment_count integer not null default 0 constraint courses_enrollment_count_check check (enrollment_count >= 0),
  module_count integer not null default 0 constraint courses_module_count_check check (module_count >= 0),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  -- What the studio publishes over a published course is a new version. Members in the middle finish the one they began, or move on.
  version integer not null default 1,
  from_files boolean not null default false,
  unique (subcategory_id, slug)
) with (fillfactor = 80);
grant select, insert, update, delete on public.courses to service_role;
grant select (id, subcategory_id, slug, title, description, thumbnail_url, mentor_id, is_published, is_featured, is_free, price,
    estimated_duration, difficulty_level, enrollment_count, module_count, display_order, created_at, rating_count, rating_sum,
    version, from_files),
  update (enrollment_count)
  on public.courses to authenticated;
comment on table public.courses is 'Courses of the library; their content is in course_modules.';
comment on column public.courses.mentor_id is 'Whose name it carries; null for the product''s own.';
comment on column public.courses.price is 'Pounds: what the course costs outside the membership, which includes it.';
comment on column public.courses.estimated_duration is 'Minutes of all modules together.';
comment on column public.courses.enrollment_count is 'Members enrolled; kept by the server.';
comment on column public.courses.module_count is 'Published modules; kept by the server.';
create index courses_mentor_id_idx on public.courses (mentor_id);
create index courses_list_idx on public.courses (subcategory_id, is_featured desc, created_at desc);
alter table public.courses enable row level security;

create table public.course_modules (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references public.courses (id) on delete cascade,
  slug text not null constraint course_modules_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint course_modules_title_check check (char_length(title) between 1 and 200),
  content text not null default '' constraint course_modules_content_check check (octet_length(content) <= 204800),
  module_order integer not null constraint course_modules_module_order_check check (module_order > 0),
  video_url text constraint course_modules_video_url_check check (video_url ~ '^(https://|/)' and char_length(video_url) <= 500),
  estimated_duration integer not null default 0 constraint course_modules_estimated_duration_check check (estimated_duration >= 0),
  is_published boolean not null default true,
  unique (course_id, slug)
);
grant select, insert, update, delete on public.course_modules to service_role;
grant select (id, course_id, slug, title, content, module_order, video_url, estimated_duration, is_published)
  on public.course_modules to authenticated;
comment on table public.course_modules is 'Lessons of a course with their exercises, readable by enrolled members.';
comment on column public.course_modules.estimated_duration is 'Minutes of reading and exercise.';
comment on column public.course_modules.is_published is 'False hides a module and keeps members'' completions.';
create index course_modules_order_idx on public.course_modules (course_id, module_order);
alter table public.course_modules enable row level security;

create table public.article_opens (
  user_id uuid not null references auth.users (id) on delete cascade,
  article_id uuid not null references public.articles (id) on delete cascade,
  last_opened_on date not null,
  -- The article left open last is offered again, so the time of an opening is kept beside the day it counts for.
  last_opened_at timestamptz default clock_timestamp(),
  opened_from text,
  primary key (user_id, article_id),
  constraint article_opens_source_check
    check (opened_from in ('category', 'search', 'room', 'today', 'profile', 'other'))
);
grant select, insert, update, delete on public.article_opens to service_role;
grant select (user_id, article_id, last_opened_on, last_opened_at, opened_from) on public.article_opens to authenticated;
comment on table public.article_opens is 'Articles members opened, and the last day each was counted.';
comment on column public.article_opens.last_opened_on is 'Day in UTC.';
comment on column public.article_opens.last_opened_at is 'When it was last opened; null when that was before times were kept.';
comment on column public.article_opens.opened_from is 'From where the member came the first time; null before sources were kept.';
create index article_opens_article_id_idx on public.article_opens (article_id);
alter table public.article_opens enable row level security;

create table public.article_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  article_id uuid not null references public.articles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, article_id)
);
grant select, insert, update, delete on public.article_reads to service_role;
grant select (user_id, article_id, created_at),
  insert (user_id, article_id)
  on public.article_reads to authenticated;
comment on table public.article_reads is 'Articles members marked as read, once each.';
create index article_reads_article_id_idx on public.article_reads (article_id);
-- They find the events of one text since a moment, and serve the foreign keys as well. What members read and complete
-- waits for the seconds that this takes.
create index article_reads_article_day_idx on public.article_reads (article_id, created_at);
alter table public.article_reads enable row level security;

create table public.course_enrollments (
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid not null references public.courses (id) on delete cascade,
  progress_percentage integer not null default 0 constraint course_enrollments_progress_percentage_check
    check (progress_percentage between 0 and 100),
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  enrolled_from text,
  course_version integer not null default 1,
  primary key (user_id, course_id),
  constraint course_enrollments_source_check
    check (enrolled_from in ('category', 'search', 'room', 'today', 'profile', 'other'))
);
grant select, insert, update, delete on public.course_enrollments to service_role;
grant select (user_id, course_id, progress_percentage, completed_at, created_at, enrolled_from, course_version),
  insert (user_id, course_id, enrolled_from),
  update (progress_percentage, completed_at)
  on public.course_enrollments to authenticated;
comment on table public.course_enrollments is 'Enrolments of members with their progress.';
comment on column public.course_enrollments.progress_percentage is 'Rounded share of the published modules completed; stays at 100 once the course was completed.';
comment on column public.course_enrollments.completed_at is 'When every module was completed for the first time; never cleared.';
comment on column public.course_enrollments.course_version is 'The version the member takes; older than the course''s own for who began before it changed.';
comment on column public.course_enrollments.enrolled_from is 'From where the member came who enrolled; null before sources were kept.';
create index course_enrollments_course_id_idx on public.course_enrollments (course_id);
create index course_enrollments_course_day_idx on public.course_enrollments (course_id, created_at, user_id) include (completed_at);
create index course_enrollments_completed_at_idx on public.course_enrollments (completed_at, course_id) where completed_at is not null;
alter table public.course_enrollments enable row level security;

create table public.module_completions (
  user_id uuid not null references auth.users (id) on delete cascade,
  module_id uuid not null references public.course_modules (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, module_id)
);
grant select, insert, update, delete on public.module_completions to service_role;
grant select (user_id, module_id, created_at),
  insert (user_id, module_id)
  on public.module_completions to authenticated;
comment on table public.module_completions is 'Modules members completed, once each.';
create index module_completions_module_id_idx on public.module_completions (module_id);
create index module_completions_module_day_idx on public.module_completions (module_id, created_at);
alter table public.module_completions enable row level security;
comment on column public.subcategories.open_to_mentors is 'Mentors with a live membership read it at every level. Set by the importer from the front matter of the subcategory.';
comment on column public.articles.from_files is 'Brought by an import of files, which keeps it up to date whoever is named as its author.';
comment on column public.articles.rating_count is 'Number of ratings; kept by the server.';
comment on column public.articles.rating_sum is 'Sum of their stars; kept by the server.';
comment on column public.articles.opened_from is 'Always null: a reader''s source is sent here with read_count, and kept in article_opens.';
comment on column public.courses.from_files is 'Brought by an import of files, which keeps it up to date whoever is named as its mentor.';
comment on column public.courses.rating_count is 'Number of ratings; kept by the server.';
comment on column public.courses.rating_sum is 'Sum of their stars; kept by the server.';
comment on column public.courses.version is 'Counts the publications that changed the lessons; kept by the server.';
