-- The scheduled reconciliation that repairs the effects of lost webhooks and crashes.

-- When a customer was last compared with the provider.
create table private.billing_checks (
  customer_id text primary key references public.stripe_customers (customer_id) on update cascade on delete cascade,
  checked_at timestamptz not null
);
comment on table private.billing_checks is 'Last comparison of each customer with the card provider.';
alter table private.billing_checks enable row level security;

-- An account may be deleted while its subscription runs. Its customer must be deleted at the provider, or charges go on.
create table private.billing_customers_to_delete (
  customer_id text primary key,
  departed_at timestamptz not null default now()
);
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
create trigger stripe_customers__remember_departed after delete on public.stripe_customers
  for each row execute function private.tg_stripe_customers__remember_departed();

-- @rpc service_role
-- Server: customers to delete at the provider.
create function private.billing_customers_to_delete() returns setof text
  language sql stable security definer set search_path = '' as $$
  select d.customer_id from private.billing_customers_to_delete d order by d.departed_at limit 100
$$;
comment on function private.billing_customers_to_delete() is 'Customers to delete at the card provider, oldest first.';

-- @rpc service_role
-- Server: a departed customer was deleted.
create function private.billing_forget_departed(customer text) returns void
  language sql volatile security definer set search_path = '' as $$
  delete from private.billing_customers_to_delete d where d.customer_id = customer
$$;
comment on function private.billing_forget_departed(text) is 'Forgets a customer that was deleted at the card provider.';

-- Takes the customers to compare next. Rows are claimed, so that two concurrent runs do not do the same work.
-- @rpc service_role
-- Server: customers to compare with the provider.
create function private.billing_take_due(all_customers boolean default false, batch integer default 100)
 returns table(customer_id text, fresh_attempts jsonb)
 language plpgsql
 security definer
 set search_path = ''
as $$
declare
  -- The list of events says what changes; looking up everybody in turn is then only a safety net.
  events_are_read constant boolean := private.billing_events_are_read();
  live_pause constant interval := case when events_are_read then interval '7 days' else interval '1 day' end;
  temporary_pause constant interval := case when events_are_read then interval '1 day' else interval '1 hour' end;
begin
  return query
    with due as (
      select c.customer_id, c.user_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
      cross join lateral (select
        -- Restored from a backup: whatever its state was then.
        coalesce(k.checked_at = '-infinity', false)
        -- A purchase that must be finished by now, or was left open.
        or exists (
          select from private.billing_attempts a where a.user_id = c.user_id
            and (a.state in ('unknown', 'needs_action', 'abandoned')
              or a.state = 'working' and a.lease_until < now()
              or a.updated_at > coalesce(k.checked_at, '-infinity') and a.state <> 'working')
        )
        -- A renewal whose webhook is missing.
        or coalesce(s.status in ('active', 'trialing') and s.current_period_end < extract(epoch from now()), false) as is_straggler
      ) q
      where c.deleted_at is null and (
        all_customers or q.is_straggler
        or s.status in ('past_due', 'unpaid', 'paused') and coalesce(k.checked_at, '-infinity') < now() - temporary_pause
        -- An unfinished purchase is ended after an hour, of which no event tells.
        or s.status = 'incomplete' and coalesce(k.checked_at, '-infinity') < now() - interval '1 hour'
        or s.status in ('active', 'trialing') and coalesce(k.checked_at, '-infinity') < now() - live_pause
      )
      -- However many wait for their turn, a straggler does not wait behind them.
      order by q.is_straggler desc, k.checked_at nulls first, c.customer_id
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
comment on function private.billing_take_due(boolean, integer) is
  'Customers to compare with the provider now, with their attempts that must not be closed.';

-- Closes open attempts without a running function, after their subscriptions were reconciled.
-- @rpc service_role
-- Server: close settled attempts of a customer.
create function private.billing_close_attempts(customer text) returns void
  language sql volatile security definer set search_path = '' as $$
  update private.billing_attempts a set state = 'failed', updated_at = clock_timestamp()
  from public.stripe_customers c
  where c.customer_id = customer and a.user_id = c.user_id
    and (a.state = 'abandoned'
      or a.state = 'working' and a.lease_until < now()
      or a.state in ('unknown', 'needs_action') and a.updated_at < now() - interval '1 hour')
$$;
comment on function private.billing_close_attempts(text) is 'Closes the attempts of a reconciled customer.';

-- Records refunds and cancellations made by the product, each once: two deliveries at a time may find the same one due.
-- @rpc service_role
-- Server: audit a change made by the reconciliation.
create function private.billing_audit(customer text, action text, detail jsonb) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  member uuid := private.lock_customer(customer);
  entry jsonb := detail || jsonb_build_object('customer_id', customer);
begin
  if not exists (
    select from private.audit_log a where a.subject = member and a.action = billing_audit.action and a.detail = entry
  ) then
    perform private.audit(null, action, member, entry);
  end if;
end
$$;
comment on function private.billing_audit(text, text, jsonb) is 'Adds an entry about a customer to the audit log.';

-- Providers send an event again for days, not for months.
-- @rpc service_role
-- Server: delete old events and attempts.
create function private.billing_purge() returns void
  language plpgsql security definer set search_path = '' as $$
begin
  delete from private.billing_events e where e.applied_at < now() - interval '60 days';
  delete from private.billing_attempts a
  where a.state in ('paid', 'failed') and a.updated_at < now() - interval '60 days';
  delete from private.billing_failures f where f.last_failed_at < now() - interval '60 days';
  delete from private.billing_sync_versions r where not exists (
    select from public.stripe_subscriptions s where s.subscription_id = r.subscription_id
  );
  delete from private.plan_change_quotes q where q.created_at < now() - interval '1 day';
end
$$;
comment on function private.billing_purge() is 'Deletes event ids and finished attempts older than 60 days, previews older than a day, and readings of deleted accounts.';
comment on column private.billing_checks.checked_at is '-infinity after a restore from a backup: to be compared whatever its state.';

-- A customer that was dropped because the card provider did not know it comes back when the provider does: the key was
-- another account's, or the data there was restored. Deleted customers stay readable there as deleted, so that they stay dropped.
-- @rpc service_role
-- Server: dropped customers to look up again.
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
comment on function private.billing_take_dropped(boolean, integer) is
  'Customers dropped in the last 60 days, to be looked up at the card provider again: each once an hour.';

-- @rpc service_role
-- Server: a dropped customer exists at the provider after all.
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
comment on function private.billing_restore_customer(text) is
  'Makes a dropped customer the account''s current one again; false when it was not dropped, or the account has another by now. Audited.';
