-- When each schedule last started, so that several hosts over one database run it only once each time.
create table host.schedule_runs (
  name text primary key,
  started_at timestamptz not null
);
comment on table host.schedule_runs is 'One row per schedule, written by the host that runs it.';
