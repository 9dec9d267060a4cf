-- What waits for an administrator: each queue with its count and its oldest item, and the disputes.

-- The latest state of each dispute; the records are added in the order in which the states became known.
create function private.open_disputes()
  returns table (
    dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text,
    reason text, status text, opened_at timestamptz, respond_by timestamptz
  )
  language sql stable set search_path = '' as $$
  select d.provider_id, c.user_id, u.email::text, p.first_name, p.last_name, d.amount, d.currency,
    d.reason, d.status, d.happened_at, d.respond_by
  from (
    select distinct on (r.provider_id) r.* from private.payment_records r
    where r.kind = 'dispute' order by r.provider_id, r.id desc
  ) d
  left join public.stripe_customers c on c.customer_id = d.customer_id
  left join auth.users u on u.id = c.user_id
  left join public.profiles p on p.id = c.user_id
  where d.status like '%needs_response' or d.status like '%under_review'
$$;
comment on function private.open_disputes() is 'Disputes the bank has not decided, inquiries included. No account once it was deleted.';

-- @rpc authenticated
-- Administrators: open disputes with their due dates; amounts in the smallest unit.
create function private.dispute_queue()
  returns table (
    dispute_id text, user_id uuid, email text, first_name text, last_name text, amount bigint, currency text,
    reason text, status text, opened_at timestamptz, respond_by timestamptz
  )
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select d.* from private.open_disputes() d order by d.respond_by nulls last, d.opened_at, d.dispute_id;
end
$$;
comment on function private.dispute_queue() is 'Open disputes, those due first on top.';

-- Every queue of the console counts on its overview and on its tab. What is reported several times waits once, as in the queue itself; an
-- administrator's own document waits for another one, and so doesn't count for them.
create function private.queue_counts() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_agg(
    jsonb_strip_nulls(jsonb_build_object('kinds', q.kinds))
      || jsonb_build_object('queue', q.name, 'waiting', q.waiting, 'oldest_at', q.oldest_at) order by q.place
  )
  from (
    select 1 as place, 'identity' as name, count(*) as waiting, min(v.submitted_at) as oldest_at, null::jsonb as kinds
    from public.user_verifications v where v.status = 'pending' and v.user_id is distinct from auth.uid()
    union all
    select 2, 'reports', count(distinct (r.kind, r.subject_id)), min(r.created_at), private.report_counts()
    from private.reports r where r.resolved_at is null
    union all
    select 3, 'accounts', count(*), min(f.created_at), null from private.account_flags f where f.closed_at is null
    union all
    select 4, 'disputes', count(*), min(d.opened_at), null from private.open_disputes() d
    union all
    select 5, 'review', count(*), min(d.submitted_at), null from public.drafts d where d.status = 'submitted'
    union all
    select 6, 'payouts', count(*), min(y.due_since), null from private.due_payouts() y
    union all
    select 7, 'claims', count(*), min(coalesce(c.appealed_at, c.filed_at)), null
    from private.guarantee_claims c where private.claim_waits(c)
  ) q
$$;
comment on function private.queue_counts() is 'Each queue of the administrators: how many wait for the caller, and since when the oldest; of the reports, how many of each kind.';

-- @rpc authenticated
-- Administrators: how many items wait in each queue, and since when the oldest.
create function private.admin_queues() returns jsonb
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return private.queue_counts();
end
$$;
comment on function private.admin_queues() is 'The counts of the queues, for administrators.';
