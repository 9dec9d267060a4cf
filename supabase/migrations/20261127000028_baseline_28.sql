-- Part 28 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- rpc/studio.sql
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
