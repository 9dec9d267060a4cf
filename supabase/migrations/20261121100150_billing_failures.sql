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
revoke all on table private.billing_failures from public, anon, authenticated, service_role;
comment on table private.billing_failures is
  'Webhook events that could not be applied, kept for two months. One that billing_events has was applied since.';
create index billing_failures_last_failed_at_idx on private.billing_failures (last_failed_at);
alter table private.billing_failures enable row level security;

create function private.billing_note_failure(event text, event_type text, error text) returns void
  language sql volatile security definer set search_path = '' as $$
  insert into private.billing_failures as f (event_id, event_type, last_error)
  values (event, event_type, left(error, 500))
  on conflict (event_id) do update set
    attempts = f.attempts + 1, last_failed_at = now(), last_error = excluded.last_error
$$;
revoke all on function private.billing_note_failure from public, anon, authenticated, service_role;
comment on function private.billing_note_failure(text, text, text) is 'Records that an event could not be applied.';
grant execute on function private.billing_note_failure(text, text, text) to service_role;
create function public.billing_note_failure(event text, event_type text, error text) returns void
  language sql volatile set search_path = '' as $$ select private.billing_note_failure(event, event_type, error) $$;
revoke all on function public.billing_note_failure from public, anon, authenticated, service_role;
comment on function public.billing_note_failure(text, text, text) is 'Server: an event could not be applied.';
grant execute on function public.billing_note_failure(text, text, text) to service_role;
