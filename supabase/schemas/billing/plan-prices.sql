-- Prices that administrators put on sale and take off it. The edge function admin-plan-prices makes them at the card provider.

-- @rpc service_role
-- Server: put a price of the card provider on sale.
create function private.billing_add_plan_price(admin uuid, price text, sale jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  plan public.plans;
  billed constant text := sale ->> 'interval';
  amount constant integer := (sale ->> 'amount_pence')::integer;
  former jsonb;
  changes jsonb;
begin
  -- Two prices at once are put on sale one after the other.
  select p.* into plan from public.plans p where p.id = sale ->> 'plan_id' for update;
  if plan.id is null or billed is null or billed not in ('month', 'year') then
    perform private.fail('FF870', 'Choose a plan and whether it is paid monthly or yearly.');
  end if;
  -- The answer to the first call was lost.
  if exists (select from private.plan_prices o where o.price_id = price) then
    return;
  end if;
  select to_jsonb(o) into former from private.plan_prices o
  where o.plan_id = plan.id and o."interval" = billed and o.retired_at is null;
  update public.plans p set
    price_id = case billed when 'month' then price else p.price_id end,
    amount_pence = case billed when 'month' then amount else p.amount_pence end,
    yearly_price_id = case billed when 'year' then price else p.yearly_price_id end,
    yearly_amount_pence = case billed when 'year' then amount else p.yearly_amount_pence end
  where p.id = plan.id;
  changes := jsonb_build_object(
    'before', former, 'after', (select to_jsonb(o) from private.plan_prices o where o.price_id = price), 'reason', sale ->> 'reason'
  );
  perform private.audit(admin, 'plan_price.created', null, changes);
end
$$;
comment on function private.billing_add_plan_price(uuid, text, jsonb) is
  'Puts a price on sale and takes the one before it of this plan and interval off it; members keep what they have. FF870 without a plan. Audited.';

-- @rpc authenticated
-- Administrators: take a yearly price off sale. Members who have it keep it.
create function private.retire_plan_price(price text, reason text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  admin constant uuid := private.require_verified_admin();
  why constant text := private.require_act_reason(reason);
  former jsonb;
begin
  update public.plans p set yearly_price_id = null, yearly_amount_pence = null where p.yearly_price_id = price;
  if not found then
    perform private.fail('FF871', 'This yearly price is not on sale. A monthly price ends when another one takes its place.');
  end if;
  select to_jsonb(o) into former from private.plan_prices o where o.price_id = price;
  perform private.audit(admin, 'plan_price.retired', null, jsonb_build_object('before', former - 'retired_at', 'after', null, 'reason', why));
end
$$;
comment on function private.retire_plan_price(text, text) is 'Takes a yearly price off sale; FF871 for any other. Audited.';

-- @rpc authenticated
-- The price of the caller's current subscription, also one that is not on sale any more.
create function private.my_plan_price()
  returns table (price_id text, plan_id text, "interval" text, amount_pence integer, currency text)
  language sql stable security definer set search_path = '' as $$
  select o.price_id, o.plan_id, o."interval", o.amount_pence, o.currency
  from public.stripe_customers c
  join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
  join private.plan_prices o on o.price_id = s.price_id
  where c.user_id = private.require_caller() and c.deleted_at is null
$$;
comment on function private.my_plan_price() is 'What the calling account''s membership costs; no row without one, and no amount where it was not kept.';
