-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.learning_images_to_purge(after text default ''::text, batch integer default 100) returns setof text
  language sql stable set search_path = '' as $$ select * from private.learning_images_to_purge(after, batch) $$;
comment on function public.learning_images_to_purge is 'Server: pictures of submissions to delete now.';
grant execute on function private.learning_images_to_purge, public.learning_images_to_purge to service_role;

create function public.delete_submission(submission_id uuid, explanation text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.delete_submission(submission_id, explanation) $$;
comment on function public.delete_submission is 'Deletes the caller''s own submission with its likes and comments; administrators delete any, with an explanation for its author.';
grant execute on function private.delete_submission, public.delete_submission to authenticated;

create function public.delete_comment(comment_id uuid, explanation text default NULL::text) returns void
  language sql volatile set search_path = '' as $$ select private.delete_comment(comment_id, explanation) $$;
comment on function public.delete_comment is 'Deletes the caller''s own comment; administrators delete any, with an explanation for its author.';
grant execute on function private.delete_comment, public.delete_comment to authenticated;

create function public.feature_submission(submission_id uuid, featured boolean) returns void
  language sql volatile set search_path = '' as $$ select private.feature_submission(submission_id, featured) $$;
comment on function public.feature_submission is 'Administrators: set or clear the featured mark of a submission.';
grant execute on function private.feature_submission, public.feature_submission to authenticated;
