-- Part 25 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- studio/pictures.sql

create function private.cover_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'cover', 'This picture is no longer stored. Upload it again.'
  where v.cover is not null and not exists (
    select from storage.objects o
    where o.bucket_id = 'content-pictures' and o.name = private.content_picture_name(v.cover)
      and starts_with(o.name, d.owner_id || '-')
  )
$$;
comment on function private.cover_issues(public.drafts, public.draft_versions) is
  'What is wrong with the cover of a version: its picture has to be stored by the owner of the draft.';

-- Markdown is not parsed here, so whatever could begin a picture has to be one, also in code.
create function private.picture_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with texts as (
    select 'content' as field, v.content as markdown where d.kind = 'article'
    union all
    select 'modules.' || m.place, m.module ->> 'content'
    from jsonb_array_elements(v.modules) with ordinality m (module, place) where d.kind = 'course'
  ),
  pictures as (
    select t.field, p.match[1] as description, p.match[2] as name
    from texts t cross join lateral regexp_matches(t.markdown, private.text_picture_pattern(), 'g') p (match)
  )
  select t.field, 'Pictures come from the editor’s “Picture”, not from other places. Write \![ where none is meant.'
  from texts t
  where regexp_replace(t.markdown, private.text_picture_pattern(), ' ', 'g') ~ '(^|[^\\])(\\\\)*!\['
  union all
  select distinct p.field, 'Describe each picture in 1 to 300 characters.'
  from pictures p where p.description !~ '[^[:space:]]' or char_length(p.description) > 300
  union all
  select distinct p.field, 'A picture is not one that is stored for you here. Insert it again.'
  from pictures p
  where not starts_with(p.name, d.owner_id || '-')
    or not exists (select from storage.objects o where o.bucket_id = 'content-pictures' and o.name = p.name)
$$;
comment on function private.picture_issues(public.drafts, public.draft_versions) is
  'What is wrong with the pictures in the texts of a version: each has a description, and is stored by the owner of the draft.';

-- studio/publishing.sql

-- The limits of the importer (tools/content/pages.ts).
create function private.article_issues(v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  select 'excerpt', 'Write an excerpt of at most 200 characters.' where char_length(v.excerpt) not between 1 and 200
  union all
  select 'tags', 'Choose 2 to 5 different tags.'
  where cardinality(v.tags) not between 2 and 5 or cardinality(v.tags) <> (select count(distinct t) from unnest(v.tags) t)
  union all
  select 'tags', 'Write tags in lower case, with at most 30 characters.'
  where exists (
    select from unnest(v.tags) t
    where t is null or t collate pg_catalog."und-x-icu" !~ '^[[:lower:][:digit:]][[:lower:][:digit:] &’''-]{0,29}$'
  )
  union all
  select 'content', 'Write the article.' where private.trim_markdown(v.content) = ''
$$;
comment on function private.article_issues(public.draft_versions) is 'What an article still needs.';

-- The library takes addresses of at most 500 characters, and everything else the importer takes.
create function private.course_issues(v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with modules as (
    select m.place, m.module ->> 'slug' as slug, m.module ->> 'title' as title, m.module ->> 'content' as content,
      (m.module ->> 'minutes')::integer as minutes, m.module ->> 'video_url' as video_url
    from jsonb_array_elements(v.modules) with ordinality m (module, place)
  )
  select 'excerpt', 'Write a description of at most 300 characters.' where char_length(v.excerpt) not between 1 and 300
  union all
  select 'modules', 'Add a module.' where not exists (select from modules)
  union all
  select 'modules', 'Give every module an address of its own.'
  where (select count(*) from modules) <> (select count(distinct m.slug) from modules m)
  union all
  select 'modules.' || m.place, i.message
  from modules m cross join lateral (
    select 'Write a title of at most 90 characters on one line.' as message
    where char_length(btrim(m.title)) not between 1 and 90 or m.title ~ '[[:cntrl:]]'
    union all
    select 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(m.slug)
    union all
    select 'Write the lesson.' where private.trim_markdown(m.content) = ''
    union all
    select 'The lesson has at most 200 KB of text.' where octet_length(m.content) > 204800
    union all
    select 'The lesson needs a heading “Exercise”.' where m.content !~ '(^|\n)## +Exercise *(\n|$)'
    union all
    select 'A module takes 1 to 600 minutes.' where m.minutes not between 1 and 600
    union all
    select 'Use a YouTube (no-cookie) or Vimeo player address, or a file of this site.'
    where m.video_url
      !~ '^(https://(www\.youtube-nocookie\.com/embed|player\.vimeo\.com/video)/[\w-]+|/(?!/)[\w./-]+\.(mp4|webm))$'
    union all
    select 'The address of a film has at most 500 characters.' where char_length(m.video_url) > 500
  ) i
$$;
comment on function private.course_issues(public.draft_versions) is 'What a course still needs.';

create function private.place_issues(d public.drafts, v public.draft_versions) returns table (field text, message text)
  language sql stable set search_path = '' as $$
  with live as (
    select a.subcategory_id, a.slug from public.articles a where a.id = d.article_id
    union all
    select c.subcategory_id, c.slug from public.courses c where c.id = d.course_id
  ),
  -- The importer knows a text by its category and address, so that it can move between subcategories.
  category as (
    select s.id from public.subcategories s
    where s.main_category = (select t.main_category from public.subcategories t where t.id = v.subcategory_id)
  )
  select 'title', 'Write a title of at most 90 characters on one line.'
  where char_length(v.title) not between 1 and 90 or v.title ~ '[[:cntrl:]]'
  union all
  select 'slug', 'Use lower-case letters, digits and hyphens for the address.' where not private.is_slug(v.slug)
  union all
  select 'subcategory_id', 'Choose a subcategory.'
  where not exists (select from public.subcategories s where s.id = v.subcategory_id and s.is_active)
  union all
  select 'slug', 'The address and the subcategory of published work stay as they are.'
  from live l where (l.subcategory_id, l.slug) is distinct from (v.subcategory_id, v.slug)
  union all
  select 'slug', 'Another text has this address. Choose another one.'
  where not exists (select from live) and (
    d.kind = 'article' and exists (select from public.articles a join category s on s.id = a.subcategory_id where a.slug = v.slug)
    or d.kind = 'course' and exists (select from public.courses c join category s on s.id = c.subcategory_id where c.slug = v.slug)
  )
$$;
comment on function private.place_issues(public.drafts, public.draft_versions) is 'What is wrong with the title and the place of a draft in the library.';

create function private.draft_issues(d public.drafts, v public.draft_versions) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('field', i.field, 'message', i.message)), '[]')
  from (
    select p.field, p.message from private.place_issues(d, v) p
    union all
    select o.field, o.message from private.cover_issues(d, v) o
    union all
    select a.field, a.message from private.article_issues(v) a where d.kind = 'article'
    union all
    select c.field, c.message from private.course_issues(v) c where d.kind = 'course'
    union all
    select f.field, f.message from private.film_issues(d, v) f where d.kind = 'course'
    union all
    select t.field, t.message from private.picture_issues(d, v) t
  ) i
$$;
comment on function private.draft_issues(public.drafts, public.draft_versions) is 'What a version still needs before it can be published, as a list of field and message.';

create function private.publish_article(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  created uuid;
begin
  if d.article_id is not null then
    update public.articles a
    set title = v.title, excerpt = v.excerpt, content = private.trim_markdown(v.content), tags = v.tags,
      featured_image_url = v.cover, estimated_read_time = private.reading_minutes(v.content), is_published = true
    where a.id = d.article_id;
    return d.article_id;
  end if;
  select coalesce(max(a.display_order), 0) + 1 into place from public.articles a where a.subcategory_id = v.subcategory_id;
  insert into public.articles (subcategory_id, slug, title, excerpt, content, tags, featured_image_url, display_order,
    estimated_read_time, is_published, author_id, created_at)
  values (v.subcategory_id, v.slug, v.title, v.excerpt, private.trim_markdown(v.content), v.tags, v.cover, place,
    private.reading_minutes(v.content), true, d.owner_id, date_trunc('day', now(), 'UTC') - make_interval(secs => place))
  returning id into created;
  return created;
end
$$;
comment on function private.publish_article(public.drafts, public.draft_versions) is 'Writes the article of a draft; its id. Reads stay.';

create function private.publish_course(d public.drafts, v public.draft_versions) returns uuid
  language plpgsql volatile set search_path = '' as $$
declare
  place integer;
  target uuid := d.course_id;
begin
  if target is null then
    select coalesce(max(c.display_order), 0) + 1 into place from public.courses c where c.subcategory_id = v.subcategory_id;
    insert into public.courses (subcategory_id, slug, title, description, thumbnail_url, difficulty_level, price,
      display_order, is_published, mentor_id, created_at)
    values (v.subcategory_id, v.slug, v.title, v.excerpt, v.cover, v.difficulty_level, v.price, place, true, d.owner_id,
      date_trunc('day', now(), 'UTC') - make_interval(secs => place))
    returning id into target;
  else
    perform private.keep_course_version(target, v.modules);
    update public.courses c
    set title = v.title, description = v.excerpt, thumbnail_url = v.cover, difficulty_level = v.difficulty_level,
      price = v.price, is_published = true
    where c.id = target;
  end if;
  perform private.publish_modules(target, v.modules);
  return target;
end
$$;
comment on function private.publish_course(public.drafts, public.draft_versions) is 'Writes the course of a draft with its modules; its id. Enrolments and completions stay.';

-- studio/review.sql

-- The way of a draft: submitted, returned with comments or published, scheduled, withdrawn, archived.
create function private.is_in_library(d public.drafts) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from public.articles a where a.id = d.article_id and a.is_published)
    or exists (select from public.courses c where c.id = d.course_id and c.is_published)
$$;
comment on function private.is_in_library(public.drafts) is 'True while members of its level find a published version of the draft.';

create function private.caller_is_trusted(d public.drafts) returns boolean
  language sql stable security definer set search_path = '' as $$
  select private.caller_is_admin()
    or exists (select from private.trusted_mentors t where t.user_id = d.owner_id)
      -- What an administrator withdrew, in the console or in the studio, is reviewed before it comes back.
      and (private.is_in_library(d) or not exists (
        select from private.console_edits k
        where k.row_id in (d.article_id, d.course_id) and k.column_name = 'is_published'
      ))
$$;
comment on function private.caller_is_trusted(public.drafts) is 'True when the caller publishes this draft without a review.';

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

-- billing/failed-payments.sql

-- Renewals that could not be paid, for staff: who owes how much, and what can be done about it.

create view private.failed_payments with (security_invoker = true) as
select i.invoice_id, i.number, i.amount_due_pence as amount_pence, i.currency, i.attempt_count as attempts, i.next_attempt_at,
  r.code as failure_code, i.issued_at, i.subscription_id, s.price_id, s.status as membership, s.payment_method_last4 as card_last4,
  k.user_id, u.email::text as email, p.first_name, p.last_name
from public.invoices i
join public.stripe_customers k on k.customer_id = i.customer_id and k.deleted_at is null
join public.stripe_subscriptions s on s.subscription_id = i.subscription_id and s.deleted_at is null
join auth.users u on u.id = k.user_id
left join public.profiles p on p.id = k.user_id
left join private.invoice_failures r on r.invoice_id = i.invoice_id
-- A first payment or a switch that was refused is no debt: nothing came of it.
where i.status = 'open' and i.attempt_count > 0 and s.status in ('past_due', 'unpaid')
  and coalesce(i.reason not in ('subscription_create', 'subscription_update'), true);
comment on view private.failed_payments is 'Open invoices of renewals whose payment failed at least once.';

create function private.require_failed_payment(invoice text) returns private.failed_payments
  language plpgsql volatile set search_path = ''
as $$
declare
  owed record;
begin
  -- Two acts on one invoice come one after the other.
  perform from public.invoices i where i.invoice_id = invoice for no key update;
  select f.* into owed from private.failed_payments f where f.invoice_id = invoice;
  if not found then
    perform private.fail('FF277', 'This payment isn''t owed any more.');
  end if;
  return owed;
end
$$;
comment on function private.require_failed_payment(text) is 'What is owed for an invoice, locked; raises FF277 when nothing is.';

create trigger invoices__email after insert or update of attempt_count, next_attempt_at, status on public.invoices
  for each row when (
    new.status = 'open' and (new.attempt_count = 3 or new.attempt_count > 1 and new.next_attempt_at is null)
    and coalesce(new.reason not in ('subscription_create', 'subscription_update'), true)
  )
  execute function private.tg_invoices__email();

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

reset check_function_bodies;
