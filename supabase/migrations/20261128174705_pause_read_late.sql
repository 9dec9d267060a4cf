create or replace function private.note_pause (
  member   uuid,
  snapshot jsonb,
  item     jsonb
)
  returns void
  language plpgsql
  set search_path to ''
  AS $function$
declare
  subscription constant text := snapshot ->> 'subscription_id';
  is_paused constant boolean := coalesce((snapshot ->> 'is_paused')::boolean, false)
    and snapshot ->> 'status' not in ('canceled', 'incomplete_expired');
  ended public.membership_pauses;
begin
  if not is_paused then
    update public.membership_pauses p set ended_at = now()
    -- One that is being asked for is not read as paused yet.
    where p.subscription_id = subscription and p.ended_at is null and p.confirmed_at is not null
    returning p.* into ended;
    if found then
      perform private.audit(null, 'membership.pause_ended', member, jsonb_build_object('subscription_id', subscription, 'begins_at', ended.begins_at));
    end if;
    return;
  end if;
  if item ->> 'current_period_end' is null then
    return;
  end if;
  -- One that was made at the provider and is read late has begun with the first period that was not collected, at the latest.
  insert into public.membership_pauses as p (subscription_id, begins_at, confirmed_at)
  values (subscription, to_timestamp((item ->> case
    when (snapshot ->> 'is_period_void')::boolean then 'current_period_start' else 'current_period_end'
  end)::bigint), now())
  on conflict (subscription_id) where ended_at is null do update set confirmed_at = coalesce(p.confirmed_at, now());
end
$function$;
