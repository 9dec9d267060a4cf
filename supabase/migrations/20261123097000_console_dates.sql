-- A date of the console is one of a calendar: arithmetic on the ends of Postgres' range fails, and infinity is no day.
create function private.calendar_date(given date) returns date
  language sql immutable parallel safe set search_path = '' as $$
  select case when given is not null then least(greatest(given, date '0001-01-01'), date '9999-12-30') end
$$;
revoke all on function private.calendar_date from public, anon, authenticated, service_role;
comment on function private.calendar_date(date) is 'The nearest date from year 1 to 9999; null stays null.';
grant execute on function private.calendar_date(date) to authenticated;

create or replace function public.member_page(
  search text default null, membership text default null, level integer default null, role text default null,
  joined_from date default null, joined_to date default null, sort text default 'newest', after_id uuid default null,
  page_size integer default 50
) returns setof public.member_row
  language sql stable set search_path = '' as $$
  select * from private.member_page(search, membership, level, role,
    private.calendar_date(joined_from), private.calendar_date(joined_to), sort, after_id, page_size)
$$;

create or replace function public.audit_page(
  actor uuid default null, by_system boolean default false, action text default null, about text default null,
  since date default null, until date default null, after_id bigint default null, page_size integer default 50
) returns setof public.audit_entry
  language sql stable set search_path = '' as $$
  select * from private.audit_page(actor, by_system, action, about,
    private.calendar_date(since), private.calendar_date(until), after_id, page_size)
$$;

create or replace function public.export_audit_log(
  actor uuid default null, by_system boolean default false, action text default null, about text default null,
  since date default null, until date default null
) returns jsonb
  language sql set search_path = '' as $$
  select private.export_audit_log(actor, by_system, action, about,
    private.calendar_date(since), private.calendar_date(until))
$$;

-- Null is the end of a membership without one; infinity would not be an end to show.
create or replace function private.admin_grant_complimentary(member_email text, plan text, ends_at timestamptz, reason text) returns uuid
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  member uuid;
  granted uuid;
begin
  select u.id into member from auth.users u
  where lower(u.email) = lower(btrim(member_email)) and u.is_anonymous is not true for update;
  if not found then
    perform private.fail('FF241', 'No account has this e-mail address.');
  end if;
  if exists (select from public.profiles p where p.id = member and p.role = 'admin') then
    perform private.fail('FF242', 'Administrators have full access without a membership.');
  end if;
  if not exists (select from public.plans p where p.id = plan) then
    perform private.fail('FF243', 'There is no such plan.');
  end if;
  if ends_at <= now() or ends_at > now() + interval '100 years' then
    perform private.fail('FF244', 'The end has to be in the future, within a hundred years.');
  end if;
  update public.complimentary_memberships m set ended_at = m.ends_at
  where m.user_id = member and m.ended_at is null and m.ends_at <= now();
  insert into public.complimentary_memberships as m (user_id, plan_id, reason, ends_at)
  values (member, plan, why, admin_grant_complimentary.ends_at)
  on conflict do nothing returning m.id into granted;
  if granted is null then
    perform private.fail('FF245', 'This member has a complimentary membership already. Revoke it first.');
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  perform private.audit(admin, 'membership.complimentary_granted', member, jsonb_build_object(
    'before', null, 'after', jsonb_build_object('id', granted, 'plan', plan, 'ends_at', admin_grant_complimentary.ends_at),
    'reason', why
  ));
  return granted;
end
$$;
