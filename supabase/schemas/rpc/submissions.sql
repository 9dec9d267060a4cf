-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.report_submission(submission_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.report_submission(submission_id, reason) $$;
comment on function public.report_submission is 'Reports a submission to the administrators.';
grant execute on function private.report_submission, public.report_submission to authenticated;

create function public.report_comment(comment_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.report_comment(comment_id, reason) $$;
comment on function public.report_comment is 'Reports a comment to the administrators.';
grant execute on function private.report_comment, public.report_comment to authenticated;

create function public.submission_report_queue() returns table(report_id bigint, submission_id uuid, comment_id uuid, title text, content text, is_changed boolean, author_id uuid, author_name text, author_role text, reports integer, reasons text[], first_reported_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.submission_report_queue() $$;
comment on function public.submission_report_queue is 'Administrators: reported submissions and comments waiting for a decision, oldest first, as they were reported.';
grant execute on function private.submission_report_queue, public.submission_report_queue to authenticated;

create function public.resolve_submission_report(report_id bigint, decision text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_submission_report(report_id, decision) $$;
comment on function public.resolve_submission_report is 'Administrators: keep or remove a reported submission or comment.';
grant execute on function private.resolve_submission_report, public.resolve_submission_report to authenticated;

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
