-- Notifies hosts to reload their schema cache after every change of the schema, as hosted projects do.
-- Only superusers may create event triggers. Without them, hosts reload when a request misses something.
create or replace function host.notify_schema_reload() returns event_trigger language plpgsql set search_path = '' as $$
begin
  notify pgrst, 'reload schema';
end
$$;

do $$
begin
  drop event trigger if exists host_ddl_watch;
  drop event trigger if exists host_drop_watch;
  create event trigger host_ddl_watch on ddl_command_end execute function host.notify_schema_reload();
  create event trigger host_drop_watch on sql_drop execute function host.notify_schema_reload();
exception when insufficient_privilege then
  raise notice 'Schema changes are not announced: this login may not create event triggers.';
end
$$;
