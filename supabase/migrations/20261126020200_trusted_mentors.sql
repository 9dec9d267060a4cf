-- Trust in a mentor is given and taken back in the console, with a reason.
drop function public.set_trusted_mentor(uuid, boolean);
drop function private.set_trusted_mentor(uuid, boolean);

create function private.set_trusted_mentor(member uuid, trusted boolean, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_act_reason(reason);
begin
  if trusted is null or not exists (
    select from public.profiles p where p.id = member and (p.role = 'mentor' or not trusted) for key share
  ) then
    perform private.fail('FF657', 'Only mentors can be trusted.');
  end if;
  if trusted then
    insert into private.trusted_mentors (user_id) values (member) on conflict do nothing;
  else
    -- What they scheduled waits for a review, with its time as a wish.
    update public.drafts d set status = 'submitted', submitted_at = clock_timestamp(), updated_at = clock_timestamp()
    where d.owner_id = member and d.status = 'scheduled' and d.approved_by is null;
    delete from private.trusted_mentors t where t.user_id = member;
  end if;
  if found then
    perform private.audit(admin, 'mentor.trusted', member, jsonb_build_object(
      'reason', why, 'before', jsonb_build_object('trusted', not trusted), 'after', jsonb_build_object('trusted', trusted)
    ));
  end if;
end
$$;
revoke all on function private.set_trusted_mentor from public, anon, authenticated, service_role;
comment on function private.set_trusted_mentor(uuid, boolean, text) is
  'Lets a mentor publish without a review, or no longer; FF657 for others, FF511 without a reason. Audited.';
grant execute on function private.set_trusted_mentor(uuid, boolean, text) to authenticated;
create function public.set_trusted_mentor(member uuid, trusted boolean, reason text) returns void
  language sql volatile set search_path = '' as $$ select private.set_trusted_mentor(member, trusted, reason) $$;
revoke all on function public.set_trusted_mentor from public, anon, authenticated, service_role;
comment on function public.set_trusted_mentor(uuid, boolean, text) is
  'Administrators: let a mentor publish without a review, or no longer. Needs a reason.';
grant execute on function public.set_trusted_mentor(uuid, boolean, text) to authenticated;

-- As before, and with is_trusted.
create or replace function private.member_account(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', u.id, 'email', d.email, 'name', d.name, 'occupation', p.occupation, 'role', coalesce(p.role, 'student'),
    'level', coalesce(l.current_level, 0), 'joined_at', d.joined_at, 'last_sign_in_at', u.last_sign_in_at,
    'is_confirmed', u.email_confirmed_at is not null, 'is_onboarded', coalesce(p.onboarding_complete, false),
    'is_trusted', exists (select from private.trusted_mentors t where t.user_id = u.id),
    'has_second_factor', exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified'),
    'sessions', (
      select count(*) from auth.sessions s where s.user_id = u.id and (s.not_after is null or s.not_after > now())
    ),
    'suspension', case when u.banned_until > now() then jsonb_build_object(
      -- Without a limit, a suspension is stored as one of a hundred years.
      'until', case when u.banned_until < now() + interval '50 years' then u.banned_until end,
      'reason', (
        select a.detail ->> 'reason' from private.audit_log a
        where a.subject = u.id and a.action = 'account.suspended' order by a.happened_at desc, a.id desc limit 1
      )
    ) end
  )
  from auth.users u
  join private.member_directory d on d.user_id = u.id
  left join public.profiles p on p.id = u.id
  left join public.user_levels l on l.user_id = u.id
  where u.id = member
$$;
comment on function private.member_account(uuid) is 'Account, profile, level, suspension and trust of a member, for administrators.';
