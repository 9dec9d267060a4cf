-- Part 24 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- library/tables.sql

create table public.course_modules (
  id uuid primary key default gen_random_uuid(),
  course_id uuid not null references public.courses (id) on delete cascade,
  slug text not null constraint course_modules_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint course_modules_title_check check (char_length(title) between 1 and 200),
  content text not null default '' constraint course_modules_content_check check (octet_length(content) <= 204800),
  module_order integer not null constraint course_modules_module_order_check check (module_order > 0),
  video_url text constraint course_modules_video_url_check check (video_url ~ '^(https://|/)' and char_length(video_url) <= 500),
  estimated_duration integer not null default 0 constraint course_modules_estimated_duration_check check (estimated_duration >= 0),
  is_published boolean not null default true,
  unique (course_id, slug)
);
grant select, insert, update, delete on public.course_modules to service_role;
grant select (id, course_id, slug, title, content, module_order, video_url, estimated_duration, is_published)
  on public.course_modules to authenticated;
comment on table public.course_modules is 'Lessons of a course with their exercises, readable by enrolled members.';
comment on column public.course_modules.estimated_duration is 'Minutes of reading and exercise.';
comment on column public.course_modules.is_published is 'False hides a module and keeps members'' completions.';
create index course_modules_order_idx on public.course_modules (course_id, module_order);
alter table public.course_modules enable row level security;

create table public.article_opens (
  user_id uuid not null references auth.users (id) on delete cascade,
  article_id uuid not null references public.articles (id) on delete cascade,
  last_opened_on date not null,
  -- The article left open last is offered again, so the time of an opening is kept beside the day it counts for.
  last_opened_at timestamptz default clock_timestamp(),
  opened_from text,
  primary key (user_id, article_id),
  constraint article_opens_source_check
    check (opened_from in ('category', 'search', 'room', 'today', 'profile', 'other'))
);
grant select, insert, update, delete on public.article_opens to service_role;
grant select (user_id, article_id, last_opened_on, last_opened_at, opened_from) on public.article_opens to authenticated;
comment on table public.article_opens is 'Articles members opened, and the last day each was counted.';
comment on column public.article_opens.last_opened_on is 'Day in UTC.';
comment on column public.article_opens.last_opened_at is 'When it was last opened; null when that was before times were kept.';
comment on column public.article_opens.opened_from is 'From where the member came the first time; null before sources were kept.';
create index article_opens_article_id_idx on public.article_opens (article_id);
alter table public.article_opens enable row level security;

create table public.article_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  article_id uuid not null references public.articles (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, article_id)
);
grant select, insert, update, delete on public.article_reads to service_role;
grant select (user_id, article_id, created_at),
  insert (user_id, article_id)
  on public.article_reads to authenticated;
comment on table public.article_reads is 'Articles members marked as read, once each.';
create index article_reads_article_id_idx on public.article_reads (article_id);
-- They find the events of one text since a moment, and serve the foreign keys as well. What members read and complete
-- waits for the seconds that this takes.
create index article_reads_article_day_idx on public.article_reads (article_id, created_at);
alter table public.article_reads enable row level security;

create table public.course_enrollments (
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid not null references public.courses (id) on delete cascade,
  progress_percentage integer not null default 0 constraint course_enrollments_progress_percentage_check
    check (progress_percentage between 0 and 100),
  completed_at timestamptz,
  created_at timestamptz not null default now(),
  enrolled_from text,
  course_version integer not null default 1,
  primary key (user_id, course_id),
  constraint course_enrollments_source_check
    check (enrolled_from in ('category', 'search', 'room', 'today', 'profile', 'other'))
);
grant select, insert, update, delete on public.course_enrollments to service_role;
grant select (user_id, course_id, progress_percentage, completed_at, created_at, enrolled_from, course_version),
  insert (user_id, course_id, enrolled_from),
  update (progress_percentage, completed_at)
  on public.course_enrollments to authenticated;
comment on table public.course_enrollments is 'Enrolments of members with their progress.';
comment on column public.course_enrollments.progress_percentage is 'Rounded share of the published modules completed; stays at 100 once the course was completed.';
comment on column public.course_enrollments.completed_at is 'When every module was completed for the first time; never cleared.';
comment on column public.course_enrollments.course_version is 'The version the member takes; older than the course''s own for who began before it changed.';
comment on column public.course_enrollments.enrolled_from is 'From where the member came who enrolled; null before sources were kept.';
create index course_enrollments_course_id_idx on public.course_enrollments (course_id);
create index course_enrollments_course_day_idx on public.course_enrollments (course_id, created_at, user_id) include (completed_at);
create index course_enrollments_completed_at_idx on public.course_enrollments (completed_at, course_id) where completed_at is not null;
alter table public.course_enrollments enable row level security;

create table public.module_completions (
  user_id uuid not null references auth.users (id) on delete cascade,
  module_id uuid not null references public.course_modules (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, module_id)
);
grant select, insert, update, delete on public.module_completions to service_role;
grant select (user_id, module_id, created_at),
  insert (user_id, module_id)
  on public.module_completions to authenticated;
comment on table public.module_completions is 'Modules members completed, once each.';
create index module_completions_module_id_idx on public.module_completions (module_id);
create index module_completions_module_day_idx on public.module_completions (module_id, created_at);
alter table public.module_completions enable row level security;
comment on column public.articles.from_files is 'Brought by an import of files, which keeps it up to date whoever is named as its author.';
comment on column public.articles.rating_count is 'Number of ratings; kept by the server.';
comment on column public.articles.rating_sum is 'Sum of their stars; kept by the server.';
comment on column public.articles.opened_from is 'Always null: a reader''s source is sent here with read_count, and kept in article_opens.';
comment on column public.courses.from_files is 'Brought by an import of files, which keeps it up to date whoever is named as its mentor.';
comment on column public.courses.rating_count is 'Number of ratings; kept by the server.';
comment on column public.courses.rating_sum is 'Sum of their stars; kept by the server.';
comment on column public.courses.version is 'Counts the publications that changed the lessons; kept by the server.';

-- messages/conversations.sql

create table private.direct_conversations (
  id uuid primary key default gen_random_uuid(),
  first_id uuid not null references public.profiles (id) on delete cascade,
  second_id uuid not null references public.profiles (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  last_message_at timestamptz not null default clock_timestamp(),
  constraint direct_conversations_pair_key unique (first_id, second_id),
  constraint direct_conversations_order_check check (first_id < second_id)
);
comment on table private.direct_conversations is 'Conversations of two members, one for each pair. Deleting either account deletes it.';
comment on column private.direct_conversations.first_id is 'The smaller id of the two.';
create index direct_conversations_first_idx on private.direct_conversations (first_id, last_message_at desc);
create index direct_conversations_second_idx on private.direct_conversations (second_id, last_message_at desc);
alter table private.direct_conversations enable row level security;

create table private.direct_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null references private.direct_conversations (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, conversation_id)
);
comment on table private.direct_reads is 'How far each member has read a conversation. The other one is not told.';
create index direct_reads_conversation_id_idx on private.direct_reads (conversation_id);
alter table private.direct_reads enable row level security;

create table public.direct_messages (
  id uuid primary key,
  conversation_id uuid not null references private.direct_conversations (id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  content text not null,
  parent_message_id uuid references public.direct_messages (id) on delete set null,
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  deleted_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  constraint direct_messages_content_check check (
    case when deleted_at is null then char_length(content) between 1 and 4000 else content = '' end
  )
);
grant select, insert, update, delete on public.direct_messages to service_role;
grant select (id, conversation_id, user_id, content, parent_message_id, created_at, edited_at, deleted_at, changed_at)
  on public.direct_messages to authenticated;
comment on table public.direct_messages is 'Messages between two members; written by functions only. A deleted message keeps its row without its text. @deletes_reach user_id';
comment on column public.direct_messages.id is 'Chosen by the client, so that sending again cannot create a duplicate.';
comment on column public.direct_messages.changed_at is 'When it was last written, edited or deleted. Clients fetch later changes after a lost connection.';
create index direct_messages_conversation_idx on public.direct_messages (conversation_id, created_at desc, id);
create index direct_messages_changes_idx on public.direct_messages (conversation_id, changed_at, id);
create index direct_messages_parent_message_id_idx on public.direct_messages (parent_message_id);
create index direct_messages_user_id_idx on public.direct_messages (user_id, created_at);
alter table public.direct_messages enable row level security;

-- The policy's rule for many accounts at once, for Realtime.
create function private.direct_message_authorized_users(message public.direct_messages, user_ids uuid[]) returns uuid[]
  language plpgsql stable security definer set search_path = '' as $$
begin
  return array(
    select l.user_id from private.direct_conversations c
    join private.effective_levels l on l.user_id in (c.first_id, c.second_id)
    where c.id = message.conversation_id and l.user_id = any (user_ids) and l.level > 0 and not exists (
      select from private.member_blocks b where b.user_id = l.user_id and b.blocked_id in (c.first_id, c.second_id)
    )
  );
end
$$;
comment on function private.direct_message_authorized_users(public.direct_messages, uuid[]) is
  'The given accounts that may read the message now.';

create policy select_open_conversation on public.direct_messages for select to authenticated
  using (conversation_id = any ((select private.caller_conversation_ids())::uuid[]) and (select private.session_is_live()));
comment on policy select_open_conversation on public.direct_messages is
  'The two members of the conversation, while they are members. @authorizer private.direct_message_authorized_users';

alter publication supabase_realtime add table public.direct_messages;

-- messages/notifications.sql

create trigger direct_messages__notify after insert on public.direct_messages
  for each row execute function private.tg_direct_messages__notify();

-- notifications/notifications.sql

-- What a member is told of: replies, likes and comments from others, and what happened to their own account. Only
-- triggers write rows. What a row says is decided when it is read, so nobody is told of a place they may not read now.
create table public.notifications (
  id bigint generated always as identity primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null,
  actor_id uuid references public.profiles (id) on delete cascade,
  subject_id uuid,
  group_id uuid,
  detail text,
  created_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  constraint notifications_once_key unique nulls not distinct (user_id, kind, subject_id, actor_id, detail),
  constraint notifications_actor_check check (actor_id <> user_id),
  constraint notifications_kind_fkey
    foreign key (kind) references private.notification_kinds (kind)
);
grant select, insert, update, delete on public.notifications to service_role;
-- Members read only that something happened and whether they have read it: enough for Realtime to tell every open page.
grant select (id, user_id, created_at, read_at) on public.notifications to authenticated;
comment on table public.notifications is 'What members are told of; written by triggers, read through my_notifications. @deletes_reach user_id';
comment on column public.notifications.user_id is 'Who is told.';
comment on column public.notifications.actor_id is 'Whose act it was; null when it was not a member''s.';
comment on column public.notifications.subject_id is
  'The reply, the liked message or submission, the comment, or the identity document. It may be deleted, which hides the row.';
comment on column public.notifications.group_id is 'Rows of one kind and group are shown as one: the message or submission acted on.';
comment on column public.notifications.detail is 'The level reached, or the subscription and period of a failed payment.';
create index notifications_list_idx on public.notifications (user_id, created_at desc, id desc);
create index notifications_actor_id_idx on public.notifications (actor_id);
create index notifications_unread_idx on public.notifications (created_at) where read_at is null;
alter table public.notifications enable row level security;

create policy select_own on public.notifications for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

alter publication supabase_realtime add table public.notifications;

create trigger chat_messages__notify after insert on public.chat_messages
  for each row when (new.parent_message_id is not null) execute function private.tg_chat_messages__notify();

create trigger learning_submission_likes__notify after insert on public.learning_submission_likes
  referencing new table as changed for each statement execute function private.tg_learning_submission_likes__notify();

create trigger learning_submission_comments__notify after insert on public.learning_submission_comments
  referencing new table as changed for each statement execute function private.tg_learning_submission_comments__notify();

create trigger user_verifications__notify after update of status on public.user_verifications
  for each row when (new.status in ('approved', 'rejected') and new.status <> old.status)
  execute function private.tg_user_verifications__notify();
-- Row-level security cannot be asked about a deleted row. The host reads from a table's comment (@deletes_reach) whose account
-- alone is told, and the key below holds that column. Of a table without the comment every subscriber is told the key, such as
-- of `learning_submissions`: the feed takes a post away at once, and its id alone says nothing.
create unique index notifications_owner_key on public.notifications (user_id, id);
alter table public.notifications replica identity using index notifications_owner_key;

-- notifications/parts.sql

-- Only the newest 1,000 rows are looked at, so that the bell of a member with very many stays quick.
create function private.newest_notifications(member uuid, kinds text[]) returns setof public.notifications
  language sql stable rows 50 set search_path = '' as $$
  select n.* from (
    select * from public.notifications o where o.user_id = member order by o.created_at desc, o.id desc limit 1000
  ) n where n.kind = any (kinds)
$$;
comment on function private.newest_notifications(uuid, text[]) is
  'The notifications of the given kinds among the newest 1,000 of an account, for private.notification_part_<area>.';

-- notifications/push-sending.sql

-- The outbox of push messages. A notification puts a row for each browser of its member in the same transaction; the scheduled
-- function send-pushes sends them. Rows are gone once they are sent or no longer wanted: the bell keeps the notification.
create table private.push_outbox (
  notification_id bigint not null references public.notifications (id) on delete cascade,
  subscription_id uuid not null references public.push_subscriptions (id) on delete cascade,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default clock_timestamp(),
  claim uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (notification_id, subscription_id)
);
comment on table private.push_outbox is 'Push messages to send. What they say is decided when they are sent.';
comment on column private.push_outbox.next_attempt_at is 'While a sender has the message: when its lease ends and another may take it.';
comment on column private.push_outbox.claim is 'The last claim. Only its sender may report the result.';
create index push_outbox_due_idx on private.push_outbox (next_attempt_at, notification_id);
create index push_outbox_subscription_id_idx on private.push_outbox (subscription_id);
alter table private.push_outbox enable row level security;

create trigger notifications__push after insert on public.notifications
  referencing new table as made for each statement execute function private.tg_notifications__push();

-- pacts/pacts.sql

-- Pacts: what a member commits to in a submission of that type, by when, and who will ask about it.
-- Nobody has a privilege on the tables: what one may see and do is decided by the functions.
create table private.pacts (
  submission_id uuid primary key references public.learning_submissions (id) on delete cascade,
  due_on date not null,
  reminded_at timestamptz,
  outcome text constraint pacts_outcome_check check (outcome in ('success', 'failure', 'progress_report')),
  outcome_id uuid references public.learning_submissions (id) on delete set null,
  closed_at timestamptz,
  constraint pacts_closed_check check ((outcome is null) = (closed_at is null)),
  constraint pacts_outcome_known_check check (outcome_id is null or outcome is not null)
);
comment on table private.pacts is 'The due day and the outcome of a submission of the type pact.';
comment on column private.pacts.due_on is 'The last day, in UTC.';
comment on column private.pacts.reminded_at is 'When the member and the witnesses were reminded.';
comment on column private.pacts.outcome is 'The type of the submission that closed it: kept, not kept, or partly.';
comment on column private.pacts.outcome_id is 'That submission; null while open, and when it was deleted.';
create unique index pacts_outcome_id_key on private.pacts (outcome_id);
create index pacts_due_idx on private.pacts (due_on) where closed_at is null and reminded_at is null;
alter table private.pacts enable row level security;

create table private.pact_witnesses (
  submission_id uuid not null references private.pacts (submission_id) on delete cascade,
  user_id uuid not null references public.profiles (id) on delete cascade,
  asked_at timestamptz not null default clock_timestamp(),
  accepted boolean,
  answered_at timestamptz,
  primary key (submission_id, user_id),
  constraint pact_witnesses_answered_check check ((accepted is null) = (answered_at is null))
);
comment on table private.pact_witnesses is 'Members who were asked to witness a pact, and what each answered.';
comment on column private.pact_witnesses.accepted is 'Null until the member has answered.';
create index pact_witnesses_user_id_idx on private.pact_witnesses (user_id, asked_at);
alter table private.pact_witnesses enable row level security;

-- The profile first, as a deletion of the account does.
create function private.require_own_pact(pact uuid, member uuid) returns private.pacts
  language plpgsql volatile set search_path = '' as $$
declare
  found_pact private.pacts;
begin
  perform from public.profiles a where a.id = member for key share;
  select p.* into found_pact from private.pacts p
  where p.submission_id = pact
    and exists (select from public.learning_submissions s where s.id = pact and s.user_id = member)
  for update;
  if not found then
    perform private.fail('FF776', 'There is no such pact of yours.');
  end if;
  return found_pact;
end
$$;
comment on function private.require_own_pact(uuid, uuid) is 'The pact of the account, locked; FF776 for any other.';

-- pacts/reading.sql

-- What members see of pacts. A pact and its outcome are submissions: members who may read those may read these.
create function private.witness_state(witness private.pact_witnesses, pact private.pacts) returns text
  language sql stable set search_path = '' as $$
  select case
    when witness.accepted is false then 'declined'
    when witness.accepted is null and (pact.closed_at is not null or private.is_overdue(pact.due_on)) then 'lapsed'
    when private.effective_level(witness.user_id) = 0
      or exists (select from auth.users u where u.id = witness.user_id and u.banned_until > now())
      -- As for one who left, so that the author cannot tell a block from it.
      or exists (
        select from public.learning_submissions s
        where s.id = witness.submission_id and private.is_blocked_between(witness.user_id, s.user_id)
      ) then 'lapsed'
    when witness.accepted then 'accepted'
    else 'asked'
  end
$$;
comment on function private.witness_state(private.pact_witnesses, private.pacts) is
  'asked, accepted, declined, or lapsed: did not answer in time, is no member now or suspended, or a block stands between witness and author.';

-- people/collaboration.sql

-- Collaborate: short offers and requests of members, answered in a direct message.
-- Nobody has a privilege on the table: what one may see and do is decided by the functions.
create table private.collaboration_posts (
  id uuid primary key,
  user_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null constraint collaboration_posts_kind_check check (kind in ('offer', 'request')),
  title text not null constraint collaboration_posts_title_check check (char_length(title) between 1 and 80),
  details text not null constraint collaboration_posts_details_check check (char_length(details) between 1 and 600),
  topics text[] not null default '{}' constraint collaboration_posts_topics_check check (cardinality(topics) <= 8),
  topic_keys text[] not null default '{}',
  search_key text collate "C" not null,
  created_at timestamptz not null default clock_timestamp(),
  edited_at timestamptz,
  closed_at timestamptz
);
comment on table private.collaboration_posts is 'Offers and requests of members. Open until closed, at most 60 days.';
comment on column private.collaboration_posts.search_key is 'Result of search_key for title, text and topics.';
comment on column private.collaboration_posts.topic_keys is 'Result of search_key for each topic.';
create index collaboration_posts_open_idx on private.collaboration_posts (created_at desc, id desc) where closed_at is null;
create index collaboration_posts_user_id_idx on private.collaboration_posts (user_id, created_at desc);
alter table private.collaboration_posts enable row level security;

create function private.describe_post(post private.collaboration_posts) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', post.id, 'kind', post.kind, 'title', post.title, 'details', post.details, 'topics', to_jsonb(post.topics),
    'created_at', post.created_at, 'edited_at', post.edited_at, 'ends_at', post.created_at + interval '60 days',
    'is_open', private.is_open_post(post.created_at, post.closed_at)
  )
$$;
comment on function private.describe_post(private.collaboration_posts) is 'What members read of a post, without its author.';

-- people/directory.sql

-- Onboarded members who want to be listed, without administrators. Whether they pay and who has blocked whom is asked
-- at every search.
create table private.directory_entries (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  sort_key text collate "C" not null,
  search_key text collate "C" not null,
  occupation_key text collate "C" not null,
  topic_keys text[] not null
);
comment on table private.directory_entries is 'The members'' directory: a copy to search, kept by triggers.';
comment on column private.directory_entries.sort_key is 'Result of search_key for the name.';
comment on column private.directory_entries.search_key is 'Result of search_key for name, occupation and topics.';
create index directory_entries_order_idx on private.directory_entries (sort_key, user_id);
create index directory_entries_search_key_idx on private.directory_entries using gin (search_key extensions.gin_trgm_ops);
create index directory_entries_occupation_key_idx
  on private.directory_entries using gin (occupation_key extensions.gin_trgm_ops);
create index directory_entries_topic_keys_idx on private.directory_entries using gin (topic_keys);
alter table private.directory_entries enable row level security;

create trigger profiles__update_directory_entry
  after insert or update of first_name, last_name, occupation, role, onboarding_complete on public.profiles
  for each row execute function private.tg_profiles__update_directory_entry();

create trigger notifications__drop_blocked before insert on public.notifications
  for each row when (new.actor_id is not null) execute function private.tg_notifications__drop_blocked();

create trigger profiles__unblock_admin after insert or update of role on public.profiles
  for each row when (new.role = 'admin') execute function private.tg_profiles__unblock_admin();

-- people/profile-choices.sql

-- Whoever has written in a room can be blocked, also after their membership lapsed. The answer is the same whether or not
-- that member has blocked the caller.
create function private.require_other_member(caller uuid, member uuid) returns public.profiles
  language plpgsql stable security definer set search_path = '' as $$
declare
  other public.profiles;
begin
  select p.* into other from public.profiles p where p.id = member and (p.onboarding_complete or p.role = 'admin');
  if not found then
    perform private.fail('FF702', 'There is no such member.');
  end if;
  if member = caller then
    perform private.fail('FF703', 'This is your own profile.');
  end if;
  return other;
end
$$;
comment on function private.require_other_member(uuid, uuid) is 'The profile of another account that was onboarded; FF702 without one, FF703 for the caller''s own.';

-- people/unlisted.sql
comment on policy select_self_or_member on public.profiles is
  'One''s own, and among members those who are listed or who act where the reader may look. Administrators read all.';

-- profiles/deletion.sql

create trigger profiles__record_deletion after delete on public.profiles
  for each row execute function private.tg_profiles__record_deletion();

-- profiles/names.sql

create trigger profiles__check_names before insert or update of first_name, last_name on public.profiles
  for each row execute function private.tg_profiles__check_names();

-- profiles/pictures.sql

-- There is no policy for update, so no client replaces a picture. Deleting needs to see the row.
create policy insert_own_profile_picture on storage.objects for insert to authenticated
  with check (
    bucket_id = 'profile-pictures'
    and name ~ ('^' || (select auth.uid())::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
    and (select private.caller_is_member())
  );

-- reports/comment.sql

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
  select c.user_id, jsonb_build_object('content', c.content), jsonb_build_object('submission_id', s.id, 'title', s.title)
  from public.learning_submission_comments c join public.learning_submissions s on s.id = c.submission_id where c.id = subject
$$;
comment on function private.reported_comment(uuid) is 'A comment and the submission that it stands under.';

-- reports/direct-message.sql

-- Reports of direct messages. Administrators read what was reported, up to five messages before it, and nothing else of a conversation.

-- A block by the caller does not matter: one may block first and report then.
create function private.reportable_direct_message(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
declare
  it private.reported;
  asked public.direct_messages;
begin
  perform private.require_member();
  select m.* into asked from public.direct_messages m
  where m.id = subject and m.deleted_at is null and exists (
    select from private.direct_conversations c where c.id = m.conversation_id and caller in (c.first_id, c.second_id)
  );
  if not found then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  it := private.reported_direct_message(subject);
  it.snapshot := it.snapshot || jsonb_build_object('context', coalesce((
    select jsonb_agg(jsonb_build_object(
      'author_id', e.user_id, 'content', e.content, 'created_at', e.created_at
    ) order by e.created_at, e.id desc)
    from (
      select m.* from public.direct_messages m
      where m.conversation_id = asked.conversation_id and m.deleted_at is null
        and (m.created_at < asked.created_at or (m.created_at = asked.created_at and m.id > asked.id))
      order by m.created_at desc, m.id limit 5
    ) e
  ), '[]'));
  return it;
end
$$;
comment on function private.reportable_direct_message(uuid, uuid) is
  'A message of the caller''s conversations with up to five before it; raises FF316 or FF700.';

create function private.reported_direct_message(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select m.user_id, jsonb_build_object('content', m.content), jsonb_build_object('is_deleted', m.deleted_at is not null)
  from public.direct_messages m where m.id = subject
$$;
comment on function private.reported_direct_message(uuid) is 'A direct message without its conversation.';

-- reports/message.sql

-- Reports of messages in rooms: by those who may read the room. Who may not is not told that there is such a message.
create function private.reportable_message(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_visible_message(subject);
  return private.reported_message(subject);
end
$$;
comment on function private.reportable_message(uuid, uuid) is 'A message the caller can see; raises FF316.';

-- The picture is kept until the decision, also when the author deletes the message.
create function private.reported_message(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select m.user_id, jsonb_build_object('content', m.content, 'picture', m.picture, 'picture_alt', m.picture_alt),
    jsonb_build_object('room_id', c.id, 'room_name', c.name, 'is_deleted', m.deleted_at is not null)
  from public.chat_messages m join public.chat_rooms c on c.id = m.chat_room_id where m.id = subject
$$;
comment on function private.reported_message(uuid) is 'A message with its picture.';

-- reports/post.sql

-- Reports of Collaborate posts, also after blocking their author.
create function private.reportable_post(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
declare
  it private.reported;
begin
  perform private.require_member();
  perform from private.collaboration_posts p
  where p.id = subject and private.is_open_post(p.created_at, p.closed_at) and private.effective_level(p.user_id) > 0
    and not exists (select from private.member_blocks b where b.user_id = p.user_id and b.blocked_id = caller)
    and not exists (select from auth.users u where u.id = p.user_id and u.banned_until > now());
  if not found then
    perform private.fail('FF833', 'This post is no longer there.');
  end if;
  it := private.reported_post(subject);
  if it.author_id = caller then
    perform private.fail('FF834', 'You can close your own post; there is no need to report it.');
  end if;
  return it;
end
$$;
comment on function private.reportable_post(uuid, uuid) is 'An open post of another member; raises FF700, FF833 or FF834.';

create function private.reported_post(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select p.user_id, jsonb_build_object('content', p.title || E'\n\n' || p.details), '{}'::jsonb
  from private.collaboration_posts p where p.id = subject
$$;
comment on function private.reported_post(uuid) is 'A post, its title above its text.';

-- reports/profile.sql

-- Reports of members, which keep every text of the profile. A suspension or taking a picture away are acts of their own.
create function private.reportable_profile(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_member();
  perform private.require_other_member(caller, subject);
  return private.reported_profile(subject);
end
$$;
comment on function private.reportable_profile(uuid, uuid) is 'The profile of another member; raises FF700, FF702 or FF703.';

create function private.reported_profile(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select p.id, jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'bio', p.bio,
    'topics', coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = p.id), '[]')
  ), '{}'::jsonb
  from public.profiles p where p.id = subject
$$;
comment on function private.reported_profile(uuid) is 'Every text that a member writes on a profile.';

-- reports/reports.sql

-- Reports by members, whatever they are about. A kind of report is a column here, its line in private.report_kinds, and a file of its
-- own in this folder with four functions, which the functions here call by the name of the kind:
--
--   reportable_<kind>(subject, caller)  who may report it: raises the code of what the caller may not see or not report
--   reported_<kind>(subject)            whose it is, what a report keeps of it, and where it is; as it is now
--   lock_reported_<kind>(subject)       locks it before its reports, in the order in which its removal locks
--   remove_reported_<kind>(subject)     takes it away
create table private.reports (
  id bigint generated always as identity primary key,
  kind text not null,
  subject_id uuid not null,
  message_id uuid references public.chat_messages (id) on delete cascade,
  direct_message_id uuid references public.direct_messages (id) on delete cascade,
  post_id uuid references private.collaboration_posts (id) on delete cascade,
  submission_id uuid references public.learning_submissions (id) on delete cascade,
  comment_id uuid references public.learning_submission_comments (id) on delete cascade,
  profile_id uuid references public.profiles (id) on delete cascade,
  author_id uuid not null,
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  snapshot jsonb not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint reports_decision_check check (decision in ('keep', 'remove', 'clear')),
  constraint reports_subject_check check (
    num_nonnulls(message_id, direct_message_id, post_id, submission_id, comment_id, profile_id) = 1
    and subject_id is not distinct from case kind
      when 'message' then message_id
      when 'direct_message' then direct_message_id
      when 'post' then post_id
      when 'submission' then submission_id
      when 'comment' then comment_id
      when 'profile' then profile_id
    end
  ),
  constraint reports_resolved_check check ((resolved_at is null) = (decision is null)),
  constraint reports_reason_check check (char_length(reason) between 1 and 2000)
);
comment on table private.reports is 'Reports; by one member of one thing only one is open. They go with what they are about and with either account.';
comment on column private.reports.subject_id is 'What it is about, also in the column of its kind, which refers to it.';
comment on column private.reports.author_id is
  'Whose it is, and goes with. No foreign key: it would lock the account after what is reported, and a deletion locks them the other way.';
comment on column private.reports.user_id is 'Who reported it.';
comment on column private.reports.snapshot is
  'What was reported as it was then, in case it is edited or deleted; emptied with the decision where report_kinds says so.';
create unique index reports_open_key on private.reports (kind, subject_id, user_id) where resolved_at is null;
create index reports_waiting_idx on private.reports (created_at) where resolved_at is null;
create index reports_message_id_idx on private.reports (message_id);
create index reports_direct_message_id_idx on private.reports (direct_message_id);
create index reports_post_id_idx on private.reports (post_id);
create index reports_submission_id_idx on private.reports (submission_id);
create index reports_comment_id_idx on private.reports (comment_id);
create index reports_profile_id_idx on private.reports (profile_id);
create index reports_author_id_idx on private.reports (author_id);
create index reports_user_id_idx on private.reports (user_id);
alter table private.reports enable row level security;

-- search/community.sql

create trigger learning_submissions__index
  after insert or update of submission_type, title, content on public.learning_submissions
  for each row execute function private.tg_learning_submissions__index();

create trigger learning_submissions__unindex after delete on public.learning_submissions
  for each row execute function private.tg_learning_submissions__unindex();

-- search/messages.sql

-- Search over the messages of the rooms one may read. The documents are stored apart from the messages, so that a like does
-- not index a text again and the rows that Realtime reads stay small. Rights are checked at every search.
create table private.message_search_documents (
  message_id uuid primary key references public.chat_messages (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  created_at timestamptz not null,
  document tsvector not null
);
comment on table private.message_search_documents is 'Words of the messages that are not deleted; kept by triggers on chat_messages.';
create index message_search_documents_document_idx on private.message_search_documents using gin (document);
create index message_search_documents_room_idx on private.message_search_documents (chat_room_id, created_at desc, message_id);
alter table private.message_search_documents enable row level security;

create function private.index_message(message public.chat_messages)
  returns void language plpgsql security definer set search_path = '' as $$
begin
  insert into private.message_search_documents (message_id, chat_room_id, created_at, document)
  values (message.id, message.chat_room_id, message.created_at, private.words_vector(message.content, 'D', 900000))
  on conflict (message_id) do update set document = excluded.document;
end
$$;
comment on function private.index_message(public.chat_messages) is 'Updates the search document of a message.';

create trigger chat_messages__index_sent after insert on public.chat_messages
  for each row execute function private.tg_chat_messages__index();

create trigger chat_messages__index_changed after update of content, deleted_at on public.chat_messages
  for each row when (new.content is distinct from old.content) execute function private.tg_chat_messages__index();

-- search/search.sql

create trigger articles__index
  after insert or update of title, excerpt, content, tags, is_published, subcategory_id, author_id on public.articles
  for each row execute function private.tg_articles__index();

create trigger articles__unindex after delete on public.articles
  for each row execute function private.tg_articles__unindex();

create trigger courses__index
  after insert or update of title, description, difficulty_level, is_published, subcategory_id, mentor_id on public.courses
  for each row execute function private.tg_courses__index();

create trigger courses__unindex after delete on public.courses
  for each row execute function private.tg_courses__unindex();

-- selling/bought-courses.sql

-- What buyers read: the courses they bought, by functions of their own, so that no policy of the library opens for them.
create table private.bought_lessons (
  user_id uuid not null references auth.users (id) on delete cascade,
  module_id uuid not null references public.course_modules (id) on delete cascade,
  completed_at timestamptz not null default now(),
  primary key (user_id, module_id)
);
comment on table private.bought_lessons is 'Lessons that buyers completed. They count for levels only once a member enrols in the course.';
create index bought_lessons_module_id_idx on private.bought_lessons (module_id);
alter table private.bought_lessons enable row level security;

create trigger course_enrollments__bring_bought after insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__bring_bought();

-- selling/offers.sql

-- Courses that their mentors sell beyond the membership: what the public page shows. docs/subsystems/selling.md.
create table private.course_offers (
  course_id uuid primary key references public.courses (id) on delete cascade,
  slug text not null unique constraint course_offers_slug_check
    check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) between 3 and 80),
  outcomes text[] not null constraint course_offers_outcomes_check check (cardinality(outcomes) between 1 and 8),
  free_module_id uuid not null references public.course_modules (id) on delete cascade,
  is_on_sale boolean not null,
  changed_at timestamptz not null default now(),
  ended_at timestamptz,
  ended_reason text,
  constraint course_offers_ended_at_check check (ended_at is null or not is_on_sale),
  constraint course_offers_ended_reason_check check (
    (ended_at is null) = (ended_reason is null) and char_length(ended_reason) between 1 and 500
  )
);
comment on table private.course_offers is 'Courses with a sale page at /c/{slug}. The price is the course''s.';
comment on column private.course_offers.outcomes is 'What one learns, a line each.';
comment on column private.course_offers.free_module_id is 'The lesson that visitors read in full.';
comment on column private.course_offers.ended_at is
  'When an administrator ended the sale; until one allows it again its mentor cannot put the course on sale. Null for a sale that the mentor ended.';
comment on column private.course_offers.ended_reason is 'Why, as the mentor reads it.';
create index course_offers_free_module_id_idx on private.course_offers (free_module_id);
alter table private.course_offers enable row level security;

-- Addresses under which a course has been on sale. Nobody else's course ever takes the links that were given away.
create table private.course_addresses (
  slug text primary key,
  course_id uuid references public.courses (id) on delete set null
);
comment on table private.course_addresses is 'Addresses that sale pages have had. Rows are only ever added.';
comment on column private.course_addresses.course_id is 'The course that may have it again; null once the course is gone.';
create index course_addresses_course_id_idx on private.course_addresses (course_id);

reset check_function_bodies;
