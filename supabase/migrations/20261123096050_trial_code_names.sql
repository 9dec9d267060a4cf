-- A trial code is made by the function admin-coupons alone: only the card provider knows whether a coupon has the name already.

drop function public.admin_create_trial_code(text, integer, text, timestamptz, integer, text);
drop function private.admin_create_trial_code(text, integer, text, timestamptz, integer, text);

create function private.billing_create_trial_code(
  admin uuid, code text, days integer, plan text, expires_at timestamptz, max_redemptions integer, reason text
) returns text
  language plpgsql security definer set search_path = '' as $$
declare
  why text := private.require_reason(reason);
  made private.trial_codes;
begin
  if upper(btrim(code)) !~ '^[A-Z0-9-]{3,40}$' or days is null or days not between 1 and 365 or max_redemptions < 1
    or code is null or billing_create_trial_code.expires_at <= now()
    or billing_create_trial_code.expires_at > now() + interval '100 years'
    or (plan is not null and not exists (select from public.plans p where p.id = plan)) then
    perform private.fail('FF260', 'A code has 3 to 40 letters, digits or hyphens, 1 to 365 days and an end in the future.');
  end if;
  insert into private.trial_codes as t (code, days, plan_id, expires_at, max_redemptions)
  values (upper(btrim(code)), days, plan, billing_create_trial_code.expires_at, billing_create_trial_code.max_redemptions)
  on conflict do nothing returning t.* into made;
  if made.code is null then
    perform private.fail('FF261', 'There is a code of this name already.');
  end if;
  perform private.audit(admin, 'trial_code.created', null,
    jsonb_build_object('before', null, 'after', to_jsonb(made), 'reason', why));
  return made.code;
end
$$;
revoke all on function private.billing_create_trial_code from public, anon, authenticated, service_role;
comment on function private.billing_create_trial_code(uuid, text, integer, text, timestamptz, integer, text) is
  'Makes a trial code for an administrator, once the card provider has no coupon of its name. Audited.';
grant execute on function private.billing_create_trial_code(uuid, text, integer, text, timestamptz, integer, text) to service_role;
create function public.billing_create_trial_code(
  admin uuid, code text, days integer, plan text, expires_at timestamptz, max_redemptions integer, reason text
) returns text
  language sql volatile set search_path = '' as $$
  select private.billing_create_trial_code(admin, code, days, plan, expires_at, max_redemptions, reason)
$$;
revoke all on function public.billing_create_trial_code from public, anon, authenticated, service_role;
comment on function public.billing_create_trial_code(uuid, text, integer, text, timestamptz, integer, text) is
  'Server: make a trial code; plan, expires_at and max_redemptions may be null.';
grant execute on function public.billing_create_trial_code(uuid, text, integer, text, timestamptz, integer, text) to service_role;
