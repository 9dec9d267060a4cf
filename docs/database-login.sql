-- The least login a host needs on a PostgreSQL of your own, version 15 or newer, with a database that belongs to it.
-- Run it once as a superuser, with a password of your own in place of CHANGE-ME, then restart PostgreSQL.

-- CREATEROLE makes the roles of the API, BYPASSRLS does the host's own work, REPLICATION reads changes for realtime.
create role fourfold login createrole bypassrls replication password 'CHANGE-ME';

-- In PostgreSQL 15 only a superuser can give BYPASSRLS, so the role that needs it is created here.
create role service_role noinherit bypassrls;
grant service_role to fourfold with admin option;

create database fourfold owner fourfold encoding 'UTF8' template template0;

-- Realtime reads the write-ahead log, which has to say what changed. Holds after a restart.
alter system set wal_level = 'logical';
