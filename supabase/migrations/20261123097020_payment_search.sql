-- Searching payments looks up who and which invoice is meant first, by their indexes, and only then reads the payments:
-- as one condition over all joined tables it read and joined every payment there is.

-- Invoices are written a few a minute; they wait for the moment that this takes.
-- squawk-ignore require-concurrent-index-creation
create index invoices_number_idx on public.invoices using gin (number extensions.gin_trgm_ops);

-- The statement is planned anew for each call: what suits a rare name does not suit a common one.
create or replace function private.admin_payments(
  search text, state text, since timestamptz, until timestamptz, before_time timestamptz, before_id text, page_size integer
) returns setof private.payments
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
      (select r.charge_id from private.member_directory d
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
      else '(y.customer_id in (select k.customer_id from private.member_directory d
          join public.stripe_customers k on k.user_id = d.user_id where d.search_key like $2)
        or y.payment_id in (select c.charge_id from public.invoices i
          join private.billing_charges c on c.invoice_id = i.invoice_id where char_length($9) >= 3 and i.number ilike $3))' end;
  end if;
  if admin_payments.state is not null then
    rules := rules || 'y.state = $4'::text;
  end if;
  if admin_payments.state <> 'paid' then
    rules := rules || 'y.payment_id in (select c.charge_id from private.billing_charges c
      where c.dispute is not null or c.is_refunded or c.amount_refunded > 0)'::text;
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
comment on function private.admin_payments(text, text, timestamptz, timestamptz, timestamptz, text, integer) is
  'One page of payments, newest first, by payment id, part of a name or address, three characters or more of an invoice number, state and time.';
