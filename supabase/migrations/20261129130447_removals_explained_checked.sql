alter table "private"."reports"
  validate constraint "reports_explanation_check";
