-- The schedules of supabase/functions/schedules.json as pg_cron jobs of a hosted project; a test keeps the two in step.
-- Run it as `postgres` once the secrets `functions_url` and `schedule_secret` are in Vault (docs/deploy.md); run it again
-- after a change: a job of the same name is replaced.
create extension if not exists pg_cron;
create extension if not exists pg_net;

create or replace function private.call_scheduled_function(function_name text) returns bigint
  language plpgsql security definer set search_path = '' as $$
declare
  functions_url constant text := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'functions_url');
  schedule_secret constant text := (select s.decrypted_secret from vault.decrypted_secrets s where s.name = 'schedule_secret');
begin
  if functions_url is null or schedule_secret is null then
    raise exception 'The secrets functions_url and schedule_secret are not in Vault.';
  end if;
  return net.http_post(
    url := rtrim(functions_url, '/') || '/' || function_name,
    body := '{}'::jsonb,
    headers := jsonb_build_object('content-type', 'application/json', 'authorization', 'Bearer ' || schedule_secret),
    -- As long as a function may run; pg_net would otherwise stop waiting after 5 s and note a failure.
    timeout_milliseconds := 150000);
end
$$;
comment on function private.call_scheduled_function(text) is
  'Asks a scheduled function to run, with the schedule''s own secret; for pg_cron. Returns pg_net''s request id.';
revoke execute on function private.call_scheduled_function(text) from public, anon, authenticated, service_role;

select cron.schedule('billing-reconcile', '*/5 * * * *', $$select private.call_scheduled_function('billing-reconcile')$$);
select cron.schedule('purge-documents', '0 * * * *', $$select private.call_scheduled_function('purge-documents')$$);
select cron.schedule('expire-room-leases', '* * * * *', $$select private.call_scheduled_function('expire-room-leases')$$);
select cron.schedule('send-emails', '* * * * *', $$select private.call_scheduled_function('send-emails')$$);
select cron.schedule('send-pushes', '* * * * *', $$select private.call_scheduled_function('send-pushes')$$);
select cron.schedule('queue-reminders', '0 * * * *', $$select private.call_scheduled_function('queue-reminders')$$);
select cron.schedule('publish-due-drafts', '* * * * *', $$select private.call_scheduled_function('publish-due-drafts')$$);
select cron.schedule('count-content-days', '0 * * * *', $$select private.call_scheduled_function('count-content-days')$$);
