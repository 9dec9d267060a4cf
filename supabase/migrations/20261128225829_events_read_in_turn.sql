create table "private"."billing_event_reading" (
  "id"           boolean                  not null default true,
  "read_until"   bigint                   not null,
  "seen"         jsonb                    not null default '{}'::jsonb,
  "caught_up_at" timestamp with time zone,
  constraint "billing_event_reading_one_row" check (id),
  constraint "billing_event_reading_pkey" primary key (id)
);

alter table "private"."billing_event_reading"
  enable row level security;

create or replace function private.billing_event_overlap_s()
  returns bigint
  language sql
  immutable
  set search_path to ''
  AS $function$select 600::bigint$function$;

create or replace function private.billing_events_are_read()
  returns boolean
  language sql
  stable
  set search_path to ''
  AS $function$
  select exists (select from private.billing_event_reading r where r.caught_up_at > now() - interval '1 hour')
$function$;

create or replace function private.billing_events_read_from()
  returns bigint
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select coalesce(
    (select r.read_until - private.billing_event_overlap_s() from private.billing_event_reading r),
    floor(extract(epoch from now() - interval '1 day'))::bigint
  )
$function$;

create or replace function private.billing_keep_event_reading (
  read_until bigint,
  seen       jsonb,
  is_present boolean
)
  returns void
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
declare
  recent jsonb := coalesce((
    select jsonb_object_agg(s.key, s.value) from jsonb_each(billing_keep_event_reading.seen) s
    where s.value::bigint >= billing_keep_event_reading.read_until - private.billing_event_overlap_s()
  ), '{}');
begin
  insert into private.billing_event_reading as r (read_until, seen, caught_up_at)
  values (billing_keep_event_reading.read_until, recent, case when is_present then now() end)
  on conflict (id) do update set
    read_until = excluded.read_until, seen = excluded.seen, caught_up_at = coalesce(excluded.caught_up_at, r.caught_up_at)
  -- A slower run that read less does not take the place back.
  where r.read_until <= excluded.read_until;
end
$function$;

create or replace function private.billing_take_due (
  all_customers boolean default false,
  batch         integer default 100
)
  returns table (
    customer_id    text,
    fresh_attempts jsonb
  )
  language plpgsql
  security definer
  set search_path to ''
  AS $function$
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
$function$;

create or replace function private.billing_unread_events (
  events text[]
)
  returns SETOF text
  language sql
  stable
  security definer
  set search_path to ''
  AS $function$
  select e.id from unnest(events) e(id)
  where not exists (select from private.billing_events b where b.event_id = e.id)
    and not exists (select from private.billing_event_reading r where r.seen ? e.id)
$function$;

create or replace function public.billing_events_read_from()
  returns bigint
  language sql
  stable
  set search_path to ''
  AS $function$ select private.billing_events_read_from() $function$;

create or replace function public.billing_keep_event_reading (
  read_until bigint,
  seen       jsonb,
  is_present boolean
)
  returns void
  language sql
  set search_path to ''
  AS $function$ select private.billing_keep_event_reading(read_until, seen, is_present) $function$;

create or replace function public.billing_unread_events (
  events text[]
)
  returns SETOF text
  language sql
  stable
  set search_path to ''
  AS $function$ select * from private.billing_unread_events(events) $function$;

comment on column "private"."billing_event_reading"."caught_up_at" is 'When a reading last reached the present; null while the first one has not.';

comment on column "private"."billing_event_reading"."read_until" is 'By the provider''s clock, in epoch seconds.';

comment on column "private"."billing_event_reading"."seen" is 'Events of the last ten minutes before it that need no second look: their times by id.';

comment on function "private"."billing_event_overlap_s"() is 'How much of the list of events is read again, in seconds.';

comment on function "private"."billing_events_are_read"() is 'True while the list of events says what changes, so that customers are looked up seldom.';

comment on function "private"."billing_events_read_from"() is 'From when on events were not read yet, with ten minutes that are read again; at first from a day ago.';

comment on function "private"."billing_keep_event_reading"(bigint, jsonb, boolean) is 'Keeps until when events were read, and those that need no second look; never goes back.';

comment on function "private"."billing_unread_events"(text[]) is 'Those of the events that no webhook and no reading has applied.';

comment on function "public"."billing_events_read_from"() is 'Server: from when on the provider''s events are to be read, in epoch seconds.';

comment on function "public"."billing_keep_event_reading"(bigint, jsonb, boolean) is 'Server: the provider''s events were read without a gap until a moment in epoch seconds.';

comment on function "public"."billing_unread_events"(text[]) is 'Server: which of these events were not applied yet.';

comment on table "private"."billing_event_reading" is 'Until when the provider''s events were read without a gap.';

revoke all on function "private"."billing_event_overlap_s"() from public;

grant execute on function "private"."billing_event_overlap_s"() to "postgres";

revoke all on function "private"."billing_events_are_read"() from public;

grant execute on function "private"."billing_events_are_read"() to "postgres";

revoke all on function "private"."billing_events_read_from"() from public;

grant execute on function "private"."billing_events_read_from"() to "postgres", "service_role";

revoke all on function "private"."billing_keep_event_reading"(bigint, jsonb, boolean) from public;

grant execute on function "private"."billing_keep_event_reading"(bigint, jsonb, boolean) to "postgres", "service_role";

revoke all on function "private"."billing_unread_events"(text[]) from public;

grant execute on function "private"."billing_unread_events"(text[]) to "postgres", "service_role";

revoke all on function "public"."billing_events_read_from"() from public;

grant execute on function "public"."billing_events_read_from"() to "postgres", "service_role";

revoke all on function "public"."billing_keep_event_reading"(bigint, jsonb, boolean) from public;

grant execute on function "public"."billing_keep_event_reading"(bigint, jsonb, boolean) to "postgres", "service_role";

revoke all on function "public"."billing_unread_events"(text[]) from public;

grant execute on function "public"."billing_unread_events"(text[]) to "postgres", "service_role";

grant delete, insert, references, select, trigger, truncate, update
  on table "private"."billing_event_reading"
  to "postgres";
