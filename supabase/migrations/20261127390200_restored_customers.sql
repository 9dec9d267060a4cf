-- A customer that was dropped because the card provider did not know it comes back when the provider does: the key was
-- another account's, or the data there was restored. Deleted customers stay readable there as deleted, so that they stay dropped.
create function private.billing_take_dropped(everybody boolean, batch integer) returns setof text
  language plpgsql security definer set search_path = ''
as $$
begin
  return query
    with due as (
      select c.customer_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      where c.deleted_at > now() - interval '60 days'
        and (everybody or coalesce(k.checked_at, '-infinity') < now() - interval '1 hour')
      order by k.checked_at nulls first, c.customer_id
      limit batch
      for update of c skip locked
    )
    insert into private.billing_checks as k (customer_id, checked_at)
    select d.customer_id, now() from due d
    on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at
    returning k.customer_id;
end
$$;
revoke all on function private.billing_take_dropped(boolean, integer) from public, anon, authenticated, service_role;
grant execute on function private.billing_take_dropped(boolean, integer) to service_role;
comment on function private.billing_take_dropped(boolean, integer) is
  'Customers dropped in the last 60 days, to be looked up at the card provider again: each once an hour.';

create function public.billing_take_dropped(everybody boolean, batch integer) returns setof text
  language sql set search_path = ''
as $$ select * from private.billing_take_dropped(everybody, batch) $$;
revoke all on function public.billing_take_dropped(boolean, integer) from public, anon, authenticated, service_role;
grant execute on function public.billing_take_dropped(boolean, integer) to service_role;
comment on function public.billing_take_dropped(boolean, integer) is 'Server: dropped customers to look up again.';

create function private.billing_restore_customer(customer text) returns boolean
  language plpgsql security definer set search_path = ''
as $$
declare
  member uuid;
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer and c.deleted_at is not null;
  if not found then
    return false;
  end if;
  perform private.lock_billing(member);
  update public.stripe_customers c set deleted_at = null
  where c.customer_id = customer and c.deleted_at is not null and not exists (
    select from public.stripe_customers other where other.user_id = member and other.deleted_at is null
  );
  if not found then
    return false;
  end if;
  perform private.set_role_from_plan(member, private.plan_role(member));
  perform private.audit(null, 'billing.customer_restored', member, jsonb_build_object('customer_id', customer));
  return true;
end
$$;
revoke all on function private.billing_restore_customer(text) from public, anon, authenticated, service_role;
grant execute on function private.billing_restore_customer(text) to service_role;
comment on function private.billing_restore_customer(text) is
  'Makes a dropped customer the account''s current one again; false when it was not dropped, or the account has another by now. Audited.';

create function public.billing_restore_customer(customer text) returns boolean
  language sql set search_path = ''
as $$ select private.billing_restore_customer(customer) $$;
revoke all on function public.billing_restore_customer(text) from public, anon, authenticated, service_role;
grant execute on function public.billing_restore_customer(text) to service_role;
comment on function public.billing_restore_customer(text) is 'Server: a dropped customer exists at the provider after all.';
