-- Part 26 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

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
comment on function public.admin_revoke_complimentary is 'Administrators: end a complimentary membership at once.';
grant execute on function private.admin_revoke_complimentary, public.admin_revoke_complimentary to authenticated;

create function public.admin_complimentary_memberships() returns table(id uuid, user_id uuid, email text, first_name text, last_name text, plan_id text, plan_name text, reason text, granted_at timestamp with time zone, ends_at timestamp with time zone, ended_at timestamp with time zone)
  language sql stable set search_path = '' as $$ select * from private.admin_complimentary_memberships() $$;
comment on function public.admin_complimentary_memberships is 'Administrators: the latest 500 complimentary memberships, current ones first.';
grant execute on function private.admin_complimentary_memberships, public.admin_complimentary_memberships to authenticated;

create function public.billing_lost_payments(subscription text) returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_lost_payments(subscription) $$;
comment on function public.billing_lost_payments is 'Server: payments lost in disputes, for which the renewal is to be ended.';
grant execute on function private.billing_lost_payments, public.billing_lost_payments to service_role;

create function public.resolve_billing_flag(member uuid, flag text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.resolve_billing_flag(member, flag, reason) $$;
comment on function public.resolve_billing_flag is 'Administrators: what an account was flagged for about money was put right.';
grant execute on function private.resolve_billing_flag, public.resolve_billing_flag to authenticated;

create function public.billing_note_failure(event text, event_type text, error text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_note_failure(event, event_type, error) $$;
comment on function public.billing_note_failure is 'Server: an event could not be applied.';
grant execute on function private.billing_note_failure, public.billing_note_failure to service_role;

create function public.admin_clear_failed_event(event text, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.admin_clear_failed_event(event, reason) $$;
comment on function public.admin_clear_failed_event is 'Administrators: clear an event of the card provider that could not be applied, with a reason.';
grant execute on function private.admin_clear_failed_event, public.admin_clear_failed_event to authenticated;

create function public.billing_abandon_attempts(member uuid) returns void
  language sql volatile set search_path = '' as $$ select private.billing_abandon_attempts(member) $$;
comment on function public.billing_abandon_attempts is 'Server: keep the open attempts of a member at buying a plan from paying.';
grant execute on function private.billing_abandon_attempts, public.billing_abandon_attempts to service_role;

create function public.admin_failed_payments() returns table(invoice_id text, number text, amount_pence bigint, currency text, attempts integer, next_attempt_at timestamp with time zone, failure_code text, issued_at timestamp with time zone, membership text, card_last4 text, user_id uuid, email text, first_name text, last_name text)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_payments() $$;
comment on function public.admin_failed_payments is 'Administrators: renewals that could not be paid, the oldest first, at most 500.';
grant execute on function private.admin_failed_payments, public.admin_failed_payments to authenticated;

create function public.admin_send_payment_link(invoice text) returns boolean
  language sql volatile set search_path = '' as $$ select private.admin_send_payment_link(invoice) $$;
comment on function public.admin_send_payment_link is 'Administrators: send the member of a failed payment the way to pay it; false when it was sent today.';
grant execute on function private.admin_send_payment_link, public.admin_send_payment_link to authenticated;

create function public.admin_begin_payment_retry(invoice text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_begin_payment_retry(invoice) $$;
comment on function public.admin_begin_payment_retry is 'Administrators: begin to take a failed payment again; the function admin-retry-payment asks the card provider.';
grant execute on function private.admin_begin_payment_retry, public.admin_begin_payment_retry to authenticated;

create function public.billing_apply_invoice(ticket bigint, snapshot jsonb) returns text
  language sql volatile set search_path = '' as $$ select private.billing_apply_invoice(ticket, snapshot) $$;
comment on function public.billing_apply_invoice is 'Server: write one reading of an invoice.';
grant execute on function private.billing_apply_invoice, public.billing_apply_invoice to service_role;

create function public.billing_known_invoices(invoices text[]) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_known_invoices(invoices) $$;
comment on function public.billing_known_invoices is 'Server: the last readings of these invoices.';
grant execute on function private.billing_known_invoices, public.billing_known_invoices to service_role;

create function public.invoice_refunds(invoice text) returns jsonb
  language sql stable set search_path = '' as $$ select private.invoice_refunds(invoice) $$;
comment on function public.invoice_refunds is 'The refunds of one of the caller''s invoices: `amount_pence` and `refunded_at`, oldest first.';
grant execute on function private.invoice_refunds, public.invoice_refunds to authenticated;

create function public.admin_money_by_month(months integer default 24) returns table(month date, currency text, charges integer, charged_pence bigint, refunds integer, refunded_pence bigint, disputes integer, disputed_pence bigint, vat_pence bigint, net_pence bigint)
  language sql volatile set search_path = '' as $$ select * from private.admin_money_by_month(months) $$;
comment on function public.admin_money_by_month is 'Administrators: charges, refunds, lost disputes, the VAT in them and what is left, by month and currency, newest first.';
grant execute on function private.admin_money_by_month, public.admin_money_by_month to authenticated;

create function public.admin_money_trend() returns jsonb
  language sql stable set search_path = '' as $$ select private.admin_money_trend() $$;
comment on function public.admin_money_trend is 'Administrators: twelve months of money in pounds and of members, what is earned a month now, and why members cancelled.';
grant execute on function private.admin_money_trend, public.admin_money_trend to authenticated;

create function public.admin_export_payments(since timestamp with time zone, until timestamp with time zone) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_export_payments(since, until) $$;
comment on function public.admin_export_payments is 'Administrators: all payments from since to before until, oldest first, at most 20,000.';
grant execute on function private.admin_export_payments, public.admin_export_payments to authenticated;

create function public.admin_money_figures() returns table(revenue_pence bigint, refunded_pence bigint, vat_pence bigint, open_disputes integer, failed_events integer, complimentary integer)
  language sql stable set search_path = '' as $$ select * from private.admin_money_figures() $$;
comment on function public.admin_money_figures is 'Administrators: taken and refunded this calendar month and the VAT in it in pence, open disputes, failed events, complimentary memberships.';
grant execute on function private.admin_money_figures, public.admin_money_figures to authenticated;

create function public.billing_quote_plan_change(member uuid, quote jsonb) returns uuid
  language sql volatile set search_path = '' as $$ select private.billing_quote_plan_change(member, quote) $$;
comment on function public.billing_quote_plan_change is 'Server: keep a preview of a plan change.';
grant execute on function private.billing_quote_plan_change, public.billing_quote_plan_change to service_role;

create function public.billing_plan_change_quote(member uuid, quote uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_plan_change_quote(member, quote) $$;
comment on function public.billing_plan_change_quote is 'Server: a preview of the member''s own.';
grant execute on function private.billing_plan_change_quote, public.billing_plan_change_quote to service_role;

create function public.billing_record_cancellation(member uuid, subscription text, reason text, comment text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_record_cancellation(member, subscription, reason, comment) $$;
comment on function public.billing_record_cancellation is 'Server: keep the reason of a cancellation.';
grant execute on function private.billing_record_cancellation, public.billing_record_cancellation to service_role;

create function public.billing_customer(member uuid) returns jsonb
  language sql stable set search_path = '' as $$ select private.billing_customer(member) $$;
comment on function public.billing_customer is 'Server: the current customer of an account.';
grant execute on function private.billing_customer, public.billing_customer to service_role;

create function public.billing_record_customer(member uuid, customer text) returns text
  language sql volatile set search_path = '' as $$ select private.billing_record_customer(member, customer) $$;
comment on function public.billing_record_customer is 'Server: store the customer of an account.';
grant execute on function private.billing_record_customer, public.billing_record_customer to service_role;

create function public.billing_begin_purchase(member uuid, price text, joining uuid default NULL::uuid) returns jsonb
  language sql volatile set search_path = '' as $$ select private.billing_begin_purchase(member, price, joining) $$;
comment on function public.billing_begin_purchase is 'Server: open an attempt at buying a plan.';
grant execute on function private.billing_begin_purchase, public.billing_begin_purchase to service_role;

create function public.billing_record_subscription(attempt uuid, subscription text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_record_subscription(attempt, subscription) $$;
comment on function public.billing_record_subscription is 'Server: claim a subscription for an attempt before paying.';
grant execute on function private.billing_record_subscription, public.billing_record_subscription to service_role;

create function public.billing_end_attempt(attempt uuid, outcome text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_attempt(attempt, outcome) $$;
comment on function public.billing_end_attempt is 'Server: close an attempt.';
grant execute on function private.billing_end_attempt, public.billing_end_attempt to service_role;

create function public.billing_customers_to_delete() returns setof text
  language sql stable set search_path = '' as $$ select * from private.billing_customers_to_delete() $$;
comment on function public.billing_customers_to_delete is 'Server: customers to delete at the provider.';
grant execute on function private.billing_customers_to_delete, public.billing_customers_to_delete to service_role;

create function public.billing_forget_departed(customer text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_forget_departed(customer) $$;
comment on function public.billing_forget_departed is 'Server: a departed customer was deleted.';
grant execute on function private.billing_forget_departed, public.billing_forget_departed to service_role;

create function public.billing_take_due(all_customers boolean default false, batch integer default 100) returns table(customer_id text, fresh_attempts jsonb)
  language sql volatile set search_path = '' as $$ select * from private.billing_take_due(all_customers, batch) $$;
comment on function public.billing_take_due is 'Server: customers to compare with the provider.';
grant execute on function private.billing_take_due, public.billing_take_due to service_role;

create function public.billing_close_attempts(customer text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_close_attempts(customer) $$;
comment on function public.billing_close_attempts is 'Server: close settled attempts of a customer.';
grant execute on function private.billing_close_attempts, public.billing_close_attempts to service_role;

create function public.billing_audit(customer text, action text, detail jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.billing_audit(customer, action, detail) $$;
comment on function public.billing_audit is 'Server: audit a change made by the reconciliation.';
grant execute on function private.billing_audit, public.billing_audit to service_role;

create function public.billing_purge() returns void
  language sql volatile set search_path = '' as $$ select private.billing_purge() $$;
comment on function public.billing_purge is 'Server: delete old events and attempts.';
grant execute on function private.billing_purge, public.billing_purge to service_role;

create function public.billing_take_dropped(everybody boolean, batch integer) returns setof text
  language sql volatile set search_path = '' as $$ select * from private.billing_take_dropped(everybody, batch) $$;
comment on function public.billing_take_dropped is 'Server: dropped customers to look up again.';
grant execute on function private.billing_take_dropped, public.billing_take_dropped to service_role;

create function public.billing_restore_customer(customer text) returns boolean
  language sql volatile set search_path = '' as $$ select private.billing_restore_customer(customer) $$;
comment on function public.billing_restore_customer is 'Server: a dropped customer exists at the provider after all.';
grant execute on function private.billing_restore_customer, public.billing_restore_customer to service_role;

create function public.admin_unfinished_refunds() returns table(request_id uuid, payment_id text, amount_pence bigint, currency text, reason text, state text, requested_at timestamp with time zone, user_id uuid, email text, first_name text, last_name text)
  language sql stable set search_path = '' as $$ select * from private.admin_unfinished_refunds() $$;
comment on function public.admin_unfinished_refunds is 'Administrators: refunds whose end is not known, at most 500; repeating the same request finishes one.';
grant execute on function private.admin_unfinished_refunds, public.admin_unfinished_refunds to authenticated;

create function public.billing_settle_refund(request uuid, payment text, refund text, outcome text, detail text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_settle_refund(request, payment, refund, outcome, detail) $$;
comment on function public.billing_settle_refund is 'Server: how a refund stands at the card provider.';
grant execute on function private.billing_settle_refund, public.billing_settle_refund to service_role;

create function public.billing_unsettled_refunds() returns table(request_id uuid, payment_id text)
  language sql stable set search_path = '' as $$ select * from private.billing_unsettled_refunds() $$;
comment on function public.billing_unsettled_refunds is 'Server: refunds to look up at the card provider.';
grant execute on function private.billing_unsettled_refunds, public.billing_unsettled_refunds to service_role;

create function public.admin_begin_stop_renewal(member uuid, reason text) returns text
  language sql volatile set search_path = '' as $$ select private.admin_begin_stop_renewal(member, reason) $$;
comment on function public.admin_begin_stop_renewal is 'Administrators: begin to stop the renewal of a member''s subscription; the function admin-stop-renewal asks the card provider.';
grant execute on function private.admin_begin_stop_renewal, public.admin_begin_stop_renewal to authenticated;

create function public.admin_begin_refund(request uuid, payment text, amount_pence bigint, reason text) returns jsonb
  language sql volatile set search_path = '' as $$ select private.admin_begin_refund(request, payment, amount_pence, reason) $$;
comment on function public.admin_begin_refund is 'Administrators: record a refund to be made. Function admin-refund-payment calls this and then the card provider.';
grant execute on function private.admin_begin_refund, public.admin_begin_refund to authenticated;

create function public.billing_end_refund(request uuid, admin uuid, outcome text, refund text, detail text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_end_refund(request, admin, outcome, refund, detail) $$;
comment on function public.billing_end_refund is 'Server: how a refund ended.';
grant execute on function private.billing_end_refund, public.billing_end_refund to service_role;

create function public.admin_audit_money(admin uuid, action text, subject uuid, detail jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.admin_audit_money(admin, action, subject, detail) $$;
comment on function public.admin_audit_money is 'Server: audit an act on money.';
grant execute on function private.admin_audit_money, public.admin_audit_money to service_role;

create function public.billing_clear_failure(event text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_clear_failure(event) $$;
comment on function public.billing_clear_failure is 'Server: an event that failed was processed.';
grant execute on function private.billing_clear_failure, public.billing_clear_failure to service_role;

create function public.set_billing_rules(withdrawal_refund text, renewal_reminder_days integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_billing_rules(withdrawal_refund, renewal_reminder_days) $$;
comment on function public.set_billing_rules is 'Administrators: decide what comes back after a withdrawal, and when members are told of a renewal.';
grant execute on function private.set_billing_rules, public.set_billing_rules to authenticated;

create function public.set_payment_grace(days integer) returns void
  language sql volatile set search_path = '' as $$ select private.set_payment_grace(days) $$;

reset check_function_bodies;
