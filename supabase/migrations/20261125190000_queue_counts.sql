-- Every queue of the console counts on its overview and on its tab: reported direct messages and posts, submissions,
-- profiles, and drafts as well. What is reported several times waits once, as in the queues themselves.
create or replace function private.queue_counts() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_agg(jsonb_build_object('queue', q.name, 'waiting', q.waiting, 'oldest_at', q.oldest_at) order by q.place)
  from (
    select 1 as place, 'identity' as name, count(*) as waiting, min(v.submitted_at) as oldest_at
    from public.user_verifications v where v.status = 'pending'
    union all
    select 2, 'messages', count(distinct r.message_id), min(r.created_at)
    from private.message_reports r where r.resolved_at is null
    union all
    select 3, 'texts', count(distinct coalesce(r.message_id, r.post_id)), min(r.created_at)
    from private.text_reports r where r.resolved_at is null
    union all
    select 4, 'posts', count(distinct coalesce(r.submission_id, r.comment_id)), min(r.created_at)
    from private.submission_reports r where r.resolved_at is null
    union all
    select 5, 'people', count(distinct r.member_id), min(r.created_at)
    from private.member_reports r where r.resolved_at is null
    union all
    select 6, 'accounts', count(*), min(f.created_at) from private.account_flags f where f.closed_at is null
    union all
    select 7, 'disputes', count(*), min(d.opened_at) from private.open_disputes() d
    union all
    select 8, 'review', count(*), min(d.submitted_at) from public.drafts d where d.status = 'submitted'
  ) q
$$;
