-- Plainer names, continued.

comment on function public.admin_library_items(text,text,text,uuid,text,integer,integer) is 'Administrators: articles or courses by title, category, subcategory and status (published, withdrawn, featured).';

create or replace function public.admin_level_supply() returns table (level integer, kind text, category text, needed integer, available integer)
  language sql stable set search_path = '' as $$ select * from private.admin_level_supply() $$;

comment on function public.admin_level_supply() is 'Administrators: what each level asks for, and how much of it there is.';

create or replace function private.admin_payments(search text, state text, since timestamp with time zone, until timestamp with time zone, before_time timestamp with time zone, before_id text, page_size integer) returns setof private.payments
  language plpgsql stable security definer set search_path = '' as $$
declare
  needle text := nullif(btrim(left(search, 200)), '');
  pattern text := '%' || regexp_replace(needle, '([\\%_])', '\\\1', 'g') || '%';
  key_pattern text := '%' || regexp_replace(private.search_key(needle), '([\\%_])', '\\\1', 'g') || '%';
  found_ids text[];
  rules text[] := array['true'];
begin
  perform private.require_verified_admin();
  if needle is not null then
    -- Fewer than three characters cannot be looked up in the index of invoice numbers, and would match most of them.
    found_ids := array(
      (select needle)
      union all
      (select r.charge_id from private.member_search_index d
       join public.stripe_customers k on k.user_id = d.user_id
       join private.payment_records r on r.customer_id = k.customer_id and r.kind = 'payment'
       where d.search_key like key_pattern limit 1000)
      union all
      (select c.charge_id from public.invoices i join private.billing_charges c on c.invoice_id = i.invoice_id
       where char_length(needle) >= 3 and i.number ilike pattern limit 1000)
    );
    rules := rules || case when cardinality(found_ids) <= 1000 then 'y.payment_id = any ($1)'
      -- So many that the latest of them are found soonest by going through the payments.
      -- So many that the latest of them are soonest found by reading the payments in their order.
      else '(y.customer_id in (select k.customer_id from private.member_search_index d
          join public.stripe_customers k on k.user_id = d.user_id where d.search_key like $2)
        or y.payment_id in (select c.charge_id from public.invoices i
          join private.billing_charges c on c.invoice_id = i.invoice_id where char_length($9) >= 3 and i.number ilike $3))' end;
  end if;
  if admin_payments.state is not null then
    rules := rules || 'y.state = $4'::text;
  end if;
  if admin_payments.state <> 'paid' then
    rules := rules || 'y.payment_id in (select c.charge_id from private.billing_charges c
      where c.dispute is not null or c.is_refunded or c.amount_refunded > 0
      union all
      select x.charge_id from private.payment_records x where x.kind in (''refund'', ''dispute'')
        and not exists (select from private.billing_charges c where c.charge_id = x.charge_id))'::text;
  end if;
  if since is not null then
    rules := rules || 'y.paid_at >= $5'::text;
  end if;
  if until is not null then
    rules := rules || 'y.paid_at < $6'::text;
  end if;
  if before_time is not null then
    rules := rules || '(y.paid_at, y.payment_id) < ($7, $8)'::text;
  end if;
  return query execute format(
    'select y.* from private.payments y where %s order by y.paid_at desc, y.payment_id desc limit %s',
    array_to_string(rules, ' and '), least(greatest(coalesce(page_size, 50), 1), 200)
  ) using found_ids, key_pattern, pattern, admin_payments.state, since, until, before_time, before_id, needle;
end
$$;

create or replace function private.admin_payouts_due() returns table (affiliate_id uuid, user_id uuid, email text, name text, payable_pence bigint, pending_pence bigint, paid_pence bigint, least_pence integer)
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query
    select a.affiliate_id, a.user_id, d.email, d.name, b.payable_pence, b.pending_pence, b.paid_pence, t.least_payout_pence
    from private.affiliate_balances b
    join private.affiliates a on a.affiliate_id = b.affiliate_id
    join private.member_search_index d on d.user_id = a.user_id
    cross join private.affiliate_terms t
    where b.payable_pence <> 0 or b.pending_pence <> 0
    order by b.payable_pence desc, a.affiliate_id limit 1000;
end
$$;

comment on table private.billing_sync_versions is 'The ticket of the reading that each subscription row holds.';

comment on column private.billing_sync_versions.created_at_provider is 'Seconds since the epoch, as the card provider gives it.';

comment on column private.billing_sync_versions.ended_at_provider is 'Likewise; null while the subscription runs at the provider.';

comment on table private.member_search_index is 'Name and address of every account that was not deleted, for the administrators'' search. Kept by triggers.';

comment on column private.member_search_index.name is 'First and last name; empty without a profile.';

comment on column private.member_search_index.search_key is 'Result of search_key for name and address; also the order by name.';
