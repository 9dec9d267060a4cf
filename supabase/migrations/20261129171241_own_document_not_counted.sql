create or replace function private.queue_counts()
  returns jsonb
  language sql
  stable
  set search_path to ''
  AS $function$
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
$function$;

comment on function "private"."queue_counts"() is 'Each queue of the administrators: how many wait for the caller, and since when the oldest; of the reports, how many of each kind.';
