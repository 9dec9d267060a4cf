-- Reports of submissions.
create function private.reportable_submission(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_member();
  perform from public.learning_submissions s where s.id = subject for key share;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  return private.reported_submission(subject);
end
$$;
comment on function private.reportable_submission(uuid, uuid) is 'A submission, which every member can see; raises FF332 or FF700.';

create function private.reported_submission(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select s.user_id, jsonb_build_object('title', s.title, 'content', s.content),
    jsonb_build_object('submission_id', s.id, 'title', s.title, 'written_at', s.created_at)
  from public.learning_submissions s where s.id = subject
$$;
comment on function private.reported_submission(uuid) is 'A submission.';

-- Likes, comments, submission and then reports, in the order of delete_submission and of its cascade.
create function private.lock_reported_submission(subject uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from public.learning_submission_likes l where l.submission_id = subject order by l.user_id for update;
  perform from public.learning_submission_comments c where c.submission_id = subject order by c.id for update;
  perform from public.learning_submissions s where s.id = subject for update;
end
$$;
comment on function private.lock_reported_submission(uuid) is 'Locks a submission with what is deleted with it.';

create function private.remove_reported_submission(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  delete from public.learning_submissions s where s.id = subject
$$;
comment on function private.remove_reported_submission(uuid) is 'Deletes a submission, and its reports with it.';
