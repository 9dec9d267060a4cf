-- Marks of a trial installation. Only the operator's tools write them, so that no caller can make an installation look
-- like a trial.
create table private.install_marks (
  mark text primary key check (mark in ('demo_accounts', 'card_sandbox')),
  made_at timestamptz not null default now()
);
revoke all on table private.install_marks from public, anon, authenticated, service_role;
comment on table private.install_marks is 'Marks of a local trial; production refuses a database that has any.';
alter table private.install_marks enable row level security;
