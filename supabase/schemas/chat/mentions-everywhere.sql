-- Mentions in submissions and comments as well as in rooms. Who is named is kept beside the text, so that a text shows
-- whom it means without a guess by the name, and so that nobody is told twice whatever became of the notification.
create table private.mentions (
  id bigint generated always as identity primary key,
  -- A trigger writes these while the text itself is not stored yet, so the keys are checked at the end of the transaction.
  message_id uuid references public.chat_messages (id) on delete cascade deferrable initially deferred,
  submission_id uuid references public.learning_submissions (id) on delete cascade deferrable initially deferred,
  comment_id uuid references public.learning_submission_comments (id) on delete cascade deferrable initially deferred,
  user_id uuid not null references public.profiles (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint mentions_subject_check check (num_nonnulls(message_id, submission_id, comment_id) = 1),
  constraint mentions_message_key unique (message_id, user_id),
  constraint mentions_submission_key unique (submission_id, user_id),
  constraint mentions_comment_key unique (comment_id, user_id)
);
comment on table private.mentions is 'Who is named in a message, a submission or a comment; read through mentions_in.';
comment on column private.mentions.user_id is 'Who is named.';
comment on column private.mentions.name is 'As it stands in the text after @. The member may have another name by now.';
create index mentions_user_id_idx on private.mentions (user_id);
alter table private.mentions enable row level security;

-- The function that calls it holds a lock on the text, so that calls at the same time count one after the other.
create function private.name_members(
    message uuid, submission uuid, comment uuid, room text, content text, members uuid[], author uuid, told_otherwise uuid, place uuid
  ) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  named bigint;
begin
  select count(*) into named from private.mentions m
  where m.message_id = message or m.submission_id = submission or m.comment_id = comment;
  with added as (
    insert into private.mentions (message_id, submission_id, comment_id, user_id, name)
    select message, submission, comment, p.id, n.name
    from public.profiles p
    cross join lateral (select btrim(concat_ws(' ', p.first_name, p.last_name)) as name) n
    where p.id = any (members[1:100]) and n.name <> '' and position('@' || n.name in content) > 0
      and private.may_be_mentioned(p.id, room, author)
      and not exists (
        select from private.mentions m
        where m.user_id = p.id and (m.message_id = message or m.submission_id = submission or m.comment_id = comment)
      )
    limit greatest(10 - named, 0)
    for key share of p skip locked
    on conflict do nothing
    returning user_id
  )
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select a.user_id, case when message is null then 'submission_mention' else 'mention' end, author,
    coalesce(message, submission, comment), place
  from added a where a.user_id is distinct from told_otherwise
  on conflict do nothing;
end
$$;
comment on function private.name_members(uuid, uuid, uuid, text, text, uuid[], uuid, uuid, uuid) is
  'Keeps and tells up to ten members named in a text after @ who may read it, each once; one of them is told by another notification.';

-- @rpc authenticated (submission_id, members)
-- Tells members that the caller's submission names them: at most ten, each once, and only who may read it.
create function private.mention_in_submission(submission uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written public.learning_submissions;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  select s.* into written from public.learning_submissions s
  where s.id = submission and s.user_id = caller for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  perform private.name_members(null, submission, null, null, written.content, members, caller, null, submission);
end
$$;
comment on function private.mention_in_submission(uuid, uuid[]) is
  'Tells up to ten members that the text of the caller''s own submission names them; each once.';

-- The author of the submission is told of the comment.
-- @rpc authenticated (comment_id, members)
-- Tells members that the caller's comment names them: at most ten, each once, and only who may read it.
create function private.mention_in_comment(comment uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written public.learning_submission_comments;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  select c.* into written from public.learning_submission_comments c
  where c.id = comment and c.user_id = caller for no key update;
  if not found then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  perform private.name_members(
    null, null, comment, null, written.content, members, caller,
    (select s.user_id from public.learning_submissions s where s.id = written.submission_id), written.submission_id
  );
end
$$;
comment on function private.mention_in_comment(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own comment names them; each once. The author of the submission is told of the comment alone.';
