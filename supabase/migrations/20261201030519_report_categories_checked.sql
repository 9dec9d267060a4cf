alter table "private"."reports"
  validate constraint "reports_category_check";

alter table "private"."reports"
  validate constraint "reports_said_check";
