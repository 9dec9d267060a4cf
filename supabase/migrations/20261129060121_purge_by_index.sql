create or replace function private.purge_notifications()
  returns void
  language sql
  security definer
  set search_path to ''
  AS $function$
  delete from public.notifications n where n.id in (
    select o.id from public.notifications o where o.read_at < now() - interval '90 days' order by o.read_at limit 100000);
  delete from public.notifications n where n.id in (
    select o.id from public.notifications o
    where o.read_at is null and o.created_at < now() - interval '1 year' order by o.created_at limit 100000);
  delete from private.push_outbox o where o.created_at < now() - interval '6 hours'
$function$;

-- squawk-ignore require-concurrent-index-creation
create index notifications_read_idx on public.notifications using btree (read_at)
  where (read_at is not null);

comment on function "private"."purge_notifications"() is 'Deletes notifications 90 days after they were read and unread ones after a year, the oldest first; and push messages over six hours old.';
