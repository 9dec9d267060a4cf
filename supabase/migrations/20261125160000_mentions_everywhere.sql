-- Mentions in submissions and comments as well as in rooms. Who is named is kept beside the text, so that a text shows
-- whom it means without a guess by the name, and so that nobody is told twice whatever became of the notification.
create table private.mentions (
  id bigint generated always as identity primary key,
  message_id uuid references public.chat_messages (id) on delete cascade,
  submission_id uuid references public.learning_submissions (id) on delete cascade,
  comment_id uuid references public.learning_submission_comments (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint mentions_subject_check check (num_nonnulls(message_id, submission_id, comment_id) = 1),
  constraint mentions_message_key unique (message_id, user_id),
  constraint mentions_submission_key unique (submission_id, user_id),
  constraint mentions_comment_key unique (comment_id, user_id)
);
revoke all on table private.mentions from public, anon, authenticated, service_role;
revoke all on sequence private.mentions_id_seq from public, anon, authenticated, service_role;
comment on table private.mentions is 'Who is named in a message, a submission or a comment; read through mentions_in.';
comment on column private.mentions.user_id is 'Who is named.';
comment on column private.mentions.name is 'As it stands in the text after @. The member may have another name by now.';
create index mentions_user_id_idx on private.mentions (user_id);
alter table private.mentions enable row level security;

insert into private.mentions (message_id, user_id, name, created_at)
select m.id, p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), n.created_at
from public.notifications n
join public.chat_messages m on m.id = n.subject_id and m.user_id = n.actor_id
join public.profiles p on p.id = n.user_id
where n.kind = 'mention'
on conflict do nothing;

-- Without a room it is about the feed, which is open to every member.
create or replace function private.may_be_mentioned(member uuid, room text, by_member uuid) returns boolean
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

create or replace function private.mentionable_members(room text, typed text)
  returns table (user_id uuid, name text, avatar_url text)
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(btrim(left(coalesce(typed, ''), 100)));
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
create or replace function public.mentionable_members(room text default null, typed text default null)
  returns table (user_id uuid, name text, avatar_url text)
  language sql volatile set search_path = '' as $$ select * from private.mentionable_members(room, typed) $$;
comment on function public.mentionable_members(text, text) is
  'Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.';

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
revoke all on function private.name_members from public, anon, authenticated, service_role;
comment on function private.name_members(uuid, uuid, uuid, text, text, uuid[], uuid, uuid, uuid) is
  'Keeps and tells up to ten members named in a text after @ who may read it, each once; one of them is told by another notification.';

create or replace function private.mention_members(message uuid, members uuid[]) returns void
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
revoke all on function private.mention_in_submission from public, anon, authenticated, service_role;
comment on function private.mention_in_submission(uuid, uuid[]) is
  'Tells up to ten members that the text of the caller''s own submission names them; each once.';
grant execute on function private.mention_in_submission(uuid, uuid[]) to authenticated;
create function public.mention_in_submission(submission_id uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_in_submission(submission_id, members) $$;
revoke all on function public.mention_in_submission from public, anon, authenticated, service_role;
comment on function public.mention_in_submission(uuid, uuid[]) is
  'Tells members that the caller''s submission names them: at most ten, each once, and only who may read it.';
grant execute on function public.mention_in_submission(uuid, uuid[]) to authenticated;

-- The author of the submission is told of the comment.
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
revoke all on function private.mention_in_comment from public, anon, authenticated, service_role;
comment on function private.mention_in_comment(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own comment names them; each once. The author of the submission is told of the comment alone.';
grant execute on function private.mention_in_comment(uuid, uuid[]) to authenticated;
create function public.mention_in_comment(comment_id uuid, members uuid[]) returns void
  language sql volatile set search_path = '' as $$ select private.mention_in_comment(comment_id, members) $$;
revoke all on function public.mention_in_comment from public, anon, authenticated, service_role;
comment on function public.mention_in_comment(uuid, uuid[]) is
  'Tells members that the caller''s comment names them: at most ten, each once, and only who may read it.';
grant execute on function public.mention_in_comment(uuid, uuid[]) to authenticated;
