create or replace function private.gift_offers()
  returns table (
    plan_id      text,
    plan_name    text,
    months       integer,
    amount_pence integer
  )
  language sql
  stable
  set search_path to ''
  AS $function$
  select p.id, p.name, n.months, coalesce(o.amount_pence, p.amount_pence) * n.months
  from public.plans p
  join private.plan_prices o on o.plan_id = p.id and o."interval" = 'month' and o.retired_at is null
  cross join unnest(array[1, 3, 6, 12]) n (months)
  where p.is_active and lower(coalesce(o.currency, p.currency)) = 'gbp'
$function$;

create or replace function private.guarantee_refunds (
  claim private.guarantee_claims
)
  returns table (
    request_id   uuid,
    payment_id   text,
    amount_pence bigint,
    reason       text
  )
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(q.id, md5(concat_ws(':', claim.id, b.charge_id, f.ended))::uuid),
    b.charge_id, coalesce(q.amount_pence, b.amount - greatest(b.amount_refunded, f.made)), coalesce(q.reason, 'Guarantee')
  from public.stripe_customers s
  join private.billing_charges b on b.customer_id = s.customer_id
  left join private.refund_requests q on q.charge_id = b.charge_id and q.state in ('started', 'unclear')
  cross join lateral (
    select count(*) filter (where r.state in ('made', 'failed', 'refused')) as ended,
      coalesce(sum(r.amount_pence) filter (where r.state = 'made'), 0)::bigint as made
    from private.refund_requests r where r.charge_id = b.charge_id
  ) f
  where s.user_id = claim.user_id and claim.state = 'granted'
    and b.amount > greatest(b.amount_refunded, f.made) and coalesce(b.dispute, 'won') = 'won'
    and not exists (select from private.course_purchases k where k.payment_intent_id = b.payment_intent_id)
    and not exists (select from private.gift_memberships k where k.payment_intent_id = b.payment_intent_id)
    -- Until the renewal is stopped it may take another payment. What a member buys later is no part of the guarantee.
    and not exists (
      select from private.payment_records p
      where p.charge_id = b.charge_id and p.kind = 'payment'
        and p.happened_at > greatest(claim.decided_at + interval '7 days', coalesce(claim.renewal_stopped_at, now()))
    )
  order by b.charge_id
$function$;

create or replace function private.my_gifts()
  returns jsonb
  language plpgsql
  stable
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
begin
  return jsonb_build_object(
    'offers', (
      select coalesce(jsonb_agg(to_jsonb(o) order by o.amount_pence / o.months, o.months), '[]') from private.gift_offers() o
    ),
    'gifts', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', g.id, 'name', private.gift_name(g), 'amount_pence', g.amount_pence, 'bought_at', coalesce(g.paid_at, g.created_at),
        'code', case when g.paid_at is not null and g.closed_at is null and g.redeemed_at is null then g.code end,
        'redeemed_at', g.redeemed_at,
        'state', case when g.closed_at is not null then 'closed' when g.redeemed_at is not null then 'used'
          when g.paid_at is not null then 'unused' else 'waiting' end
      ) order by g.created_at desc)
      from private.gift_memberships g
      where g.buyer_id = caller
        and (g.paid_at is not null or g.state in ('working', 'unknown', 'needs_action') and g.checked_at > now() - interval '1 hour')
    ), '[]')
  );
end
$function$;

create or replace function private.new_gift_code()
  returns text
  language sql
  set search_path to ''
  AS $function$
  -- 32 signs, none of which looks like another; 256 is a multiple of 32, so that each is as likely.
  select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789', get_byte(r.bytes, n) % 32 + 1, 1) || case when n in (4, 9, 14) then '-' else '' end, '' order by n)
  from (select extensions.gen_random_bytes(20) as bytes) r, generate_series(0, 19) n
$function$;

create or replace function private.queue_gift_reminders()
  returns integer
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  queued integer;
begin
  select count(*) filter (where private.enqueue_email(
    due.user_id, 'gift_ending', 'gift_ending:' || due.id, jsonb_build_object('plan', due.name, 'ends_at', due.ends_at)
  )) into queued
  from (
    select m.user_id, m.id, p.name, m.ends_at
    from private.gift_memberships g
    join public.complimentary_memberships m on m.id = g.membership_id
    join public.plans p on p.id = m.plan_id
    where m.ended_at is null and m.ends_at > now() and m.ends_at - now() <= interval '8 days'
  ) due;
  return queued;
end
$function$;

create or replace function private.redeem_gift (
  code text
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  caller constant uuid := private.require_caller();
  -- Twenty signs; whatever stands between them.
  signs constant text := regexp_replace(upper(left(coalesce(code, ''), 100)), '[^A-Z0-9]', '', 'g');
  gift private.gift_memberships;
  granted public.complimentary_memberships;
begin
  perform private.enforce_rate_limit(caller, 'redeem_gift');
  perform private.lock_billing(caller);
  select g.* into gift from private.gift_memberships g
  where g.code = concat_ws('-', substr(signs, 1, 5), substr(signs, 6, 5), substr(signs, 11, 5), substr(signs, 16)) and g.paid_at is not null
  for update;
  if not found then
    return jsonb_build_object('state', 'unknown');
  end if;
  if gift.closed_at is not null then
    return jsonb_build_object('state', 'closed');
  end if;
  if gift.redeemed_at is not null then
    return jsonb_build_object('state', 'used');
  end if;
  if exists (select from public.profiles p where p.id = caller and p.role = 'admin') then
    return jsonb_build_object('state', 'admin');
  end if;
  -- Beside a membership the months would go by unused. The code does not expire.
  if private.has_live_membership(caller)
    or (private.current_subscription(caller)).status in ('active', 'trialing', 'past_due', 'unpaid', 'paused')
    -- One that is being paid for at this moment.
    or exists (
      select from private.billing_attempts a where a.user_id = caller and a.state in ('working', 'unknown') and a.lease_until > clock_timestamp()
    ) then
    return jsonb_build_object('state', 'member');
  end if;
  update public.complimentary_memberships m set ended_at = m.ends_at
  where m.user_id = caller and m.ended_at is null and m.ends_at <= now();
  insert into public.complimentary_memberships as m (user_id, plan_id, reason, ends_at)
  values (caller, gift.plan_id, private.gift_name(gift), ((now() at time zone 'utc') + make_interval(months => gift.months)) at time zone 'utc')
  returning m.* into granted;
  update private.gift_memberships g set redeemed_by = caller, redeemed_at = now(), membership_id = granted.id where g.id = gift.id;
  perform private.set_role_from_plan(caller, private.plan_role(caller));
  perform private.audit(caller, 'gift.redeemed', caller, jsonb_build_object(
    'id', gift.id, 'plan', gift.plan_id, 'months', gift.months, 'ends_at', granted.ends_at
  ));
  return jsonb_build_object('state', 'redeemed', 'plan', (select p.name from public.plans p where p.id = gift.plan_id), 'ends_at', granted.ends_at);
end
$function$;

create or replace function private.settle_gift (
  snapshot jsonb
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  is_closed constant boolean := (snapshot ->> 'is_refunded')::boolean or coalesce(snapshot ->> 'dispute', 'won') <> 'won';
  gift private.gift_memberships;
begin
  select g.* into gift from private.gift_memberships g where g.payment_intent_id = snapshot ->> 'payment_intent_id' for update;
  if not found or gift.paid_at is not null and is_closed = (gift.closed_at is not null) then
    return;
  end if;
  update private.gift_memberships g
  set paid_at = coalesce(g.paid_at, now()), closed_at = case when is_closed then now() end, state = 'paid'
  where g.id = gift.id;
  if gift.paid_at is null then
    perform private.audit(gift.buyer_id, 'gift.bought', gift.buyer_id, jsonb_build_object(
      'id', gift.id, 'plan', gift.plan_id, 'months', gift.months, 'amount_pence', gift.amount_pence
    ));
  end if;
  if is_closed then
    perform private.audit(null, 'gift.closed', coalesce(gift.redeemed_by, gift.buyer_id), jsonb_build_object('id', gift.id));
    update public.complimentary_memberships m set ended_at = now()
    where m.id = gift.membership_id and m.ended_at is null and m.ends_at > now();
  elsif gift.closed_at is not null then
    update public.complimentary_memberships m set ended_at = null
    where m.id = gift.membership_id and m.ended_at = gift.closed_at and m.ends_at > now() and not exists (
      select from public.complimentary_memberships o where o.user_id = m.user_id and o.ended_at is null
    );
  end if;
  if gift.redeemed_by is not null then
    perform private.set_role_from_plan(gift.redeemed_by, private.plan_role(gift.redeemed_by));
  end if;
end
$function$;

create or replace function private.tg_payment_records__email()
  returns trigger
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  member constant uuid := (select c.user_id from public.stripe_customers c where c.customer_id = new.customer_id);
  bought constant private.course_purchases := (
    select p from private.billing_charges c join private.course_purchases p on p.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  gift constant private.gift_memberships := (
    select g from private.billing_charges c join private.gift_memberships g on g.payment_intent_id = c.payment_intent_id
    where c.charge_id = new.charge_id
  );
  told constant text := case
    when new.kind = 'payment' and new.status = 'succeeded' and new.amount > 0 then 'receipt'
    when new.kind = 'refund' and new.status = 'succeeded' then 'payment_refunded'
    when new.kind = 'dispute' and new.status = 'won' then 'dispute_won'
    when new.kind = 'dispute' and new.status not in ('lost', 'prevented') and new.status not like 'warning%' then 'payment_disputed'
  end;
  template constant text := case
    when gift.id is not null then case told when 'receipt' then 'gift_receipt' when 'payment_refunded' then told end
    when bought.id is null then told else case told
    when 'receipt' then 'course_receipt' when 'payment_refunded' then 'course_refunded'
    when 'payment_disputed' then 'course_disputed' when 'dispute_won' then 'course_dispute_won'
  end end;
  facts constant jsonb := jsonb_build_object(
    'amount', new.amount, 'currency', new.currency, 'happened_at', new.happened_at, 'number', new.charge_id
  ) || jsonb_strip_nulls(jsonb_build_object(
    'plan', coalesce(
      (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = new.subscription_id), private.gift_name(gift)
    ),
    -- What is read of it is kept as long as the e-mail, and its buyer may read it anyway.
    'code', case when told = 'receipt' then gift.code end,
    'course', bought.course_title, 'purchase_id', bought.id,
    'invoice_id', (select c.invoice_id from private.billing_charges c where c.charge_id = new.charge_id),
    -- The first payment confirms the contract, so that its e-mail names the terms and how to withdraw.
    'terms_version', case when told = 'receipt' and not exists (
      select from private.payment_records r
      where r.subscription_id = new.subscription_id and r.kind = 'payment' and r.status = 'succeeded' and r.amount > 0 and r.id <> new.id
    ) then coalesce(
      (select max(t.version) from private.terms_acceptances t where t.user_id = member and bought.id is null),
      (select max(t.version) from public.legal_texts t where t.kind = 'terms')
    ) end
  ));
begin
  if member is not null and template is not null then
    perform private.enqueue_email(member, template, template || ':' || new.provider_id, facts);
  end if;
  if new.kind = 'dispute' and new.status <> 'prevented' and new.status not like 'warning%' then
    perform private.enqueue_email(
      p.id, 'dispute_opened', concat_ws(':', 'dispute_opened', new.provider_id, p.id),
      facts || jsonb_build_object('reason', new.reason, 'dispute', new.provider_id)
    )
    from public.profiles p where p.role = 'admin';
  end if;
  return null;
end
$function$;

create or replace function private.vat_description (
  snapshot jsonb
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select coalesce(
    (select p.course_title from private.course_purchases p where p.payment_intent_id = snapshot ->> 'payment_intent_id'),
    (select private.gift_name(g) from private.gift_memberships g where g.payment_intent_id = snapshot ->> 'payment_intent_id'),
    private.plan_name(snapshot ->> 'upgraded_to'),
    (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = snapshot ->> 'subscription_id' limit 1),
    (select private.plan_name(a.price_id) from private.billing_attempts a where a.subscription_id = snapshot ->> 'subscription_id'),
    'Membership'
  )
$function$;
