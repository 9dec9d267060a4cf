-- Events of the card provider that could not be applied, for the administrators. The provider sends them again, and the
-- reconciliation repairs what is never delivered; this says that something needs a look.
create table private.billing_failures (
  event_id text primary key,
  event_type text not null,
  attempts integer not null default 1,
  first_failed_at timestamptz not null default now(),
  last_failed_at timestamptz not null default now(),
  last_error text not null
);
comment on table private.billing_failures is
  'Webhook events that could not be applied, kept for two months. One that billing_events has was applied since.';
create index billing_failures_last_failed_at_idx on private.billing_failures (last_failed_at);
alter table private.billing_failures enable row level security;

-- @rpc service_role
-- Server: an event could not be applied.
create function private.billing_note_failure(event text, event_type text, error text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.billing_failures as f (event_id, event_type, last_error)
  values (event, event_type, left(error, 500))
  on conflict (event_id) do update set
    attempts = f.attempts + 1, last_failed_at = now(), last_error = excluded.last_error
$$;
comment on function private.billing_note_failure(text, text, text) is 'Records that an event could not be applied.';

-- Failed events are looked up by their id, however many there are, and can be cleared with a reason. Acts at the card provider on
-- coupons are audited before it is asked, and their end afterwards. docs/subsystems/console.md.
create function private.admin_failed_event(event text) returns setof private.failed_billing_events
  language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_verified_admin();
  return query select f.* from private.failed_billing_events f where f.event_id = event;
end
$$;
comment on function private.admin_failed_event(text) is 'One event that could not be applied; no row when it was applied since.';
grant execute on function private.admin_failed_event to authenticated;

create function public.admin_failed_event(event text) returns table (
  event_id text, event_type text, attempts integer, first_failed_at timestamptz, last_failed_at timestamptz, last_error text
)
  language sql stable set search_path = '' as $$ select * from private.admin_failed_event(event) $$;
comment on function public.admin_failed_event(text) is 'Administrators: an event of the card provider that could not be applied, by its id.';
grant execute on function public.admin_failed_event to authenticated;

-- @rpc authenticated
-- Administrators: clear an event of the card provider that could not be applied, with a reason.
create function private.admin_clear_failed_event(event text, reason text) returns void
  language plpgsql volatile security definer set search_path = '' as $$
declare
  admin uuid := private.require_verified_admin();
  why text := private.require_reason(reason);
  cleared private.billing_failures;
begin
  delete from private.billing_failures f
  where f.event_id = event and exists (select from private.failed_billing_events e where e.event_id = f.event_id)
  returning f.* into cleared;
  if cleared.event_id is null then
    perform private.fail('FF256', 'This event has been processed or cleared already.');
  end if;
  perform private.audit(admin, 'billing.event_cleared', null,
    jsonb_build_object('before', to_jsonb(cleared), 'after', null, 'reason', why));
end
$$;
comment on function private.admin_clear_failed_event(text, text) is
  'Takes a failed event off the list without processing it; FF256 when it is not on it. It comes back when the provider sends it again. Audited.';

-- An account that goes takes no further payment: an attempt that is under way loses the right to pay its subscription.
-- @rpc service_role
-- Server: keep the open attempts of a member at buying a plan from paying.
create function private.billing_abandon_attempts(member uuid) returns void
  language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.lock_billing(member);
  update private.billing_attempts a set state = 'abandoned', updated_at = clock_timestamp()
  where a.user_id = member and a.state in ('working', 'unknown', 'needs_action');
end
$$;
comment on function private.billing_abandon_attempts(uuid) is 'Keeps the open attempts of a member at buying a plan from paying.';
