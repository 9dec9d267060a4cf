-- How far the card provider's list of events was read, so that what a lost webhook would have told is known minutes later, and customers need
-- not be looked up in turn. docs/subsystems/billing.md.
create table private.billing_event_reading (
  id boolean primary key default true constraint billing_event_reading_one_row check (id),
  read_until bigint not null,
  seen jsonb not null default '{}',
  caught_up_at timestamptz
);
comment on table private.billing_event_reading is 'Until when the provider''s events were read without a gap.';
comment on column private.billing_event_reading.read_until is 'By the provider''s clock, in epoch seconds.';
comment on column private.billing_event_reading.seen is 'Events of the last ten minutes before it that need no second look: their times by id.';
comment on column private.billing_event_reading.caught_up_at is 'When a reading last reached the present; null while the first one has not.';
alter table private.billing_event_reading enable row level security;

-- Ten minutes are read again, because an event may be listed later than it was made, and events may share a second.
create function private.billing_event_overlap_s() returns bigint
  language sql immutable set search_path = '' as 'select 600::bigint';
comment on function private.billing_event_overlap_s() is 'How much of the list of events is read again, in seconds.';

-- @rpc service_role
-- Server: from when on the provider's events are to be read, in epoch seconds.
create function private.billing_events_read_from() returns bigint
  language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select r.read_until - private.billing_event_overlap_s() from private.billing_event_reading r),
    floor(extract(epoch from now() - interval '1 day'))::bigint
  )
$$;
comment on function private.billing_events_read_from() is
  'From when on events were not read yet, with ten minutes that are read again; at first from a day ago.';

-- @rpc service_role
-- Server: which of these events were not applied yet.
create function private.billing_unread_events(events text[]) returns setof text
  language sql stable security definer set search_path = '' as $$
  select e.id from unnest(events) e(id)
  where not exists (select from private.billing_events b where b.event_id = e.id)
    and not exists (select from private.billing_event_reading r where r.seen ? e.id)
$$;
comment on function private.billing_unread_events(text[]) is 'Those of the events that no webhook and no reading has applied.';

-- @rpc service_role
-- Server: the provider's events were read without a gap until a moment in epoch seconds.
create function private.billing_keep_event_reading(read_until bigint, seen jsonb, is_present boolean) returns void
  language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.billing_keep_event_reading(bigint, jsonb, boolean) is
  'Keeps until when events were read, and those that need no second look; never goes back.';

create function private.billing_events_are_read() returns boolean
  language sql stable set search_path = '' as $$
  select exists (select from private.billing_event_reading r where r.caught_up_at > now() - interval '1 hour')
$$;
comment on function private.billing_events_are_read() is 'True while the list of events says what changes, so that customers are looked up seldom.';
