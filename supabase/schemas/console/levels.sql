-- What levels ask for, changed in the console; and the plans on sale with the state of the link to the card provider.
create function private.require_requirement(level integer, kind text, needed integer) returns public.level_requirements
  language plpgsql volatile security definer set search_path = '' as $$
declare
  found_row public.level_requirements;
begin
  select r.* into found_row from public.level_requirements r
  where r.level = require_requirement.level and r.kind = require_requirement.kind for update;
  if not found then
    perform private.fail('FF440', 'This level does not ask for that.');
  end if;
  if needed is null or needed not between 1 and 10000 then
    perform private.fail('FF441', 'A requirement is a whole number from 1 to 10,000.');
  end if;
  return found_row;
end
$$;
comment on function private.require_requirement(integer, text, integer) is
  'The stored requirement, locked; FF440 when there is none, FF441 when the new figure is out of range.';

-- A member completes a level at their next progress event, as the level engine does not run by itself.
-- @rpc authenticated
-- Administrators with a second factor: what a new figure of a level's requirement would mean.
create function private.preview_level_requirement(level integer, kind text, needed integer) returns table (
  current_needed integer, available integer, members integer, ready_before integer, ready_after integer
)
  language plpgsql security definer set search_path = '' as $$
declare
  stored public.level_requirements;
begin
  perform private.require_verified_admin();
  stored := private.require_requirement(level, kind, needed);
  return query
    with members as (
      -- The next progress event brings the counter of rooms up to the ledger and the new figure.
      select private.progress_count_uncapped(p, stored.kind, stored.category) as done,
        (select bool_and(private.progress_count_uncapped(p, r.kind, r.category) >= r.needed) from public.level_requirements r
          where r.level = stored.level and r.kind <> stored.kind) is not false as has_rest
      from public.user_progress p join public.profiles f on f.id = p.user_id
      where p.current_level = stored.level and f.onboarding_complete and f.role <> 'admin'
        and not exists (select from public.level_completions d where d.user_id = p.user_id and d.level = stored.level)
    )
    select stored.needed,
      (select s.available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind),
      count(*)::integer,
      (count(*) filter (where m.has_rest and m.done >= stored.needed))::integer,
      (count(*) filter (where m.has_rest and m.done >= preview_level_requirement.needed))::integer
    from members m;
end
$$;
comment on function private.preview_level_requirement(integer, text, integer) is
  'What a new figure means: members at the level, and how many of them would complete it with their next progress event.';

-- @rpc authenticated
-- Administrators with a second factor: change what a level asks for.
create function private.set_level_requirement(level integer, kind text, needed integer) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  stored public.level_requirements := private.require_requirement(level, kind, needed);
  available integer;
begin
  select s.available into available from private.level_supply() s where s.level = stored.level and s.kind = stored.kind;
  if set_level_requirement.needed > available then
    perform private.fail('FF445', 'A level cannot ask for more than there is.', available::text);
  end if;
  update public.level_requirements r set needed = set_level_requirement.needed
  where r.level = stored.level and r.kind = stored.kind;
  perform private.audit_change(
    admin, 'level_requirement.edited', jsonb_build_object('level', stored.level, 'kind', stored.kind),
    jsonb_build_object('needed', stored.needed), jsonb_build_object('needed', needed)
  );
end
$$;
comment on function private.set_level_requirement(integer, text, integer) is
  'Changes what a level asks for, from each member''s next progress event; FF445 above what there is. No level is lowered. Audited.';

create function private.prices_of_plan(plan text) returns jsonb
  language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'interval', o."interval", 'amount_pence', o.amount_pence, 'currency', o.currency,
    'active_from', o.active_from, 'retired_at', o.retired_at, 'members', (
      select count(*) from public.stripe_subscriptions s
      where s.price_id = o.price_id and s.deleted_at is null and s.status in ('active', 'trialing')
    )
  ) order by o.retired_at is not null, o."interval", o.active_from desc, o.price_id), '[]')
  from private.plan_prices o where o.plan_id = plan
$$;
comment on function private.prices_of_plan(text) is 'Prices of a plan with the members who pay them: those on sale first, then the latest.';

-- @rpc authenticated
-- Administrators: the plans on sale and the state of the link to the card provider.
create function private.plan_overview()
  returns table (
    id text, name text, role text, amount_pence integer, currency text, "interval" text, price_id text,
    is_active boolean, members integer, former_price_members integer, prices jsonb, last_event_at timestamptz, last_check_at timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return query
    select p.id, p.name, p.role, p.amount_pence, p.currency, p."interval", p.price_id, p.is_active,
      coalesce(sold.all_prices, 0), coalesce(sold.former_prices, 0), private.prices_of_plan(p.id),
      (select max(e.applied_at) from private.billing_events e), (select max(k.checked_at) from private.billing_checks k)
    from public.plans p
    left join lateral (
      select count(*)::integer as all_prices, (count(*) filter (where o.retired_at is not null))::integer as former_prices
      from public.stripe_subscriptions s join private.plan_prices o on o.price_id = s.price_id
      where o.plan_id = p.id and s.deleted_at is null and s.status in ('active', 'trialing')
    ) sold on true
    order by p.amount_pence, p.id;
end
$$;
comment on function private.plan_overview() is
  'The plans with their prices and members, and when the card provider was last heard from and compared with; null for never.';
