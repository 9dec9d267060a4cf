create function private.edit_submission(submission uuid, new_title text, new_content text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  kept_title text := private.trimmed_message(new_title);
  kept_content text := private.trimmed_message(new_content);
  edited public.learning_submissions;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  if kept_title is null or kept_content is null or private.is_blank(kept_title) or private.is_blank(kept_content) then
    perform private.fail('FF330', 'A submission needs a title and some text.');
  end if;
  if char_length(kept_title) > 150 or char_length(kept_content) > 10000 then
    perform private.fail('FF760', 'A title has at most 150 characters, a text at most 10,000.');
  end if;
  select s.* into edited from public.learning_submissions s
  where s.id = submission and s.user_id = caller for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  -- Its witnesses accepted these words.
  if exists (select from private.pacts p where p.submission_id = submission) then
    perform private.fail('FF762', 'A pact stays as it was made.');
  end if;
  if edited.title = kept_title and edited.content = kept_content then
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'edit_submission');
  update public.learning_submissions s set title = kept_title, content = kept_content, edited_at = clock_timestamp(), is_featured = false
  where s.id = submission;
end
$$;
comment on function private.edit_submission(uuid, text, text) is
  'Changes title and text of the caller''s own submission, which is then no longer featured. The same text again changes nothing.';
grant execute on function private.edit_submission to authenticated;
