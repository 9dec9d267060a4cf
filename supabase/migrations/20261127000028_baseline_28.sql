-- Part 28 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- rpc/pacts.sql
grant execute on function private.answer_witness, public.answer_witness to authenticated;

create function public.my_pacts() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_pacts() $$;
comment on function public.my_pacts is 'The caller''s own pacts, and the pacts the caller is asked to witness.';
grant execute on function private.my_pacts, public.my_pacts to authenticated;

create function public.pacts_of_submissions(submission_ids uuid[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.pacts_of_submissions(submission_ids) $$;
comment on function public.pacts_of_submissions is 'Due day, accepted witnesses and outcome of the pacts among up to 100 submissions.';
grant execute on function private.pacts_of_submissions, public.pacts_of_submissions to authenticated;

-- rpc/people.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.save_collaboration_post(post_id uuid, kind text, title text, details text, topics text[] default '{}'::text[]) returns void
  language sql volatile set search_path = '' as $$ select private.save_collaboration_post(post_id, kind, title, details, topics) $$;
comment on function public.save_collaboration_post is 'Makes an offer or a request under an id of the client''s, or changes an open one of the caller.';
grant execute on function private.save_collaboration_post, public.save_collaboration_post to authenticated;

create function public.close_collaboration_post(post_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.close_collaboration_post(post_id) $$;
comment on function public.close_collaboration_post is 'Closes an offer or a request of the caller for good.';
grant execute on function private.close_collaboration_post, public.close_collaboration_post to authenticated;

create function public.collaboration_page(search text default NULL::text, kind text default NULL::text, level integer default NULL::integer, topic text default NULL::text, after_id uuid default NULL::uuid, page_size integer default 20) returns setof jsonb
  language sql volatile set search_path = '' as $$ select * from private.collaboration_page(search, kind, level, topic, after_id, page_size) $$;
comment on function public.collaboration_page is 'Open offers and requests of other members, by words that may be misspelt, kind, level of the author and topic; the page after the post after_id.';
grant execute on function private.collaboration_page, public.collaboration_page to authenticated;

create function public.my_collaboration_posts() returns setof jsonb
  language sql stable set search_path = '' as $$ select * from private.my_collaboration_posts() $$;
comment on function public.my_collaboration_posts is 'The caller''s own offers and requests, open ones first.';
grant execute on function private.my_collaboration_posts, public.my_collaboration_posts to authenticated;

create function public.member_profile(member_id uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.member_profile(member_id) $$;
comment on function public.member_profile is 'The profile of a member as another sees it; null when there is none to see. Of a member the caller has blocked only the name.';
grant execute on function private.member_profile, public.member_profile to authenticated;

create function public.people_page(search text default NULL::text, level integer default NULL::integer, role text default NULL::text, occupation text default NULL::text, topic text default NULL::text, after_id uuid default NULL::uuid, page_size integer default 24) returns table(user_id uuid, name text, role_name text, occupation_name text, avatar_url text, member_level integer, topics text[])
  language sql volatile set search_path = '' as $$ select * from private.people_page(search, level, role, occupation, topic, after_id, page_size) $$;
comment on function public.people_page is 'Members: who is here, by words that may be misspelt, level, role, occupation and topic; best matches first, then by name; the page after the member after_id.';
grant execute on function private.people_page, public.people_page to authenticated;

create function public.block_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.block_member(member_id) $$;
comment on function public.block_member is 'Hides the caller and another member from each other, and deletes what the caller''s bell says of the other.';
grant execute on function private.block_member, public.block_member to authenticated;

create function public.unblock_member(member_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.unblock_member(member_id) $$;
comment on function public.unblock_member is 'Takes back the caller''s block of a member.';
grant execute on function private.unblock_member, public.unblock_member to authenticated;

create function public.my_blocks() returns table(member_id uuid, name text, avatar_url text, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.my_blocks() $$;
comment on function public.my_blocks is 'Whom the caller has blocked, newest first.';
grant execute on function private.my_blocks, public.my_blocks to authenticated;

-- rpc/profiles.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.set_my_picture(name text default NULL::text) returns text
  language sql volatile set search_path = '' as $$ select private.set_my_picture(name) $$;
comment on function public.set_my_picture is 'Sets the caller''s profile picture to an object of theirs, or removes it; returns the name of the former object.';
grant execute on function private.set_my_picture, public.set_my_picture to authenticated;

create function public.admin_remove_picture(member uuid, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.admin_remove_picture(member, reason) $$;
comment on function public.admin_remove_picture is 'Administrators: take a member''s picture off their profile, with a reason; returns the name of its object.';
grant execute on function private.admin_remove_picture, public.admin_remove_picture to authenticated;

create function public.profile_pictures_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.profile_pictures_to_purge(after, batch) $$;
comment on function public.profile_pictures_to_purge is 'Server: profile pictures to delete now.';
grant execute on function private.profile_pictures_to_purge, public.profile_pictures_to_purge to service_role;

-- rpc/reports.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.report_queue(kind text default NULL::text) returns setof jsonb
  language sql stable set search_path = '' as $$ select * from private.report_queue(kind) $$;
comment on function public.report_queue is 'Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.';
grant execute on function private.report_queue, public.report_queue to authenticated;

create function public.resolve_report(report_id bigint, decision text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_report(report_id, decision) $$;
comment on function public.resolve_report is 'Administrators: keep what was reported, or remove (a profile: clear) it.';
grant execute on function private.resolve_report, public.resolve_report to authenticated;

create function public.report(kind text, subject_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.report(kind, subject_id, reason) $$;
comment on function public.report is 'Reports something of another member to the administrators. Repeating it while it is open adds what it did not say yet.';
grant execute on function private.report, public.report to authenticated;

-- rpc/search.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.search_library(query text, max_results integer default 20) returns table(kind text, id text, title text, excerpt text, category text, path text, rank real)
  language sql stable set search_path = '' as $$ select * from private.search_library(query, max_results) $$;
comment on function public.search_library is 'Articles, courses, rooms and submissions the caller may read, best first, at most 50; typing errors are forgiven.';
grant execute on function private.search_library, public.search_library to authenticated;

create function public.search_messages(query text, room_id text default NULL::text, before_created_at timestamp with time zone default NULL::timestamp with time zone, before_id uuid default NULL::uuid, page_size integer default 20) returns table(message_id uuid, chat_room_id text, room_name text, user_id uuid, author_first_name text, author_last_name text, author_avatar_url text, excerpt text, created_at timestamp with time zone)
  language sql volatile set search_path = '' as $$ select * from private.search_messages(query, room_id, before_created_at, before_id, page_size) $$;
comment on function public.search_messages is 'Messages of a room, or of every room the caller may read, that have all the words; newest first, the next page starts after the last one.';
grant execute on function private.search_messages, public.search_messages to authenticated;

-- rpc/selling.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_courses() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_courses() $$;
comment on function public.my_courses is 'The courses that the caller bought, with their receipts.';
grant execute on function private.my_courses, public.my_courses to authenticated;

create function public.bought_course(course uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.bought_course(course) $$;
comment on function public.bought_course is 'A course that the caller bought, to read.';
grant execute on function private.bought_course, public.bought_course to authenticated;

create function public.complete_bought_lesson(module uuid) returns void
  language sql volatile set search_path = '' as $$ select private.complete_bought_lesson(module) $$;
comment on function public.complete_bought_lesson is 'A buyer finished a lesson.';
grant execute on function private.complete_bought_lesson, public.complete_bought_lesson to authenticated;

create function public.take_newest_bought_version(course uuid) returns void
  language sql volatile set search_path = '' as $$ select private.take_newest_bought_version(course) $$;
comment on function public.take_newest_bought_version is 'A buyer takes the newest version of a course.';
grant execute on function private.take_newest_bought_version, public.take_newest_bought_version to authenticated;

create function public.my_commissions(before_time timestamp with time zone default NULL::timestamp with time zone, before_charge text default NULL::text) returns table(charge_id text, invoice_number text, paid_at timestamp with time zone, payable_at timestamp with time zone, state text, amount_pence bigint, kind text, course_title text)
  language sql stable set search_path = '' as $$ select * from private.my_commissions(before_time, before_charge) $$;
comment on function public.my_commissions is 'Fifty payments that earned for the caller, newest first.';
grant execute on function private.my_commissions, public.my_commissions to authenticated;

create function public.my_course_offers() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_course_offers() $$;
comment on function public.my_course_offers is 'Mentors: courses one sells or can sell.';
grant execute on function private.my_course_offers, public.my_course_offers to authenticated;

create function public.end_course_sale(course uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.end_course_sale(course, reason) $$;
comment on function public.end_course_sale is 'Administrators: take a course off sale, with a reason that its mentor reads. Buyers keep it.';
grant execute on function private.end_course_sale, public.end_course_sale to authenticated;

create function public.allow_course_sale(course uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.allow_course_sale(course, reason) $$;
comment on function public.allow_course_sale is 'Administrators: let the mentor put a course on sale again that an administrator took off. It is not on sale by that.';
grant execute on function private.allow_course_sale, public.allow_course_sale to authenticated;

create function public.content_sale(course uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.content_sale(course) $$;
comment on function public.content_sale is 'Administrators: the sale of a course, null when it was never offered.';
grant execute on function private.content_sale, public.content_sale to authenticated;

create function public.course_offer(slug text) returns jsonb
  language sql stable set search_path = '' as $$ select private.course_offer(slug) $$;
comment on function public.course_offer is 'Server: the public page of a course. Function course-offer gives it to visitors.';
grant execute on function private.course_offer, public.course_offer to service_role;

create function public.save_course_offer(course uuid, slug text, outcomes text[], free_module uuid, is_on_sale boolean) returns void
  language sql volatile set search_path = '' as $$ select private.save_course_offer(course, slug, outcomes, free_module, is_on_sale) $$;
comment on function public.save_course_offer is 'Mentors: the sale page of a course of one''s own.';
grant execute on function private.save_course_offer, public.save_course_offer to authenticated;

create function public.courses_on_sale() returns jsonb
  language sql stable set search_path = '' as $$ select private.courses_on_sale() $$;
comment on function public.courses_on_sale is 'Members: courses that one''s link can bring buyers to.';
grant execute on function private.courses_on_sale, public.courses_on_sale to authenticated;

create function public.billing_begin_course_purchase(member uuid, slug text, expected_pence integer, joining uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_course_purchase(member, slug, expected_pence, joining) $$;
comment on function public.billing_begin_course_purchase is 'Server: open an attempt at buying a course.';
grant execute on function private.billing_begin_course_purchase, public.billing_begin_course_purchase to service_role;

create function public.billing_record_course_payment(purchase uuid, payment_intent text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_record_course_payment(purchase, payment_intent) $$;
comment on function public.billing_record_course_payment is 'Server: claim a payment for an attempt before confirming it.';
grant execute on function private.billing_record_course_payment, public.billing_record_course_payment to service_role;

create function public.billing_end_course_purchase(purchase uuid, outcome text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_course_purchase(purchase, outcome) $$;
comment on function public.billing_end_course_purchase is 'Server: close an attempt at buying a course.';
grant execute on function private.billing_end_course_purchase, public.billing_end_course_purchase to service_role;

create function public.billing_open_course_purchases(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_open_course_purchases(member) $$;
comment on function public.billing_open_course_purchases is 'Server: purchases to finish before the account is deleted.';
grant execute on function private.billing_open_course_purchases, public.billing_open_course_purchases to service_role;

create function public.billing_take_course_purchases() returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_take_course_purchases() $$;
comment on function public.billing_take_course_purchases is 'Server: purchases of courses to compare with the provider.';
grant execute on function private.billing_take_course_purchases, public.billing_take_course_purchases to service_role;

-- rpc/studio.sql

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

-- rpc/submissions.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.learning_images_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.learning_images_to_purge(after, batch) $$;
comment on function public.learning_images_to_purge is 'Server: pictures of submissions to delete now.';
grant execute on function private.learning_images_to_purge, public.learning_images_to_purge to service_role;

create function public.delete_submission(submission_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_submission(submission_id) $$;
comment on function public.delete_submission is 'Deletes a submission with its likes and comments.';
grant execute on function private.delete_submission, public.delete_submission to authenticated;

create function public.delete_comment(comment_id uuid) returns void
  language sql volatile set search_path = '' as $$ select private.delete_comment(comment_id) $$;
comment on function public.delete_comment is 'Deletes a comment.';
grant execute on function private.delete_comment, public.delete_comment to authenticated;

create function public.feature_submission(submission_id uuid, featured boolean) returns void
  language sql volatile set search_path = '' as $$ select private.feature_submission(submission_id, featured) $$;
comment on function public.feature_submission is 'Administrators: set or clear the featured mark of a submission.';
grant execute on function private.feature_submission, public.feature_submission to authenticated;

-- rpc/verification.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.verification_documents_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.verification_documents_to_purge(after, batch) $$;
comment on function public.verification_documents_to_purge is 'Server: identity documents to delete now.';
grant execute on function private.verification_documents_to_purge, public.verification_documents_to_purge to service_role;

create function public.record_deleted_documents(documents text[]) returns void
  language sql volatile set search_path = '' as $$ select private.record_deleted_documents(documents) $$;
comment on function public.record_deleted_documents is 'Server: these identity documents were deleted.';
grant execute on function private.record_deleted_documents, public.record_deleted_documents to service_role;

create function public.open_verification_document(verification_id uuid) returns text
  language sql volatile set search_path = '' as $$ select private.open_verification_document(verification_id) $$;
comment on function public.open_verification_document is 'Administrators: record the opening of an identity document. The edge function of that name also hands out its bytes.';
grant execute on function private.open_verification_document, public.open_verification_document to authenticated;

create function public.flagged_accounts() returns table(user_id uuid, email text, first_name text, last_name text, reason text, flagged_at timestamp with time zone, closed_at timestamp with time zone, rejections integer, last_reason text, subscriptions jsonb)
  language sql stable set search_path = '' as $$ select * from private.flagged_accounts() $$;
comment on function public.flagged_accounts is 'Administrators: accounts that wait for a decision, and those kept closed, oldest first.';
grant execute on function private.flagged_accounts, public.flagged_accounts to authenticated;

create function public.decide_flagged_verification(member uuid, decision text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.decide_flagged_verification(member, decision, reason) $$;
comment on function public.decide_flagged_verification is 'Administrators: let a member with five rejections try again (reset) or not (keep_closed).';
grant execute on function private.decide_flagged_verification, public.decide_flagged_verification to authenticated;

create function public.review_verification(verification_id uuid, decision text, reason text default NULL::text, document_version text default NULL::text, document_sha256 text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.review_verification(verification_id, decision, reason, document_version, document_sha256) $$;
comment on function public.review_verification is 'Administrators: approve or reject a pending identity document; an approval names the reviewed version.';
grant execute on function private.review_verification, public.review_verification to authenticated;

create function public.verification_queue() returns table(id uuid, user_id uuid, email text, first_name text, last_name text, document_type text, document_url text, submitted_at timestamp with time zone, rejections integer, document_version text, document_state text)
  language sql stable set search_path = '' as $$ select * from private.verification_queue() $$;
comment on function public.verification_queue is 'Administrators: identity documents waiting for a review, oldest first.';
grant execute on function private.verification_queue, public.verification_queue to authenticated;

reset check_function_bodies;
