-- The audit log says what was before, as for every act of the console.
create or replace function private.feature_submission(submission_id uuid, featured boolean) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_admin();
  wanted boolean := coalesce(featured, false);
  before public.learning_submissions;
begin
  select s.* into before from public.learning_submissions s where s.id = submission_id for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  update public.learning_submissions s set is_featured = wanted where s.id = submission_id;
  perform private.audit(caller, 'submission.featured', before.user_id, jsonb_build_object(
    'submission_id', submission_id,
    'before', jsonb_build_object('featured', before.is_featured), 'after', jsonb_build_object('featured', wanted)
  ));
end
$$;
