-- Tells whoever keeps the catalogue in memory that it has changed, as hosted projects do.
-- Event triggers are for superusers to make; without one, hosts find out by looking.
create or replace function host.announce_change() returns event_trigger language plpgsql set search_path = '' as $$
begin
  notify pgrst, 'reload schema';
end
$$;

do $$
begin
  drop event trigger if exists host_announce_ddl;
  drop event trigger if exists host_announce_drop;
  create event trigger host_announce_ddl on ddl_command_end execute function host.announce_change();
  create event trigger host_announce_drop on sql_drop execute function host.announce_change();
exception when insufficient_privilege then
  raise notice 'Changes of the schema are not announced: this login may not make event triggers.';
end
$$;
