-- Codes that begin a membership with free days. The card provider's own codes give discounts only, so these are kept here.
create table private.trial_codes (
  code text primary key constraint trial_codes_code_check check (code ~ '^[A-Z0-9-]{3,40}$'),
  days integer not null constraint trial_codes_days_check check (days between 1 and 365),
  plan_id text references public.plans (id) on update cascade,
  max_redemptions integer constraint trial_codes_max_redemptions_check check (max_redemptions > 0),
  expires_at timestamptz,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  -- A trial is counted while its purchase may still succeed, once it has, and after its account is gone.
  departed_redemptions integer not null default 0
);
comment on table private.trial_codes is 'Codes for free days at the beginning of a membership.';
comment on column private.trial_codes.code is 'In capitals; members may enter it in any case.';
comment on column private.trial_codes.plan_id is 'The only plan it can be used for; null for every plan.';
comment on column private.trial_codes.max_redemptions is 'Accounts that may use it; null without a limit.';
create index trial_codes_plan_id_idx on private.trial_codes (plan_id);
alter table private.trial_codes enable row level security;

-- One row an account, so that nobody has two trials.
create table private.trial_redemptions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  code text not null references private.trial_codes (code),
  redeemed_at timestamptz not null default now()
);
comment on table private.trial_redemptions is 'The trial code that an account has used. A purchase that failed may be repeated with the same code.';
create index trial_redemptions_code_idx on private.trial_redemptions (code);
alter table private.trial_redemptions enable row level security;

-- With `redeem` the code is taken under a lock, so that it is never used more often than it may be.
-- @rpc service_role
-- Server: look up or take a trial code.
create function private.billing_trial_code(member uuid, given text, price text, redeem boolean) returns jsonb
  language plpgsql security definer set search_path = '' as $$
declare
  found_code private.trial_codes;
  used private.trial_redemptions;
  is_repeat boolean;
  problem text;
begin
  if redeem then
    -- One purchase of an account at a time, so that it cannot take two codes at once.
    perform from auth.users u where u.id = member for no key update;
    select t.* into found_code from private.trial_codes t where t.code = upper(given) for update;
  else
    select t.* into found_code from private.trial_codes t where t.code = upper(given);
  end if;
  if found_code.code is null then
    return null;
  end if;
  select r.* into used from private.trial_redemptions r where r.user_id = member;
  -- Within the hour the same purchase may be repeated, because its answer may have been lost.
  is_repeat := used.code = found_code.code and used.redeemed_at > now() - interval '1 hour';
  problem := case
    when not found_code.is_active or found_code.expires_at <= now() then 'code_expired'
    when found_code.plan_id is not null and not exists (
      select from private.plan_prices o where o.price_id = price and o.plan_id = found_code.plan_id
    ) then 'code_wrong_plan'
    when is_repeat then null
    when private.has_begun_membership(member) or used.code <> found_code.code and used.redeemed_at > now() - interval '1 hour'
      then 'code_new_members_only'
    when found_code.max_redemptions <= private.trial_redemption_count(found_code) then 'code_used_up'
  end;
  if problem is null and redeem and is_repeat is not true then
    insert into private.trial_redemptions as r (user_id, code) values (member, found_code.code)
    on conflict (user_id) do update set code = excluded.code, redeemed_at = excluded.redeemed_at;
  end if;
  return jsonb_build_object('code', found_code.code, 'days', found_code.days, 'problem', problem);
end
$$;
comment on function private.billing_trial_code(uuid, text, text, boolean) is
  'A trial code by what a member entered, and why it cannot be used; null for an unknown code. Takes it when asked to.';

-- @rpc authenticated
-- Administrators: turn a trial code off. Running trials go on.
create function private.admin_deactivate_trial_code(code text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
begin
  update private.trial_codes t set is_active = false where t.code = admin_deactivate_trial_code.code and t.is_active;
  if not found then
    perform private.fail('FF262', 'This code is off already.');
  end if;
  perform private.audit(admin, 'trial_code.deactivated', null, jsonb_build_object(
    'before', jsonb_build_object('code', admin_deactivate_trial_code.code, 'is_active', true),
    'after', jsonb_build_object('code', admin_deactivate_trial_code.code, 'is_active', false), 'reason', why
  ));
end
$$;
comment on function private.admin_deactivate_trial_code(text, text) is 'Turns a trial code off. Audited.';

-- @rpc authenticated
-- Administrators: the latest 500 trial codes.
create function private.admin_trial_codes() returns table (
  code text, days integer, plan_id text, max_redemptions integer, redemptions integer, expires_at timestamptz,
  is_active boolean, created_at timestamptz
)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select t.code, t.days, t.plan_id, t.max_redemptions, private.trial_redemption_count(t), t.expires_at,
      t.is_active and (t.expires_at is null or t.expires_at > now()), t.created_at
    from private.trial_codes t order by t.created_at desc, t.code limit 500;
end
$$;
comment on function private.admin_trial_codes() is 'Trial codes with how often they were used, newest first.';

create function private.export_part_trial(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('trial_redemption', (select to_jsonb(r) from private.trial_redemptions r where r.user_id = member))
$$;
comment on function private.export_part_trial(uuid) is 'The trial code one account has used.';
comment on column private.trial_codes.departed_redemptions is
  'Redemptions of deleted accounts whose membership had begun; they count for the limit.';

create function private.has_begun_membership(member uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = member and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
  )
$$;
comment on function private.has_begun_membership(uuid) is 'True for an account that has or had a subscription beyond its first attempt.';

-- A purchase that failed gives its place back after an hour, in which it may be repeated.
create function private.trial_redemption_count(trial private.trial_codes) returns integer
  language sql stable security definer set search_path = '' as $$
  select trial.departed_redemptions + count(*)::integer from private.trial_redemptions r
  where r.code = trial.code and (r.redeemed_at > now() - interval '1 hour' or private.has_begun_membership(r.user_id))
$$;
comment on function private.trial_redemption_count(private.trial_codes) is 'How often a trial code was used, purchases under way included.';

-- @rpc service_role
-- Server: make a trial code; plan, expires_at and max_redemptions may be null.
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
comment on function private.billing_create_trial_code(uuid, text, integer, text, timestamptz, integer, text) is
  'Makes a trial code for an administrator, once the card provider has no coupon of its name. Audited.';
