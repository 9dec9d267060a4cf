-- Part 24 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

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
alter table private.course_addresses enable row level security;

create trigger course_offers__keep_address after insert or update of slug, is_on_sale on private.course_offers
  for each row when (new.is_on_sale) execute function private.tg_course_offers__keep_address();

-- A sale pauses while the course is withdrawn or free, its subcategory or its free lesson is hidden, or its mentor is suspended or no
-- mentor with a live membership.
create view private.open_course_offers with (security_invoker = true) as
select o.course_id, o.slug, o.outcomes, o.free_module_id, c.mentor_id, c.title, (c.price * 100)::integer as price_pence
from private.course_offers o
join public.courses c on c.id = o.course_id
join public.profiles p on p.id = c.mentor_id
where o.is_on_sale and c.is_published and c.price between 1 and 5000
  and p.role in ('mentor', 'admin') and private.effective_level(p.id) >= 1
  and exists (select from public.subcategories s where s.id = c.subcategory_id and s.is_active)
  and exists (select from public.course_modules m where m.id = o.free_module_id and m.course_id = o.course_id and m.is_published)
  and not exists (select from auth.users u where u.id = p.id and (u.banned_until > now() or u.deleted_at is not null));
comment on view private.open_course_offers is 'Offers that can be bought now.';

-- selling/purchases.sql

create table private.course_purchases (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid references public.courses (id) on delete set null,
  course_title text not null,
  amount_pence integer not null constraint course_purchases_amount_check check (amount_pence > 0),
  seller_id uuid not null,
  share_basis_points integer not null,
  referral_basis_points integer not null,
  state text not null default 'working' constraint course_purchases_state_check
    check (state in ('working', 'unknown', 'needs_action', 'paid', 'failed', 'abandoned')),
  payment_intent_id text unique,
  lease_until timestamptz not null default clock_timestamp() + interval '60 seconds',
  created_at timestamptz not null default clock_timestamp(),
  checked_at timestamptz not null default clock_timestamp(),
  -- Buyers read the version that they bought and move on by choice, as members do. What they complete counts wherever it was completed.
  course_version integer not null default 1
);
comment on table private.course_purchases is 'Attempts at buying a course; the id is also the idempotency key at the card provider.';
comment on column private.course_purchases.course_title is 'As it was when it was bought, for the receipt.';
comment on column private.course_purchases.seller_id is 'The mentor in the ledger; references affiliates while the account exists.';
comment on column private.course_purchases.share_basis_points is 'The mentor''s share, as the terms were.';
comment on column private.course_purchases.referral_basis_points is 'The share of the member whose link brought the buyer, likewise.';
comment on column private.course_purchases.state is 'As in billing_attempts. Whether the course may be read is in live_course_purchases.';
comment on column private.course_purchases.payment_intent_id is 'Recorded before any money moves; only a recorded payment is ever confirmed.';
comment on column private.course_purchases.lease_until is 'Until then a working attempt counts as running.';
comment on column private.course_purchases.checked_at is 'When it last changed or was compared with the provider.';
comment on column private.course_purchases.course_version is 'The version the buyer takes; older than the course''s own when a newer one has come out.';
create unique index course_purchases_one_open on private.course_purchases (user_id) where state in ('working', 'unknown', 'needs_action');
create index course_purchases_user_id_idx on private.course_purchases (user_id, created_at desc);
create index course_purchases_course_id_idx on private.course_purchases (course_id);
create index course_purchases_checked_at_idx on private.course_purchases (checked_at) where state <> 'failed';
alter table private.course_purchases enable row level security;

create view private.live_course_purchases with (security_invoker = true) as
select p.id, p.user_id, p.course_id
from private.course_purchases p join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
where not c.is_refunded and coalesce(c.dispute, 'won') = 'won';
comment on view private.live_course_purchases is 'Purchases that are paid, not refunded in full and not disputed: whose course the buyer reads.';

-- studio/analytics-of-articles.sql

-- An article's share of readers who read it to the end, beside the mentor's other articles and the category, as courses have it.
-- A median of fewer than five articles would tell too much about each of them.
create function private.article_comparison(own public.articles) returns jsonb
  language sql stable set search_path = '' as $$
  with others as materialized (
    select a.id, a.author_id = own.author_id is true as is_own, s.main_category = o.main_category as is_near, n.readers
    from public.articles a
    join public.subcategories s on s.id = a.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    cross join lateral (select count(*) as readers from public.article_opens p where p.article_id = a.id) n
    where a.id <> own.id and a.is_published and n.readers > 0
      and (s.main_category = o.main_category or a.author_id = own.author_id)
  ), finished as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'read' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.readers as rate
    from others o left join finished d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_articles', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$$;
comment on function private.article_comparison(public.articles) is
  'Median share of readers who read to the end, in per cent: of the mentor''s other articles, and of at least five others of the category.';

-- studio/analytics.sql

create function private.require_own_course(course uuid) returns public.courses
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_mentor();
  own public.courses;
begin
  select c.* into own from public.courses c where c.id = course and (c.mentor_id = caller or private.caller_is_admin());
  if not found then
    perform private.fail('FF740', 'There is no such course.');
  end if;
  return own;
end
$$;
comment on function private.require_own_course(uuid) is 'A course of the caller, any for administrators; raises FF650 or FF740.';

-- A median of fewer than five courses would tell too much about each of them.
create function private.course_comparison(own public.courses) returns jsonb
  language sql stable set search_path = '' as $$
  with others as materialized (
    select c.id, c.enrollment_count, c.mentor_id = own.mentor_id is true as is_own, s.main_category = o.main_category as is_near
    from public.courses c
    join public.subcategories s on s.id = c.subcategory_id
    join public.subcategories o on o.id = own.subcategory_id
    where c.id <> own.id and c.is_published and c.enrollment_count > 0
      and (s.main_category = o.main_category or c.mentor_id = own.mentor_id)
  ), completed as (
    select f.content_id, sum(f.amount) as members
    from private.content_figures((select array_agg(id) from others)) f where f.event = 'completion' group by f.content_id
  ), rates as (
    select o.is_own, o.is_near, 100.0 * coalesce(d.members, 0) / o.enrollment_count as rate
    from others o left join completed d on d.content_id = o.id
  )
  select jsonb_build_object(
    'own_courses', count(*) filter (where r.is_own),
    'own_rate', round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_own))::numeric),
    'category_rate', case when count(*) filter (where r.is_near) >= 5
      then round((percentile_cont(0.5) within group (order by r.rate) filter (where r.is_near))::numeric) end
  )
  from rates r
$$;
comment on function private.course_comparison(public.courses) is
  'Median share of members who completed, in per cent: of the mentor''s other courses, and of at least five others of the category.';

-- studio/content-days.sql

create trigger article_reads__uncount after delete on public.article_reads
  referencing old table as gone for each statement execute function private.tg_article_reads__uncount();

create trigger course_enrollments__uncount after delete on public.course_enrollments
  referencing old table as gone for each statement execute function private.tg_course_enrollments__uncount();

create trigger module_completions__uncount after delete on public.module_completions
  referencing old table as gone for each statement execute function private.tg_module_completions__uncount();

-- studio/course-versions.sql

-- The lessons themselves are kept as rows, hidden when they are gone. Here is how each looked, so nothing is shown that was not published.
create table private.course_versions (
  course_id uuid not null references public.courses (id) on delete cascade,
  version integer not null,
  modules jsonb not null,
  replaced_at timestamptz not null default clock_timestamp(),
  primary key (course_id, version)
);
comment on table private.course_versions is 'Versions of courses that were replaced by a newer one. Added, never changed.';
comment on column private.course_versions.modules is 'The lessons in their order, with their ids.';
alter table private.course_versions enable row level security;

create trigger course_enrollments__begin_version before insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__begin_version();

-- studio/drafts.sql

-- The studio: what mentors write before it is in the library. Every save is a version. Written by functions only.
create table public.drafts (
  id uuid primary key default gen_random_uuid(),
  owner_id uuid not null references public.profiles (id) on delete cascade,
  kind text not null constraint drafts_kind_check check (kind in ('article', 'course')),
  status text not null default 'draft' constraint drafts_status_check
    check (status in ('draft', 'submitted', 'returned', 'scheduled', 'published', 'withdrawn', 'archived')),
  title text not null,
  version integer not null default 1 constraint drafts_version_check check (version > 0),
  submitted_at timestamptz,
  publish_at timestamptz,
  approved_by uuid references public.profiles (id) on delete set null,
  published_version integer,
  published_at timestamptz,
  article_id uuid unique references public.articles (id) on delete set null,
  course_id uuid unique references public.courses (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint drafts_schedule_check check (status <> 'scheduled' or publish_at is not null),
  constraint drafts_kind_of_work_check check (case kind when 'article' then course_id is null else article_id is null end)
);
grant select, insert, update, delete on public.drafts to service_role;
grant select (id, owner_id, kind, status, title, version, submitted_at, publish_at, published_version, published_at, article_id,
    course_id, created_at, updated_at)
  on public.drafts to authenticated;
comment on table public.drafts is 'Articles and courses that members write, each with its place in the review.';
comment on column public.drafts.status is 'scheduled: approved, and published at publish_at. Later edits of published work begin a new round.';
comment on column public.drafts.title is 'Title of the newest version.';
comment on column public.drafts.version is 'Number of the newest version.';
comment on column public.drafts.publish_at is 'When a scheduled version is published.';
comment on column public.drafts.approved_by is 'Administrator who approved the version; null when a trusted mentor published it.';
comment on column public.drafts.published_version is 'The version members read, also while it is withdrawn.';
comment on column public.drafts.article_id is 'The article of the library this was published as.';
comment on column public.drafts.course_id is 'The course of the library this was published as.';
create index drafts_owner_id_idx on public.drafts (owner_id, updated_at desc);
create index drafts_approved_by_idx on public.drafts (approved_by);
create index drafts_queue_idx on public.drafts (status, submitted_at);
alter table public.drafts enable row level security;

create table public.draft_versions (
  draft_id uuid not null references public.drafts (id) on delete cascade,
  version integer not null constraint draft_versions_version_check check (version > 0),
  saved_by uuid references public.profiles (id) on delete set null,
  saved_at timestamptz not null default clock_timestamp(),
  title text not null constraint draft_versions_title_check check (char_length(title) <= 200),
  subcategory_id uuid references public.subcategories (id),
  slug text not null default '' constraint draft_versions_slug_check check (char_length(slug) <= 120),
  excerpt text not null default '' constraint draft_versions_excerpt_check check (char_length(excerpt) <= 2000),
  tags text[] not null default '{}' constraint draft_versions_tags_check
    check (cardinality(tags) <= 10 and octet_length(array_to_string(tags, '')) <= 2000),
  content text not null default '' constraint draft_versions_content_check check (octet_length(content) <= 204800),
  difficulty_level text not null default 'beginner' constraint draft_versions_difficulty_level_check
    check (difficulty_level in ('beginner', 'intermediate', 'advanced')),
  price numeric(10, 2) not null default 0 constraint draft_versions_price_check check (price >= 0 and price < 1000000),
  modules jsonb not null default '[]' constraint draft_versions_modules_check
    check (jsonb_typeof(modules) = 'array' and jsonb_array_length(modules) <= 60 and octet_length(modules::text) <= 1000000),
  cover text,
  primary key (draft_id, version),
  constraint draft_versions_cover_check check (
    cover ~ '^/storage/v1/object/public/content-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|png)$'
  )
);
grant select, insert, update, delete on public.draft_versions to service_role;
grant select (draft_id, version, saved_by, saved_at, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price,
    modules, cover)
  on public.draft_versions to authenticated;
comment on table public.draft_versions is 'Every saved version of a draft. Versions are added, never changed.';
comment on column public.draft_versions.excerpt is 'Excerpt of an article, description of a course.';
comment on column public.draft_versions.content is 'Markdown of an article; empty for a course.';
comment on column public.draft_versions.price is 'Pounds, for courses.';
comment on column public.draft_versions.modules is
  'Modules of a course in order, each with slug, title, content (Markdown), minutes and video_url.';
comment on column public.draft_versions.cover is
  'Path of an object of the owner in the bucket content-pictures, without an origin; null for the drawn cover.';
create index draft_versions_saved_by_idx on public.draft_versions (saved_by);
create index draft_versions_subcategory_id_idx on public.draft_versions (subcategory_id);
alter table public.draft_versions enable row level security;

create table public.draft_comments (
  id uuid primary key default gen_random_uuid(),
  draft_id uuid not null,
  version integer not null,
  author_id uuid references public.profiles (id) on delete set null,
  quote text not null default '' constraint draft_comments_quote_check check (char_length(quote) <= 500),
  comment text not null constraint draft_comments_comment_check check (char_length(btrim(comment)) between 1 and 2000),
  created_at timestamptz not null default clock_timestamp(),
  foreign key (draft_id, version) references public.draft_versions (draft_id, version) on delete cascade
);
grant select, insert, update, delete on public.draft_comments to service_role;
grant select (id, draft_id, version, quote, comment, created_at) on public.draft_comments to authenticated;
comment on table public.draft_comments is 'What reviewers wrote about a version of a draft.';
comment on column public.draft_comments.author_id is
  'The administrator, whom the audit log names and members are not told; null when the server wrote it.';
comment on column public.draft_comments.quote is 'The words of the version that the comment is about; empty for the whole.';
create index draft_comments_draft_id_idx on public.draft_comments (draft_id, version);
create index draft_comments_author_id_idx on public.draft_comments (author_id);
alter table public.draft_comments enable row level security;

create policy select_own_or_admin on public.drafts for select to authenticated
  using (owner_id = (select auth.uid()) or (select private.caller_is_admin()));

create policy select_own_or_admin on public.draft_versions for select to authenticated
  using (draft_id in (select private.caller_drafts()) or (select private.caller_is_admin()));

create policy select_own_or_admin on public.draft_comments for select to authenticated
  using (draft_id in (select private.caller_drafts()) or (select private.caller_is_admin()));

-- studio/files.sql

create function private.find_duplicate_draft(mentor uuid, kind text, written public.draft_versions) returns uuid
  language sql stable set search_path = '' as $$
  select d.id
  from public.drafts d
  join public.draft_versions v on v.draft_id = d.id and v.version = d.version
  left join public.subcategories s on s.id = v.subcategory_id
  left join public.subcategories w on w.id = (written).subcategory_id
  where d.owner_id = mentor and d.kind = find_duplicate_draft.kind
    -- Texts of two categories may share an address.
    and (s.main_category = w.main_category or s.id is null or w.id is null)
    and (v.slug = (written).slug and v.slug <> '' or lower(v.title) = lower((written).title) and v.title <> '')
  order by v.slug = (written).slug desc, d.updated_at desc, d.id
  limit 1
$$;
comment on function private.find_duplicate_draft(uuid, text, public.draft_versions) is
  'A draft of the mentor with the same address or title in the same category; null when there is none.';

-- studio/notifications.sql

create trigger drafts__notify after update of status on public.drafts
  for each row execute function private.tg_drafts__notify();

create trigger articles__notify_withdrawal after update of is_published on public.articles
  for each row when (old.is_published and not new.is_published) execute function private.tg_articles__notify_withdrawal();

create trigger courses__notify_withdrawal after update of is_published on public.courses
  for each row when (old.is_published and not new.is_published) execute function private.tg_courses__notify_withdrawal();

-- studio/pictures.sql

-- A review is about exactly this picture.
create trigger storage_objects__keep_content_pictures before update on storage.objects
  for each row when (old.bucket_id = 'content-pictures' or new.bucket_id = 'content-pictures')
  execute function private.tg_storage_objects__keep_content();

reset check_function_bodies;
