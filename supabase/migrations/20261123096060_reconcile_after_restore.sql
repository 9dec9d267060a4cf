-- After a restore the reconciliation compares every customer of the backup, also those that it leaves alone otherwise, such as
-- members whose subscription had ended by then and who have come back since. docs/deploy.md.

create or replace function private.billing_take_due(all_customers boolean, batch integer)
 returns table(customer_id text, fresh_attempts jsonb)
 language plpgsql
 security definer
 set search_path = ''
as $$
begin
  return query
    with due as (
      select c.customer_id, c.user_id from public.stripe_customers c
      left join private.billing_checks k on k.customer_id = c.customer_id
      left join public.stripe_subscriptions s on s.customer_id = c.customer_id and s.deleted_at is null
      where c.deleted_at is null and (
        all_customers
        -- Restored from a backup: whatever its state was then.
        or k.checked_at = '-infinity'
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

create or replace function hooks.after_restore() returns void
  language plpgsql volatile set search_path = '' as $$
begin
  perform private.pause_emails('restored from a backup');
  insert into private.billing_checks as k (customer_id, checked_at)
  select c.customer_id, '-infinity' from public.stripe_customers c where c.deleted_at is null
  on conflict on constraint billing_checks_pkey do update set checked_at = excluded.checked_at;
end
$$;
comment on function hooks.after_restore() is
  'Called by its owner after a restore from a backup: pauses the e-mails, and has every customer compared with the card provider.';
comment on column private.billing_checks.checked_at is '-infinity after a restore from a backup: to be compared whatever its state.';
