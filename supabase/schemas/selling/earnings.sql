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
comment on function private.lower_commissions(text, jsonb) is
  'Takes back what a payment of a deleted account no longer earns after a refund or dispute; never gives.';

-- @rpc authenticated
-- Fifty payments that earned for the caller, newest first.
create function private.my_commissions(before_time timestamptz default null, before_charge text default null) returns table (
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
comment on function private.my_commissions(timestamptz, text) is 'Fifty payments that earned for the caller, newest first, without who made them.';

-- What a mentor can sell, and what the sales brought.
-- @rpc authenticated
-- Mentors: courses one sells or can sell.
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
        'ended_at', o.ended_at, 'ended_reason', o.ended_reason,
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
comment on function private.my_course_offers() is 'Priced courses of the caller, with their sale pages and figures, and the terms.';
