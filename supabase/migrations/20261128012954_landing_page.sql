create table "private"."landing_texts" (
  "version"      integer                  not null,
  "headline"     text,
  "lead"         text,
  "host_id"      uuid,
  "host_about"   text,
  "published_at" timestamp with time zone not null default now(),
  constraint "landing_texts_headline_check" check (((char_length(headline) >= 1) AND (char_length(headline) <= 120))),
  constraint "landing_texts_host_about_check"
    check (((char_length(host_about) >= 1) AND (char_length(host_about) <= 1500))),
  constraint "landing_texts_lead_check" check (((char_length(lead) >= 1) AND (char_length(lead) <= 500))),
  constraint "landing_texts_pkey" primary key (version),
  constraint "landing_texts_version_check" check ((version > 0))
);

alter table "private"."landing_texts"
  enable row level security;

create table "public"."submission_consents" (
  "submission_id" uuid                     not null,
  "user_id"       uuid                     not null,
  "agreed_at"     timestamp with time zone not null default now(),
  constraint "submission_consents_pkey" primary key (submission_id)
);

alter table "public"."submission_consents"
  enable row level security;

create or replace function private.export_part_landing (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object('submission_consents', coalesce((
    select jsonb_agg(to_jsonb(c) order by c.agreed_at, c.submission_id) from public.submission_consents c where c.user_id = member
  ), '[]'))
$function$;

create or replace function private.is_banned (
  account uuid
)
  returns boolean
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select exists (select from auth.users u where u.id = account and (u.banned_until > now() or u.deleted_at is not null))
$function$;

create or replace function private.landing_host()
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url, 'about', t.host_about
  )
  from (select x.host_id, x.host_about from private.landing_texts x order by x.version desc limit 1) t
  join public.profiles p on p.id = t.host_id
  where p.role = 'admin' and not private.is_blank(concat(p.first_name, p.last_name)) and not private.is_banned(p.id)
$function$;

create or replace function private.landing_mentors()
  returns SETOF jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'name', btrim(concat_ws(' ', p.first_name, p.last_name)), 'occupation', p.occupation, 'picture', p.avatar_url
  )
  from public.profiles p
  where p.id in (select o.mentor_id from private.open_course_offers o) and not private.is_blank(concat(p.first_name, p.last_name))
  order by p.first_name, p.id limit 6
$function$;

create or replace function private.landing_outcomes()
  returns SETOF jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'name', p.first_name, 'occupation', p.occupation, 'picture', p.avatar_url,
    'title', s.title, 'text', left(s.content, 1000), 'type', s.submission_type
  )
  from public.submission_consents c
  join public.learning_submissions s on s.id = c.submission_id and s.user_id = c.user_id
  join public.profiles p on p.id = s.user_id
  where s.is_featured and not private.is_blank(coalesce(p.first_name, '')) and not private.is_banned(p.id)
  order by s.created_at desc, s.id limit 3
$function$;

create or replace function private.landing_page()
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.landing_settings()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.optional_text (
  given text
)
  returns text
  language sql
  immutable
  set search_path to ''
  AS $function$
  select case when given is null or private.is_blank(given) then null else btrim(given) end
$function$;

create or replace function private.publish_landing_text (
  headline   text,
  lead       text,
  host       uuid,
  host_about text
)
  returns integer
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function public.landing_settings()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.landing_settings() $function$;

create or replace function public.publish_landing_text (
  headline   text,
  lead       text,
  host       uuid,
  host_about text
)
  returns integer
  language sql
  set search_path to ''
  AS $function$ select private.publish_landing_text(headline, lead, host, host_about) $function$;

alter table "private"."landing_texts"
  add constraint "landing_texts_host_id_fkey" foreign key (host_id) references public.profiles(id) on delete set null;

alter table "public"."submission_consents"
  add constraint "submission_consents_submission_id_fkey" foreign key (submission_id)
    references public.learning_submissions(id) on delete cascade;

alter table "public"."submission_consents"
  add constraint "submission_consents_user_id_fkey" foreign key (user_id) references auth.users(id) on delete cascade;

create index landing_texts_host_id_idx on private.landing_texts using btree (host_id);

create index submission_consents_user_id_idx on public.submission_consents using btree (user_id);

create policy "delete_own" on "public"."submission_consents"
  for delete
  to "authenticated"
  using ((user_id = ( select auth.uid() as uid)));

create policy "insert_own" on "public"."submission_consents"
  for insert
  to "authenticated"
  with
    check
    (((user_id = ( SELECT auth.uid() AS uid)) AND (( SELECT private.caller_effective_level() AS caller_effective_level)
    >= 1) AND (EXISTS ( SELECT
   FROM public.learning_submissions s
  WHERE ((s.id = submission_consents.submission_id) AND (s.user_id = ( SELECT auth.uid() AS uid)))))));

create policy "select_own" on "public"."submission_consents"
  for select
  to "authenticated"
  using ((user_id = ( select auth.uid() as uid)));
