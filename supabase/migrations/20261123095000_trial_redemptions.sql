-- A trial is counted while its purchase may still succeed, once it has, and after its account is gone.
alter table private.trial_codes add column departed_redemptions integer not null default 0;
comment on column private.trial_codes.departed_redemptions is 'Redemptions of accounts that were deleted; they count for the limit.';

create function private.tg_trial_redemptions__count_departed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  update private.trial_codes t set departed_redemptions = t.departed_redemptions + 1 where t.code = old.code;
  return null;
end
$$;
revoke all on function private.tg_trial_redemptions__count_departed from public, anon, authenticated, service_role;
create trigger trial_redemptions__count_departed after delete on private.trial_redemptions
  for each row execute function private.tg_trial_redemptions__count_departed();

create function private.has_begun_membership(member uuid) returns boolean
  language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
    where c.user_id = member and s.status not in ('not_started', 'incomplete', 'incomplete_expired')
  )
$$;
revoke all on function private.has_begun_membership from public, anon, authenticated, service_role;
comment on function private.has_begun_membership(uuid) is 'True for an account that has or had a subscription beyond its first attempt.';

-- A purchase that failed gives its place back after an hour, in which it may be repeated.
create function private.trial_redemption_count(trial private.trial_codes) returns integer
  language sql stable security definer set search_path = '' as $$
  select trial.departed_redemptions + count(*)::integer from private.trial_redemptions r
  where r.code = trial.code and (r.redeemed_at > now() - interval '1 hour' or private.has_begun_membership(r.user_id))
$$;
revoke all on function private.trial_redemption_count from public, anon, authenticated, service_role;
comment on function private.trial_redemption_count(private.trial_codes) is 'How often a trial code was used, purchases under way included.';

create or replace function private.billing_trial_code(member uuid, given text, price text, redeem boolean) returns jsonb
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

create or replace function private.admin_trial_codes() returns table (
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
