-- Part 6 of 28 of the schema of 0.3.0, as supabase/schemas declared it when history began anew, in an order that Postgres takes.
set check_function_bodies = off;

-- billing/vat-documents.sql

-- With `stripe_tax` the provider's figures for the invoice count; a payment without an invoice has the rate of the setting.
create function private.issue_vat_documents(snapshot jsonb) returns void
  language plpgsql volatile set search_path = ''
as $$
declare
  charge constant text := snapshot ->> 'charge_id';
  bill private.vat_documents;
  paid jsonb;
  vat record;
  rate integer;
  included bigint;
  refund jsonb;
begin
  select d.* into bill from private.vat_documents d where d.charge_id = charge and d.kind = 'invoice' for update;
  if not found then
    select r.value into paid from jsonb_array_elements(snapshot -> 'records') r
    where r.value ->> 'kind' = 'payment' and r.value ->> 'status' = 'succeeded' and (r.value ->> 'amount')::bigint > 0;
    select v.* into vat from private.vat_at(to_timestamp((paid ->> 'created')::bigint)) v;
    if vat.mode is null or vat.mode = 'none' then
      return;
    end if;
    rate := vat.rate_basis_points;
    included := private.vat_of((paid ->> 'amount')::bigint, rate);
    if vat.mode = 'stripe_tax' and snapshot ->> 'tax_pence' is not null then
      included := (snapshot ->> 'tax_pence')::bigint;
      rate := (snapshot ->> 'tax_basis_points')::integer;
    end if;
    insert into private.vat_documents (
      kind, number, provider_id, charge_id, customer_id, invoice_id, supplied_at, description, period_start, period_end,
      currency, gross_pence, net_pence, vat_pence, rate_basis_points, seller, buyer
    ) values (
      'invoice', private.next_vat_number('invoice'), charge, charge, snapshot ->> 'customer_id', snapshot ->> 'invoice_id',
      to_timestamp((paid ->> 'created')::bigint), private.vat_description(snapshot),
      (snapshot ->> 'period_start')::bigint, (snapshot ->> 'period_end')::bigint, snapshot ->> 'currency',
      (paid ->> 'amount')::bigint, (paid ->> 'amount')::bigint - included, included, rate,
      (select to_jsonb(b) - 'id' from public.business_details b), private.vat_buyer(snapshot ->> 'customer_id')
    ) returning * into bill;
  end if;
  for refund in
    select r.value from jsonb_array_elements(snapshot -> 'records') r where r.value ->> 'kind' = 'refund'
    order by r.value ->> 'created', r.value ->> 'id'
  loop
    if refund ->> 'status' in ('succeeded', 'pending', 'requires_action') then
      continue when exists (
        select from private.vat_documents d where d.provider_id = refund ->> 'id' and d.kind = 'credit_note'
      );
      perform private.issue_vat_note('credit_note', bill, refund);
    elsif not exists (
      select from private.vat_documents d where d.provider_id = refund ->> 'id' and d.kind = 'debit_note'
    ) then
      perform private.issue_vat_note('debit_note', bill, refund);
    end if;
  end loop;
end
$$;
comment on function private.issue_vat_documents(jsonb) is
  'Issues what a reading of a payment asks for and was not issued yet: the VAT invoice, and a note for each refund. Nothing for a payment made without VAT.';

create function private.tg_stripe_customers__forget_buyer() returns trigger
  language plpgsql security definer set search_path = ''
as $$
begin
  update private.vat_documents d set buyer = null where d.customer_id = old.customer_id;
  return null;
end
$$;

create trigger stripe_customers__forget_buyer after delete on public.stripe_customers
  for each row execute function private.tg_stripe_customers__forget_buyer();

-- @rpc authenticated
-- The caller's VAT invoices, credit notes and debit notes, newest first.
create function private.my_vat_documents() returns table (
  number text, kind text, corrects text, payment_id text, invoice_id text, issued_at timestamptz, supplied_at timestamptz,
  description text, period_start bigint, period_end bigint, currency text, gross_pence bigint, net_pence bigint, vat_pence bigint,
  rate_basis_points integer, seller jsonb, buyer jsonb
)
  language sql stable security definer set search_path = ''
as $$
  select private.vat_number_text(d.kind, d.number), d.kind, private.vat_number_text('invoice', d.corrects), d.charge_id, d.invoice_id,
    d.issued_at, d.supplied_at, d.description, d.period_start, d.period_end, d.currency, d.gross_pence, d.net_pence, d.vat_pence,
    d.rate_basis_points, d.seller, d.buyer
  from private.vat_documents d join public.stripe_customers k on k.customer_id = d.customer_id
  where k.user_id = private.require_caller()
  order by d.issued_at desc, d.kind, d.number desc
$$;
comment on function private.my_vat_documents() is 'The calling account''s VAT documents, newest first.';

create function private.export_part_vat(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'vat_documents', coalesce((
      select jsonb_agg(to_jsonb(d) order by d.issued_at, d.kind, d.number)
      from private.vat_documents d join public.stripe_customers k on k.customer_id = d.customer_id where k.user_id = member
    ), '[]'),
    'buyer_details', (select to_jsonb(b) from private.buyer_details b where b.user_id = member)
  )
$$;
comment on function private.export_part_vat(uuid) is 'VAT documents of one account, and what it wants on them.';

-- billing/vat.sql

-- Value added tax: whether it is charged and how, and what business customers want on their invoices. Prices include it.
create table public.vat_settings (
  id bigint generated always as identity primary key,
  since timestamptz not null default now(),
  mode text not null constraint vat_settings_mode_check check (mode in ('none', 'fixed', 'stripe_tax')),
  rate_basis_points integer not null constraint vat_settings_rate_check check (rate_basis_points between 1 and 5000)
);
alter table public.vat_settings enable row level security;
grant select, insert, update, delete on public.vat_settings to service_role;
grant select (id, since, mode, rate_basis_points) on public.vat_settings to anon, authenticated;

create policy select_everyone on public.vat_settings for select to anon, authenticated using (true);
comment on table public.vat_settings is 'Whether prices include VAT, since when; the newest row is in force, none is no VAT. Rows are only ever added.';
comment on column public.vat_settings.mode is 'stripe_tax: the card provider decides the rate of each invoice by the address of the customer.';
comment on column public.vat_settings.rate_basis_points is 'The fixed rate; with stripe_tax that of payments without an invoice, such as for courses.';

create table private.provider_tax_rates (
  rate_basis_points integer primary key,
  tax_rate_id text not null
);
alter table private.provider_tax_rates enable row level security;
comment on table private.provider_tax_rates is 'The tax rate at the card provider that stands for each rate, included in the price.';

create table private.buyer_details (
  user_id uuid primary key references auth.users on delete cascade,
  business_name text constraint buyer_details_business_name_check check (char_length(business_name) between 1 and 200),
  address text constraint buyer_details_address_check check (char_length(address) between 1 and 500),
  vat_number text constraint buyer_details_vat_number_check check (char_length(vat_number) between 1 and 40)
);
alter table private.buyer_details enable row level security;
comment on table private.buyer_details is 'What a member wants on VAT invoices besides the name: of the business they buy for.';

create function private.vat_at(moment timestamptz) returns table (mode text, rate_basis_points integer)
  language sql stable set search_path = ''
as $$
  select v.mode, v.rate_basis_points from public.vat_settings v where date_trunc('second', v.since) <= moment order by v.id desc limit 1
$$;
comment on function private.vat_at(timestamptz) is 'The VAT setting in force at a moment, of which the card provider tells the second; no row before the first.';

create function private.vat_of(gross bigint, rate_basis_points integer) returns bigint
  language sql immutable set search_path = ''
as $$
  select round(gross::numeric * rate_basis_points / (10000 + rate_basis_points))::bigint
$$;
comment on function private.vat_of(bigint, integer) is 'The VAT that an amount in pence includes, rounded half away from zero.';

-- @rpc service_role
-- Server: the VAT setting in force, with the tax rate at the provider.
create function private.billing_vat() returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select jsonb_build_object('mode', v.mode, 'rate_basis_points', v.rate_basis_points, 'tax_rate_id', t.tax_rate_id)
    from private.vat_at(now()) v left join private.provider_tax_rates t using (rate_basis_points)
  ), '{"mode": "none"}')
$$;
comment on function private.billing_vat() is 'How purchases are taxed now: mode, rate and the rate''s id at the card provider, if it was made.';

-- @rpc service_role
-- Server: remember the tax rate made at the provider.
create function private.billing_record_tax_rate(rate_basis_points integer, tax_rate text) returns text
  language plpgsql security definer set search_path = ''
as $$
declare
  kept text;
begin
  insert into private.provider_tax_rates as t (rate_basis_points, tax_rate_id) values (billing_record_tax_rate.rate_basis_points, tax_rate)
  on conflict on constraint provider_tax_rates_pkey do nothing;
  select t.tax_rate_id into kept from private.provider_tax_rates t where t.rate_basis_points = billing_record_tax_rate.rate_basis_points;
  return kept;
end
$$;
comment on function private.billing_record_tax_rate(integer, text) is 'Keeps the tax rate of the card provider for a rate; the one kept first.';

create function private.require_vat_seller() returns void
  language plpgsql stable set search_path = ''
as $$
begin
  if exists (select from private.vat_at(now()) v where v.mode <> 'none') and exists (
    select from public.business_details b where b.legal_name is null or b.address is null or b.vat_number is null
  ) then
    perform private.fail('FF275', 'VAT invoices need your legal name, address and VAT number. Fill them in first.');
  end if;
end
$$;
comment on function private.require_vat_seller() is 'Raises FF275 while VAT is charged and name, address or VAT number of the seller are not known.';

-- @rpc authenticated
-- Administrators: charge VAT, or no longer.
create function private.set_vat(mode text, rate_basis_points integer) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  admin uuid := private.require_verified_admin();
  before jsonb := coalesce((select to_jsonb(v) from private.vat_at(now()) v), '{"mode": "none", "rate_basis_points": null}');
begin
  if mode is null or mode not in ('none', 'fixed', 'stripe_tax')
    or rate_basis_points is null or rate_basis_points not between 1 and 5000 then
    perform private.fail('FF274', 'Choose how VAT is charged, and a rate between 0.01 and 50 per cent.');
  end if;
  insert into public.vat_settings (mode, rate_basis_points) values (set_vat.mode, set_vat.rate_basis_points);
  perform private.require_vat_seller();
  perform private.audit_change(admin, 'vat.changed', '{}', before, (select to_jsonb(v) from private.vat_at(now()) v));
end
$$;
comment on function private.set_vat(text, integer) is 'Changes how VAT is charged from now on; FF274 for an impossible rate, FF275 without the seller''s details. Audited.';

-- @rpc authenticated
-- What the caller wants on VAT invoices.
create function private.my_buyer_details() returns table (business_name text, address text, vat_number text)
  language sql stable security definer set search_path = ''
as $$
  select b.business_name, b.address, b.vat_number from private.buyer_details b where b.user_id = private.require_caller()
$$;
comment on function private.my_buyer_details() is 'The business the calling account buys for; no row when it said none.';

-- @rpc authenticated
-- Say what stands on the caller's VAT invoices from now on.
create function private.set_buyer_details(business_name text, address text, vat_number text) returns void
  language plpgsql security definer set search_path = ''
as $$
declare
  caller constant uuid := private.require_caller();
  given constant text[] := array[nullif(btrim(business_name), ''), nullif(btrim(address), ''), nullif(btrim(vat_number), '')];
begin
  if char_length(given[1]) > 200 or char_length(given[2]) > 500 or char_length(given[3]) > 40 then
    perform private.fail('FF273', 'A name has at most 200 characters, an address 500, a number 40.');
  end if;
  if given = array[null, null, null]::text[] then
    delete from private.buyer_details b where b.user_id = caller;
    return;
  end if;
  insert into private.buyer_details (user_id, business_name, address, vat_number) values (caller, given[1], given[2], given[3])
  on conflict on constraint buyer_details_pkey do update
  set business_name = excluded.business_name, address = excluded.address, vat_number = excluded.vat_number;
end
$$;
comment on function private.set_buyer_details(text, text, text) is 'Keeps the business the calling account buys for, or forgets it when all is empty; FF273 when something is too long.';

-- billing/withdrawals.sql

create function private.left_to_refund(charge text) returns table (amount bigint, currency text, paid_at timestamptz)
  language sql stable security definer set search_path = ''
as $$
  select c.amount - greatest(c.amount_refunded, f.asked), r.currency, r.happened_at
  from private.billing_charges c
  join private.payment_records r on r.charge_id = c.charge_id and r.kind = 'payment' and r.status = 'succeeded'
  cross join lateral (
    select coalesce(sum(q.amount_pence) filter (where q.state in ('started', 'unclear', 'made')), 0)::bigint as asked
    from private.refund_requests q where q.charge_id = c.charge_id
  ) f
  where c.charge_id = charge and coalesce(c.dispute, 'won') = 'won' and c.amount > greatest(c.amount_refunded, f.asked)
$$;
comment on function private.left_to_refund(text) is 'What of a payment was neither refunded nor asked back, in pence; no row when nothing is left or the bank decides.';

create function private.withdrawal_payments(subscription text) returns table (charge_id text, amount bigint, currency text)
  language sql stable security definer set search_path = ''
as $$
  select c.charge_id, least(l.amount, case when exists (select from public.billing_rules b where b.withdrawal_refund = 'proportion')
    then private.unused_share(
      c.amount, coalesce(to_timestamp(c.period_start), l.paid_at), to_timestamp(coalesce(c.period_end, s.current_period_end))
    ) else l.amount end), l.currency
  from private.billing_charges c
  cross join lateral private.left_to_refund(c.charge_id) l
  left join public.stripe_subscriptions s on s.subscription_id = c.subscription_id and s.deleted_at is null
  where c.subscription_id = subscription
$$;
comment on function private.withdrawal_payments(text) is
  'What comes back of each payment of a subscription, in pence: what is left of it, or less the days used where the rule says so.';

create function private.end_of_withdrawal(began timestamptz) returns timestamptz
  language sql stable set search_path = ''
as $$
  -- Fourteen days after the day of the contract, in the seller's time: the last of them counts to its end.
  select (date_trunc('day', began at time zone 'Europe/London') + interval '15 days') at time zone 'Europe/London'
$$;
comment on function private.end_of_withdrawal(timestamptz) is 'Until when a contract that began at this moment can be withdrawn from.';

create function private.course_withdrawal_right(member uuid)
  returns table (purchase_id uuid, charge_id text, ends_at timestamptz, amount_pence bigint)
  language sql stable security definer set search_path = ''
as $$
  select p.id, c.charge_id, private.end_of_withdrawal(l.paid_at), l.amount
  from private.live_course_purchases v
  join private.course_purchases p on p.id = v.id
  join private.billing_charges c on c.payment_intent_id = p.payment_intent_id
  cross join lateral private.left_to_refund(c.charge_id) l
  where v.user_id = member and private.end_of_withdrawal(l.paid_at) > now()
    -- As with a membership, a second time is for staff.
    and not exists (
      select from private.withdrawals w join private.course_purchases e on e.id = w.purchase_id
      where w.user_id = member and e.course_id = p.course_id and w.requested_at > now() - interval '1 year'
    )
$$;
comment on function private.course_withdrawal_right(uuid) is
  'Courses the account bought and can give back now, until when, and what comes back. Whether they were begun does not matter.';

create function private.withdrawal_right(member uuid)
  returns table (subscription_id text, ends_at timestamptz, amount_pence bigint, currency text)
  language sql stable security definer set search_path = ''
as $$
  select s.subscription_id, w.ends_at, o.amount, o.currency
  from public.stripe_customers k
  join public.stripe_subscriptions s on s.customer_id = k.customer_id and s.deleted_at is null
  cross join lateral (
    select min(p.happened_at) as began_at from private.payment_records p
    where p.subscription_id = s.subscription_id and p.kind = 'payment' and p.status = 'succeeded' and p.amount > 0
  ) first
  cross join lateral (select private.end_of_withdrawal(first.began_at) as ends_at) w
  cross join lateral (
    select sum(l.amount)::bigint as amount, min(l.currency) as currency from private.withdrawal_payments(s.subscription_id) l
  ) o
  where k.user_id = member and k.deleted_at is null and s.hold is null and s.status in ('active', 'past_due')
    and w.ends_at > now() and o.amount > 0
    -- Joining and withdrawing in turn would be a membership for nothing: a second time within a year is for staff.
    and not exists (
      select from private.withdrawals earlier
      where earlier.user_id = member and earlier.subscription_id is not null and earlier.requested_at > now() - interval '1 year'
    )
$$;
comment on function private.withdrawal_right(uuid) is
  'What the account could withdraw from now, until when, and what it would get back; no row without a right to.';

-- @rpc authenticated
-- Until when the caller can withdraw from the membership, and what they would get back.
create function private.my_withdrawal_right()
  returns table (subscription_id text, ends_at timestamptz, amount_pence bigint, currency text)
  language sql stable security definer set search_path = ''
as $$ select * from private.withdrawal_right(private.require_caller()) $$;
comment on function private.my_withdrawal_right() is 'The calling account''s right to withdraw; no row without one.';

-- @rpc service_role
-- Server: begin or go on with a withdrawal from the membership, or from a course that was bought.
create function private.billing_begin_withdrawal(member uuid, purchase uuid default null) returns jsonb
  language plpgsql security definer set search_path = ''
as $$
declare
  due record;
  begun private.withdrawals;
begin
  perform private.lock_billing(member);
  select w.* into begun from private.withdrawals w
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null;
  if not found then
    -- A refund that staff begin at this moment is counted, or waits.
    perform from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id
    where k.user_id = member for update of c;
    if purchase is null then
      select r.*, null::text as charge_id into due from private.withdrawal_right(member) r;
    else
      select null::text as subscription_id, r.* into due from private.course_withdrawal_right(member) r where r.purchase_id = purchase;
    end if;
    if not found then
      return null;
    end if;
    insert into private.withdrawals (user_id, subscription_id, purchase_id) values (member, due.subscription_id, purchase)
    returning * into begun;
    insert into private.refund_requests (id, charge_id, amount_pence, reason)
    select md5(concat_ws(':', begun.id, p.charge_id))::uuid, p.charge_id, p.amount, 'Withdrawn within 14 days'
    from (
      select w.charge_id, w.amount from private.withdrawal_payments(due.subscription_id) w where purchase is null
      union all
      select due.charge_id, due.amount_pence where purchase is not null
    ) p where p.amount > 0;
    perform private.audit(member, 'billing.withdrawn', member, jsonb_strip_nulls(jsonb_build_object(
      'subscription_id', due.subscription_id, 'purchase_id', purchase, 'amount_pence', due.amount_pence
    )));
    if purchase is null then
      perform private.enqueue_email(member, 'membership_withdrawn', 'membership_withdrawn:' || begun.id, jsonb_build_object(
        'plan', (select private.plan_name(s.price_id) from public.stripe_subscriptions s where s.subscription_id = due.subscription_id limit 1),
        'amount', due.amount_pence, 'currency', due.currency, 'withdrawn_at', begun.requested_at
      ));
    end if;
  end if;
  return jsonb_build_object('subscription_id', begun.subscription_id, 'refunds', (
    select coalesce(jsonb_agg(jsonb_build_object(
      'request_id', q.id, 'payment_id', q.charge_id, 'amount_pence', q.amount_pence
    ) order by q.charge_id), '[]')
    from private.billing_charges c
    join private.refund_requests q on q.id = md5(concat_ws(':', begun.id, c.charge_id))::uuid
    left join private.course_purchases p on p.id = begun.purchase_id
    where (c.subscription_id = begun.subscription_id or c.payment_intent_id = p.payment_intent_id) and q.state in ('started', 'unclear')
  ));
end
$$;
comment on function private.billing_begin_withdrawal(uuid, uuid) is
  'Records the withdrawal of an account, its refunds and its e-mail, or goes on with the one that is not settled; null without a right to. Audited.';

-- @rpc service_role
-- Server: a withdrawal is settled.
create function private.billing_end_withdrawal(member uuid, purchase uuid default null) returns void
  language sql security definer set search_path = ''
as $$
  update private.withdrawals w set settled_at = now()
  where w.user_id = member and w.purchase_id is not distinct from purchase and w.settled_at is null
$$;
comment on function private.billing_end_withdrawal(uuid, uuid) is 'Everything of the account''s withdrawal is refunded and ended.';

-- @rpc service_role
-- Server: withdrawals to go on with.
create function private.billing_open_withdrawals() returns table (member uuid, purchase uuid)
  language sql stable security definer set search_path = ''
as $$
  select w.user_id, w.purchase_id from private.withdrawals w
  where w.settled_at is null and w.requested_at < now() - interval '5 minutes'
  order by w.requested_at limit 100
$$;
comment on function private.billing_open_withdrawals() is 'Withdrawals that no call is at work on and that are not settled, with the course; a hundred of the oldest.';

create function private.export_part_withdrawals(member uuid) returns jsonb
  language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object('withdrawals', coalesce((
    select jsonb_agg(to_jsonb(w) order by w.requested_at) from private.withdrawals w where w.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_withdrawals(uuid) is 'Withdrawals of one account.';

-- chat/announcements.sql

-- Open pages read the bell again, each at a moment of its own within spread_ms: within two seconds among 100 accounts, within
-- two and a half minutes among 10,000, which the calls of others do not feel.
create function private.tg_chat_messages__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null or private.caller_has_second_factor() is not true
    or new.content collate pg_catalog."und-x-icu" !~ '(^|[^[:alnum:]_@])@everyone($|[^[:alnum:]_])'
    or not exists (select from public.profiles p where p.id = new.user_id and p.role = 'admin') then
    return null;
  end if;
  insert into private.room_announcements (message_id) values (new.id) on conflict do nothing;
  if not found then
    return null;
  end if;
  perform private.enforce_rate_limit(new.user_id, 'announce');
  perform private.audit(
    new.user_id, 'room.announced', null, jsonb_build_object('chat_room_id', new.chat_room_id, 'message_id', new.id)
  );
  perform realtime.send(
    jsonb_build_object('spread_ms', (
      select least(300000, 15 * greatest(c.reltuples, 0))::integer from pg_catalog.pg_class c
      where c.oid = 'public.profiles'::pg_catalog.regclass
    )),
    'announced', 'rooms', true
  );
  return null;
end
$$;
comment on function private.tg_chat_messages__announce() is 'Announces a message with @everyone of an administrator who entered a code in this session, once.';

-- Those of the last 30 days that are newer than the account, and that are no notification of the member yet.
create function private.unread_announcements(member uuid)
  returns table (id bigint, actor_id uuid, message_id uuid, created_at timestamptz, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
  since constant timestamptz := greatest(
    now() - interval '30 days', (select u.created_at from auth.users u where u.id = member)
  );
begin
  return query
  select -a.id, m.user_id, m.id, a.created_at,
    jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.room_announcements a
  join public.chat_messages m on m.id = a.message_id and m.deleted_at is null and m.user_id <> member
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed
  -- A block by its author takes nobody out of everyone: the message stands in the room for them all the same.
  where a.created_at >= since
    and not exists (select from private.member_blocks b where b.user_id = member and b.blocked_id = m.user_id)
    and not exists (
      select from public.notifications n
      where n.user_id = member and n.kind = 'announcement' and n.subject_id = m.id and n.actor_id = m.user_id
    )
  order by a.created_at desc limit 50;
end
$$;
comment on function private.unread_announcements(uuid) is
  'Announcements in rooms that are open to the member which they have not read. Their ids are negative, so that they differ from notifications.';

create function private.notification_part_announcements(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['announcement']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_announcements(uuid) is
  'Announcements the member has read, in rooms that are open to them, as long as the message stands.';

create function private.export_part_announcements(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('room_announcements', coalesce((
    select jsonb_agg(to_jsonb(a) order by a.id)
    from private.room_announcements a join public.chat_messages m on m.id = a.message_id where m.user_id = member
  ), '[]'))
$$;
comment on function private.export_part_announcements(uuid) is 'Which messages of one account were announced to everyone.';

create function private.announcements_in(subjects uuid[])
  returns table (subject_id uuid, name text, user_id uuid, is_you boolean)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  rooms constant text[] := private.caller_room_ids();
begin
  return query
  select m.id, 'everyone', null::uuid, m.user_id <> caller
  from private.room_announcements a join public.chat_messages m on m.id = a.message_id
  where a.message_id = any (subjects[1:100]) and m.deleted_at is null and m.chat_room_id = any (rooms);
end
$$;
comment on function private.announcements_in(uuid[]) is 'Which of up to 100 messages that the caller may read were announced to everyone.';
grant execute on function private.announcements_in to authenticated;

-- chat/channels.sql

-- The private channel room:<id> carries who is in a room and who is typing. Members who may read the room may join the
-- channel. Only the database sends on it, so that no client can act as another member: there is no policy for inserts
-- and none for presence. The channel rooms says which room was changed to every signed-in account, which reads it again
-- under its own rights. On identity:<account> the account is told that it may send documents again.
-- docs/decisions/014-room-channels-from-the-database.md gives the reasons.
create function private.caller_may_use_channel(topic text) returns boolean
  language plpgsql stable security definer set search_path = '' as $$
begin
  if topic = 'rooms' then
    return private.session_is_live();
  end if;
  return coalesce(
    topic = 'identity:' || auth.uid() or starts_with(topic, 'room:') and substr(topic, 6) = any (private.caller_room_ids()), false
  );
end
$$;
comment on function private.caller_may_use_channel(text) is
  'True when the topic is that of a room the calling account may read now, rooms for a signed-in account, or its own identity channel.';
grant execute on function private.caller_may_use_channel to authenticated;

create policy select_open_room on realtime.messages for select to authenticated using (
  extension = 'broadcast' and (select private.caller_may_use_channel((select realtime.topic())))
);

-- Broadcasts the start and the end of leases. Renewing one sends nothing. Many that end at once are sent in parts of
-- 500, because the size of a broadcast is limited.
create function private.tg_room_leases__announce() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object(case tg_op when 'INSERT' then 'joined' else 'left' end, t.ids),
    'participants', 'room:' || t.chat_room_id, true
  )
  from (
    select p.chat_room_id, jsonb_agg(p.user_id order by p.user_id) as ids
    from (
      select c.chat_room_id, c.user_id,
        (row_number() over (partition by c.chat_room_id order by c.user_id) - 1) / 500 as part
      from changed c
    ) p
    group by p.chat_room_id, p.part
  ) t;
  return null;
end
$$;
comment on function private.tg_room_leases__announce() is 'Broadcasts who joined or left a room.';

-- @rpc authenticated (room_id)
-- Ids of the accounts in the room now, at most 500.
create function private.room_participants(room text) returns setof uuid
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_room(room);
  return query
    select l.user_id from private.room_leases l where l.chat_room_id = room order by l.user_id limit 500;
end
$$;
comment on function private.room_participants(text) is 'Members who are in the room now, at most 500; FF310 or FF311 unless the caller may read it.';

-- Always sends the caller's own id: there is no argument for another account.
-- @rpc authenticated (room_id)
-- The caller is typing in the room. Call it every few seconds while typing.
create function private.notify_typing(room text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_room(room);
begin
  perform private.enforce_rate_limit(caller, 'typing');
  perform realtime.send(jsonb_build_object('user_id', caller), 'typing', 'room:' || room, true);
end
$$;
comment on function private.notify_typing(text) is 'Broadcasts that the caller is typing in the room; raises FF300, FF310 or FF311.';

-- chat/export.sql

-- The data export of a member. Each area adds a function private.export_part_<name>(member), whose result is merged
-- into the export, so that no area has to know the others.
create function private.export_parts() returns jsonb
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
  part text;
  added jsonb;
  whole jsonb := '{}';
begin
  perform private.enforce_rate_limit(caller, 'export');
  for part in
    select p.proname from pg_catalog.pg_proc p
    where p.pronamespace = 'private'::regnamespace and p.proname like 'export\_part\_%' order by 1
  loop
    execute format('select private.%I($1)', part) into added using caller;
    whole := whole || added;
  end loop;
  return whole;
end
$$;
comment on function private.export_parts() is 'The exports of all areas for the calling account, as one JSON object.';
grant execute on function private.export_parts to authenticated;

-- Contains the member's own messages even when the membership lapsed and the rooms cannot be read.
create function private.export_part_chat(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'messages', coalesce((
      select jsonb_agg(to_jsonb(m) order by m.created_at, m.id) from public.chat_messages m where m.user_id = member
    ), '[]'),
    'message_likes', coalesce((
      select jsonb_agg(to_jsonb(l) order by l.created_at, l.message_id)
      from public.message_likes l where l.user_id = member
    ), '[]'),
    'room_reads', coalesce((
      select jsonb_agg(to_jsonb(r) order by r.chat_room_id) from public.chat_room_reads r where r.user_id = member
    ), '[]')
  )
$$;
comment on function private.export_part_chat(uuid) is 'Messages, likes and read positions of one account.';

create function public.export_my_data() returns jsonb
  language sql volatile set search_path = '' as $$
  select private.export_account_data() || private.export_parts()
$$;
comment on function public.export_my_data() is 'Everything stored about the caller, as one JSON object; raises FF300 above the limit.';
grant execute on function public.export_my_data to authenticated;

-- chat/likes.sql

-- Takes no lock: the counting trigger takes its locks later, in order.
create function private.require_like_allowed(message uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if not exists (
    select from public.chat_messages m
    where m.id = message and m.deleted_at is null and m.chat_room_id = any (private.caller_room_ids())
  ) then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  if not exists (select from public.message_likes l where l.user_id = caller and l.message_id = message) then
    perform private.enforce_rate_limit(caller, 'like');
  end if;
end
$$;
comment on function private.require_like_allowed(uuid) is 'Raises FF316 or FF300 unless the caller may like this message now.';
grant execute on function private.require_like_allowed to authenticated;

create function private.tg_message_likes__guard_insert() returns trigger
  language plpgsql set search_path = '' as $$
begin
  -- A row for another account is not changed: the policy refuses it next.
  if private.is_outside_caller() and new.user_id is not distinct from auth.uid() then
    perform private.require_like_allowed(new.message_id);
  end if;
  return new;
end
$$;

-- Liking your own message is not a progress event.
create function private.tg_message_likes__add_progress_events() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  perform private.record_progress_event(c.user_id, 'like', c.message_id::text)
  from changed c join public.chat_messages m on m.id = c.message_id
  where m.user_id <> c.user_id;
  return null;
end
$$;

-- Adds the difference instead of counting again, which stays exact under concurrency. Messages are locked in the order
-- of their ids, so that two statements over several messages cannot deadlock.
create function private.tg_message_likes__count() returns trigger
  language plpgsql security definer set search_path = '' as $$
declare
  sign integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  perform 1 from public.chat_messages m where m.id in (select c.message_id from changed c)
    order by m.id for no key update;
  update public.chat_messages m set like_count = m.like_count + sign * t.likes
  from (select c.message_id, count(*)::integer as likes from changed c group by c.message_id) t
  where m.id = t.message_id;
  return null;
end
$$;

-- chat/mentions.sql

-- The function that calls it holds a lock on the text, so that calls at the same time count one after the other.
create function private.name_members(
    message uuid, submission uuid, comment uuid, room text, content text, members uuid[], author uuid, told_otherwise uuid, place uuid
  ) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  named bigint;
begin
  select count(*) into named from private.mentions m
  where m.message_id = message or m.submission_id = submission or m.comment_id = comment;
  with added as (
    insert into private.mentions (message_id, submission_id, comment_id, user_id, name)
    select message, submission, comment, p.id, n.name
    from public.profiles p
    cross join lateral (select btrim(concat_ws(' ', p.first_name, p.last_name)) as name) n
    where p.id = any (members[1:100]) and n.name <> '' and position('@' || n.name in content) > 0
      and private.may_be_mentioned(p.id, room, author)
      and not exists (
        select from private.mentions m
        where m.user_id = p.id and (m.message_id = message or m.submission_id = submission or m.comment_id = comment)
      )
    limit greatest(10 - named, 0)
    for key share of p skip locked
    on conflict do nothing
    returning user_id
  )
  insert into public.notifications (user_id, kind, actor_id, subject_id, group_id)
  select a.user_id, case when message is null then 'submission_mention' else 'mention' end, author,
    coalesce(message, submission, comment), place
  from added a where a.user_id is distinct from told_otherwise
  on conflict do nothing;
end
$$;
comment on function private.name_members(uuid, uuid, uuid, text, text, uuid[], uuid, uuid, uuid) is
  'Keeps and tells up to ten members named in a text after @ who may read it, each once; one of them is told by another notification.';

-- @rpc authenticated (submission_id, members)
-- Tells members that the caller's submission names them: at most ten, each once, and only who may read it.
create function private.mention_in_submission(submission uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written public.learning_submissions;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  select s.* into written from public.learning_submissions s
  where s.id = submission and s.user_id = caller for no key update;
  if not found then
    perform private.fail('FF332', 'There is no such submission of yours.');
  end if;
  perform private.name_members(null, submission, null, null, written.content, members, caller, null, submission);
end
$$;
comment on function private.mention_in_submission(uuid, uuid[]) is
  'Tells up to ten members that the text of the caller''s own submission names them; each once.';

-- The author of the submission is told of the comment.
-- @rpc authenticated (comment_id, members)
-- Tells members that the caller's comment names them: at most ten, each once, and only who may read it.
create function private.mention_in_comment(comment uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written public.learning_submission_comments;
begin
  if private.caller_effective_level() < 1 then
    perform private.fail('FF761', 'Only active members can do this.');
  end if;
  select c.* into written from public.learning_submission_comments c
  where c.id = comment and c.user_id = caller for no key update;
  if not found then
    perform private.fail('FF333', 'There is no such comment of yours.');
  end if;
  perform private.name_members(
    null, null, comment, null, written.content, members, caller,
    (select s.user_id from public.learning_submissions s where s.id = written.submission_id), written.submission_id
  );
end
$$;
comment on function private.mention_in_comment(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own comment names them; each once. The author of the submission is told of the comment alone.';

-- Without a room it is about the feed, which is open to every member.
create function private.may_be_mentioned(member uuid, room text, by_member uuid) returns boolean
  language sql stable set search_path = '' as $$
  select member <> by_member and not private.is_blocked_between(member, by_member)
    and exists (select from private.directory_entries d where d.user_id = member)
    and not exists (select from auth.users u where u.id = member and u.banned_until > now())
    and case
      when room is null then private.effective_level(member) >= 1
      else exists (
        select from public.chat_rooms r
        where r.id = room and r.is_active and r.min_level_required <= private.effective_level(member)
      )
    end
$$;
comment on function private.may_be_mentioned(uuid, text, uuid) is
  'True for a listed member who may read the room (null: the feed) now and is another than the given one, without a block between them.';

-- @rpc authenticated
-- Members whom the caller may mention in a room, or without one in the feed, by the beginning of a word of their name; at most eight.
create function private.mentionable_members(room text default null, typed text default null)
  returns table(user_id uuid, name text, avatar_url text) language plpgsql security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_member();
  start constant text := private.search_key(left(coalesce(typed, ''), 100));
begin
  perform private.enforce_rate_limit(caller, 'people');
  if start = '' or (room is not null and not room = any (private.caller_room_ids())) then
    return;
  end if;
  return query
    select p.id, btrim(concat_ws(' ', p.first_name, p.last_name)), p.avatar_url
    from private.directory_entries d join public.profiles p on p.id = d.user_id
    where position(' ' || start in ' ' || d.sort_key) > 0 and private.may_be_mentioned(d.user_id, room, caller)
    order by d.sort_key, d.user_id limit 8;
end
$$;
comment on function private.mentionable_members(text, text) is
  'Up to eight members whom the caller may mention in the room (null: in the feed) and a word of whose name begins as typed. Limited.';

-- Repeating it tells nobody twice. Answers nothing, so that nobody learns who is blocked or may not read. The author of
-- the parent message is told of the reply.
-- @rpc authenticated
-- Tells members that the caller's message names them: at most ten, each once, and only who may read it.
create function private.mention_members(message uuid, members uuid[]) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
  written constant public.chat_messages := private.require_visible_message(message);
begin
  if written.user_id <> caller then
    perform private.fail('FF316', 'This message is not there.');
  end if;
  perform private.name_members(
    message, null, null, written.chat_room_id, written.content, members, caller,
    (select a.user_id from public.chat_messages a where a.id = written.parent_message_id), message
  );
end
$$;
comment on function private.mention_members(uuid, uuid[]) is
  'Tells up to ten members that the caller''s own message names them: those whose name stands in it after @ and who may read it.';

-- A mention is shown by the rule of replies: the room is open to the reader and the message stands.
create function private.notification_part_mentions(member uuid) returns table (id bigint, place jsonb)
  language plpgsql stable set search_path = '' as $$
declare
  allowed constant integer := private.effective_level(member);
begin
  return query
  select n.id, jsonb_build_object('chat_room_id', r.id, 'room', r.name, 'message_id', m.id, 'excerpt', private.excerpt(m.content))
  from private.newest_notifications(member, array['mention']) n
  join public.chat_messages m on m.id = n.subject_id and m.deleted_at is null
  join public.chat_rooms r on r.id = m.chat_room_id and r.is_active and r.min_level_required <= allowed;
end
$$;
comment on function private.notification_part_mentions(uuid) is
  'Mentions in rooms that are open to the member, as long as the message stands.';

create function private.tg_chat_messages__name_members() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from public.chat_messages w where w.id = new.id) then
    perform private.name_members(
      new.id, null, null, new.chat_room_id, new.content, new.mentioned, new.user_id,
      (select a.user_id from public.chat_messages a where a.id = new.parent_message_id), new.id
    );
  end if;
  new.mentioned := null;
  return new;
end
$$;
comment on function private.tg_chat_messages__name_members() is 'Keeps and tells the members whom a new message names.';

reset check_function_bodies;
