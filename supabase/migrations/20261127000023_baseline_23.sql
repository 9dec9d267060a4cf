-- Part 23 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- chat/reactions.sql
grant select, insert, update, delete on public.message_reactions to service_role;
grant delete,
  select (user_id, message_id, reaction, created_at),
  insert (user_id, message_id, reaction)
  on public.message_reactions to authenticated;
comment on table public.message_reactions is 'Reactions to messages; chat_messages.reaction_counts holds their numbers. Likes are in message_likes.';
create index message_reactions_message_id_idx on public.message_reactions (message_id);
alter table public.message_reactions enable row level security;

create policy select_own on public.message_reactions for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.message_reactions for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy delete_own on public.message_reactions for delete to authenticated
  using (user_id = (select auth.uid()));

create trigger message_reactions__guard_insert before insert on public.message_reactions
  for each row execute function private.tg_message_reactions__guard_insert();

create trigger message_reactions__add_progress_events after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__add_progress_events();

create trigger message_reactions__count_given after insert on public.message_reactions
  referencing new table as changed for each statement execute function private.tg_message_reactions__count();

create trigger message_reactions__count_taken_back after delete on public.message_reactions
  referencing old table as changed for each statement execute function private.tg_message_reactions__count();

-- chat/reading.sql

-- How far each member has read in each room.
create table public.chat_room_reads (
  user_id uuid not null references auth.users (id) on delete cascade,
  chat_room_id text not null references public.chat_rooms (id) on delete cascade,
  last_read_at timestamptz not null,
  primary key (user_id, chat_room_id)
);
grant select, insert, update, delete on public.chat_room_reads to service_role;
grant select (user_id, chat_room_id, last_read_at) on public.chat_room_reads to authenticated;
comment on table public.chat_room_reads is 'How far each member has read; written through mark_room_read.';
create index chat_room_reads_chat_room_id_idx on public.chat_room_reads (chat_room_id);
alter table public.chat_room_reads enable row level security;

create policy select_own on public.chat_room_reads for select to authenticated
  using (user_id = (select auth.uid()));

-- A page of messages as a screen shows them, read with the caller's rights. The page is limited before the joins, and
-- `offset 0` keeps each join an index look-up, so that the size of the tables does not matter.
create function private.present_messages(page public.chat_messages[])
  returns setof public.room_message
  language plpgsql stable rows 50 set search_path = ''
  set plan_cache_mode = 'force_generic_plan' as $$
begin
  return query select m.id, m.user_id, m.chat_room_id, m.content, m.message_type, m.parent_message_id,
    m.like_count, m.created_at, m.edited_at, m.deleted_at, m.changed_at,
    a.first_name, a.last_name, a.role, a.occupation,
    exists (
      select from public.message_likes l where l.user_id = (select auth.uid()) and l.message_id = m.id
    ),
    q.content, q.author, a.avatar_url, m.reaction_counts,
    case when m.reaction_counts = '{}' then '{}' else array(
      select r.reaction from public.message_reactions r
      where r.user_id = (select auth.uid()) and r.message_id = m.id order by r.reaction
    ) end,
    m.picture, m.picture_width, m.picture_height, m.picture_alt
  from unnest(page) with ordinality as m
  left join lateral (
    select p.first_name, p.last_name, p.role, p.occupation, p.avatar_url
    from public.profiles p where p.id = m.user_id offset 0
  ) a on true
  left join lateral (
    select left(p.content, 200) as content,
      (select concat_ws(' ', f.first_name, f.last_name) from public.profiles f where f.id = p.user_id) as author
    from public.chat_messages p where p.id = m.parent_message_id and p.deleted_at is null offset 0
  ) q on true
  order by m.ordinality;
end
$$;
comment on function private.present_messages(public.chat_messages[]) is
  'The messages with author, the caller''s like and the beginning of the parent message, in the given order.';
grant execute on function private.present_messages to authenticated;

-- console/levels.sql

-- What levels ask for, changed in the console; and the plans on sale with the state of the link to the card provider.
create function private.require_requirement(level integer, kind text, needed integer) returns public.level_requirements
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_row public.level_requirements;
begin
  select r.* into found_row from public.level_requirements r
  where r.level = require_requirement.level and r.kind = require_requirement.kind for update;
  if not found then
    perform private.fail('FF440', 'This level does not ask for that.');
  end if;
  if needed is null or needed not between 1 and 10000 then
    perform private.fail('FF441', 'A requirement is a whole number from 1 to 10,000.');
  end if;
  return found_row;
end
$$;
comment on function private.require_requirement(integer, text, integer) is
  'The stored requirement, locked; FF440 when there is none, FF441 when the new figure is out of range.';

-- console/members.sql

create trigger profiles__index_member after insert or update of first_name, last_name on public.profiles
  for each row execute function private.tg_profiles__index_member();

-- emails/causes.sql

create trigger user_verifications__email after update of status on public.user_verifications
  for each row when (new.status in ('approved', 'rejected') and new.status <> old.status)
  execute function private.tg_user_verifications__email();

-- emails/digests.sql

create function private.digest_content(email private.email_outbox) returns jsonb
  language sql stable set search_path = '' as $$
  with groups as (
    select v.kind, v.topic, v.group_id, v.detail, max(v.created_at) as created_at, max(v.id) as id,
      count(distinct v.actor_id) as actors,
      (array_agg(v.actor_id order by v.created_at desc, v.id desc))[1] as actor_id,
      (array_agg(v.place order by v.created_at desc, v.id desc))[1] as place
    from private.unsent_notifications(email.user_id, 'email') v
    where v.created_at > (email.data ->> 'since')::timestamptz and v.created_at <= (email.data ->> 'until')::timestamptz
    group by v.kind, v.topic, v.group_id, v.detail, case when v.group_id is null then v.id end
  )
  select jsonb_build_object(
    'count', (select count(*) from groups),
    'lines', coalesce((
      select jsonb_agg(private.notification_line(g.kind, g.topic, g.detail, g.actor_id, greatest(g.actors - 1, 0), g.place)
        order by g.created_at desc, g.id desc)
      from (select * from groups order by created_at desc, id desc limit 10) g
    ), '[]')
  )
$$;
comment on function private.digest_content(private.email_outbox) is
  'What a digest says now: the newest ten lines, and how many there are.';

-- guarantee/claims.sql

-- Claims under the guarantee: the rules decide first, by the figures on record, and an administrator second.
create table private.guarantee_claims (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint guarantee_claims_user_id_key unique references auth.users (id) on delete cascade,
  monthly_pence bigint not null constraint guarantee_claims_monthly_pence_check check (monthly_pence between 0 and 100000000),
  statement text not null constraint guarantee_claims_statement_check check (char_length(statement) between 1 and 2000),
  lines jsonb not null,
  state text not null constraint guarantee_claims_state_check check (state in ('filed', 'declined', 'appealed', 'granted', 'refused')),
  filed_at timestamptz not null default now(),
  reason text constraint guarantee_claims_reason_check check (char_length(reason) between 1 and 500),
  decided_at timestamptz,
  decided_by uuid references public.profiles (id) on delete set null,
  appeal text constraint guarantee_claims_appeal_check check (char_length(appeal) between 1 and 2000),
  appealed_at timestamptz,
  renewal_stopped_at timestamptz,
  constraint guarantee_claims_appealed_check check ((appeal is null) = (appealed_at is null))
);
create index guarantee_claims_decided_by_idx on private.guarantee_claims (decided_by);
create index guarantee_claims_waiting_idx on private.guarantee_claims (filed_at) where state in ('filed', 'appealed');
comment on table private.guarantee_claims is 'A member''s one claim under the guarantee. Read by the member, and by administrators while they decide.';
comment on column private.guarantee_claims.monthly_pence is 'Income a month at the end, as the member states it.';
comment on column private.guarantee_claims.statement is 'What the member says about it, and where the evidence is.';
comment on column private.guarantee_claims.lines is 'What the terms ask for and what was on record when the claim was filed, as guarantee_claim_lines counts it.';
comment on column private.guarantee_claims.state is
  'filed and appealed wait for an administrator. declined can be appealed against once; refused is the answer to an appeal.';
comment on column private.guarantee_claims.reason is 'Why the last decision was made. Null while the rules alone declined.';
comment on column private.guarantee_claims.decided_by is 'Null when the rules declined.';
comment on column private.guarantee_claims.renewal_stopped_at is
  'When the card provider no longer renewed the membership of a granted claim. What is bought after it is no part of the guarantee.';
alter table private.guarantee_claims enable row level security;

-- The income counts as the higher of what is claimed and what the last check-in says, so that a claim does not contradict the record.
create function private.guarantee_claim_lines(baseline private.guarantee_baselines, claimed bigint)
  returns table (line text, needed bigint, held bigint, met boolean)
  language sql stable security definer set search_path = '' as $$
  select l.line, l.needed::bigint, l.held::bigint, l.met from private.guarantee_lines(baseline.user_id, private.guarantee_end(baseline)) l
  union all
  select 'income', i.target, i.held, i.held < i.target
  from (
    select (baseline.terms ->> 'income_multiple')::bigint
        * greatest(baseline.monthly_pence, (baseline.terms ->> 'least_base_pence')::bigint) as target,
      greatest(claimed, (
        select c.monthly_pence from private.guarantee_check_ins c
        where c.user_id = baseline.user_id order by c.month_number desc limit 1
      )) as held
  ) i
$$;
comment on function private.guarantee_claim_lines(private.guarantee_baselines, bigint) is
  'The lines of a record at its end, and the income: a claim holds while it is below the aim.';

create function private.claim_answer(claim private.guarantee_claims) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', claim.id, 'state', claim.state, 'monthly_pence', claim.monthly_pence, 'statement', claim.statement,
    'lines', claim.lines, 'filed_at', claim.filed_at, 'reason', claim.reason, 'decided_at', claim.decided_at,
    'appeal', claim.appeal, 'appealed_at', claim.appealed_at
  )
$$;
comment on function private.claim_answer(private.guarantee_claims) is 'A claim as it is answered, without who decided.';

-- guarantee/decisions.sql

-- The id follows from the claim, so a refund that was asked for twice is made once. One that the bank gave back is asked for anew.
-- A refund that was made counts before the provider's event arrives.
create function private.guarantee_refunds(claim private.guarantee_claims)
  returns table (request_id uuid, payment_id text, amount_pence bigint, reason text)
  language sql stable security definer set search_path = '' as $$
  select coalesce(q.id, md5(concat_ws(':', claim.id, b.charge_id, f.ended))::uuid),
    b.charge_id, coalesce(q.amount_pence, b.amount - greatest(b.amount_refunded, f.made)), coalesce(q.reason, 'Guarantee')
  from public.stripe_customers s
  join private.billing_charges b on b.customer_id = s.customer_id
  left join private.refund_requests q on q.charge_id = b.charge_id and q.state in ('started', 'unclear')
  cross join lateral (
    select count(*) filter (where r.state in ('made', 'failed', 'refused')) as ended,
      coalesce(sum(r.amount_pence) filter (where r.state = 'made'), 0)::bigint as made
    from private.refund_requests r where r.charge_id = b.charge_id
  ) f
  where s.user_id = claim.user_id and claim.state = 'granted'
    and b.amount > greatest(b.amount_refunded, f.made) and coalesce(b.dispute, 'won') = 'won'
    and not exists (select from private.course_purchases k where k.payment_intent_id = b.payment_intent_id)
    -- Until the renewal is stopped it may take another payment. What a member buys later is no part of the guarantee.
    and not exists (
      select from private.payment_records p
      where p.charge_id = b.charge_id and p.kind = 'payment'
        and p.happened_at > greatest(claim.decided_at + interval '7 days', coalesce(claim.renewal_stopped_at, now()))
    )
  order by b.charge_id
$$;
comment on function private.guarantee_refunds(private.guarantee_claims) is
  'What is left to refund of a granted claim: each payment until the renewal was stopped, or a week after the decision, that is neither refunded nor disputed.';

-- guarantee/documents.sql

create trigger storage_objects__keep_guarantee_documents before update on storage.objects
  for each row when (old.bucket_id = 'guarantee-documents' or new.bucket_id = 'guarantee-documents')
  execute function private.tg_storage_objects__keep_content();

-- guarantee/record.sql

create function private.membership_months(baseline private.guarantee_baselines, at_time timestamptz) returns integer
  language sql stable security definer set search_path = '' as $$
  with live as (
    select range_agg(r.during) as ranges from (
      select tstzrange(p.started_at, p.ended_at) from private.membership_periods p where p.user_id = baseline.user_id
      union all
      select tstzrange(
        c.granted_at,
        -- greatest() passes over nulls, and one without an end has none.
        case when coalesce(c.ends_at, c.ended_at) is not null then greatest(c.granted_at, least(c.ends_at, c.ended_at)) end
      )
      from public.complimentary_memberships c where c.user_id = baseline.user_id
    ) r (during)
  )
  select count(*)::integer
  from generate_series(1, (baseline.terms ->> 'months')::integer) as m (number), live
  where (
    select coalesce(sum(upper(d.part) - lower(d.part)), interval '0')
    from unnest(live.ranges * tstzmultirange(tstzrange(
      ((baseline.started_at at time zone 'utc') + (m.number - 1) * interval '1 month') at time zone 'utc',
      greatest(
        ((baseline.started_at at time zone 'utc') + (m.number - 1) * interval '1 month') at time zone 'utc',
        least(((baseline.started_at at time zone 'utc') + m.number * interval '1 month') at time zone 'utc', at_time)
      )
    ))) d (part)
  ) >= (baseline.terms ->> 'membership_days')::integer * interval '1 day'
$$;
comment on function private.membership_months(private.guarantee_baselines, timestamptz) is
  'In how many months of a record the membership, paid or complimentary, ran for the days that its terms ask for.';

-- guarantee/reminders.sql

create trigger guarantee_claims__email after insert or update of state on private.guarantee_claims
  for each row when (new.state in ('granted', 'declined', 'refused'))
  execute function private.tg_guarantee_claims__email();

-- guarantee/settlement.sql

create function private.claim_renewals(claim private.guarantee_claims) returns setof text
  language sql stable security definer set search_path = '' as $$
  select s.subscription_id
  from public.stripe_customers c join public.stripe_subscriptions s on s.customer_id = c.customer_id
  where c.user_id = claim.user_id and claim.state = 'granted' and claim.renewal_stopped_at is null
    and c.deleted_at is null and s.deleted_at is null and s.subscription_id is not null
    and s.status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
$$;
comment on function private.claim_renewals(private.guarantee_claims) is
  'Subscriptions of a granted claim''s member that could still take a payment; none once the renewal was stopped.';

create function private.claim_settlement(claim private.guarantee_claims) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'member_id', claim.user_id,
    'renewals', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r),
    'refunds', (select coalesce(jsonb_agg(to_jsonb(r)), '[]') from private.guarantee_refunds(claim) r)
  )
$$;
comment on function private.claim_settlement(private.guarantee_claims) is 'What a granted claim is still owed: renewals to stop and refunds to make.';

create function private.require_granted_claim(claim_id uuid) returns private.guarantee_claims
  language plpgsql stable security definer set search_path = '' as $$
declare
  claim private.guarantee_claims;
begin
  select c.* into claim from private.guarantee_claims c where c.id = claim_id and c.state = 'granted';
  if not found then
    perform private.fail('FF680', 'There is no such claim.');
  end if;
  return claim;
end
$$;
comment on function private.require_granted_claim(uuid) is 'A granted claim; FF680 for any other.';

-- landing/page.sql

-- The landing page: the words an owner changes in the console, whose submissions visitors may read, and what is counted there.
create table private.landing_texts (
  version integer primary key constraint landing_texts_version_check check (version > 0),
  headline text constraint landing_texts_headline_check check (char_length(headline) between 1 and 120),
  lead text constraint landing_texts_lead_check check (char_length(lead) between 1 and 500),
  host_id uuid references public.profiles (id) on delete set null,
  host_about text constraint landing_texts_host_about_check check (char_length(host_about) between 1 and 1500),
  published_at timestamptz not null default now()
);
create index landing_texts_host_id_idx on private.landing_texts (host_id);
alter table private.landing_texts enable row level security;
comment on table private.landing_texts is 'Every version of the landing page''s words that an owner changed; the newest is shown. Rows are only ever added.';
comment on column private.landing_texts.headline is 'Null: as the product comes.';
comment on column private.landing_texts.lead is 'The paragraph under the headline. Null: as the product comes.';
comment on column private.landing_texts.host_id is 'The administrator who is introduced, with the name and picture of the profile. Null: nobody.';
comment on column private.landing_texts.host_about is 'What is said of the host. Plain text, a blank line between paragraphs.';

-- An administrator features a submission, and its author alone agrees that visitors read it: it takes both.
create table public.submission_consents (
  submission_id uuid primary key references public.learning_submissions (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  agreed_at timestamptz not null default now()
);
create index submission_consents_user_id_idx on public.submission_consents (user_id);
alter table public.submission_consents enable row level security;
grant select, insert, update, delete on public.submission_consents to service_role;
grant delete, select (submission_id, user_id, agreed_at), insert (submission_id, user_id) on public.submission_consents to authenticated;
comment on table public.submission_consents is
  'Submissions that their authors let visitors read, with first name, occupation and picture. Taken back by deleting the row.';

create policy select_own on public.submission_consents for select to authenticated using (user_id = (select auth.uid()));

create policy insert_own on public.submission_consents for insert to authenticated with check (
  user_id = (select auth.uid()) and (select private.caller_effective_level()) >= 1
  and exists (select from public.learning_submissions s where s.id = submission_id and s.user_id = (select auth.uid()))
);

create policy delete_own on public.submission_consents for delete to authenticated using (user_id = (select auth.uid()));

-- levels/level-engine.sql

create trigger user_progress__start before insert on public.user_progress
  for each row execute function private.tg_user_progress__start();

create trigger user_levels__mirror after insert or update of current_level on public.user_levels
  for each row execute function private.tg_user_levels__mirror();

create function private.progress_count(progress public.user_progress, kind text, category text) returns integer
  language sql immutable set search_path = '' as $$
  select case kind
    when 'rooms' then cardinality(progress.chat_rooms_opened)
    when 'submissions' then progress.learning_submissions
    when 'engagements' then progress.message_engagements
    when 'articles' then coalesce(jsonb_array_length(progress.articles_read_by_category -> category), 0)
    when 'courses' then coalesce(jsonb_array_length(progress.courses_completed_by_category -> category), 0)
  end
$$;
comment on function private.progress_count(public.user_progress, text, text) is 'A member''s count for one kind of requirement.';

-- A level without requirements is never met, so an empty table raises no level.
create function private.meets_level(progress public.user_progress, wanted integer) returns boolean
  language sql stable set search_path = '' as $$
  select coalesce(bool_and(private.progress_count(progress, r.kind, r.category) >= r.needed), false)
  from public.level_requirements r where r.level = wanted
$$;
comment on function private.meets_level(public.user_progress, integer) is 'True when all requirements of a level are met.';

-- Members receive changes of their own level through realtime.
alter publication supabase_realtime add table public.user_levels;

-- levels/levels.sql

-- The level an account may use now: none before onboarding or after the membership lapsed, all for administrators.
create or replace view private.effective_levels with (security_invoker = true) as
select p.id as user_id,
  case
    when p.role = 'admin' then case when private.is_verified_admin(p.id) then 4 else 0 end
    when p.onboarding_complete and exists (select from private.live_memberships m where m.user_id = p.id)
      then coalesce((select l.current_level from public.user_levels l where l.user_id = p.id), 1)
    else 0
  end as level
from public.profiles p;
comment on view private.effective_levels is 'Level each account may use now: 0 without onboarding or live membership, 4 for administrators with a second factor.';

-- library/access.sql

create policy select_level_or_own on public.subcategories for select to authenticated using (
  id in (select private.caller_studio_subcategories()) or (select private.caller_is_admin())
);

-- library/course-films.sql

-- A review is about exactly this film. Other captions mean a copy of the film under another name.
create trigger storage_objects__keep_films before update on storage.objects
  for each row when (old.bucket_id = 'course-films' or new.bucket_id = 'course-films')
  execute function private.tg_storage_objects__keep_content();

create policy select_readable_course_film on storage.objects for select to authenticated
  using (
    bucket_id = 'course-films'
    and (
      starts_with(name, (select auth.uid())::text || '-')
      or split_part(name, '.', 1) in (select private.caller_films())
      or (select private.caller_is_admin())
    )
  );

-- library/tables.sql

create table public.articles (
  id uuid primary key default gen_random_uuid(),
  subcategory_id uuid not null references public.subcategories (id),
  slug text not null constraint articles_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint articles_title_check check (char_length(title) between 1 and 200),
  excerpt text not null default '' constraint articles_excerpt_check check (char_length(excerpt) <= 500),
  content text not null default '' constraint articles_content_check check (octet_length(content) <= 204800),
  featured_image_url text,
  author_id uuid references public.profiles (id) on delete set null,
  is_published boolean not null default false,
  is_featured boolean not null default false,
  estimated_read_time integer not null default 1 constraint articles_estimated_read_time_check check (estimated_read_time > 0),
  tags text[] not null default '{}' constraint articles_tags_check check (cardinality(tags) <= 10),
  read_count integer not null default 0 constraint articles_read_count_check check (read_count >= 0),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  -- Cards and readers show the average of all ratings. Nobody may write these columns.
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  -- The call that counts an opening names the source in this column; the trigger moves it to the opening.
  opened_from text,
  from_files boolean not null default false,
  unique (subcategory_id, slug),
  constraint articles_opened_from_check check (opened_from is null)
) with (fillfactor = 80);
grant select, insert, update, delete on public.articles to service_role;
-- The app sends a new read_count and enrollment_count. Triggers replace them with the stored values.
grant select (id, subcategory_id, slug, title, excerpt, content, featured_image_url, author_id, is_published, is_featured,
    estimated_read_time, tags, read_count, display_order, created_at, rating_count, rating_sum, opened_from, from_files),
  update (read_count, opened_from)
  on public.articles to authenticated;
comment on table public.articles is 'Articles of the library, in Markdown.';
comment on column public.articles.estimated_read_time is 'Minutes.';
comment on column public.articles.author_id is 'Whose name it carries; null for the product''s own.';
comment on column public.articles.read_count is 'Number of openings, one for each member and day; kept by the server.';
create index articles_author_id_idx on public.articles (author_id);
create index articles_list_idx on public.articles (subcategory_id, is_featured desc, created_at desc);
alter table public.articles enable row level security;

create table public.courses (
  id uuid primary key default gen_random_uuid(),
  subcategory_id uuid not null references public.subcategories (id),
  slug text not null constraint courses_slug_check check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 120),
  title text not null constraint courses_title_check check (char_length(title) between 1 and 200),
  description text not null default '' constraint courses_description_check check (char_length(description) <= 2000),
  thumbnail_url text,
  mentor_id uuid references public.profiles (id) on delete set null,
  is_published boolean not null default false,
  is_featured boolean not null default false,
  is_free boolean generated always as (price = 0) stored,
  price numeric(10, 2) not null default 0 constraint courses_price_check check (price >= 0),
  estimated_duration integer not null default 0 constraint courses_estimated_duration_check check (estimated_duration >= 0),
  difficulty_level text not null default 'beginner' constraint courses_difficulty_level_check
    check (difficulty_level in ('beginner', 'intermediate', 'advanced')),
  enrollment_count integer not null default 0 constraint courses_enrollment_count_check check (enrollment_count >= 0),
  module_count integer not null default 0 constraint courses_module_count_check check (module_count >= 0),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  rating_count integer not null default 0,
  rating_sum integer not null default 0,
  -- What the studio publishes over a published course is a new version. Members in the middle finish the one they began, or move on.
  version integer not null default 1,
  from_files boolean not null default false,
  unique (subcategory_id, slug)
) with (fillfactor = 80);
grant select, insert, update, delete on public.courses to service_role;
grant select (id, subcategory_id, slug, title, description, thumbnail_url, mentor_id, is_published, is_featured, is_free, price,
    estimated_duration, difficulty_level, enrollment_count, module_count, display_order, created_at, rating_count, rating_sum,
    version, from_files),
  update (enrollment_count)
  on public.courses to authenticated;
comment on table public.courses is 'Courses of the library; their content is in course_modules.';
comment on column public.courses.mentor_id is 'Whose name it carries; null for the product''s own.';
comment on column public.courses.price is 'Pounds, for display only: every course is included in the membership.';
comment on column public.courses.estimated_duration is 'Minutes of all modules together.';
comment on column public.courses.enrollment_count is 'Members enrolled; kept by the server.';
comment on column public.courses.module_count is 'Published modules; kept by the server.';
create index courses_mentor_id_idx on public.courses (mentor_id);
create index courses_list_idx on public.courses (subcategory_id, is_featured desc, created_at desc);
alter table public.courses enable row level security;

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

reset check_function_bodies;
