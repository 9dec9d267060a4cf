-- Checked after the columns were added, without a lock that stops reading and enrolling.
alter table public.article_opens validate constraint article_opens_source_check;
alter table public.course_enrollments validate constraint course_enrollments_source_check;
alter table public.articles validate constraint articles_opened_from_check;
