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

comment on table "private"."gift_memberships" is 'Attempts at buying a gift membership, and the gifts that were paid for; the id is also the idempotency key at the card provider.';

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
