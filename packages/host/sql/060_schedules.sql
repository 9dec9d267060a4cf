-- When each schedule of the project ran last, so that several hosts over one database keep one rhythm.
create table host.schedule_runs (
  name text primary key,
  started_at timestamptz not null
);
comment on table host.schedule_runs is 'One row a schedule; written by whichever host runs it.';
