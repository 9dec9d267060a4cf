-- A sold course earns twice: for its mentor, and for the member whose link brought the buyer. So a payment has a commission for each of them,
-- in the same ledger, by the same rules and with the same payouts.
-- Commissions are written a few a minute; they wait for the moments that the keys and indexes take.
-- squawk-ignore-file constraint-missing-not-valid, require-concurrent-index-creation, require-concurrent-index-deletion, ban-drop-not-null, adding-serial-primary-key-field

alter table private.commissions
  add column kind text not null default 'membership',
  add column course_id uuid;
comment on column private.commissions.kind is 'membership: a referred member paid; course_sale: one''s own course; course_referral: a course that one''s link sold.';
comment on column private.commissions.course_id is 'The course that was sold; null for memberships. References courses while it is there: the books outlive it.';
alter table private.commissions add constraint commissions_kind_check
  check (kind in ('membership', 'course_sale', 'course_referral')) not valid;
alter table private.commissions validate constraint commissions_kind_check;
create index commissions_course_id_idx on private.commissions (course_id);
alter table private.commissions alter column invoice_id drop not null;
comment on column private.commissions.invoice_id is 'Null for a course, which is paid without an invoice.';

alter table private.ledger_transactions drop constraint ledger_transactions_charge_id_fkey;
alter table private.commissions drop constraint commissions_pkey;
alter table private.commissions add constraint commissions_pkey primary key (charge_id, affiliate_id);
alter table private.ledger_transactions add constraint ledger_transactions_commission_fkey
  foreign key (charge_id, affiliate_id) references private.commissions (charge_id, affiliate_id) not valid;
alter table private.ledger_transactions validate constraint ledger_transactions_commission_fkey;
drop index private.ledger_transactions_charge_id_idx;
create index ledger_transactions_commission_idx on private.ledger_transactions (charge_id, affiliate_id);

create or replace view private.commission_amounts with (security_invoker = true) as
select t.charge_id,
  coalesce(sum(e.amount_pence) filter (where e.account = 'pending'), 0)::bigint as pending_pence,
  coalesce(sum(e.amount_pence) filter (where e.account in ('pending', 'payable')), 0)::bigint as amount_pence,
  t.affiliate_id
from private.ledger_transactions t join private.ledger_entries e on e.transaction_id = t.id
where t.charge_id is not null group by t.charge_id, t.affiliate_id;
comment on view private.commission_amounts is 'What each payment earns each affiliate now, and how much of that is pending.';

-- A mentor's share is part of the price, whoever's card paid it; a reward for bringing somebody has to have brought somebody.
create or replace function private.settle_commission(charge text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  reading private.billing_charges;
  earned private.commissions;
  due bigint;
  booked bigint;
begin
  select c.* into reading from private.billing_charges c where c.charge_id = charge;
  insert into private.commissions (charge_id, affiliate_id, kind, invoice_id, course_id, rate_basis_points, paid_at, payable_at)
  select charge, s.affiliate_id, s.kind, s.invoice_id, s.course_id, s.rate, p.happened_at, p.happened_at + make_interval(days => t.pending_days)
  from private.payment_records p
  cross join private.affiliate_terms t
  cross join lateral (
    select r.affiliate_id, 'membership' as kind, reading.invoice_id, null::uuid as course_id, t.rate_basis_points as rate
    from public.stripe_customers k join private.referrals r on r.user_id = k.user_id
    where k.customer_id = reading.customer_id and reading.invoice_id is not null
      and p.happened_at >= date_trunc('second', r.referred_at)
      and p.happened_at < r.referred_at + make_interval(months => t.commission_months)
    union all
    select a.affiliate_id, 'course_sale', null, b.course_id, b.share_basis_points
    from private.course_purchases b join private.affiliates a on a.affiliate_id = b.seller_id
    where b.payment_intent_id = reading.payment_intent_id
    union all
    select r.affiliate_id, 'course_referral', null, b.course_id, b.referral_basis_points
    from private.course_purchases b join private.referrals r on r.user_id = b.user_id
    -- One's own link adds nothing to the sale of one's own course.
    where b.payment_intent_id = reading.payment_intent_id and r.affiliate_id <> b.seller_id
      and p.happened_at >= date_trunc('second', r.referred_at)
      and p.happened_at < r.referred_at + make_interval(months => t.commission_months)
  ) s
  where p.charge_id = charge and p.kind = 'payment' and p.status = 'succeeded' and p.currency = 'gbp' and reading.amount > 0
  on conflict (charge_id, affiliate_id) do nothing;
  for earned in select k.* from private.commissions k where k.charge_id = charge order by k.affiliate_id for update loop
    due := 0;
    if not earned.is_void and not reading.is_refunded and coalesce(reading.dispute, 'won') = 'won'
      and (earned.kind = 'course_sale' or not private.is_shared_card(charge, earned.affiliate_id)) then
      due := (reading.amount - reading.amount_refunded) * earned.rate_basis_points / 10000;
    end if;
    select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a
    where a.charge_id = charge and a.affiliate_id = earned.affiliate_id;
    perform private.post_ledger_transaction(
      'commission', earned.affiliate_id, charge, null, 'house',
      case when earned.released_at is null then 'pending' else 'payable' end, due - booked
    );
  end loop;
end
$$;
comment on function private.settle_commission(text) is
  'Books what a payment earns each affiliate by its last reading: nothing once refunded or disputed, nor for bringing a shared card.';

-- Without the buyer's account no reading is kept, so this one may be old or come twice: it only ever lowers.
create function private.lower_commissions(charge text, snapshot jsonb) returns void
  language plpgsql volatile set search_path = '' as $$
declare
  earned private.commissions;
  booked bigint;
  due bigint;
begin
  for earned in select k.* from private.commissions k where k.charge_id = charge order by k.affiliate_id for update loop
    select coalesce(sum(a.amount_pence), 0) into booked from private.commission_amounts a
    where a.charge_id = charge and a.affiliate_id = earned.affiliate_id;
    due := case when (snapshot ->> 'is_refunded')::boolean or snapshot ->> 'dispute' in ('open', 'lost') then 0
      else ((snapshot ->> 'amount')::bigint - (snapshot ->> 'amount_refunded')::bigint) * earned.rate_basis_points / 10000 end;
    perform private.post_ledger_transaction(
      'commission', earned.affiliate_id, charge, null, 'house',
      case when earned.released_at is null then 'pending' else 'payable' end, least(booked, due) - booked
    );
  end loop;
end
$$;
revoke all on function private.lower_commissions from public, anon, authenticated, service_role;
comment on function private.lower_commissions(text, jsonb) is
  'Takes back what a payment of a deleted account no longer earns after a refund or dispute; never gives.';

create or replace function private.release_commissions() returns integer
  language plpgsql security definer set search_path = '' as $$
declare
  due private.commissions;
  released integer := 0;
begin
  for due in
    select k.* from private.commissions k where k.released_at is null and k.payable_at <= now()
    order by k.charge_id, k.affiliate_id limit 5000 for update skip locked
  loop
    perform private.post_ledger_transaction(
      'release', due.affiliate_id, due.charge_id, null, 'pending', 'payable',
      coalesce((
        select a.pending_pence from private.commission_amounts a where a.charge_id = due.charge_id and a.affiliate_id = due.affiliate_id
      ), 0)
    );
    update private.commissions k set released_at = now() where k.charge_id = due.charge_id and k.affiliate_id = due.affiliate_id;
    released := released + 1;
  end loop;
  return released;
end
$$;

drop function public.my_commissions(timestamptz, text);
drop function private.my_commissions(timestamptz, text);
create function private.my_commissions(before_time timestamptz, before_charge text) returns table (
  charge_id text, invoice_number text, paid_at timestamptz, payable_at timestamptz, state text, amount_pence bigint, kind text, course_title text
)
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return query
    select k.charge_id, i.number, k.paid_at, k.payable_at, private.commission_state(k, coalesce(m.amount_pence, 0)), coalesce(m.amount_pence, 0),
      k.kind, c.title
    from private.affiliates a
    join private.commissions k on k.affiliate_id = a.affiliate_id
    left join public.invoices i on i.invoice_id = k.invoice_id
    left join public.courses c on c.id = k.course_id
    left join lateral (
      select x.amount_pence from private.commission_amounts x where x.charge_id = k.charge_id and x.affiliate_id = k.affiliate_id
    ) m on true
    where a.user_id = caller and (before_time is null or (k.paid_at, k.charge_id) < (before_time, before_charge))
    order by k.paid_at desc, k.charge_id desc limit 50;
end
$$;
revoke all on function private.my_commissions from public, anon, authenticated, service_role;
comment on function private.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first, without who made them.';
grant execute on function private.my_commissions(timestamptz, text) to authenticated;
create function public.my_commissions(before_time timestamptz default null, before_charge text default null) returns table (
  charge_id text, invoice_number text, paid_at timestamptz, payable_at timestamptz, state text, amount_pence bigint, kind text, course_title text
)
  language sql stable set search_path = '' as $$ select * from private.my_commissions(before_time, before_charge) $$;
revoke all on function public.my_commissions from public, anon, authenticated, service_role;
comment on function public.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first.';
grant execute on function public.my_commissions(timestamptz, text) to authenticated;

create or replace function private.export_part_affiliates(member uuid) returns jsonb
  language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'affiliate_link', (select to_jsonb(a) from private.affiliates a where a.user_id = member),
    'referral', (select to_jsonb(r) - 'affiliate_id' from private.referrals r where r.user_id = member),
    'commissions', coalesce((
      select jsonb_agg(jsonb_build_object(
        'paid_at', k.paid_at, 'payable_at', k.payable_at, 'amount_pence', coalesce(m.amount_pence, 0), 'kind', k.kind, 'course_id', k.course_id
      ) order by k.paid_at, k.charge_id)
      from private.affiliates a join private.commissions k on k.affiliate_id = a.affiliate_id
      left join private.commission_amounts m on m.charge_id = k.charge_id and m.affiliate_id = k.affiliate_id where a.user_id = member
    ), '[]'),
    'affiliate_payouts', coalesce((
      select jsonb_agg(jsonb_build_object('amount_pence', p.amount_pence, 'reference', p.reference, 'paid_at', p.paid_at) order by p.id)
      from private.affiliates a join private.affiliate_payouts p on p.affiliate_id = a.affiliate_id where a.user_id = member
    ), '[]')
  )
$$;

-- What a mentor can sell, and what the sales brought.
create function private.my_course_offers() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := private.require_caller();
begin
  return jsonb_build_object(
    'terms', (select to_jsonb(t) - 'id' from private.selling_terms t),
    'pending_days', (select t.pending_days from private.affiliate_terms t),
    'courses', coalesce((
      select jsonb_agg(jsonb_build_object(
        'course_id', c.id, 'title', c.title, 'price_pence', (c.price * 100)::integer, 'is_published', c.is_published,
        'suggested_slug', c.slug, 'slug', o.slug, 'outcomes', to_jsonb(coalesce(o.outcomes, '{}')), 'free_module_id', o.free_module_id,
        'is_on_sale', coalesce(o.is_on_sale, false),
        'is_open', exists (select from private.open_course_offers x where x.course_id = c.id),
        'modules', coalesce((
          select jsonb_agg(jsonb_build_object('id', m.id, 'title', m.title) order by m.module_order)
          from public.course_modules m where m.course_id = c.id and m.is_published
        ), '[]'),
        'sales', f.sales, 'taken_back', f.taken_back, 'earned_pence', f.earned_pence
      ) order by c.title, c.id)
      from public.courses c
      left join private.course_offers o on o.course_id = c.id
      cross join lateral (
        select count(*) as sales, count(*) filter (where coalesce(m.amount_pence, 0) = 0) as taken_back,
          coalesce(sum(m.amount_pence), 0) as earned_pence
        from private.affiliates a
        join private.commissions k on k.affiliate_id = a.affiliate_id and k.kind = 'course_sale' and k.course_id = c.id
        left join private.commission_amounts m on m.charge_id = k.charge_id and m.affiliate_id = k.affiliate_id
        where a.user_id = caller
      ) f
      where c.mentor_id = caller and (c.price > 0 or o.course_id is not null)
    ), '[]')
  );
end
$$;
revoke all on function private.my_course_offers from public, anon, authenticated, service_role;
comment on function private.my_course_offers() is 'Priced courses of the caller, with their sale pages and figures, and the terms.';
grant execute on function private.my_course_offers() to authenticated;
create function public.my_course_offers() returns jsonb
  language sql stable set search_path = '' as $$ select private.my_course_offers() $$;
revoke all on function public.my_course_offers from public, anon, authenticated, service_role;
comment on function public.my_course_offers() is 'Mentors: courses one sells or can sell.';
grant execute on function public.my_course_offers() to authenticated;
