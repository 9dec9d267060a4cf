-- Part 12 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- guarantee/settlement.sql

-- @rpc service_role
-- Server: what a granted claim is still owed.
create function private.billing_claim_settlement(claim_id uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select private.claim_settlement(private.require_granted_claim(claim_id))
$$;
comment on function private.billing_claim_settlement(uuid) is 'What a granted claim is still owed. FF680.';

-- @rpc service_role
-- Server: the membership of a granted claim no longer renews.
create function private.billing_claim_renewal_stopped(claim_id uuid, admin uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
begin
  update private.guarantee_claims c set renewal_stopped_at = clock_timestamp() where c.id = claim_id and c.renewal_stopped_at is null;
  if found then
    perform private.audit(coalesce(admin, claim.decided_by), 'account.renewal_stopped', claim.user_id, jsonb_build_object(
      'claim', claim_id, 'subscriptions', (select coalesce(jsonb_agg(r), '[]') from private.claim_renewals(claim) r), 'reason', 'Guarantee',
      'before', jsonb_build_object('renews', true), 'after', jsonb_build_object('renews', false)
    ));
  end if;
end
$$;
comment on function private.billing_claim_renewal_stopped(uuid, uuid) is
  'Writes down that the membership of a granted claim no longer renews. Without an administrator the one who granted stands in the log. Audited once.';

-- @rpc service_role
-- Server: record a refund of a granted claim before it is made.
create function private.billing_begin_claim_refund(claim_id uuid, payment text, admin uuid) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  claim constant private.guarantee_claims := private.require_granted_claim(claim_id);
  owed record;
  is_new boolean;
begin
  -- The lock lets one request of a payment begin at a time.
  perform from private.billing_charges b where b.charge_id = payment for update;
  select r.* into owed from private.guarantee_refunds(claim) r where r.payment_id = payment;
  if not found or not private.is_claim_refund_due(payment, admin is null) then
    return null;
  end if;
  insert into private.refund_requests as q (id, charge_id, amount_pence, reason)
  values (owed.request_id, payment, owed.amount_pence, owed.reason)
  on conflict (id) do update set state = 'started', last_tried_at = clock_timestamp()
  returning xmax = 0 into is_new;
  if is_new then
    perform private.audit(coalesce(admin, claim.decided_by), 'payment.refund_started', claim.user_id, jsonb_build_object(
      'request', owed.request_id, 'payment', payment, 'claim', claim_id,
      'after', jsonb_build_object('refunded_pence', owed.amount_pence), 'reason', owed.reason
    ));
  end if;
  return to_jsonb(owed);
end
$$;
comment on function private.billing_begin_claim_refund(uuid, text, uuid) is
  'Records a refund of a granted claim before the card provider is asked; null when nothing is owed or another call is at it. Audited.';

create function private.notification_part_guarantee(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
begin
  if not private.has_live_membership(member) then
    return;
  end if;
  return query
  select n.id, '{}'::jsonb
  from private.newest_notifications(member, array['check_in_due']) n
  join private.guarantee_baselines b on b.user_id = member
  where n.detail = private.guarantee_month(b.started_at, now())::text and now() < private.guarantee_end(b)
    and not exists (
      select from private.guarantee_check_ins c where c.user_id = member and c.month_number::text = n.detail
    )
  union all
  -- The newest reminder takes the place of the one before.
  (
    select n.id, jsonb_build_object('deadline', private.baseline_until(member))
    from private.newest_notifications(member, array['baseline_due']) n
    where private.baseline_until(member) is not null
    order by n.id desc limit 1
  );
end
$$;
comment on function private.notification_part_guarantee(uuid) is
  'A start that is still to be written down, until it is or the first week is over; a check-in that is due, until it is made or its month is over.';

-- guarantee/terms.sql

-- The guarantee's record: terms, where a member started, and a check-in each month. docs/subsystems/guarantee.md.
create table private.guarantee_terms (
  id boolean primary key default true constraint guarantee_terms_id_check check (id),
  opened_at timestamptz not null default now(),
  months integer not null,
  income_multiple integer not null,
  least_base_pence integer not null,
  baseline_days integer not null,
  claim_days integer not null,
  check_ins integer not null,
  submissions integer not null,
  messages integer not null,
  articles integer not null,
  -- The guarantee promises something to members who stay for its months, and its lines never asked whether they did.
  -- A baseline written down before keeps its own terms, which did not ask.
  membership_months integer not null default 6,
  membership_days integer not null default 20
);
comment on table private.guarantee_terms is 'What the guarantee asks for. The page /guarantee says the same; a test holds the two together.';
comment on column private.guarantee_terms.id is 'Always true, so that there is one row.';
comment on column private.guarantee_terms.opened_at is 'Members who joined before there was a record start on this day.';
comment on column private.guarantee_terms.income_multiple is 'How many times the base the income a month has to become.';
comment on column private.guarantee_terms.least_base_pence is 'A smaller income counts as this much a month: ten times nothing is nothing.';
comment on column private.guarantee_terms.baseline_days is 'From the start, for writing down the base.';
comment on column private.guarantee_terms.claim_days is 'From the end of the months, for a claim.';
comment on column private.guarantee_terms.membership_months is 'Months of the record in which the membership ran.';
comment on column private.guarantee_terms.membership_days is 'Days on which it ran, from which a month counts.';
alter table private.guarantee_terms enable row level security;

create table private.guarantee_baselines (
  user_id uuid primary key references auth.users (id) on delete cascade,
  started_at timestamptz not null,
  recorded_at timestamptz not null default now(),
  monthly_pence bigint not null constraint guarantee_baselines_monthly_pence_check check (monthly_pence between 0 and 100000000),
  source text not null constraint guarantee_baselines_source_check check (char_length(source) between 1 and 200),
  terms jsonb not null,
  document_name text,
  constraint guarantee_baselines_document_name_check
    check (starts_with(document_name, user_id::text || '-baseline-'))
);
comment on table private.guarantee_baselines is 'What members earned when they started. Read by the member alone.';
comment on column private.guarantee_baselines.started_at is 'The six months are counted from here.';
comment on column private.guarantee_baselines.monthly_pence is 'Income a month.';
comment on column private.guarantee_baselines.source is 'Where the income came from, in the member''s words.';
comment on column private.guarantee_baselines.terms is 'The row of guarantee_terms that was in force. Later terms do not change it.';
comment on column private.guarantee_baselines.document_name is
  'Name of an object in the private bucket guarantee-documents; null without a document, and after it was deleted.';
alter table private.guarantee_baselines enable row level security;

create table private.guarantee_check_ins (
  user_id uuid not null references auth.users (id) on delete cascade,
  month_number integer not null constraint guarantee_check_ins_month_number_check check (month_number >= 1),
  monthly_pence bigint not null constraint guarantee_check_ins_monthly_pence_check check (monthly_pence between 0 and 100000000),
  recorded_at timestamptz not null default now(),
  primary key (user_id, month_number)
);
comment on table private.guarantee_check_ins is 'What members earned in each month since they started. Read by the member alone.';
comment on column private.guarantee_check_ins.month_number is '1 for the month that began with started_at.';
alter table private.guarantee_check_ins enable row level security;

create function private.guarantee_start(member uuid) returns timestamptz
  language sql stable security definer set search_path = '' as $$
  select greatest(min(p.started_at), (select t.opened_at from private.guarantee_terms t))
  from private.membership_periods p where p.user_id = member having count(*) > 0
$$;
comment on function private.guarantee_start(uuid) is 'When the guarantee starts for an account: with its first membership. Null without one.';

-- Days are added in UTC, so that a month does not depend on who asks.
create function private.guarantee_month(started_at timestamptz, at_time timestamptz) returns integer
  language sql immutable set search_path = '' as $$
  select count(*)::integer from generate_series(0, 120) n
  where (started_at at time zone 'utc') + n * interval '1 month' <= at_time at time zone 'utc'
$$;
comment on function private.guarantee_month(timestamptz, timestamptz) is 'Which month since the start a moment is in: 1 for the first, 0 before it.';

create function private.guarantee_end(baseline private.guarantee_baselines) returns timestamptz
  language sql immutable set search_path = '' as $$
  select ((baseline.started_at at time zone 'utc') + (baseline.terms ->> 'months')::integer * interval '1 month') at time zone 'utc'
$$;
comment on function private.guarantee_end(private.guarantee_baselines) is 'When the months of a record are over.';

-- The one place that decides what was done. Only what happened within the months counts.
create function private.guarantee_lines(member uuid, at_time timestamptz)
  returns table (line text, needed integer, held integer, met boolean)
  language sql stable security definer set search_path = '' as $$
  with record as (
    select b.terms, b.started_at, least(private.guarantee_end(b), at_time) as until,
      -- Baselines from before the terms asked for it don't need it.
      case when b.terms ? 'membership_months' then private.membership_months(b, at_time) end as membership_months
    from private.guarantee_baselines b where b.user_id = member
  ), events as (
    select l.kind, count(*)::integer as events
    from record r join private.progress_ledger l
      on l.user_id = member and l.happened_at >= r.started_at and l.happened_at < r.until
    group by l.kind
  ), lines as (
    select 1 as place, 'check_ins' as line, (r.terms ->> 'check_ins')::integer as needed, (
      select count(*)::integer from private.guarantee_check_ins c where c.user_id = member
    ) as held
    from record r
    union all
    select k.place, k.line, (r.terms ->> k.line)::integer, coalesce((select e.events from events e where e.kind = k.kind), 0)
    from record r, (values (2, 'submissions', 'submission'), (3, 'messages', 'message'), (4, 'articles', 'article_read')) k (place, line, kind)
    union all
    select 5, 'membership', (r.terms ->> 'membership_months')::integer, r.membership_months
    from record r where r.membership_months is not null
  )
  select l.line, l.needed, l.held, l.held >= l.needed from lines l order by l.place
$$;
comment on function private.guarantee_lines(uuid, timestamptz) is
  'What the terms of a member''s record ask for, what is on record by then, and whether it is enough: the work, and that the membership lasted. Nothing without a baseline.';

create function private.export_part_guarantee(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'guarantee_baseline', (select to_jsonb(b) from private.guarantee_baselines b where b.user_id = member),
    'guarantee_check_ins', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.month_number) from private.guarantee_check_ins c where c.user_id = member
    ), '[]'),
    'guarantee_claim', (select to_jsonb(c) - 'decided_by' from private.guarantee_claims c where c.user_id = member)
  )
$$;
comment on function private.export_part_guarantee(uuid) is 'Baseline, check-ins and claim of one account.';

-- landing/console.sql

create function private.optional_text(given text) returns text
  language sql immutable set search_path = '' as $$
  select case when given is null or private.is_blank(given) then null else btrim(given) end
$$;
comment on function private.optional_text(text) is 'The text without blanks around it; null when nothing can be seen of it.';

-- @rpc authenticated
-- Administrators: what the landing page says and shows, and who can be its host.
create function private.landing_settings() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return (
    select jsonb_build_object(
      'version', coalesce(t.version, 0), 'headline', t.headline, 'lead', t.lead,
      'host_id', t.host_id, 'host_about', t.host_about, 'published_at', t.published_at,
      'outcomes', (select coalesce(jsonb_agg(o), '[]') from private.landing_outcomes() o),
      'unanswered', (
        select count(*) from public.learning_submissions s
        where s.is_featured and not exists (select from public.submission_consents c where c.submission_id = s.id)
      ),
      'hosts', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'picture', p.avatar_url
        ) order by p.first_name, p.id), '[]')
        from public.profiles p
        where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
      )
    )
    from (select) nothing
    left join (select x.* from private.landing_texts x order by x.version desc limit 1) t on true
  );
end
$$;
comment on function private.landing_settings() is 'The landing page for administrators with a second factor.';

-- @rpc authenticated
-- Administrators: publish other words for the landing page. An empty one is as the product comes.
create function private.publish_landing_text(headline text, lead text, host uuid, host_about text) returns integer
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  former private.landing_texts;
  current private.landing_texts;
begin
  -- One at a time: each takes the next number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('landing_texts'));
  select t.* into former from private.landing_texts t order by t.version desc limit 1;
  current.version := coalesce(former.version, 0) + 1;
  current.headline := private.optional_text(headline);
  current.lead := private.optional_text(lead);
  current.host_about := private.optional_text(host_about);
  current.host_id := host;
  current.published_at := now();
  if char_length(current.headline) > 120 or char_length(current.lead) > 500 or char_length(current.host_about) > 1500 then
    perform private.fail('FF280', 'A headline has at most 120 characters, the text below it 500, and the text about the host 1,500.');
  end if;
  if host is not null and not exists (select from public.profiles p where p.id = host and p.role = 'admin') then
    perform private.fail('FF281', 'The host has to be an administrator.');
  end if;
  insert into private.landing_texts values (current.*);
  perform private.audit_change(
    admin, 'landing_text.published', jsonb_build_object('version', current.version),
    coalesce(to_jsonb(former), '{"headline": null, "lead": null, "host_id": null, "host_about": null}') - '{version,published_at}'::text[],
    to_jsonb(current) - '{version,published_at}'::text[]
  );
  return current.version;
end
$$;
comment on function private.publish_landing_text(text, text, uuid, text) is
  'Shows other words on the landing page; the number of the version. Raises FF280 or FF281. Audited.';

-- landing/page.sql

create function private.export_part_landing(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'submission_consents', coalesce((
      select jsonb_agg(to_jsonb(c) order by c.agreed_at, c.submission_id) from public.submission_consents c where c.user_id = member
    ), '[]'),
    'landing_texts', coalesce((
      select jsonb_agg(to_jsonb(t) order by t.version) from private.landing_texts t where t.host_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_landing(uuid) is 'Submissions that one account lets visitors read, and texts of the landing page that introduce it.';

create function private.is_banned(account uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (select from auth.users u where u.id = account and (u.banned_until > now() or u.deleted_at is not null))
$$;
comment on function private.is_banned(uuid) is 'Whether the account is suspended or deleted.';

create function private.landing_outcomes() returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', p.first_name, 'occupation', p.occupation, 'picture', p.avatar_url,
    'title', s.title, 'text', left(s.content, 1000), 'type', s.submission_type
  )
  from public.submission_consents c
  join public.learning_submissions s on s.id = c.submission_id and s.user_id = c.user_id
  join public.profiles p on p.id = s.user_id
  where s.is_featured and not private.is_blank(coalesce(p.first_name, '')) and not private.is_banned(p.id)
  order by s.created_at desc, s.id limit 3
$$;
comment on function private.landing_outcomes() is 'The newest three submissions that are featured and that their authors let visitors read.';

create function private.landing_host() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url, 'about', t.host_about
  )
  from (select x.host_id, x.host_about from private.landing_texts x order by x.version desc limit 1) t
  join public.profiles p on p.id = t.host_id
  where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
$$;
comment on function private.landing_host() is 'Whom the landing page introduces; null while nobody is named, or when that account is no administrator any more.';

-- Mentors whose course is on sale are named on its public page already; the others are counted and not shown.
create function private.landing_mentors() returns setof jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url
  )
  from public.profiles p
  where p.id in (select o.mentor_id from private.open_course_offers o) and not private.is_blank(concat(p.first_name, p.last_name))
  order by p.first_name, p.id limit 6
$$;
comment on function private.landing_mentors() is 'Up to six mentors who sell a course to visitors.';

create function private.landing_page() returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'headline', t.headline, 'lead', t.lead, 'host', private.landing_host(),
    'outcomes', (select coalesce(jsonb_agg(o), '[]') from private.landing_outcomes() o),
    'is_trial', exists (select from private.install_marks m where m.mark = 'demo_accounts'),
    'rooms', (select count(*) from public.chat_rooms r where r.is_active),
    'articles', (
      select count(*) from public.articles a join public.subcategories s on s.id = a.subcategory_id
      where a.is_published and s.is_active
    ),
    'courses', (
      select count(*) from public.courses c join public.subcategories s on s.id = c.subcategory_id
      where c.is_published and s.is_active
    ),
    'mentors', (select count(*) from public.profiles p where p.role = 'mentor' and private.effective_level(p.id) >= 1),
    'portraits', (select coalesce(jsonb_agg(m), '[]') from private.landing_mentors() m),
    'free_lesson', (
      select jsonb_build_object(
        'slug', o.slug, 'course', o.title, 'lesson', m.title,
        'mentor', btrim(concat_ws(' ', p.first_name, p.last_name))
      )
      from private.open_course_offers o
      join private.course_offers x on x.course_id = o.course_id
      join public.course_modules m on m.id = o.free_module_id
      join public.profiles p on p.id = o.mentor_id
      order by x.changed_at desc, o.slug limit 1
    ),
    'claims', (select to_jsonb(f) from private.guarantee_figures() f),
    'seller', (select to_jsonb(b) - 'id' from public.business_details b)
  )
  from (select) nothing
  left join (select x.headline, x.lead from private.landing_texts x order by x.version desc limit 1) t on true
$$;
comment on function private.landing_page() is 'What the landing page shows of the database. The server renders it; no client asks.';

-- legal/texts.sql

-- Terms, privacy and refunds as versioned Markdown that an owner edits in the console, who sells here, and which terms each
-- account accepted before it paid.
create table public.legal_texts (
  kind text not null constraint legal_texts_kind_check check (kind in ('terms', 'privacy', 'refunds')),
  version integer not null constraint legal_texts_version_check check (version > 0),
  body text not null constraint legal_texts_body_check check (char_length(body) between 1 and 50000),
  summary text constraint legal_texts_summary_check check (char_length(summary) between 1 and 300),
  published_at timestamptz not null default now(),
  primary key (kind, version)
);
alter table public.legal_texts enable row level security;
grant select, insert, update, delete on public.legal_texts to service_role;
grant select (kind, version, body, summary, published_at) on public.legal_texts to anon, authenticated;

create policy select_everyone on public.legal_texts for select to anon, authenticated using (true);
comment on table public.legal_texts is 'Every version of the terms, the privacy notice and the refund terms; the newest of a kind is in force. Rows are only ever added.';
comment on column public.legal_texts.body is 'Markdown.';
comment on column public.legal_texts.summary is 'What changed, in a sentence members read; null for the first version.';

create table public.business_details (
  id boolean primary key default true constraint business_details_id_check check (id),
  legal_name text constraint business_details_legal_name_check check (char_length(legal_name) between 1 and 200),
  address text constraint business_details_address_check check (char_length(address) between 1 and 500),
  company_number text constraint business_details_company_number_check check (char_length(company_number) between 1 and 40),
  vat_number text constraint business_details_vat_number_check check (char_length(vat_number) between 1 and 40)
);
alter table public.business_details enable row level security;
grant select, insert, update, delete on public.business_details to service_role;
grant select (legal_name, address, company_number, vat_number) on public.business_details to anon, authenticated;

create policy select_everyone on public.business_details for select to anon, authenticated using (true);
comment on table public.business_details is 'Who sells here, as the law asks a seller to say: one row. Null is not said.';
comment on column public.business_details.id is 'Always true, so that there is one row.';
comment on column public.business_details.address is 'Lines of an address.';

create table private.terms_acceptances (
  user_id uuid not null references auth.users on delete cascade,
  version integer not null,
  accepted_at timestamptz not null default now(),
  primary key (user_id, version)
);
alter table private.terms_acceptances enable row level security;
comment on table private.terms_acceptances is 'Which version of the terms each account accepted, and when first: before a membership is paid for.';

-- @rpc service_role
-- Server: an account accepts the terms before it pays.
create function private.billing_accept_terms(member uuid, version integer) returns boolean
  language plpgsql security definer set search_path = ''
as $$
begin
  if version is distinct from (select max(t.version) from public.legal_texts t where t.kind = 'terms') then
    return false;
  end if;
  insert into private.terms_acceptances (user_id, version) values (member, billing_accept_terms.version) on conflict do nothing;
  return true;
end
$$;
comment on function private.billing_accept_terms(uuid, integer) is 'Records that the account accepted the terms in force; false when that version is not in force.';

create function private.export_part_terms(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('terms_accepted', coalesce((
    select jsonb_agg(to_jsonb(t) order by t.version) from private.terms_acceptances t where t.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_terms(uuid) is 'Terms that one account accepted.';

-- @rpc authenticated
-- Administrators: put a new version of the terms, the privacy notice or the refund terms into force.
create function private.publish_legal_text(kind text, body text, summary text) returns integer
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  said text := btrim(coalesce(body, ''));
  why text := btrim(coalesce(summary, ''));
  current public.legal_texts;
begin
  -- One at a time: each takes the next number.
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('legal_texts'));
  select t.* into current from public.legal_texts t where t.kind = publish_legal_text.kind order by t.version desc limit 1;
  if not found then
    perform private.fail('FF270', 'There is no such text.');
  end if;
  if private.is_blank(said) or char_length(said) > 50000 then
    perform private.fail('FF271', 'The text needs between 1 and 50,000 characters.');
  end if;
  if private.is_blank(why) or char_length(why) > 300 then
    perform private.fail('FF272', 'Say in at most 300 characters what changed. Members read it.');
  end if;
  perform private.require_bounded_markdown(said, 'Line');
  insert into public.legal_texts (kind, version, body, summary) values (current.kind, current.version + 1, said, why);
  perform private.audit_change(
    admin, 'legal_text.published', jsonb_build_object('kind', current.kind, 'summary', why),
    jsonb_build_object('version', current.version), jsonb_build_object('version', current.version + 1)
  );
  delete from public.notifications n where n.kind = 'legal_changed' and n.detail = current.kind;
  insert into public.notifications (user_id, kind, detail)
  select r.id, 'legal_changed', current.kind from public.profiles r where r.id <> admin
  for key share of r skip locked on conflict do nothing;
  return current.version + 1;
end
$$;
comment on function private.publish_legal_text(text, text, text) is
  'Puts a new version of a legal text into force and tells every account; its number. Raises FF270, FF271, FF272 or FF660. Audited.';

create function private.notification_part_legal(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, jsonb_build_object('what', n.detail) from private.newest_notifications(member, array['legal_changed']) n
$$;
comment on function private.notification_part_legal(uuid) is 'A new version of a legal text; always.';

-- @rpc authenticated
-- Administrators: say who sells here.
create function private.set_business_details(legal_name text, address text, company_number text, vat_number text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := (select to_jsonb(b) - 'id' from public.business_details b);
  given constant text[] := array[
    nullif(btrim(legal_name), ''), nullif(btrim(address), ''), nullif(btrim(company_number), ''), nullif(btrim(vat_number), '')
  ];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 or char_length(given[4]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  update public.business_details b
  set legal_name = given[1], address = given[2], company_number = given[3], vat_number = given[4] where b.id;
  perform private.require_vat_seller();
  perform private.audit_change(
    admin, 'business_details.edited', '{}', before, (select to_jsonb(b) - 'id' from public.business_details b)
  );
end
$$;
comment on function private.set_business_details(text, text, text, text) is 'Changes who sells here; FF273 when something is too long, FF275 when VAT invoices lack something. Audited.';

-- levels/level-engine.sql

-- The level engine turns progress events into counters, and counters into levels. Nothing else writes either.

-- The level is stored in two tables because clients read both. user_levels is authoritative.
create function private.tg_user_progress__start() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.current_level := coalesce(
    (select l.current_level from public.user_levels l where l.user_id = new.user_id), new.current_level
  );
  return new;
end
$$;

create function private.tg_user_levels__mirror() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update public.user_progress p set current_level = new.current_level
  where p.user_id = new.user_id and p.current_level <> new.current_level;
  return null;
end
$$;

-- Raises the level repeatedly: a member who already meets the next level's requirements passes both at once.
create function private.raise_level(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  progress public.user_progress;
  started integer;
  reached integer;
  completed boolean := false;
begin
  select p.* into progress from public.user_progress p where p.user_id = member for update;
  select l.current_level into started from public.user_levels l where l.user_id = member for update;
  started := coalesce(started, 1);
  reached := started;
  while private.meets_level(progress, reached) loop
    insert into public.level_completions (user_id, level) values (member, reached) on conflict do nothing;
    completed := completed or found;
    exit when reached = 4;
    reached := reached + 1;
  end loop;
  if completed then
    update public.user_progress set level_completed_at = now() where user_id = member;
  end if;
  if reached > started then
    insert into public.user_levels as l (user_id, current_level, unlocked_levels)
    values (member, reached, array(select generate_series(0, reached)))
    on conflict (user_id) do update set
      current_level = excluded.current_level, unlocked_levels = excluded.unlocked_levels;
  end if;
end
$$;
comment on function private.raise_level(uuid) is 'Raises a member past every level whose requirements are met; records each completion once.';

-- Called by triggers on the tables members write to. Events of one member are serialised: the row of counters is locked
-- first, so that of two concurrent events the second one sees the first.
create function private.record_progress_event(
  member uuid, kind text, reference text, category text default null
) returns boolean
  language plpgsql security definer set search_path = '' as $$
begin
  perform from public.user_progress p where p.user_id = member for update;
  if not found then
    insert into public.user_progress (user_id) values (member) on conflict do nothing;
    perform from public.user_progress p where p.user_id = member for update;
  end if;
  insert into private.progress_ledger (user_id, kind, reference, category)
  values (member, record_progress_event.kind, record_progress_event.reference, record_progress_event.category)
  on conflict on constraint progress_ledger_once do nothing;
  if not found then
    return false;
  end if;
  case record_progress_event.kind
    when 'room_opened' then
      null; -- Counted below, with the rooms of the ledger.
    when 'submission' then
      update public.user_progress p set learning_submissions = p.learning_submissions + 1 where p.user_id = member;
    when 'article_read' then
      update public.user_progress p
      set articles_read_by_category = private.append_to_list(p.articles_read_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    when 'course_completed' then
      update public.user_progress p
      set courses_completed_by_category =
        private.append_to_list(p.courses_completed_by_category, record_progress_event.category, reference)
      where p.user_id = member;
    else
      update public.user_progress p set message_engagements = p.message_engagements + 1 where p.user_id = member;
  end case;
  perform private.count_opened_rooms(member);
  perform private.raise_level(member);
  return true;
end
$$;
comment on function private.record_progress_event(uuid, text, text, text) is
  'Records a progress event and updates counters and level; false when it was recorded before. For triggers only.';

create function private.append_to_list(lists jsonb, key text, entry text) returns jsonb
  language sql immutable set search_path = '' as $$
  select jsonb_set(lists, array[key], coalesce(lists -> key, '[]') || to_jsonb(entry))
$$;
comment on function private.append_to_list(jsonb, text, text) is 'The map of lists with an entry appended to one list.';

-- levels/levels.sql

-- The level each member has reached. The app inserts the first row; only the level engine raises it.
create table public.user_levels (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_level integer not null default 1
    constraint user_levels_current_level_check check (current_level between 1 and 4),
  unlocked_levels integer[] not null default '{0,1}' constraint user_levels_unlocked_levels_check
    check (unlocked_levels <@ array[0, 1, 2, 3, 4] and cardinality(unlocked_levels) <= 5),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.user_levels to service_role;
grant select (user_id, current_level, unlocked_levels, updated_at),
  insert (user_id, current_level, unlocked_levels, updated_at),
  update (user_id, current_level, unlocked_levels, updated_at)
  on public.user_levels to authenticated;
comment on table public.user_levels is 'Level reached, one row for each member. effective_level also requires a live membership and decides access. @deletes_reach user_id';
comment on column public.user_levels.unlocked_levels is 'Every level up to the current one; 0 is content without a level.';
alter table public.user_levels enable row level security;

create policy select_own on public.user_levels for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

create policy insert_own on public.user_levels for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.user_levels for update to authenticated
  using (user_id = (select auth.uid()));

-- Also runs for the row an upsert proposes: repeating the last onboarding step must not lower a level.
create function private.tg_user_levels__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  existing public.user_levels;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.user_id is distinct from auth.uid() then
    return new;
  end if;
  select l.* into existing from public.user_levels l where l.user_id = new.user_id;
  if found then
    return existing;
  end if;
  new.current_level := 1;
  new.unlocked_levels := '{0,1}';
  new.updated_at := now();
  return new;
end
$$;

create trigger user_levels__guard_insert before insert on public.user_levels
  for each row execute function private.tg_user_levels__guard_insert();

-- An update by a client keeps the stored row.
create function private.tg_user_levels__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  new.updated_at := now();
  return new;
end
$$;

create trigger user_levels__guard_update before update on public.user_levels
  for each row execute function private.tg_user_levels__guard_update();

-- The counters behind a level, kept by the server. Clients may send their own sums, which are ignored.
create table public.user_progress (
  user_id uuid primary key references auth.users (id) on delete cascade,
  current_level integer not null default 1
    constraint user_progress_current_level_check check (current_level between 1 and 4),
  chat_rooms_opened text[] not null default '{}',
  learning_submissions integer not null default 0
    constraint user_progress_learning_submissions_check check (learning_submissions >= 0),
  message_engagements integer not null default 0
    constraint user_progress_message_engagements_check check (message_engagements >= 0),
  articles_read_by_category jsonb not null default '{"general": [], "business": [], "wealth": []}',
  courses_completed_by_category jsonb not null default '{"general": [], "business": [], "wealth": []}',
  level_completed_at timestamptz,
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on public.user_progress to service_role;
grant select (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category,
    courses_completed_by_category, level_completed_at, updated_at),
  insert (user_id),
  update (user_id, current_level, chat_rooms_opened, learning_submissions, message_engagements, articles_read_by_category,
    courses_completed_by_category, level_completed_at, updated_at)
  on public.user_progress to authenticated;
comment on table public.user_progress is 'Progress towards the next level, one row for each member, kept by the server. @deletes_reach user_id';
comment on column public.user_progress.chat_rooms_opened is 'Ids of rooms opened, at most room_count_limit (five by default).';
comment on column public.user_progress.articles_read_by_category is 'Ids of articles read, by main category.';
comment on column public.user_progress.courses_completed_by_category is 'Ids of courses completed, by main category.';
comment on column public.user_progress.level_completed_at is 'When the member last completed a level; null before the first.';
alter table public.user_progress enable row level security;

create policy select_own on public.user_progress for select to authenticated
  using (user_id = (select auth.uid()) and (select private.session_is_live()));

create policy insert_own on public.user_progress for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.user_progress for update to authenticated
  using (user_id = (select auth.uid()));

create function private.tg_user_progress__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if private.is_outside_caller() then
    return old;
  end if;
  -- clock_timestamp, because clients treat the row with the later updated_at as the newer one.
  new.updated_at := clock_timestamp();
  return new;
end
$$;

create trigger user_progress__guard_update before update on public.user_progress
  for each row execute function private.tg_user_progress__guard_update();

-- Members receive changes of their own progress through realtime.
alter publication supabase_realtime add table public.user_progress;

-- plpgsql caches the plan. Policies call this for every subscriber of every change.
create function private.effective_level(member uuid) returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((select l.level from private.effective_levels l where l.user_id = member), 0);
end
$$;
comment on function private.effective_level(uuid) is 'Level an account may use now; 0 when there is no such account.';

create function private.caller_effective_level() returns integer
  language plpgsql stable security definer set search_path = '' as $$
begin
  return private.effective_level(private.require_caller());
end
$$;
comment on function private.caller_effective_level() is 'Level the calling account may use now.';
grant execute on function private.caller_effective_level to authenticated;

create function public.effective_level() returns integer
  language sql stable set search_path = '' as $$
  select private.caller_effective_level()
$$;
comment on function public.effective_level() is 'Level the caller may use now: 0 without onboarding or live membership, 4 for administrators.';
grant execute on function public.effective_level to authenticated;

-- levels/progress-ledger.sql

-- The requirements of each level. The owner may change them; a change applies from a member's next progress event.
create table public.level_requirements (
  level integer not null constraint level_requirements_level_check check (level between 1 and 4),
  kind text not null constraint level_requirements_kind_check
    check (kind in ('rooms', 'submissions', 'engagements', 'articles', 'courses')),
  category text constraint level_requirements_category_check check (category in ('general', 'business', 'wealth')),
  needed integer not null constraint level_requirements_needed_check check (needed > 0),
  primary key (level, kind),
  constraint level_requirements_shelf_check check ((kind in ('articles', 'courses')) = (category is not null))
);
grant select, insert, update, delete on public.level_requirements to service_role;
grant select (level, kind, category, needed) on public.level_requirements to authenticated;
comment on table public.level_requirements is 'What a member has to do to complete a level.';
comment on column public.level_requirements.category is 'Main category that counts, for articles and courses only.';
alter table public.level_requirements enable row level security;

create policy select_all on public.level_requirements for select to authenticated using (true);

-- Every progress event that counts, once. Counters and levels can be rebuilt from it.
create table private.progress_ledger (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null constraint progress_ledger_kind_check
    check (kind in ('room_opened', 'submission', 'message', 'like', 'article_read', 'course_completed')),
  category text constraint progress_ledger_category_check check (category in ('general', 'business', 'wealth')),
  reference text not null constraint progress_ledger_reference_check check (char_length(reference) between 1 and 100),
  happened_at timestamptz not null default now(),
  constraint progress_ledger_once unique (user_id, kind, reference),
  constraint progress_ledger_shelf_check
    check ((kind in ('article_read', 'course_completed')) = (category is not null))
);
comment on table private.progress_ledger is 'Progress events of members, oldest first. Rows are only added; they go with their account.';
comment on column private.progress_ledger.reference is 'Id of the room, submission, message, article or course.';
create index progress_ledger_user_id_idx on private.progress_ledger (user_id, id desc);
alter table private.progress_ledger enable row level security;

-- Rows are never rewritten: deleting the message behind an event does not undo the event.
create function private.tg_progress_ledger__append_only() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and not exists (select from auth.users u where u.id = old.user_id) then
    return old;
  end if;
  raise exception 'the progress ledger only grows';
end
$$;

create trigger progress_ledger__append_only before update or delete on private.progress_ledger
  for each row execute function private.tg_progress_ledger__append_only();

-- Each level is completed once.
create table public.level_completions (
  user_id uuid not null references auth.users (id) on delete cascade,
  level integer not null constraint level_completions_level_check check (level between 1 and 4),
  completed_at timestamptz not null default now(),
  primary key (user_id, level)
);
grant select, insert, update, delete on public.level_completions to service_role;
grant select (user_id, level, completed_at) on public.level_completions to authenticated;
comment on table public.level_completions is 'When each level was completed. A row for level 4 means that all levels are complete.';
alter table public.level_completions enable row level security;

create policy select_own on public.level_completions for select to authenticated
  using (user_id = (select auth.uid()));

-- The number of members for each number of engagements. A rank is a sum over these rows instead of all members.
create table private.engagement_histogram (
  bucket integer primary key,
  members integer not null constraint engagement_histogram_members_check check (members >= 0)
);
comment on table private.engagement_histogram is 'Members by engagements; kept by triggers on user_progress.';
comment on column private.engagement_histogram.bucket is 'Result of engagement_bucket for the number of engagements.';

reset check_function_bodies;
