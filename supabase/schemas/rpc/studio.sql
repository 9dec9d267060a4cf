-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_course_analytics(course_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_course_analytics(course_id) $$;
comment on function public.my_course_analytics is 'Mentors: the analytics of one of their courses as one object.';
grant execute on function private.my_course_analytics, public.my_course_analytics to authenticated;

create function public.my_article_analytics(article_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_article_analytics(article_id) $$;
comment on function public.my_article_analytics is 'Mentors: the analytics of one of their articles as one object.';
grant execute on function private.my_article_analytics, public.my_article_analytics to authenticated;

create function public.my_content_figures() returns table(content_id uuid, kind text, title text, category text, is_published boolean, readers bigint, reads bigint, enrolments bigint, completions bigint, questions bigint, open_questions bigint)
  language sql stable set search_path = '' as $$ select * from private.my_content_figures() $$;
comment on function public.my_content_figures is 'Mentors: their articles and courses with readers, reads, enrolments, completions and questions.';
grant execute on function private.my_content_figures, public.my_content_figures to authenticated;

create function public.enrolled_course_version(course_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.enrolled_course_version(course_id) $$;
comment on function public.enrolled_course_version is 'The lessons of a course as they were when one began it, when a newer version has come out.';
grant execute on function private.enrolled_course_version, public.enrolled_course_version to authenticated;

create function public.take_newest_version(course_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.take_newest_version(course_id) $$;
comment on function public.take_newest_version is 'Moves one''s enrolment to the newest version of a course.';
grant execute on function private.take_newest_version, public.take_newest_version to authenticated;

create function public.keep_daily_versions(draft_id uuid) returns integer
  language sql volatile set search_path = '' as $$ select private.keep_daily_versions(draft_id) $$;
comment on function public.keep_daily_versions is 'Mentors: delete all but the last version of each day of a draft, except those of the last day, the published one and those with comments; how many.';
grant execute on function private.keep_daily_versions, public.keep_daily_versions to authenticated;

create function public.studio_subcategories() returns table(id uuid, main_category text, slug text, name text)
  language sql stable set search_path = '' as $$ select * from private.studio_subcategories() $$;
comment on function public.studio_subcategories is 'Mentors: the subcategories something can be published in.';
grant execute on function private.studio_subcategories, public.studio_subcategories to authenticated;

create function public.import_draft(kind text, fields jsonb, again boolean default false) returns jsonb
  language sql volatile set search_path = '' as $$ select private.import_draft(kind, fields, again) $$;
comment on function public.import_draft is 'Mentors: make a draft of a file, or name the one that is there already; draft_id and is_new.';
grant execute on function private.import_draft, public.import_draft to authenticated;

create function public.export_studio() returns jsonb
  language sql volatile set search_path = '' as $$ select private.export_studio() $$;
comment on function public.export_studio is 'Mentors: everything one wrote, to be put into files.';
grant execute on function private.export_studio, public.export_studio to authenticated;

create function public.content_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.content_pictures_to_purge(after, batch) $$;
comment on function public.content_pictures_to_purge is 'Server: pictures of articles and courses to delete now.';
grant execute on function private.content_pictures_to_purge, public.content_pictures_to_purge to service_role;

create function public.may_publish_draft(draft_id uuid) returns boolean
  language sql stable set search_path = '' as $$ select private.may_publish_draft(draft_id) $$;
comment on function public.may_publish_draft is 'Mentors: whether submit_draft publishes this draft of one''s own without a review.';
grant execute on function private.may_publish_draft, public.may_publish_draft to authenticated;

create function public.set_trusted_mentor(member uuid, trusted boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.set_trusted_mentor(member, trusted, reason) $$;
comment on function public.set_trusted_mentor is 'Administrators: let a mentor publish without a review, or no longer. Needs a reason.';
grant execute on function private.set_trusted_mentor, public.set_trusted_mentor to authenticated;

create function public.publish_due_draft() returns text
  language sql volatile set search_path = '' as $$ select private.publish_due_draft() $$;
comment on function public.publish_due_draft is 'Server: publish or return one draft whose time has come: published, returned, or null when none is due.';
grant execute on function private.publish_due_draft, public.publish_due_draft to service_role;

create function public.sources_of_text(article_id uuid default NULL::uuid, course_id uuid default NULL::uuid) returns table(source text, members bigint, finished bigint)
  language sql stable set search_path = '' as $$ select * from private.sources_of_text(article_id, course_id) $$;
comment on function public.sources_of_text is 'Mentors: from where the readers of one of their articles or courses came.';
grant execute on function private.sources_of_text, public.sources_of_text to authenticated;

create function public.my_reading_trend(days integer default 30) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_reading_trend(days) $$;
comment on function public.my_reading_trend is 'Mentors: what happened to their articles and courses in the last days, and readers by day.';
grant execute on function private.my_reading_trend, public.my_reading_trend to authenticated;

create function public.submit_draft(draft_id uuid, expected_version integer, publish_at timestamp with time zone default NULL::timestamp with time zone) returns text
  language sql volatile set search_path = '' as $$ select private.submit_draft(draft_id, expected_version, publish_at) $$;
comment on function public.submit_draft is 'Mentors: hand a draft in for review; trusted mentors publish it. The new status.';
grant execute on function private.submit_draft, public.submit_draft to authenticated;

create function public.recall_draft(draft_id uuid, expected_version integer) returns void
  language sql volatile set search_path = '' as $$ select private.recall_draft(draft_id, expected_version) $$;
comment on function public.recall_draft is 'Mentors: take a draft back from review or from its schedule.';
grant execute on function private.recall_draft, public.recall_draft to authenticated;

create function public.withdraw_draft(draft_id uuid, expected_version integer) returns void
  language sql volatile set search_path = '' as $$ select private.withdraw_draft(draft_id, expected_version) $$;
comment on function public.withdraw_draft is 'Mentors: hide published work from the library.';
grant execute on function private.withdraw_draft, public.withdraw_draft to authenticated;

create function public.archive_draft(draft_id uuid, expected_version integer, archived boolean default true) returns void
  language sql volatile set search_path = '' as $$ select private.archive_draft(draft_id, expected_version, archived) $$;
comment on function public.archive_draft is 'Mentors: put a draft away, or take it out again.';
grant execute on function private.archive_draft, public.archive_draft to authenticated;

create function public.return_draft(draft_id uuid, expected_version integer, comments jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.return_draft(draft_id, expected_version, comments) $$;
comment on function public.return_draft is 'Administrators: send a submitted draft back with comments.';
grant execute on function private.return_draft, public.return_draft to authenticated;

create function public.publish_draft(draft_id uuid, expected_version integer, publish_at timestamp with time zone default NULL::timestamp with time zone) returns text
  language sql volatile set search_path = '' as $$ select private.publish_draft(draft_id, expected_version, publish_at) $$;
comment on function public.publish_draft is 'Administrators: publish a submitted draft, or schedule it. The new status.';
grant execute on function private.publish_draft, public.publish_draft to authenticated;

create function public.create_draft(kind text, fields jsonb default '{}'::jsonb) returns uuid
  language sql volatile set search_path = '' as $$ select private.create_draft(kind, fields) $$;
comment on function public.create_draft is 'Mentors: begin an article or a course; its id.';
grant execute on function private.create_draft, public.create_draft to authenticated;

create function public.save_draft(draft_id uuid, expected_version integer, fields jsonb) returns integer
  language sql volatile set search_path = '' as $$ select private.save_draft(draft_id, expected_version, fields) $$;
comment on function public.save_draft is 'Mentors: save a new version of a draft; its number.';
grant execute on function private.save_draft, public.save_draft to authenticated;

create function public.restore_draft_version(draft_id uuid, version integer, expected_version integer) returns integer
  language sql volatile set search_path = '' as $$ select private.restore_draft_version(draft_id, version, expected_version) $$;
comment on function public.restore_draft_version is 'Mentors: make an earlier version the newest one.';
grant execute on function private.restore_draft_version, public.restore_draft_version to authenticated;

create function public.nudge_student(course_id uuid, student_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.nudge_student(course_id, student_id) $$;
comment on function public.nudge_student is 'Mentors: remind a student who paused one of their courses.';
grant execute on function private.nudge_student, public.nudge_student to authenticated;

create function public.my_students(course_id uuid, after_time timestamp with time zone default NULL::timestamp with time zone, after_id uuid default NULL::uuid) returns table(user_id uuid, name text, progress integer, enrolled_at timestamp with time zone, last_active_at timestamp with time zone, completed_at timestamp with time zone, nudged_at timestamp with time zone, may_nudge boolean)
  language sql stable set search_path = '' as $$ select * from private.my_students(course_id, after_time, after_id) $$;
comment on function public.my_students is 'Mentors: the students of one of their courses with progress, last activity and whom one may remind, fifty at a time.';
grant execute on function private.my_students, public.my_students to authenticated;

create function public.written_texts_page(author uuid, before timestamp with time zone default NULL::timestamp with time zone, after_id uuid default NULL::uuid, page_size integer default 24) returns jsonb
  language sql volatile set search_path = '' as $$ select private.written_texts_page(author, before, after_id, page_size) $$;
comment on function public.written_texts_page is 'Articles and courses of a member that the caller may open or buy, page by page; at most 50 a page.';
grant execute on function private.written_texts_page, public.written_texts_page to authenticated;
