-- The scheduled reconciliation that repairs the effects of lost webhooks and crashes.

-- When a customer was last compared with the provider.
create table private.billing_checks (
  customer_id text primary key references public.stripe_customers (customer_id) on update cascade on delete cascade,
  checked_at timestamptz not null
);
revoke all on table private.billing_checks from public, anon, authenticated, service_role;
comment on table private.billing_checks is 'Last comparison of each customer with the card provider.';
alter table private.billing_checks enable row level security;

-- An account may be deleted while its subscription runs. Its customer must be deleted at the provider, or charges go on.
create table private.billing_customers_to_delete (
  customer_id text primary key,
  departed_at timestamptz not null default now()
);
revoke all on table private.billing_customers_to_delete from public, anon, authenticated, service_role;
comment on table private.billing_customers_to_delete is 'Customers of deleted accounts that must still be deleted at the card provider.';
alter table private.billing_customers_to_delete enable row level security;
create function private.tg_stripe_customers__remember_departed() returns trigger
  language plpgsql security definer set search_path = '' as $$
begin
  if old.deleted_at is null then
    insert into private.billing_customers_to_delete (customer_id) values (old.customer_id) on conflict do nothing;
  end if;
  return null;
end
$$;
revoke all on function private.tg_stripe_customers__remember_departed from public, anon, authenticated, service_role;
create trigger stripe_customers__remember_departed after delete on public.stripe_customers
  for each row execute function private.tg_stripe_customers__remember_departed();

create function private.billing_customers_to_delete() returns setof text
  language sql stable security definer set search_path = '' as $$
  select d.customer_id from private.billing_customers_to_delete d order by d.departed_at limit 100
$$;
revoke all on function private.billing_customers_to_delete from public, anon, authenticated, service_role;
comment on function private.billing_customers_to_delete() is 'Customers to delete at the card provider, oldest first.';
grant execute on function private.billing_customers_to_delete() to service_role;

create function private.billing_forget_departed(customer text) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from private.billing_customers_to_delete d where d.customer_id = customer
$$;
revoke all on function private.billing_forget_departed from public, anon, authenticated, service_role;
comment on function private.billing_forget_departed(text) is 'Forgets a customer that was deleted at the card provider.';
grant execute on function private.billing_forget_departed(text) to service_role;

-- Takes the customers to compare next. Rows are claimed, so that two concurrent runs do not do the same work.
create function private.billing_take_due(all_customers boolean, batch integer)
  returns table (customer_id text, fresh_attempts jsonb)
  language plpgsql security definer set search_path = '' as $$
begin
  return query
    with due as (
      select c.customer_id, c.user_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
      where c.deleted_at is null and (
        all_customers
        -- A purchase that must be finished by now, or was left open.
        or exists (
          select from private.billing_attempts a where a.user_id = c.user_id
            and (a.state in ('unknown', 'needs_action', 'abandoned')
              or a.state = 'working' and a.lease_until < now()
              or a.updated_at > coalesce(k.checked_at, '-infinity') and a.state <> 'working')
        )
        -- A renewal whose webhook is missing.
        or s.status in ('active', 'trialing') and s.current_period_end < extract(epoch from now())
        -- A temporary status is compared every hour, a live one every day.
        or s.status in ('incomplete', 'past_due', 'unpaid', 'paused')
          and coalesce(k.checked_at, '-infinity') < now() - interval '1 hour'
        or s.status in ('active', 'trialing') and coalesce(k.checked_at, '-infinity') < now() - interval '1 day'
      )
      order by k.checked_at nulls first, c.customer_id
      limit batch
      for update of c skip locked
    ),
    taken as (
      insert into private.billing_checks as k (customer_id, checked_at)
      select d.customer_id, now() from due d
      on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at
      returning k.customer_id
    )
    select d.customer_id, (
      select coalesce(jsonb_agg(a.id), '[]') from private.billing_attempts a
      where a.user_id = d.user_id
        and (a.state = 'working' and a.lease_until > now()
          or a.state in ('unknown', 'needs_action') and a.updated_at > now() - interval '1 hour')
    )
    from due d join taken t on t.customer_id = d.customer_id;
end
$$;
revoke all on function private.billing_take_due from public, anon, authenticated, service_role;
comment on function private.billing_take_due(boolean, integer) is
  'Customers to compare with the provider now, with their attempts that must not be closed.';
grant execute on function private.billing_take_due(boolean, integer) to service_role;

-- Closes open attempts without a running function, after their subscriptions were reconciled.
create function private.billing_close_attempts(customer text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.billing_attempts a set state = 'failed', updated_at = clock_timestamp()
  from public.stripe_customers c
  where c.customer_id = customer and a.user_id = c.user_id
    and (a.state = 'abandoned'
      or a.state = 'working' and a.lease_until < now()
      or a.state in ('unknown', 'needs_action') and a.updated_at < now() - interval '1 hour')
$$;
revoke all on function private.billing_close_attempts from public, anon, authenticated, service_role;
comment on function private.billing_close_attempts(text) is 'Closes the attempts of a reconciled customer.';
grant execute on function private.billing_close_attempts(text) to service_role;

-- Records refunds and cancellations made by the product, each once: two deliveries at a time may find the same one due.
create function private.billing_audit(customer text, action text, detail jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid;
  entry jsonb := detail || jsonb_build_object('customer_id', customer);
begin
  select c.user_id into member from public.stripe_customers c where c.customer_id = customer for update;
  if not exists (
    select from private.audit_log a where a.subject = member and a.action = billing_audit.action and a.detail = entry
  ) then
    perform private.audit(null, action, member, entry);
  end if;
end
$$;
revoke all on function private.billing_audit from public, anon, authenticated, service_role;
comment on function private.billing_audit(text, text, jsonb) is 'Adds an entry about a customer to the audit log.';
grant execute on function private.billing_audit(text, text, jsonb) to service_role;

-- Providers send an event again for days, not for months.
create function private.billing_purge() returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.billing_events e where e.applied_at < now() - interval '60 days';
  delete from private.billing_attempts a
  where a.state in ('paid', 'failed') and a.updated_at < now() - interval '60 days';
  delete from private.billing_failures f where f.last_failed_at < now() - interval '60 days';
  delete from private.billing_reads r where not exists (
    select from public.stripe_subscriptions s where s.subscription_id = r.subscription_id
  );
  delete from private.plan_change_quotes q where q.created_at < now() - interval '1 day';
end
$$;
revoke all on function private.billing_purge from public, anon, authenticated, service_role;
comment on function private.billing_purge() is 'Deletes event ids and finished attempts older than 60 days, previews older than a day, and readings of deleted accounts.';
grant execute on function private.billing_purge() to service_role;

-- The API functions, for the server role only.
create function public.billing_customers_to_delete() returns setof text
  language sql stable set search_path = '' as $$ select private.billing_customers_to_delete() $$;
revoke all on function public.billing_customers_to_delete from public, anon, authenticated, service_role;
create function public.billing_forget_departed(customer text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_forget_departed(customer) $$;
revoke all on function public.billing_forget_departed from public, anon, authenticated, service_role;
create function public.billing_take_due(all_customers boolean default false, batch integer default 100)
  returns table (customer_id text, fresh_attempts jsonb)
  language sql volatile set search_path = '' as $$ select * from private.billing_take_due(all_customers, batch) $$;
revoke all on function public.billing_take_due from public, anon, authenticated, service_role;
create function public.billing_close_attempts(customer text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_close_attempts(customer) $$;
revoke all on function public.billing_close_attempts from public, anon, authenticated, service_role;
create function public.billing_audit(customer text, action text, detail jsonb) returns void
  language sql volatile set search_path = '' as $$ select private.billing_audit(customer, action, detail) $$;
revoke all on function public.billing_audit from public, anon, authenticated, service_role;
create function public.billing_purge() returns void
  language sql volatile set search_path = '' as $$ select private.billing_purge() $$;
revoke all on function public.billing_purge from public, anon, authenticated, service_role;
comment on function public.billing_customers_to_delete() is 'Server: customers to delete at the provider.';
comment on function public.billing_forget_departed(text) is 'Server: a departed customer was deleted.';
comment on function public.billing_take_due(boolean, integer) is 'Server: customers to compare with the provider.';
comment on function public.billing_close_attempts(text) is 'Server: close settled attempts of a customer.';
comment on function public.billing_audit(text, text, jsonb) is 'Server: audit a change made by the reconciliation.';
comment on function public.billing_purge() is 'Server: delete old events and attempts.';
grant execute on function public.billing_customers_to_delete(), public.billing_forget_departed(text),
  public.billing_take_due(boolean, integer), public.billing_close_attempts(text),
  public.billing_audit(text, text, jsonb), public.billing_purge()
  to service_role;
