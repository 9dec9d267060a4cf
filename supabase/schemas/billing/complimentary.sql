-- Administrators give and revoke complimentary memberships. The table and what it gives stand in plans.

-- Every act on money needs a reason, which the audit log keeps.
create function private.require_reason(reason text) returns text
  language plpgsql stable set search_path = '' as $$
declare
  why text := nullif(btrim(reason), '');
begin
  if why is null or char_length(why) > 500 then
    perform private.fail('FF240', 'Give a reason of at most 500 characters.');
  end if;
  return why;
end
$$;
comment on function private.require_reason(text) is 'The trimmed reason of an act; raises FF240 without one.';

-- Ends memberships whose time is over, and the role they gave. Access has ended before, by the clock.
-- @rpc service_role
-- Server: end complimentary memberships that are over.
create function private.end_complimentary_memberships() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  ended integer := 0;
begin
  for member in
    update public.complimentary_memberships m set ended_at = m.ends_at
    where m.ended_at is null and m.ends_at <= now() returning m.user_id
  loop
    perform private.set_role_from_plan(member, private.plan_role(member));
    ended := ended + 1;
  end loop;
  return ended;
end
$$;
comment on function private.end_complimentary_memberships() is 'Ends complimentary memberships that are over; returns how many.';

-- Null is the end of a membership without one; infinity would not be an end to show.
-- @rpc authenticated
-- Administrators: give the account with this address a plan without payment; ends_at null for open-ended. Returns its id.
create function private.admin_grant_complimentary(member_email text, plan text, ends_at timestamptz, reason text) returns uuid
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
comment on function private.admin_grant_complimentary(text, text, timestamptz, text) is
  'Gives an account a plan without payment, until a moment or open-ended. Audited.';

-- @rpc authenticated
-- Administrators: end a complimentary membership at once.
create function private.admin_revoke_complimentary(membership_id uuid, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  revoked public.complimentary_memberships;
begin
  update public.complimentary_memberships m set ended_at = now()
  where m.id = membership_id and m.ended_at is null returning m.* into revoked;
  if not found then
    perform private.fail('FF246', 'This complimentary membership has ended already.');
  end if;
  perform private.set_role_from_plan(revoked.user_id, private.plan_role(revoked.user_id));
  perform private.audit(admin, 'membership.complimentary_revoked', revoked.user_id, jsonb_build_object(
    'before', jsonb_build_object('id', revoked.id, 'plan', revoked.plan_id, 'ends_at', revoked.ends_at),
    'after', null, 'reason', why
  ));
end
$$;
comment on function private.admin_revoke_complimentary(uuid, text) is 'Ends a complimentary membership at once. Audited.';

-- @rpc authenticated
-- Administrators: the latest 500 complimentary memberships, current ones first.
create function private.admin_complimentary_memberships() returns table (
  id uuid, user_id uuid, email text, first_name text, last_name text, plan_id text, plan_name text, reason text,
  granted_at timestamptz, ends_at timestamptz, ended_at timestamptz
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select m.id, m.user_id, u.email::text, p.first_name, p.last_name, m.plan_id, o.name, m.reason,
      m.granted_at, m.ends_at, coalesce(m.ended_at, case when m.ends_at <= now() then m.ends_at end)
    from public.complimentary_memberships m
    join public.plans o on o.id = m.plan_id
    join auth.users u on u.id = m.user_id
    left join public.profiles p on p.id = m.user_id
    order by m.ended_at is not null, m.granted_at desc, m.id limit 500;
end
$$;
comment on function private.admin_complimentary_memberships() is 'Complimentary memberships, current ones first.';

create function private.export_part_complimentary(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('complimentary_memberships', coalesce(
    (select jsonb_agg(to_jsonb(m) order by m.granted_at) from public.complimentary_memberships m where m.user_id = member), '[]'))
$$;
comment on function private.export_part_complimentary(uuid) is 'Complimentary memberships of one account.';
