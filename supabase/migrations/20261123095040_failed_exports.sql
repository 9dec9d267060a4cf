-- Exports are packed in the member's browser, and a refused answer of the database leaves no trace. So the page says how each one
-- ended, and the overview counts the accounts whose latest export failed.
create table private.failed_exports (
  user_id uuid primary key references auth.users (id) on delete cascade,
  step text not null constraint failed_exports_step_check check (step in ('rows', 'files')),
  failed_at timestamptz not null default now()
);
revoke all on table private.failed_exports from public, anon, authenticated, service_role;
alter table private.failed_exports enable row level security;
comment on table private.failed_exports is 'Accounts whose latest data export failed or was incomplete; removed by the next one that is whole.';
comment on column private.failed_exports.step is 'rows: no archive was made; files: some or all stored files could not be read.';

insert into private.rate_limits (action, max_count, period) values ('export_note', 20, '1 hour');

create function private.note_my_export(failed_step text) returns void
  language plpgsql security definer set search_path = '' as $$
declare
  caller uuid := private.require_caller();
begin
  if failed_step is not null and failed_step not in ('rows', 'files') then
    perform private.fail('FF302', 'An export has no such step.');
  end if;
  perform private.enforce_rate_limit(caller, 'export_note');
  if failed_step is null then
    delete from private.failed_exports f where f.user_id = caller;
  else
    insert into private.failed_exports as f (user_id, step) values (caller, failed_step)
    on conflict (user_id) do update set step = excluded.step, failed_at = excluded.failed_at;
  end if;
end
$$;
revoke all on function private.note_my_export from public, anon, authenticated, service_role;
grant execute on function private.note_my_export to authenticated;
comment on function private.note_my_export(text) is 'How the caller''s export ended: at which step it failed, or null when it is whole.';

create function public.note_my_export(failed_step text default null) returns void
  language sql volatile set search_path = '' as $$ select private.note_my_export(failed_step) $$;
revoke all on function public.note_my_export from public, anon, authenticated, service_role;
grant execute on function public.note_my_export to authenticated;
comment on function public.note_my_export(text) is
  'How the caller''s data export ended: failed_step rows or files, or none when it is whole; raises FF302 for another and FF300 above the limit.';

create function private.export_part_failed_exports(member uuid) returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object('failed_export', (select to_jsonb(f) from private.failed_exports f where f.user_id = member))
$$;
revoke all on function private.export_part_failed_exports from public, anon, authenticated, service_role;
comment on function private.export_part_failed_exports(uuid) is 'The failed export of one account.';

create or replace function private.failure_figures() returns jsonb
  language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'webhooks', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.first_failed_at)) from private.failed_billing_events f
      where f.last_failed_at > now() - interval '7 days'
    ),
    'emails', (
      select jsonb_build_object(
        'failed', count(*) filter (where o.status = 'failed'), 'retrying', count(*) filter (where o.status = 'pending'),
        'oldest_at', min(o.created_at)
      ) from private.email_outbox o
      where o.status = 'failed' and o.created_at > now() - interval '7 days'
        or o.status = 'pending' and o.attempts > 0 and o.last_error is not null
    ),
    'exports', (
      select jsonb_build_object('failed', count(*), 'oldest_at', min(f.failed_at)) from private.failed_exports f
      where f.failed_at > now() - interval '7 days'
    )
  )
$$;
comment on function private.failure_figures() is
  'Of the last seven days: webhook events that were not applied since, e-mails that were given up or are tried again, accounts whose latest export failed.';
