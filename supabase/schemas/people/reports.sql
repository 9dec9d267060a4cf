-- Reports of members, which administrators decide about.
create table private.member_reports (
  id bigint generated always as identity primary key,
  member_id uuid not null references public.profiles (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  reason text not null,
  profile jsonb not null,
  created_at timestamptz not null default now(),
  resolved_at timestamptz,
  decision text constraint member_reports_decision_check check (decision in ('keep', 'clear')),
  constraint member_reports_resolved_check check ((resolved_at is null) = (decision is null)),
  constraint member_reports_reason_check check (char_length(reason) between 1 and 2000)
);
comment on table private.member_reports is 'Reports of members; of one member by one other only one is open.';
comment on column private.member_reports.user_id is 'Who reported.';
comment on column private.member_reports.profile is 'Name, occupation, bio and topics as they were when reported, in case they are edited.';
create unique index member_reports_open_key on private.member_reports (member_id, user_id) where resolved_at is null;
create index member_reports_member_id_idx on private.member_reports (member_id);
create index member_reports_user_id_idx on private.member_reports (user_id);
create index member_reports_waiting_idx on private.member_reports (created_at) where resolved_at is null;
alter table private.member_reports enable row level security;

-- @rpc authenticated (member_id, reason)
-- Reports a member to the administrators.
create function private.report_member(member uuid, reason text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  open_report bigint;
  caller uuid := private.require_member();
  why text := private.trimmed_message(reason);
  other public.profiles := private.require_other_member(caller, member);
begin
  if why is null or private.is_blank(why) or char_length(why) > 500 then
    perform private.fail('FF317', 'Say in at most 500 characters what is wrong.');
  end if;
  select r.id into open_report from private.member_reports r
  where r.member_id = other.id and r.user_id = caller and r.resolved_at is null;
  if found then
    perform private.extend_report('private.member_reports', open_report, caller, why);
    return;
  end if;
  perform private.enforce_rate_limit(caller, 'report');
  insert into private.member_reports (member_id, user_id, reason, profile)
  values (other.id, caller, why, jsonb_build_object(
    'name', btrim(concat_ws(' ', other.first_name, other.last_name)), 'occupation', other.occupation, 'bio', other.bio,
    'topics', coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = other.id), '[]')
  ))
  on conflict do nothing;
end
$$;
comment on function private.report_member(uuid, text) is
  'Reports a member to the administrators. Repeating it while it is open adds what it did not say yet.';

-- @rpc authenticated
-- Administrators: reported members waiting for a decision, with the profile as it was reported.
create function private.member_report_queue()
  returns table (
    report_id bigint, member_id uuid, role_name text, avatar_url text, profile jsonb, is_changed boolean,
    reports integer, reasons text[], first_reported_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select o.report_id, p.id, p.role, p.avatar_url, o.profile,
      (o.profile ->> 'occupation') is distinct from p.occupation or (o.profile ->> 'bio') is distinct from p.bio
        or (o.profile -> 'topics') <> coalesce((select to_jsonb(c.topics) from public.profile_choices c where c.user_id = p.id), '[]'),
      o.reports, o.reasons, o.first_reported_at
    from (
      select r.member_id as reported_id, min(r.id) as report_id, count(*)::integer as reports,
        array_agg(r.reason order by r.id) as reasons, min(r.created_at) as first_reported_at,
        (array_agg(r.profile order by r.id))[1] as profile
      from private.member_reports r where r.resolved_at is null group by r.member_id
    ) o
    join public.profiles p on p.id = o.reported_id
    order by o.first_reported_at, o.report_id;
end
$$;
comment on function private.member_report_queue() is 'Reported members who wait for a decision, oldest report first.';

-- One decision closes all open reports of the same member. A suspension or taking a picture away are acts of their own.
-- @rpc authenticated (report_id, decision)
-- Administrators: keep a reported profile as it is, or clear its bio and topics.
create function private.resolve_member_report(report bigint, decision text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  reported public.profiles;
begin
  if decision is null or decision not in ('keep', 'clear') then
    perform private.fail('FF706', 'The decision must be keep or clear.');
  end if;
  select p.* into reported from public.profiles p
  join private.member_reports r on r.member_id = p.id
  where r.id = report for no key update of p;
  if reported.id = admin then
    perform private.fail('FF513', 'Another administrator has to do this to your own account.');
  end if;
  update private.member_reports r set resolved_at = clock_timestamp(), decision = resolve_member_report.decision
  where r.member_id = reported.id and r.resolved_at is null;
  if not found then
    perform private.fail('FF707', 'This report is not waiting for a decision.');
  end if;
  perform private.audit(
    admin, 'profile.' || case decision when 'keep' then 'kept' else 'cleared' end, reported.id,
    jsonb_build_object('report_id', report, 'before', 'reported', 'after', decision)
  );
  if decision = 'clear' then
    update public.profiles p set bio = null where p.id = reported.id;
    update public.profile_choices c set topics = '{}', updated_at = now() where c.user_id = reported.id;
  end if;
end
$$;
comment on function private.resolve_member_report(bigint, text) is 'Keeps a reported profile or clears its bio and topics, and closes its reports; audited.';

-- Who reported is not told to the reported member, nor whose profile it was in the export of the reporter. Who has blocked
-- the member is theirs alone.
create function private.export_part_people(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'profile_choices', (select to_jsonb(c) from public.profile_choices c where c.user_id = member),
    'member_blocks', coalesce((
      select jsonb_agg(to_jsonb(b) - 'blocked_id' order by b.created_at)
      from private.member_blocks b where b.user_id = member
    ), '[]'),
    'member_reports', coalesce((
      select jsonb_agg(
        to_jsonb(r) - 'member_id' - 'user_id' - case when r.user_id = member then 'profile' else 'reason' end order by r.id
      ) from private.member_reports r where member in (r.user_id, r.member_id)
    ), '[]')
  )
$$;
comment on function private.export_part_people(uuid) is
  'Choices, blocks and reports of one account, and reports about it, without the other persons.';
