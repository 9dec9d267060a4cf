-- Mentions in rooms, submissions and comments. Who is named is kept beside the text, so that a text shows
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

-- Without a room it is about the feed, which is open to every member.
create function private.may_be_mentioned(member uuid, room text, by_member uuid) returns boolean
  language sql stable set search_path = '' as $$
  select member <> by_member and not private.is_blocked_between(member, by_member)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and case
      when room is null then private.effective_level(member) >= 1
      else exists (
        select from public.chat_rooms r
        where r.id = room and r.is_active and r.min_level_required <= private.effective_level(member)
      )
    end
$$;
comment on function private.may_be_mentioned(uuid, text, uuid) is
  'True for a listed member who may read the room (null: the feed) now and is another than the given one, without a block between them.';

-- @rpc authenticated
-- Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.
create function private.mentionable_members(room text default null, typed text default null)
  returns table(user_id uuid, name text, avatar_url text) language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(left(coalesce(typed, ''), 100));
begin
  perform private.enforce_rate_limit(caller, 'people');
  if start = '' or (room is not null and not room = any (private.caller_room_ids())) then
    return;
  end if;
  return query
    select p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url
    from private.directory_entries d join public.profiles p on p.id = d.user_id
    where position(' ' || start in ' ' || d.sort_key) > 0 and private.may_be_mentioned(d.user_id, room, caller)
    order by d.sort_key, d.user_id limit 8;
end
$$;
comment on function private.mentionable_members(text, text) is
  'Up to eight members whom the caller may mention in the room (null: in the feed) and a word of whose name begins as typed. Limited.';

-- Repeating it tells nobody twice. Answers nothing, so that nobody learns who is blocked or may not read. The author of
-- the parent message is told of the reply.
-- @rpc authenticated
-- Tells members that the caller's message names them: at most ten, each once, and only who may read it.
create function private.mention_members(message uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written constant public.chat_messages := private.require_visible_message(message);
begin
  if written.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.name_members(
    message, null, null, written.chat_room_id, written.content, members, caller,
    (select a.user_id from public.chat_messages a where a.id = written.parent_message_id), message
  );
end
$$;
comment on function private.mention_members(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own message names them: those whose name stands in it after @ and who may read it.';

-- A mention is shown by the rule of replies: the room is open to the reader and the message stands.
create function private.notification_part_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['mention']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_mentions(uuid) is
  'Mentions in rooms that are open to the member, as long as the message stands.';

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

create function private.notification_part_submission_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if private.effective_level(member) < 1 then
    return;
  end if;
  return query
  select n.id, jsonb_build_object('submission_id', s.id, 'comment_id', c.id, 'excerpt', coalesce(private.excerpt(c.content), s.title))
  from private.newest_notifications(member, array['submission_mention']) n
  join public.learning_submissions s on s.id = n.group_id
  left join public.learning_submission_comments c on c.id = n.subject_id
  where c.id is not null or n.subject_id = s.id;
end
$$;
comment on function private.notification_part_submission_mentions(uuid) is
  'Mentions in submissions and comments, as long as they stand and the member may read them.';

-- By the rules of member_profile.
create function private.may_open_profile(member uuid, reader uuid) returns boolean
  language sql stable set search_path = '' as $$
  select private.effective_level(member) > 0 and not private.is_blocked_between(member, reader)
    and exists (
      select from auth.users u
      where u.id = member and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now())
    )
$$;
comment on function private.may_open_profile(uuid, uuid) is 'True for a member now whose profile the reader finds, without a block between them.';

-- A name without an account stands for two members of that name, or for one whose profile the caller does not find.
create function private.mentions_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  asked constant uuid[] := subjects[1:100];
  rooms constant text[] := private.caller_room_ids();
  reads_feed constant boolean := private.caller_effective_level() >= 1;
begin
  return query
  with named as (
    select m.message_id as subject, m.user_id as member, m.name as written
    from private.mentions m join public.chat_messages g on g.id = m.message_id
    where m.message_id = any (asked) and g.deleted_at is null and g.chat_room_id = any (rooms)
    union all
    select m.submission_id, m.user_id, m.name from private.mentions m where reads_feed and m.submission_id = any (asked)
    union all
    select m.comment_id, m.user_id, m.name from private.mentions m where reads_feed and m.comment_id = any (asked)
  )
  select n.subject, n.written,
    case when count(*) = 1 and private.may_open_profile(min(n.member::text)::uuid, caller) then min(n.member::text)::uuid end,
    bool_or(n.member = caller)
  from named n group by n.subject, n.written;
end
$$;
comment on function private.mentions_in(uuid[]) is
  'The names after @ in up to 100 messages, submissions and comments that the caller may read, with the account where there is one to show.';
grant execute on function private.mentions_in to authenticated;

-- The names, and @everyone where it was announced.
create function public.mentions_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language sql stable set search_path = '' as $$
  select * from private.mentions_in(subjects) union all select * from private.announcements_in(subjects)
$$;
comment on function public.mentions_in(uuid[]) is
  'Who is named in up to 100 messages, submissions and comments. Without an account when the name could be two members or there is no profile to show.';
grant execute on function public.mentions_in to authenticated;

-- Who was named by the member is in the text; by whom the member was named is another person.
create function private.export_part_mentions(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('mentions', coalesce((
    select jsonb_agg(to_jsonb(m) - 'user_id' order by m.id) from private.mentions m where m.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_mentions(uuid) is 'Where one account was named, without the other persons.';
