-- Reports of comments.
create function private.reportable_comment(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_member();
  perform from public.learning_submission_comments c where c.id = subject for key share;
  if not found then
    perform private.fail('FF333', 'There is no such comment.');
  end if;
  return private.reported_comment(subject);
end
$$;
comment on function private.reportable_comment(uuid, uuid) is 'A comment, which every member can see; raises FF333 or FF700.';

create function private.reported_comment(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select c.user_id, jsonb_build_object('content', c.content),
    jsonb_build_object('submission_id', s.id, 'title', s.title, 'written_at', c.created_at, 'words', private.first_words(c.content))
  from public.learning_submission_comments c join public.learning_submissions s on s.id = c.submission_id where c.id = subject
$$;
comment on function private.reported_comment(uuid) is 'A comment and the submission that it stands under.';

create function private.lock_reported_comment(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.learning_submission_comments c where c.id = subject for update
$$;
comment on function private.lock_reported_comment(uuid) is 'Locks a comment.';

create function private.remove_reported_comment(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  delete from public.learning_submission_comments c where c.id = subject
$$;
comment on function private.remove_reported_comment(uuid) is 'Deletes a comment, and its reports with it.';
