-- Part 25 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/review.sql

create function private.require_ready(d public.drafts) returns void
  language plpgsql stable set search_path = '' as $$
declare
  issues jsonb := (
    select private.draft_issues(d, v) from public.draft_versions v where v.draft_id = d.id and v.version = d.version
  );
begin
  if issues <> '[]' then
    perform private.fail('FF654', 'This cannot be published yet.', issues::text);
  end if;
end
$$;
comment on function private.require_ready(public.drafts) is 'Raises FF654 with what the newest version still needs in details.';

create function private.require_draft_owner_or_admin(d public.drafts) returns uuid
  language plpgsql stable set search_path = '' as $$
begin
  if d.owner_id = auth.uid() then
    return d.owner_id;
  end if;
  return private.require_verified_admin();
end
$$;
comment on function private.require_draft_owner_or_admin(public.drafts) is
  'The caller, who is the owner or an administrator with a second factor; FF002 or FF005 for others.';

-- What owners do with their own drafts before they are published concerns nobody else, so only an administrator's acts are audited.
create function private.audit_draft_of_other(former public.drafts, action text) returns void
  language sql volatile set search_path = '' as $$
  select private.audit(auth.uid(), action, former.owner_id, jsonb_build_object(
    'draft', former.id, 'version', former.version,
    'before', jsonb_build_object('status', former.status), 'after', jsonb_build_object('status', d.status)
  ))
  from public.drafts d where d.id = former.id and d.owner_id <> auth.uid()
$$;
comment on function private.audit_draft_of_other(public.drafts, text) is
  'Audits how the status of a draft was changed, unless its owner did it.';

-- studio/saving.sql

-- A draft of another account does not exist for the caller.
create function private.lock_draft(draft uuid, expected_version integer, allowed text[]) returns public.drafts
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_draft public.drafts;
begin
  select d.* into found_draft from public.drafts d
  where d.id = draft and (d.owner_id = auth.uid() or private.caller_is_admin()) for update;
  if not found then
    perform private.fail('FF651', 'There is no such draft.');
  end if;
  if expected_version is distinct from found_draft.version then
    perform private.fail('FF652', 'There is a newer version of this draft.', found_draft.version::text);
  end if;
  if found_draft.status <> all (allowed) then
    perform private.fail('FF653', 'The draft is in another state.', found_draft.status);
  end if;
  return found_draft;
end
$$;
comment on function private.lock_draft(uuid, integer, text[]) is
  'Locks a draft of the caller, or any for administrators; FF651, FF652 for another version, FF653 for another status.';

create function private.draft_from(kind text, fields jsonb) returns public.draft_versions
  language plpgsql stable set search_path = '' as $$
declare
  read public.draft_versions;
begin
  read.title := btrim(coalesce(fields ->> 'title', ''));
  read.subcategory_id := (fields ->> 'subcategory_id')::uuid;
  read.slug := btrim(coalesce(fields ->> 'slug', ''));
  read.excerpt := btrim(coalesce(fields ->> 'excerpt', ''));
  read.tags := array(
    select t.tag from jsonb_array_elements_text(
      case jsonb_typeof(fields -> 'tags') when 'array' then fields -> 'tags' else '[]' end
    ) with ordinality t (tag, place)
    where kind = 'article' order by t.place
  );
  read.content := case kind when 'article' then coalesce(fields ->> 'content', '') else '' end;
  read.difficulty_level := coalesce(fields ->> 'difficulty_level', 'beginner');
  read.price := case kind when 'course' then coalesce((fields ->> 'price')::numeric, 0) else 0 end;
  read.modules := case kind when 'course' then private.draft_modules(fields -> 'modules') else '[]' end;
  read.cover := nullif(fields ->> 'cover', '');
  -- Only its owner writes a draft.
  if read.cover is not null and starts_with(private.content_picture_name(read.cover), auth.uid() || '-') is not true then
    perform private.fail('FF658', 'The cover is not a picture you have uploaded here.');
  end if;
  return read;
end
$$;
comment on function private.draft_from(text, jsonb) is
  'The text and metadata of a draft, from the object its owner sends; FF658 for a cover that is not a picture of the owner.';

create function private.add_draft_version(draft uuid, version integer, written public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into public.draft_versions (
    draft_id, version, saved_by, title, subcategory_id, slug, excerpt, tags, content, difficulty_level, price, modules, cover
  ) values (
    draft, add_draft_version.version, auth.uid(), (written).title, (written).subcategory_id, (written).slug,
    (written).excerpt, (written).tags, (written).content, (written).difficulty_level, (written).price, (written).modules,
    (written).cover
  );
  update public.drafts d set version = add_draft_version.version, title = (written).title, updated_at = clock_timestamp()
  where d.id = draft
$$;
comment on function private.add_draft_version(uuid, integer, public.draft_versions) is 'Adds a version of a draft, saved by the caller.';

create function private.is_same_version(one public.draft_versions, other public.draft_versions) returns boolean
  language sql immutable set search_path = '' as $$
  select ((one).title, (one).subcategory_id, (one).slug, (one).excerpt, (one).tags, (one).content, (one).difficulty_level,
      (one).price, (one).modules, (one).cover)
    is not distinct from ((other).title, (other).subcategory_id, (other).slug, (other).excerpt, (other).tags,
      (other).content, (other).difficulty_level, (other).price, (other).modules, (other).cover)
$$;
comment on function private.is_same_version(public.draft_versions, public.draft_versions) is 'True when text and metadata are the same.';

-- studio/student-nudges.sql

-- A mentor reminds a student who paused a course. Nobody has a privilege on the table.
create table private.student_nudges (
  course_id uuid not null references public.courses (id) on delete cascade,
  student_id uuid not null references public.profiles (id) on delete cascade,
  nudged_at timestamptz not null default clock_timestamp(),
  primary key (course_id, student_id)
);
comment on table private.student_nudges is 'When a student of a course was reminded of it last.';
create index student_nudges_student_id_idx on private.student_nudges (student_id);
alter table private.student_nudges enable row level security;

-- submissions/rules.sql

create trigger learning_submissions__guard_insert before insert on public.learning_submissions
  for each row execute function private.tg_learning_submissions__guard_insert();

create trigger learning_submissions__limit_rate before insert on public.learning_submissions
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submissions__limit_rate();

create trigger learning_submission_likes__limit_rate before insert on public.learning_submission_likes
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submission_likes__limit_rate();

create trigger learning_submission_comments__guard_insert before insert on public.learning_submission_comments
  for each row execute function private.tg_learning_submission_comments__guard_insert();

create trigger learning_submission_comments__limit_rate before insert on public.learning_submission_comments
  for each row when (private.is_outside_caller()) execute function private.tg_learning_submission_comments__limit_rate();

-- achievements/achievements.sql

create trigger module_completions__note_week after insert on public.module_completions
  for each row execute function private.tg_module_completions__note_week();

create trigger pacts__award after update of outcome on private.pacts
  for each row when (old.outcome is null and new.outcome = 'success') execute function private.tg_pacts__award();

-- achievements/certificates.sql

create table private.certificates (
  id uuid primary key default gen_random_uuid(),
  code text not null unique default private.new_public_code(),
  user_id uuid not null references auth.users (id) on delete cascade,
  course_id uuid references public.courses (id) on delete set null,
  mentor_id uuid references public.profiles (id) on delete set null,
  member_name text not null,
  course_title text not null,
  mentor_name text,
  completed_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by uuid references auth.users (id) on delete set null,
  revoked_reason text,
  constraint certificates_course_key unique (user_id, course_id),
  constraint certificates_mentor_check check (mentor_id is not null or mentor_name is null),
  constraint certificates_revoked_check check ((revoked_at is null) = (revoked_reason is null))
);
comment on table private.certificates is 'Certificates of finished courses, with the names and the title of that day. Written by a trigger.';
comment on column private.certificates.code is 'Opens the public page that verifies it.';
comment on column private.certificates.mentor_name is 'Null for the product''s own courses, and when the mentor''s account was deleted.';
create index certificates_course_id_idx on private.certificates (course_id);
create index certificates_mentor_id_idx on private.certificates (mentor_id);
create index certificates_revoked_by_idx on private.certificates (revoked_by);
alter table private.certificates enable row level security;

create trigger certificates__forget_mentor before update of mentor_id on private.certificates
  for each row when (new.mentor_id is null) execute function private.tg_certificates__forget_mentor();

create trigger course_enrollments__certify after update of completed_at on public.course_enrollments
  for each row when (old.completed_at is null and new.completed_at is not null)
  execute function private.tg_course_enrollments__certify();

-- achievements/notifications.sql

create trigger certificates__notify after insert on private.certificates
  for each row execute function private.tg_certificates__notify();

-- achievements/shared-cards.sql

-- A card that a member shares by their own click: a public address that says one line about them, until they take it back.
create table private.shared_cards (
  code text primary key default private.new_public_code(),
  user_id uuid not null references auth.users (id) on delete cascade,
  achievement text references private.achievement_kinds (key),
  certificate_id uuid unique references private.certificates (id) on delete cascade,
  member_name text not null,
  shared_at timestamptz not null default now(),
  constraint shared_cards_subject_check check (num_nonnulls(achievement, certificate_id) = 1),
  constraint shared_cards_achievement_key unique (user_id, achievement)
);
comment on table private.shared_cards is 'Cards that members share in public. Written by share_card, deleted by stop_sharing.';
comment on column private.shared_cards.code is 'Opens the public page of the card.';
comment on column private.shared_cards.member_name is 'The name when it was shared; that of the certificate for a certificate.';
create index shared_cards_achievement_idx on private.shared_cards (achievement);
alter table private.shared_cards enable row level security;

-- billing/failed-events.sql

-- Failed events are looked up by their id, however many there are, and can be cleared with a reason. Acts at the card provider on
-- coupons are audited before it is asked, and their end afterwards. docs/subsystems/console.md.
create function private.admin_failed_event(event text) returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f where f.event_id = event;
end
$$;
comment on function private.admin_failed_event(text) is 'One event that could not be applied; no row when it was applied since.';
grant execute on function private.admin_failed_event to authenticated;

-- billing/withdrawals.sql

-- The right to withdraw (Consumer Contracts Regulations 2013): within 14 days after the day on which a membership was paid
-- for first, or a course was, the contract is taken back. What was paid is refunded and what it opened ends at once.
create table private.withdrawals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users on delete cascade,
  subscription_id text unique,
  purchase_id uuid unique references private.course_purchases (id) on delete cascade,
  requested_at timestamptz not null default now(),
  settled_at timestamptz,
  constraint withdrawals_subject_check check (num_nonnulls(subscription_id, purchase_id) = 1)
);
create index withdrawals_user_id_idx on private.withdrawals (user_id);
alter table private.withdrawals enable row level security;
comment on table private.withdrawals is 'Memberships and bought courses that were withdrawn from within 14 days. The refunds are in refund_requests.';
comment on column private.withdrawals.settled_at is 'When everything was refunded and the subscription had ended; null while something is left to do.';

-- chat/announcements.sql

-- @everyone in a message of an administrator with a second factor tells every member who may read the room. The message pays one row. The bell
-- joins that row when it is read, and a member gets a notification of their own by reading it, so nothing is ever written
-- for 10,000 members at a time. docs/decisions/028-announcements-without-fan-out.md gives the reasons.
create table private.room_announcements (
  id bigint generated always as identity primary key,
  message_id uuid not null constraint room_announcements_message_id_key unique references public.chat_messages (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.room_announcements is 'Messages of administrators with @everyone, which every member who may read the room is told of.';
create index room_announcements_created_at_idx on private.room_announcements (created_at);
alter table private.room_announcements enable row level security;

create trigger chat_messages__announce after insert or update of content on public.chat_messages
  for each row when (new.content like '%@everyone%') execute function private.tg_chat_messages__announce();

-- chat/likes.sql

-- Likes of messages. user_id references the account, not the profile, so that a message embeds one profile: its author.
create table public.message_likes (
  user_id uuid not null references auth.users (id) on delete cascade,
  message_id uuid not null references public.chat_messages (id) on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (user_id, message_id)
);
grant select, insert, update, delete on public.message_likes to service_role;
grant delete,
  select (user_id, message_id, created_at),
  insert (user_id, message_id)
  on public.message_likes to authenticated;
comment on table public.message_likes is 'Likes of messages; chat_messages.like_count is their number.';
create index message_likes_message_id_idx on public.message_likes (message_id);
alter table public.message_likes enable row level security;

create policy select_own on public.message_likes for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.message_likes for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy delete_own on public.message_likes for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger message_likes__guard_insert before insert on public.message_likes
  for each row execute function private.tg_message_likes__guard_insert();

create trigger message_likes__add_progress_events after insert on public.message_likes
  referencing new table as changed for each statement execute function private.tg_message_likes__add_progress_events();

create trigger message_likes__count_liked after insert on public.message_likes
  referencing new table as changed for each statement execute function private.tg_message_likes__count();

create trigger message_likes__count_unliked after delete on public.message_likes
  referencing old table as changed for each statement execute function private.tg_message_likes__count();

-- chat/mentions.sql

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

-- A row of an id that is there is refused or left out (on conflict do nothing) only after these ran: it names nobody.
-- Their names come after guard_insert and limit_rate: what those refuse names nobody.
create trigger chat_messages__name_members before insert on public.chat_messages
  for each row when (new.mentioned is not null) execute function private.tg_chat_messages__name_members();

-- chat/openings.sql

-- A room that an administrator opens, or opens again, is told to every member who may read it. Like @everyone it costs one row:
-- the bell joins that row when it is read (docs/decisions/028-announcements-without-fan-out.md). What a new level opens is said by
-- the notification about the level.
create table private.room_openings (
  chat_room_id text primary key references public.chat_rooms (id) on delete cascade,
  id uuid not null default gen_random_uuid() constraint room_openings_id_key unique,
  -- Of the line in the bell. One sequence, so that the lines of announcements and openings differ.
  line_id bigint not null default nextval('private.room_announcements_id_seq'),
  opened_by uuid references public.profiles (id) on delete set null,
  created_at timestamptz not null default clock_timestamp()
);
comment on table private.room_openings is 'The last time an administrator opened a room, which every member who may read it is told of.';
create index room_openings_created_at_idx on private.room_openings (created_at);
create index room_openings_opened_by_idx on private.room_openings (opened_by);
alter table private.room_openings enable row level security;

-- foundations/markdown-bounds.sql

create trigger draft_versions__bound_markdown after insert or update of content, modules on public.draft_versions
  for each row execute function private.tg_draft_versions__bound_markdown();

create trigger articles__bound_markdown after insert or update of content on public.articles
  for each row execute function private.tg_articles__bound_markdown();

create trigger course_modules__bound_markdown after insert or update of content on public.course_modules
  for each row execute function private.tg_course_modules__bound_markdown();

-- library/access.sql

create policy select_level_or_own on public.articles for select to authenticated using (
  (is_published and subcategory_id in (select private.caller_subcategories()))
  or author_id = (select auth.uid())
  or (select private.caller_is_admin())
);

create policy update_level on public.articles for update to authenticated using (
  is_published and subcategory_id in (select private.caller_subcategories())
);

create policy select_level_or_own on public.courses for select to authenticated using (
  (is_published and subcategory_id in (select private.caller_subcategories()))
  or mentor_id = (select auth.uid())
  or (select private.caller_is_admin())
);

create policy update_level on public.courses for update to authenticated using (
  is_published and subcategory_id in (select private.caller_subcategories())
);

create policy select_enrolled_or_own on public.course_modules for select to authenticated using (
  (is_published and course_id in (select private.caller_enrolled_courses()))
  or course_id in (select private.caller_own_courses())
  or (select private.caller_is_admin())
);

create policy select_own on public.article_opens for select to authenticated
  using (user_id = (select auth.uid()));

create policy select_own on public.article_reads for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.article_reads for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy select_own on public.course_enrollments for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.course_enrollments for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.course_enrollments for update to authenticated
  using (user_id = (select auth.uid()));

create policy select_own on public.module_completions for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.module_completions for insert to authenticated
  with check (user_id = (select auth.uid()));

-- library/course-films.sql

-- Films of other mentors are refused: who publishes a lesson could otherwise read any film whose name they learn.
create function private.film_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'modules.' || m.place, case when f.stem is null or not starts_with(f.stem, d.owner_id || '-') or not exists (
      select from storage.objects o
      where o.bucket_id = 'course-films' and o.name in (f.stem || '.mp4', f.stem || '.webm')
        and m.module ->> 'video_url' like '%/' || o.name
    ) then 'This film is no longer stored. Upload it again.'
    else 'Add captions to the film.' end
  from jsonb_array_elements(v.modules) with ordinality m (module, place)
  cross join lateral (select private.film_stem(m.module ->> 'video_url')) f (stem)
  where m.module ->> 'video_url' like '/storage/%'
    and (f.stem is null or not starts_with(f.stem, d.owner_id || '-') or 2 <> (
      select count(*) from storage.objects o
      where o.bucket_id = 'course-films'
        and o.name in (f.stem || '.vtt', f.stem || substring(m.module ->> 'video_url' from '\.[a-z0-9]+$'))
    ))
$$;
comment on function private.film_issues(public.drafts, public.draft_versions) is
  'What is wrong with the uploaded films of a course: each has to be stored by its owner, with captions.';

-- library/courses.sql

create trigger courses__keep_counts before update on public.courses
  for each row execute function private.tg_courses__keep_counts();

create trigger course_enrollments__keep_progress before update on public.course_enrollments
  for each row execute function private.tg_course_enrollments__keep_progress();

create trigger course_enrollments__guard_insert before insert on public.course_enrollments
  for each row execute function private.tg_course_enrollments__guard_insert();

create trigger course_enrollments__count_added after insert on public.course_enrollments
  referencing new table as changed
  for each statement execute function private.tg_course_enrollments__count();

create trigger course_enrollments__count_gone after delete on public.course_enrollments
  referencing old table as changed
  for each statement execute function private.tg_course_enrollments__count();

create trigger module_completions__guard_insert before insert on public.module_completions
  for each row execute function private.tg_module_completions__guard_insert();

create trigger module_completions__count after insert on public.module_completions
  referencing new table as added
  for each statement execute function private.tg_module_completions__count();

create trigger course_modules__count_added after insert on public.course_modules
  referencing new table as changed
  for each statement execute function private.tg_course_modules__count();

create trigger course_modules__count_changed after update on public.course_modules
  referencing new table as changed
  for each statement execute function private.tg_course_modules__count();

create trigger course_modules__count_gone after delete on public.course_modules
  referencing old table as changed
  for each statement execute function private.tg_course_modules__count();

-- library/questions.sql

-- Questions under articles and lessons. Members who may read the text ask; its mentor answers, and administrators do.
-- Nobody has a privilege on the table: what one may see and do is decided by the functions below.
create table private.content_questions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  article_id uuid references public.articles (id) on delete cascade,
  module_id uuid references public.course_modules (id) on delete cascade,
  question text not null constraint content_questions_question_check check (char_length(question) between 1 and 1000),
  created_at timestamptz not null default clock_timestamp(),
  answer text constraint content_questions_answer_check check (char_length(answer) between 1 and 4000),
  answered_by uuid references public.profiles (id) on delete set null,
  answered_at timestamptz,
  constraint content_questions_text_check check (num_nonnulls(article_id, module_id) = 1),
  constraint content_questions_answered_check check ((answer is null) = (answered_at is null))
);
comment on table private.content_questions is 'Questions of members under an article or a lesson, each with its answer.';
comment on column private.content_questions.user_id is 'Who asked.';
comment on column private.content_questions.module_id is 'The lesson of a course; null under an article.';
comment on column private.content_questions.answered_by is 'Who answered; null when that account is gone.';
create index content_questions_user_id_idx on private.content_questions (user_id);
create index content_questions_article_id_idx on private.content_questions (article_id, created_at);
create index content_questions_module_id_idx on private.content_questions (module_id, created_at);
create index content_questions_answered_by_idx on private.content_questions (answered_by);
create index content_questions_waiting_idx on private.content_questions (created_at) where answer is null;
alter table private.content_questions enable row level security;

-- library/ratings.sql

-- What members thought of an article they read to its end or a course they completed: 1 to 5, and a sentence for its mentor.
-- Nobody has a privilege on the table: what one may see and do is decided by the functions below.
create table private.content_ratings (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  article_id uuid references public.articles (id) on delete cascade,
  course_id uuid references public.courses (id) on delete cascade,
  stars integer not null constraint content_ratings_stars_check check (stars between 1 and 5),
  sentence text constraint content_ratings_sentence_check check (char_length(sentence) between 1 and 280),
  rated_at timestamptz not null default clock_timestamp(),
  constraint content_ratings_text_check check (num_nonnulls(article_id, course_id) = 1),
  constraint content_ratings_once unique nulls not distinct (user_id, article_id, course_id)
);
comment on table private.content_ratings is 'Ratings of articles and courses, one of each member and text.';
comment on column private.content_ratings.sentence is 'For the mentor alone; null when there is none, or an administrator took it down.';
comment on column private.content_ratings.rated_at is 'When it was given or changed last.';
create index content_ratings_article_id_idx on private.content_ratings (article_id, rated_at desc) include (stars);
create index content_ratings_course_id_idx on private.content_ratings (course_id, rated_at desc) include (stars);
alter table private.content_ratings enable row level security;

create trigger content_ratings__count_added after insert on private.content_ratings
  referencing new table as changed for each statement execute function private.tg_content_ratings__count();

create trigger content_ratings__count_changed after update on private.content_ratings
  referencing new table as changed for each statement execute function private.tg_content_ratings__count();

create trigger content_ratings__count_gone after delete on private.content_ratings
  referencing old table as changed for each statement execute function private.tg_content_ratings__count();

-- library/reading.sql

create trigger articles__count_open before update on public.articles
  for each row execute function private.tg_articles__count_open();

create trigger articles__one_at_a_time after update on public.articles
  referencing new table as opened
  -- Checked in the trigger's condition: when an account is deleted, the auth service's role would run the function, and
  -- that role has no access to the schema private.
  for each statement when (current_user in ('anon', 'authenticated'))
  execute function private.tg_articles__one_at_a_time();

create trigger article_reads__guard_insert before insert on public.article_reads
  for each row execute function private.tg_article_reads__guard_insert();

create trigger article_reads__record after insert on public.article_reads
  for each row execute function private.tg_article_reads__record();

-- notifications/notifications.sql

create trigger message_likes__notify after insert on public.message_likes
  referencing new table as changed for each statement execute function private.tg_message_likes__notify();

-- pacts/notifications.sql

create trigger pact_witnesses__notify after insert or update of accepted on private.pact_witnesses
  for each row execute function private.tg_pact_witnesses__notify();

create trigger pacts__notify after update of closed_at on private.pacts
  for each row when (old.closed_at is null and new.closed_at is not null) execute function private.tg_pacts__notify();

-- reports/outcomes.sql

create trigger reports__notify after update of resolved_at on private.reports for each row
  when (old.resolved_at is null and new.resolved_at is not null) execute function private.tg_reports__notify();

-- selling/bought-versions.sql

create trigger course_purchases__begin_version before insert on private.course_purchases
  for each row execute function private.tg_course_purchases__begin_version();

-- selling/ended-sales.sql

-- The lock on the course is the one of save_course_offer, so a mentor who saves at the same moment is first or refused.
create function private.lock_course_offer(course uuid) returns private.course_offers
  language plpgsql volatile set search_path = '' as $$
declare
  offer private.course_offers;
begin
  perform from public.courses c where c.id = course for no key update;
  select o.* into offer from private.course_offers o where o.course_id = course for no key update;
  return offer;
end
$$;
comment on function private.lock_course_offer(uuid) is 'The sale of a course, locked; all null when there is none.';

create trigger course_offers__notify_end after update of ended_at on private.course_offers
  for each row when (old.ended_at is null and new.ended_at is not null) execute function private.tg_course_offers__notify_end();

-- studio/content-days.sql

create trigger content_questions__uncount after delete on private.content_questions
  referencing old table as gone for each statement execute function private.tg_content_questions__uncount();

-- studio/draft-limits.sql

-- What a row takes beside its texts is counted as 500 bytes.
create function private.version_bytes(v public.draft_versions) returns bigint
  language sql immutable set search_path = '' as $$
  select 500 + octet_length(v.title) + octet_length(v.excerpt) + octet_length(v.content) + octet_length(v.modules::text)
$$;
comment on function private.version_bytes(public.draft_versions) is 'What a version counts against the limit of its mentor.';

create trigger draft_versions__count_added after insert on public.draft_versions
  referencing new table as added for each statement execute function private.tg_draft_versions__count_added();

create trigger draft_versions__count_gone after delete on public.draft_versions
  referencing old table as gone for each statement execute function private.tg_draft_versions__count_gone();

-- Which pictures and films the versions of a draft name is noted with each save, so that scheduled work does not read every version.
create table private.draft_pictures (
  name text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  primary key (name, draft_id)
);
comment on table private.draft_pictures is 'Objects of the bucket content-pictures that a version of a draft shows, as its cover or in a text.';
create index draft_pictures_draft_id_idx on private.draft_pictures (draft_id);
alter table private.draft_pictures enable row level security;

create table private.draft_films (
  stem text not null,
  draft_id uuid not null references public.drafts (id) on delete cascade,
  last_version integer not null,
  primary key (stem, draft_id)
);
comment on table private.draft_films is 'Uploaded films that a version of a draft shows, without their extension.';
comment on column private.draft_films.last_version is 'The newest version that shows it.';
create index draft_films_draft_id_idx on private.draft_films (draft_id);
alter table private.draft_films enable row level security;

create function private.note_version_files(v public.draft_versions) returns void
  language sql volatile set search_path = '' as $$
  insert into private.draft_pictures (name, draft_id)
  select p.name, v.draft_id
  from (
    select private.content_picture_name(v.cover) as name
    union
    select private.text_picture_names(v.content)
    union
    select private.text_picture_names(v.modules::text)
  ) p
  -- Names of nothing would let one text add thousands of rows. A picture is stored before a text can show it.
  join storage.objects o on o.bucket_id = 'content-pictures' and o.name = p.name
  on conflict do nothing;
  insert into private.draft_films as f (stem, draft_id, last_version)
  select distinct private.film_stem(m.module ->> 'video_url'), v.draft_id, v.version
  from jsonb_array_elements(v.modules) m (module)
  where private.film_stem(m.module ->> 'video_url') is not null
  on conflict (stem, draft_id) do update set last_version = greatest(f.last_version, excluded.last_version)
$$;
comment on function private.note_version_files(public.draft_versions) is 'Notes the pictures and films that a version shows.';

create trigger draft_versions__note_files after insert or update of cover, content, modules on public.draft_versions
  for each row execute function private.tg_draft_versions__note_files();

-- library/question-reading.sql

create trigger content_questions__notify_question after insert on private.content_questions
  for each row execute function private.tg_content_questions__notify();

create trigger content_questions__notify_answer after update of answer on private.content_questions
  for each row when (old.answer is null and new.answer is not null) execute function private.tg_content_questions__notify();

-- rpc/access.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_sessions() returns table(id uuid, created_at timestamp with time zone, last_seen_at timestamp with time zone, user_agent text, address text, is_current boolean, has_second_factor boolean)
  language sql stable set search_path = '' as $$ select * from private.my_sessions() $$;
comment on function public.my_sessions is 'The caller''s sessions, one row each.';
grant execute on function private.my_sessions, public.my_sessions to authenticated;

create function public.end_session(session_id uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.end_session(session_id) $$;
comment on function public.end_session is 'Signs the caller out of one device.';
grant execute on function private.end_session, public.end_session to authenticated;

create function public.generate_recovery_codes() returns setof text
  language sql volatile set search_path = '' as $$ select * from private.generate_recovery_codes() $$;
comment on function public.generate_recovery_codes is 'Ten new recovery codes, shown only now; earlier ones become invalid.';
grant execute on function private.generate_recovery_codes, public.generate_recovery_codes to authenticated;

create function public.recovery_code_status() returns table(codes_left integer, created_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.recovery_code_status() $$;
comment on function public.recovery_code_status is 'Number of recovery codes the caller has left, one row.';
grant execute on function private.recovery_code_status, public.recovery_code_status to authenticated;

create function public.redeem_recovery_code(member uuid, code text, keep_session uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.redeem_recovery_code(member, code, keep_session) $$;
comment on function public.redeem_recovery_code is 'Server: use a recovery code of an account.';
grant execute on function private.redeem_recovery_code, public.redeem_recovery_code to service_role;

-- rpc/achievements.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.my_certificate(certificate_id uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_certificate(certificate_id) $$;
comment on function public.my_certificate is 'What one of the caller''s certificates says; null for any other.';
grant execute on function private.my_certificate, public.my_certificate to authenticated;

create function public.verify_certificate(code text, visitor text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.verify_certificate(code, visitor) $$;
comment on function public.verify_certificate is 'Server: what the certificate with this code says.';
grant execute on function private.verify_certificate, public.verify_certificate to service_role;

create function public.revoke_certificate(code text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.revoke_certificate(code, reason) $$;
comment on function public.revoke_certificate is 'Administrators: revokes the certificate with this code.';
grant execute on function private.revoke_certificate, public.revoke_certificate to authenticated;

create function public.set_profile_choices(topics text[], is_listed boolean, shows_submissions boolean, shows_achievements boolean default NULL::boolean) returns void
  language sql volatile set search_path = '' as $$ select private.set_profile_choices(topics, is_listed, shows_submissions, shows_achievements) $$;
comment on function public.set_profile_choices is 'Sets what the caller may be asked about (up to eight topics), whether the directory lists them and what their profile shows.';
grant execute on function private.set_profile_choices, public.set_profile_choices to authenticated;

create function public.my_achievements() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_achievements() $$;
comment on function public.my_achievements is 'The caller''s achievements, the next of each measure, the streak of weeks, certificates, and what of it is shared.';
grant execute on function private.my_achievements, public.my_achievements to authenticated;

create function public.share_card(achievement text default NULL::text, certificate_id uuid default NULL::uuid) returns text
  language sql volatile set search_path = '' as $$ select private.share_card(achievement, certificate_id) $$;
comment on function public.share_card is 'Shares one achievement or certificate of the caller as a public card and returns the code of its address.';
grant execute on function private.share_card, public.share_card to authenticated;

create function public.stop_sharing(code text) returns void
  language sql volatile set search_path = '' as $$ select private.stop_sharing(code) $$;
comment on function public.stop_sharing is 'Takes back a card that the caller has shared.';
grant execute on function private.stop_sharing, public.stop_sharing to authenticated;

create function public.shared_card(code text, visitor text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.shared_card(code, visitor) $$;
comment on function public.shared_card is 'Server: the words of the shared card with this code.';
grant execute on function private.shared_card, public.shared_card to service_role;

-- rpc/affiliates.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.release_commissions() returns integer
  language sql volatile set search_path = '' as $$ select private.release_commissions() $$;
comment on function public.release_commissions is 'Server: make commissions payable whose waiting time is over.';
grant execute on function private.release_commissions, public.release_commissions to service_role;

create function public.my_affiliate() returns jsonb
  language sql volatile set search_path = '' as $$ select private.my_affiliate() $$;
comment on function public.my_affiliate is 'The caller''s affiliate link and what it earned; made on the first call.';
grant execute on function private.my_affiliate, public.my_affiliate to authenticated;

create function public.admin_payouts_due() returns table(affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
  language sql stable set search_path = '' as $$ select * from private.admin_payouts_due() $$;
comment on function public.admin_payouts_due is 'Administrators: what is owed to affiliates, in pence.';
grant execute on function private.admin_payouts_due, public.admin_payouts_due to authenticated;

create function public.admin_mark_payout(affiliate uuid, amount_pence bigint, reference text) returns bigint
  language sql volatile set search_path = '' as $$ select private.admin_mark_payout(affiliate, amount_pence, reference) $$;
comment on function public.admin_mark_payout is 'Administrators: record that an affiliate was paid, with the reference of the transfer.';
grant execute on function private.admin_mark_payout, public.admin_mark_payout to authenticated;

create function public.record_affiliate_visit(code text, known uuid, visitor text) returns uuid
  language sql volatile set search_path = '' as $$ select private.record_affiliate_visit(code, known, visitor) $$;
comment on function public.record_affiliate_visit is 'Server: remember a visit by an affiliate link.';
grant execute on function private.record_affiliate_visit, public.record_affiliate_visit to service_role;

create function public.claim_referral(visit uuid) returns boolean
  language sql volatile set search_path = '' as $$ select private.claim_referral(visit) $$;
comment on function public.claim_referral is 'A new account says by which visit it was brought; true when it counts.';
grant execute on function private.claim_referral, public.claim_referral to authenticated;

-- rpc/billing.sql

-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.billing_apply_charge(ticket bigint, snapshot jsonb) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_charge(ticket, snapshot) $$;
comment on function public.billing_apply_charge is 'Server: write one reading of a payment.';
grant execute on function private.billing_apply_charge, public.billing_apply_charge to service_role;

create function public.billing_price_before_upgrade(subscription text, price text, latest_invoice text) returns text
  language sql stable set search_path = '' as $$ select private.billing_price_before_upgrade(subscription, price, latest_invoice) $$;
comment on function public.billing_price_before_upgrade is 'Server: the price before an upgrade that was refunded.';
grant execute on function private.billing_price_before_upgrade, public.billing_price_before_upgrade to service_role;

create function public.billing_known_charges(charges text[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_known_charges(charges) $$;
comment on function public.billing_known_charges is 'Server: the last readings of these payments.';
grant execute on function private.billing_known_charges, public.billing_known_charges to service_role;

create function public.billing_catalogue() returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_catalogue() $$;
comment on function public.billing_catalogue is 'Server: every price a membership was sold at.';
grant execute on function private.billing_catalogue, public.billing_catalogue to service_role;

create function public.billing_own_purchases(subscriptions text[]) returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_own_purchases(subscriptions) $$;
comment on function public.billing_own_purchases is 'Server: which subscriptions were bought in the app.';
grant execute on function private.billing_own_purchases, public.billing_own_purchases to service_role;

create function public.billing_flag(customer text, reason text, detail jsonb) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_flag(customer, reason, detail) $$;
comment on function public.billing_flag is 'Server: flag an account for review.';
grant execute on function private.billing_flag, public.billing_flag to service_role;

create function public.end_complimentary_memberships() returns integer
  language sql volatile set search_path = '' as $$ select private.end_complimentary_memberships() $$;
comment on function public.end_complimentary_memberships is 'Server: end complimentary memberships that are over.';
grant execute on function private.end_complimentary_memberships, public.end_complimentary_memberships to service_role;

create function public.admin_grant_complimentary(member_email text, plan text, ends_at timestamp with time zone, reason text) returns uuid
  language sql volatile set search_path = '' as $$ select private.admin_grant_complimentary(member_email, plan, ends_at, reason) $$;
comment on function public.admin_grant_complimentary is 'Administrators: give the account with this address a plan without payment; ends_at null for open-ended. Returns its id.';
grant execute on function private.admin_grant_complimentary, public.admin_grant_complimentary to authenticated;

create function public.admin_revoke_complimentary(membership_id uuid, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.admin_revoke_complimentary(membership_id, reason) $$;

reset check_function_bodies;
