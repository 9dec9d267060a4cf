create or replace function private.remove_admin (
  member uuid
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  was_admin boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('private.set_member_admin', 0));
  was_admin := exists (select from public.profiles p where p.id = member and p.role = 'admin');
  delete from private.pending_admins a where a.user_id = member;
  if not found and not was_admin then
    return false;
  end if;
  update public.profiles p set role = private.plan_role(member) where p.id = member and p.role = 'admin';
  delete from auth.sessions s where s.user_id = member;
  perform private.audit(null, 'account.removed_admin', member);
  return true;
end
$function$;

comment on function "private"."remove_admin"(uuid) is 'Takes the administrator role, or the appointment, from an account and ends its sessions; false when it had neither. Audited.';

revoke all on function "private"."remove_admin"(uuid) from public;

grant execute on function "private"."remove_admin"(uuid) to "postgres";
