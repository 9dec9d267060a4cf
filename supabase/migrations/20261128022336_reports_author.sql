alter table "private"."reports"
  drop constraint "reports_author_id_fkey";

comment on column "private"."reports"."author_id" is 'Whose it is, and goes with. No foreign key: it would lock the account after what is reported, and a deletion locks them the other way.';
