create table "private"."gift_memberships" (
  "id"                uuid                     not null default gen_random_uuid(),
  "request_id"        uuid                     not null,
  "buyer_id"          uuid,
  "plan_id"           text                     not null,
  "months"            integer                  not null,
  "amount_pence"      integer                  not null,
  "code"              text                     not null,
  "state"             text                     not null default 'working'::text,
  "payment_intent_id" text,
  "lease_until"       timestamp with time zone not null default (clock_timestamp() + '00:01:00'::interval),
  "created_at"        timestamp with time zone not null default clock_timestamp(),
  "checked_at"        timestamp with time zone not null default clock_timestamp(),
  "paid_at"           timestamp with time zone,
  "closed_at"         timestamp with time zone,
  "redeemed_by"       uuid,
  "redeemed_at"       timestamp with time zone,
  "membership_id"     uuid,
  constraint "gift_memberships_amount_check" check ((amount_pence > 0)),
  constraint "gift_memberships_code_key" unique (code),
  constraint "gift_memberships_months_check" check ((months = ANY (ARRAY[1, 3, 6, 12]))),
  constraint "gift_memberships_payment_intent_id_key" unique (payment_intent_id),
  constraint "gift_memberships_pkey" primary key (id),
  constraint "gift_memberships_state_check"
    check
    ((state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text, 'paid'::text, 'failed'::text,
    'abandoned'::text])))
);

alter table "private"."gift_memberships"
  enable row level security;

create or replace function private.billing_apply_charge (
  ticket   bigint,
  snapshot jsonb
)
  returns text
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  customer text := snapshot ->> 'customer_id';
  charge text := snapshot ->> 'charge_id';
begin
  if private.lock_customer(customer) is null then
    -- Of a deleted account. What its payment earned others is still taken back, and the books are kept.
    if exists (select from private.payment_records p where p.charge_id = charge and p.customer_id = customer) then
      perform private.lower_commissions(charge, snapshot);
      perform private.note_payment_records(snapshot, array['refund', 'dispute']);
      perform private.issue_vat_documents(snapshot);
      perform private.settle_gift(snapshot);
    end if;
    return 'unknown_customer';
  end if;
  insert into private.billing_charges as c (
    charge_id, customer_id, subscription_id, ticket, is_refunded, period_start, period_end, dispute, amount_refunded,
    invoice_id, amount, card_brand, card_last4, upgraded_from, upgraded_to, card_hash, payment_intent_id, receipt_url
  ) values (
    charge, customer, snapshot ->> 'subscription_id', billing_apply_charge.ticket, (snapshot ->> 'is_refunded')::boolean,
    (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'dispute',
    (snapshot ->> 'amount_refunded')::bigint, snapshot ->> 'invoice_id', (snapshot ->> 'amount')::bigint,
    snapshot ->> 'card_brand', snapshot ->> 'card_last4', snapshot ->> 'upgraded_from', snapshot ->> 'upgraded_to',
    (select extensions.hmac(convert_to(snapshot ->> 'card_fingerprint', 'utf8'), k.key, 'sha256') from private.trial_card_keys k),
    snapshot ->> 'payment_intent_id', snapshot ->> 'receipt_url'
  )
  on conflict (charge_id) do update set
    subscription_id = excluded.subscription_id, ticket = excluded.ticket, is_refunded = excluded.is_refunded,
    period_start = excluded.period_start, period_end = excluded.period_end, dispute = excluded.dispute,
    amount_refunded = excluded.amount_refunded, invoice_id = excluded.invoice_id, amount = excluded.amount,
    card_brand = excluded.card_brand, card_last4 = excluded.card_last4, upgraded_from = excluded.upgraded_from,
    upgraded_to = excluded.upgraded_to, card_hash = coalesce(excluded.card_hash, c.card_hash),
    payment_intent_id = coalesce(excluded.payment_intent_id, c.payment_intent_id),
    receipt_url = coalesce(excluded.receipt_url, c.receipt_url)
  where c.ticket < excluded.ticket;
  if not found then
    return 'stale';
  end if;
  perform private.billing_note_payment(snapshot ->> 'invoice_id');
  perform private.note_payment_records(snapshot, array['payment', 'refund', 'dispute']);
  perform private.issue_vat_documents(snapshot);
  perform private.settle_gift(snapshot);
  return 'applied';
end
$function$;

create or replace function private.billing_begin_gift (
  member         uuid,
  request        uuid,
  plan           text,
  months         integer,
  expected_pence integer,
  joining        uuid    default null::uuid
)
  returns jsonb
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  offer record;
  held private.gift_memberships;
  joined private.gift_memberships;
  begun private.gift_memberships;
begin
  perform private.lock_billing(member);
  if exists (
    select from private.gift_memberships g where g.buyer_id = member and g.request_id = request and (g.paid_at is not null or g.state = 'paid')
  ) then
    return jsonb_build_object('state', 'paid');
  end if;
  select o.* into offer from private.gift_offers() o where o.plan_id = plan and o.months = billing_begin_gift.months;
  if not found then
    return jsonb_build_object('state', 'not_on_sale');
  end if;
  select a.* into held from private.gift_memberships a
  where a.buyer_id = member and a.state in ('working', 'unknown', 'needs_action');
  if held.state = 'working' and held.lease_until > clock_timestamp() then
    return jsonb_build_object('state', 'busy', 'purchase_id', held.id);
  end if;
  select a.* into joined from private.gift_memberships a
  where a.id = joining and a.buyer_id = member and a.request_id = request and a.state = 'needs_action';
  if found then
    return jsonb_build_object('state', 'joined', 'payment_intent_id', joined.payment_intent_id);
  end if;
  -- Nobody pays a price that they did not see.
  if offer.amount_pence is distinct from expected_pence then
    return jsonb_build_object('state', 'price_changed');
  end if;
  -- Many attempts in an hour suggest that stolen cards are being tested.
  if (select count(*) from private.gift_memberships a
      where a.buyer_id = member and a.created_at > clock_timestamp() - interval '1 hour') >= 20 then
    return jsonb_build_object('state', 'too_many');
  end if;
  update private.gift_memberships a set state = 'abandoned', checked_at = clock_timestamp() where a.id = held.id;
  insert into private.gift_memberships as a (request_id, buyer_id, plan_id, months, amount_pence, code)
  values (request, member, plan, billing_begin_gift.months, offer.amount_pence, private.new_gift_code()) returning a.* into begun;
  return jsonb_build_object(
    'state', 'begun', 'purchase_id', begun.id, 'amount', begun.amount_pence, 'title', private.gift_name(begun),
    'leftovers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'purchase_id', a.id, 'payment_intent_id', a.payment_intent_id, 'is_same', a.request_id = request
      )), '[]')
      from private.gift_memberships a where a.buyer_id = member and a.state = 'abandoned'
    )
  );
end
$function$;

create or replace function private.billing_end_gift (
  purchase uuid,
  outcome  text
)
  returns void
  language sql
  security definer
  set search_path to ''
  AS $function$
  update private.gift_memberships a set state = outcome, checked_at = clock_timestamp()
  where a.id = purchase and outcome in ('unknown', 'needs_action', 'paid', 'failed') and a.state <> 'failed'
    and (a.state in ('working', 'unknown', 'needs_action') or outcome in ('paid', 'failed'))
$function$;

create or replace function private.billing_open_gifts (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', a.id, 'payment_intent_id', a.payment_intent_id) order by a.created_at), '[]')
  from private.gift_memberships a
  where a.buyer_id = member and a.state in ('working', 'unknown', 'needs_action', 'abandoned')
$function$;

create or replace function private.billing_record_gift_payment (
  purchase       uuid,
  payment_intent text
)
  returns boolean
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
begin
  update private.gift_memberships a
  set payment_intent_id = payment_intent, lease_until = clock_timestamp() + interval '60 seconds', checked_at = clock_timestamp()
  where a.id = purchase and a.state = 'working' and coalesce(a.payment_intent_id, payment_intent) = payment_intent;
  return found;
end
$function$;

create or replace function private.billing_take_gifts()
  returns jsonb
  language sql
  security definer
  set search_path to ''
  AS $function$
  with due as (
    select a.id from private.gift_memberships a
    where a.state = 'working' and a.lease_until < now()
      or a.state = 'abandoned' and a.checked_at < now() - interval '5 minutes'
      or a.state in ('unknown', 'needs_action') and a.checked_at < now() - interval '1 hour'
      or a.state = 'paid' and a.checked_at < now() - interval '1 day' and a.created_at > now() - interval '200 days'
    order by a.checked_at limit 100 for update skip locked
  ), taken as (
    update private.gift_memberships a set checked_at = now() from due where a.id = due.id
    returning a.id, a.payment_intent_id
  )
  select coalesce(jsonb_agg(jsonb_build_object('purchase_id', t.id, 'payment_intent_id', t.payment_intent_id)), '[]') from taken t
$function$;

create or replace function private.export_part_gifts (
  member uuid
)
  returns jsonb
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select jsonb_build_object(
    'gifts_bought', coalesce((
      select jsonb_agg(to_jsonb(g) - '{lease_until,redeemed_by,membership_id,code}'::text[] order by g.created_at)
      from private.gift_memberships g where g.buyer_id = member
    ), '[]'),
    'gifts_redeemed', coalesce((
      select jsonb_agg(jsonb_build_object('id', g.id, 'plan_id', g.plan_id, 'months', g.months, 'redeemed_at', g.redeemed_at) order by g.redeemed_at)
      from private.gift_memberships g where g.redeemed_by = member
    ), '[]')
  )
$function$;

create or replace function private.gift_name (
  gift private.gift_memberships
)
  returns text
  language sql
  stable
  set search_path to ''
  AS $function$
  select format('Gift: %s, %s', p.name, case gift.months when 1 then '1 month' else gift.months || ' months' end)
  from public.plans p where p.id = gift.plan_id
$function$;

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

create or replace function public.billing_begin_gift (
  member         uuid,
  request        uuid,
  plan           text,
  months         integer,
  expected_pence integer,
  joining        uuid    default null::uuid
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_begin_gift(member, request, plan, months, expected_pence, joining) $function$;

create or replace function public.billing_end_gift (
  purchase uuid,
  outcome  text
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_end_gift(purchase, outcome) $function$;

create or replace function public.billing_open_gifts (
  member uuid
)
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_open_gifts(member) $function$;

create or replace function public.billing_record_gift_payment (
  purchase       uuid,
  payment_intent text
)
  returns boolean
  language sql
  set search_path to ''
  AS $function$ select private.billing_record_gift_payment(purchase, payment_intent) $function$;

create or replace function public.billing_take_gifts()
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.billing_take_gifts() $function$;

create or replace function public.my_gifts()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$ select private.my_gifts() $function$;

create or replace function public.queue_gift_reminders()
  returns integer
  language sql
  set search_path to ''
  AS $function$ select private.queue_gift_reminders() $function$;

create or replace function public.redeem_gift (
  code text
)
  returns jsonb
  language sql
  set search_path to ''
  AS $function$ select private.redeem_gift(code) $function$;

alter table "private"."gift_memberships"
  add constraint "gift_memberships_buyer_id_fkey" foreign key (buyer_id) references auth.users(id) on delete set null;

alter table "private"."gift_memberships"
  add constraint "gift_memberships_membership_id_fkey" foreign key (membership_id)
    references public.complimentary_memberships(id) on delete set null;

alter table "private"."gift_memberships"
  add constraint "gift_memberships_plan_id_fkey" foreign key (plan_id) references public.plans(id) on update cascade;

alter table "private"."gift_memberships"
  add constraint "gift_memberships_redeemed_by_fkey" foreign key (redeemed_by) references auth.users(id) on delete
    set null;

create index gift_memberships_buyer_id_idx on private.gift_memberships using btree (buyer_id, created_at desc);

create index gift_memberships_checked_at_idx on private.gift_memberships using btree (checked_at)
  where (state <> 'failed'::text);

create index gift_memberships_membership_id_idx on private.gift_memberships using btree (membership_id);

create unique index gift_memberships_one_open on private.gift_memberships using btree (buyer_id)
  where (state = ANY (ARRAY['working'::text, 'unknown'::text, 'needs_action'::text]));

create index gift_memberships_plan_id_idx on private.gift_memberships using btree (plan_id);

create index gift_memberships_redeemed_by_idx on private.gift_memberships using btree (redeemed_by);

comment on column "private"."gift_memberships"."buyer_id" is 'Null once that account is deleted; the gift stays good.';

comment on column "private"."gift_memberships"."closed_at" is 'When it was refunded in full or disputed; null again when the bank decides for us.';

comment on column "private"."gift_memberships"."code" is 'A hundred random bits. Not hashed: its buyer reads it again until it is used, and who could read this table could give access without it.';

comment on column "private"."gift_memberships"."paid_at" is 'When the payment was read as made.';

comment on column "private"."gift_memberships"."request_id" is 'Chosen by the browser for each gift, so that two clicks buy one.';

comment on column "private"."gift_memberships"."state" is 'As in course_purchases. Whether the code is good is paid_at without closed_at and redeemed_at.';

comment on function "private"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) is
  'Opens an attempt at the price that the buyer saw and lists earlier ones to clean up; or why there is none.';

comment on function "private"."billing_end_gift"(uuid, text) is 'Stores the outcome of an attempt: paid, failed, needs_action or unknown.';

comment on function "private"."billing_open_gifts"(uuid) is 'Gifts of an account whose payment may still be made.';

comment on function "private"."billing_record_gift_payment"(uuid, text) is 'True when the attempt still counts and may confirm this payment.';

comment on function "private"."billing_take_gifts"() is 'Gifts to compare with the provider, the longest unchecked first.';

comment on function "private"."export_part_gifts"(uuid) is 'Gift memberships that one account bought and redeemed.';

comment on function "private"."gift_name"(private.gift_memberships) is 'What was bought, for receipts: Gift: Student Access, 3 months.';

comment on function "private"."gift_offers"() is 'What can be given: so many months of a plan, for as many times its monthly price in pence.';

comment on function "private"."my_gifts"() is 'Gifts on offer, and those the caller bought with their codes until they are used; never who used one.';

comment on function "private"."new_gift_code"() is 'Twenty random signs of five bits each, in groups of five.';

comment on function "private"."queue_gift_reminders"() is 'Queues an e-mail about each gift membership that ends within eight days, once for each; their number.';

comment on function "private"."redeem_gift"(text) is 'Gives the caller the months of a gift, once; says why not otherwise. FF300 after too many tries. Audited.';

comment on function "private"."settle_gift"(jsonb) is 'Follows a reading of the payment of a gift: paid, closed by a refund or dispute, or good again. Audited.';

comment on function "private"."vat_description"(jsonb) is 'What a payment bought, for its VAT invoice: a course, a gift or a plan.';

comment on function "public"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) is 'Server: open an attempt at buying a gift membership.';

comment on function "public"."billing_end_gift"(uuid, text) is 'Server: close an attempt at buying a gift.';

comment on function "public"."billing_open_gifts"(uuid) is 'Server: gifts whose payment is to be finished before the account is deleted.';

comment on function "public"."billing_record_gift_payment"(uuid, text) is 'Server: claim a payment for an attempt at a gift before confirming it.';

comment on function "public"."billing_take_gifts"() is 'Server: gifts to compare with the provider.';

comment on function "public"."my_gifts"() is 'What can be given, and the gifts that the caller bought.';

comment on function "public"."queue_gift_reminders"() is 'Server: queue e-mails about gift memberships that end soon.';

comment on function "public"."redeem_gift"(text) is 'Redeem a gift code: redeemed with its end, or unknown, used, closed, member or admin.';

comment on table "private"."gift_memberships" is 'Attempts at buying a gift membership, and the gifts that were paid for; the id is also the idempotency key at the card provider.';

revoke all on function "private"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) from public;

grant execute
  on function "private"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid)
  to "postgres", "service_role";

revoke all on function "private"."billing_end_gift"(uuid, text) from public;

grant execute on function "private"."billing_end_gift"(uuid, text) to "postgres", "service_role";

revoke all on function "private"."billing_open_gifts"(uuid) from public;

grant execute on function "private"."billing_open_gifts"(uuid) to "postgres", "service_role";

revoke all on function "private"."billing_record_gift_payment"(uuid, text) from public;

grant execute on function "private"."billing_record_gift_payment"(uuid, text) to "postgres", "service_role";

revoke all on function "private"."billing_take_gifts"() from public;

grant execute on function "private"."billing_take_gifts"() to "postgres", "service_role";

revoke all on function "private"."export_part_gifts"(uuid) from public;

grant execute on function "private"."export_part_gifts"(uuid) to "postgres";

revoke all on function "private"."gift_name"(private.gift_memberships) from public;

grant execute on function "private"."gift_name"(private.gift_memberships) to "postgres";

revoke all on function "private"."gift_offers"() from public;

grant execute on function "private"."gift_offers"() to "postgres";

revoke all on function "private"."my_gifts"() from public;

grant execute on function "private"."my_gifts"() to "authenticated", "postgres";

revoke all on function "private"."new_gift_code"() from public;

grant execute on function "private"."new_gift_code"() to "postgres";

revoke all on function "private"."queue_gift_reminders"() from public;

grant execute on function "private"."queue_gift_reminders"() to "postgres", "service_role";

revoke all on function "private"."redeem_gift"(text) from public;

grant execute on function "private"."redeem_gift"(text) to "authenticated", "postgres";

revoke all on function "private"."settle_gift"(jsonb) from public;

grant execute on function "private"."settle_gift"(jsonb) to "postgres";

revoke all on function "public"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid) from public;

grant execute
  on function "public"."billing_begin_gift"(uuid, uuid, text, integer, integer, uuid)
  to "postgres", "service_role";

revoke all on function "public"."billing_end_gift"(uuid, text) from public;

grant execute on function "public"."billing_end_gift"(uuid, text) to "postgres", "service_role";

revoke all on function "public"."billing_open_gifts"(uuid) from public;

grant execute on function "public"."billing_open_gifts"(uuid) to "postgres", "service_role";

revoke all on function "public"."billing_record_gift_payment"(uuid, text) from public;

grant execute on function "public"."billing_record_gift_payment"(uuid, text) to "postgres", "service_role";

revoke all on function "public"."billing_take_gifts"() from public;

grant execute on function "public"."billing_take_gifts"() to "postgres", "service_role";

revoke all on function "public"."my_gifts"() from public;

grant execute on function "public"."my_gifts"() to "authenticated", "postgres";

revoke all on function "public"."queue_gift_reminders"() from public;

grant execute on function "public"."queue_gift_reminders"() to "postgres", "service_role";

revoke all on function "public"."redeem_gift"(text) from public;

grant execute on function "public"."redeem_gift"(text) to "authenticated", "postgres";

grant delete, insert, maintain, references, select, trigger, truncate, update
  on table "private"."gift_memberships"
  to "postgres";

insert into private.rate_limits (action, max_count, period) values ('redeem_gift', 10, '1 hour');

insert into private.email_templates (name, kind) values ('gift_receipt', 'money'), ('gift_ending', 'money');

insert into private.email_texts (template, key, placeholders)
select t.template, k, t.placeholders from (values
  ('gift_receipt', '{closing,heading,opening,subject}'::text[], '{amount,gift,support}'::text[]),
  ('gift_ending', '{closing,heading,opening,subject}', '{plan,date}')
) t (template, keys, placeholders) cross join unnest(t.keys) k;
