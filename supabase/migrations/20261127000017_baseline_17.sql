-- Part 17 of 27 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- profiles/pictures.sql

-- Owners delete their pictures, so uploads are counted and not what is stored. The account is read from the name, because
-- the storage service of a hosted project writes the row with its own role.
create function private.tg_storage_objects__limit_profile_pictures() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  member constant uuid := substring(new.name from '^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-')::uuid;
begin
  -- A row for another account is not changed: the policy refuses it next.
  if member is null or auth.uid() <> member or not exists (select from auth.users u where u.id = member) then
    return new;
  end if;
  begin
    perform private.enforce_rate_limit(member, 'profile_picture');
  exception when sqlstate 'FF300' then
    -- The storage service knows only SQL's own codes.
    perform private.fail('42501', 'This account has stored twenty pictures within the hour, which is the most.');
  end;
  return new;
end
$$;

create trigger storage_objects__limit_profile_pictures before insert on storage.objects
  for each row when (new.bucket_id = 'profile-pictures')
  execute function private.tg_storage_objects__limit_profile_pictures();

create policy select_own_profile_picture on storage.objects for select to authenticated
  using (
    bucket_id = 'profile-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_verified_admin()))
  );

create policy delete_own_profile_picture on storage.objects for delete to authenticated
  using (
    bucket_id = 'profile-pictures'
    and (starts_with(name, (select auth.uid())::text || '-') or (select private.caller_is_verified_admin()))
  );

-- The upload must be recent, so that the hourly deletion of unused pictures cannot take it at the same moment.
-- @rpc authenticated
-- Sets the caller's profile picture to an object of theirs, or removes it; returns the name of the former object.
create function private.set_my_picture(name text default null) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = caller for no key update;
  if set_my_picture.name is not distinct from former then
    return null;
  end if;
  if set_my_picture.name is null then
    update public.profiles p set avatar_url = null where p.id = caller;
    return former;
  end if;
  if not private.caller_is_member() then
    perform private.fail('FF341', 'Only members can have a picture.');
  end if;
  if not exists (
    select from storage.objects o
    where o.bucket_id = 'profile-pictures' and o.name = set_my_picture.name
      and o.name ~ ('^' || caller::text || '-[0-9]{1,20}\.(jpg|jpeg|png)$')
      and o.created_at > now() - interval '30 minutes'
  ) then
    perform private.fail('FF340', 'The picture has not been uploaded within the last half hour.');
  end if;
  update public.profiles p set avatar_url =
    coalesce(private.caller_api_origin(), '') || '/storage/v1/object/public/profile-pictures/' || set_my_picture.name
  where p.id = caller;
  return former;
end
$$;
comment on function private.set_my_picture(text) is
  'Shows an uploaded picture of the caller on their profile, null none; returns the name of the former one, to delete.';

-- @rpc authenticated
-- Administrators: take a member's picture off their profile, with a reason; returns the name of its object.
create function private.admin_remove_picture(member uuid, reason text) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
  account auth.users := private.require_other_account(admin, member);
  former text;
begin
  select private.image_name(p.avatar_url) into former
  from public.profiles p where p.id = account.id for no key update;
  if former is null then
    perform private.fail('FF342', 'This account has no picture.');
  end if;
  update public.profiles p set avatar_url = null where p.id = account.id;
  perform private.audit(admin, 'account.picture_removed', member, jsonb_build_object(
    'reason', why, 'before', jsonb_build_object('picture', former), 'after', jsonb_build_object('picture', null)
  ));
  return former;
end
$$;
comment on function private.admin_remove_picture(uuid, text) is
  'Takes the picture off a profile; returns the name of its object, to delete. Audited.';

-- @rpc service_role
-- Server: profile pictures to delete now.
create function private.profile_pictures_to_purge(after text default '', batch integer default 100) returns setof text
  language sql stable security definer set search_path = '' as $$
  select o.name from storage.objects o
  where o.bucket_id = 'profile-pictures' and o.name > after and o.created_at < now() - interval '1 hour'
    and not exists (
      select from public.profiles p where p.avatar_url is not null and private.image_name(p.avatar_url) = o.name
    )
  order by o.name
  limit batch
$$;
comment on function private.profile_pictures_to_purge(text, integer) is
  'Pictures older than an hour that no profile shows; by name, after the given one.';

-- profiles/profiles.sql

-- What members see of each other. All columns are visible, so e-mail, payment and document data never go here.
create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  role text not null default 'student' check (role in ('student', 'mentor', 'admin')),
  onboarding_complete boolean not null default false,
  first_name text constraint profiles_first_name_check
    check (char_length(first_name) <= 100 and first_name !~ '[[:cntrl:]]'),
  last_name text constraint profiles_last_name_check
    check (char_length(last_name) <= 100 and last_name !~ '[[:cntrl:]]'),
  occupation text constraint profiles_occupation_check
    check (char_length(occupation) <= 150 and occupation !~ '[[:cntrl:]]'),
  bio text constraint profiles_bio_check check (char_length(bio) <= 2000),
  updated_at timestamptz not null default now(),
  -- Members see the column of each other. Nothing but set_my_picture and admin_remove_picture writes it.
  avatar_url text,
  constraint profiles_avatar_url_check check (
    char_length(avatar_url) <= 600
    and avatar_url ~ '^(https?://[^/?#\s]+)?/storage/v1/object/public/profile-pictures/[0-9a-f-]{36}-[0-9]{1,20}\.(jpg|jpeg|png)$'
  )
);
grant select, insert, update, delete on public.profiles to service_role;
-- The app sends all of these columns. The triggers below decide which of them take effect.
grant select (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at, avatar_url),
  insert (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at),
  update (id, role, onboarding_complete, first_name, last_name, occupation, bio, updated_at)
  on public.profiles to authenticated;
comment on table public.profiles is
  'Profile of an account. Members see all columns of those they may see at all, so nothing private belongs here.';
comment on column public.profiles.role is 'Set by the server: mentor by the webhook, admin by the operator.';
comment on column public.profiles.onboarding_complete is 'Becomes true once, when all required steps are done.';
comment on column public.profiles.avatar_url is
  'Public URL of an object of the account in the bucket profile-pictures; without the origin when the server''s address was not known.';
create index profiles_role_idx on public.profiles (role) where role <> 'student';
alter table public.profiles enable row level security;

-- Policies call these about the caller. They take no account as argument, so a client cannot ask about another one.
-- plpgsql caches the plan; an SQL function would be planned again by each statement.
create function private.caller_is_admin()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (select from public.profiles p where p.id = auth.uid() and p.role = 'admin')
    and private.caller_has_second_factor();
end
$function$;
comment on function private.caller_is_admin() is 'True when the calling account is an administrator and a code was entered in the session.';
grant execute on function private.caller_is_admin to authenticated;

create function private.caller_is_member()
returns boolean
language plpgsql
stable
security definer
set search_path = ''
as $function$
begin
  return exists (
    select from public.profiles p
    where p.id = auth.uid()
      and case p.role
        when 'admin' then private.caller_has_second_factor()
        else p.onboarding_complete and private.has_live_membership(p.id)
      end
  );
end
$function$;
comment on function private.caller_is_member() is 'True when the calling account is onboarded and paying, or an administrator with a second factor.';
grant execute on function private.caller_is_member to authenticated;

create function private.caller_plan_role() returns text
  language sql stable security definer set search_path = '' as $$
  select private.plan_role(auth.uid())
$$;
comment on function private.caller_plan_role() is 'Role the calling account pays for.';
grant execute on function private.caller_plan_role to authenticated;

-- Every function for administrators begins with this.
create function private.require_admin()
returns uuid
language plpgsql
stable
security definer
set search_path = ''
as $function$
declare
  caller uuid := private.require_caller();
begin
  if not exists (select from public.profiles p where p.id = caller and p.role = 'admin') then
    perform private.fail('FF002', 'Only administrators may do this.');
  end if;
  perform private.require_aal2();
  return caller;
end
$function$;
comment on function private.require_admin() is 'The calling administrator with a second factor; FF001, FF002 or FF005 for other callers.';

-- Accounts see themselves. Members see onboarded accounts and administrators. Administrators see all accounts.
create policy select_self_or_member on public.profiles for select to authenticated using (
    id = (select auth.uid())
    or (select private.caller_is_admin())
    or (
      (select private.caller_is_member())
      and (
        role = 'admin'
        or (onboarding_complete and id not in (select private.caller_hidden_members()))
      )
    )
  );

create policy insert_self on public.profiles for insert to authenticated
  with check (id = (select auth.uid()));

create policy update_self on public.profiles for update to authenticated
  using (id = (select auth.uid()));

-- Also runs for the row an upsert proposes, so it must not reset the role and onboarding state of the existing row.
create function private.tg_profiles__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
declare
  existing public.profiles;
begin
  new.updated_at := now();
  -- A row for another account is not changed: the policy refuses it next.
  if not private.is_outside_caller() or new.id is distinct from auth.uid() then
    return new;
  end if;
  select p.* into existing from public.profiles p where p.id = new.id;
  if not found then
    new.role := private.caller_plan_role();
    new.onboarding_complete := false;
    return new;
  end if;
  new.role := existing.role;
  if existing.onboarding_complete then
    new.onboarding_complete := true;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;

create trigger profiles__guard_insert before insert on public.profiles
  for each row execute function private.tg_profiles__guard_insert();

-- Members edit names, occupation and bio. The other columns keep their stored values.
create function private.tg_profiles__guard_update() returns trigger
  language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if not private.is_outside_caller() then
    return new;
  end if;
  new.role := old.role;
  if old.onboarding_complete then
    new.onboarding_complete := true;
    -- A name that was given can be changed, not taken away. Profiles without one may stay so.
    if new.first_name is distinct from old.first_name then
      perform private.require_answer(7, 'first_name', new.first_name);
    end if;
    if new.last_name is distinct from old.last_name then
      perform private.require_answer(7, 'last_name', new.last_name);
    end if;
    if new.occupation is distinct from old.occupation then
      perform private.require_answer(7, 'occupation', new.occupation);
    end if;
  elsif new.onboarding_complete then
    perform private.require_onboarding_steps();
  else
    new.onboarding_complete := false;
  end if;
  return new;
end
$$;

create trigger profiles__guard_update before update on public.profiles
  for each row execute function private.tg_profiles__guard_update();

-- Called by the webhook and the reconcile job. Administrators keep their role whatever their plan is.
create function private.set_role_from_plan(member uuid, plan_role text) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  if plan_role is null or plan_role not in ('student', 'mentor') then
    raise exception 'a plan cannot give the role %', plan_role;
  end if;
  update public.profiles set role = plan_role
  where id = member and role <> 'admin' and role <> plan_role;
end
$$;
comment on function private.set_role_from_plan(uuid, text) is 'Sets student or mentor on an account that is not an administrator.';

-- Called by the operator's command line only.
create function private.make_admin(member uuid) returns void
  language plpgsql security definer set search_path = '' as $$
begin
  insert into public.profiles (id, role) values (member, 'admin')
  on conflict (id) do update set role = 'admin';
  perform private.audit(null, 'account.made_admin', member);
end
$$;
comment on function private.make_admin(uuid) is 'Makes an account an administrator, with a profile if it has none; audited.';

-- reports/comment.sql

create function private.lock_reported_comment(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.learning_submission_comments c where c.id = subject for update
$$;
comment on function private.lock_reported_comment(uuid) is 'Locks a comment.';

create function private.remove_reported_comment(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.delete_comment(subject)
$$;
comment on function private.remove_reported_comment(uuid) is 'Deletes a comment, and its reports with it.';

-- reports/decisions.sql

-- What administrators see of reports, and how they decide.

-- Every kind by one function of the same name. Of what is reported several times, the first report says how it was.
-- @rpc authenticated
-- Administrators: what is reported and waits for a decision, of one kind or of all, oldest first.
create function private.report_queue(kind text default null) returns setof jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select jsonb_build_object(
      'report_id', o.report_id, 'kind', o.kind, 'subject_id', o.subject_id, 'author', private.describe_member(o.author_id),
      'snapshot', case when o.snapshot ? 'context' then o.snapshot || jsonb_build_object('context', (
        select coalesce(jsonb_agg(e || jsonb_build_object('author', private.describe_member((e ->> 'author_id')::uuid) ->> 'name')), '[]')
        from jsonb_array_elements(o.snapshot -> 'context') e
      )) else o.snapshot end,
      'place', n.place,
      -- What the copy holds besides, such as what came before, cannot be edited.
      'is_changed', exists (
        select from jsonb_each(n.snapshot) e where coalesce(o.snapshot -> e.key, 'null') <> e.value
      ),
      'reports', o.reports, 'reasons', o.reasons, 'first_reported_at', o.first_reported_at
    )
    from (
      select r.kind, r.subject_id, r.author_id, min(r.id) as report_id, count(*) as reports,
        jsonb_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.snapshot order by r.id))[1] as snapshot
      from private.reports r
      where r.resolved_at is null and (report_queue.kind is null or r.kind = report_queue.kind)
      group by r.kind, r.subject_id, r.author_id
    ) o
    cross join lateral private.reported(o.kind, o.subject_id) n
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.report_queue(text) is 'What is reported and waits for a decision, oldest report first, as it was reported.';

-- One decision closes all open reports of the same thing: of two at the same time the second finds none, because the thing is locked
-- before its reports. What is removed may take its reports with it; the audit log keeps the decision without the text.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep what was reported, or remove (a profile: clear) it.
create function private.resolve_report(report bigint, decision text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  asked private.reports;
  known record;
begin
  if decision is null or decision not in ('keep', 'remove', 'clear') then
    perform private.fail('FF319', 'The decision must be keep, or remove or clear.');
  end if;
  select r.* into asked from private.reports r where r.id = report;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  select k.* into strict known from private.report_kinds() k where k.kind = asked.kind;
  if decision not in ('keep', known.removal) then
    perform private.fail('FF319', format('The decision must be keep or %s.', known.removal));
  end if;
  execute format('select private.%I($1)', 'lock_reported_' || asked.kind) using asked.subject_id;
  if asked.author_id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.reports r
  set resolved_at = clock_timestamp(), decision = resolve_report.decision,
    snapshot = case when known.is_forgotten then '{}' else r.snapshot end
  where r.kind = asked.kind and r.subject_id = asked.subject_id and r.resolved_at is null;
  if not found then
    perform private.fail('FF320', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, asked.kind || '.' || case decision when 'keep' then 'kept' else known.removed end, asked.author_id,
    -- Without the id of what is forgotten; of a profile it stands beside it already.
    case when known.is_forgotten or asked.subject_id = asked.author_id then '{}'
      else jsonb_build_object(asked.kind || '_id', asked.subject_id) end
    || jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision <> 'keep' then
    execute format('select private.%I($1)', 'remove_reported_' || asked.kind) using asked.subject_id;
  end if;
end
$$;
comment on function private.resolve_report(bigint, text) is
  'Keeps or takes away what was reported, and closes all its reports; audited. FF319, FF320 or FF513.';

create function private.report_counts() returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_object_agg(w.kind, w.waiting), '{}') from (
    select r.kind, count(distinct r.subject_id) as waiting from private.reports r where r.resolved_at is null group by r.kind
  ) w
$$;
comment on function private.report_counts() is 'How many things of each kind wait; what is reported several times waits once.';

-- reports/direct-message.sql

create function private.lock_reported_direct_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.direct_messages m where m.id = subject for no key update
$$;
comment on function private.lock_reported_direct_message(uuid) is 'Locks a direct message.';

create function private.remove_reported_direct_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.erase_direct_message(subject)
$$;
comment on function private.remove_reported_direct_message(uuid) is 'Deletes the text of a direct message.';

-- reports/message.sql

create function private.lock_reported_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.chat_messages m where m.id = subject for no key update
$$;
comment on function private.lock_reported_message(uuid) is 'Locks a message.';

create function private.remove_reported_message(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.delete_message(subject)
$$;
comment on function private.remove_reported_message(uuid) is 'Deletes a message for all.';

-- reports/outcomes.sql

-- What became of a report, told to who reported and, when something was taken away, to the author.

-- `detail` is what it was, the decision, and what makes it one act: a report, or all reports of a thing that were decided together.
create function private.tg_reports__notify() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.notifications (user_id, kind, detail)
  select r.id, told.kind, concat_ws(':', new.kind, new.decision, told.act)
  from (
    values (new.user_id, 'report_decided', new.id::text),
      (new.author_id, 'moderated', new.subject_id || ':' || pg_current_xact_id())
  ) told (member, kind, act)
  join public.profiles r on r.id = told.member
  where told.kind = 'report_decided' or new.decision <> 'keep'
  for key share of r skip locked
  on conflict do nothing;
  return null;
end
$$;

create function private.notification_part_reports(member uuid) returns table (id bigint, place jsonb)
  language sql stable set search_path = ''
as $$
  select n.id, jsonb_build_object('what', split_part(n.detail, ':', 1), 'is_kept', split_part(n.detail, ':', 2) = 'keep')
  from private.newest_notifications(member, array['report_decided', 'moderated']) n
$$;
comment on function private.notification_part_reports(uuid) is
  'What became of a member''s reports, and what of the member''s own was taken away by one.';

-- reports/post.sql

create function private.lock_reported_post(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from private.collaboration_posts p where p.id = subject for no key update
$$;
comment on function private.lock_reported_post(uuid) is 'Locks a post.';

create function private.remove_reported_post(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  delete from private.collaboration_posts p where p.id = subject
$$;
comment on function private.remove_reported_post(uuid) is 'Deletes a post, and its reports with it.';

-- reports/profile.sql

create function private.lock_reported_profile(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select from public.profiles p where p.id = subject for no key update
$$;
comment on function private.lock_reported_profile(uuid) is 'Locks a profile.';

create function private.remove_reported_profile(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  update public.profiles p set bio = null where p.id = subject;
  update public.profile_choices c set topics = '{}', updated_at = now() where c.user_id = subject
$$;
comment on function private.remove_reported_profile(uuid) is 'Clears what a profile says beyond name and occupation.';

-- reports/reports.sql

-- What is copied of direct messages and posts does not outlive the decision. A direct message is between two, so that a report of it
-- would name its reporter to its author.
create function private.report_kinds()
  returns table (kind text, removal text, removed text, is_forgotten boolean, is_between_two boolean)
  language sql immutable set search_path = '' as $$
  values
    ('message', 'remove', 'removed', false, false),
    ('direct_message', 'remove', 'removed', true, true),
    ('post', 'remove', 'removed', true, false),
    ('submission', 'remove', 'removed', false, false),
    ('comment', 'remove', 'removed', false, false),
    ('profile', 'clear', 'cleared', false, false)
$$;
comment on function private.report_kinds() is
  'The kinds of reports: what the decision against one is called, how the audit log calls it, and whether its copy goes with the decision.';

create type private.reported as (author_id uuid, snapshot jsonb, place jsonb);
comment on type private.reported is 'Whose something is, what a report keeps of it, and what a link to it needs.';

create function private.require_report_kind(kind text) returns text
  language plpgsql immutable set search_path = '' as $$
begin
  if not exists (select from private.report_kinds() k where k.kind = require_report_kind.kind) then
    perform private.fail('FF343', 'This can''t be reported.');
  end if;
  return kind;
end
$$;
comment on function private.require_report_kind(text) is 'The kind of a report, if there is such a kind; raises FF343 otherwise.';

create function private.reported(kind text, subject uuid) returns private.reported
  language plpgsql stable set search_path = '' as $$
declare
  found_subject private.reported;
begin
  execute format('select * from private.%I($1)', 'reported_' || private.require_report_kind(kind)) into found_subject using subject;
  return found_subject;
end
$$;
comment on function private.reported(text, uuid) is 'What a report of something would hold now.';

create function private.require_report_reason(reason text) returns text
  language plpgsql immutable set search_path = '' as $$
declare
  why constant text := private.trimmed_message(reason);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  return why;
end
$$;
comment on function private.require_report_reason(text) is 'The trimmed reason of a report; raises FF317 when it is empty or too long.';

-- @rpc authenticated (kind, subject_id, reason)
-- Reports something of another member to the administrators. Repeating it while it is open adds what it did not say yet.
create function private.report(kind text, subject uuid, reason text) returns void
  language plpgsql volatile security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
  known constant text := private.require_report_kind(kind);
  why constant text := private.require_report_reason(reason);
  it private.reported;
  earlier private.reports;
begin
  execute format('select * from private.%I($1, $2)', 'reportable_' || known) into it using subject, caller;
  if it.author_id = caller then
    perform private.fail('FF318', 'You can delete what you wrote; there is no need to report it.');
  end if;
  select r.* into earlier from private.reports r
  where r.kind = known and r.subject_id = subject and r.user_id = caller and r.resolved_at is null for update;
  if not found then
    perform private.enforce_rate_limit(caller, 'report');
    execute format(
      'insert into private.reports (kind, subject_id, %I, author_id, user_id, reason, snapshot) values ($1, $2, $2, $3, $4, $5, $6)
       on conflict do nothing', known || '_id'
    ) using known, subject, it.author_id, caller, why, it.snapshot;
  elsif position(why in earlier.reason) = 0 then
    perform private.enforce_rate_limit(caller, 'report');
    if char_length(earlier.reason) + char_length(why) + 2 > 2000 then
      perform private.fail('FF317', 'You have said much about this already. An administrator will look at it.');
    end if;
    update private.reports r set reason = earlier.reason || E'\n\n' || why where r.id = earlier.id;
  end if;
end
$$;
comment on function private.report(text, uuid, text) is
  'Reports something to the administrators, once while it is open: repeating it adds what it does not say yet, up to 2000 characters.';

-- The own ones without what others wrote and, of a profile, whose it was. Those about the member without who and why.
create function private.export_part_reports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('reports', coalesce((
    select jsonb_agg(
      to_jsonb(r) - '{user_id,author_id,subject_id,profile_id}'::text[] - case when r.user_id = member then 'snapshot' else 'reason' end
      order by r.id
    )
    from private.reports r
    join private.report_kinds() k on k.kind = r.kind
    where r.user_id = member or r.author_id = member and not k.is_between_two
  ), '[]'))
$$;
comment on function private.export_part_reports(uuid) is
  'Reports by one account and about what it wrote, without the other persons and what they wrote.';

-- reports/submission.sql

-- Reports of submissions.
create function private.reportable_submission(subject uuid, caller uuid) returns private.reported
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.require_member();
  perform from public.learning_submissions s where s.id = subject for key share;
  if not found then
    perform private.fail('FF332', 'There is no such submission.');
  end if;
  return private.reported_submission(subject);
end
$$;
comment on function private.reportable_submission(uuid, uuid) is 'A submission, which every member can see; raises FF332 or FF700.';

create function private.reported_submission(subject uuid) returns private.reported
  language sql stable set search_path = '' as $$
  select s.user_id, jsonb_build_object('title', s.title, 'content', s.content),
    jsonb_build_object('submission_id', s.id, 'title', s.title)
  from public.learning_submissions s where s.id = subject
$$;
comment on function private.reported_submission(uuid) is 'A submission.';

-- Likes, comments, submission and then reports, in the order of delete_submission and of its cascade.
create function private.lock_reported_submission(subject uuid) returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform from public.learning_submission_likes l where l.submission_id = subject order by l.user_id for update;
  perform from public.learning_submission_comments c where c.submission_id = subject order by c.id for update;
  perform from public.learning_submissions s where s.id = subject for update;
end
$$;
comment on function private.lock_reported_submission(uuid) is 'Locks a submission with what is deleted with it.';

create function private.remove_reported_submission(subject uuid) returns void
  language sql volatile set search_path = '' as $$
  select private.delete_submission(subject)
$$;
comment on function private.remove_reported_submission(uuid) is 'Deletes a submission, and its reports with it.';

-- search/community.sql

-- Rooms and submissions are indexed like the library. Messages are not.
create function private.index_room(room text) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'room', r.id, null, r.min_level_required, r.is_active, null, r.name, r.description, '', '/chats/' || r.id, null, '{}'
    )::private.search_documents,
    '', r.name || ' ' || r.description
  )
  from public.chat_rooms r where r.id = room
$$;
comment on function private.index_room(text) is 'Updates the search document of a chat room.';

-- Only the words of titles are added to the list of known words, which keeps it short.
create function private.index_submission(submission uuid) returns void
  language sql volatile security definer set search_path = '' as $$
  select private.index_document(
    row(
      'submission', s.id::text, null, 1, true, s.user_id, s.title, left(regexp_replace(s.content, '\s+', ' ', 'g'), 200),
      s.content, '/learning/submissions#' || s.id, null, '{}'
    )::private.search_documents,
    replace(s.submission_type, '_', ' '), s.title
  )
  from public.learning_submissions s where s.id = submission
$$;
comment on function private.index_submission(uuid) is 'Updates the search document of a submission.';

create function private.tg_chat_rooms__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_room(new.id);
  return null;
end
$$;

create trigger chat_rooms__index
  after insert or update of name, description, min_level_required, is_active on public.chat_rooms
  for each row execute function private.tg_chat_rooms__index();

create function private.tg_chat_rooms__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'room' and d.id = old.id;
  return null;
end
$$;

create trigger chat_rooms__unindex after delete on public.chat_rooms
  for each row execute function private.tg_chat_rooms__unindex();

create function private.tg_learning_submissions__index() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.index_submission(new.id);
  return null;
end
$$;

create function private.tg_learning_submissions__unindex() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.search_documents d where d.kind = 'submission' and d.id = old.id::text;
  return null;
end
$$;

-- search/letters.sql

-- How texts are compared in every search: one folding, and one way to cut words, which give the same on every cluster.
-- Nothing here asks the locale of the database what a letter is: code points are written out, and the one collation is named.
-- web/src/lib/fold-text.ts folds alike; both are tested over the same table.
create function private.fold_text(label text) returns text
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  -- Accents and points that people leave out, and characters that cannot be seen.
  marks constant text := '[\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u061c\u0640'
    '\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u200b-\u200f'
    '\u202a-\u202e\u2060-\u206f\u20d0-\u20f0\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\U000e0100-\U000e01ef]+';
  spaces constant text := '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+';
  -- Marks in their wrong order take the square of their number to put in order, so the given ones go first.
  folded text := regexp_replace(
    translate(label, U&'\2018\2019\201B\2032\02B9\02BB\02BC\02BD\0060\00B4\0384\1FBD\1FBF\1FEF\1FFD\055A\05F3\A78C\FF07', repeat('''', 19)),
    marks, '', 'g'
  );
begin
  folded := case
    when char_length(folded) <= 200 then normalize(folded, nfkd)
    else (
      select string_agg(normalize(m.parts[1], nfkd), '' order by m.place)
      from regexp_matches(folded, '.{1,200}', 'g') with ordinality as m (parts, place)
    )
  end;
  folded := lower(regexp_replace(folded, marks, '', 'g') collate pg_catalog."und-x-icu");
  -- Letters with a stroke or a hook have no accent to leave out; the final sigma is a sigma, every dash a hyphen.
  folded := translate(
    regexp_replace(folded, marks, '', 'g'),
    U&'\00F8\0142\0111\0127\0131\0167\00F0\014B\0138\0180\0199\0253\0257\0260\0268\0289\01B6\01E5\0491\03C2\02BC\02B9\2032\0060\A78C\2010\2011\2012\2013\2014\2015\2212',
    'oldhitdnkbkbdgiuzg' || U&'\0433\03C3' || '''''''''''-------'
  );
  -- Georgian capitals are newer than some releases of ICU.
  if folded ~ '[\u1c90-\u1cbf]' then
    folded := translate(
      folded,
      U&'\1C90\1C91\1C92\1C93\1C94\1C95\1C96\1C97\1C98\1C99\1C9A\1C9B\1C9C\1C9D\1C9E\1C9F\1CA0\1CA1\1CA2\1CA3\1CA4\1CA5\1CA6\1CA7\1CA8\1CA9\1CAA\1CAB\1CAC\1CAD\1CAE\1CAF\1CB0\1CB1\1CB2\1CB3\1CB4\1CB5\1CB6\1CB7\1CB8\1CB9\1CBA\1CBD\1CBE\1CBF',
      U&'\10D0\10D1\10D2\10D3\10D4\10D5\10D6\10D7\10D8\10D9\10DA\10DB\10DC\10DD\10DE\10DF\10E0\10E1\10E2\10E3\10E4\10E5\10E6\10E7\10E8\10E9\10EA\10EB\10EC\10ED\10EE\10EF\10F0\10F1\10F2\10F3\10F4\10F5\10F6\10F7\10F8\10F9\10FA\10FD\10FE\10FF'
    );
  end if;
  folded := replace(replace(replace(replace(
    folded, U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th');
  return btrim(regexp_replace(folded, spaces, ' ', 'g'), ' ');
end $$;
comment on function private.fold_text(text) is 'A text as searches compare it: no case, accents, ligatures or invisible characters, one apostrophe, single spaces.';

-- Words
create function private.word_characters(separators boolean, apostrophes boolean, ideographs boolean) returns text
  language sql immutable parallel safe set search_path = '' as $$
  select case when separators then
    '\u0001-\u0026\u0028-\u002f\u003a-\u0040\u005b-\u005f\u007b-\u00a9\u00ab\u00ac\u00ae-\u00b1\u00b6-\u00b8\u00bb\u00bf\u00d7\u00f7'
    '\u02c2-\u02df\u037e\u0387\u055b-\u055f\u0589\u058a\u058d-\u058f\u05be\u05c0\u05c3\u05c6\u05f4\u060b-\u060f\u061b\u061d-\u061f'
    '\u066a-\u066d\u06d4\u0700-\u070d\u0964\u0965\u0970\u0df4\u0e3f\u0e4f\u0e5a\u0e5b\u0f04-\u0f14\u0f3a-\u0f3d\u104a-\u104f\u10fb'
    '\u1360-\u1368\u1400\u166d\u166e\u1680\u169b\u169c\u16eb-\u16ed\u1735\u1736\u17d4-\u17d6\u17d8-\u17db\u1800-\u180a\u1944\u1945'
    '\u1c3b-\u1c3f\u1c7e\u1c7f\u2000-\u200a\u2010-\u2017\u201a\u201c-\u2029\u202f-\u2031\u2033-\u205f\u207a-\u207e\u208a-\u208e'
    '\u20a0-\u20cf\u2120\u2122\u2190-\u245f\u24eb-\u2bff\u2e00-\u2e7f\u2ff0-\u3004\u3008-\u3020\u3030\u3036\u3037\u303d-\u303f\u30a0\u30fb'
    '\ua4fe\ua4ff\ua60d-\ua60f\ua92e\ua92f\ua9c1-\ua9cd\ue000-\uf8ff\ufd3e\ufd3f\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff06\uff08-\uff0f'
    '\uff1a-\uff20\uff3b-\uff3f\uff5b-\uff65\uffe0-\uffee\ufff0-\uffff\U0001d000-\U0001d3ff\U0001f000-\U0001faff\U000e0000-\U000e007f'
    '\U000f0000-\U0010ffff' else '' end
  || case when apostrophes then '\u0027\u0060\u00b4\u02b9\u02bb-\u02bd\u0384\u055a\u05f3\u1fbd\u1fbf\u1fef\u1ffd\u2018\u2019\u201b\u2032\ua78c\uff07' else '' end
  || case when ideographs then
    '\u3005-\u3007\u3021-\u3029\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff'
    '\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff' else '' end
$$;
comment on function private.word_characters(boolean,boolean,boolean) is 'Ranges of code points for a regular expression: what stands between words (spaces, controls, punctuation, symbols, emoji), apostrophes, and characters that are words by themselves. Everything else is a letter of a word.';

create function private.word_pattern(of_text boolean) returns text
  language sql immutable parallel safe set search_path = '' as $$
  -- Chinese and Japanese put no spaces between words, so in a text each of their characters counts as one.
  select case when of_text then '[' || private.word_characters(false, false, true) || '][\u3099\u309a\uff9e\uff9f]?|' else '' end
    || replace('[^ ]+(?:[' || private.word_characters(false, true, false) || ']+[^ ]+)*',
      ' ', private.word_characters(true, true, of_text))
$$;
comment on function private.word_pattern(boolean) is 'The regular expression of one word: of a text, in which ideographs stand for themselves, or of what is typed.';

create function private.words_in(content text) returns table (place integer, word text)
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with written as materialized (
      select m.place, left(m.parts[1], 100) as word
      from regexp_matches(content, '(' || private.word_pattern(true) || ')', 'g') with ordinality as m (parts, place)
    ),
    -- Each once, and all at once: folding one by one takes many times as long. The separator stays as it is.
    apart as (select array_agg(distinct w.word) as words from written w),
    known as (
      select k.word, f.folded
      from apart a
      cross join unnest(a.words, string_to_array(private.fold_text(array_to_string(a.words, U&'\001F')), U&'\001F')) as k (word, folded)
      cross join lateral (
        -- What one character stands for may be several words: ½, ㍿.
        select left(p.parts[1], 200) as folded from regexp_matches(k.folded, '(' || private.word_pattern(true) || ')', 'g') as p (parts)
      ) f
    )
    select w.place::integer, k.folded from written w join known k using (word);
end $$;
comment on function private.words_in(text) is 'The folded words of a text and where each stands, counted from 1. They keep their apostrophes.';

create function private.lexemes(word text) returns text[]
  language plpgsql immutable set search_path = '' as $$
begin
  if position('''' in word) = 0 then
    return pg_catalog.ts_lexize('pg_catalog.english_stem', word);
  end if;
  -- O'Brien is found as obrien and by its parts, l'école by école.
  return array(
    select distinct s.stem
    from unnest(replace(word, '''', '') || regexp_split_to_array(word, '''+')) as f (form)
    cross join lateral unnest(pg_catalog.ts_lexize('pg_catalog.english_stem', f.form)) as s (stem)
    where f.form <> ''
  );
end $$;
comment on function private.lexemes(text) is 'What a folded word is found by: its English stem, and those of the parts between apostrophes. Nothing for stop words.';

create function private.words_vector(content text, weight text, max_bytes integer) returns tsvector
  language plpgsql immutable set search_path = '' as $$
#variable_conflict use_column
begin
  return (
    with words as materialized (select w.place, w.word from private.words_in(content) w),
    found as (
      select l.lexeme, min(w.place) as first_seen,
        -- A tsvector keeps no more of each, and counts no further.
        (array_agg(distinct least(w.place, 16383)))[1:250] as places
      from (select distinct w.word from words w) d
      cross join lateral unnest(private.lexemes(d.word)) as l (lexeme)
      join words w on w.word = d.word
      group by l.lexeme
    ),
    kept as (
      select f.lexeme, f.places,
        sum(octet_length(f.lexeme) + 2 * cardinality(f.places) + 4) over (order by f.first_seen, f.lexeme collate "C") as bytes
      from found f
    )
    select coalesce(string_agg(
      '''' || k.lexeme || ''':' || array_to_string(k.places, weight || ',') || weight, ' '
    ), '')::tsvector
    from kept k where k.bytes <= max_bytes
  );
end $$;
comment on function private.words_vector(text,text,integer) is 'The words of a text for the search, with one weight; as many as fit in the given bytes.';

reset check_function_bodies;
