comment on column public.chat_messages.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.learning_submissions.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';
comment on column public.learning_submission_comments.mentioned is 'Whom the author picked after @, on insert only; always null in the table.';

create function private.tg_chat_messages__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.chat_messages w where w.id = new.id) then
    perform private.name_members(
      new.id, null, null, new.chat_room_id, new.content, new.mentioned, new.user_id,
      (select a.user_id from public.chat_messages a where a.id = new.parent_message_id), new.id
    );
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_chat_messages__name_members() is 'Keeps and tells the members whom a new message names.';

create function private.tg_learning_submissions__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.learning_submissions w where w.id = new.id) then
    perform private.name_members(null, new.id, null, null, new.content, new.mentioned, new.user_id, null, new.id);
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_learning_submissions__name_members() is 'Keeps and tells the members whom a new submission names.';

create function private.tg_learning_submission_comments__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.learning_submission_comments w where w.id = new.id) then
    perform private.name_members(
      null, null, new.id, null, new.content, new.mentioned, new.user_id,
      (select s.user_id from public.learning_submissions s where s.id = new.submission_id), new.submission_id
    );
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_learning_submission_comments__name_members() is 'Keeps and tells the members whom a new comment names.';
-- A row of an id that is there is refused or left out (on conflict do nothing) only after these ran: it names nobody.
-- Their names come after guard_insert and limit_rate: what those refuse names nobody.
create trigger chat_messages__name_members before insert on public.chat_messages
  for each row when (new.mentioned is not null) execute function private.tg_chat_messages__name_members();

create trigger learning_submissions__name_members before insert on public.learning_submissions
  for each row when (new.mentioned is not null) execute function private.tg_learning_submissions__name_members();

create trigger learning_submission_comments__name_members before insert on public.learning_submission_comments
  for each row when (new.mentioned is not null) execute function private.tg_learning_submission_comments__name_members();

create function public.edit_message(message_id uuid, new_content text, mentioned uuid[] default null) returns void
  language sql volatile set search_path = '' as $$
  select private.edit_message(message_id, new_content);
  select private.mention_members(message_id, mentioned) where mentioned is not null;
$$;
comment on function public.edit_message(uuid, text, uuid[]) is 'Changes the text of one''s own message, and tells the members it names.';
grant execute on function public.edit_message to authenticated;

create function public.edit_submission(submission_id uuid, title text, content text, mentioned uuid[] default null) returns void
  language sql volatile set search_path = '' as $$
  select private.edit_submission(submission_id, title, content);
  select private.mention_in_submission(submission_id, mentioned) where mentioned is not null;
$$;
comment on function public.edit_submission(uuid, text, text, uuid[]) is 'Changes title and text of one''s own submission, and tells the members it names.';
grant execute on function public.edit_submission to authenticated;

create function public.close_pact(
  pact_id uuid, outcome_id uuid, outcome text, title text, content text, image_url text default null, mentioned uuid[] default null
) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  insert into public.learning_submissions (id, user_id, submission_type, title, content, image_url, mentioned)
  values (outcome_id, auth.uid(), outcome, title, content, image_url, mentioned) on conflict do nothing;
  perform private.close_pact(pact_id, outcome_id);
end
$$;
comment on function public.close_pact(uuid, uuid, text, text, text, text, uuid[]) is 'Shares the submission that tells how the caller''s pact went, tells the members it names, and closes the pact with it. Repeating it does nothing more.';
grant execute on function public.close_pact to authenticated;
