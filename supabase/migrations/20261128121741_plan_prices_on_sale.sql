create or replace function private.admin_audit_money (
  admin   uuid,
  action  text,
  subject uuid,
  detail  jsonb
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  if action is null or action not in (
    'coupon.create_started', 'coupon.created', 'coupon.create_failed',
    'coupon.deactivate_started', 'coupon.deactivated', 'coupon.deactivate_failed', 'billing.event_retried',
    'payment.retry_paid', 'payment.retry_declined', 'plan_price.create_started', 'plan_price.create_failed'
  ) then
    raise exception 'no act on money is called %', action;
  end if;
  perform private.audit(admin, action, subject, detail);
end
$function$;

create or replace function private.billing_add_plan_price (
  admin uuid,
  price text,
  sale  jsonb
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.billing_begin_purchase (
  member  uuid,
  price   text,
  joining uuid default null::uuid
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  held private.billing_attempts;
  joined private.billing_attempts;
  begun uuid;
begin
  perform private.lock_billing(member);
  if not exists (
    select from private.plan_prices o join public.plans p on p.id = o.plan_id
    where o.price_id = price and o.retired_at is null and p.is_active
  ) then
    return jsonb_build_object('state', 'unknown_price');
  end if;
  select a.* into held from private.billing_attempts a
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'attempt_id', held.id);
  end if;
  select a.* into joined from private.billing_attempts a
  where a.id = joining and a.user_id = member and a.price_id = price and a.state in ('paid', 'needs_action')
    and a.subscription_id is not null;
  if found then
    return jsonb_build_object('state', 'joined', 'attempt_id', joined.id, 'subscription_id', joined.subscription_id);
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.billing_attempts a
      where a.user_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.billing_attempts a set state = 'abandoned', updated_at = clock_timestamp() where a.id = held.id;
  insert into private.billing_attempts (user_id, price_id) values (member, price) returning id into begun;
  return jsonb_build_object(
    'state', 'begun',
    'attempt_id', begun,
    'leftovers', (
      select coalesce(jsonb_agg(a.subscription_id), '[]') from private.billing_attempts a
      where a.user_id = member and a.state = 'abandoned' and a.subscription_id is not null
    ),
    'recent', (
      select coalesce(jsonb_agg(a.subscription_id), '[]') from private.billing_attempts a
      where a.user_id = member and a.price_id = price and a.subscription_id is not null
        and a.created_at > clock_timestamp() - interval '15 minutes'
    )
  );
end
$function$;

create or replace function private.billing_catalogue()
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'price_id', o.price_id, 'plan_id', p.id, 'role', p.role, 'amount', coalesce(o.amount_pence, p.amount_pence),
    'currency', lower(coalesce(o.currency, p.currency)), 'interval', o."interval", 'is_current', o.retired_at is null and p.is_active
  ) order by o.price_id), '[]')
  from private.plan_prices o join public.plans p on p.id = o.plan_id
$function$;

create or replace function private.my_plan_price()
  returns table (
    price_id     text,
    plan_id      text,
    "interval"   text,
    amount_pence integer,
    currency     text
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select o.price_id, o.plan_id, o."interval", o.amount_pence, o.currency
  from public.stripe_customers c
  join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
  join private.plan_prices o on o.price_id = s.price_id
  where c.user_id = private.require_caller() and c.deleted_at is null
$function$;

create or replace function private.retire_plan_price (
  price  text,
  reason text
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.set_plan_price (
  plan  text,
  price text
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
begin
  if not exists (select from public.plans where id = plan) then
    raise exception 'there is no plan %', plan;
  end if;
  if exists (select from private.plan_prices o where o.price_id = price and o.plan_id = plan and o.is_default) then
    return;
  end if;
  update public.plans p set price_id = price, amount_pence = coalesce(
    (select o.amount_pence from private.plan_prices o where o.price_id = price and o.plan_id = plan and o."interval" = 'month'), p.amount_pence
  ) where p.id = plan;
  update private.plan_prices o set is_default = o.price_id = price where o.plan_id = plan;
end
$function$;

create or replace function private.tg_plans__remember_price()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  update private.plan_prices o set retired_at = now()
  where o.plan_id = new.id and o.retired_at is null and o.price_id <> new.price_id and o.price_id is distinct from new.yearly_price_id;
  insert into private.plan_prices as o (price_id, plan_id, "interval", amount_pence, currency)
  select s.price_id, new.id, s."interval", s.amount_pence, new.currency
  from (values (new.price_id, 'month', new.amount_pence), (new.yearly_price_id, 'year', new.yearly_amount_pence))
    s (price_id, "interval", amount_pence)
  where s.price_id is not null
  on conflict (price_id) do update set
    plan_id = excluded.plan_id, "interval" = excluded."interval", amount_pence = excluded.amount_pence, currency = excluded.currency,
    active_from = case when o.retired_at is null then o.active_from else now() end, retired_at = null;
  return null;
end
$function$;

create or replace function public.billing_add_plan_price (
  admin uuid,
  price text,
  sale  jsonb
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_add_plan_price(admin, price, sale) $function$;

create or replace function public.my_plan_price()
  returns table (
    price_id     text,
    plan_id      text,
    "interval"   text,
    amount_pence integer,
    currency     text
  )
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.my_plan_price() $function$;

create or replace function public.retire_plan_price (
  price  text,
  reason text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.retire_plan_price(price, reason) $function$;

comment on function "private"."billing_add_plan_price"(uuid, text, jsonb) is 'Puts a price on sale and takes the one before it of this plan and interval off it; members keep what they have. FF870 without a plan. Audited.';

comment on function "private"."my_plan_price"() is 'What the calling account''s membership costs; no row without one, and no amount where it was not kept.';

comment on function "private"."retire_plan_price"(text, text) is 'Takes a yearly price off sale; FF871 for any other. Audited.';

comment on function "private"."set_plan_price"(text, text) is 'Sets a plan''s monthly price at the card provider, unless it was the last one set so; for the operator.';

comment on function "public"."billing_add_plan_price"(uuid, text, jsonb) is 'Server: put a price of the card provider on sale.';

comment on function "public"."my_plan_price"() is 'The price of the caller''s current subscription, also one that is not on sale any more.';

comment on function "public"."retire_plan_price"(text, text) is 'Administrators: take a yearly price off sale. Members who have it keep it.';

revoke all on function "private"."billing_add_plan_price"(uuid, text, jsonb) from public;

grant execute on function "private"."billing_add_plan_price"(uuid, text, jsonb) to "postgres", "service_role";

revoke all on function "private"."my_plan_price"() from public;

grant execute on function "private"."my_plan_price"() to "authenticated", "postgres";

revoke all on function "private"."retire_plan_price"(text, text) from public;

grant execute on function "private"."retire_plan_price"(text, text) to "authenticated", "postgres";

revoke all on function "public"."billing_add_plan_price"(uuid, text, jsonb) from public;

grant execute on function "public"."billing_add_plan_price"(uuid, text, jsonb) to "postgres", "service_role";

revoke all on function "public"."my_plan_price"() from public;

grant execute on function "public"."my_plan_price"() to "authenticated", "postgres";

revoke all on function "public"."retire_plan_price"(text, text) from public;

grant execute on function "public"."retire_plan_price"(text, text) to "authenticated", "postgres";
