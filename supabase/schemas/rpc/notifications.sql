-- Written by `npm run gen` from the lines with @rpc; change those.

create function public.claim_pushes(batch_size integer default 50, lease interval default '00:05:00'::interval) returns table(notification_id bigint, subscription_id uuid, claim uuid, endpoint text, p256dh text, auth_key text, line jsonb)
  language sql volatile set search_path = '' as $$ select * from private.claim_pushes(batch_size, lease) $$;
comment on function public.claim_pushes is 'Server: take the push messages to send.';
grant execute on function private.claim_pushes, public.claim_pushes to service_role;

create function public.record_push_result(notification_id bigint, subscription_id uuid, claim uuid, outcome text) returns boolean
  language sql volatile set search_path = '' as $$ select private.record_push_result(notification_id, subscription_id, claim, outcome) $$;
comment on function public.record_push_result is 'Server: a push message was sent, or could not be.';
grant execute on function private.record_push_result, public.record_push_result to service_role;

create function public.save_push_subscription(endpoint text, p256dh text, auth_key text) returns void
  language sql volatile set search_path = '' as $$ select private.save_push_subscription(endpoint, p256dh, auth_key) $$;
comment on function public.save_push_subscription is 'Turns push messages on in the browser that has this subscription, for as long as the caller stays signed in there.';
grant execute on function private.save_push_subscription, public.save_push_subscription to authenticated;

create function public.my_notifications(before timestamp with time zone default NULL::timestamp with time zone, page_size integer default 20) returns jsonb
  language sql stable set search_path = '' as $$ select private.my_notifications(before, page_size) $$;
comment on function public.my_notifications is 'The caller''s notifications: `items`, newest first, and how many are `unread`, but for direct messages, which are counted where they are read (`unread_conversations`). The next page is before the created_at of the last item. `as_of` is a moment since which all changes are worth a new reading.';
grant execute on function private.my_notifications, public.my_notifications to authenticated;

create function public.mark_notifications_read(up_to timestamp with time zone, notification_id bigint default NULL::bigint) returns void
  language sql volatile set search_path = '' as $$ select private.mark_notifications_read(up_to, notification_id) $$;
comment on function public.mark_notifications_read is 'The caller has read their notifications up to this moment; with an id only those shown as one with it.';
grant execute on function private.mark_notifications_read, public.mark_notifications_read to authenticated;

create function public.purge_notifications() returns void
  language sql volatile set search_path = '' as $$ select private.purge_notifications() $$;
comment on function public.purge_notifications is 'Server: deletes notifications that are too old to keep.';
grant execute on function private.purge_notifications, public.purge_notifications to service_role;
